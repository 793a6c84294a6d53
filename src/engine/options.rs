//! The options of the engine: what they are called, what they accept, and their values.

use std::fmt;

use crate::text::Excerpt;
use noughts_core::game::{Cell, MAX_CONNECT, MAX_SIZE, MoveText, Notation, Rules};
use noughts_core::search::{Level, Textbook, Tiebreak, Weights};

/// Which player answers.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum PlayerKind {
    /// A short try at a proof, else Monte Carlo tree search.
    #[default]
    Auto,
    /// Perfect play wherever a proof fits in the limits.
    Perfect,
    /// Flat Monte Carlo.
    MonteCarlo,
    /// Flat Monte Carlo with infinitely many trials, on boards where that is known.
    MonteCarloLimit,
    /// Monte Carlo tree search.
    Mcts,
    /// Uniform over the empty squares.
    Random,
    /// A search of the textbooks.
    Textbook(Textbook),
}

impl PlayerKind {
    /// Whether the player tries to prove what it plays, wherever it can.
    pub fn proves(self) -> bool {
        matches!(self, PlayerKind::Auto | PlayerKind::Perfect | PlayerKind::Mcts)
    }

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

/// A game by the name that programs for chess variants know it by.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Variant {
    /// Whatever `size`, `connect` and `reverse` say.
    #[default]
    Noughts,
    /// 3x3, three in a row wins.
    TicTacToe,
    /// 15x15, five or more in a row win.
    GomokuFreestyle,
}

impl Variant {
    /// The rules that the name stands for; `None` when it leaves them open.
    pub fn rules(self) -> Option<Rules> {
        let (size, connect) = match self {
            Variant::Noughts => return None,
            Variant::TicTacToe => (3, 0),
            Variant::GomokuFreestyle => (15, 5),
        };
        Rules::new(size, connect, false).ok()
    }

    fn notation(self) -> Notation {
        if self == Variant::Noughts { Notation::RowColumn } else { Notation::Drop }
    }
}

/// The variants by name.
const VARIANTS: [(&str, Variant); 3] =
    [("noughts", Variant::Noughts), ("tictactoe", Variant::TicTacToe), ("gomokufreestyle", Variant::GomokuFreestyle)];

/// The values of all options.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Options {
    /// `size`, `connect` and `reverse`: the game.
    pub rules: Rules,
    /// `player`.
    pub player: PlayerKind,
    /// `level`: how strong the players are that look for good moves.
    pub level: Level,
    /// `trials`: playouts of a `go` without any limit, at least 1.
    pub trials: u32,
    /// `max_trials`: the most playouts of any search, whatever its limits; 0 for no such bound.
    pub max_trials: u32,
    /// `score_current` and `score_other`.
    pub weights: Weights,
    /// `seed`: where random numbers start; 0 asks the operating system for a start.
    pub seed: u32,
    /// `tiebreak`.
    pub tiebreak: Tiebreak,
    /// `MultiPV`: how many of the best moves to report, at least 1.
    pub multi_pv: u32,
    /// `Hash`: the most memory for what a search remembers, proofs and tree together, in MiB (2^20 bytes), 1 to 65,536.
    pub hash: u32,
    /// `Threads`: on how many threads large numbers of playouts are played, at least 1.
    pub threads: u32,
    /// `Move Overhead`: time that is kept back from every limit of time, in milliseconds.
    pub move_overhead: u32,
    /// `UCI_Variant`: the game by name, and how its moves are printed.
    pub variant: Variant,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            rules: Rules::default(),
            player: PlayerKind::default(),
            level: Level::FULL,
            trials: 1000,
            max_trials: 0,
            weights: Weights::default(),
            seed: 0,
            tiebreak: Tiebreak::default(),
            multi_pv: 1,
            hash: 64,
            threads: 1,
            move_overhead: MOVE_OVERHEAD,
            variant: Variant::default(),
        }
    }
}

impl Options {
    fn set_rules(&mut self, size: u32, connect: u32, reverse: bool) {
        self.rules = Rules::new(size as u8, connect as u16, reverse).expect("the ranges of the options are the rules'");
    }

    /// Bytes that proofs may take: all of `Hash` where nothing else needs it, else half.
    pub fn proof_bytes(&self) -> usize {
        ((self.hash as usize) << 20) - self.tree_bytes()
    }

    /// Bytes that the tree may take: half of `Hash`, or nothing for a player that grows none but proves.
    pub fn tree_bytes(&self) -> usize {
        if self.player == PlayerKind::Perfect { 0 } else { (self.hash as usize) << 19 }
    }

    /// A move as it is printed.
    pub fn write_move(&self, cell: Cell) -> MoveText {
        self.variant.notation().write(cell, self.rules.size())
    }

    fn set_variant(&mut self, variant: Variant) {
        self.variant = variant;
        self.rules = variant.rules().unwrap_or(self.rules);
    }

    /// Sets the option called `name`, in any case, to what `value` says.
    ///
    /// # Errors
    /// The options are unchanged when there is no such option or it does not accept the value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<Changed, OptionError> {
        let spec = OPTIONS
            .iter()
            .find(|spec| spec.name.eq_ignore_ascii_case(name))
            .ok_or_else(|| OptionError::Unknown { name: Excerpt::of(name) })?;
        let before = *self;
        if spec.slot.write(self, value).is_none() {
            let stays = spec.slot.read(self);
            let found = (!value.is_empty()).then(|| Excerpt::of(value));
            return Err(OptionError::Value { name: spec.name, kind: spec.kind(), found, stays });
        }
        // Whoever has named the game must not find himself in another.
        if self.variant.rules().is_some_and(|rules| rules != self.rules) {
            let variant = VARIANTS[self.variant as usize].0;
            *self = before;
            return Err(OptionError::Variant { name: spec.name, variant, stays: spec.slot.read(self) });
        }
        Ok(match spec.about {
            Changed::Rules if self.rules == before.rules => Changed::Other,
            about => about,
        })
    }
}

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

/// An option: its name and what it accepts.
pub struct OptionSpec {
    /// The name as it is printed; it is read in any case.
    pub name: &'static str,
    /// What changes when it is set to another value.
    about: Changed,
    slot: Slot,
}

impl OptionSpec {
    /// The type of the option, with its default.
    pub fn kind(&self) -> OptionKind {
        let defaults = Options::default();
        match self.slot {
            Slot::Spin { min, max, get, .. } => OptionKind::Spin { default: get(&defaults), min, max },
            Slot::Check { get, .. } => OptionKind::Check { default: get(&defaults) },
            Slot::Combo { choices, get, .. } => OptionKind::Combo { default: choices[get(&defaults)], choices },
            Slot::Number { get, .. } => OptionKind::Number { default: get(&defaults) },
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
    /// A finite number that is not negative. Declared as a string, because UCI knows no such type.
    Number {
        /// The value at first.
        default: f64,
    },
}

/// What the option accepts, for people.
impl fmt::Display for OptionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionKind::Spin { min, max, .. } => write!(f, "a whole number from {min} to {max}"),
            OptionKind::Check { .. } => f.write_str("true or false"),
            OptionKind::Combo { choices, .. } => write!(f, "one of {}", choices.join(", ")),
            OptionKind::Number { .. } => f.write_str("a finite number that is not negative"),
        }
    }
}

/// How an option is read and written.
enum Slot {
    Spin { min: u32, max: u32, get: fn(&Options) -> u32, set: fn(&mut Options, u32) },
    Check { get: fn(&Options) -> bool, set: fn(&mut Options, bool) },
    Combo { choices: &'static [&'static str], get: fn(&Options) -> usize, set: fn(&mut Options, usize) },
    Number { get: fn(&Options) -> f64, set: fn(&mut Options, f64) },
}

impl Slot {
    fn read(&self, options: &Options) -> String {
        match self {
            Slot::Spin { get, .. } => get(options).to_string(),
            Slot::Check { get, .. } => get(options).to_string(),
            Slot::Combo { choices, get, .. } => choices[get(options)].to_owned(),
            Slot::Number { get, .. } => get(options).to_string(),
        }
    }

    /// `None`, with nothing changed, when the text is not acceptable.
    fn write(&self, options: &mut Options, text: &str) -> Option<()> {
        match self {
            Slot::Spin { min, max, set, .. } => {
                // `parse` alone would let a plus sign pass.
                let number = text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()))?;
                (*min..=*max).contains(&number).then(|| set(options, number))?;
            }
            Slot::Check { set, .. } => set(options, text.to_ascii_lowercase().parse().ok()?),
            Slot::Combo { choices, set, .. } => {
                set(options, choices.iter().position(|choice| choice.eq_ignore_ascii_case(text))?);
            }
            Slot::Number { set, .. } => {
                let number: f64 = text.parse().ok()?;
                // Adding 0 takes the sign from a negative zero.
                (number.is_finite() && number >= 0.0).then(|| set(options, number + 0.0))?;
            }
        }
        Some(())
    }
}

/// The largest whole number that every front end can hold.
pub(super) const LARGEST_SPIN: u32 = i32::MAX as u32;

/// Kept back from every limit of time, in milliseconds, if the client does not say otherwise: what a busy machine with two
/// cores may take to let the engine see a line, end a search, and write the answer.
const MOVE_OVERHEAD: u32 = 15;

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

/// The option of the session that names a file for every line in and out. It is no option of the engine, but its name is
/// taken.
pub const DEBUG_LOG_FILE: &str = "Debug Log File";

/// All options, in the order in which they are listed.
pub static OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "size",
        about: Changed::Rules,
        slot: Slot::Spin {
            min: 1,
            max: MAX_SIZE as u32,
            get: |options| options.rules.size().into(),
            set: |options, size| options.set_rules(size, options.rules.connect().into(), options.rules.reverse()),
        },
    },
    OptionSpec {
        name: "connect",
        about: Changed::Rules,
        slot: Slot::Spin {
            min: 0,
            max: MAX_CONNECT as u32,
            get: |options| options.rules.connect().into(),
            set: |options, connect| options.set_rules(options.rules.size().into(), connect, options.rules.reverse()),
        },
    },
    OptionSpec {
        name: "reverse",
        about: Changed::Rules,
        slot: Slot::Check {
            get: |options| options.rules.reverse(),
            set: |options, reverse| {
                options.set_rules(options.rules.size().into(), options.rules.connect().into(), reverse);
            },
        },
    },
    OptionSpec {
        name: "player",
        about: Changed::Other,
        slot: Slot::Combo {
            choices: &PLAYER_NAMES,
            get: |options| PLAYERS.iter().position(|(_, player)| *player == options.player).unwrap_or(0),
            set: |options, index| options.player = PLAYERS[index].1,
        },
    },
    OptionSpec {
        name: "level",
        about: Changed::Other,
        slot: Slot::Spin {
            min: Level::LEAST.number() as u32,
            max: Level::FULL.number() as u32,
            get: |options| options.level.number().into(),
            set: |options, level| options.level = Level::new(level as u8),
        },
    },
    OptionSpec {
        name: "trials",
        about: Changed::Other,
        slot: Slot::Spin {
            min: 1,
            max: LARGEST_SPIN,
            get: |options| options.trials,
            set: |options, trials| options.trials = trials,
        },
    },
    OptionSpec {
        name: "max_trials",
        about: Changed::Other,
        slot: Slot::Spin {
            min: 0,
            max: LARGEST_SPIN,
            get: |options| options.max_trials,
            set: |options, trials| options.max_trials = trials,
        },
    },
    OptionSpec {
        name: "score_current",
        about: Changed::Other,
        slot: Slot::Number {
            get: |options| options.weights.current,
            set: |options, points| options.weights.current = points,
        },
    },
    OptionSpec {
        name: "score_other",
        about: Changed::Other,
        slot: Slot::Number {
            get: |options| options.weights.other,
            set: |options, points| options.weights.other = points,
        },
    },
    OptionSpec {
        name: "seed",
        about: Changed::Seed,
        slot: Slot::Spin {
            min: 0,
            max: LARGEST_SPIN,
            get: |options| options.seed,
            set: |options, seed| options.seed = seed,
        },
    },
    OptionSpec {
        name: "tiebreak",
        about: Changed::Other,
        slot: Slot::Combo {
            choices: &["random", "first", "trap"],
            get: |options| options.tiebreak as usize,
            set: |options, index| options.tiebreak = [Tiebreak::Random, Tiebreak::First, Tiebreak::Trap][index],
        },
    },
    OptionSpec {
        name: "MultiPV",
        about: Changed::Other,
        slot: Slot::Spin {
            min: 1,
            max: MAX_SIZE as u32 * MAX_SIZE as u32,
            get: |options| options.multi_pv,
            set: |options, lines| options.multi_pv = lines,
        },
    },
    OptionSpec {
        name: "Hash",
        about: Changed::Other,
        slot: Slot::Spin {
            min: 1,
            max: 65_536,
            get: |options| options.hash,
            set: |options, mebibytes| options.hash = mebibytes,
        },
    },
    OptionSpec {
        name: "Threads",
        about: Changed::Other,
        slot: Slot::Spin {
            min: 1,
            max: MOST_THREADS,
            get: |options| options.threads,
            set: |options, threads| options.threads = threads,
        },
    },
    OptionSpec {
        name: "Move Overhead",
        about: Changed::Other,
        slot: Slot::Spin {
            min: 0,
            max: MOST_OVERHEAD,
            get: |options| options.move_overhead,
            set: |options, milliseconds| options.move_overhead = milliseconds,
        },
    },
    OptionSpec {
        name: "UCI_Variant",
        about: Changed::Rules,
        slot: Slot::Combo {
            choices: &VARIANT_NAMES,
            get: |options| options.variant as usize,
            set: |options, index| options.set_variant(VARIANTS[index].1),
        },
    },
];

/// Why an option cannot be set.
#[derive(Clone, PartialEq, Debug)]
pub enum OptionError {
    /// There is no option of this name.
    Unknown {
        /// The name.
        name: Excerpt,
    },
    /// The option does not accept the value.
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
    /// The value would make another game of the one that `UCI_Variant` names.
    Variant {
        /// The option.
        name: &'static str,
        /// The variant.
        variant: &'static str,
        /// The value that it keeps.
        stays: String,
    },
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionError::Unknown { name } => write!(f, "there is no option {name}; nothing is changed"),
            OptionError::Value { name, kind, found, stays } => {
                write!(f, "{name} accepts {kind}, ")?;
                match found {
                    Some(found) => write!(f, "not {found}")?,
                    None => f.write_str("and no value was given")?,
                }
                write!(f, "; it stays {stays}")
            }
            OptionError::Variant { name, variant, stays } => {
                write!(f, "{name} belongs to the game that UCI_Variant {variant} names; it stays {stays}; set ")?;
                f.write_str("UCI_Variant to noughts first")
            }
        }
    }
}

impl std::error::Error for OptionError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_accepts_its_default_and_its_limits_in_any_case() {
        for spec in OPTIONS {
            let values = match spec.kind() {
                OptionKind::Spin { default, min, max } => [default, min, max].map(|number| number.to_string()).into(),
                OptionKind::Check { default } => vec![default.to_string(), "TRUE".into(), "False".into()],
                OptionKind::Combo { default, choices } => {
                    choices.iter().map(|choice| choice.to_ascii_uppercase()).chain([default.into()]).collect()
                }
                OptionKind::Number { default } => {
                    vec![default.to_string(), "0".into(), "-0".into(), "2.5".into(), "1e300".into()]
                }
            };
            for value in values {
                let mut options = Options::default();
                assert!(options.set(&spec.name.to_ascii_uppercase(), &value).is_ok(), "{} {value}", spec.name);
                assert!(options.set(spec.name, &spec.slot.read(&options)).is_ok(), "{} {value}", spec.name);
            }
        }
    }

    #[test]
    fn a_refused_value_changes_nothing_and_the_error_says_what_is_accepted() {
        for spec in OPTIONS {
            let wrong: &[&str] = match spec.kind() {
                OptionKind::Spin { .. } => &["", "x", "-1", "+1", "1.5", "4294967296", "99999999999999999999999"],
                OptionKind::Check { .. } => &["", "yes", "1", "truee"],
                OptionKind::Combo { .. } => &["", "best", "auto random"],
                OptionKind::Number { .. } => &["", "-1", "nan", "inf", "1e999", "one"],
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
    fn only_a_different_rule_is_a_change_of_the_rules() {
        let mut options = Options::default();
        assert_eq!(options.set("size", "3"), Ok(Changed::Other));
        assert_eq!(options.set("size", "4"), Ok(Changed::Rules));
        assert_eq!(options.set("connect", "4"), Ok(Changed::Rules));
        assert_eq!(options.set("reverse", "false"), Ok(Changed::Other));
        assert_eq!(options.set("seed", "0"), Ok(Changed::Seed));
    }
}
