//! What a search has found out.

use crate::game::{Cell, Position, Score};

/// What a search has found out.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchResult {
    /// The value of the position, seen by the side to move.
    pub score: Score,
    /// The best moves, best first: as many as were asked for, or all that are known when those are fewer. The first
    /// is the one to play. Empty when the game is over.
    pub lines: Vec<Line>,
    /// Plies that the search looked ahead: of a proof those of the deepest request, of a tree those of its deepest leaf; 1
    /// where moves are only compared with each other; 0 when the game is over.
    pub depth: u16,
    /// Positions looked at by a proof, and playouts.
    pub nodes: u64,
    /// How the playouts ended, if there were any.
    pub playouts: Option<PlayoutResults>,
    /// How all possible playouts end, every order of the empty squares once, when the totals are those that playouts are
    /// expected to leave: per playout, and none was played.
    pub expected: Option<PlayoutResults>,
}

impl SearchResult {
    /// The result on a position where the game is over, or `None` while it goes on.
    pub fn on_finished_game(position: &Position) -> Option<SearchResult> {
        let score = Score::Exact(position.final_value()?);
        Some(SearchResult { score, lines: Vec::new(), depth: 0, nodes: 0, playouts: None, expected: None })
    }
}

/// One of the best moves, and how the game might go on from it.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// The value of the move, seen by the side to move.
    pub score: Score,
    /// The move and what is expected to follow; never empty, and to the end of the game where a win or a loss is
    /// proven and the limits of the search leave room for it.
    pub principal_variation: Vec<Cell>,
    /// The square's Monte Carlo score; with [`SearchResult::law`] the expected one per playout.
    pub total: Option<f64>,
}

impl Line {
    /// The move that this line is about.
    pub fn first_move(&self) -> Cell {
        self.principal_variation[0]
    }
}

/// How a number of playouts ended for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct PlayoutResults {
    /// Playouts won.
    pub wins: u64,
    /// Playouts drawn.
    pub draws: u64,
    /// Playouts lost.
    pub losses: u64,
}

impl PlayoutResults {
    /// The number of playouts.
    pub fn count(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The mean result, from -1 to 1; 0 without a playout.
    pub fn mean(&self) -> f64 {
        (self.wins as f64 - self.losses as f64) / self.count().max(1) as f64
    }
}
