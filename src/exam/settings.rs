//! The settings of an exam.

use std::sync::Arc;
use std::time::Duration;

use crate::client::EngineSetup;
use noughts_core::game::Rules;
use noughts_core::search::Limits;

/// The settings of an exam.
#[derive(Clone, Debug)]
pub struct ExamSettings {
    /// The engine.
    pub engine: Arc<EngineSetup>,
    /// The games, one after the other, each on a board up to 4x4.
    pub rules: Vec<Rules>,
    /// Which positions are asked.
    pub selection: Selection,
    /// The limits of every `go`.
    pub limits: Limits,
    /// How often each question is asked.
    pub repeat: u32,
    /// Whether all moves that the engine shows as equally good share its answer.
    pub ties: bool,
    /// Whether the report lists every fault.
    pub list: bool,
    /// The seed for the sample of positions. An engine that takes a seed and has none in its setup gets it, too.
    pub seed: u32,
    /// How long an answer may take beyond the time limit of a move, if there is one.
    pub patience: Duration,
}

impl ExamSettings {
    /// The engine as messages name it: its name, and its command in brackets.
    pub fn engine_and_command(&self) -> String {
        format!("{} ({})", self.engine.name, self.engine.command)
    }
}

/// Which positions are asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Selection {
    /// Every position in which the game goes on.
    All,
    /// This many of them, drawn at random; all when there are no more.
    Sample(u64),
}
