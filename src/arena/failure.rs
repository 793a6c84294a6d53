//! Why a match cannot begin, or ends early.

use thiserror::Error;

use crate::client::{Failure, StartError};
use crate::system::LineFileError;
use crate::text::on_one_line;

use super::openings::OpeningsError;
use super::record_file::RecordError;

/// Why a match ended early.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum MatchFailure {
    /// An engine cannot take part.
    #[error("engine {name} ({}) {error}", on_one_line(.command))]
    Start {
        /// The engine.
        name: String,
        /// Its command.
        command: String,
        /// Why it cannot.
        error: StartError,
    },
    /// An engine crashed or hung.
    #[error("engine {name} ({}) {failure}; --recover would start it again and play on", on_one_line(.command))]
    Broken {
        /// The engine.
        name: String,
        /// Its command.
        command: String,
        /// What it did.
        failure: Failure,
    },
    /// A game cannot be recorded.
    #[error("{0}; no game counts that is not recorded")]
    Record(LineFileError),
    /// There is no thread for a worker.
    #[error("cannot start a thread: {0}")]
    Thread(String),
    /// The user interrupted the match.
    #[error("the match was interrupted")]
    Interrupted,
    /// A worker of the match panicked.
    #[error("this program broke down, which is a fault of its own")]
    Panic,
}

/// Why a match cannot begin.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum MatchError {
    /// A problem with the openings.
    #[error(transparent)]
    Openings(#[from] OpeningsError),
    /// A problem with a record file.
    #[error(transparent)]
    Record(#[from] RecordError),
}
