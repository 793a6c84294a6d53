//! What a computer player answers when it is asked for a move.

use std::sync::{Arc, Mutex, PoisonError};

use noughts_core::game::MoveText;
use noughts_core::search::SearchResult;
use thiserror::Error;

use crate::client::ProgramError;

use super::evaluation::Evaluation;

/// Takes the answers of computer players, from any thread.
pub type AnswerHandler = Arc<dyn Fn(PlayerAnswer) + Send + Sync>;

/// Numbers for requests, each of which is given once.
#[derive(Default, Debug)]
pub struct RequestNumbers(u64);

impl RequestNumbers {
    /// The next number.
    pub fn next(&mut self) -> u64 {
        self.0 += 1;
        self.0
    }
}

/// The answer to one request.
#[derive(Debug)]
pub struct PlayerAnswer {
    /// The number of the request.
    pub request: u64,
    /// The answer, or why there is none.
    pub result: Result<PlayerReply, PlayerError>,
}

/// What a computer player says.
#[derive(Debug)]
pub enum PlayerReply {
    /// A search of this engine has ended.
    Searched(Box<SearchResult>),
    /// Another program has chosen a move, and said this of the position.
    Moved(MoveText, Evaluation),
}

/// Why a computer player gives no answer. Each is a sentence that follows the player's name, without its full stop.
#[derive(Error, Debug)]
pub enum PlayerError {
    /// A search of this engine has panicked.
    #[error("failed in its search")]
    Search,
    /// Another program gives no move.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// The system has no pipe left for another program.
    #[error("there is no pipe to be had: {0}")]
    Pipe(std::io::Error),
}

/// The latest progress of a player that thinks, shared by the player's thread and the board. Neither ever waits for the
/// other, however much is said and however often it is read.
pub struct LatestProgress<T>(Arc<Mutex<Option<(u64, T)>>>);

impl<T: Clone> LatestProgress<T> {
    /// Keeps the progress of the request with this number, in place of what was there.
    pub fn set(&self, request: u64, progress: T) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((request, progress));
    }

    /// The latest progress of the request with this number.
    pub fn get(&self, request: u64) -> Option<T> {
        let latest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        latest.as_ref().filter(|(of, _)| *of == request).map(|(_, progress)| progress.clone())
    }
}

impl<T> Default for LatestProgress<T> {
    fn default() -> LatestProgress<T> {
        LatestProgress(Arc::default())
    }
}

impl<T> Clone for LatestProgress<T> {
    fn clone(&self) -> LatestProgress<T> {
        LatestProgress(Arc::clone(&self.0))
    }
}
