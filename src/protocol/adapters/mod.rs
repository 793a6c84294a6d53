//! Adapters: foreign protocols, turned into ours and back.
//!
//! An adapter works on one of two sides.
//!
//! - **Engine side**: this program is the engine, and a graphical interface speaks a foreign protocol to it. An
//!   [`EngineAdapter`] stands between that client and a session.
//! - **Client side**: this program is the client, and an engine speaks a foreign protocol. A [`ClientAdapter`] stands
//!   between the client of this program and that engine.
//!
//! | part | protocol | engine side | client side |
//! |---|---|---|---|
//! | `gomocup/` | the protocol of the Gomocup tournaments, also called Piskvork's | yes | yes |
//! | `uci.rs` | UCI as programs for chess variants speak it | our own protocol contains it | yes |
//! | `xboard/` | the Chess Engine Communication Protocol, version 2, of XBoard and WinBoard | yes | no |
//!
//! In each folder, `engine_side` and `client_side` hold the adapters of these sides. The files of this folder with the
//! same names hold what all protocols have in common on a side.

mod client_side;
mod engine_side;
pub mod gomocup;
mod pending_queries;
#[cfg(test)]
mod tests;
mod uci;
mod xboard;

use super::InputLine;

pub use client_side::{ClientAdapter, EngineProtocol, UnknownProtocol};
pub use engine_side::{AdapterOutput, EngineAdapter};
pub use gomocup::Confirmation;

/// The adapter for a client whose first line this is; `None` if the line belongs to our own protocol.
pub fn adapter_for(line: &InputLine) -> Option<Box<dyn EngineAdapter + Send>> {
    let InputLine::Text(text) = line else { return None };
    let first = text.split([' ', '\t']).next().unwrap_or_default().to_ascii_lowercase();
    match first.as_str() {
        "start" | "rectstart" | "about" | "info" => Some(Box::new(gomocup::GomocupEngineAdapter::default())),
        "xboard" | "protover" => Some(Box::new(xboard::XBoardEngineAdapter::default())),
        _ => None,
    }
}
