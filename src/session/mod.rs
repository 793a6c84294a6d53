//! The session: lines in, lines out, one search at a time.
//!
//! A [`Conversation`] is a state machine. It has no input, no output, no thread and no clock of its own, so the same code
//! serves standard input, a browser and a test in memory. Its driver hands in lines, the time, and what searches find; it
//! takes bytes away.
//!
//! | file | what it holds |
//! |---|---|
//! | `conversation.rs` | the lines of a client, its protocol and its session: what moves everything on |
//! | `inbox.rs` | owner of the lines that wait, and of what is counted for `stop`, `ponderhit`, `isready` and `quit` |
//! | `session.rs` | a session: commands in, replies out |
//! | `game.rs` | owner of the options, the position and the random numbers |
//! | `running_search.rs` | owner of the engine and of the search that is under way |
//! | `commands.rs` | what the commands do |
//! | `searches.rs` | how a search begins, and how it is answered |
//! | `search_job.rs` | a search as it is handed out, and what comes back |
//! | `replies.rs` | results as replies |
//! | `trace.rs` | the lines of a trace |
//! | `limits.rs` | what a client may ask for at most |
//! | `debug_log.rs` | every line in and out, written down |
//!
//! The native drivers: `search_thread.rs` runs searches, `stdio.rs` a conversation on standard input and output.
//!
//! The way of a line: the protocol of the client acts at once on `stop`, `ponderhit`, `isready` and `quit`. Every other
//! line has its turn in the order of arrival, when no search is under way; until then it waits in the inbox. Then the
//! protocol turns it into commands, and the session carries them out. `go`, `eval`, `explain` and `trace` hand out a
//! [`SearchJob`], which holds the engine until the search is over. A driver works in rounds of about a millisecond, so that
//! no pile of lines can keep it from seeing a `stop`.

mod commands;
mod conversation;
mod debug_log;
mod game;
mod inbox;
mod limits;
mod replies;
mod running_search;
mod search_job;
#[cfg(not(target_family = "wasm"))]
mod search_thread;
mod searches;
#[allow(clippy::module_inception)]
mod session;
#[cfg(not(target_family = "wasm"))]
pub mod stdio;
#[cfg(test)]
mod tests;
mod trace;

pub use conversation::Conversation;
pub use game::Game;
pub use inbox::SessionPhase;
pub use limits::SessionLimits;
pub use replies::answer;
pub use search_job::{FinishedSearch, SearchEvent, SearchExecutor, SearchJob, panic_message};
#[cfg(not(target_family = "wasm"))]
pub use search_thread::{SearchThread, start_job_thread};
pub use session::Session;
