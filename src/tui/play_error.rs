//! Why the board does not do what a person asked for.

use std::io;

use noughts_core::game::{MoveError, Player, RulesError};
use thiserror::Error;

/// Why the board does not do what a person asked for. Each is a sentence without its full stop.
#[derive(Error, Debug)]
pub enum PlayError {
    /// The move cannot be played.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// The text has none of the forms of a move.
    #[error("a move is written as row,column such as 0,2, or as b2")]
    NoMove,
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// A computer player, the name of which is given, is to move.
    #[error("it is the turn of {0}, which {1} plays")]
    NotYourTurn(Player, String),
    /// There is no move to take back.
    #[error("there is no move to take back")]
    NothingToUndo,
    /// No move has been taken back.
    #[error("no move has been taken back")]
    NothingToRedo,
    /// The person has made no move yet.
    #[error("you have made no move yet")]
    NothingToExplain,
    /// There is no player of this name. The names that there are follow.
    #[error("there is no player \"{}\"; there are {}", .0.escape_debug(), .1)]
    NoPlayer(String, String),
    /// The number is out of the range of this option.
    #[error("{0} is a whole number from {1} to {2}")]
    OutOfRange(&'static str, u32, u32),
    /// The value of `reverse` is not on or off.
    #[error("reverse is on or off")]
    Reverse,
    /// There are no such rules.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// The system has no thread, process or pipe left.
    #[error("the program cannot play: {0}")]
    System(#[from] io::Error),
    /// A search has panicked.
    #[error("the search failed")]
    Search,
}
