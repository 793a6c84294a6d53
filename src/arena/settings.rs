//! What a match is to be.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use crate::client::EngineSetup;
use crate::text::Excerpt;
use crate::text::Fingerprint;
use noughts_core::game::Rules;

use super::openings::Openings;
use super::statistics::Sprt;

/// Everything that a match depends on.
#[derive(Clone, Debug)]
pub struct MatchSettings {
    /// The engines, at least two, under different names.
    pub engines: Vec<Arc<EngineSetup>>,
    /// The first engine plays all others, instead of everybody everybody.
    pub gauntlet: bool,
    /// The game.
    pub rules: Rules,
    /// What bounds a move.
    pub limit: Limit,
    /// What an engine may exceed its time by.
    pub margin: Duration,
    /// How long an engine without a clock may take for a move.
    pub patience: Duration,
    /// Where games begin.
    pub openings: Openings,
    /// Only openings that are proven to be draws.
    pub balanced: bool,
    /// Every opening is played with both colours.
    pub swap: bool,
    /// Games for each pair of engines.
    pub games: u64,
    /// Where random numbers start; `None` for anywhere.
    pub seed: Option<u64>,
    /// Games that are played at the same time, each by processes of its own.
    pub concurrency: usize,
    /// Games that a pair of engines plays at once, if more than one.
    pub interleave: usize,
    /// Each of the games at the same time stays on one core.
    pub pinned: bool,
    /// When to stop early.
    pub sprt: Option<Sprt>,
    /// Where games are recorded.
    pub record: Option<PathBuf>,
    /// Where games are written as PGN.
    pub pgn: Option<PathBuf>,
    /// Continue the match in the record file.
    pub resume: bool,
    /// The part of the schedule to play.
    pub shard: Shard,
    /// Start engines again that crash or hang.
    pub recover: bool,
}

impl MatchSettings {
    /// A name for all that decides how a game of this match goes: the same for every part of it, also on machines
    /// where things lie in other folders. `book` stands for the openings.
    pub fn fingerprint(&self, seed: u64, book: Fingerprint) -> Fingerprint {
        let mut fingerprint = Fingerprint::EMPTY;
        for engine in &self.engines {
            let command = engine.command.split(' ').filter_map(|word| word.rsplit('/').next()).collect::<Vec<_>>();
            let (name, options, restart) = (&engine.name, &engine.options, engine.restart);
            fingerprint.add(&format_args!("{name}|{}|{options:?}|{restart}|", command.join(" ")));
            // Matches from before there were others keep their names.
            if !engine.protocol.is_ours() {
                fingerprint.add(&format_args!("{}|", engine.protocol));
            }
        }
        let margin = self.margin.as_millis();
        let (gauntlet, swap, interleaved) = (self.gauntlet, self.swap, self.interleave > 1);
        fingerprint.add(&format_args!("{}|{}|{margin}|{gauntlet}|{swap}|{interleaved}|", self.rules, self.limit));
        fingerprint.add(&format_args!("{book}|{seed}"));
        fingerprint
    }
}

/// What bounds a move.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Limit {
    /// Whatever the engine does by itself.
    #[default]
    None,
    /// Milliseconds a move.
    MoveTime(u64),
    /// A clock for the game.
    Clock(TimeControl),
    /// Nodes a move.
    Nodes(u64),
    /// Playouts a move.
    Trials(u64),
}

impl Limit {
    /// Whether engines can lose on time.
    pub fn is_timed(self) -> bool {
        matches!(self, Limit::MoveTime(_) | Limit::Clock(_))
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::None => f.write_str("none"),
            Limit::MoveTime(milliseconds) => write!(f, "movetime {milliseconds}"),
            Limit::Clock(control) => write!(f, "tc {control}"),
            Limit::Nodes(nodes) => write!(f, "nodes {nodes}"),
            Limit::Trials(trials) => write!(f, "trials {trials}"),
        }
    }
}

/// Time for a game and for each move: `10+0.1`, in seconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    /// Time for the game, more than none.
    pub base: Duration,
    /// Time that every move adds.
    pub increment: Duration,
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{}", self.base.as_secs_f64(), self.increment.as_secs_f64())
    }
}

impl FromStr for TimeControl {
    type Err = SettingError;

    fn from_str(text: &str) -> Result<TimeControl, SettingError> {
        let error = || SettingError { expected: "seconds and seconds a move such as 10+0.1", found: Excerpt::of(text) };
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        let seconds = |text: &str| {
            let seconds = text.parse::<f64>().ok().filter(|seconds| (0.0..=1e6).contains(seconds));
            seconds.map(Duration::from_secs_f64).ok_or_else(error)
        };
        let control = TimeControl { base: seconds(base)?, increment: seconds(increment)? };
        if control.base.is_zero() { Err(error()) } else { Ok(control) }
    }
}

/// A part of the schedule: `3/8` is the third of eight.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    /// Which part, from 1.
    pub part: u64,
    /// How many parts there are.
    pub of: u64,
}

impl Default for Shard {
    fn default() -> Shard {
        Shard { part: 1, of: 1 }
    }
}

impl Shard {
    /// Whether the pair of games with this number belongs to this part.
    pub fn has(self, pair: u64) -> bool {
        pair % self.of == self.part - 1
    }

    /// How many of so many pairs belong to this part.
    pub fn count(self, pairs: u64) -> u64 {
        pairs.saturating_sub(self.part - 1).div_ceil(self.of)
    }
}

impl FromStr for Shard {
    type Err = SettingError;

    fn from_str(text: &str) -> Result<Shard, SettingError> {
        let numbers = text.split_once('/').and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((part, of)) if (1..=of).contains(&part) => Ok(Shard { part, of }),
            _ => Err(SettingError { expected: "a part such as 3/8", found: Excerpt::of(text) }),
        }
    }
}

/// A setting that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SettingError {
    /// What would have fitted.
    pub expected: &'static str,
    /// What was there.
    pub found: Excerpt,
}

impl fmt::Display for SettingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, found {}", self.expected, self.found)
    }
}

impl std::error::Error for SettingError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_read_and_printed() {
        for (text, printed) in [("10+0.1", "10+0.1"), ("0.5", "0.5+0"), ("1+0", "1+0")] {
            assert_eq!(text.parse::<TimeControl>().map(|control| control.to_string()), Ok(printed.to_owned()));
        }
        for text in ["", "0", "0+1", "-1", "1+", "1+-1", "nan", "inf", "1e9", "1+1+1"] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_shards_of_a_match_are_the_whole_of_it() {
        let shards: Vec<Shard> = (1..=8).map(|part| format!("{part}/8").parse().expect("a shard")).collect();
        assert!((0..100).all(|pair| shards.iter().filter(|shard| shard.has(pair)).count() == 1));
        for text in ["", "3", "0/8", "9/8", "1/0", "-1/3"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
