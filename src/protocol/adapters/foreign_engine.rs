//! Engines that speak a foreign protocol to this program, which is their client.
//!
//! The client works in the same way whatever an engine speaks. A [`ForeignEngine`] turns the client's commands into the
//! engine's words, and the lines of the engine into replies. It knows as much of the engine's state as these
//! words depend on. It waits for nothing and judges nothing. An engine that speaks our own protocol needs no adapter.

use std::collections::VecDeque;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::protocol::{Command, EngineReply, InputLine};
use noughts_core::game::Rules;

use super::gomocup::{Confirmation, GomocupEngine};
use super::uci::UciEngine;

/// The protocol that an engine speaks.
#[derive(Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Debug)]
#[serde(rename_all = "lowercase")]
pub enum EngineProtocol {
    /// Our own protocol, as described in `protocol.md`.
    #[default]
    Noughts,
    /// UCI as programs for chess variants speak it, with moves such as `P@b2`.
    Uci,
    /// The protocol of the Gomocup tournaments, also called Piskvork's.
    Gomocup,
}

/// The protocols: the word for each, as in `proto=uci`, and what makes its adapter. Ours needs none.
const PROTOCOLS: [(EngineProtocol, &str, Option<MakeAdapter>); 3] = [
    (EngineProtocol::Noughts, "noughts", None),
    (EngineProtocol::Uci, "uci", Some(|rules| Box::new(UciEngine::new(rules)))),
    (EngineProtocol::Gomocup, "gomocup", Some(|rules| Box::new(GomocupEngine::new(rules)))),
];

/// Makes the adapter of an engine that plays under these rules.
type MakeAdapter = fn(Rules) -> Box<dyn ForeignEngine>;

impl EngineProtocol {
    /// True if this is the protocol of this program.
    pub fn is_ours(&self) -> bool {
        *self == EngineProtocol::Noughts
    }

    /// The adapter for an engine that plays under `rules`; `None` if the engine speaks our own protocol.
    pub fn adapter(self, rules: Rules) -> Option<Box<dyn ForeignEngine>> {
        self.row().2.map(|make| make(rules))
    }

    fn row(self) -> (EngineProtocol, &'static str, Option<MakeAdapter>) {
        PROTOCOLS.into_iter().find(|(protocol, ..)| *protocol == self).expect("the table has every protocol")
    }
}

/// The form that `FromStr` reads.
impl fmt::Display for EngineProtocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.row().1)
    }
}

/// The text names no protocol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownProtocol;

impl FromStr for EngineProtocol {
    type Err = UnknownProtocol;

    fn from_str(text: &str) -> Result<EngineProtocol, UnknownProtocol> {
        let named = PROTOCOLS.into_iter().find(|(_, name, _)| *name == text);
        named.map(|(protocol, ..)| protocol).ok_or(UnknownProtocol)
    }
}

/// The adapter of an engine, with the state of the conversation.
pub trait ForeignEngine: Send {
    /// Adds to `text` the lines that mean the same in the foreign protocol. There may be none.
    ///
    /// The client's own positions are legal. An illegal one is not passed on.
    fn write_command(&mut self, command: &Command, text: &mut String);

    /// Adds to `replies` what a line of the engine means in our protocol. There may be nothing.
    fn read_line(&mut self, line: InputLine, replies: &mut VecDeque<EngineReply>);

    /// True if the protocol has a question like `isready`. Without one, the client asks for a move only after it has
    /// read everything that the engine has sent, and when [`ForeignEngine::awaited`] is `None`.
    fn has_isready(&self) -> bool {
        true
    }

    /// The step that the engine has to confirm before it can be asked for a move, if it has no `isready`.
    fn awaited(&self) -> Option<Confirmation> {
        None
    }

    /// The number of stale moves since the last call: moves that were no answer to the last question. Always 0 for a
    /// protocol with `isready`, where the client counts them itself.
    fn take_stale(&mut self) -> u32 {
        0
    }

    /// The answer to a question whose time is up, if an earlier move can only have been that answer.
    fn last_resort(&mut self) -> Option<EngineReply> {
        None
    }
}
