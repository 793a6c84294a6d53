//! What a search is given and what it hands back: the request, its bounds, random numbers, the result.

mod control;
mod limits;
mod random;
mod result;
mod time_source;

use crate::game::{Cell, CellSet, Position};

pub use control::{BestSoFar, Control, Stopped};
pub(crate) use control::{IntervalTimer, PUBLISH_INTERVAL, REPORT_INTERVAL};
pub use limits::{Clock, Limits};
pub(crate) use random::mix;
pub use random::{Generator, Stream, below, generator};
pub use result::{Line, PlayoutResults, SearchResult};
pub use time_source::{SystemClock, TimeSource};

/// What is asked of a searcher.
#[derive(Clone, Copy, Debug)]
pub struct SearchRequest {
    /// The position to search; the game goes on in it.
    pub position: Position,
    /// How to choose among moves that are equally good.
    pub tiebreak: Tiebreak,
    /// How many of the best moves to report, at least 1.
    pub lines: usize,
    /// The moves to choose from: legal ones, at least one. `None` for all moves. Where they are listed, the value is that
    /// of the best of them, and nothing that is known of the position as a whole counts.
    pub root_moves: Option<CellSet>,
}

impl SearchRequest {
    /// The request for one best move of a position, ties broken at random.
    pub fn new(position: Position) -> SearchRequest {
        SearchRequest { position, tiebreak: Tiebreak::Random, lines: 1, root_moves: None }
    }

    /// The moves to choose from, in reading order.
    pub fn moves(&self) -> impl Iterator<Item = Cell> {
        self.position.moves().filter(|cell| self.root_moves.is_none_or(|listed| listed.contains(*cell)))
    }

    /// As many lines as there are moves: the value of every move is wanted, but not how the game goes on from it.
    pub const EVERY_MOVE: usize = usize::MAX;
}

/// How to choose among moves that a searcher holds for equally good.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Tiebreak {
    /// Uniformly at random.
    #[default]
    Random,
    /// The first in reading order.
    First,
    /// The one that a random opponent gets on worst with, where the moves are proven to be the best: see `trap`. Uniformly
    /// at random where they are not.
    Trap,
}

impl Tiebreak {
    /// Which of `ties` equally good moves to take, counted from 0, by who knows no more about them.
    pub(crate) fn pick(self, ties: usize, generator: &mut Generator) -> usize {
        match self {
            Tiebreak::Random | Tiebreak::Trap => below(generator, ties as u32) as usize,
            Tiebreak::First => 0,
        }
    }
}
