//! Flat Monte Carlo: the classic classroom player, to the letter.
//!
//! From the position, a given number of games is played out with uniformly random moves. A draw adds nothing. In
//! a game that the side to move won, each of its squares on the final board gets `current` points and each of the
//! opponent's loses `other` points; in a lost game the signs turn. All squares of the final board count, those
//! filled before the search too. The answer is drawn uniformly among the empty squares with the highest total.
//! (Rixner, Warren et al., "Principles of Computing", Rice University, 2014: the mini-project on tic-tac-toe.)
//!
//! Every playout that is started is finished: stopping when so many *have finished* would favour short games.

use std::cmp::Ordering;
use std::time::{Duration, Instant};

use crate::game::{Cell, Outcome, Player, Position, Score, Value};

use super::playout::{PlayoutBoard, PlayoutEnd};
use super::{Control, Generator, Line, PlayoutResults, Question, Report, Searcher, Verdict};

/// Time between two progress reports.
const REPORT_INTERVAL: Duration = Duration::from_millis(250);

/// Cells to be filled between two looks at the clock: some ten microseconds of work.
const CELLS_BETWEEN_CHECKS: u64 = 2048;

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
    fn scale(self) -> f64 {
        let huge = 2f64.powi(500);
        if self.current.max(self.other) > huge { huge.recip() } else { 1.0 }
    }
}

/// What a number of playouts left on each square, and how they ended.
///
/// Kept in whole numbers, so that no order of playouts and no weight can change a total.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tally {
    size: u8,
    squares: Vec<Square>,
    results: PlayoutResults,
}

/// What the decided playouts left on one square.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Square {
    /// Games won minus games lost with a stone of the side to move here.
    current: i64,
    /// Games lost minus games won with a stone of its opponent here.
    other: i64,
}

impl Tally {
    /// No playouts yet, on a board with `size` rows.
    pub fn new(size: u8) -> Tally {
        let cells = usize::from(size) * usize::from(size);
        Tally { size, squares: vec![Square::default(); cells], results: PlayoutResults::default() }
    }

    /// Adds one finished game, seen by `player`.
    ///
    /// # Panics
    /// When the game is not over.
    pub fn add(&mut self, finished: &Position, player: Player) {
        let outcome = finished.outcome().expect("only a finished game can be scored");
        match outcome {
            Outcome::Draw => self.results.draws += 1,
            Outcome::Win(winner) if winner == player => self.results.wins += 1,
            Outcome::Win(_) => self.results.losses += 1,
        }
        if let Outcome::Win(winner) = outcome {
            let games = if winner == player { 1 } else { -1 };
            self.credit_current(finished.stones(player).iter(), games);
            self.credit_other(finished.stones(!player).iter(), games);
        }
    }

    /// Counts games won minus games lost in which the side to move had stones on `cells`.
    fn credit_current(&mut self, cells: impl Iterator<Item = Cell>, games: i64) {
        cells.for_each(|cell| self.squares[cell.index(self.size)].current += games);
    }

    /// Counts games won minus games lost in which the opponent had stones on `cells`.
    fn credit_other(&mut self, cells: impl Iterator<Item = Cell>, games: i64) {
        cells.for_each(|cell| self.squares[cell.index(self.size)].other -= games);
    }

    /// How the playouts ended for the side to move.
    pub fn results(&self) -> PlayoutResults {
        self.results
    }

    /// The score of a square. Beyond the range of numbers it is the largest there is.
    pub fn total(&self, cell: Cell, weights: Weights) -> f64 {
        (self.scaled_total(cell, weights) / weights.scale()).clamp(f64::MIN, f64::MAX)
    }

    /// Which of two squares has the higher score.
    pub(super) fn compare(&self, one: Cell, two: Cell, weights: Weights) -> Ordering {
        self.scaled_total(one, weights).total_cmp(&self.scaled_total(two, weights))
    }

    fn scaled_total(&self, cell: Cell, weights: Weights) -> f64 {
        let square = self.squares[cell.index(self.size)];
        let points = |games: i64, weight: f64| games as f64 * (weight * weights.scale());
        // Adding 0 turns a negative zero, which would compare as less, into the positive one.
        points(square.current, weights.current) + points(square.other, weights.other) + 0.0
    }
}

/// The flat Monte Carlo player.
#[derive(Clone, Copy, Default, Debug)]
pub struct MonteCarlo {
    pub(super) weights: Weights,
}

impl MonteCarlo {
    /// A player that scores squares by these weights.
    pub fn new(weights: Weights) -> MonteCarlo {
        MonteCarlo { weights }
    }

    /// Plays until `control` says to stop, at least once, and counts.
    pub fn sample(
        &self,
        position: &Position,
        generator: &mut Generator,
        control: &Control,
        progress: &mut dyn FnMut(&Tally),
    ) -> Tally {
        let mut sampler = Sampler::new(position);
        let playouts = control.playouts().unwrap_or(u64::MAX);
        let batch = (CELLS_BETWEEN_CHECKS / position.empty_cells() as u64).max(1);
        let mut played = 0;
        let mut last_report = Instant::now();
        while played < playouts {
            // The first playout is played in any case: an answer needs one.
            let batch = if played == 0 { 1 } else { batch.min(playouts - played) };
            (0..batch).for_each(|_| sampler.play_once(generator));
            played += batch;
            if control.check().is_err() {
                break;
            }
            if last_report.elapsed() >= REPORT_INTERVAL {
                progress(&sampler.tally());
                last_report = Instant::now();
            }
        }
        sampler.tally()
    }

    /// What a tally says about the moves of a position; the move to play is the one numbered `chosen` among those
    /// with the highest total.
    fn verdict(&self, question: &Question, tally: &Tally, choose: impl FnOnce(usize) -> usize) -> Verdict {
        let results = tally.results();
        let score = Score::Estimate(results.mean());
        let mut moves: Vec<Cell> = question.position.moves().collect();
        // A stable sort: squares with equal totals stay in reading order.
        moves.sort_by(|&a, &b| tally.compare(b, a, self.weights));
        let ties = moves.iter().take_while(|&&cell| tally.compare(cell, moves[0], self.weights).is_eq()).count();
        moves[..=choose(ties)].rotate_right(1);
        let line = |cell| Line { score, principal_variation: vec![cell], total: Some(tally.total(cell, self.weights)) };
        let lines = moves.into_iter().take(question.lines).map(line).collect();
        Verdict { score, lines, depth: None, nodes: results.count(), playouts: Some(results) }
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

/// Plays games from one position and counts.
struct Sampler {
    board: PlayoutBoard,
    position: Position,
    /// Playouts so far, without the squares that were filled before the search: those get their share at the end.
    played: Tally,
    completer_wins: bool,
}

impl Sampler {
    fn new(position: &Position) -> Sampler {
        let rules = position.rules();
        Sampler {
            board: PlayoutBoard::new(position),
            position: *position,
            played: Tally::new(rules.size()),
            completer_wins: rules.value_after_line() == Value::Loss(0),
        }
    }

    fn play_once(&mut self, generator: &mut Generator) {
        let PlayoutEnd::Line { plies } = self.board.play_out(generator) else {
            self.played.results.draws += 1;
            return;
        };
        // The side to move plays the odd plies, so it completed the line after an odd number of them.
        let won = (plies % 2 == 1) == self.completer_wins;
        let games = if won { 1 } else { -1 };
        if won {
            self.played.results.wins += 1;
        } else {
            self.played.results.losses += 1;
        }
        self.played.credit_current(self.board.played(plies).step_by(2), games);
        self.played.credit_other(self.board.played(plies).skip(1).step_by(2), games);
    }

    /// The playouts so far with all squares of the final boards.
    fn tally(&self) -> Tally {
        let mut tally = self.played.clone();
        let games = tally.results.wins as i64 - tally.results.losses as i64;
        tally.credit_current(self.position.stones(self.position.side()).iter(), games);
        tally.credit_other(self.position.stones(!self.position.side()).iter(), games);
        tally
    }
}
