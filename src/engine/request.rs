//! What an engine can be asked to do, and what it comes back with.

use std::time::{Duration, Instant};

use noughts_core::game::{Cell, CellSet, Position};
use noughts_core::search::{BestSoFar, Explanation, Generator, Limits, Note, SearchResult};

use super::Options;
use super::plan::Plan;

/// What an engine can be asked to do.
#[derive(Clone, Debug)]
pub enum EngineRequest {
    /// Judge the moves of a position.
    Go(Box<GoRequest>),
    /// Say why a position is worth what it is, or what a move does to it.
    Explain(ExplainRequest),
}

impl EngineRequest {
    /// Whether the answer is to be held back until `stop`.
    pub fn is_infinite(&self) -> bool {
        matches!(self, EngineRequest::Go(task) if task.limits.infinite)
    }

    /// True if the search is effectively unbounded: more than an hour, and more than 2^31 nodes.
    pub fn is_unbounded(&self) -> bool {
        matches!(self, EngineRequest::Go(task) if task.is_unbounded())
    }
}

/// What an engine comes back with.
#[derive(Clone, PartialEq, Debug)]
pub enum EngineResult {
    /// To [`EngineRequest::Go`].
    Go(GoResult),
    /// To [`EngineRequest::Explain`].
    Explanation(Box<Explanation>),
}

/// What is to be explained.
#[derive(Clone, Copy, Debug)]
pub struct ExplainRequest {
    /// The position; the game may be over.
    pub position: Position,
    /// A legal move of it, or `None` when the question is about the position itself.
    pub cell: Option<Cell>,
    /// The options at the time it was asked.
    pub options: Options,
}

/// Everything that a judgement of moves depends on.
#[derive(Clone, Debug)]
pub struct GoRequest {
    /// The position to think about; the game may be over.
    pub position: Position,
    /// The options at the time it was asked.
    pub options: Options,
    /// What bounds the search.
    pub limits: Limits,
    /// How many of the best moves to report, at least 1; [`SearchRequest::EVERY_MOVE`](noughts_core::search::SearchRequest::EVERY_MOVE)
    /// for the value of every move.
    pub lines: usize,
    /// The moves to choose from: legal ones, at least one. `None` for all moves.
    pub root_moves: Option<CellSet>,
    /// The random numbers of this answer.
    pub generator: Generator,
    /// When its time began: when the client's line was read, or when its turn came if it had to wait.
    pub since: Instant,
    /// Where the search writes the best move so far, for a caller that cannot wait for its end.
    pub best: BestSoFar,
}

impl GoRequest {
    /// A task for one best move, the time of which begins now.
    pub fn new(position: Position, options: Options, limits: Limits, generator: Generator) -> GoRequest {
        let (since, best) = (Instant::now(), BestSoFar::default());
        GoRequest { position, options, limits, lines: 1, root_moves: None, generator, since, best }
    }

    /// True if the search is effectively unbounded: more than an hour, and more than 2^31 nodes.
    pub fn is_unbounded(&self) -> bool {
        Plan::new(self).is_unbounded()
    }
}

/// An answer.
#[derive(Clone, PartialEq, Debug)]
pub struct GoResult {
    /// What the search found.
    pub result: SearchResult,
    /// What else there is to say.
    pub notes: Vec<Note>,
    /// How long it took.
    pub elapsed: Duration,
}
