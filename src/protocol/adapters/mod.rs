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
//! | `gtp/` | the Go Text Protocol, version 2, with the commands of GoGui | yes | yes |
//! | `uci_engine.rs` | UCI as programs for chess variants speak it | our own protocol contains it | yes |
//! | `ugi_engine.rs` | UGI as programs for several games speak it | our own protocol contains it | yes |
//! | `xboard/` | the Chess Engine Communication Protocol, version 2, of XBoard and WinBoard | yes | no |
//!
//! In a folder, `client` and `engine` are the two sides. `client_protocol.rs` and `engine_protocol.rs` hold what all protocols
//! have in common on a side. A new protocol is a file on a side, and for clients a line of `CLIENT_PROTOCOLS`, for
//! engines a variant of [`EngineProtocol`].

mod client_protocol;
mod engine_protocol;
pub mod gomocup;
pub mod gtp;
mod own;
mod pending_queries;
mod stone_order;
#[cfg(test)]
mod tests;
mod uci_engine;
mod ugi_engine;
mod xboard;

use super::InputLine;

pub use client_protocol::{ClientProtocol, LineEffect, ProtocolOutput};
pub use engine_protocol::{Confirmation, EngineProtocol, ForeignEngine, GameStep, ProtocolFacts, option_named};
pub use own::OwnProtocol;

/// A protocol of clients.
struct ClientProtocolSpec {
    /// The name, as in `--protocol gtp`.
    name: &'static str,
    /// True if a client that begins with this line speaks it.
    is_chosen_by: fn(&str) -> bool,
    make: fn() -> Box<dyn ClientProtocol>,
}

/// The protocols of clients. Our own is spoken by all whose first line belongs to no other.
const CLIENT_PROTOCOLS: [ClientProtocolSpec; 4] = [
    ClientProtocolSpec { name: "noughts", is_chosen_by: |_| false, make: || Box::new(OwnProtocol) },
    ClientProtocolSpec {
        name: "gomocup",
        is_chosen_by: |line| first_is(line, &["start", "rectstart", "about", "info"]),
        make: || Box::new(gomocup::GomocupClient::default()),
    },
    ClientProtocolSpec {
        name: "xboard",
        is_chosen_by: |line| first_is(line, &["xboard", "protover"]),
        make: || Box::new(xboard::XBoardClient::default()),
    },
    ClientProtocolSpec { name: "gtp", is_chosen_by: gtp::is_chosen_by, make: || Box::new(gtp::GtpClient::default()) },
];

/// True if the first word of the line is one of these, in upper or lower case.
fn first_is(line: &str, words: &[&str]) -> bool {
    let first = line.split([' ', '\t']).next().unwrap_or_default();
    words.iter().any(|word| first.eq_ignore_ascii_case(word))
}

/// Seconds, perhaps with a fraction, in milliseconds.
fn seconds_as_ms(text: &str) -> Option<u64> {
    let seconds: f64 = text.parse().ok()?;
    (0.0..=1e9).contains(&seconds).then_some((seconds * 1000.0).round() as u64)
}

/// The names of the protocols of clients.
pub fn client_protocols() -> impl Iterator<Item = &'static str> {
    CLIENT_PROTOCOLS.iter().map(|protocol| protocol.name)
}

/// The protocol of clients of this name; `None` if there is none.
pub fn client_protocol(name: &str) -> Option<Box<dyn ClientProtocol>> {
    CLIENT_PROTOCOLS.iter().find(|protocol| protocol.name == name).map(|protocol| (protocol.make)())
}

/// The protocol of a client whose first line this is: our own, unless the line belongs to another.
pub fn protocol_for(line: &InputLine) -> Box<dyn ClientProtocol> {
    let chosen = match line {
        InputLine::Text(text) => CLIENT_PROTOCOLS.iter().find(|protocol| (protocol.is_chosen_by)(text)),
        InputLine::NotText(_) | InputLine::TooLong(_) => None,
    };
    chosen.map_or_else(|| Box::new(OwnProtocol) as Box<dyn ClientProtocol>, |protocol| (protocol.make)())
}
