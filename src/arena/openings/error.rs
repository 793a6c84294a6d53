//! Why a book of openings cannot be made.

use std::path::PathBuf;

use thiserror::Error;

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
