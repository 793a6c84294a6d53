//! The line protocol: text to commands and replies, and back.
//!
//! This floor knows what can be said, not what is true: it has no position and no options to hold a line
//! against. Every [`Command`] and every [`Reply`] reads back what it prints, so that an engine and its client
//! share one grammar. The contract for other programs is `protocol.md`.

pub mod adapters;
mod command;
mod engine_reply;
mod go_command;
mod grammar;
mod info;
mod line_reader;
mod query;
mod reply;

use nom::Parser;

use noughts_core::game::Diagram;

pub use command::{Command, Handshake, ParseError, PositionCommand};
pub use engine_reply::EngineReply;
pub use go_command::GoCommand;
pub use info::{Info, UciScore};
pub use line_reader::{Line, LineReader, MAX_LINE};
pub use query::{Query, QueryAnswer};
pub use reply::{OptionType, Reply};

/// Reads a FEN as programs for chess variants write it, such as `3/1P1/3[PPPPpppp] b - - 0 1`; `None` when it is none.
pub fn fen(text: &str) -> Option<Diagram> {
    nom::combinator::all_consuming(grammar::fen).parse(text).ok().map(|(_, diagram)| diagram)
}
