//! Engines that speak a foreign protocol to this program, which is their client.
//!
//! The client works in the same way whatever an engine speaks. A [`ForeignEngine`] turns the client's commands into the
//! engine's words, and the lines of the engine into replies. It knows as much of the engine's state as these
//! words depend on. It waits for nothing and judges nothing. An engine that speaks our own protocol needs no adapter.
//!
//! A new protocol is a file with its adapter and its facts, and a variant of [`EngineProtocol`]. Nothing above this folder asks
//! which protocol an engine speaks.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::engine::OptionType;
use crate::protocol::{Command, EngineReply, InputLine};
use noughts_core::game::Rules;

use super::{gomocup, gtp, uci_engine, ugi_engine};

/// The protocol that an engine speaks, ours by default. In JSON it has the name of its facts.
#[derive(Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Debug)]
#[serde(rename_all = "lowercase")]
pub enum EngineProtocol {
    /// That of this program.
    #[default]
    Noughts,
    /// UCI, as programs for chess variants speak it.
    Uci,
    /// UGI, as programs for several games speak it.
    Ugi,
    /// That of the Gomocup tournaments.
    Gomocup,
    /// The Go Text Protocol.
    Gtp,
}

/// The facts that a client has to know of a protocol before it starts an engine.
pub struct ProtocolFacts {
    /// The word for the protocol, as in `proto=uci`.
    pub name: &'static str,
    /// Makes the adapter of an engine that plays under these rules; `None` for our own protocol.
    pub adapter: Option<fn(Rules) -> Box<dyn ForeignEngine>>,
    /// The words behind "before it had": what an engine has done that has introduced itself.
    pub introduction: &'static str,
    /// A sentence about an engine that has not introduced itself in time. It follows the engine's name, without its
    /// full stop.
    pub no_introduction: &'static str,
    /// True if an engine thinks for ever when nothing limits its move.
    pub needs_limit: bool,
    /// True if nodes or playouts can limit a move.
    pub has_counts: bool,
    /// A clause that says why there are no boards as small as those of exams, if there are none.
    pub no_small_boards: Option<&'static str>,
}

/// Our own protocol, as described in `protocol.md`.
const OURS: ProtocolFacts = ProtocolFacts {
    name: "noughts",
    adapter: None,
    introduction: "introduced itself with ugiok",
    no_introduction: "did not introduce itself with ugiok and readyok in time; proto=uci is for engines that know only uci",
    needs_limit: false,
    has_counts: true,
    no_small_boards: None,
};

impl EngineProtocol {
    const ALL: [EngineProtocol; 5] = [
        EngineProtocol::Noughts,
        EngineProtocol::Uci,
        EngineProtocol::Ugi,
        EngineProtocol::Gomocup,
        EngineProtocol::Gtp,
    ];

    /// The facts that a client has to know of the protocol.
    pub fn facts(self) -> &'static ProtocolFacts {
        match self {
            EngineProtocol::Noughts => &OURS,
            EngineProtocol::Uci => &uci_engine::FACTS,
            EngineProtocol::Ugi => &ugi_engine::FACTS,
            EngineProtocol::Gomocup => &gomocup::FACTS,
            EngineProtocol::Gtp => &gtp::FACTS,
        }
    }

    /// The protocol of this name.
    pub fn named(name: &str) -> Option<EngineProtocol> {
        EngineProtocol::ALL.into_iter().find(|protocol| protocol.facts().name == name)
    }

    /// True if this is the protocol of this program.
    pub fn is_ours(&self) -> bool {
        *self == EngineProtocol::Noughts
    }

    /// The adapter for an engine that plays under `rules`; `None` if the engine speaks our own protocol.
    pub fn adapter(self, rules: Rules) -> Option<Box<dyn ForeignEngine>> {
        self.facts().adapter.map(|make| make(rules))
    }

    /// The words for all protocols, as a sentence lists them.
    pub fn names() -> String {
        let [first @ .., last] = EngineProtocol::ALL.map(|protocol| protocol.facts().name);
        format!("{} or {last}", first.join(", "))
    }
}

/// A step of a client that sets an engine up for its game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GameStep {
    /// It sets the options of our own protocol: `size`, `columns`, `connect` and `reverse`.
    OwnOptions,
    /// It sets this option to this value.
    Option(&'static str, &'static str),
    /// Nothing more: the engine knows its game.
    Done,
    /// Nothing more, once the engine is ready. An error before that refuses the game.
    DoneWhenReady,
    /// It writes this text to a file and sets the option to the file's path. Then the engine introduces itself once
    /// more, and there is another step.
    File(&'static str, String),
}

/// The step that an engine without `isready` has to confirm before it can be asked for a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Confirmation {
    /// A sentence about an engine that does not confirm it. It follows the engine's name, without its full stop.
    pub missing: &'static str,
    /// True if this is the first of the process. Then an error of the engine refuses its options.
    pub is_first: bool,
}

/// The option of this name, in upper or lower case, with its type or its value.
pub fn option_named<'a, T>(options: &'a [(String, T)], wanted: &str) -> Option<&'a (String, T)> {
    options.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted))
}

/// The adapter of an engine, with the state of the conversation.
pub trait ForeignEngine: Send {
    /// Adds to `text` the lines that mean the same in the foreign protocol. There may be none.
    ///
    /// The client's own positions are legal. An illegal one is not passed on.
    fn write_command(&mut self, command: &Command, text: &mut String);

    /// Adds to `replies` what a line of the engine means in our protocol. There may be nothing.
    fn read_line(&mut self, line: InputLine, replies: &mut VecDeque<EngineReply>);

    /// The client's next step to set the engine up for its game. `declared` are the options that the engine has
    /// declared with their types, `own` those of its set-up with their values. Commands that belong to the step are
    /// added to `text`.
    ///
    /// # Errors
    /// When the engine cannot play the game: the reason, as a clause.
    fn game_step(
        &mut self,
        declared: &[(String, OptionType)],
        own: &[(String, String)],
        text: &mut String,
    ) -> Result<GameStep, &'static str>;

    /// The option of the set-up that is set before all others. After it, the engine introduces itself once more.
    fn first_option(&self) -> Option<&'static str> {
        None
    }

    /// True if engines declare their options. Otherwise they ignore those that they do not know.
    fn declares_options(&self) -> bool {
        true
    }

    /// True if the protocol has a question like `isready`. Without one, the client asks for a move only after it has
    /// read everything that the engine has sent, and when [`ForeignEngine::awaited`] is `None`.
    fn has_isready(&self) -> bool {
        true
    }

    /// A sentence about an engine that does not answer `isready` in time. It follows the engine's name, without its full
    /// stop.
    fn no_ready(&self) -> &'static str {
        "did not say readyok"
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_protocol_has_the_same_name_in_json_as_in_text() {
        for protocol in EngineProtocol::ALL {
            let name = protocol.facts().name;
            assert_eq!(serde_json::to_string(&protocol).expect("JSON"), format!("\"{name}\""));
            assert_eq!(EngineProtocol::named(name), Some(protocol));
        }
        let unknown = serde_json::from_str::<EngineProtocol>("\"x\"").expect_err("no protocol").to_string();
        assert!(
            unknown.starts_with("unknown variant `x`, expected one of `noughts`, `uci`, `ugi`, `gomocup`, `gtp`"),
            "{unknown}"
        );
    }
}
