//! The line protocol: text to commands and replies, and back.
//!
//! This module knows what can be said, not what is true: it has no position and no values of options to check a
//! line against. Of the options it knows the names, because a name may have several words.
//! Every [`Command`] and every [`Reply`] reads back what it prints, so that an engine and its client share one grammar.
//! The contract for other programs is `protocol.md`.
//!
//! | file | content |
//! |---|---|
//! | `input_line.rs` | bytes to lines |
//! | `grammar.rs` | the words of the grammar, as parsers |
//! | `command.rs`, `go_command.rs`, `trace_command.rs`, `query.rs` | the messages of a client; answers to queries |
//! | `option_names.rs` | the options by the names that clients write |
//! | `reply.rs`, `info.rs`, `trace_line.rs` | the messages of the engine |
//! | `engine_reply.rs` | the meaning of a line of an engine for its client |
//! | `adapters/` | foreign protocols |

pub mod adapters;
mod command;
mod engine_reply;
mod go_command;
mod grammar;
mod info;
mod input_line;
mod option_names;
mod query;
mod reply;
mod trace_command;
mod trace_line;

use nom::Parser;

use noughts_core::game::Diagram;

pub use command::{Command, Handshake, ParseError, PositionCommand};
pub use engine_reply::EngineReply;
pub use go_command::GoCommand;
pub use info::{Info, ScoreBound, UciScore};
pub use input_line::{InputLine, LineReader};
pub use query::{Query, QueryAnswer};
pub use reply::{Analysis, Reply};
pub use trace_command::TraceCommand;
pub use trace_line::{end_line, event_line, total_line};

/// The longest line that is read, in bytes without its end.
pub const MAX_LINE: usize = 64 * 1024;

/// Reads a FEN as programs for chess variants write it, such as `3/1P1/3[PPPPpppp] b - - 0 1`; `None` if the text is
/// none.
pub fn fen(text: &str) -> Option<Diagram> {
    nom::combinator::all_consuming(grammar::fen).parse(text).ok().map(|(_, diagram)| diagram)
}
