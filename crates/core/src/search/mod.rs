//! Searchers: what turns a position into a result about its moves.
//!
//! A [`Searcher`] gets a [`SearchRequest`], random numbers of its own, a [`Control`] to poll and a place to report
//! progress. It never prints, never reads input and never touches a global random generator.
//!
//! | folder | what stands there |
//! |---|---|
//! | `request` | what every search is given and what it hands back |
//! | `proof` | exact values and their reasons: solver, known values, tables, the searches of the textbooks |
//! | `playout` | random games at the speed of the hardware, and what to expect of them exactly |
//! | `mcts` | Monte Carlo tree search |
//! | `players` | searchers by their strategy: each turns a request into a result |
//!
//! Each folder uses only those above it in this table.

mod mcts;
mod players;
mod playout;
mod proof;
mod request;

use crate::game::Position;

pub use mcts::Mcts;
pub use players::{
    ExactMonteCarlo, HybridSearcher, Level, LevelSearcher, MonteCarlo, Note, RandomMover, StaticMover, Strategy,
    TableSearcher, TextbookSearcher,
};
pub use playout::{ExactPlayouts, Method, Playouts, Tally, Weights, Width};
pub use proof::known_values;
pub use proof::{
    Explanation, Proof, Reason, Reasons, Solution, Solver, Technique, Textbook, TextbookResult, ValueTable,
};
pub use request::{
    BestSoFar, Clock, Control, Generator, Limits, Line, PlayoutResults, SearchRequest, SearchResult, Stopped, Stream,
    SystemClock, Tiebreak, TimeSource, below, generator,
};

/// Where a searcher reports what it has found so far.
pub type Report<'a> = &'a mut dyn FnMut(&SearchResult);

/// Something that judges the moves of a position.
pub trait Searcher {
    /// Searches a position in which the game goes on, until it knows, its budget is spent, or `control` says to
    /// stop. There is always a result with a legal move in it, even when it is told to stop at once.
    fn search(
        &mut self,
        request: &SearchRequest,
        generator: &mut Generator,
        control: &Control,
        report: Report<'_>,
    ) -> SearchResult;

    /// Whether a search of this position with so many playouts at most is over within about a millisecond, so that
    /// it needs no thread of its own. Only a searcher that is sure of it says so.
    fn is_quick(&self, _position: &Position, _playouts: Option<u64>) -> bool {
        false
    }
}
