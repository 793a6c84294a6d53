//! The answer of a computer player that is asked for a move.

use std::sync::{Arc, Mutex, PoisonError};

use noughts_core::game::MoveText;
use noughts_core::search::SearchResult;

use super::evaluation::Evaluation;

/// Takes the answers of computer players, from any thread.
pub type AnswerHandler = Arc<dyn Fn(PlayerAnswer) + Send + Sync>;

/// The answer to one request.
#[derive(Debug)]
pub struct PlayerAnswer {
    /// The number of the request.
    pub request: u64,
    /// The answer, or why there is none: a sentence that follows the player's name, without its full stop.
    pub result: Result<PlayerReply, String>,
}

/// A message of a computer player.
#[derive(Debug)]
pub enum PlayerReply {
    /// A search of this engine has ended.
    Searched(Box<SearchResult>),
    /// Another program has chosen a move, and sent this about the position.
    Moved(MoveText, Evaluation),
}

/// The last evaluation of the position by a player that thinks, shared by the player's thread and the board. Neither
/// ever waits for the other, however much is said and however often it is read.
#[derive(Clone, Default)]
pub struct LatestProgress(Arc<Mutex<Option<(u64, Evaluation)>>>);

impl LatestProgress {
    /// Keeps the progress of the request with this number, in place of what was there.
    pub fn set(&self, request: u64, said: Evaluation) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((request, said));
    }

    /// The latest progress of the request with this number.
    pub fn get(&self, request: u64) -> Option<Evaluation> {
        let latest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        latest.as_ref().filter(|(of, _)| *of == request).map(|(_, said)| said.clone())
    }
}
