//! The limit of a move: time, nodes or playouts.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use thiserror::Error;

use crate::text::Excerpt;

/// The limit of a move.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Limit {
    /// No limit: the engine decides.
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
    /// Whether an engine can lose on time.
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

/// Time for a game and for each move. As text, both in seconds: `10+0.1`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    /// Time for the game, more than zero.
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

/// A setting that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("expected {expected}, found {found}")]
pub struct SettingError {
    /// What a setting of this kind looks like.
    pub expected: &'static str,
    /// The text that was found.
    pub found: Excerpt,
}

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
}
