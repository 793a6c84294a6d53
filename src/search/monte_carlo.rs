//! Flat Monte Carlo: the classic classroom player, to the letter.
//!
//! From the position, a given number of games is played out with uniformly random moves. A draw adds nothing. In
//! a game that the side to move won, each of its squares on the final board gets `current` points and each of the
//! opponent's loses `other` points; in a lost game the signs turn. All squares of the final board count, those
//! filled before the search too. The answer is drawn uniformly among the empty squares with the highest total.
//! (Rixner, Warren et al., "Principles of Computing", Rice University, 2014: the mini-project on tic-tac-toe.)
//!
//! Every playout that is started is finished: stopping when so many *have finished* would favour short games.

use crate::game::{Cell, Position, Score};

use super::playout::Playouts;
use super::{Control, Generator, Line, Question, Report, Searcher, Tally, Verdict};

/// The most cells that playouts may fill and still be quick: 2,000 playouts from the empty 3x3 board, a few tenths of
/// a millisecond.
const QUICK_CELLS: u64 = 18_000;

/// Points for the squares of a decided game: finite numbers, not negative.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Weights {
    /// For the squares of the side to move.
    pub current: f64,
    /// For the squares of its opponent.
    pub other: f64,
}

impl Default for Weights {
    fn default() -> Weights {
        Weights { current: 1.0, other: 1.0 }
    }
}

impl Weights {
    /// A power of two by which totals are multiplied while they are compared, so that they stay finite under the
    /// largest weights. Powers of two change no rounding.
    pub(super) fn scale(self) -> f64 {
        let huge = 2f64.powi(500);
        if self.current.max(self.other) > huge { huge.recip() } else { 1.0 }
    }
}

/// The flat Monte Carlo player.
#[derive(Clone, Copy, Debug)]
pub struct MonteCarlo {
    pub(super) weights: Weights,
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

    /// The same on so many threads, at least 1. What it answers does not depend on them.
    pub fn on_threads(self, threads: usize) -> MonteCarlo {
        MonteCarlo { threads: threads.max(1), ..self }
    }

    /// Plays until `control` says to stop, at least once, and counts.
    pub fn sample(
        &self,
        position: &Position,
        generator: &mut Generator,
        control: &Control,
        progress: &mut dyn FnMut(&Tally),
    ) -> Tally {
        Playouts::fastest(position, control, self.threads).play(position, generator, control, progress)
    }

    /// What a tally says about the moves of a position; the move to play is the one numbered `chosen` among those
    /// with the highest total.
    pub(super) fn verdict(&self, question: &Question, tally: &Tally, choose: impl FnOnce(usize) -> usize) -> Verdict {
        let results = tally.results();
        let score = Score::Estimate(results.mean());
        let mut moves: Vec<Cell> = question.position.moves().collect();
        // A stable sort: squares with equal totals stay in reading order.
        moves.sort_by(|&a, &b| tally.compare(b, a, self.weights));
        let ties = moves.iter().take_while(|&&cell| tally.compare(cell, moves[0], self.weights).is_eq()).count();
        moves[..=choose(ties)].rotate_right(1);
        let line = |cell| Line { score, principal_variation: vec![cell], total: Some(tally.total(cell, self.weights)) };
        let lines = moves.into_iter().take(question.lines).map(line).collect();
        Verdict { score, lines, depth: None, nodes: results.count(), playouts: Some(results), law: None }
    }
}

impl Searcher for MonteCarlo {
    fn search(
        &mut self,
        question: &Question,
        generator: &mut Generator,
        control: &Control,
        report: Report<'_>,
    ) -> Verdict {
        let mut progress = |tally: &Tally| report(&self.verdict(question, tally, |_| 0));
        let tally = self.sample(&question.position, generator, control, &mut progress);
        self.verdict(question, &tally, |ties| question.tiebreak.pick(ties, generator))
    }

    fn is_quick(&self, position: &Position, playouts: Option<u64>) -> bool {
        let cells = position.empty_cells() as u64;
        playouts.is_some_and(|playouts| playouts.saturating_mul(cells) <= QUICK_CELLS)
    }
}
