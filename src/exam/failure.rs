//! Why an exam ends early.

use thiserror::Error;

use crate::client::{Failure, StartError};
use noughts_core::game::Rules;

/// Why an exam ended early, or could not begin.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum ExamFailure {
    /// The values of this game are not known, or may take too long to prove.
    #[error("there is no exam of {0}: only boards up to 4x4 are known position by position")]
    Unsolved(Rules),
    /// The engine cannot take part.
    #[error("engine {engine} {error}")]
    Start {
        /// The engine: its name, and its command in brackets.
        engine: String,
        /// Why it cannot.
        error: StartError,
    },
    /// The engine did not answer.
    #[error("engine {engine} {failure}; it was asked for a move of {rules} in {position}")]
    Broken {
        /// The engine: its name, and its command in brackets.
        engine: String,
        /// What it did instead.
        failure: Failure,
        /// The game.
        rules: Rules,
        /// The `position` line of the question.
        position: String,
    },
    /// The user interrupted the exam.
    #[error("the exam was interrupted")]
    Interrupted,
}
