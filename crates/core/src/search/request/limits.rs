//! What a client asked of a search, before it becomes a [`Control`](crate::search::Control).

use std::num::NonZeroU64;

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

impl Limits {
    /// The most playouts that the client allows, if it names a number.
    pub fn playouts(&self) -> Option<u64> {
        self.trials.into_iter().chain(self.nodes).min().map(NonZeroU64::get)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tightest_limit_counts() {
        let number = NonZeroU64::new;
        let limits = Limits { trials: number(50), nodes: number(20), ..Limits::default() };
        assert_eq!(limits.playouts(), Some(20));
    }
}
