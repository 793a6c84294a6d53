//! The result of a search.

use crate::game::{Bounds, Cell, Position, Score};

/// The result of a search.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchResult {
    /// The value of the position, seen by the side to move.
    pub score: Score,
    /// The best moves, best first: as many as the request asks for, or fewer if fewer are known. The first is the move to
    /// play. Empty if the game is over.
    pub lines: Vec<Variation>,
    /// The depth in plies: of a proof, the limit of its deepest attack search; of a tree, its deepest leaf; 1 if moves are
    /// only compared with each other; 0 if the game is over.
    pub depth: u16,
    /// Nodes of a proof, and playouts.
    pub nodes: u64,
    /// The results of the playouts, if there were any.
    pub playouts: Option<PlayoutResults>,
    /// If the totals are exact expectations instead of samples: how all possible playouts end, every order of the empty
    /// cells once.
    #[doc(hidden)]
    pub expected: Option<PlayoutResults>,
    /// Notes for the client beyond the result.
    #[doc(hidden)]
    pub notes: Vec<Note>,
}

impl SearchResult {
    /// The result for a finished game; `None` if the game goes on.
    #[doc(hidden)]
    pub fn on_finished_game(position: &Position) -> Option<SearchResult> {
        let score = Score::Exact(position.final_value()?);
        Some(SearchResult::new(score, Vec::new(), 0, 0))
    }

    /// A result without playouts and notes.
    #[doc(hidden)]
    pub fn new(score: Score, lines: Vec<Variation>, depth: u16, nodes: u64) -> SearchResult {
        SearchResult { score, lines, depth, nodes, playouts: None, expected: None, notes: Vec::new() }
    }
}

/// A remark of a search beyond its result. Its text form is sent to the client.
#[derive(Clone, PartialEq, Debug)]
pub enum Note {
    /// Why the value of an empty board is known without a search.
    Known {
        /// The known bounds of the value.
        bounds: Bounds,
        /// The reasons, in words.
        reasons: Vec<String>,
    },
    /// The proven bounds of a position whose value or best move is not proven.
    Proved(Bounds),
    /// The value and the move are proven, but other moves are not decided. They might be as good, or belong among the best
    /// moves that were asked for.
    Undecided {
        /// The number of moves that are not decided.
        moves: usize,
    },
    /// Flat Monte Carlo has played, because the board is too large for its exact expectation.
    NoExactPlayouts,
    /// The choice of a trap among moves that are equally good.
    Trap {
        /// The number of moves to choose from, 2 or more.
        moves: usize,
        /// The expected result of the chosen move against random moves, from -1 to 1. `None` when it was drawn at random.
        result: Option<f64>,
    },
}

/// One of the best moves, and how the game may go on from it.
#[derive(Clone, PartialEq, Debug)]
pub struct Variation {
    /// The value of the move, seen by the side to move.
    pub score: Score,
    /// The move and the moves that are expected to follow; never empty. A proven win or loss is shown to the end of the game,
    /// if the limits of the search allow it.
    pub principal_variation: Vec<Cell>,
    /// The Monte Carlo score of the cell; with [`SearchResult::expected`] the exact expectation per playout.
    #[doc(hidden)]
    pub total: Option<f64>,
}

impl Variation {
    /// The move that this line begins with.
    pub fn first_move(&self) -> Cell {
        self.principal_variation[0]
    }
}

/// The results of a number of playouts for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct PlayoutResults {
    /// Playouts won.
    pub wins: u64,
    /// Playouts drawn.
    pub draws: u64,
    /// Playouts lost.
    pub losses: u64,
}

impl std::ops::AddAssign for PlayoutResults {
    fn add_assign(&mut self, other: PlayoutResults) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

impl PlayoutResults {
    /// The number of playouts.
    pub fn count(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The results for the opponent.
    pub(crate) fn turned(self) -> PlayoutResults {
        PlayoutResults { wins: self.losses, losses: self.wins, ..self }
    }

    /// The mean result, from -1 to 1; 0 without a playout.
    pub fn mean(&self) -> f64 {
        (self.wins as f64 - self.losses as f64) / self.count().max(1) as f64
    }
}
