//! The state that the workers of a match share: the games to play, the results, whether the match is over, and why it
//! ended early.

use std::sync::{Mutex, MutexGuard, PoisonError};

use thiserror::Error;

use crate::client::{Failure, RunContext};
use crate::text::on_one_line;

use super::context::MatchContext;
use super::game::FinishedGame;
use super::record_file::GameSet;
use super::result_store::ResultStore;
use super::schedule::{Schedule, ScheduledGame};
use super::tally::MatchTally;

/// The shared state of a match that is being played.
pub struct MatchRun {
    pub context: MatchContext,
    pub run_context: RunContext,
    results: Mutex<ResultStore>,
    /// The games that are still to be played.
    games: Mutex<Box<dyn Iterator<Item = ScheduledGame> + Send>>,
    /// Set when no more games are played: the match is decided, or has failed.
    end: Mutex<Option<Result<(), MatchFailure>>>,
    /// Games that were played before the match was resumed.
    pub resumed: u64,
}

/// Why a match ended early.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum MatchFailure {
    /// An engine cannot take part.
    #[error("{0}")]
    Start(String),
    /// The match cannot go on, or the user interrupted it.
    #[error("{0}")]
    Run(String),
}

impl MatchRun {
    /// A match in which the games with the numbers in `played` are over.
    pub fn new(
        context: MatchContext,
        run_context: RunContext,
        results: ResultStore,
        schedule: &Schedule,
        played: GameSet,
    ) -> MatchRun {
        let games = schedule.games().filter(move |game| !played.contains(game.number));
        let resumed = results.tally.games();
        MatchRun {
            context,
            run_context,
            results: Mutex::new(results),
            games: Mutex::new(Box::new(games)),
            end: Mutex::new(None),
            resumed,
        }
    }

    /// The files and totals. They are whole even after a worker has panicked: games are entered one at a time.
    pub fn results(&self) -> MutexGuard<'_, ResultStore> {
        self.results.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn end(&self) -> MutexGuard<'_, Option<Result<(), MatchFailure>>> {
        self.end.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// True if no more games are to be played.
    pub fn is_over(&self) -> bool {
        self.end().is_some() || self.run_context.interrupt.is_set()
    }

    /// Ends the match. Only the first reason counts.
    fn stop(&self, reason: Result<(), MatchFailure>) {
        self.end().get_or_insert(reason);
        self.run_context.interrupt.trigger();
    }

    /// Ends the match because of a failure.
    pub fn fail(&self, failure: MatchFailure) {
        self.stop(Err(failure));
    }

    /// The reason why the match ended early, if it did.
    pub fn failure(&self) -> Option<MatchFailure> {
        let is_interrupted = || self.run_context.interrupt.is_set();
        match &*self.end() {
            Some(end) => end.clone().err(),
            None => is_interrupted().then(|| MatchFailure::Run("the match was interrupted".to_owned())),
        }
    }

    /// Ends the match before its first game if the games from before it was resumed decide it.
    pub fn stop_if_decided(&self) {
        let decided = self.results().is_decided();
        if decided {
            self.stop(Ok(()));
        }
    }

    /// The next game to play; none when all have been handed out.
    pub fn next_game(&self) -> Option<ScheduledGame> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner).next()
    }

    /// Enters the result of a game, and ends the match if it is now decided.
    pub fn enter(&self, game: &FinishedGame) {
        let mut results = self.results();
        // Games that end after the match was decided do not count: the game that decided it is the last.
        if self.end().is_some() {
            return;
        }
        self.context.warn_of_fault(&game.record);
        // The results stay locked until the match is stopped, so that no other game is entered in between.
        match results.enter(game) {
            Err(error) => {
                self.fail(MatchFailure::Run(format!("{error}; no game counts that is not recorded")));
            }
            Ok(()) if results.is_decided() => self.stop(Ok(())),
            Ok(()) => {}
        }
    }

    /// Handles an engine that cannot be used again: it is started again later, or the match ends.
    pub fn handle_broken(&self, engine: usize, failure: Failure) {
        let setup = &self.context.settings.engines[engine];
        if self.context.settings.recover {
            self.context.warn(format!("{} {failure}; it is started again", setup.name));
        } else {
            let engine = on_one_line(&setup.name_and_command());
            let problem = format!("engine {engine} {failure}; --recover would start it again and play on");
            self.fail(MatchFailure::Run(problem));
        }
    }

    /// The context and the totals after the last game.
    pub fn into_parts(self) -> (MatchContext, MatchTally) {
        let results = self.results.into_inner().unwrap_or_else(PoisonError::into_inner);
        (self.context, results.tally)
    }
}
