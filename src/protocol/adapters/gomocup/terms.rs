//! What the client says of time and memory, and what the engine says of its moves.

use crate::protocol::Info;
use crate::text::decimal;
use noughts_core::game::MoveText;
use noughts_core::search::{Clock, Limits};

use super::stones::OWN;

/// What the client says of time; in milliseconds.
#[derive(Default)]
pub struct Timing {
    /// For a move.
    pub turn: Option<u64>,
    /// What is left for all moves.
    pub left: Option<u64>,
}

/// What is left, in milliseconds, when the time of a whole match is unlimited.
pub const UNLIMITED: u64 = 2_147_483_647;

/// The time of a move that is to come "as fast as possible", in milliseconds, overhead included.
const SWIFT: u64 = 20;

impl Timing {
    /// The limits of a move of the engine.
    pub fn limits(&self) -> Limits {
        let move_time = self.turn.map(|turn| if turn == 0 { SWIFT } else { turn });
        let mut clocks = [Clock::default(); 2];
        clocks[OWN as usize].time = self.left;
        Limits { move_time, clocks, ..Limits::default() }
    }
}

/// What is kept back of the memory that a client allows, in bytes: the program itself and the stack of a search.
const PROGRAM_BYTES: u64 = 24 << 20;

/// The option `Hash`, in MiB, for so many bytes in all; `None` where 0 says that there is no limit.
pub fn hash(bytes: u64) -> Option<u64> {
    const MOST: u64 = 64;
    (bytes > 0).then(|| (bytes.saturating_sub(PROGRAM_BYTES) >> 20).clamp(1, MOST))
}

/// What the engine thinks of its move, for people.
pub fn remark(info: &Info) -> String {
    let value = info.value.unwrap_or(0.0);
    let proven = info.proven == Some(true);
    let mut remark = match info.plies {
        Some(plies) if proven => {
            let plies = format!("{plies} {}", if plies == 1 { "ply" } else { "plies" });
            format!("{} in {plies}", if value > 0.0 { "win" } else { "loss" })
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
            MoveText::RowColumn(row, column) => Some(format!("{column},{row}")),
            _ => None,
        })
        .collect();
    if expected.is_empty() { remark } else { format!("{remark}, expected {}", expected.join(" ")) }
}
