//! The settings of a game at the board: the rules, who plays each side, and how long and how well they think; and why the
//! board does not do what a person asked for.

use std::io;
use std::num::NonZeroU64;
use std::sync::Arc;

use thiserror::Error;

use crate::client::EngineSetup;
use crate::engine::{OptionSpec, OptionType, PlayerKind};
use crate::text::decimal;
use noughts_core::game::{MoveError, Player, Rules, RulesError};
use noughts_core::search::Limits;

/// The game that is played, and its participants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlaySettings {
    /// The rules of the game.
    pub rules: Rules,
    /// The participants who play X and O.
    pub sides: [Participant; 2],
    /// The budget of a computer player for a move.
    pub budget: MoveBudget,
    /// The strength of the built-in players, from 1 to 10.
    pub level: u8,
    /// The seed of the random numbers; 0 for another one in each game.
    pub seed: u32,
}

impl PlaySettings {
    /// Checks that every number is in its range.
    pub(super) fn check(&self) -> Result<(), PlayError> {
        check("level", Some(self.level.into()))?;
        match self.budget {
            MoveBudget::Time(time) => check(MoveBudget::TIME, Some(time)).map(drop),
            MoveBudget::Playouts(playouts) => check("trials", Some(playouts)).map(drop),
            MoveBudget::Standard => Ok(()),
        }
    }
}

/// The budget of a computer player for a move. Where a proof ends sooner, the move comes sooner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveBudget {
    /// Milliseconds, from 1 to [`MoveBudget::LONGEST_TIME`].
    Time(u32),
    /// Playouts, from 1 to 2^31 - 1, for players that play them.
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

    /// The limits of a search with this budget.
    pub(super) fn limits(self) -> Limits {
        let trials = self.playouts().and_then(|playouts| NonZeroU64::new(playouts.into()));
        Limits { trials, move_time: self.time(), ..Limits::default() }
    }

    /// The most time that a move takes, if time limits it: `1 second`.
    pub fn seconds_in_words(self) -> Option<String> {
        let seconds = self.time()? as f64 / 1000.0;
        Some(format!("{} second{}", decimal(seconds), if seconds == 1.0 { "" } else { "s" }))
    }
}

/// The player of a side.
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
    /// When there is no player of this name.
    pub fn named(name: &str) -> Result<Participant, PlayError> {
        if name.eq_ignore_ascii_case(Participant::PERSON) {
            return Ok(Participant::Person);
        }
        PlayerKind::named(name).map(Participant::Builtin).ok_or_else(|| {
            let names = [Participant::PERSON].into_iter().chain(PlayerKind::all().map(PlayerKind::name));
            let (name, names) = (name.to_ascii_lowercase(), names.collect::<Vec<_>>().join(", "));
            PlayError::refused(format!("there is no player \"{}\"; there are {names}", name.escape_debug()))
        })
    }

    /// True if a person plays.
    pub fn is_person(&self) -> bool {
        *self == Participant::Person
    }

    /// The program that plays, if another program does.
    pub fn program(&self) -> Option<&Arc<EngineSetup>> {
        if let Participant::External(setup) = self { Some(setup) } else { None }
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

/// The number, if this setting may have it; its range is that of the engine's option of this name.
pub fn check(setting: &'static str, number: Option<u32>) -> Result<u32, PlayError> {
    let (least, most) = match OptionSpec::named(setting).map(OptionSpec::option_type) {
        _ if setting == MoveBudget::TIME => (1, MoveBudget::LONGEST_TIME),
        Some(OptionType::Spin { min, max, .. }) => (min as u32, max as u32),
        _ => (0, u32::MAX),
    };
    let number = number.filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| PlayError::refused(format!("{setting} is a whole number from {least} to {most}")))
}

/// Why the board does not do what a person asked for. Each is a sentence without its full stop.
#[derive(Error, Debug)]
pub enum PlayError {
    /// The move cannot be played.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// The text has none of the forms of a move.
    #[error("a move is written as row,column such as 0,2, or as b2")]
    NoMove,
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// A computer player, the name of which is given, is to move.
    #[error("it is the turn of {0}, which {1} plays")]
    NotYourTurn(Player, String),
    /// Something else is wrong with what the person asked for, or a search has panicked.
    #[error("{0}")]
    Refused(String),
    /// There are no such rules.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// The system has no thread, process or pipe left.
    #[error("the program cannot play: {0}")]
    System(#[from] io::Error),
}

impl PlayError {
    /// The refusal with this sentence.
    pub(super) fn refused(sentence: impl Into<String>) -> PlayError {
        PlayError::Refused(sentence.into())
    }
}

/// The sentence about a search that has panicked.
pub(super) const SEARCH_FAILED: &str = "the search failed";
