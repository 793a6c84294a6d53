//! What a client asked of a search, before it becomes a [`Control`](super::Control).

use std::num::NonZeroU64;
use std::time::Duration;

/// Upper bounds for one search. All left out: the search ends by itself.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Limits {
    /// Monte Carlo playouts.
    pub trials: Option<NonZeroU64>,
    /// Positions looked at; for Monte Carlo, playouts.
    pub nodes: Option<NonZeroU64>,
    /// Plies of the proof.
    pub depth: Option<NonZeroU64>,
    /// Time for this move, in milliseconds.
    pub move_time: Option<u64>,
    /// The clocks of X and O.
    pub clocks: [Clock; 2],
    /// Moves until the clocks get new time.
    pub moves_to_go: Option<NonZeroU64>,
    /// Search until told to stop, and hold the answer back until then.
    pub infinite: bool,
}

/// A player's clock, in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Clock {
    /// Time left, if it was told.
    pub time: Option<u64>,
    /// Time that every move adds.
    pub increment: Option<u64>,
}

/// Kept back from a clock for the way to the client and back.
const CLOCK_RESERVE_MS: u64 = 10;

impl Limits {
    /// The most playouts that the client allows, if it names a number.
    pub fn playouts(&self) -> Option<u64> {
        self.trials.into_iter().chain(self.nodes).min().map(NonZeroU64::get)
    }

    /// The time for a move of the player whose clock is `clock` with `empty_cells` on the board, if anything
    /// limits it: the move time, or an equal share of the clock for each move that may still come, plus the
    /// increment, but never the whole clock.
    pub fn time(&self, clock: Clock, empty_cells: usize) -> Option<Duration> {
        let share = clock.time.map(|left| {
            let own_moves = empty_cells.div_ceil(2).max(1) as u64;
            let moves = self.moves_to_go.map_or(own_moves, |moves| moves.get().min(own_moves));
            let wish = (left / moves).saturating_add(clock.increment.unwrap_or(0));
            wish.min(left.saturating_sub(CLOCK_RESERVE_MS))
        });
        self.move_time.into_iter().chain(share).min().map(Duration::from_millis)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(time: u64, increment: u64) -> Clock {
        Clock { time: Some(time), increment: Some(increment) }
    }

    #[test]
    fn a_clock_is_shared_among_the_moves_to_come_and_never_used_up() {
        let limits = Limits::default();
        let ms = |clock, cells| limits.time(clock, cells).map(|time| time.as_millis());
        assert_eq!(ms(Clock::default(), 9), None);
        assert_eq!(ms(clock(1000, 0), 9), Some(200));
        assert_eq!(ms(clock(1000, 100), 9), Some(300));
        assert_eq!(ms(clock(1000, 0), 1), Some(990));
        assert_eq!(ms(clock(5, 1000), 9), Some(0));
        assert_eq!(ms(clock(0, 0), 9), Some(0));
        assert!(ms(clock(u64::MAX, u64::MAX), 400).is_some());
    }

    #[test]
    fn the_tightest_limit_counts() {
        let number = NonZeroU64::new;
        let limits = Limits { trials: number(50), nodes: number(20), move_time: Some(30), ..Limits::default() };
        assert_eq!(limits.playouts(), Some(20));
        assert_eq!(limits.time(clock(1000, 0), 9), Some(Duration::from_millis(30)));
        assert_eq!(limits.time(clock(15, 0), 9), Some(Duration::from_millis(3)));
    }
}
