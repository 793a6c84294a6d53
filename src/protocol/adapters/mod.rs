//! Adapters: foreign protocols, turned into ours and back.
//!
//! An adapter works on one of two sides.
//!
//! - A [`ForeignClient`] speaks a foreign protocol to this program, which is the engine: a graphical interface, say. Its
//!   adapter stands between that client and a session.
//! - A [`ForeignEngine`] speaks a foreign protocol, and this program is its client. Its adapter stands between the client
//!   of this program and that engine.
//!
//! | part | protocol | foreign clients | foreign engines |
//! |---|---|---|---|
//! | `gomocup/` | the protocol of the Gomocup tournaments, also called Piskvork's | yes | yes |
//! | `uci.rs` | UCI as programs for chess variants speak it | our own protocol contains it | yes |
//! | `xboard/` | the Chess Engine Communication Protocol, version 2, of XBoard and WinBoard | yes | no |
//!
//! In each folder, `foreign_client` and `foreign_engine` hold the adapters for these two. The files of this folder with the
//! same names hold what all protocols have in common on a side.

mod foreign_client;
mod foreign_engine;
pub mod gomocup;
mod pending_queries;
#[cfg(test)]
mod tests;
mod uci;
mod xboard;

use super::InputLine;

pub use foreign_client::{AdapterOutput, ForeignClient};
pub use foreign_engine::{EngineProtocol, ForeignEngine, UnknownProtocol};
pub use gomocup::Confirmation;

/// The adapter for a client whose first line this is; `None` if the line belongs to our own protocol.
pub fn adapter_for(line: &InputLine) -> Option<Box<dyn ForeignClient + Send>> {
    let InputLine::Text(text) = line else { return None };
    let first = text.split([' ', '\t']).next().unwrap_or_default().to_ascii_lowercase();
    match first.as_str() {
        "start" | "rectstart" | "about" | "info" => Some(Box::new(gomocup::GomocupClient::default())),
        "xboard" | "protover" => Some(Box::new(xboard::XBoardClient::default())),
        _ => None,
    }
}
