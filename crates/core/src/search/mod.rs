//! Searches: from a position to a result about its moves.
//!
//! A search gets a [`SearchRequest`], random numbers of its own, a [`Control`] to poll and a place to report
//! progress. It never prints, never reads input and never touches a global random generator.
//!
//! | part | contents |
//! |---|---|
//! | `request` | the request, the bounds ([`Control`]) and the result of a search |
//! | `trace.rs` | the steps of a search, for people who watch it |
//! | `two_plies.rs` | a look of two plies, with which every proof and tree search begins |
//! | `memory.rs` | memory that may be missing |
//! | `line_stones.rs` | the stones in each line, and how many lines are live |
//! | `line_board.rs` | the live lines of both players, for threats and the tree search |
//! | `proof` | exact values and their reasons: solver, known values, tables, the textbook searches |
//! | `playout` | fast random games, and their exact expectations |
//! | `mcts` | Monte Carlo tree search |
//! | `players` | the searchers, one for each strategy |
//!
//! Each part uses only those above it in this table.

mod line_board;
mod line_stones;
mod mcts;
mod memory;
#[cfg(test)]
mod oracle;
mod players;
mod playout;
mod proof;
mod request;
mod trace;
mod two_plies;

pub use mcts::Mcts;
pub use players::{MonteCarlo, OnProgress, ProofEffort, ProveThenEstimate, SearchContext, Searcher};
pub use playout::{ExactPlayouts, Playouts, Tally, Weights};
pub use proof::{Solver, known_values};
pub use request::{
    Control, Generator, PlayoutResults, SearchRequest, SearchResult, Stopped, Stream, Variation, generator,
};

// These items serve the crates of this project and may change in any version. So they have no public documentation.
#[doc(hidden)]
pub use self::{
    mcts::{TreeMove, TreeResult},
    memory::{SHORTAGE, take_shortage},
    players::{ExactMonteCarlo, InstantMover, Level, LevelSearcher, RandomMover, TableSearcher, TextbookSearcher, Uct},
    playout::{PlayoutMethod, VectorWidth, trace_playouts},
    proof::certificate,
    proof::{
        Explanation, Proof, Reason, Reasons, Solution, StrategyNode, Technique, Textbook, TextbookResult, ThreatSearch,
        ThreatStep, ValueTable, WinningStrategy, ternary_digits,
    },
    request::{BestSoFar, Clock, Instant, Limits, Note, SystemClock, Tiebreak, TimeSource, below, mix},
    trace::{LeaveReason, TraceEvent, TraceKind},
};
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
#[doc(hidden)]
pub use request::{Host, set_host};
