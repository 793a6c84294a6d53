//! Protocols of other programs, turned into commands and replies of the session and back.
//!
//! An adapter works on one of two sides.
//!
//! - A [`ClientProtocol`] is what a client of this program speaks: a graphical interface, say. It stands between the client
//!   and a session. Our own protocol is one of them.
//! - A [`ForeignEngine`] speaks a foreign protocol, and this program is its client. Its adapter stands between the client
//!   of this program and that engine.
//!
//! | part | protocol | clients | foreign engines |
//! |---|---|---|---|
//! | `own.rs` | our own, which contains UCI | yes | need no adapter |
//! | `gomocup/` | the protocol of the Gomocup tournaments, also called Piskvork's | yes | yes |
//! | `uci_engine.rs` | UCI as programs for chess variants speak it | our own protocol contains it | yes |
//! | `xboard/` | the Chess Engine Communication Protocol, version 2, of XBoard and WinBoard | yes | no |
//!
//! In a folder, `client` and `engine` are the two sides. `client_protocol.rs` and `engine_protocol.rs` hold what all protocols
//! have in common on a side. A new protocol is a file on a side, and for clients a line of `CLIENT_PROTOCOLS`, for
//! engines a variant of [`EngineProtocol`].

mod client_protocol;
mod engine_protocol;
pub mod gomocup;
mod own;
mod pending_queries;
mod stone_order;
#[cfg(test)]
mod tests;
mod uci_engine;
mod xboard;

use super::InputLine;

pub use client_protocol::{ClientProtocol, LineEffect, ProtocolOutput};
pub use engine_protocol::{Confirmation, EngineProtocol, ForeignEngine, GameStep, ProtocolFacts, option_named};
pub use own::OwnProtocol;

/// The foreign protocols of clients: the first words by which a client chooses one, and what makes its adapter.
const CLIENT_PROTOCOLS: [(&[&str], MakeProtocol); 2] = [
    (&["start", "rectstart", "about", "info"], || Box::new(gomocup::GomocupClient::default())),
    (&["xboard", "protover"], || Box::new(xboard::XBoardClient::default())),
];

type MakeProtocol = fn() -> Box<dyn ClientProtocol>;

/// The protocol of a client whose first line this is: our own, unless the first word belongs to another.
pub fn protocol_for(line: &InputLine) -> Box<dyn ClientProtocol> {
    let first = match line {
        InputLine::Text(text) => text.split([' ', '\t']).next().unwrap_or_default().to_ascii_lowercase(),
        InputLine::NotText(_) | InputLine::TooLong(_) => String::new(),
    };
    match CLIENT_PROTOCOLS.into_iter().find(|(words, _)| words.contains(&first.as_str())) {
        Some((_, make)) => make(),
        None => Box::new(OwnProtocol),
    }
}
