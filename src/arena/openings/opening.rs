//! A position that games begin from.

use crate::protocol::PositionCommand;
use noughts_core::game::{Cell, MoveText, Position};

/// A position that games begin from.
#[derive(Clone, PartialEq, Debug)]
pub struct Opening {
    /// Its number in the book; for random openings, the round for which it was drawn.
    pub number: u64,
    /// The text behind the word `position` in the protocol, without moves of the game.
    pub line: String,
    /// The position.
    pub position: Position,
    /// The number of openings that it stands for.
    pub weight: f64,
}

impl Opening {
    /// The opening that moves from the start position lead to.
    pub fn after_moves(position: Position, moves: &[Cell], number: u64, weight: f64) -> Opening {
        let moves = moves.iter().map(|&cell| MoveText::from(cell)).collect();
        let command = PositionCommand { diagram: None, moves };
        Opening { number, line: line_of(&command), position, weight }
    }
}

/// The text behind the word `position`.
pub fn line_of(command: &PositionCommand) -> String {
    let line = command.to_string();
    line.strip_prefix("position ").map(str::to_owned).unwrap_or(line)
}
