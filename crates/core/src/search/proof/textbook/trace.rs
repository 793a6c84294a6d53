//! What a textbook search does, step by step, for people who watch it.

use std::collections::HashSet;

use crate::game::{Cell, Score};

use super::Window;
use super::undo_board::UndoBoard;

/// A step of a search. Scores and windows are seen by the side to move in the position that they belong to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum TraceEvent {
    /// The search enters a position, which counts as a node.
    Enter {
        /// The move that leads there; `None` for the root.
        cell: Option<Cell>,
        /// Alpha and beta, from -2 to 2; `None` for a search without a window.
        window: Option<(i8, i8)>,
    },
    /// The search leaves the position that it entered last and has not left.
    Leave {
        /// The value. Outside of its window alpha-beta knows only a bound.
        score: Score,
        /// Why it leaves.
        reason: LeaveReason,
    },
    /// Negamax finds the position behind a move in its table and does not enter it.
    Find {
        /// The move.
        cell: Cell,
        /// The value of the position behind it.
        score: Score,
    },
}

/// Why a search leaves a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LeaveReason {
    /// The game is over.
    GameOver,
    /// All moves have been searched.
    AllMoves,
    /// The last move was so good that the opponent would have avoided this position: the other moves are left out.
    CutOff,
    /// The table has the position.
    Table,
    /// The table has a turned or mirrored image of the position.
    Symmetry,
}

/// Gets the steps of a search. `()` takes none of them, and costs nothing.
pub trait Watcher {
    /// The search plays a move: the cell of the board with this number.
    fn play(&mut self, _board: &UndoBoard, _cell: usize) {}

    /// It counts the position behind it as a node.
    fn enter(&mut self, _window: Option<Window>) {}

    /// It leaves the position.
    fn leave(&mut self, _score: Score, _reason: LeaveReason) {}

    /// It has found the position behind the move without entering it.
    fn find(&mut self, _score: Score) {}

    /// It stores a position under this key, where no symmetry counts.
    fn store(&mut self, _key: Option<u128>) {}

    /// Why the search leaves a position with this key that it has found in its table.
    fn found(&self, _key: Option<u128>) -> LeaveReason {
        LeaveReason::Table
    }
}

impl Watcher for () {}

/// A watcher that hands every step on.
pub struct Told<'a> {
    /// Gets the steps.
    pub take: &'a mut dyn FnMut(TraceEvent),
    /// The last move, until the search says what is behind it.
    pub cell: Option<Cell>,
    /// The keys of the positions that were stored.
    pub stored: HashSet<u128>,
}

impl Watcher for Told<'_> {
    fn play(&mut self, board: &UndoBoard, cell: usize) {
        self.cell = Some(board.cell(cell));
    }

    fn enter(&mut self, window: Option<Window>) {
        let window = window.map(|window| (window.alpha, window.beta));
        (self.take)(TraceEvent::Enter { cell: self.cell.take(), window });
    }

    fn leave(&mut self, score: Score, reason: LeaveReason) {
        (self.take)(TraceEvent::Leave { score, reason });
    }

    fn find(&mut self, score: Score) {
        if let Some(cell) = self.cell.take() {
            (self.take)(TraceEvent::Find { cell, score });
        }
    }

    fn store(&mut self, key: Option<u128>) {
        self.stored.extend(key);
    }

    fn found(&self, key: Option<u128>) -> LeaveReason {
        if key.is_some_and(|key| self.stored.contains(&key)) { LeaveReason::Table } else { LeaveReason::Symmetry }
    }
}
