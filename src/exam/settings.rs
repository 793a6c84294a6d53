//! The settings of an exam, and why it ends early.

use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;

use crate::client::EngineSetup;
use noughts_core::game::Rules;
use noughts_core::search::Limits;

/// The settings of an exam.
#[derive(Clone, Debug)]
pub struct ExamSettings {
    /// The engine.
    pub engine: Arc<EngineSetup>,
    /// The games, one after the other, each on a board of at most 16 cells.
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
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct ExamFailure(pub(super) String);

impl ExamFailure {
    /// The user interrupted the exam.
    pub(super) fn interrupted() -> ExamFailure {
        ExamFailure("the exam was interrupted".to_owned())
    }
}
