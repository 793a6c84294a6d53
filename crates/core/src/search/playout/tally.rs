//! The counts of playouts: how they ended, and the scores of the squares.

use std::cmp::Ordering;

use crate::game::{Cell, Outcome, Player, Position, Shape};

use crate::search::PlayoutResults;

/// The points for the squares of a decided game: finite numbers from 0 up.
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
    /// A factor for totals that are compared, so that they stay finite under the largest weights. It is a power of two,
    /// which changes no rounding.
    fn scale(self) -> f64 {
        /// 2^500, by its exponent.
        const HUGE: f64 = f64::from_bits((1023 + 500) << (f64::MANTISSA_DIGITS - 1));
        if self.current.max(self.other) > HUGE { HUGE.recip() } else { 1.0 }
    }
}

/// The counts of a number of playouts: how they ended, and what counts for each square.
///
/// All counts are whole numbers, so the order of the playouts cannot change a total.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tally {
    shape: Shape,
    squares: Vec<Square>,
    results: PlayoutResults,
}

/// The counts of decided playouts for one square.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Square {
    /// Games won minus games lost with a stone of the side to move here.
    current: i64,
    /// Games lost minus games won with a stone of its opponent here.
    other: i64,
}

impl Tally {
    /// The tally of no playouts, on a board.
    #[doc(hidden)]
    pub fn new(shape: impl Into<Shape>) -> Tally {
        let shape = shape.into();
        Tally { shape, squares: vec![Square::default(); shape.cells()], results: PlayoutResults::default() }
    }

    /// Adds one finished game, seen by `player`.
    ///
    /// # Panics
    /// When the game is not over.
    #[doc(hidden)]
    pub fn add(&mut self, finished: &Position, player: Player) {
        let outcome = finished.outcome().expect("only a finished game can be scored");
        match outcome {
            Outcome::Draw => self.add_draws(1),
            Outcome::Win(winner) => {
                self.add_decided(winner == player, finished.stones(player).iter(), finished.stones(!player).iter());
            }
        }
    }

    /// Adds games that ended in a draw.
    pub(crate) fn add_draws(&mut self, games: u64) {
        self.results.draws += games;
    }

    /// Adds a decided game, seen by the side to move: whether it has won, its stones, and those of its opponent.
    pub(crate) fn add_decided(
        &mut self,
        won: bool,
        current: impl Iterator<Item = Cell>,
        other: impl Iterator<Item = Cell>,
    ) {
        let games = if won { 1 } else { -1 };
        if won {
            self.results.wins += 1;
        } else {
            self.results.losses += 1;
        }
        self.credit_current(current, games);
        self.credit_other(other, games);
    }

    /// Adds many games: how they ended, and the credits of squares. The first credit is the games won minus the games lost
    /// with a stone of the side to move on the square. The second is the games lost minus the games won with a stone of its
    /// opponent.
    pub(crate) fn add_many(&mut self, results: PlayoutResults, credits: impl Iterator<Item = (Cell, i64, i64)>) {
        self.results += results;
        for (cell, current, other) in credits {
            let square = &mut self.squares[cell.index(self.shape)];
            square.current += current;
            square.other += other;
        }
    }

    /// Adds the games of another tally of the same board.
    pub(crate) fn add_tally(&mut self, other: &Tally) {
        let credits =
            Cell::all(self.shape).zip(&other.squares).map(|(cell, square)| (cell, square.current, square.other));
        self.add_many(other.results, credits);
    }

    /// Adds playouts that were counted from the opponent's point of view.
    pub(crate) fn add_seen_by_other(&mut self, tally: &Tally) {
        self.results += tally.results.turned();
        for (square, seen) in self.squares.iter_mut().zip(&tally.squares) {
            square.current += seen.other;
            square.other += seen.current;
        }
    }

    /// Multiplies all counts.
    pub(crate) fn repeat(&mut self, times: u64) {
        let PlayoutResults { wins, draws, losses } = &mut self.results;
        [wins, draws, losses].into_iter().for_each(|count| *count *= times);
        for Square { current, other } in &mut self.squares {
            *current *= times as i64;
            *other *= times as i64;
        }
    }

    /// Credits the squares that were filled before the playouts. They are the same in all decided games.
    pub(crate) fn add_stones_of(&mut self, position: &Position) {
        let games = self.results.wins as i64 - self.results.losses as i64;
        self.credit_current(position.stones(position.side()).iter(), games);
        self.credit_other(position.stones(!position.side()).iter(), games);
    }

    /// Counts games won minus games lost in which the side to move had stones on `cells`.
    fn credit_current(&mut self, cells: impl Iterator<Item = Cell>, games: i64) {
        cells.for_each(|cell| self.squares[cell.index(self.shape)].current += games);
    }

    /// Counts games won minus games lost in which the opponent had stones on `cells`.
    fn credit_other(&mut self, cells: impl Iterator<Item = Cell>, games: i64) {
        cells.for_each(|cell| self.squares[cell.index(self.shape)].other -= games);
    }

    /// The results of the playouts for the side to move.
    pub fn results(&self) -> PlayoutResults {
        self.results
    }

    /// The score of a square, clamped to the range of `f64`.
    pub fn total(&self, cell: Cell, weights: Weights) -> f64 {
        (self.scaled_total(cell, weights) / weights.scale()).clamp(f64::MIN, f64::MAX)
    }

    /// The score of a square per playout, clamped to the range of `f64`; 0 without a playout.
    pub(crate) fn mean_total(&self, cell: Cell, weights: Weights) -> f64 {
        let playouts = self.results.count().max(1) as f64;
        (self.scaled_total(cell, weights) / playouts / weights.scale()).clamp(f64::MIN, f64::MAX)
    }

    /// Compares the scores of two squares.
    pub(crate) fn compare(&self, one: Cell, two: Cell, weights: Weights) -> Ordering {
        self.scaled_total(one, weights).total_cmp(&self.scaled_total(two, weights))
    }

    fn scaled_total(&self, cell: Cell, weights: Weights) -> f64 {
        let square = self.squares[cell.index(self.shape)];
        let points = |games: i64, weight: f64| games as f64 * (weight * weights.scale());
        // Adding 0 turns a negative zero, which would compare as less, into a positive one.
        points(square.current, weights.current) + points(square.other, weights.other) + 0.0
    }
}
