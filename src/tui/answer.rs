//! What comes back from whoever was asked for a move.

use std::sync::{Arc, Mutex, PoisonError};

use crate::protocol::{Info, Reply};
use noughts_core::game::MoveText;

/// Where answers are handed in, from any thread.
pub type Post = Arc<dyn Fn(Answer) + Send + Sync>;

/// Numbers for questions, each of which is given once.
#[derive(Default, Debug)]
pub struct Tickets(u64);

impl Tickets {
    /// The next one.
    pub fn next(&mut self) -> u64 {
        self.0 += 1;
        self.0
    }
}

/// The answer to a question that had this number.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// Which question is answered.
    pub ticket: u64,
    /// What was said, or a sentence about why there is no answer.
    pub said: Result<Said, String>,
}

/// What was said in answer to a `go`.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Said {
    /// The move.
    pub best: Option<MoveText>,
    /// What was said of the position as a whole.
    pub summary: Info,
    /// What was said of single moves, the best first.
    pub lines: Vec<Info>,
}

impl Said {
    /// Takes a reply in; whether it was the last of the answer.
    pub fn hear(&mut self, reply: Reply) -> bool {
        match reply {
            Reply::Info(info) if info.multipv == Some(1) => self.lines = vec![info],
            Reply::Info(info) if info.multipv.is_some() => self.lines.push(info),
            Reply::Info(info) => self.summary = info,
            Reply::BestMove(best) => {
                self.best = best;
                return true;
            }
            _ => {}
        }
        false
    }
}

/// What a player says while it thinks. Only the last line is kept, for whoever looks: however much is said, and however
/// often somebody looks, nobody waits for the other.
#[derive(Clone, Default)]
pub struct Aloud(Arc<Mutex<Option<(u64, String)>>>);

impl Aloud {
    /// Keeps a line that was said about the question of this number, if it says what the position is worth or what is
    /// expected. It is read only when somebody looks.
    pub fn say(&self, ticket: u64, line: &str) {
        let tells = [" value ", " score ", " pv "].iter().any(|key| line.contains(key));
        let is_best = !line.contains(" multipv ") || line.contains(" multipv 1 ");
        if tells && is_best && !line.starts_with("info string") {
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((ticket, line.to_owned()));
        }
    }

    /// What was said last about the question of this number.
    pub fn heard(&self, ticket: u64) -> Option<Info> {
        let said = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let (_, line) = said.filter(|(about, _)| *about == ticket)?;
        match line.parse() {
            Ok(Reply::Info(info)) => Some(info),
            _ => None,
        }
    }
}
