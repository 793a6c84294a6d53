//! Flat Monte Carlo with infinitely many trials, computed exactly.

use crate::game::{Cell, Position, Rules};
use crate::search::{ExactPlayouts, Generator, MonteCarlo, SearchRequest, SearchResult, Weights};

use super::monte_carlo::PlayoutSample;

/// Plays what flat Monte Carlo plays with infinitely many trials.
///
/// Its totals are expected values per playout. They prove nothing about the game, so its score is an estimate.
#[derive(Clone, Copy, Debug)]
pub struct ExactMonteCarlo {
    weights: Weights,
}

impl ExactMonteCarlo {
    /// A player that scores squares by these weights. `None` for boards larger than 3x3.
    pub fn for_rules(rules: Rules, weights: Weights) -> Option<ExactMonteCarlo> {
        (rules.size() <= ExactPlayouts::LARGEST).then_some(ExactMonteCarlo { weights })
    }

    /// The result on a position in which the game goes on.
    pub fn search(&self, request: &SearchRequest, generator: &mut Generator) -> SearchResult {
        let exact = |position: &Position| ExactPlayouts::of(position).expect("the board is small enough");
        let (sample, nodes) = match request.root_moves {
            None => {
                let exact = exact(&request.position);
                (PlayoutSample::from(exact.every_order().clone()), exact.nodes())
            }
            Some(_) => {
                // Every order that begins with a listed move, each once. Every move has the same number of orders.
                let moves: Vec<Cell> = request.moves().collect();
                let mut sample = PlayoutSample::among(&request.position, &moves);
                let exact_by_move = moves.iter().map(|&cell| exact(&request.position.after(cell))).enumerate();
                let nodes = exact_by_move.map(|(index, exact)| {
                    sample.add(index, exact.every_order());
                    exact.nodes()
                });
                let nodes = nodes.sum();
                (sample, nodes)
            }
        };
        let choose = |ties| request.tiebreak.pick(ties, generator);
        let mut result = MonteCarlo::new(self.weights).result(request, &sample, choose);
        for line in &mut result.lines {
            line.total = Some(sample.tally.mean_total(line.first_move(), self.weights));
        }
        let depth = request.position.empty_cells() as u16;
        SearchResult { depth, nodes, expected: result.playouts.take(), ..result }
    }
}
