//! What every empty square is worth.

use std::collections::HashMap;
use std::fmt;

use noughts_core::game::{Cell, Player, Score, Value};
use noughts_core::search::{SearchResult, Variation};

use super::evaluation::Evaluation;

/// What a move is worth to the side that makes it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Hint {
    /// The value is proven; plies include this move.
    Proven(Value),
    /// A win or a loss is proven, but not in how many plies.
    Decided(Value),
    /// The value that a tree search expects: from 0, lost, to 1, won.
    Expected(f64),
}

/// The least moves that a tree search must have looked ahead from a move, the move itself counted, for its value to mean
/// anything.
const LEAST_VARIATION: usize = 3;

/// `W3`, `D`, `L4`, `W` or `L` where the distance is not proven, or the expected value in percent.
impl fmt::Display for Hint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Hint::Proven(value) => write!(f, "{value}"),
            Hint::Decided(value) => f.write_str(if value.result() > 0 { "W" } else { "L" }),
            Hint::Expected(value) => write!(f, "{:.0}", 100.0 * value),
        }
    }
}

/// What is known of the moves of a position.
#[derive(Clone, PartialEq, Debug)]
pub struct Hints {
    moves: HashMap<Cell, Hint>,
    /// Whether the values of all moves are proven.
    is_decided: bool,
    /// What is known of the position as a whole.
    pub evaluation: Evaluation,
}

impl Hints {
    /// What a proof that judged every move has proven.
    pub fn proven(side: Player, result: &SearchResult) -> Hints {
        let moves: HashMap<Cell, Hint> = result.lines.iter().filter_map(proven).collect();
        let is_decided = moves.len() == result.lines.len();
        Hints { moves, is_decided, evaluation: Evaluation::of_search(side, result) }
    }

    /// Whether the values of all moves are proven. The value of the position needs only one best move.
    pub fn is_decided(&self) -> bool {
        self.is_decided
    }

    /// Adds what a tree search expects of the moves of which nothing is proven. A move that it has hardly visited has no
    /// hint.
    pub fn and_expected(mut self, side: Player, result: &SearchResult) -> Hints {
        let is_known = |line: &&Variation| line.principal_variation.len() >= LEAST_VARIATION;
        let expected =
            |line: &Variation| (line.first_move(), Hint::Expected((line.score.expected_result() + 1.0) / 2.0));
        let by_tree = result.lines.iter().filter(is_known).map(expected);
        for (cell, hint) in result.lines.iter().filter_map(proven).chain(by_tree) {
            self.moves.entry(cell).or_insert(hint);
        }
        if !self.evaluation.is_proven() {
            self.evaluation = Evaluation::of_search(side, result);
        }
        self
    }

    /// What a move is worth, if anything is known of it.
    pub fn of(&self, cell: Cell) -> Option<Hint> {
        self.moves.get(&cell).copied()
    }

    /// What the hints mean, in words.
    pub fn legend(&self) -> &'static str {
        let is_number = |hint: &Hint| matches!(hint, Hint::Expected(_));
        let (numbers, proven) = (self.moves.values().any(is_number), self.moves.values().any(|hint| !is_number(hint)));
        match (proven, numbers) {
            (true, false) => "W: wins, L: loses, in so many moves of both sides; D: draws",
            (true, true) => "W wins, L loses, D draws; numbers: expected result, 0 lost, 100 won",
            (false, true) => "Numbers: the expected result in percent, 0 lost, 100 won",
            (false, false) => "No move is known well enough",
        }
    }

    /// How good a move is among those that have no proven value: from 0, the worst, to 1, the best.
    pub fn heat(&self, cell: Cell) -> Option<f64> {
        let value = |hint: &Hint| if let Hint::Expected(value) = hint { Some(*value) } else { None };
        let own = self.moves.get(&cell).and_then(value)?;
        let all = || self.moves.values().filter_map(value);
        let (least, most) = (all().fold(own, f64::min), all().fold(own, f64::max));
        Some(if most > least { (own - least) / (most - least) } else { 1.0 })
    }
}

/// What is proven of the move that a line begins with.
fn proven(line: &Variation) -> Option<(Cell, Hint)> {
    match line.score {
        Score::Exact(value) => Some((line.first_move(), Hint::Proven(value))),
        Score::Within(value) => Some((line.first_move(), Hint::Decided(value))),
        Score::Estimate(_) => None,
    }
}
