//! Searches: from a position to a result about its moves.
//!
//! A [`Searcher`] gets a [`SearchRequest`], random numbers of its own, a [`Control`] to poll and a place to report
//! progress. It never prints, never reads input and never touches a global random generator.
//!
//! | part | contents |
//! |---|---|
//! | `request` | the request, the bounds ([`Control`]) and the result of a search |
//! | `two_plies.rs` | a look of two plies, with which every proof and tree search begins |
//! | `memory.rs` | memory that may be missing |
//! | `line_board.rs` | the live lines of both players, for threats and the tree search |
//! | `proof` | exact values and their reasons: solver, known values, tables, the textbook searches |
//! | `playout` | fast random games, and their exact expectations |
//! | `mcts` | Monte Carlo tree search |
//! | `players` | the searchers, one for each strategy |
//!
//! Each part uses only those above it in this table.

mod line_board;
mod mcts;
mod memory;
#[cfg(test)]
mod minimax;
mod players;
mod playout;
mod proof;
mod request;
mod two_plies;

use crate::game::Position;

pub use mcts::{Mcts, TreeEvent, TreeMove, TreeResult};
pub use memory::MemoryShortage;
pub use players::{
    ExactMonteCarlo, HybridSearcher, Level, LevelSearcher, MonteCarlo, Note, RandomMover, StaticMover, Strategy,
    TableSearcher, TextbookSearcher,
};
pub use playout::{ExactPlayouts, Method, Playouts, Tally, Weights, Width, trace_playouts};
pub use proof::known_values;
pub use proof::{Block, BlockSink, Board, Claim, Expansion, Lemma, ProofError, Prover, Record, TheoremName};
pub use proof::{
    Explanation, LeaveReason, Proof, Reason, Reasons, Solution, Solver, StrategyNode, Technique, Textbook,
    TextbookResult, ThreatSearch, ThreatStep, TraceEvent, ValueTable, WinningStrategy,
};
pub use request::{
    BestSoFar, Clock, Control, Generator, Instant, Limits, Line, PlayoutResults, SearchRequest, SearchResult, Stopped,
    Stream, SystemClock, Tiebreak, TimeSource, below, generator, mix,
};
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use request::{Host, set_host};

/// Gets the result so far, a few times a second.
pub type Report<'a> = &'a mut dyn FnMut(&SearchResult);

/// A player: it chooses among the moves of a position.
pub trait Searcher {
    /// Searches a position in which the game goes on, until the value is known or `control` ends the search. The result
    /// always has a legal move, even if the search is stopped at once.
    fn search(
        &mut self,
        request: &SearchRequest,
        generator: &mut Generator,
        control: &Control,
        report: Report<'_>,
    ) -> SearchResult;

    /// Whether a search of this position with at most so many playouts surely ends within about a millisecond, so that it
    /// needs no thread of its own.
    fn is_quick(&self, _position: &Position, _playouts: Option<u64>) -> bool {
        false
    }
}
