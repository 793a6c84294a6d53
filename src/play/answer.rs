//! What comes back from whoever was asked for a move.

use std::sync::Arc;

use crate::game::MoveText;
use crate::protocol::{Info, Reply};

/// Where answers are handed in, from any thread.
pub type Post = Arc<dyn Fn(Answer) + Send + Sync>;

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
