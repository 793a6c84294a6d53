//! The table of the options: their names, what they accept, how they are set.
//!
//! What else has to be known of an option (does it choose the game? what does it take of the machine?) is a flag in this
//! table.

use thiserror::Error;

use crate::system::memory::{self, TooMuchMemory};
use crate::text::Excerpt;
use noughts_core::game::{MAX_CONNECT, MAX_SIZE};
use noughts_core::search::{Level, Textbook, Tiebreak};

use super::option_spec::OptionAccess::{Check, Combo, Number, Spin};
use super::option_spec::{Changed, OptionKind, OptionSpec, Resource};
use super::options::{LARGEST_SPIN, Options, PlayerKind, Variant};

/// All options of the engine, in the order in which they are listed.
pub static OPTIONS: &[OptionSpec] = &[
    OptionSpec::new(
        "size",
        Spin {
            min: 1,
            max: MAX_SIZE as u32,
            get: |options| options.rules.size().into(),
            set: |options, size| options.set_rules(size, options.rules.connect().into(), options.rules.reverse()),
        },
    )
    .choosing_game(),
    OptionSpec::new(
        "connect",
        Spin {
            min: 0,
            max: MAX_CONNECT as u32,
            get: |options| options.rules.connect().into(),
            set: |options, connect| options.set_rules(options.rules.size().into(), connect, options.rules.reverse()),
        },
    )
    .choosing_game(),
    OptionSpec::new(
        "reverse",
        Check {
            get: |options| options.rules.reverse(),
            set: |options, reverse| {
                options.set_rules(options.rules.size().into(), options.rules.connect().into(), reverse);
            },
        },
    )
    .choosing_game(),
    OptionSpec::new(
        "player",
        Combo {
            choices: &PLAYER_NAMES,
            get: |options| PLAYERS.iter().position(|(_, player)| *player == options.player).unwrap_or(0),
            set: |options, index| options.player = PLAYERS[index].1,
        },
    ),
    OptionSpec::new(
        "level",
        Spin {
            min: Level::LEAST.number() as u32,
            max: Level::FULL.number() as u32,
            get: |options| options.level.number().into(),
            set: |options, level| options.level = Level::new(level as u8),
        },
    ),
    OptionSpec::new(
        "trials",
        Spin {
            min: 1,
            max: LARGEST_SPIN,
            get: |options| options.trials,
            set: |options, trials| options.trials = trials,
        },
    ),
    OptionSpec::new(
        "max_trials",
        Spin {
            min: 0,
            max: LARGEST_SPIN,
            get: |options| options.max_trials,
            set: |options, trials| options.max_trials = trials,
        },
    ),
    OptionSpec::new(
        "score_current",
        Number {
            max: MOST_POINTS,
            get: |options| options.weights.current,
            set: |options, points| options.weights.current = points,
        },
    ),
    OptionSpec::new(
        "score_other",
        Number {
            max: MOST_POINTS,
            get: |options| options.weights.other,
            set: |options, points| options.weights.other = points,
        },
    ),
    OptionSpec::new(
        "seed",
        Spin { min: 0, max: LARGEST_SPIN, get: |options| options.seed, set: |options, seed| options.seed = seed },
    )
    .choosing_seed(),
    OptionSpec::new(
        "tiebreak",
        Combo {
            choices: &["random", "first", "trap"],
            get: |options| options.tiebreak as usize,
            set: |options, index| options.tiebreak = [Tiebreak::Random, Tiebreak::First, Tiebreak::Trap][index],
        },
    ),
    OptionSpec::new(
        "MultiPV",
        Spin {
            min: 1,
            max: MAX_SIZE as u32 * MAX_SIZE as u32,
            get: |options| options.multi_pv,
            set: |options, lines| options.multi_pv = lines,
        },
    ),
    OptionSpec::new(
        "Hash",
        Spin { min: 1, max: 65_536, get: |options| options.hash, set: |options, mebibytes| options.hash = mebibytes },
    )
    .taking(Resource::Memory),
    OptionSpec::new(
        "Threads",
        Spin {
            min: 1,
            max: MOST_THREADS,
            get: |options| options.threads,
            set: |options, threads| options.threads = threads,
        },
    )
    .taking(Resource::Threads),
    OptionSpec::new(
        "Move Overhead",
        Spin {
            min: 0,
            max: MOST_OVERHEAD,
            get: |options| options.move_overhead,
            set: |options, milliseconds| options.move_overhead = milliseconds,
        },
    ),
    OptionSpec::new(
        "UCI_Variant",
        Combo {
            choices: &VARIANT_NAMES,
            get: |options| options.variant as usize,
            set: |options, index| options.set_variant(VARIANTS[index].1),
        },
    )
    .choosing_game(),
];

/// An option that a client can name.
#[derive(Clone, Copy)]
pub enum KnownOption {
    /// An option of the engine.
    Engine(&'static OptionSpec),
    /// `Debug Log File`: a file for every line in and out. The edge of the session keeps it, not the engine.
    DebugLog,
}

impl KnownOption {
    /// All of them, in the order in which they are listed.
    pub fn all() -> impl Iterator<Item = KnownOption> {
        OPTIONS.iter().map(KnownOption::Engine).chain([KnownOption::DebugLog])
    }

    /// The option of this name, in any case.
    pub fn named(name: &str) -> Option<KnownOption> {
        KnownOption::all().find(|option| option.name().eq_ignore_ascii_case(name))
    }

    /// The name as it is printed.
    pub fn name(self) -> &'static str {
        match self {
            KnownOption::Engine(spec) => spec.name,
            KnownOption::DebugLog => "Debug Log File",
        }
    }

    /// True if the option decides which game is played: setting it can begin another game, on the empty board.
    pub fn chooses_game(self) -> bool {
        matches!(self, KnownOption::Engine(spec) if spec.chooses_game())
    }

    /// What the option takes of the machine, if it takes more the larger its value is.
    pub fn resource(self) -> Option<Resource> {
        match self {
            KnownOption::Engine(spec) => spec.resource,
            KnownOption::DebugLog => None,
        }
    }
}

impl Options {
    /// Sets the option called `name`, in any case, to what `value` says.
    ///
    /// # Errors
    /// The options are unchanged when there is no such option or it does not accept the value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<Changed, OptionError> {
        let Some(KnownOption::Engine(spec)) = KnownOption::named(name) else {
            return Err(OptionError::Unknown { name: Excerpt::of(name) });
        };
        let before = *self;
        if spec.access.write(self, value).is_none() {
            let stays = spec.access.read(self);
            let found = (!value.is_empty()).then(|| Excerpt::of(value));
            return Err(OptionError::Value { name: spec.name, kind: spec.kind(), found, stays });
        }
        if spec.resource == Some(Resource::Memory)
            && let Err(problem) = memory::check(self.hash)
        {
            *self = before;
            return Err(OptionError::Memory { name: spec.name, problem, stays: spec.access.read(self) });
        }
        // A named variant never changes by accident.
        if self.variant.rules().is_some_and(|rules| rules != self.rules) {
            let variant = VARIANTS[self.variant as usize].0;
            *self = before;
            return Err(OptionError::Variant { name: spec.name, variant, stays: spec.access.read(self) });
        }
        Ok(match spec.changes {
            Changed::Rules if self.rules == before.rules => Changed::Other,
            changed => changed,
        })
    }
}

/// Why an option cannot be set.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum OptionError {
    /// There is no option of this name.
    #[error("there is no option {name}; nothing is changed")]
    Unknown {
        /// The name.
        name: Excerpt,
    },
    /// The option does not accept the value.
    #[error("{name} accepts {kind}, {}; it stays {stays}", not(found.as_ref()))]
    Value {
        /// The option.
        name: &'static str,
        /// What it accepts.
        kind: OptionKind,
        /// The value, or `None` when there was none.
        found: Option<Excerpt>,
        /// The value that it keeps.
        stays: String,
    },
    /// The machine has less memory than that.
    #[error("{name}: {problem}; it stays {stays}")]
    Memory {
        /// The option.
        name: &'static str,
        /// What was asked for, and what there is.
        problem: TooMuchMemory,
        /// The value that it keeps.
        stays: String,
    },
    /// The value would choose another game than the one that `UCI_Variant` names.
    #[error(
        "{name} belongs to the game that UCI_Variant {variant} names; it stays {stays}; set UCI_Variant to noughts first"
    )]
    Variant {
        /// The option.
        name: &'static str,
        /// The variant.
        variant: &'static str,
        /// The value that it keeps.
        stays: String,
    },
}

fn not(found: Option<&Excerpt>) -> String {
    found.map_or_else(|| "and no value was given".to_owned(), |found| format!("not {found}"))
}

/// The most that `score_current` and `score_other` can ask for. No search plays more than 2^64 playouts, and each of them
/// gives a square the points once at most. So every total is below 1e120, and far from the largest number of an `f64`.
const MOST_POINTS: f64 = 1e100;

/// The most that the option `Move Overhead` can ask for.
const MOST_OVERHEAD: u32 = 5_000;

/// The most threads that the option `Threads` can ask for.
const MOST_THREADS: u32 = 256;

/// The players by name.
const PLAYERS: [(&str, PlayerKind); 13] = {
    const fn textbook(search: Textbook) -> (&'static str, PlayerKind) {
        (search.name(), PlayerKind::Textbook(search))
    }
    [
        ("auto", PlayerKind::Auto),
        ("perfect", PlayerKind::Perfect),
        ("montecarlo", PlayerKind::MonteCarlo),
        ("montecarlolimit", PlayerKind::MonteCarloLimit),
        ("mcts", PlayerKind::Mcts),
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

const PLAYER_NAMES: [&str; PLAYERS.len()] = names(&PLAYERS);

const VARIANT_NAMES: [&str; VARIANTS.len()] = names(&VARIANTS);

/// The variants by name.
const VARIANTS: [(&str, Variant); 3] =
    [("noughts", Variant::Noughts), ("tictactoe", Variant::TicTacToe), ("gomokufreestyle", Variant::GomokuFreestyle)];

/// The names of a table.
const fn names<T: Copy, const N: usize>(table: &[(&'static str, T); N]) -> [&'static str; N] {
    let mut names = [""; N];
    let mut index = 0;
    while index < N {
        names[index] = table[index].0;
        index += 1;
    }
    names
}

impl PlayerKind {
    /// All players, in the order in which the option `player` lists them.
    pub fn all() -> impl Iterator<Item = PlayerKind> {
        PLAYERS.iter().map(|(_, player)| *player)
    }

    /// The player that the option `player` knows by this name, in any case.
    pub fn named(name: &str) -> Option<PlayerKind> {
        PLAYERS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, player)| *player)
    }

    /// The name that the option `player` has for it.
    pub fn name(self) -> &'static str {
        PLAYERS.iter().find(|(_, player)| *player == self).map_or("", |(name, _)| name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_accepts_its_default_and_its_limits_in_any_case() {
        for spec in OPTIONS {
            let values = match spec.kind() {
                OptionKind::Spin { default, min, max } => {
                    // A value that this machine cannot have is refused.
                    let machine = memory::mebibytes_of_machine().filter(|_| spec.resource == Some(Resource::Memory));
                    let most = machine.map_or(max, |mebibytes| max.min(mebibytes as u32));
                    [default, min, most].map(|number| number.to_string()).into()
                }
                OptionKind::Check { default } => vec![default.to_string(), "TRUE".into(), "False".into()],
                OptionKind::Combo { default, choices } => {
                    choices.iter().map(|choice| choice.to_ascii_uppercase()).chain([default.into()]).collect()
                }
                OptionKind::Number { default, max } => {
                    vec![default.to_string(), "0".into(), "-0".into(), "2.5".into(), max.to_string()]
                }
            };
            for value in values {
                let mut options = Options::default();
                assert!(options.set(&spec.name.to_ascii_uppercase(), &value).is_ok(), "{} {value}", spec.name);
                assert!(options.set(spec.name, &spec.access.read(&options)).is_ok(), "{} {value}", spec.name);
            }
        }
    }

    #[test]
    fn a_refused_value_changes_nothing_and_the_option_is_named() {
        for spec in OPTIONS {
            let wrong: &[&str] = match spec.kind() {
                OptionKind::Spin { .. } => &["", "x", "-1", "+1", "1.5", "4294967296", "99999999999999999999999"],
                OptionKind::Check { .. } => &["", "yes", "1", "truee"],
                OptionKind::Combo { .. } => &["", "best", "auto random"],
                OptionKind::Number { .. } => &["", "-1", "nan", "inf", "1e999", "1.0000000000000002e100", "one"],
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
        let OptionKind::Spin { max, .. } = spec.kind() else { panic!("Hash is a number") };
        let Some(machine) = memory::mebibytes_of_machine().filter(|&mebibytes| mebibytes < max.into()) else {
            // This machine has enough for every value, or does not say what it has.
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
