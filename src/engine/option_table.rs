//! The table of the options: their names, what they are about, what they accept, how they are set.

use std::ops::RangeInclusive;

use thiserror::Error;

use crate::system::memory::{self, TooMuchMemory};
use crate::text::Excerpt;
use noughts_core::game::{MAX_CONNECT, MAX_SIZE};
use noughts_core::search::{Level, Textbook, Tiebreak};

use super::option_spec::OptionRole::{Answer, Game, Memory, Seed, Threads};
use super::option_spec::{Changed, OptionAccess, OptionRole, OptionSpec};
use super::options::{LARGEST_SPIN, Options, PlayerKind, Variant};

/// All options of the engine, in the order in which they are listed.
pub static OPTIONS: &[OptionSpec] = &[
    spin(
        "size",
        Game,
        1..=MAX_SIZE as u32,
        |options| options.rules.size().into(),
        |options, size| options.set_rules(size, options.rules.connect().into(), options.rules.reverse()),
    ),
    spin(
        "connect",
        Game,
        0..=MAX_CONNECT as u32,
        |options| options.rules.connect().into(),
        |options, connect| options.set_rules(options.rules.size().into(), connect, options.rules.reverse()),
    ),
    check(
        "reverse",
        Game,
        |options| options.rules.reverse(),
        |options, reverse| options.set_rules(options.rules.size().into(), options.rules.connect().into(), reverse),
    ),
    combo(
        "player",
        Answer,
        &PLAYER_NAMES,
        |options| PLAYERS.iter().position(|(_, player)| *player == options.player).unwrap_or(0),
        |options, index| options.player = PLAYERS[index].1,
    ),
    spin(
        "level",
        Answer,
        Level::LEAST.number() as u32..=Level::FULL.number() as u32,
        |options| options.level.number().into(),
        |options, level| options.level = Level::new(level as u8),
    ),
    spin("trials", Answer, 1..=LARGEST_SPIN, Options::trials, |options, trials| options.trials = Some(trials)),
    spin(
        "max_trials",
        Answer,
        0..=LARGEST_SPIN,
        |options| options.max_trials,
        |options, most| options.max_trials = most,
    ),
    number("score_current", |options| options.weights.current, |options, points| options.weights.current = points),
    number("score_other", |options| options.weights.other, |options, points| options.weights.other = points),
    number("exploration", |options| options.exploration, |options, constant| options.exploration = constant),
    spin("seed", Seed, 0..=LARGEST_SPIN, |options| options.seed, |options, seed| options.seed = seed),
    combo(
        "tiebreak",
        Answer,
        &["random", "first", "trap"],
        |options| options.tiebreak as usize,
        |options, index| options.tiebreak = [Tiebreak::Random, Tiebreak::First, Tiebreak::Trap][index],
    ),
    spin("MultiPV", Answer, 1..=MOST_MOVES, |options| options.multi_pv, |options, moves| options.multi_pv = moves),
    spin("Hash", Memory, 1..=65_536, |options| options.hash, |options, mebibytes| options.hash = mebibytes),
    spin("Threads", Threads, 1..=MOST_THREADS, |options| options.threads, |options, threads| options.threads = threads),
    spin(
        "Move Overhead",
        Answer,
        0..=MOST_OVERHEAD,
        |options| options.move_overhead,
        |options, milliseconds| options.move_overhead = milliseconds,
    ),
    combo(
        "UCI_Variant",
        Game,
        &VARIANT_NAMES,
        |options| options.variant as usize,
        |options, index| options.set_variant(VARIANTS[index].1),
    ),
];

const fn spin(
    name: &'static str,
    role: OptionRole,
    range: RangeInclusive<u32>,
    get: fn(&Options) -> u32,
    set: fn(&mut Options, u32),
) -> OptionSpec {
    OptionSpec { name, role, access: OptionAccess::Spin { range, get, set } }
}

const fn check(
    name: &'static str,
    role: OptionRole,
    get: fn(&Options) -> bool,
    set: fn(&mut Options, bool),
) -> OptionSpec {
    OptionSpec { name, role, access: OptionAccess::Check { get, set } }
}

const fn combo(
    name: &'static str,
    role: OptionRole,
    choices: &'static [&'static str],
    get: fn(&Options) -> usize,
    set: fn(&mut Options, usize),
) -> OptionSpec {
    OptionSpec { name, role, access: OptionAccess::Combo { choices, get, set } }
}

const fn number(name: &'static str, get: fn(&Options) -> f64, set: fn(&mut Options, f64)) -> OptionSpec {
    OptionSpec { name, role: Answer, access: OptionAccess::Number { max: MOST_POINTS, get, set } }
}

/// `Debug Log File`.
pub static DEBUG_LOG: OptionSpec =
    OptionSpec { name: "Debug Log File", role: OptionRole::LogFile, access: OptionAccess::Elsewhere };

impl OptionSpec {
    /// All options that a client can name: those of the engine, and [`DEBUG_LOG`] behind them.
    pub fn all() -> impl Iterator<Item = &'static OptionSpec> {
        OPTIONS.iter().chain([&DEBUG_LOG])
    }

    /// The option of this name, in any case.
    pub fn named(name: &str) -> Option<&'static OptionSpec> {
        OptionSpec::all().find(|option| option.name.eq_ignore_ascii_case(name))
    }
}

impl Options {
    /// Sets the option called `name`, in any case, to what `value` says.
    ///
    /// # Errors
    /// The options are unchanged when there is no such option or it does not accept the value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<Changed, OptionError> {
        let spec = OptionSpec::named(name).filter(|spec| spec.role != OptionRole::LogFile);
        let spec = spec.ok_or_else(|| OptionError::Unknown { name: Excerpt::of(name) })?;
        let before = *self;
        if spec.access.write(self, value).is_none() {
            let stays = spec.access.read(self);
            let found = (!value.is_empty()).then(|| Excerpt::of(value));
            return Err(OptionError::Value { name: spec.name, accepted: spec.option_type().accepted(), found, stays });
        }
        if spec.role == Memory
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
        Ok(match spec.role {
            Seed => Changed::Seed,
            _ if self.rules != before.rules => Changed::Rules,
            _ => Changed::Other,
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
    #[error("{name} accepts {accepted}, {}; it stays {stays}", not(found.as_ref()))]
    Value {
        /// The option.
        name: &'static str,
        /// What it accepts.
        accepted: String,
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
    use crate::engine::OptionType;

    #[test]
    fn every_option_accepts_its_default_and_its_limits_in_any_case() {
        for spec in OPTIONS {
            let values = match spec.option_type() {
                OptionType::Spin { default, min, max } => {
                    // A value that this machine cannot have is refused.
                    let machine = memory::mebibytes_of_machine().filter(|_| spec.role == Memory);
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
                assert!(options.set(spec.name, &spec.access.read(&options)).is_ok(), "{} {value}", spec.name);
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
