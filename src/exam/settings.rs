//! The settings of an exam, and why it ends early.

use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;

use crate::client::{EngineSetup, Failure, StartError};
use noughts_core::game::Rules;
use noughts_core::search::Limits;

/// The settings of an exam.
#[derive(Clone, Debug)]
pub struct ExamSettings {
    /// The engine.
    pub engine: Arc<EngineSetup>,
    /// The games, one after the other, each on a board up to 4x4.
    pub rules: Vec<Rules>,
    /// The positions that are asked.
    pub selection: Selection,
    /// The limits of every `go`.
    pub limits: Limits,
    /// The number of times that each question is asked.
    pub repeat: u32,
    /// True if all moves that the engine shows as equally good share its answer.
    pub ties: bool,
    /// True if the report lists every fault.
    pub list: bool,
    /// The seed for the sample of positions. An engine that takes a seed and has none in its setup gets it, too.
    pub seed: u32,
    /// The time that an answer may take beyond the time limit of a move, if there is one.
    pub patience: Duration,
}

/// Which positions are asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Selection {
    /// Every position in which the game goes on.
    All,
    /// This many of them, drawn at random; all when there are no more.
    Sample(u64),
}

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
        /// The reason why it cannot.
        error: StartError,
    },
    /// The engine did not answer.
    #[error("engine {engine} {failure}; it was asked for a move of {rules} in {position}")]
    Broken {
        /// The engine: its name, and its command in brackets.
        engine: String,
        /// The failure of the engine.
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
