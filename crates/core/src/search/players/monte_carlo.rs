//! Flat Monte Carlo: the classic player of programming courses.
//!
//! A given number of games is played out from the position with uniformly random moves. A draw adds nothing. In a game
//! that the side to move has won, each of its squares on the final board gets `current` points, and each square of the
//! opponent loses `other` points. In a lost game the signs are reversed. All squares of the final board count, including
//! those filled before the search. The move is drawn uniformly among the empty squares with the highest total.
//! (Rixner, Warren et al., "Principles of Computing", Rice University, 2014: the mini-project on tic-tac-toe.)
//!
//! Every playout that is started is finished. A search that stopped after so many *finished* games would favour short ones.
//!
//! [`ExactMonteCarlo`] has the limit for infinitely many trials, computed exactly.

use crate::game::{Bounds, Cell, Position, Rules, Score};

use crate::search::proof::RootBounds;
use crate::search::request::{PUBLISH_INTERVAL, REPORT_INTERVAL};
use crate::search::{
    Control, ExactPlayouts, Generator, OnProgress, PlayoutResults, Playouts, SearchContext, SearchRequest,
    SearchResult, Searcher, Tally, Variation, Weights,
};

/// Playouts of one listed move before those of the next: a few hundred microseconds at most.
const ROUND: u64 = 512;

/// The flat Monte Carlo player.
#[derive(Clone, Copy, Debug)]
pub struct MonteCarlo {
    pub(crate) weights: Weights,
    threads: usize,
}

impl Default for MonteCarlo {
    fn default() -> MonteCarlo {
        MonteCarlo::new(Weights::default())
    }
}

impl MonteCarlo {
    /// A player that scores squares by these weights.
    pub fn new(weights: Weights) -> MonteCarlo {
        MonteCarlo { weights, threads: 1 }
    }

    /// Plays on `threads` threads, at least 1. The result does not depend on their number.
    pub fn on_threads(self, threads: usize) -> MonteCarlo {
        MonteCarlo { threads: threads.max(1), ..self }
    }

    /// Plays games from a position until `control` ends it, but at least one, and counts them.
    pub fn sample(
        &self,
        position: &Position,
        generator: &mut Generator,
        control: &Control,
        progress: &mut dyn FnMut(&Tally),
    ) -> Tally {
        Playouts::fastest(position, control, self.threads).play(position, generator, control, progress)
    }

    /// Samples the position of a request. Calls `progress` every few milliseconds. If the request lists root moves, every
    /// playout begins with one of them, and all of them get the same number of playouts.
    pub(crate) fn sample_request(
        &self,
        request: &SearchRequest,
        generator: &mut Generator,
        control: &Control,
        progress: &mut dyn FnMut(&PlayoutSample),
    ) -> PlayoutSample {
        let position = &request.position;
        if request.root_moves.is_none() {
            let mut progress = |tally: &Tally| progress(&PlayoutSample::from(tally.clone()));
            return PlayoutSample::from(self.sample(position, generator, control, &mut progress));
        }
        let moves: Vec<Cell> = request.moves().collect();
        let mut sample = PlayoutSample::among(position, &moves);
        let mut publishing = control.timer(PUBLISH_INTERVAL);
        let mut left = control.playouts;
        while left != Some(0) && (sample.tally.results().count() == 0 || control.check().is_ok()) {
            // Whole rounds, so that all moves have the same number of playouts when time ends the search.
            for index in 0..moves.len() {
                let ahead = (moves.len() - index) as u64;
                let share = left.map_or(ROUND, |left| left.div_ceil(ahead).min(ROUND));
                if share == 0 {
                    break;
                }
                let after = position.after(moves[index]);
                sample.add(index, &self.play_on(&after, share, generator));
                left = left.map(|left| left - share);
            }
            if publishing.is_due() {
                progress(&sample);
            }
        }
        sample
    }

    /// Playouts from a position in which the game may be over.
    fn play_on(&self, position: &Position, playouts: u64, generator: &mut Generator) -> Tally {
        if position.outcome().is_some() {
            let mut tally = Tally::new(position.rules().shape());
            tally.add(position, position.side());
            tally.repeat(playouts);
            return tally;
        }
        self.sample(position, generator, &Control::playouts_only(playouts), &mut |_| {})
    }

    /// The result on an open position by playouts, within what is proven; without a sample, by the proof alone.
    ///
    /// The moves that no proof excludes are the candidates. `choose` gets the number of those with the highest total, and says
    /// which of them is played. It is no type parameter, so that the compiler makes this function once and not for each caller.
    pub(crate) fn result(
        &self,
        request: &SearchRequest,
        known: &RootBounds,
        sample: Option<&PlayoutSample>,
        choose: &mut dyn FnMut(usize) -> usize,
    ) -> SearchResult {
        let tally = sample.map(|sample| &sample.tally);
        let compare =
            |a: Cell, b: Cell| tally.map_or(std::cmp::Ordering::Equal, |tally| tally.compare(b, a, self.weights));
        let best = known.moves.iter().map(|(_, bounds)| bounds.preference()).max();
        // A proven draw is kept by any move that keeps it.
        let is_candidate = |bounds: &Bounds| Some(bounds.preference()) == best && known.allows(*bounds);
        let (mut candidates, mut others): (Vec<_>, Vec<_>) =
            known.moves.iter().partition::<Vec<(Cell, Bounds)>, _>(|(_, bounds)| is_candidate(bounds));
        // Stable sorts: equal moves stay in reading order.
        candidates.sort_by(|(a, _), (b, _)| compare(*a, *b));
        let rank = |bounds: &Bounds| (bounds.preference(), bounds.at_most, bounds.at_least);
        others.sort_by(|(a, one), (b, two)| rank(two).cmp(&rank(one)).then_with(|| compare(*a, *b)));
        let ties = candidates.iter().take_while(|(cell, _)| compare(*cell, candidates[0].0).is_eq()).count();
        candidates[..=choose(ties)].rotate_right(1);

        let results = tally.map(|tally| tally.results());
        let estimate = |cell: Cell, bounds: Bounds| {
            Score::Estimate(sample.map_or(middle(bounds), |sample| bounds.limit(sample.mean(cell))))
        };
        let score = estimate(candidates[0].0, known.announced());
        let line = |(index, (cell, bounds)): (usize, (Cell, Bounds))| {
            let total = tally.map(|tally| tally.total(cell, self.weights));
            let score = if index == 0 { score } else { Score::proven_by(bounds).unwrap_or(estimate(cell, bounds)) };
            Variation { score, principal_variation: vec![cell], total }
        };
        let lines = candidates.into_iter().chain(others).take(request.lines).enumerate().map(line).collect();
        let playouts = results.map_or(0, |results| results.count());
        SearchResult { playouts: results, ..SearchResult::new(score, lines, known.depth, known.nodes + playouts) }
    }
}

/// The expected result half-way between the bounds: the estimate for a move without playouts.
pub(crate) fn middle(bounds: Bounds) -> f64 {
    f64::from(bounds.at_least.result() + bounds.at_most.result()) / 2.0
}

/// Plays at least one game.
impl Searcher for MonteCarlo {
    fn run(&mut self, SearchContext { request, generator, control, on_progress }: SearchContext<'_>) -> SearchResult {
        let known = RootBounds::unknown(request);
        let result = |sample: &PlayoutSample| self.result(request, &known, Some(sample), &mut |_| 0);
        let sample = self.sample_request(request, generator, control, &mut publishing(control, on_progress, result));
        self.result(request, &known, Some(&sample), &mut |ties| request.tiebreak.pick(ties, generator))
    }
}

/// The progress callback of a search: publishes the result of every sample, and reports it at most ten times a second.
pub(crate) fn publishing<'a>(
    control: &'a Control,
    on_progress: OnProgress<'a>,
    result: impl Fn(&PlayoutSample) -> SearchResult + 'a,
) -> impl FnMut(&PlayoutSample) + 'a {
    let mut reporting = control.timer(REPORT_INTERVAL);
    move |sample| {
        let result = result(sample);
        control.publish(result.lines[0].first_move(), result.depth, result.score.expected_result());
        if reporting.is_due() {
            on_progress(&result);
        }
    }
}

/// The playouts of a request.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct PlayoutSample {
    /// All of them, seen by the side to move.
    pub tally: Tally,
    /// The listed root moves, each with the results of the playouts that began with it. Empty if none are listed.
    by_move: Vec<(Cell, PlayoutResults)>,
}

impl From<Tally> for PlayoutSample {
    fn from(tally: Tally) -> PlayoutSample {
        PlayoutSample { tally, by_move: Vec::new() }
    }
}

impl PlayoutSample {
    /// A sample without playouts. Each playout is to begin with one of these moves.
    pub fn among(position: &Position, moves: &[Cell]) -> PlayoutSample {
        let none = |&cell: &Cell| (cell, PlayoutResults::default());
        PlayoutSample { tally: Tally::new(position.rules().shape()), by_move: moves.iter().map(none).collect() }
    }

    /// Adds playouts that began with the move at an index. Their tally is seen by the opponent.
    pub fn add(&mut self, index: usize, seen_by_other: &Tally) {
        self.tally.add_seen_by_other(seen_by_other);
        self.by_move[index].1 += seen_by_other.results().turned();
    }

    /// The mean result, from -1 to 1: of the playouts that began with the move if root moves are listed, else of all.
    pub fn mean(&self, cell: Cell) -> f64 {
        let own = self.by_move.iter().find(|(listed, _)| *listed == cell);
        own.map_or(self.tally.results(), |(_, results)| *results).mean()
    }
}

/// Plays what flat Monte Carlo plays with infinitely many trials.
///
/// Its totals are expected values per playout. They prove nothing about the game, so its score is an estimate.
#[derive(Clone, Copy, Debug)]
pub struct ExactMonteCarlo {
    weights: Weights,
}

impl ExactMonteCarlo {
    /// A player that scores squares by these weights. `None` for boards of more than 9 cells.
    pub fn for_rules(rules: Rules, weights: Weights) -> Option<ExactMonteCarlo> {
        (rules.cells() <= ExactPlayouts::MOST_CELLS).then_some(ExactMonteCarlo { weights })
    }
}

impl Searcher for ExactMonteCarlo {
    fn run(&mut self, SearchContext { request, generator, .. }: SearchContext<'_>) -> SearchResult {
        let exact = |position: &Position| ExactPlayouts::of(position).expect("the board is small enough");
        let (sample, nodes) = match request.root_moves {
            None => {
                let exact = exact(&request.position);
                (PlayoutSample::from(exact.every_order().clone()), exact.nodes)
            }
            Some(_) => {
                // Every order that begins with a listed move, each once. Every move has the same number of orders.
                let moves: Vec<Cell> = request.moves().collect();
                let mut sample = PlayoutSample::among(&request.position, &moves);
                let exact_by_move = moves.iter().map(|&cell| exact(&request.position.after(cell))).enumerate();
                let nodes = exact_by_move.map(|(index, exact)| {
                    sample.add(index, exact.every_order());
                    exact.nodes
                });
                let nodes = nodes.sum();
                (sample, nodes)
            }
        };
        let mut choose = |ties| request.tiebreak.pick(ties, generator);
        let known = RootBounds::unknown(request);
        let mut result = MonteCarlo::new(self.weights).result(request, &known, Some(&sample), &mut choose);
        for line in &mut result.lines {
            line.total = Some(sample.tally.mean_total(line.first_move(), self.weights));
        }
        let depth = request.position.empty_cells() as u16;
        SearchResult { depth, nodes, expected: result.playouts.take(), ..result }
    }
}
