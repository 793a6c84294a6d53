//! The limits of a client's search command, before they become a [`Control`](crate::search::Control).

use std::num::NonZeroU64;

/// Upper bounds for one search. Without any, the search ends by itself.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Limits {
    /// Playouts of a Monte Carlo search; the protocol calls them `trials`.
    pub trials: Option<NonZeroU64>,
    /// Nodes (positions visited) of a proof, or playouts of a Monte Carlo search.
    pub nodes: Option<NonZeroU64>,
    /// Plies of the proof.
    pub depth: Option<NonZeroU64>,
    /// Time for this move, in milliseconds.
    pub move_time: Option<u64>,
    /// The clocks of X and O.
    pub clocks: [Clock; 2],
    /// Moves until the clocks get new time.
    pub moves_to_go: Option<NonZeroU64>,
    /// Search until the client stops the search, and hold the result back until then.
    pub infinite: bool,
}

/// The clock of a player, in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Clock {
    /// Time left, if the client gives it.
    pub time: Option<u64>,
    /// Time added after each move.
    pub increment: Option<u64>,
}

impl Limits {
    /// The most playouts that the client allows, if it limits `trials` or `nodes`.
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
