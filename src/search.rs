//! Searchers: what turns a position into a verdict on its moves.
//!
//! A [`Searcher`] gets a [`Question`], random numbers of its own, a [`Control`] to poll and a place to report
//! progress. It never prints, never reads input and never touches a global random generator.

mod control;
mod explanation;
mod level;
mod limits;
mod mcts;
mod monte_carlo;
mod note;
mod perfect;
mod playout;
mod playout_law;
mod random;
mod random_mover;
mod root_proof;
mod solver;
pub mod starts;
mod static_mover;
mod table;
mod tally;
mod textbook;
mod trap;

use crate::game::{Cell, CellSet, Position, Score};

pub use control::{BestSoFar, Control, Stopped};
pub use explanation::{Explanation, Reasons};
pub use level::{Level, LevelSearcher};
pub use limits::{Clock, Limits};
pub use mcts::Mcts;
pub use monte_carlo::{MonteCarlo, Weights};
pub use note::Note;
pub use perfect::{Aim, Perfect};
pub use playout::{Method, Playouts, Width};
pub use playout_law::{MonteCarloLimit, PlayoutLaw};
pub use random::{Generator, Stream, below, generator};
pub use random_mover::RandomMover;
pub use solver::{Proof, Reason, Solution, Solver, Technique};
pub use static_mover::StaticMover;
pub use table::{Table, TableSearcher};
pub use tally::Tally;
pub use textbook::{Findings, Textbook, TextbookSearcher};

/// What is asked of a searcher.
#[derive(Clone, Copy, Debug)]
pub struct Question {
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

impl Question {
    /// The question for one best move of a position, ties broken at random.
    pub fn new(position: Position) -> Question {
        Question { position, tiebreak: Tiebreak::Random, lines: 1, root_moves: None }
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
    fn pick(self, ties: usize, generator: &mut Generator) -> usize {
        match self {
            Tiebreak::Random | Tiebreak::Trap => below(generator, ties as u32) as usize,
            Tiebreak::First => 0,
        }
    }
}

/// What a search has found out.
#[derive(Clone, PartialEq, Debug)]
pub struct Verdict {
    /// The value of the position, seen by the side to move.
    pub score: Score,
    /// The best moves, best first: as many as were asked for, or all that are known when those are fewer. The first
    /// is the one to play. Empty when the game is over.
    pub lines: Vec<Line>,
    /// Plies that the search looked ahead: of a proof those of the deepest question, of a tree those of its deepest leaf; 1
    /// where moves are only compared with each other; 0 when the game is over.
    pub depth: u16,
    /// Positions looked at by a proof, and playouts.
    pub nodes: u64,
    /// How the playouts ended, if there were any.
    pub playouts: Option<PlayoutResults>,
    /// How all possible playouts end, every order of the empty squares once, when the totals are those that playouts are
    /// expected to leave: per playout, and none was played.
    pub law: Option<PlayoutResults>,
}

impl Verdict {
    /// The verdict on a position where the game is over, or `None` while it goes on.
    pub fn on_finished_game(position: &Position) -> Option<Verdict> {
        let score = Score::Exact(position.final_value()?);
        Some(Verdict { score, lines: Vec::new(), depth: 0, nodes: 0, playouts: None, law: None })
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
    /// The square's Monte Carlo score; with [`Verdict::law`] the expected one per playout.
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

/// Where a searcher reports what it has found so far.
pub type Report<'a> = &'a mut dyn FnMut(&Verdict);

/// Something that judges the moves of a position.
pub trait Searcher {
    /// Searches a position in which the game goes on, until it knows, its budget is spent, or `control` says to
    /// stop. There is always a verdict with a legal move in it, even when it is told to stop at once.
    fn search(
        &mut self,
        question: &Question,
        generator: &mut Generator,
        control: &Control,
        report: Report<'_>,
    ) -> Verdict;

    /// Whether a search of this position with so many playouts at most is over within about a millisecond, so that
    /// it needs no thread of its own. Only a searcher that is sure of it says so.
    fn is_quick(&self, _position: &Position, _playouts: Option<u64>) -> bool {
        false
    }
}
