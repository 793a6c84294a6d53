//! A player of this engine.

use std::io;
use std::num::NonZeroU64;

use crate::engine::{Options, PlayerKind};
use noughts_core::game::{Player, Position};
use noughts_core::search::{Level, Limits};

use super::engine_thread::EngineThread;
use super::player_answer::AnswerHandler;
use super::settings::PlaySettings;

/// The most positions that a player visits for a move: a few seconds on a large board. So even a player without other
/// limits answers.
const NODES: u32 = 2_000_000;

/// The largest seed of the engine.
const MAX_SEED: u32 = i32::MAX as u32;

/// A player of this engine, which searches on a thread of its own.
pub struct BuiltinPlayer {
    pub(super) thread: EngineThread,
    kind: PlayerKind,
}

impl BuiltinPlayer {
    /// A player for one side. The two sides draw different random numbers from the same seed; seed 0 stands for a seed
    /// from the operating system.
    ///
    /// # Errors
    /// When the system has no thread left.
    pub fn start(kind: PlayerKind, side: Player, seed: u32, handler: AnswerHandler) -> io::Result<BuiltinPlayer> {
        let seed = match (seed, side) {
            (0, _) => rand::random(),
            (seed, Player::X) => seed.into(),
            (seed, Player::O) => (seed % MAX_SEED + 1).into(),
        };
        Ok(BuiltinPlayer { thread: EngineThread::start(seed, handler)?, kind })
    }

    /// Asks for a move; the answer has the same number.
    pub fn ask(&mut self, number: u64, position: Position, settings: &PlaySettings) {
        let options = Options {
            rules: position.rules(),
            player: self.kind,
            level: Level::new(settings.level),
            trials: Some(settings.trials),
            ..Options::default()
        };
        // Playouts count as nodes too: the bound on nodes leaves room for all of them.
        let (trials, nodes) = (count(settings.trials), count(settings.trials.max(NODES)));
        let limits = Limits { trials, nodes, ..Limits::default() };
        self.thread.ask(number, position, options, limits, 1);
    }
}

pub(super) fn count(number: u32) -> Option<NonZeroU64> {
    NonZeroU64::new(number.into())
}
