//! The Go Text Protocol, version 2: of programs for Go, and of many for other games on a square grid.
//!
//! The sources are "GTP, the Go Text Protocol" (Gunnar Farnebäck, 2002) and the manual of GoGui (Markus Enzensberger), which
//! adds commands for the rules of other games and for drawings on its board.
//!
//! A command is a line `[id] name arguments`. A response is `=[id] text` or `?[id] error`, and a blank line ends it. X is
//! black, for X begins.
//!
//! | file | content |
//! |---|---|
//! | `mod.rs` | what both sides share: vertices and colours |
//! | `client.rs` | a client of this protocol, such as GoGui, plays with this engine |
//! | `board.rs`, `timing.rs`, `drawing.rs` | for clients: the position, time, and what GoGui draws |
//! | `engine/` | this program plays with an engine of this protocol |

mod board;
mod client;
mod drawing;
mod engine;
mod timing;

use crate::protocol::adapters::ProtocolFacts;
use noughts_core::game::{Cell, Player, Shape};

pub use client::{GtpClient, is_chosen_by};
use engine::GtpEngine;

/// The facts that a client of engines has to know of this protocol.
pub const FACTS: ProtocolFacts = ProtocolFacts {
    name: "gtp",
    adapter: Some(|rules| Box::new(GtpEngine::new(rules))),
    introduction: "answered list_commands and boardsize",
    no_introduction: "did not answer list_commands and boardsize in time",
    needs_limit: false,
    has_counts: false,
    no_small_boards: None,
};

/// The letters of columns. There is no I.
const COLUMNS: &[u8] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";

/// The vertex of a cell, such as `B3`: the letter of the column, and the row from 1 at the bottom.
fn vertex(cell: Cell, shape: Shape) -> String {
    format!("{}{}", char::from(COLUMNS[usize::from(cell.column())]), shape.rows - cell.row())
}

/// Reads a vertex, in upper or lower case; `None` if the text names no cell of the board.
fn cell_at(text: &str, shape: Shape) -> Option<Cell> {
    let (letter, row) = text.split_at_checked(1)?;
    let letter = letter.as_bytes()[0].to_ascii_uppercase();
    let column = COLUMNS.iter().position(|&known| known == letter).filter(|&column| column < shape.columns.into())?;
    let is_number = row.bytes().all(|byte| byte.is_ascii_digit());
    let row: u8 = row.parse().ok().filter(|&row| is_number && row >= 1 && row <= shape.rows)?;
    Some(Cell::new(shape.rows - row, column as u8))
}

/// A player's colour in words.
fn name(player: Player) -> &'static str {
    match player {
        Player::X => "black",
        Player::O => "white",
    }
}

/// The letter of a player's colour.
fn colour(player: Player) -> char {
    match player {
        Player::X => 'b',
        Player::O => 'w',
    }
}

/// Reads a colour: `b`, `black`, `w` or `white`, in upper or lower case.
fn player_of(text: &str) -> Option<Player> {
    match text.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(Player::X),
        "w" | "white" => Some(Player::O),
        _ => None,
    }
}

/// The command that sets an option of this program: `noughts-move_overhead`.
fn option_command(option: &str) -> String {
    format!("noughts-{}", option.to_ascii_lowercase().replace(' ', "_"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(rows: u8, columns: u8) -> Shape {
        Shape { rows, columns }
    }

    #[test]
    fn every_vertex_is_read_back_and_none_has_the_letter_i() {
        for board in [shape(3, 3), shape(20, 20), shape(4, 9), shape(20, 1)] {
            for cell in Cell::all(board) {
                let written = vertex(cell, board);
                assert!(!written.contains('I'));
                assert_eq!(cell_at(&written, board), Some(cell));
                assert_eq!(cell_at(&written.to_lowercase(), board), Some(cell));
            }
        }
        assert_eq!(vertex(Cell::new(0, 0), shape(15, 15)), "A15");
        assert_eq!(vertex(Cell::new(18, 18), shape(19, 19)), "T1");
        for text in ["", "A", "A0", "A4", "D1", "I1", "1A", "A+1", "é1", "A1 ", "pass", "A257"] {
            assert_eq!(cell_at(text, shape(3, 3)), None, "{text}");
        }
    }
}
