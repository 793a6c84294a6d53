//! The client side: engines that speak a foreign protocol to this program.
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

impl EngineProtocol {
    const ALL: [EngineProtocol; 3] = [EngineProtocol::Noughts, EngineProtocol::Uci, EngineProtocol::Gomocup];

    /// Whether this is the protocol of this program.
    pub fn is_ours(&self) -> bool {
        *self == EngineProtocol::Noughts
    }

    /// The word for it, as in `proto=uci`.
    fn name(self) -> &'static str {
        match self {
            EngineProtocol::Noughts => "noughts",
            EngineProtocol::Uci => "uci",
            EngineProtocol::Gomocup => "gomocup",
        }
    }
}

/// The form that `FromStr` reads.
impl fmt::Display for EngineProtocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text names no protocol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownProtocol;

impl FromStr for EngineProtocol {
    type Err = UnknownProtocol;

    fn from_str(text: &str) -> Result<EngineProtocol, UnknownProtocol> {
        EngineProtocol::ALL.into_iter().find(|protocol| protocol.name() == text).ok_or(UnknownProtocol)
    }
}

/// The adapter of an engine, with the state of the conversation.
pub enum ForeignEngine {
    /// For [`EngineProtocol::Uci`].
    Uci(UciEngine),
    /// For [`EngineProtocol::Gomocup`].
    Gomocup(Box<GomocupEngine>),
}

impl ForeignEngine {
    /// The adapter for an engine that plays under `rules`; `None` if the engine speaks our own protocol.
    pub fn new(protocol: EngineProtocol, rules: Rules) -> Option<ForeignEngine> {
        match protocol {
            EngineProtocol::Noughts => None,
            EngineProtocol::Uci => Some(ForeignEngine::Uci(UciEngine::new(rules))),
            EngineProtocol::Gomocup => Some(ForeignEngine::Gomocup(Box::new(GomocupEngine::new(rules)))),
        }
    }

    /// Adds to `text` the lines that say the same in the foreign protocol. There may be none.
    ///
    /// The client's own positions are legal. An illegal one is not passed on.
    pub fn write_command(&mut self, command: &Command, text: &mut String) {
        match self {
            ForeignEngine::Uci(uci) => uci.write_command(command, text),
            ForeignEngine::Gomocup(gomocup) => gomocup.write_command(command, text),
        }
    }

    /// Whether the protocol has a question like `isready`. Without one, the client asks for a move only after it has
    /// read everything that the engine has said, and when [`ForeignEngine::awaited`] is `None`.
    pub fn has_isready(&self) -> bool {
        matches!(self, ForeignEngine::Uci(_))
    }

    /// What the engine still has to confirm before it can be asked for a move, if it has no `isready`.
    pub fn awaited(&self) -> Option<Confirmation> {
        match self {
            ForeignEngine::Uci(_) => None,
            ForeignEngine::Gomocup(gomocup) => gomocup.awaited(),
        }
    }

    /// The number of stale moves since the last call: moves that were no answer to the last question. Always 0 for a
    /// protocol with `isready`, where the client counts them itself.
    pub fn take_stale(&mut self) -> u32 {
        match self {
            ForeignEngine::Uci(_) => 0,
            ForeignEngine::Gomocup(gomocup) => gomocup.take_stale(),
        }
    }

    /// The answer to a question whose time is up, if an earlier move can only have been that answer.
    pub fn last_resort(&mut self) -> Option<EngineReply> {
        match self {
            ForeignEngine::Uci(_) => None,
            ForeignEngine::Gomocup(gomocup) => gomocup.last_resort(),
        }
    }

    /// Adds to `replies` what a line of the engine means in our protocol. There may be nothing.
    pub fn read_line(&mut self, line: InputLine, replies: &mut VecDeque<EngineReply>) {
        match self {
            ForeignEngine::Uci(uci) => replies.extend(uci.read_line(line)),
            ForeignEngine::Gomocup(gomocup) => gomocup.read_line(line, replies),
        }
    }
}
