//! For clients: the client's settings of time and memory, and remarks on the engine's moves.

use crate::protocol::Info;
use crate::text::decimal;
use noughts_core::game::MoveText;
use noughts_core::search::{Clock, Limits};

use super::Coordinates;
use super::stones::OWN;

/// The time that the engine has, in milliseconds, as the client has set it.
#[derive(Default)]
pub struct TimeLeft {
    /// For one move.
    pub turn: Option<u64>,
    /// For all moves that are left.
    pub left: Option<u64>,
}

/// The time of a move that is to come "as fast as possible", in milliseconds, overhead included.
const FASTEST_MOVE: u64 = 20;

impl TimeLeft {
    /// The limits of a move of the engine.
    pub fn limits(&self) -> Limits {
        let move_time = self.turn.map(|turn| if turn == 0 { FASTEST_MOVE } else { turn });
        let mut clocks = [Clock::default(); 2];
        clocks[OWN as usize].time = self.left;
        Limits { move_time, clocks, ..Limits::default() }
    }
}

/// The part of the allowed memory that is not for the option `Hash`, in bytes: the program and the stack of a search.
const PROGRAM_BYTES: u64 = 24 << 20;

/// The value of the option `Hash`, in MiB, when the client allows `bytes` in all; `None` for 0, which is no limit.
pub fn hash_size(bytes: u64) -> Option<u64> {
    const MOST: u64 = 64;
    (bytes > 0).then(|| (bytes.saturating_sub(PROGRAM_BYTES) >> 20).clamp(1, MOST))
}

/// The engine's remark about its move, as a sentence for people.
pub fn remark(info: &Info) -> String {
    let value = info.value.unwrap_or(0.0);
    let proven = info.proven == Some(true);
    let within = if info.plies_at_most.is_some() { "within" } else { "in" };
    let mut remark = match info.plies.or(info.plies_at_most) {
        Some(plies) if proven => {
            let plies = format!("{plies} {}", if plies == 1 { "ply" } else { "plies" });
            format!("{} {within} {plies}", if value > 0.0 { "win" } else { "loss" })
        }
        _ if proven => "draw".to_owned(),
        _ => format!("value {}", decimal(value)),
    };
    for (name, number) in [("depth", info.depth), ("nodes", info.nodes), ("time", info.time)] {
        if let Some(number) = number {
            remark.push_str(&format!(", {name} {number}"));
        }
    }
    let expected: Vec<String> = info
        .pv
        .iter()
        .filter_map(|written| match written {
            &MoveText::RowColumn(row, column) => Some(Coordinates { column, row }.to_string()),
            _ => None,
        })
        .collect();
    if expected.is_empty() { remark } else { format!("{remark}, expected {}", expected.join(" ")) }
}
