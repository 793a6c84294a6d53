//! The position that a start and a list of moves lead to.

use super::{Diagram, MoveError, MoveText, Position, Rules, SetUpError};

impl Position {
    /// The position after `moves` from a diagram, or from the start position without one.
    ///
    /// # Errors
    /// Says what is wrong with the diagram, or which move cannot be played and why.
    #[doc(hidden)]
    pub fn reach(rules: Rules, diagram: Option<&Diagram>, moves: &[MoveText]) -> Result<Position, ReachError> {
        let mut position = match diagram {
            None => Position::start(rules),
            Some(diagram) => Position::set_up(rules, diagram).map_err(ReachError::SetUp)?,
        };
        for (index, written) in moves.iter().enumerate() {
            let played = written.on_board(rules.shape()).and_then(|cell| position.play(cell));
            played.map_err(|error| ReachError::Move { number: index + 1, error })?;
        }
        Ok(position)
    }
}

/// The reason why a diagram and a list of moves lead to no position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReachError {
    /// The diagram is not a position.
    #[error("{0}")]
    SetUp(SetUpError),
    /// A move cannot be played.
    #[error("move {number}: {error}")]
    Move {
        /// The number of the move, from 1.
        number: usize,
        /// The error in it.
        error: MoveError,
    },
}
