//! `trace` lines: what a search does, step by step.

use std::fmt;

use noughts_core::game::MoveText;
use noughts_core::search::LeaveReason;

use crate::engine::{TraceKind, TraceSearch};
use crate::text::decimal;

/// A line of a trace. Plies count from the root. Values are printed with at most 4 decimals.
#[derive(Clone, PartialEq, Debug)]
pub enum TraceLine {
    /// A textbook search enters a position.
    Enter {
        /// The ply of the position.
        ply: u64,
        /// The move that leads there; `None` at the root.
        written: Option<MoveText>,
        /// Alpha and beta, for a search with a window.
        window: Option<(i64, i64)>,
    },
    /// It leaves the position that it entered last and has not left.
    Leave {
        /// The ply of the position.
        ply: u64,
        /// Its value.
        value: TraceValue,
        /// Why it is left.
        reason: LeaveReason,
    },
    /// It finds the position behind a move in its table.
    Find {
        /// The ply of the position behind the move.
        ply: u64,
        /// The move.
        written: MoveText,
        /// The value of the position.
        value: TraceValue,
    },
    /// The tree search begins an iteration.
    Iteration(u64),
    /// It goes to a child.
    Select {
        /// The ply of the child.
        ply: u64,
        /// The move.
        written: MoveText,
        /// Visits before the iteration.
        visits: u64,
        /// Their mean value.
        value: f64,
        /// The prior of the move.
        prior: f64,
    },
    /// It evaluates the leaf.
    Evaluate {
        /// The ply of the leaf.
        ply: u64,
        /// Its value.
        value: f64,
        /// Playouts won, drawn and lost, if any were played.
        results: Option<[u64; 3]>,
        /// What is proven.
        proven: Option<ProvenResult>,
    },
    /// It has updated a node.
    Backup {
        /// The ply of the node.
        ply: u64,
        /// Its visits.
        visits: u64,
        /// The sum of their values.
        total: f64,
        /// Their mean value.
        value: f64,
        /// What is proven.
        proven: Option<ProvenResult>,
    },
    /// Flat Monte Carlo has played a game.
    Playout {
        /// Its number, from 1.
        number: u64,
        /// Its result.
        result: TraceResult,
        /// Its moves.
        moves: Vec<MoveText>,
    },
    /// What flat Monte Carlo has found about a move.
    MonteCarloTotal {
        /// The move.
        written: MoveText,
        /// All playouts.
        playouts: u64,
        /// The score of the square.
        total: f64,
        /// The expected score per playout.
        expected: Option<f64>,
    },
    /// What the tree search has found about a move.
    TreeTotal {
        /// The move.
        written: MoveText,
        /// Its visits.
        visits: u64,
        /// The sum of their values.
        total: f64,
        /// Their mean value.
        value: f64,
        /// The prior of the move.
        prior: f64,
        /// What is proven.
        proven: Option<ProvenResult>,
    },
    /// The end of the trace.
    End(TraceEnd),
}

/// A value from -1 to 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TraceValue {
    /// The value.
    pub value: f64,
    /// The plies to the end of the game, for an exact win or loss.
    pub plies: Option<u64>,
}

/// A result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TraceResult {
    /// A win.
    Win,
    /// A draw.
    Draw,
    /// A loss.
    Loss,
}

impl TraceResult {
    /// The result of a value that is 1, 0 or -1.
    pub fn of(result: i8) -> TraceResult {
        match result.signum() {
            1 => TraceResult::Win,
            0 => TraceResult::Draw,
            _ => TraceResult::Loss,
        }
    }

    fn name(self) -> &'static str {
        match self {
            TraceResult::Win => "win",
            TraceResult::Draw => "draw",
            TraceResult::Loss => "loss",
        }
    }
}

/// A result that is proven.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProvenResult {
    /// The result.
    pub result: TraceResult,
    /// The plies to the end of the game, where they are proven too.
    pub plies: Option<u64>,
}

/// The last line of a trace.
#[derive(Clone, PartialEq, Debug)]
pub struct TraceEnd {
    /// The search.
    pub search: TraceSearch,
    /// Nodes, or playouts.
    pub nodes: u64,
    /// The value of the position, if it is known.
    pub value: Option<TraceValue>,
    /// The first of the best moves, if it is known.
    pub best: Option<MoveText>,
    /// Whether the search has come to its end.
    pub is_finished: bool,
    /// Lines of events.
    pub sent: u64,
    /// Events of each kind that were not sent.
    pub unsent: Vec<(TraceKind, u64)>,
}

const REASONS: [(LeaveReason, &str); 5] = [
    (LeaveReason::GameOver, "gameover"),
    (LeaveReason::AllMoves, "allmoves"),
    (LeaveReason::CutOff, "cutoff"),
    (LeaveReason::Table, "table"),
    (LeaveReason::Symmetry, "symmetry"),
];

impl fmt::Display for TraceLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("trace ")?;
        match self {
            TraceLine::Enter { ply, written, window } => {
                write!(f, "enter {ply}")?;
                pair(f, "move", *written)?;
                window.map_or(Ok(()), |(alpha, beta)| write!(f, " alpha {alpha} beta {beta}"))
            }
            TraceLine::Leave { ply, value, reason } => {
                let name = REASONS.iter().find(|(known, _)| known == reason).map(|(_, name)| name);
                write!(f, "leave {ply}{value}")?;
                pair(f, "reason", name)
            }
            TraceLine::Find { ply, written, value } => write!(f, "find {ply} move {written}{value}"),
            TraceLine::Iteration(number) => write!(f, "iteration {number}"),
            TraceLine::Select { ply, written, visits, value, prior } => {
                let (value, prior) = (decimal(*value), decimal(*prior));
                write!(f, "select {ply} move {written} visits {visits} value {value} prior {prior}")
            }
            TraceLine::Evaluate { ply, value, results, proven } => {
                write!(f, "evaluate {ply} value {}", decimal(*value))?;
                if let Some([wins, draws, losses]) = results {
                    write!(f, " wins {wins} draws {draws} losses {losses}")?;
                }
                write_proven(f, *proven)
            }
            TraceLine::Backup { ply, visits, total, value, proven } => {
                write!(f, "backup {ply} visits {visits} total {} value {}", decimal(*total), decimal(*value))?;
                write_proven(f, *proven)
            }
            TraceLine::Playout { number, result, moves } => {
                write!(f, "playout {number} result {} moves", result.name())?;
                moves.iter().try_for_each(|written| write!(f, " {written}"))
            }
            TraceLine::MonteCarloTotal { written, playouts, total, expected } => {
                write!(f, "total move {written} playouts {playouts} total {}", decimal(*total))?;
                pair(f, "expected", expected.map(decimal))
            }
            TraceLine::TreeTotal { written, visits, total, value, prior, proven } => {
                let [total, value, prior] = [*total, *value, *prior].map(decimal);
                write!(f, "total move {written} visits {visits} total {total} value {value} prior {prior}")?;
                write_proven(f, *proven)
            }
            TraceLine::End(end) => {
                write!(f, "end search {} nodes {}", end.search.name(), end.nodes)?;
                end.value.map_or(Ok(()), |value| write!(f, "{value}"))?;
                pair(f, "move", end.best)?;
                write!(f, " finished {} sent {}", end.is_finished, end.sent)?;
                end.unsent.iter().try_for_each(|(kind, number)| write!(f, " {} {number}", kind.name()))
            }
        }
    }
}

/// With a blank before it.
impl fmt::Display for TraceValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, " value {}", decimal(self.value))?;
        pair(f, "plies", self.plies)
    }
}

fn write_proven(f: &mut fmt::Formatter<'_>, proven: Option<ProvenResult>) -> fmt::Result {
    let Some(ProvenResult { result, plies }) = proven else { return Ok(()) };
    pair(f, "proven", Some(result.name()))?;
    pair(f, "plies", plies)
}

fn pair(f: &mut fmt::Formatter<'_>, key: &str, value: Option<impl fmt::Display>) -> fmt::Result {
    value.map_or(Ok(()), |value| write!(f, " {key} {value}"))
}
