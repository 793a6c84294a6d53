//! What an option is: its name, what it accepts, how it is read and written.

use std::fmt;

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

/// What an option takes of the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Resource {
    /// Memory, in MiB.
    Memory,
    /// Threads.
    Threads,
}

/// An option: its name and what it accepts.
pub struct OptionSpec {
    /// The name as it is printed; it is read in any case.
    pub name: &'static str,
    /// What changes when it is set to another value.
    pub(super) changes: Changed,
    /// What it takes of the machine, if it takes more the larger its value is.
    pub(super) resource: Option<Resource>,
    pub(super) access: OptionAccess,
}

impl OptionSpec {
    /// An option that matters to the next answer only.
    pub(super) const fn new(name: &'static str, access: OptionAccess) -> OptionSpec {
        OptionSpec { name, changes: Changed::Other, resource: None, access }
    }

    /// The same option; setting it can choose another game.
    pub(super) const fn choosing_game(mut self) -> OptionSpec {
        self.changes = Changed::Rules;
        self
    }

    /// The same option; setting it begins new random numbers.
    pub(super) const fn choosing_seed(mut self) -> OptionSpec {
        self.changes = Changed::Seed;
        self
    }

    /// The same option; the larger its value is, the more it takes of the machine.
    pub(super) const fn taking(mut self, resource: Resource) -> OptionSpec {
        self.resource = Some(resource);
        self
    }

    /// True if the option decides which game is played: setting it can begin another game, on the empty board.
    pub fn chooses_game(&self) -> bool {
        self.changes == Changed::Rules
    }

    /// What the option takes of the machine, if it takes more the larger its value is.
    pub fn resource(&self) -> Option<Resource> {
        self.resource
    }

    /// The type of the option, with its default.
    pub fn kind(&self) -> OptionKind {
        let defaults = Options::default();
        match self.access {
            OptionAccess::Spin { min, max, get, .. } => OptionKind::Spin { default: get(&defaults), min, max },
            OptionAccess::Check { get, .. } => OptionKind::Check { default: get(&defaults) },
            OptionAccess::Combo { choices, get, .. } => OptionKind::Combo { default: choices[get(&defaults)], choices },
            OptionAccess::Number { max, get, .. } => OptionKind::Number { default: get(&defaults), max },
        }
    }
}

/// The type of an option, with its default.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum OptionKind {
    /// A whole number from `min` to `max`.
    Spin {
        /// The value at first.
        default: u32,
        /// The least that is accepted.
        min: u32,
        /// The most that is accepted.
        max: u32,
    },
    /// `true` or `false`.
    Check {
        /// The value at first.
        default: bool,
    },
    /// One of several words, read in any case.
    Combo {
        /// The value at first.
        default: &'static str,
        /// The words.
        choices: &'static [&'static str],
    },
    /// A finite number from 0 to `max`. Declared as a string, because UCI knows no such type.
    Number {
        /// The value at first.
        default: f64,
        /// The most that is accepted.
        max: f64,
    },
}

/// What the option accepts, for people.
impl fmt::Display for OptionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionKind::Spin { min, max, .. } => write!(f, "a whole number from {min} to {max}"),
            OptionKind::Check { .. } => f.write_str("true or false"),
            OptionKind::Combo { choices, .. } => write!(f, "one of {}", choices.join(", ")),
            OptionKind::Number { max, .. } => write!(f, "a finite number that is not negative, up to {max:e}"),
        }
    }
}

/// How an option is read and written.
pub(super) enum OptionAccess {
    Spin { min: u32, max: u32, get: fn(&Options) -> u32, set: fn(&mut Options, u32) },
    Check { get: fn(&Options) -> bool, set: fn(&mut Options, bool) },
    Combo { choices: &'static [&'static str], get: fn(&Options) -> usize, set: fn(&mut Options, usize) },
    Number { max: f64, get: fn(&Options) -> f64, set: fn(&mut Options, f64) },
}

impl OptionAccess {
    /// The value as text.
    pub fn read(&self, options: &Options) -> String {
        match self {
            OptionAccess::Spin { get, .. } => get(options).to_string(),
            OptionAccess::Check { get, .. } => get(options).to_string(),
            OptionAccess::Combo { choices, get, .. } => choices[get(options)].to_owned(),
            OptionAccess::Number { get, .. } => get(options).to_string(),
        }
    }

    /// Sets the option. `None`, with nothing changed, if it does not accept the text.
    pub fn write(&self, options: &mut Options, text: &str) -> Option<()> {
        match self {
            OptionAccess::Spin { min, max, set, .. } => {
                // `parse` alone would let a plus sign pass.
                let number = text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()))?;
                (*min..=*max).contains(&number).then(|| set(options, number))?;
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
        }
        Some(())
    }
}
