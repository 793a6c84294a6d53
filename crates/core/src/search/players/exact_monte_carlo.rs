//! The player that flat Monte Carlo tends to when the trials go to infinity.

use crate::game::{Cell, Position, Rules};
use crate::search::{
    Control, ExactPlayouts, Generator, MonteCarlo, Report, SearchRequest, SearchResult, Searcher, Weights,
};

use super::monte_carlo::PlayoutSample;

/// Plays what flat Monte Carlo plays in the limit of infinitely many trials.
///
/// Its totals are expected ones per playout. They prove nothing about the game: its score is an estimate.
#[derive(Clone, Copy, Debug)]
pub struct ExactMonteCarlo {
    weights: Weights,
}

impl ExactMonteCarlo {
    /// A player that scores squares by these weights; `None` when the boards of these rules are too large.
    pub fn for_rules(rules: Rules, weights: Weights) -> Option<ExactMonteCarlo> {
        (rules.size() <= ExactPlayouts::LARGEST).then_some(ExactMonteCarlo { weights })
    }
}

impl Searcher for ExactMonteCarlo {
    fn search(
        &mut self,
        request: &SearchRequest,
        generator: &mut Generator,
        _: &Control,
        _: Report<'_>,
    ) -> SearchResult {
        let law = |position: &Position| ExactPlayouts::of(position).expect("the board is small enough");
        let (sample, nodes) = match request.root_moves {
            None => {
                let law = law(&request.position);
                (PlayoutSample::from(law.every_order().clone()), law.nodes())
            }
            Some(_) => {
                // Every order that begins with a listed move, each once: as many for one move as for another.
                let moves: Vec<Cell> = request.moves().collect();
                let mut sample = PlayoutSample::among(&request.position, &moves);
                let laws = moves.iter().map(|&cell| law(&request.position.after(cell))).enumerate();
                let nodes = laws.map(|(place, law)| {
                    sample.add(place, law.every_order());
                    law.nodes()
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

    fn is_quick(&self, _: &Position, _: Option<u64>) -> bool {
        true
    }
}
