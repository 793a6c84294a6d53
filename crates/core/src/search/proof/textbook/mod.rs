//! The textbook searches. Each counts its nodes, which shows what each idea saves.
//!
//! | search | what it adds | nodes, empty 3x3 board | its values are |
//! |---|---|---|---|
//! | [`Textbook::Minimax`] | walks the whole tree, to full boards | 986,410 | exact |
//! | [`Textbook::StopAtWin`] | stops where the game is over | 549,946 | exact |
//! | [`Textbook::AlphaBeta`] | leaves out what cannot matter | 18,297 | right results, without distances |
//! | [`Textbook::AlphaBetaTable`] | stores positions at plies 3 to 5 | 7,954 | guesses |
//! | [`Textbook::AlphaBetaSymmetry`] | stores them up to the 8 symmetries | 2,312 | guesses |
//! | [`Textbook::AlphaBetaSymmetryAll`] | stores them at all plies | 807 | guesses |
//! | [`Textbook::Negamax`] | no window, every position once | 5,478 | exact |
//!
//! A node is a call of the recursive function, the first one included; for negamax it is a position that was not yet
//! known. Moves are tried in reading order. Every search begins with an empty table, so its count depends only on
//! the position.
//!
//! The three searches with a table are as published, and their values are guesses. Alpha-beta returns a value inside
//! its window, and only a bound outside. The table does not store which of the two an entry is. On 3x3 under normal
//! rules the value of the root is right from every position. Under reverse rules it is wrong from 50, 1 and 1 of the
//! 4,520 positions. A table that can be trusted stores the type of its entries.
//!
//! Boards beyond 8x8 have no keys, so nothing is stored for them. On smaller boards a table takes at most about 200 MiB.
//! When it is full, the search goes on without storing more.
//!
//! Minimax: Shannon, "Programming a Computer for Playing Chess", 1950. Alpha-beta: Knuth and Moore, "An Analysis of
//! Alpha-Beta Pruning", 1975. The variants with tables: Weiss, "Data Structures and Problem Solving Using Java", 1998.

mod memo_table;
mod trace;
mod undo_board;

use std::collections::HashSet;
use std::ops::Range;

use crate::game::{Cell, CellSet, Position, Score, Value};

use crate::search::{Control, LeaveReason, SearchRequest, Stopped, TraceEvent};
use memo_table::{HashedTable, MemoTable};
use trace::{EventWatcher, Watcher};
use undo_board::UndoBoard;

/// One of the searches.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Textbook {
    /// The whole tree, to full boards.
    Minimax,
    /// The tree of all games.
    StopAtWin,
    /// Alpha-beta in a window wider than the values.
    AlphaBeta,
    /// Alpha-beta with a table of the positions 3 to 5 plies from the root.
    AlphaBetaTable,
    /// Alpha-beta with that table keyed up to symmetry.
    AlphaBetaSymmetry,
    /// Alpha-beta with a table of all plies, keyed up to symmetry.
    AlphaBetaSymmetryAll,
    /// Negamax with a table of every value.
    Negamax,
}

impl Textbook {
    /// Nodes of a search without other limits: seconds, or a minute where the table is large.
    pub const NODES: u64 = 100_000_000;

    /// Memory of a search without other limits, in MiB.
    pub const MEBIBYTES: u32 = 256;

    /// All of them, in the order in which they are taught.
    pub const ALL: [Textbook; 7] = [
        Textbook::Minimax,
        Textbook::StopAtWin,
        Textbook::AlphaBeta,
        Textbook::AlphaBetaTable,
        Textbook::AlphaBetaSymmetry,
        Textbook::AlphaBetaSymmetryAll,
        Textbook::Negamax,
    ];

    /// The name, as the option `player` has it.
    pub const fn name(self) -> &'static str {
        match self {
            Textbook::Minimax => "minimax",
            Textbook::StopAtWin => "stopatwin",
            Textbook::AlphaBeta => "alphabeta",
            Textbook::AlphaBetaTable => "alphabetatable",
            Textbook::AlphaBetaSymmetry => "alphabetasymmetry",
            Textbook::AlphaBetaSymmetryAll => "alphabetasymmetryall",
            Textbook::Negamax => "negamax",
        }
    }

    /// True if a finished search knows the value of every move. Alpha-beta knows only the first of the best moves.
    pub fn knows_every_move(self) -> bool {
        matches!(self, Textbook::Minimax | Textbook::StopAtWin | Textbook::Negamax)
    }

    /// Searches a position in which the game goes on, until its value is known or `control` ends the search.
    pub fn search(self, position: &Position, control: &Control) -> TextbookResult {
        self.search_request(&SearchRequest::new(*position), control, Textbook::MEBIBYTES)
    }

    /// Searches the root moves of a request, with a table of at most so many MiB. Values that do not fit are not stored.
    pub fn search_request(self, request: &SearchRequest, control: &Control, mebibytes: u32) -> TextbookResult {
        self.watched(request, control, mebibytes, ())
    }

    /// As [`Textbook::search_request`], with every step handed to `take`. There is a [`TraceEvent::Enter`] for each node.
    pub fn trace(
        self,
        request: &SearchRequest,
        control: &Control,
        mebibytes: u32,
        take: &mut dyn FnMut(TraceEvent),
    ) -> TextbookResult {
        self.watched(request, control, mebibytes, EventWatcher { take, cell: None, open: 0, stored: HashSet::new() })
    }

    fn watched(
        self,
        request: &SearchRequest,
        control: &Control,
        mebibytes: u32,
        watcher: impl Watcher,
    ) -> TextbookResult {
        let bytes = (mebibytes as usize) << 20;
        let board = UndoBoard::of(&request.position);
        let root_moves = request.root_moves;
        let mut search = TreeSearch { board, root_moves, control, watcher, nodes: 0, moves: Vec::new() };
        let table = |plies, joins_images| ResultTable { plies, joins_images, results: HashedTable::new(bytes) };
        let score = match self {
            Textbook::Minimax => search.minimax().map(Score::Exact),
            Textbook::StopAtWin => search.stop_at_win().map(Score::Exact),
            Textbook::AlphaBeta => {
                search.alpha_beta::<false>(WIDE, &mut table(0..0, false)).map(|result| match result {
                    0 => Score::Exact(Value::Draw),
                    result => estimate(result),
                })
            }
            Textbook::AlphaBetaTable => search.alpha_beta::<true>(NARROW, &mut table(3..6, false)).map(estimate),
            Textbook::AlphaBetaSymmetry => search.alpha_beta::<true>(NARROW, &mut table(3..6, true)).map(estimate),
            Textbook::AlphaBetaSymmetryAll => {
                search.alpha_beta::<true>(NARROW, &mut table(0..usize::MAX, true)).map(estimate)
            }
            Textbook::Negamax => {
                let mut memo = MemoTable::new(search.board.cells(), bytes);
                search.negamax(&mut memo).map(Score::Exact)
            }
        };
        TextbookResult { nodes: search.nodes, score: score.ok(), moves: search.moves }
    }
}

/// The result of a textbook search.
#[derive(Clone, PartialEq, Debug)]
pub struct TextbookResult {
    /// The nodes that were visited.
    pub nodes: u64,
    /// The value to the side to move; `None` if the search was stopped before it was known.
    pub score: Option<Score>,
    /// The moves that were searched to the end, in reading order, each with its value to the side that plays it. Under
    /// alpha-beta the true value of a move after the first of the best may be lower than this.
    pub moves: Vec<(Cell, Score)>,
}

/// A result as a guess of the expected one.
fn estimate(result: i8) -> Score {
    Score::Estimate(f64::from(result))
}

/// The window of alpha-beta, seen by the side to move. Results up to `alpha` count as `alpha`, results from `beta` on count
/// as `beta`. Results are -1, 0 and 1.
#[derive(Clone, Copy)]
pub struct Window {
    alpha: i8,
    beta: i8,
}

/// Every result lies inside.
const WIDE: Window = Window { alpha: -2, beta: 2 };

/// A loss and a win lie on the edges: a move that wins ends the search.
const NARROW: Window = Window { alpha: -1, beta: 1 };

impl Window {
    /// The window seen by the opponent.
    fn turned(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}

/// A search under way.
struct TreeSearch<'a, W> {
    board: UndoBoard,
    /// The root moves of the request, if it lists them.
    root_moves: Option<CellSet>,
    control: &'a Control,
    watcher: W,
    nodes: u64,
    /// The root moves that were searched to the end.
    moves: Vec<(Cell, Score)>,
}

/// Nodes between two polls of the control: a few microseconds.
const NODES_BETWEEN_CHECKS: u64 = 64;

impl<W: Watcher> TreeSearch<'_, W> {
    /// Minimax: the value of a position is that of its best move. All moves are played until the board is full. The
    /// test for an earlier end of the game comes only on the way back.
    fn minimax(&mut self) -> Result<Value, Stopped> {
        self.enter(None)?;
        let best = self.best_of_moves(Self::minimax)?;
        let ended = self.board.final_value();
        let reason = if ended.is_some() { LeaveReason::GameOver } else { LeaveReason::AllMoves };
        Ok(self.leave(ended.unwrap_or(best), reason))
    }

    /// Minimax that first tests whether the game is over.
    fn stop_at_win(&mut self) -> Result<Value, Stopped> {
        self.enter(None)?;
        if let Some(value) = self.board.final_value() {
            return Ok(self.leave(value, LeaveReason::GameOver));
        }
        let best = self.best_of_moves(Self::stop_at_win)?;
        Ok(self.leave(best, LeaveReason::AllMoves))
    }

    /// Stop-at-win with a table, so that each position is searched once.
    fn negamax(&mut self, memo: &mut MemoTable) -> Result<Value, Stopped> {
        let key = self.board.key();
        if let Some(known) = key.and_then(|key| memo.get(key)) {
            self.watcher.find(Score::Exact(known));
            return Ok(known);
        }
        self.enter(None)?;
        let (value, reason) = match self.board.final_value() {
            Some(value) => (value, LeaveReason::GameOver),
            None => (self.best_of_moves(|search| search.negamax(memo))?, LeaveReason::AllMoves),
        };
        if let Some(key) = key {
            memo.store(key, value);
        }
        Ok(self.leave(value, reason))
    }

    /// The value of the best move, after each of which `search` finds the value of the position.
    #[inline(always)]
    fn best_of_moves(&mut self, mut search: impl FnMut(&mut Self) -> Result<Value, Stopped>) -> Result<Value, Stopped> {
        let mut best = Value::Loss(0);
        for cell in 0..self.board.cells() {
            if self.may_play(cell) {
                self.play(cell);
                let value = search(self)?.before_move();
                self.board.undo(cell);
                self.note(cell, Score::Exact(value));
                best = best.max(value);
            }
        }
        Ok(best)
    }

    /// Alpha-beta: once a move is so good that the opponent would have avoided this position, the other moves are left out.
    /// Returns the result, from -1 to 1, without a distance.
    ///
    /// A table stores every returned number, value or bound, and the search treats both as the value. Without
    /// `HAS_TABLE` none is used, and the compiler leaves out what belongs to it.
    fn alpha_beta<const HAS_TABLE: bool>(
        &mut self,
        mut window: Window,
        table: &mut ResultTable,
    ) -> Result<i8, Stopped> {
        self.enter(Some(window))?;
        if let Some(value) = self.board.final_value() {
            return Ok(self.leave_with(value.result(), LeaveReason::GameOver));
        }
        let key = if HAS_TABLE { table.key(&self.board) } else { None };
        if let Some(known) = key.and_then(|key| table.results.get(key)) {
            let reason = self.watcher.found(self.board.key());
            return Ok(self.leave_with(known, reason));
        }
        let mut reason = LeaveReason::AllMoves;
        let mut best = if HAS_TABLE && table.joins_images { -1 } else { window.alpha };
        for cell in 0..self.board.cells() {
            if self.may_play(cell) {
                self.play(cell);
                let result = -self.alpha_beta::<HAS_TABLE>(window.turned(), table)?;
                self.board.undo(cell);
                self.note(cell, estimate(result));
                best = best.max(result);
                window.alpha = window.alpha.max(result);
                if window.alpha >= window.beta {
                    reason = LeaveReason::CutOff;
                    break;
                }
            }
        }
        if key.is_some_and(|key| table.results.store(key, best)) {
            self.watcher.store(self.board.key());
        }
        Ok(self.leave_with(best, reason))
    }

    /// True if a cell is empty and, at the root, one of the moves to choose from.
    fn may_play(&self, cell: usize) -> bool {
        let is_listed = |listed: CellSet| self.board.played > 0 || listed.contains(self.board.cell(cell));
        self.board.is_empty(cell) && self.root_moves.is_none_or(is_listed)
    }

    fn play(&mut self, cell: usize) {
        self.watcher.play(&self.board, cell);
        self.board.play(cell);
    }

    /// Leaves a position with a value.
    fn leave(&mut self, value: Value, reason: LeaveReason) -> Value {
        self.watcher.leave(Score::Exact(value), reason);
        value
    }

    /// Leaves a position with a result of alpha-beta.
    fn leave_with(&mut self, result: i8, reason: LeaveReason) -> i8 {
        self.watcher.leave(estimate(result), reason);
        result
    }

    /// Counts a node.
    ///
    /// # Errors
    /// When the nodes are spent or `control` ends the search.
    fn enter(&mut self, window: Option<Window>) -> Result<(), Stopped> {
        if self.control.nodes.is_some_and(|most| self.nodes >= most) {
            return Err(Stopped);
        }
        if self.nodes.is_multiple_of(NODES_BETWEEN_CHECKS) {
            self.control.check()?;
        }
        self.nodes += 1;
        self.watcher.enter(window);
        Ok(())
    }

    /// Keeps the score of a root move.
    fn note(&mut self, cell: usize, score: Score) {
        if self.board.played == 0 {
            self.moves.push((self.board.cell(cell), score));
        }
    }
}

/// Results of alpha-beta by key, values and bounds alike.
struct ResultTable {
    /// The plies from the root at which positions are looked up and stored.
    plies: Range<usize>,
    /// True if positions that are equal up to the 8 symmetries share an entry. The search as it was published then
    /// begins with a loss as the best result of a position, else with the lower edge of the window.
    joins_images: bool,
    results: HashedTable<i8>,
}

impl ResultTable {
    /// The key of the position on the board, where the table has one for it.
    fn key(&self, board: &UndoBoard) -> Option<u128> {
        match self.plies.contains(&board.played) {
            true if self.joins_images => board.canonical_key(),
            true => board.key(),
            false => None,
        }
    }
}
