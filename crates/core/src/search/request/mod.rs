//! Input and output of every search: the request, its bounds, random numbers, the result.

mod control;
mod host;
mod limits;
mod random;
mod result;
mod time_source;

use crate::game::{Cell, CellSet, Position};

pub use control::{BestSoFar, Control, Stopped};
pub(crate) use control::{IntervalTimer, PUBLISH_INTERVAL, REPORT_INTERVAL};
pub use host::Instant;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use host::{Host, set_host};
pub use limits::{Clock, Limits};
pub(crate) use random::fold_product;
pub use random::{Generator, Stream, below, generator, mix};
pub use result::{Note, PlayoutResults, SearchResult, Variation};
#[cfg(test)]
pub(crate) use time_source::SteppingClock;
pub use time_source::{SystemClock, TimeSource};

/// A request to a searcher.
#[derive(Clone, Copy, Debug)]
pub struct SearchRequest {
    /// The position to search; the game goes on in it.
    pub position: Position,
    /// The rule for choosing among moves that are equally good.
    #[doc(hidden)]
    pub tiebreak: Tiebreak,
    /// The number of best moves to report, at least 1.
    pub lines: usize,
    /// The moves to choose from: at least one, all legal. `None` for all moves. If moves are listed, the value is that of the
    /// best of them, and what is known about the whole position is not used.
    pub root_moves: Option<CellSet>,
}

impl SearchRequest {
    /// The request for one best move of a position, ties broken at random.
    pub fn new(position: Position) -> SearchRequest {
        SearchRequest { position, tiebreak: Tiebreak::Random, lines: 1, root_moves: None }
    }

    /// The moves to choose from, in reading order.
    #[doc(hidden)]
    pub fn moves(&self) -> impl Iterator<Item = Cell> {
        self.position.moves().filter(|cell| self.root_moves.is_none_or(|listed| listed.contains(*cell)))
    }

    /// For [`SearchRequest::lines`]: the value of every move, without the moves that follow it.
    pub const EVERY_MOVE: usize = usize::MAX;
}

/// The rule for choosing among moves that a searcher considers equally good.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Tiebreak {
    /// Uniformly at random.
    #[default]
    Random,
    /// The first in reading order.
    First,
    /// Among moves that are proven to be best, where at most 12 cells are empty: the move with the highest expected score
    /// against a random opponent. Elsewhere uniformly at random.
    Trap,
}

impl Tiebreak {
    /// The index, from 0, of the chosen one of `ties` equally good moves. Traps are not computed here.
    pub(crate) fn pick(self, ties: usize, generator: &mut Generator) -> usize {
        match self {
            Tiebreak::Random | Tiebreak::Trap => below(generator, ties as u32) as usize,
            Tiebreak::First => 0,
        }
    }
}
