//! A player of this engine.

use std::io;
use std::num::NonZeroU64;

use crate::engine::{GoRequest, Options, PlayerKind};
use noughts_core::game::{Player, Position};
use noughts_core::search::{Level, Limits, SearchResult, Stream, generator};

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
    thread: EngineThread,
    kind: PlayerKind,
    /// The seed of its random numbers.
    seed: u64,
    /// Searches so far: each takes the next stream of random numbers.
    searches: u64,
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
        Ok(BuiltinPlayer { thread: EngineThread::start(handler)?, kind, seed, searches: 0 })
    }

    /// Asks for a move; the answer has the same number.
    pub fn ask(&mut self, number: u64, position: Position, settings: &PlaySettings) {
        self.searches += 1;
        let options = Options {
            rules: position.rules(),
            player: self.kind,
            level: Level::new(settings.level),
            trials: settings.trials,
            ..Options::default()
        };
        // Playouts count as nodes too: the bound on nodes leaves room for all of them.
        let (trials, nodes) = (count(settings.trials), count(settings.trials.max(NODES)));
        let limits = Limits { trials, nodes, ..Limits::default() };
        let generator = generator(self.seed, Stream::Go(self.searches));
        self.thread.ask(number, GoRequest::new(position, options, limits, generator));
    }

    /// What the search with this number has found so far.
    pub fn progress(&self, number: u64) -> Option<SearchResult> {
        self.thread.progress(number)
    }

    /// Ends the latest search.
    pub fn stop(&self) {
        self.thread.stop();
    }
}

pub(super) fn count(number: u32) -> Option<NonZeroU64> {
    NonZeroU64::new(number.into())
}
