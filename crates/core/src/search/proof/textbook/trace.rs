//! The steps of a textbook search, for people who watch it.

use std::collections::HashSet;

use crate::game::{Cell, Score};
use crate::search::{LeaveReason, TraceEvent};

use super::Window;
use super::undo_board::UndoBoard;

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

    /// The reason why the search leaves a position with this key that it has found in its table.
    fn found(&self, _key: Option<u128>) -> LeaveReason {
        LeaveReason::Table
    }
}

impl Watcher for () {}

/// A watcher that hands every step on.
pub struct EventWatcher<'a> {
    /// Gets the steps.
    pub take: &'a mut dyn FnMut(TraceEvent),
    /// The last move, until the search reports what is behind it.
    pub cell: Option<Cell>,
    /// The positions that the search has entered and not left.
    pub open: u16,
    /// The keys of the positions that were stored.
    pub stored: HashSet<u128>,
}

impl Watcher for EventWatcher<'_> {
    fn play(&mut self, board: &UndoBoard, cell: usize) {
        self.cell = Some(board.cell(cell));
    }

    fn enter(&mut self, window: Option<Window>) {
        let window = window.map(|window| (window.alpha, window.beta));
        (self.take)(TraceEvent::Enter { ply: self.open, cell: self.cell.take(), window });
        self.open += 1;
    }

    fn leave(&mut self, score: Score, reason: LeaveReason) {
        self.open -= 1;
        (self.take)(TraceEvent::Leave { ply: self.open, score, reason });
    }

    fn find(&mut self, score: Score) {
        if let Some(cell) = self.cell.take() {
            (self.take)(TraceEvent::Find { ply: self.open, cell, score });
        }
    }

    fn store(&mut self, key: Option<u128>) {
        self.stored.extend(key);
    }

    fn found(&self, key: Option<u128>) -> LeaveReason {
        if key.is_some_and(|key| self.stored.contains(&key)) { LeaveReason::Table } else { LeaveReason::Symmetry }
    }
}
