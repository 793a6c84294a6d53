//! Between this client and engines of other protocols: what it says becomes their text, what they say becomes lines of
//! ours.
//!
//! The client works in one way, whatever an engine speaks. An [`Interpreter`] knows the words of a protocol and as much
//! of the state of the engine as they depend on; it waits for nothing and judges nothing. An engine that speaks our own
//! protocol has none.

mod gomocup;
mod uci;

use std::collections::VecDeque;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::protocol::{Command, Line};
use noughts_core::game::Rules;

use super::Awaited;

use gomocup::Gomocup;
use uci::Uci;

/// The protocol that an engine speaks.
#[derive(Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Debug)]
#[serde(rename_all = "lowercase")]
pub enum EngineProtocol {
    /// That of `protocol.md`.
    #[default]
    Noughts,
    /// UCI as programs for chess variants speak it, with moves such as `P@b2`.
    Uci,
    /// The protocol of the Gomocup tournaments, also called Piskvork's.
    Gomocup,
}

impl EngineProtocol {
    const ALL: [EngineProtocol; 3] = [EngineProtocol::Noughts, EngineProtocol::Uci, EngineProtocol::Gomocup];

    /// Whether it is that of this program.
    pub fn is_ours(&self) -> bool {
        *self == EngineProtocol::Noughts
    }

    /// The word for it.
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

/// Whoever knows the words of another protocol.
pub enum Interpreter {
    /// For [`EngineProtocol::Uci`].
    Uci(Uci),
    /// For [`EngineProtocol::Gomocup`].
    Gomocup(Box<Gomocup>),
}

impl Interpreter {
    /// The interpreter for an engine that plays under `rules`; `None` when there is no need of one.
    pub fn of(protocol: EngineProtocol, rules: Rules) -> Option<Interpreter> {
        match protocol {
            EngineProtocol::Noughts => None,
            EngineProtocol::Uci => Some(Interpreter::Uci(Uci::new(rules))),
            EngineProtocol::Gomocup => Some(Interpreter::Gomocup(Box::new(Gomocup::new(rules)))),
        }
    }

    /// Adds to `text` the lines that say the same in the other protocol; there may be none.
    ///
    /// The runner's own positions are legal: one that is not is not passed on.
    pub fn say(&mut self, command: &Command, text: &mut String) {
        match self {
            Interpreter::Uci(uci) => uci.say(command, text),
            Interpreter::Gomocup(gomocup) => gomocup.say(command, text),
        }
    }

    /// Whether the protocol has a question like `isready`. An engine of one that has not is asked for a move only after
    /// all that it has said was heard, and [`Interpreter::awaited`] is `None`.
    pub fn has_isready(&self) -> bool {
        matches!(self, Interpreter::Uci(_))
    }

    /// What the engine still has to answer before it can be asked for a move, without `isready`.
    pub fn awaited(&self) -> Option<Awaited> {
        match self {
            Interpreter::Uci(_) => None,
            Interpreter::Gomocup(gomocup) => gomocup.awaited(),
        }
    }

    /// How many moves were no answers to what was asked, since this was called last. Where there is an `isready` the
    /// client counts them itself.
    pub fn take_stale(&mut self) -> u32 {
        match self {
            Interpreter::Uci(_) => 0,
            Interpreter::Gomocup(gomocup) => gomocup.take_stale(),
        }
    }

    /// The answer after all to a question whose time is up: a move that was taken for something else until then.
    pub fn last_resort(&mut self) -> Option<Line> {
        match self {
            Interpreter::Uci(_) => None,
            Interpreter::Gomocup(gomocup) => gomocup.last_resort(),
        }
    }

    /// Adds to `heard` the lines of our protocol that a line of the engine amounts to; there may be none.
    pub fn hear(&mut self, line: Line, heard: &mut VecDeque<Line>) {
        match self {
            Interpreter::Uci(uci) => heard.push_back(uci.hear(line)),
            Interpreter::Gomocup(gomocup) => gomocup.hear(line, heard),
        }
    }
}
