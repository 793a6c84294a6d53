//! The limit of a move, which is time, nodes or playouts; and the clocks of a game, as this program keeps them.

use std::fmt;
use std::num::NonZeroU64;
use std::str::FromStr;
use std::time::Duration;

use crate::client::go_line;
use crate::text::Excerpt;
use noughts_core::game::Player;
use noughts_core::search::{Clock, Limits};

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
    /// True if an engine can lose on time.
    pub fn is_timed(self) -> bool {
        matches!(self, Limit::MoveTime(_) | Limit::Clock(_))
    }

    /// The limits of the first move.
    pub fn limits(self) -> Limits {
        let none = Limits::default();
        match self {
            Limit::None => none,
            Limit::MoveTime(milliseconds) => Limits { move_time: Some(milliseconds), ..none },
            Limit::Clock(TimeControl { base, increment }) => {
                let [time, increment] = [base, increment].map(|time| Some(time.as_millis() as u64));
                Limits { clocks: [Clock { time, increment }; 2], ..none }
            }
            Limit::Nodes(nodes) => Limits { nodes: NonZeroU64::new(nodes), ..none },
            Limit::Trials(trials) => Limits { trials: NonZeroU64::new(trials), ..none },
        }
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
    type Err = String;

    fn from_str(text: &str) -> Result<TimeControl, String> {
        let error = || format!("expected seconds and seconds a move such as 10+0.1, found {}", Excerpt::of(text));
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        let seconds = |text: &str| {
            let seconds = text.parse::<f64>().ok().filter(|seconds| (0.0..=1e6).contains(seconds));
            seconds.map(Duration::from_secs_f64).ok_or_else(error)
        };
        let control = TimeControl { base: seconds(base)?, increment: seconds(increment)? };
        if control.base.is_zero() { Err(error()) } else { Ok(control) }
    }
}

/// The time that both engines have left.
pub struct Clocks {
    limit: Limit,
    left: [Duration; 2],
    go: String,
}

impl Clocks {
    pub fn new(limit: Limit) -> Clocks {
        let left = match limit {
            Limit::Clock(control) => [control.base; 2],
            _ => [Duration::ZERO; 2],
        };
        let mut clocks = Clocks { limit, left, go: String::new() };
        clocks.write_go();
        clocks
    }

    /// The `go` line for the next move.
    pub fn go(&self) -> &str {
        &self.go
    }

    fn write_go(&mut self) {
        let mut limits = self.limit.limits();
        for (clock, left) in limits.clocks.iter_mut().zip(self.left) {
            clock.time = clock.time.map(|_| left.as_millis() as u64);
        }
        self.go = go_line(limits);
    }

    /// The time that the next move of a player may take; `None` without a time limit.
    pub fn allowed(&self, player: Player) -> Option<Duration> {
        match self.limit {
            Limit::MoveTime(milliseconds) => Some(Duration::from_millis(milliseconds)),
            Limit::Clock(_) => Some(self.left[player as usize]),
            Limit::None | Limit::Nodes(_) | Limit::Trials(_) => None,
        }
    }

    /// Subtracts the time of a move from a player's clock, and adds the increment.
    pub fn spend(&mut self, player: Player, time: Duration) {
        if let Limit::Clock(control) = self.limit {
            let left = &mut self.left[player as usize];
            *left = left.saturating_sub(time) + control.increment;
            self.write_go();
        }
    }
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

    #[test]
    fn a_clock_runs_for_its_player_and_gets_the_increment() {
        let mut clocks = Clocks::new(Limit::Clock("10+0.5".parse().expect("a time control")));
        assert_eq!(clocks.go(), "go wtime 10000 btime 10000 winc 500 binc 500");
        clocks.spend(Player::X, Duration::from_millis(2000));
        clocks.spend(Player::O, Duration::from_millis(100));
        assert_eq!(clocks.go(), "go wtime 8500 btime 10400 winc 500 binc 500");
        assert_eq!(clocks.allowed(Player::X), Some(Duration::from_millis(8500)));
        // Time within the margin does not run the clock below zero.
        clocks.spend(Player::X, Duration::from_millis(8510));
        assert_eq!(clocks.allowed(Player::X), Some(Duration::from_millis(500)));
    }

    #[test]
    fn without_clocks_every_go_is_the_same() {
        for (limit, go, allowed) in [
            (Limit::None, "go", None),
            (Limit::MoveTime(100), "go movetime 100", Some(100)),
            (Limit::Nodes(5), "go nodes 5", None),
            (Limit::Trials(5), "go trials 5", None),
        ] {
            let mut clocks = Clocks::new(limit);
            clocks.spend(Player::X, Duration::from_secs(1));
            assert_eq!(clocks.go(), go);
            assert_eq!(clocks.allowed(Player::X), allowed.map(Duration::from_millis));
        }
    }
}
