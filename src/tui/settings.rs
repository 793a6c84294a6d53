//! The settings of a game at the board: the rules, who plays each side, and how strong the built-in players are.

use std::sync::Arc;

use crate::client::EngineSetup;
use crate::engine::PlayerKind;
use noughts_core::game::Rules;

use super::play_error::PlayError;

/// What is played, and by whom.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlaySettings {
    /// The rules of the game.
    pub rules: Rules,
    /// Who plays X, and who O.
    pub sides: [Participant; 2],
    /// Playouts of a move for players that sample, from 1 to 2^31 - 1.
    pub trials: u32,
    /// How strong the built-in players are, from 1 to 10.
    pub level: u8,
    /// The seed of the random numbers; 0 for another one in each game.
    pub seed: u32,
}

/// Who plays a side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Participant {
    /// The person at the terminal.
    Person,
    /// A player of this engine.
    Builtin(PlayerKind),
    /// Another program that speaks an engine protocol.
    External(Arc<EngineSetup>),
}

impl Participant {
    /// The word that stands for a person where the name of a player may stand.
    pub const PERSON: &str = "person";

    /// The person, or the built-in player of this name, in any case.
    ///
    /// # Errors
    /// [`PlayError::NoPlayer`] when there is no player of this name.
    pub fn named(name: &str) -> Result<Participant, PlayError> {
        if name.eq_ignore_ascii_case(Participant::PERSON) {
            return Ok(Participant::Person);
        }
        let kind = PlayerKind::named(name).ok_or_else(|| PlayError::NoPlayer(name.to_ascii_lowercase()))?;
        Ok(Participant::Builtin(kind))
    }

    /// Whether a person plays.
    pub fn is_person(&self) -> bool {
        *self == Participant::Person
    }

    /// The name.
    pub fn name(&self) -> &str {
        match self {
            Participant::Person => Participant::PERSON,
            Participant::Builtin(kind) => kind.name(),
            Participant::External(setup) => &setup.name,
        }
    }
}
