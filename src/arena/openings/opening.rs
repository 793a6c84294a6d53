//! A position that games begin from, and why there is none.

use std::path::PathBuf;

use thiserror::Error;

use crate::protocol::PositionCommand;
use noughts_core::game::{Cell, Position};

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
        Opening { number, line: line_of(&PositionCommand::after(moves)), position, weight }
    }
}

/// The text behind the word `position`.
pub fn line_of(command: &PositionCommand) -> String {
    let line = command.to_string();
    line.strip_prefix("position ").map(str::to_owned).unwrap_or(line)
}

/// The most openings that a book holds.
pub const MAX_OPENINGS: usize = 1_000_000;

/// Why a book of openings cannot be made.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum OpeningsError {
    /// The file cannot be read.
    #[error("cannot read the openings in {}: {}", .0.display(), .1)]
    Read(PathBuf, String),
    /// A line of the file is not a position that games can begin from.
    #[error("{}: line {number}: {problem}", .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        number: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// There are more openings than a book holds.
    #[error("there are more than {MAX_OPENINGS} such openings")]
    TooMany,
    /// There is no opening after which the game goes on.
    #[error("there is no such opening that the game goes on from")]
    None,
    /// No opening was proven to be a draw within the limits of the proofs.
    #[error("there is no such opening that is proven to be a draw")]
    NoneProven,
}
