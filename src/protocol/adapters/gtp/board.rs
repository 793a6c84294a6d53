//! The position as the session has told it last, in the words of GTP and of GoGui.

use std::fmt::Write;

use crate::protocol::{Query, QueryAnswer};
use noughts_core::game::{Cell, Diagram, Outcome, Player, Shape};

use super::{name, vertex};

/// What there is to say about a position without a search.
pub struct Board {
    pub shape: Shape,
    pub diagram: Diagram,
    /// The side to move; the game may be over.
    pub side: Player,
    pub outcome: Option<Outcome>,
    /// The legal moves; none if the game is over.
    legal: Vec<Cell>,
}

impl Board {
    /// The queries whose answers make a board.
    pub const QUERIES: [Query; 3] = [Query::Position, Query::Result, Query::Moves];

    /// The board of these answers; `None` if they answer other queries.
    pub fn of(answers: &[QueryAnswer]) -> Option<Board> {
        let [QueryAnswer::Position(diagram), result, QueryAnswer::Moves(moves)] = answers else { return None };
        let rows = u8::try_from(diagram.rows.len()).ok()?;
        let columns = u8::try_from(diagram.rows.first()?.width).ok()?;
        let shape = Shape { rows, columns };
        let outcome = match result {
            QueryAnswer::Result(outcome) => Some(*outcome),
            _ => None,
        };
        let legal = moves.iter().filter_map(|written| written.on_board(shape).ok()).collect();
        Some(Board { shape, side: diagram.side.unwrap_or(Player::X), diagram: diagram.clone(), outcome, legal })
    }

    /// True if there is no stone on the board.
    pub fn is_empty(&self) -> bool {
        self.diagram.rows.iter().all(|row| row.stones.is_empty())
    }

    /// The legal moves: `A1 B2`.
    pub fn legal_moves(&self) -> String {
        let written: Vec<String> = self.legal.iter().map(|&cell| vertex(cell, self.shape)).collect();
        written.join(" ")
    }

    /// The rows from the top, each cell `X`, `O` or `.` with blanks between them.
    pub fn rows(&self) -> impl Iterator<Item = String> {
        self.diagram.rows.iter().map(|row| {
            let mut cells = vec!["."; row.width as usize];
            for &(column, player) in &row.stones {
                cells[column as usize] = match player {
                    Player::X => "X",
                    Player::O => "O",
                };
            }
            cells.join(" ")
        })
    }

    /// The board with the letters and numbers of its vertices, and whose turn it is or the result.
    pub fn drawing(&self) -> String {
        let letters: String = (0..self.shape.columns)
            .map(|column| format!(" {}", char::from(super::COLUMNS[usize::from(column)])))
            .collect();
        let mut text = format!("\n  {letters}\n");
        for (row, number) in self.rows().zip((1..=self.shape.rows).rev()) {
            let _ = writeln!(text, "{number:2} {row} {number}");
        }
        let turn = || format!("{} to move", name(self.side));
        let _ = write!(text, "  {letters}\n{}", self.result().unwrap_or_else(turn));
        text
    }

    /// The result in words; `None` while the game goes on.
    pub fn result(&self) -> Option<String> {
        Some(match self.outcome? {
            Outcome::Draw => "draw".to_owned(),
            Outcome::Win(winner) => format!("{} wins", name(winner)),
        })
    }

    /// The result as Go has it, with a point for a win; `None` while the game goes on.
    pub fn score(&self) -> Option<&'static str> {
        Some(match self.outcome? {
            Outcome::Draw => "0",
            Outcome::Win(Player::X) => "B+1",
            Outcome::Win(Player::O) => "W+1",
        })
    }
}
