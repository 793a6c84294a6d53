//! A request for a move, and its result.

use std::time::Duration;

use noughts_core::game::{CellSet, Position};
use noughts_core::search::{Generator, Instant, Limits, SearchResult};

use super::options::Options;

/// The purpose of a search: what a caller wants to know about a position. The plan of the search decides which
/// options count for it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum SearchPurpose {
    /// The best moves, as many as the option `MultiPV` says.
    #[default]
    Move,
    /// The value of every move, as the player of the options finds it.
    EveryMove,
    /// The value of every move, at full strength and in a fixed order. Values are exact wherever that is known, unless the
    /// player is flat Monte Carlo.
    Values,
    /// The score of every move by flat Monte Carlo, whatever the player is, in a fixed order.
    PlayoutScores,
    /// The proven value and the variation of every move, in a fixed order, whatever the player is.
    ProvenHints,
    /// The value and the variation that a tree search expects of every move, in a fixed order, whatever the player is.
    ExpectedHints,
}

impl SearchPurpose {
    /// True if the value of every move is wanted, but not its variation.
    pub(super) fn is_values(self) -> bool {
        matches!(self, SearchPurpose::EveryMove | SearchPurpose::Values | SearchPurpose::PlayoutScores)
    }
}

/// A request for a move: everything that the result depends on.
#[derive(Clone, Debug)]
pub struct GoRequest {
    /// The position to search; the game may be over.
    pub position: Position,
    /// The options at the time of the request.
    pub options: Options,
    /// The limits of the search.
    pub limits: Limits,
    /// The purpose: what the caller wants to know.
    pub purpose: SearchPurpose,
    /// The moves to choose from: legal ones, at least one. `None` for all moves.
    pub root_moves: Option<CellSet>,
    /// The random numbers of this search.
    pub generator: Generator,
    /// The beginning of its time: when the client's line was read, or when its turn came if it had to wait.
    pub since: Instant,
}

impl GoRequest {
    /// A request for a move, the time of which begins now.
    pub fn new(position: Position, options: Options, limits: Limits, generator: Generator) -> GoRequest {
        GoRequest {
            position,
            options,
            limits,
            purpose: SearchPurpose::Move,
            root_moves: None,
            generator,
            since: Instant::now(),
        }
    }
}

/// The result of a request for a move.
#[derive(Clone, PartialEq, Debug)]
pub struct GoResult {
    /// The result of the search.
    pub result: SearchResult,
    /// The time that it took.
    pub elapsed: Duration,
}
