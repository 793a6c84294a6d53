//! What an option is: its name, what it accepts, how it is read and written.

use std::ops::RangeInclusive;

use super::options::Options;

/// What setting an option has changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Changed {
    /// Another game is played from now on.
    Rules,
    /// The seed was set, perhaps to the value it had.
    Seed,
    /// Something that matters to the next answer only, or nothing.
    Other,
}

/// What an option is about.
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

/// An option: its name and what it accepts.
pub struct OptionSpec {
    /// The name as it is printed; it is read in any case.
    pub name: &'static str,
    /// What it is about.
    pub role: OptionRole,
    pub(super) access: OptionAccess,
}

impl OptionSpec {
    /// The type of the option, with its default.
    pub fn option_type(&self) -> OptionType {
        let defaults = Options::default();
        match &self.access {
            OptionAccess::Spin { range, get, .. } => {
                let [default, min, max] = [get(&defaults), *range.start(), *range.end()].map(i64::from);
                OptionType::Spin { default, min, max }
            }
            OptionAccess::Check { get, .. } => OptionType::Check { default: get(&defaults) },
            OptionAccess::Combo { choices, get, .. } => OptionType::Combo {
                default: choices[get(&defaults)].to_owned(),
                choices: choices.iter().map(|&choice| choice.to_owned()).collect(),
            },
            OptionAccess::Number { max, get, .. } => OptionType::Number { default: get(&defaults), max: *max },
            OptionAccess::Elsewhere => OptionType::Text { default: String::new() },
        }
    }
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
    /// What the option accepts, for people.
    pub fn accepted(&self) -> String {
        match self {
            OptionType::Spin { min, max, .. } => format!("a whole number from {min} to {max}"),
            OptionType::Check { .. } => "true or false".to_owned(),
            OptionType::Combo { choices, .. } => format!("one of {}", choices.join(", ")),
            OptionType::Number { max, .. } => format!("a finite number that is not negative, up to {max:e}"),
            OptionType::Text { .. } => "any text".to_owned(),
        }
    }
}

/// How an option is read and written.
pub(super) enum OptionAccess {
    Spin {
        range: RangeInclusive<u32>,
        get: fn(&Options) -> u32,
        set: fn(&mut Options, u32),
    },
    Check {
        get: fn(&Options) -> bool,
        set: fn(&mut Options, bool),
    },
    Combo {
        choices: &'static [&'static str],
        get: fn(&Options) -> usize,
        set: fn(&mut Options, usize),
    },
    Number {
        max: f64,
        get: fn(&Options) -> f64,
        set: fn(&mut Options, f64),
    },
    /// The value is no part of [`Options`].
    Elsewhere,
}

impl OptionAccess {
    /// The value as text.
    pub fn read(&self, options: &Options) -> String {
        match self {
            OptionAccess::Spin { get, .. } => get(options).to_string(),
            OptionAccess::Check { get, .. } => get(options).to_string(),
            OptionAccess::Combo { choices, get, .. } => choices[get(options)].to_owned(),
            OptionAccess::Number { get, .. } => get(options).to_string(),
            OptionAccess::Elsewhere => String::new(),
        }
    }

    /// Sets the option. `None`, with nothing changed, if it does not accept the text.
    pub fn write(&self, options: &mut Options, text: &str) -> Option<()> {
        match self {
            OptionAccess::Spin { range, set, .. } => {
                // `parse` alone would let a plus sign pass.
                let number = text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()))?;
                range.contains(&number).then(|| set(options, number))?;
            }
            OptionAccess::Check { set, .. } => set(options, text.to_ascii_lowercase().parse().ok()?),
            OptionAccess::Combo { choices, set, .. } => {
                set(options, choices.iter().position(|choice| choice.eq_ignore_ascii_case(text))?);
            }
            OptionAccess::Number { max, set, .. } => {
                let number: f64 = text.parse().ok()?;
                // Adding 0 takes the sign from a negative zero.
                (0.0..=*max).contains(&number).then(|| set(options, number + 0.0))?;
            }
            OptionAccess::Elsewhere => return None,
        }
        Some(())
    }
}
