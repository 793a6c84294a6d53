//! The text form of a board, not yet checked against any rules.

use std::fmt;

use super::{Player, Shape};

/// A board as text: any number of rows of any width, and the side to move if the text names it.
///
/// Printed as rows from the top joined by `/`, then the side: `xo1/1x1/3 o`. Numbers are runs of empty cells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagram {
    /// The rows from the top.
    pub rows: Vec<DiagramRow>,
    /// The side to move, if the text names it.
    pub side: Option<Player>,
}

/// A row of a [`Diagram`].
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct DiagramRow {
    /// The stones with their columns, from the left.
    pub stones: Vec<(u32, Player)>,
    /// The number of cells.
    pub width: u32,
}

impl DiagramRow {
    /// Puts a stone to the right of the row.
    pub fn push_stone(&mut self, player: Player) {
        self.stones.push((self.width, player));
        self.push_empty(1);
    }

    /// Puts empty cells to the right of the row. The width stops at `u32::MAX`.
    pub fn push_empty(&mut self, cells: u32) {
        self.width = self.width.saturating_add(cells);
    }
}

impl fmt::Display for DiagramRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut next = 0;
        for &(column, player) in &self.stones {
            if column > next {
                write!(f, "{}", column - next)?;
            }
            write!(f, "{}", player.letter())?;
            next = column + 1;
        }
        if self.width > next {
            write!(f, "{}", self.width - next)?;
        }
        Ok(())
    }
}

impl Diagram {
    /// The empty board of this shape.
    pub fn empty(shape: Shape, side: Option<Player>) -> Diagram {
        let row = DiagramRow { stones: Vec::new(), width: shape.columns.into() };
        Diagram { rows: vec![row; shape.rows.into()], side }
    }

    /// The board as a FEN of programs for chess variants: `3/1P1/3[PPPPpppp] b - - 0 1`.
    ///
    /// `P` is X, `p` is O. The brackets hold the pieces that the players have still to place; they fill the board if the
    /// players move in turn, with a letter for each empty cell. `w` means that X is to move, `b` that O is. If no side is
    /// named, X is to move.
    pub fn fen(&self) -> String {
        let side = self.side.unwrap_or(Player::X);
        let empty: u64 = self.rows.iter().map(|row| u64::from(row.width) - row.stones.len() as u64).sum();
        let stones: usize = self.rows.iter().map(|row| row.stones.len()).sum();
        let in_hand = |player| if player == side { empty.div_ceil(2) } else { empty / 2 };
        let mut fen = String::new();
        for (index, row) in self.rows.iter().enumerate() {
            fen.push_str(if index > 0 { "/" } else { "" });
            fen.extend(row.to_string().chars().map(|character| match Player::from_letter(character) {
                Some(Player::X) => 'P',
                Some(Player::O) => 'p',
                None => character,
            }));
        }
        fen.push('[');
        (0..in_hand(Player::X)).for_each(|_| fen.push('P'));
        (0..in_hand(Player::O)).for_each(|_| fen.push('p'));
        fen.push_str(if side == Player::X { "] w" } else { "] b" });
        fen.push_str(&format!(" - - 0 {}", stones / 2 + 1));
        fen
    }
}

impl fmt::Display for Diagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, row) in self.rows.iter().enumerate() {
            if index > 0 {
                f.write_str("/")?;
            }
            write!(f, "{row}")?;
        }
        match self.side {
            Some(side) => write!(f, " {}", side.letter()),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::game::{Player, Position, Rules};

    #[test]
    fn a_fen_has_the_board_the_pieces_in_hand_and_the_turn() {
        for size in [1, 3, 4] {
            let mut position = Position::start(Rules::new(size, size.into(), true).expect("rules"));
            let cells = usize::from(size) * usize::from(size);
            for ply in 0.. {
                let diagram = position.diagram();
                let fen = diagram.fen();
                let (board, rest) = fen.split_once('[').expect("a hand");
                let (hand, turn) = rest.split_once(']').expect("a hand");
                let printed = diagram.to_string();
                let rows = printed.split(' ').next().expect("rows");
                assert_eq!(board.replace('P', "x").replace('p', "o"), rows, "{fen}");
                // X has half of the cells, rounded up.
                let of = |player| position.stones(player).len();
                let (x, o) = (cells.div_ceil(2) - of(Player::X), cells / 2 - of(Player::O));
                assert_eq!(hand, "P".repeat(x) + &"p".repeat(o), "{fen}");
                let side = if ply % 2 == 0 { 'w' } else { 'b' };
                assert_eq!(turn, format!(" {side} - - 0 {}", ply / 2 + 1), "{fen}");
                let Some(cell) = position.moves().next() else { break };
                position = position.after(cell);
            }
        }
    }
}
