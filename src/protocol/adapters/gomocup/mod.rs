//! The protocol of the Gomocup tournaments, also called Piskvork's: five or more in a row on boards from 5x5 to 20x20.
//!
//! The source is "Gomoku AI protocol" (Petr Laštovička, 2000 to 2016).
//!
//! | file | content |
//! |---|---|
//! | `mod.rs` | what both sides share: the game, coordinates, the word for unlimited time |
//! | `client.rs` | a client of this protocol plays with this engine |
//! | `stones.rs` | for clients: stones and boards as the client sends them |
//! | `timing.rs` | for clients: time, memory, and remarks on moves |
//! | `engine/` | this program plays with an engine of this protocol |

mod client;
mod engine;
mod stones;
mod timing;

use std::fmt;
use std::ops::RangeInclusive;

use crate::protocol::adapters::ProtocolFacts;
use noughts_core::game::{Cell, MoveText};

pub use client::GomocupClient;
use engine::GomocupEngine;

/// The sizes of board that the protocol has.
const SIZES: RangeInclusive<u32> = 5..=20;

/// The number in a row that wins.
const CONNECT: u32 = 5;

/// The time that is left, in milliseconds, when the time for a whole game is unlimited.
const UNLIMITED: u64 = i32::MAX as u64;

/// The facts that a client of engines has to know of this protocol.
pub const FACTS: ProtocolFacts = ProtocolFacts {
    name: "gomocup",
    adapter: Some(|rules| Box::new(GomocupEngine::new(rules))),
    introduction: "answered ABOUT and START",
    no_introduction: "did not answer ABOUT and START in time",
    needs_limit: false,
    has_counts: false,
    no_small_boards: Some("the Gomocup protocol begins at 5x5"),
};

/// A cell as the protocol writes it, `x,y`: column and row, from 0 at the top left. It need not be on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Coordinates {
    column: u32,
    row: u32,
}

impl Coordinates {
    /// Reads `x,y`; `None` if the text is anything else.
    fn read(text: &str) -> Option<Coordinates> {
        let (column, row) = text.split_once(',')?;
        Some(Coordinates { column: column.trim().parse().ok()?, row: row.trim().parse().ok()? })
    }
}

impl From<Cell> for Coordinates {
    fn from(cell: Cell) -> Coordinates {
        Coordinates { column: cell.column().into(), row: cell.row().into() }
    }
}

impl From<Coordinates> for MoveText {
    fn from(Coordinates { column, row }: Coordinates) -> MoveText {
        MoveText::RowColumn(row, column)
    }
}

/// The form that [`Coordinates::read`] reads.
impl fmt::Display for Coordinates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.column, self.row)
    }
}
