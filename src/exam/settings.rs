//! The settings of an exam, and why it ends early.

use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;

use crate::client::EngineSetup;
use noughts_core::game::{Rules, Shape};
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

/// Options that choose the game, which the exam sets itself.
const RULE_OPTIONS: [&str; 4] = ["size", "columns", "connect", "reverse"];

/// The most cells of a board on which an exam asks every position by default.
const ALL_UP_TO: usize = 9;

impl ExamSettings {
    /// The most cells of a board of which every position is known.
    pub const MOST_CELLS: usize = 16;

    /// Checks that the engine can take the exam.
    ///
    /// # Errors
    /// The reason as a sentence.
    pub fn check(&self) -> Result<(), String> {
        let engine = &self.engine;
        if let Some(name) = RULE_OPTIONS.into_iter().find(|name| engine.sets(name)) {
            return Err(format!(
                "an exam sets option.{name} itself; choose the game with --rules, --size and --connect"
            ));
        }
        if let Some(reason) = engine.protocol.facts().no_small_boards {
            let most = ExamSettings::MOST_CELLS;
            return Err(format!("an exam asks about boards of at most {most} cells, and {reason}"));
        }
        if engine.restart {
            return Err("an exam has no games between which an engine could restart".to_owned());
        }
        engine.check_limits(&self.limits, "--movetime, --nodes or --trials")
    }
}

impl Selection {
    /// The positions that an exam of a board asks by default: all of a small one, 2,000 of a larger one.
    pub fn of_board(shape: Shape) -> Selection {
        if shape.cells() <= ALL_UP_TO { Selection::All } else { Selection::Sample(2000) }
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
