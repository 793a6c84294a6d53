//! The clocks of a game, as this program keeps them.

use std::num::NonZeroU64;
use std::time::Duration;

use crate::client::go_line;
use noughts_core::game::Player;
use noughts_core::search::{Clock, Limits};

use super::limit::Limit;

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
        let limits = match self.limit {
            Limit::Clock(control) => Limits {
                clocks: self.left.map(|left| Clock {
                    time: Some(left.as_millis() as u64),
                    increment: Some(control.increment.as_millis() as u64),
                }),
                ..Limits::default()
            },
            limit => plain_limits(limit),
        };
        self.go = go_line(limits);
    }

    /// How long the next move of a player may take; `None` without a time limit.
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

/// The limits of `go` that are the same for every move: all but the clocks.
fn plain_limits(limit: Limit) -> Limits {
    let count = NonZeroU64::new;
    match limit {
        Limit::None | Limit::Clock(_) => Limits::default(),
        Limit::MoveTime(milliseconds) => Limits { move_time: Some(milliseconds), ..Limits::default() },
        Limit::Nodes(nodes) => Limits { nodes: count(nodes), ..Limits::default() },
        Limit::Trials(trials) => Limits { trials: count(trials), ..Limits::default() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
