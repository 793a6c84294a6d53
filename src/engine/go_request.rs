//! A request for a move, and its result.

use std::time::Duration;

use noughts_core::game::{CellSet, Position};
use noughts_core::search::{BestSoFar, Generator, Instant, Level, Limits, Note, SearchRequest, SearchResult, Tiebreak};

use super::options::{Options, PlayerKind};

/// A request for a move: everything that the result depends on.
#[derive(Clone, Debug)]
pub struct GoRequest {
    /// The position to search; the game may be over.
    pub position: Position,
    /// The options at the time of the request.
    pub options: Options,
    /// What bounds the search.
    pub limits: Limits,
    /// How many of the best moves to report, at least 1; [`SearchRequest::EVERY_MOVE`]
    /// for the value of every move.
    pub lines: usize,
    /// The moves to choose from: legal ones, at least one. `None` for all moves.
    pub root_moves: Option<CellSet>,
    /// The random numbers of this search.
    pub generator: Generator,
    /// When its time began: when the client's line was read, or when its turn came if it had to wait.
    pub since: Instant,
    /// Where the search writes the best move so far, for a caller that cannot wait for its end.
    pub best: BestSoFar,
}

impl GoRequest {
    /// A request for one best move, the time of which begins now.
    pub fn new(position: Position, options: Options, limits: Limits, generator: Generator) -> GoRequest {
        GoRequest::beginning(Instant::now(), position, options, limits, generator)
    }

    /// A request for one best move, the time of which began at `since`.
    pub fn beginning(
        since: Instant,
        position: Position,
        options: Options,
        limits: Limits,
        generator: Generator,
    ) -> GoRequest {
        let best = BestSoFar::default();
        GoRequest { position, options, limits, lines: 1, root_moves: None, generator, since, best }
    }

    /// A request for the value of every move, at full strength and in a fixed order. Values are exact wherever that is known,
    /// unless the player is flat Monte Carlo.
    pub fn for_values(since: Instant, position: Position, options: Options, generator: Generator) -> GoRequest {
        let player = match options.player {
            kept @ (PlayerKind::MonteCarlo | PlayerKind::MonteCarloLimit | PlayerKind::Perfect) => kept,
            _ => PlayerKind::Auto,
        };
        let options = Options { player, tiebreak: Tiebreak::First, level: Level::FULL, ..options };
        let request = GoRequest::beginning(since, position, options, Limits::default(), generator);
        GoRequest { lines: SearchRequest::EVERY_MOVE, ..request }
    }

    /// Whether a tree search answers where nothing is proven. The value of every move takes flat playouts, which score them
    /// all; so does perfect play within a number of plies, because a tree proves longer wins too.
    pub(super) fn guesses_by_tree(&self) -> bool {
        match self.options.player {
            PlayerKind::Mcts => true,
            PlayerKind::Auto => self.lines != SearchRequest::EVERY_MOVE,
            PlayerKind::Perfect => self.lines != SearchRequest::EVERY_MOVE && self.limits.depth.is_none(),
            _ => false,
        }
    }
}

/// The result of a request for a move.
#[derive(Clone, PartialEq, Debug)]
pub struct GoResult {
    /// What the search found.
    pub result: SearchResult,
    /// Notes for the client beyond the result.
    pub notes: Vec<Note>,
    /// How long it took.
    pub elapsed: Duration,
}
