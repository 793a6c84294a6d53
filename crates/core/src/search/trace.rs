//! The steps of a search, for people who watch it. Plies count from the root, which is at ply 0.

use crate::game::{Cell, Score};

use super::PlayoutResults;

/// A step of a search.
///
/// The scores and windows of a textbook search are seen by the side to move in the position that they belong to.
#[derive(Clone, PartialEq, Debug)]
pub enum TraceEvent {
    /// A textbook search enters a position, which counts as a node.
    Enter {
        /// The ply of the position.
        ply: u16,
        /// The move that leads there; `None` for the root.
        cell: Option<Cell>,
        /// Alpha and beta, from -2 to 2; `None` for a search without a window.
        window: Option<(i8, i8)>,
    },
    /// A textbook search leaves the position that it entered last and has not left.
    Leave {
        /// The ply of the position.
        ply: u16,
        /// The value. Outside of its window alpha-beta knows only a bound.
        score: Score,
        /// The reason why it leaves.
        reason: LeaveReason,
    },
    /// Negamax finds the position behind a move in its table and does not enter it.
    Find {
        /// The ply of the position behind the move.
        ply: u16,
        /// The move.
        cell: Cell,
        /// The value of the position behind it.
        score: Score,
    },
    /// An iteration of a tree search begins. Number 0 is what comes before the first: the root is evaluated and expanded, and
    /// moves whose value is plain to see get a node.
    Iteration(u64),
    /// The iteration goes to a child, which has this state before the iteration.
    Select {
        /// The ply of the child.
        ply: u16,
        /// The move that leads there.
        cell: Cell,
        /// Its visits.
        visits: u32,
        /// The mean value of its visits, seen by the side that makes the move; 0 without a visit.
        mean: f64,
        /// Its prior.
        prior: f32,
    },
    /// The last selected node is evaluated. All is seen by the side to move in it.
    Evaluate {
        /// Its ply.
        ply: u16,
        /// Its value, from -1 to 1.
        value: f64,
        /// The results of its playouts; none were played where the value is proven.
        results: PlayoutResults,
        /// The proven part of its value.
        proven: Option<Score>,
    },
    /// A node has this state after its update. All is seen by the side that made the move leading there; at the root, by the
    /// side that is not to move.
    Backup {
        /// Its ply.
        ply: u16,
        /// Its visits.
        visits: u32,
        /// The sum of the values of its visits.
        total: f64,
        /// The proven part of its value, in plies from this position.
        proven: Option<Score>,
    },
    /// Flat Monte Carlo has played a game.
    Playout {
        /// Its number, from 1.
        number: u64,
        /// Its result for the side to move at the root, from -1 to 1.
        result: i8,
        /// Its moves.
        moves: Box<[Cell]>,
    },
}

impl TraceEvent {
    /// Its kind.
    pub fn kind(&self) -> TraceKind {
        match self {
            TraceEvent::Enter { .. } => TraceKind::Enter,
            TraceEvent::Leave { .. } => TraceKind::Leave,
            TraceEvent::Find { .. } => TraceKind::Find,
            TraceEvent::Iteration(_) => TraceKind::Iteration,
            TraceEvent::Select { .. } => TraceKind::Select,
            TraceEvent::Evaluate { .. } => TraceKind::Evaluate,
            TraceEvent::Backup { .. } => TraceKind::Backup,
            TraceEvent::Playout { .. } => TraceKind::Playout,
        }
    }
}

/// A kind of steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TraceKind {
    /// [`TraceEvent::Enter`].
    Enter,
    /// [`TraceEvent::Leave`].
    Leave,
    /// [`TraceEvent::Find`].
    Find,
    /// [`TraceEvent::Iteration`].
    Iteration,
    /// [`TraceEvent::Select`].
    Select,
    /// [`TraceEvent::Evaluate`].
    Evaluate,
    /// [`TraceEvent::Backup`].
    Backup,
    /// [`TraceEvent::Playout`].
    Playout,
}

impl TraceKind {
    /// The number of kinds.
    pub const COUNT: usize = 8;

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            TraceKind::Enter => "enter",
            TraceKind::Leave => "leave",
            TraceKind::Find => "find",
            TraceKind::Iteration => "iteration",
            TraceKind::Select => "select",
            TraceKind::Evaluate => "evaluate",
            TraceKind::Backup => "backup",
            TraceKind::Playout => "playout",
        }
    }
}

/// The reason why a textbook search leaves a position.
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

impl LeaveReason {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            LeaveReason::GameOver => "gameover",
            LeaveReason::AllMoves => "allmoves",
            LeaveReason::CutOff => "cutoff",
            LeaveReason::Table => "table",
            LeaveReason::Symmetry => "symmetry",
        }
    }
}
