//! What every empty square is worth.

use std::collections::HashMap;
use std::fmt;

use crate::text::decimal;
use noughts_core::game::{Cell, Player, Score, Value};
use noughts_core::search::SearchResult;

use super::evaluation::Evaluation;

/// What a move is worth to the side that makes it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Hint {
    /// The value is proven; plies include this move.
    Proven(Value),
    /// A win or a loss is proven, but not in how many plies.
    Decided(Value),
    /// Its Monte Carlo score: the higher, the better.
    Total(f64),
}

/// `W3`, `D`, `L4`, `W` or `L` where the distance is not proven, or the score as a whole number.
impl fmt::Display for Hint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Hint::Proven(value) => write!(f, "{value}"),
            Hint::Decided(value) => f.write_str(if value.result() > 0 { "W" } else { "L" }),
            Hint::Total(total) => f.write_str(&decimal(total.round())),
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
        let proven = result.lines.iter().filter_map(|line| match line.score {
            Score::Exact(value) => Some((line.first_move(), Hint::Proven(value))),
            Score::Within(value) => Some((line.first_move(), Hint::Decided(value))),
            Score::Estimate(_) => None,
        });
        let moves: HashMap<Cell, Hint> = proven.collect();
        let is_decided = moves.len() == result.lines.len();
        Hints { moves, is_decided, evaluation: Evaluation::of_search(side, result) }
    }

    /// Whether the values of all moves are proven. The value of the position needs only one best move.
    pub fn is_decided(&self) -> bool {
        self.is_decided
    }

    /// Adds the Monte Carlo scores of the moves of which nothing is proven.
    pub fn and_totals(mut self, side: Player, result: &SearchResult) -> Hints {
        for line in &result.lines {
            if let Some(total) = line.total {
                self.moves.entry(line.first_move()).or_insert(Hint::Total(total));
            }
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

    /// The hints of all moves of which anything is known.
    pub fn all(&self) -> impl Iterator<Item = Hint> {
        self.moves.values().copied()
    }

    /// How good a move is among those that have Monte Carlo scores: from 0, the lowest, to 1, the highest.
    pub fn heat(&self, cell: Cell) -> Option<f64> {
        let total = |hint: &Hint| if let Hint::Total(total) = hint { Some(*total) } else { None };
        let own = self.moves.get(&cell).and_then(total)?;
        let all = || self.moves.values().filter_map(total);
        let (least, most) = (all().fold(own, f64::min), all().fold(own, f64::max));
        Some(if most > least { (own - least) / (most - least) } else { 1.0 })
    }
}
