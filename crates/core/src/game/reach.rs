//! The position that a start and a list of moves lead to.

use std::fmt;

use super::{Diagram, MoveError, MoveText, Position, Rules, SetUpError};

impl Position {
    /// The position after `moves` from a diagram, or from the start position without one.
    ///
    /// # Errors
    /// Says what is wrong with the diagram, or which of the moves cannot be played.
    pub fn reach(rules: Rules, diagram: Option<&Diagram>, moves: &[MoveText]) -> Result<Position, ReachError> {
        let mut position = match diagram {
            None => Position::start(rules),
            Some(diagram) => Position::set_up(rules, diagram).map_err(ReachError::SetUp)?,
        };
        for (index, written) in moves.iter().enumerate() {
            let played = written.on_board(rules.size()).and_then(|cell| position.play(cell));
            played.map_err(|error| ReachError::Move { number: index + 1, error })?;
        }
        Ok(position)
    }
}

/// Why there is no such position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReachError {
    /// The diagram is not a position.
    SetUp(SetUpError),
    /// A move cannot be played.
    Move {
        /// Which of the moves, from 1.
        number: usize,
        /// What is wrong with it.
        error: MoveError,
    },
}

impl fmt::Display for ReachError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReachError::SetUp(error) => write!(f, "{error}"),
            ReachError::Move { number, error } => write!(f, "move {number}: {error}"),
        }
    }
}

impl std::error::Error for ReachError {}
