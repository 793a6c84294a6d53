//! What is played, and by whom.

use std::sync::Arc;

use crate::client::{EngineSetup, EngineSpec, SpecError};
use noughts_core::game::Rules;

/// What is played, and by whom.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The game.
    pub rules: Rules,
    /// Who plays X, and who O.
    pub sides: [Participant; 2],
    /// Playouts of a move of the players that need a number.
    pub trials: u32,
    /// How strong the players of this engine are, from 1 to 10.
    pub level: u8,
    /// Where random numbers start; 0 for somewhere else every time.
    pub seed: u32,
}

/// Who plays a side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Participant {
    /// Whoever sits in front of the screen.
    Person,
    /// A player of this engine, by the name that the option `player` has for it.
    Builtin(String),
    /// Another program that speaks a protocol of engines.
    Program(Arc<EngineSetup>),
}

impl Participant {
    /// The word that stands for a person where the name of a player may stand.
    pub const PERSON: &str = "person";

    /// The participant of this name; whether there is such a player is asked of the engine.
    pub fn named(name: &str) -> Participant {
        match name.to_ascii_lowercase() {
            name if name == Participant::PERSON => Participant::Person,
            name => Participant::Builtin(name),
        }
    }

    /// A program as somebody writes it: its command line, or a description as in a match, `cmd=... proto=...`.
    ///
    /// # Errors
    /// When it is a description that says something wrong.
    pub fn described(text: &str) -> Result<EngineSpec, SpecError> {
        let mut words = text.split_whitespace();
        let has_key = words.clone().next().is_some_and(|word| word.contains('='));
        if has_key && words.any(|word| word.starts_with("cmd=")) {
            return text.parse();
        }
        Ok(EngineSpec { command: Some(text.to_owned()), ..EngineSpec::default() })
    }

    /// Whether a person plays.
    pub fn is_person(&self) -> bool {
        *self == Participant::Person
    }

    /// The name.
    pub fn name(&self) -> &str {
        match self {
            Participant::Person => Participant::PERSON,
            Participant::Builtin(name) => name,
            Participant::Program(setup) => &setup.name,
        }
    }
}
