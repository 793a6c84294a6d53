//! The settings of a game at the board: the rules, who plays each side, and how long and how well they think.

use std::num::NonZeroU64;
use std::sync::Arc;

use crate::client::EngineSetup;
use crate::engine::{OptionSpec, OptionType, PlayerKind};
use crate::text::decimal;
use noughts_core::game::Rules;
use noughts_core::search::Limits;

use super::play_error::PlayError;

/// What is played, and by whom.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlaySettings {
    /// The rules of the game.
    pub rules: Rules,
    /// Who plays X, and who O.
    pub sides: [Participant; 2],
    /// How long a computer player thinks about a move.
    pub budget: MoveBudget,
    /// How strong the built-in players are, from 1 to 10.
    pub level: u8,
    /// The seed of the random numbers; 0 for another one in each game.
    pub seed: u32,
}

/// How long a computer player thinks about a move. Where a proof ends sooner, the move comes sooner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveBudget {
    /// So many milliseconds, from 1 to [`MoveBudget::LONGEST_TIME`].
    Time(u32),
    /// So many playouts, from 1 to 2^31 - 1, for players that play them.
    Playouts(u32),
    /// That of a `go` without limits, which no clock ends: the same seed gives the same game.
    Standard,
}

impl MoveBudget {
    /// The default for people: a second.
    pub const SECOND: MoveBudget = MoveBudget::Time(1000);

    /// The name of the time for a move, for people.
    pub(super) const TIME: &str = "movetime";

    /// The longest time for a move, in milliseconds: an hour.
    pub const LONGEST_TIME: u32 = 3_600_000;

    /// The time, in milliseconds, if that is the limit.
    pub fn time(self) -> Option<u64> {
        if let MoveBudget::Time(time) = self { Some(time.into()) } else { None }
    }

    /// The playouts, if they are the limit.
    pub fn playouts(self) -> Option<u32> {
        if let MoveBudget::Playouts(playouts) = self { Some(playouts) } else { None }
    }

    /// Whether its number is in its range.
    pub(super) fn check(self) -> Result<(), PlayError> {
        match self {
            MoveBudget::Time(time) => check(MoveBudget::TIME, time).map(drop),
            MoveBudget::Playouts(playouts) => check("trials", playouts).map(drop),
            MoveBudget::Standard => Ok(()),
        }
    }

    /// The limits of a search with this budget.
    pub(super) fn limits(self) -> Limits {
        let trials = self.playouts().and_then(|playouts| NonZeroU64::new(playouts.into()));
        Limits { trials, move_time: self.time(), ..Limits::default() }
    }

    /// How long a move takes at most, if time limits it: `1 second`.
    pub fn seconds_in_words(self) -> Option<String> {
        let seconds = self.time()? as f64 / 1000.0;
        Some(format!("{} second{}", decimal(seconds), if seconds == 1.0 { "" } else { "s" }))
    }
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
        let kind =
            PlayerKind::named(name).ok_or_else(|| PlayError::NoPlayer(name.to_ascii_lowercase(), player_names()))?;
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

/// The names of the person and of all built-in players.
fn player_names() -> String {
    let names: Vec<&str> =
        std::iter::once(Participant::PERSON).chain(PlayerKind::all().map(PlayerKind::name)).collect();
    names.join(", ")
}

/// The values that a number among the engine's options may have, the least and the largest.
pub fn range(option: &str) -> (u32, u32) {
    match OptionSpec::named(option).map(OptionSpec::option_type) {
        _ if option == MoveBudget::TIME => (1, MoveBudget::LONGEST_TIME),
        Some(OptionType::Spin { min, max, .. }) => (min as u32, max as u32),
        _ => (0, u32::MAX),
    }
}

/// The number, if it is in the range of this option.
pub fn check(option: &'static str, number: u32) -> Result<u32, PlayError> {
    let (least, most) = range(option);
    if (least..=most).contains(&number) { Ok(number) } else { Err(PlayError::OutOfRange(option, least, most)) }
}
