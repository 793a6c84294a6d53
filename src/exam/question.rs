//! A question of an exam: a position, and what each of its moves is worth.

use crate::protocol::PositionCommand;
use noughts_core::game::{Cell, Position, Value};

/// A position in which the game goes on.
#[derive(Clone, PartialEq, Debug)]
pub struct ExamQuestion {
    /// The position.
    pub position: Position,
    /// Its value to the side to move.
    pub value: Value,
    /// The moves from the start position that lead here, the first such path in reading order.
    pub path: Vec<Cell>,
    /// The legal moves in reading order.
    pub choices: Vec<RatedMove>,
}

/// A legal move and its value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RatedMove {
    /// The move.
    pub cell: Cell,
    /// Its value to the side that plays it.
    pub value: Value,
}

impl ExamQuestion {
    /// The number of stones on the board.
    pub fn stones(&self) -> usize {
        self.path.len()
    }

    /// True if a move is one of the best, the number of plies to the end included.
    pub fn is_best(&self, choice: &RatedMove) -> bool {
        choice.value == self.value
    }

    /// True if a move gives away the result of perfect play.
    pub fn is_blunder(&self, choice: &RatedMove) -> bool {
        choice.value.result() < self.value.result()
    }

    /// True if some legal move gives away the result of perfect play.
    pub fn is_hard(&self) -> bool {
        self.choices.iter().any(|choice| self.is_blunder(choice))
    }

    /// The `position` line.
    pub fn line(&self) -> String {
        PositionCommand::after(&self.path).to_string()
    }
}
