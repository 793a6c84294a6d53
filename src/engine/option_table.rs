//! The table of the options: their names, what they are about, what they accept, how they are set.

use std::ops::RangeInclusive;

use thiserror::Error;

use crate::system::memory;
use crate::text::Excerpt;
use noughts_core::game::{MAX_CONNECT, MAX_SIZE};
use noughts_core::search::{Level, Textbook, Tiebreak};

use super::options::{LARGEST_SPIN, Options, PlayerKind, Variant};

/// One line of the table: the name, what the option is about, what it accepts, and its field in [`Options`]; or, in place
/// of the field, how the value is read and set.
macro_rules! option {
    ($name:expr, $role:ident, $accepted:expr, $($field:ident).+) => {
        option!($name, $role, $accepted, |options| options.$($field).+, |options, value| options.$($field).+ = value)
    };
    ($name:expr, $role:ident, $accepted:expr, $get:expr, $set:expr) => {
        OptionSpec {
            name: $name,
            role: OptionRole::$role,
            type_with: |options| {
                let get: fn(&Options) -> _ = $get;
                $accepted.type_with(get(options))
            },
            set: |options, text| {
                let set: fn(&mut Options, _) = $set;
                $accepted.read(text).map(|value| set(options, value))
            },
        }
    };
}

/// All options of the engine, in the order in which they are listed.
pub static OPTIONS: &[OptionSpec] = &[
    option!("size", Game, SIZES, |options| options.rules.shape().rows.into(), Options::set_size),
    option!("columns", Game, COLUMNS, |options| options.columns.into(), Options::set_columns),
    option!("connect", Game, CONNECTS, |options| options.rules.connect().into(), Options::set_connect),
    option!("reverse", Game, TrueOrFalse, |options| options.rules.reverse(), Options::set_reverse),
    option!("player", Answer, PLAYERS, player),
    option!("level", Answer, LEVELS, |options| options.level.number().into(), Options::set_level),
    option!("trials", Answer, 1..=LARGEST_SPIN, Options::trials, |options, trials| options.trials = Some(trials)),
    option!("max_trials", Answer, 0..=LARGEST_SPIN, max_trials),
    option!("score_current", Answer, 0.0..=MOST_POINTS, weights.current),
    option!("score_other", Answer, 0.0..=MOST_POINTS, weights.other),
    option!("exploration", Answer, 0.0..=MOST_POINTS, exploration),
    option!("seed", Seed, 0..=LARGEST_SPIN, seed),
    option!("tiebreak", Answer, TIEBREAKS, tiebreak),
    option!("MultiPV", Answer, 1..=MOST_MOVES, multi_pv),
    option!("Hash", Memory, 1..=65_536, hash),
    option!("Threads", Threads, 1..=MOST_THREADS, threads),
    option!("Move Overhead", Answer, 0..=MOST_OVERHEAD, move_overhead),
    option!("UCI_Variant", Game, VARIANTS, variant),
];

/// `Debug Log File`. Its value is no part of [`Options`].
pub static DEBUG_LOG: OptionSpec = OptionSpec {
    name: "Debug Log File",
    role: OptionRole::LogFile,
    type_with: |_| OptionType::Text { default: String::new() },
    set: |_, _| None,
};

/// Rows of the board.
const SIZES: RangeInclusive<u32> = 1..=MAX_SIZE as u32;

/// Columns of the board; 0 for as many as rows.
const COLUMNS: RangeInclusive<u32> = 0..=MAX_SIZE as u32;

/// The lengths of lines; 0 for as many cells as the shorter side has.
const CONNECTS: RangeInclusive<u32> = 0..=MAX_CONNECT as u32;

/// The numbers of the levels.
const LEVELS: RangeInclusive<u32> = Level::LEAST.number() as u32..=Level::FULL.number() as u32;

/// The most that `score_current`, `score_other` and `exploration` can ask for. No search plays more than 2^64 playouts, and
/// each of them gives a square the points once at most. So every total is below 1e120, and far from the largest number of
/// an `f64`.
const MOST_POINTS: f64 = 1e100;

/// The most moves that a position can have.
pub(super) const MOST_MOVES: u32 = MAX_SIZE as u32 * MAX_SIZE as u32;

/// The most that the option `Move Overhead` can ask for.
const MOST_OVERHEAD: u32 = 5_000;

/// The most threads that the option `Threads` can ask for.
const MOST_THREADS: u32 = 256;

/// The players by name.
const PLAYERS: [(&str, PlayerKind); 14] = {
    const fn textbook(search: Textbook) -> (&'static str, PlayerKind) {
        (search.name(), PlayerKind::Textbook(search))
    }
    [
        ("auto", PlayerKind::Auto),
        ("perfect", PlayerKind::Perfect),
        ("montecarlo", PlayerKind::MonteCarlo),
        ("montecarlolimit", PlayerKind::MonteCarloLimit),
        ("mcts", PlayerKind::Mcts),
        ("uct", PlayerKind::Uct),
        ("random", PlayerKind::Random),
        textbook(Textbook::Minimax),
        textbook(Textbook::StopAtWin),
        textbook(Textbook::AlphaBeta),
        textbook(Textbook::AlphaBetaTable),
        textbook(Textbook::AlphaBetaSymmetry),
        textbook(Textbook::AlphaBetaSymmetryAll),
        textbook(Textbook::Negamax),
    ]
};

/// The tiebreaks by name.
const TIEBREAKS: [(&str, Tiebreak); 3] =
    [("random", Tiebreak::Random), ("first", Tiebreak::First), ("trap", Tiebreak::Trap)];

/// The variants by name.
const VARIANTS: [(&str, Variant); 3] =
    [("noughts", Variant::Noughts), ("tictactoe", Variant::TicTacToe), ("gomokufreestyle", Variant::GomokuFreestyle)];

/// An option: its name, what it accepts, and how it is set.
pub struct OptionSpec {
    /// The name as it is printed; it is read in any case.
    pub name: &'static str,
    /// The subject of the option.
    pub role: OptionRole,
    /// The type, with the value among these options in place of the default.
    type_with: fn(&Options) -> OptionType,
    /// Sets the option. `None`, with nothing changed, if it does not accept the text.
    set: fn(&mut Options, &str) -> Option<()>,
}

/// The subject of an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionRole {
    /// The game: setting it can begin another one, on the empty board.
    Game,
    /// The random numbers: setting it begins new ones.
    Seed,
    /// The memory that searches may take, in MiB.
    Memory,
    /// The threads that searches may use.
    Threads,
    /// The next answer only.
    Answer,
    /// A file for every line in and out. The edge of the session keeps it, not the engine.
    LogFile,
}

/// The type of an option of this engine or another, with its default.
#[derive(Clone, PartialEq, Debug)]
pub enum OptionType {
    /// A whole number from `min` to `max`.
    Spin {
        /// The value at first.
        default: i64,
        /// The least that is accepted.
        min: i64,
        /// The most that is accepted.
        max: i64,
    },
    /// `true` or `false`.
    Check {
        /// The value at first.
        default: bool,
    },
    /// One of several words, read in any case.
    Combo {
        /// The value at first.
        default: String,
        /// The words.
        choices: Vec<String>,
    },
    /// A finite number from 0 to `max`. Declared as text, because UCI knows no such type.
    Number {
        /// The value at first.
        default: f64,
        /// The most that is accepted.
        max: f64,
    },
    /// Any text.
    Text {
        /// The value at first.
        default: String,
    },
}

impl OptionType {
    /// The values that the option accepts, in words for people.
    fn accepted(&self) -> String {
        match self {
            OptionType::Spin { min, max, .. } => format!("a whole number from {min} to {max}"),
            OptionType::Check { .. } => "true or false".to_owned(),
            OptionType::Combo { choices, .. } => format!("one of {}", choices.join(", ")),
            OptionType::Number { max, .. } => format!("a finite number that is not negative, up to {max:e}"),
            OptionType::Text { .. } => "any text".to_owned(),
        }
    }

    /// The default as text.
    fn default_text(&self) -> String {
        match self {
            OptionType::Spin { default, .. } => default.to_string(),
            OptionType::Check { default } => default.to_string(),
            OptionType::Number { default, .. } => default.to_string(),
            OptionType::Combo { default, .. } | OptionType::Text { default } => default.clone(),
        }
    }
}

/// The values that an option accepts: a range of whole numbers or of other numbers, true or false, or one of several
/// names.
trait Accepted<T> {
    /// The type of the option, with this value as its default.
    fn type_with(&self, value: T) -> OptionType;

    /// The value that a text stands for, if it is accepted.
    fn read(&self, text: &str) -> Option<T>;
}

impl Accepted<u32> for RangeInclusive<u32> {
    fn type_with(&self, value: u32) -> OptionType {
        let [default, min, max] = [value, *self.start(), *self.end()].map(i64::from);
        OptionType::Spin { default, min, max }
    }

    fn read(&self, text: &str) -> Option<u32> {
        // `parse` alone would let a plus sign pass.
        let is_plain = text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|number| is_plain && self.contains(number))
    }
}

impl Accepted<f64> for RangeInclusive<f64> {
    fn type_with(&self, default: f64) -> OptionType {
        OptionType::Number { default, max: *self.end() }
    }

    fn read(&self, text: &str) -> Option<f64> {
        let number = text.parse().ok().filter(|number| self.contains(number))?;
        // Adding 0 takes the sign from a negative zero.
        Some(number + 0.0)
    }
}

struct TrueOrFalse;

impl Accepted<bool> for TrueOrFalse {
    fn type_with(&self, default: bool) -> OptionType {
        OptionType::Check { default }
    }

    fn read(&self, text: &str) -> Option<bool> {
        text.to_ascii_lowercase().parse().ok()
    }
}

impl<T: Copy + PartialEq, const N: usize> Accepted<T> for [(&str, T); N] {
    fn type_with(&self, value: T) -> OptionType {
        let choices = self.iter().map(|(name, _)| (*name).to_owned()).collect();
        OptionType::Combo { default: name_of(self, value).to_owned(), choices }
    }

    fn read(&self, text: &str) -> Option<T> {
        self.iter().find(|(name, _)| name.eq_ignore_ascii_case(text)).map(|(_, value)| *value)
    }
}

/// The name of a value in a table of names.
fn name_of<'a, T: Copy + PartialEq>(table: &[(&'a str, T)], value: T) -> &'a str {
    table.iter().find(|(_, named)| *named == value).map_or("", |(name, _)| name)
}

/// The effect of setting an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Changed {
    /// Another game is played from now on.
    Rules,
    /// The seed was set, perhaps to the value it had.
    Seed,
    /// Something that matters to the next answer only, or nothing.
    Other,
}

impl OptionSpec {
    /// All options that a client can name: those of the engine, and [`DEBUG_LOG`] behind them.
    pub fn all() -> impl Iterator<Item = &'static OptionSpec> {
        OPTIONS.iter().chain([&DEBUG_LOG])
    }

    /// The option of this name, in any case.
    pub fn named(name: &str) -> Option<&'static OptionSpec> {
        OptionSpec::all().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// The type of the option, with its default.
    pub fn option_type(&self) -> OptionType {
        (self.type_with)(&Options::default())
    }

    /// The value among these options, as text.
    fn value(&self, options: &Options) -> String {
        (self.type_with)(options).default_text()
    }
}

impl Options {
    /// Sets the option called `name`, in any case, to what `value` says.
    ///
    /// # Errors
    /// The options are unchanged when there is no such option or it does not accept the value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<Changed, OptionError> {
        let spec = OptionSpec::named(name).filter(|spec| spec.role != OptionRole::LogFile);
        let spec = spec.ok_or_else(|| OptionError::Unknown(Excerpt::of(name)))?;
        let (name, before, stays) = (spec.name, *self, spec.value(self));
        if (spec.set)(self, value).is_none() {
            let accepted = spec.option_type().accepted();
            let not = if value.is_empty() {
                "and no value was given".to_owned()
            } else {
                format!("not {}", Excerpt::of(value))
            };
            return Err(OptionError::Refused(format!("{name} accepts {accepted}, {not}; it stays {stays}")));
        }
        if spec.role == OptionRole::Memory
            && let Err(problem) = memory::check(self.hash)
        {
            *self = before;
            return Err(OptionError::Refused(format!("{name}: {problem}; it stays {stays}")));
        }
        if self.variant != before.variant {
            // A named game has as many columns as rows.
            if let Some(rules) = self.variant.rules() {
                (self.rules, self.columns) = (rules, 0);
            }
        } else if self.variant.rules().is_some_and(|rules| rules != self.rules) {
            // A named variant never changes by accident.
            *self = before;
            let variant = name_of(&VARIANTS, self.variant);
            return Err(OptionError::Refused(format!(
                "{name} belongs to the game that UCI_Variant {variant} names; it stays {stays}; set UCI_Variant to noughts first"
            )));
        }
        Ok(match spec.role {
            OptionRole::Seed => Changed::Seed,
            _ if self.rules != before.rules => Changed::Rules,
            _ => Changed::Other,
        })
    }

    /// Sets the options of the game to these rows, columns and number in a row. The same game stays as it was set, and
    /// `reverse` stays in any case.
    ///
    /// # Errors
    /// When one of them is not accepted. Those before it may be set then.
    pub fn set_game(&mut self, [rows, columns, connect]: [u32; 3]) -> Result<(), OptionError> {
        let (shape, length) = (self.rules.shape(), self.rules.line_length().map(u32::from));
        let is_same_length = length == Some(connect) || u32::from(self.rules.connect()) == connect;
        if [shape.rows, shape.columns].map(u32::from) == [rows, columns] && is_same_length {
            return Ok(());
        }
        let columns = if columns == rows { 0 } else { columns };
        for (name, value) in [("size", rows), ("columns", columns), ("connect", connect)] {
            self.set(name, &value.to_string())?;
        }
        Ok(())
    }
}

/// Why an option cannot be set.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum OptionError {
    /// There is no option of this name.
    #[error("there is no option {0}; nothing is changed")]
    Unknown(Excerpt),
    /// The option does not accept the value: a sentence with what it accepts or why not, and the value that it keeps.
    #[error("{0}")]
    Refused(String),
}

impl PlayerKind {
    /// All players, in the order in which the option `player` lists them.
    pub fn all() -> impl Iterator<Item = PlayerKind> {
        PLAYERS.iter().map(|(_, player)| *player)
    }

    /// The player that the option `player` knows by this name, in any case.
    pub fn named(name: &str) -> Option<PlayerKind> {
        PLAYERS.read(name)
    }

    /// The name that the option `player` has for it.
    pub fn name(self) -> &'static str {
        name_of(&PLAYERS, self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_accepts_its_default_and_its_limits_in_any_case() {
        for spec in OPTIONS {
            let values = match spec.option_type() {
                OptionType::Spin { default, min, max } => {
                    // A value that this machine cannot have is refused.
                    let machine = memory::mebibytes_of_machine().filter(|_| spec.role == OptionRole::Memory);
                    let most = machine.map_or(max, |mebibytes| max.min(mebibytes as i64));
                    [default, min, most].map(|number| number.to_string()).into()
                }
                OptionType::Check { default } => vec![default.to_string(), "TRUE".into(), "False".into()],
                OptionType::Combo { default, choices } => {
                    choices.iter().map(|choice| choice.to_ascii_uppercase()).chain([default]).collect()
                }
                OptionType::Number { default, max } => {
                    vec![default.to_string(), "0".into(), "-0".into(), "2.5".into(), max.to_string()]
                }
                OptionType::Text { .. } => panic!("no option of the engine is a text"),
            };
            for value in values {
                let mut options = Options::default();
                assert!(options.set(&spec.name.to_ascii_uppercase(), &value).is_ok(), "{} {value}", spec.name);
                assert!(options.set(spec.name, &spec.value(&options)).is_ok(), "{} {value}", spec.name);
            }
        }
    }

    #[test]
    fn a_refused_value_changes_nothing_and_the_option_is_named() {
        for spec in OPTIONS {
            let wrong: &[&str] = match spec.option_type() {
                OptionType::Spin { .. } => &["", "x", "-1", "+1", "1.5", "4294967296", "99999999999999999999999"],
                OptionType::Check { .. } => &["", "yes", "1", "truee"],
                OptionType::Combo { .. } => &["", "best", "auto random"],
                OptionType::Number { .. } => &["", "-1", "nan", "inf", "1e999", "1.0000000000000002e100", "one"],
                OptionType::Text { .. } => panic!("no option of the engine is a text"),
            };
            for value in wrong {
                let mut options = Options::default();
                let error = options.set(spec.name, value).unwrap_err().to_string();
                assert!(error.contains(spec.name) && error.contains("it stays"), "{error}");
                assert_eq!(options, Options::default(), "{} {value}", spec.name);
            }
        }
        assert!(Options::default().set("sise", "3").unwrap_err().to_string().contains("\"sise\""));
    }

    #[test]
    fn more_memory_than_the_machine_has_is_refused_and_changes_nothing() {
        let spec = OPTIONS.iter().find(|spec| spec.name == "Hash").expect("there is this option");
        let OptionType::Spin { max, .. } = spec.option_type() else { panic!("Hash is a number") };
        let Some(machine) = memory::mebibytes_of_machine().filter(|&mebibytes| mebibytes < max as u64) else {
            // This machine has enough for every value, or its memory is unknown.
            return assert_eq!(Options::default().set("Hash", &max.to_string()), Ok(Changed::Other));
        };
        let mut options = Options::default();
        let error = options.set("Hash", &(machine + 1).to_string()).unwrap_err().to_string();
        let expected = format!(
            "Hash: {} MiB are more than the {machine} MiB of memory that this machine has; it stays 64",
            machine + 1
        );
        assert_eq!(error, expected);
        assert_eq!(options, Options::default());
        assert_eq!(options.set("Hash", &machine.to_string()), Ok(Changed::Other));
    }

    #[test]
    fn only_a_different_rule_is_a_change_of_the_rules() {
        let mut options = Options::default();
        assert_eq!(options.set("size", "3"), Ok(Changed::Other));
        assert_eq!(options.set("size", "4"), Ok(Changed::Rules));
        assert_eq!(options.set("connect", "4"), Ok(Changed::Rules));
        assert_eq!(options.set("reverse", "false"), Ok(Changed::Other));
        assert_eq!(options.set("seed", "0"), Ok(Changed::Seed));
    }
}
