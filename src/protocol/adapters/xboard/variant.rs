//! The games as XBoard knows them: names, the lines that set them up, and how their moves are written.

use noughts_core::game::{Cell, Diagram, MoveText, Notation, Player};

/// A variant: the size of the board, and whether completing a line loses. The option `connect` sets how many in a row
/// make a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct XBoardVariant {
    pub size: u8,
    pub reverse: bool,
}

/// The sizes of board that XBoard can show.
const SIZES: std::ops::RangeInclusive<u8> = 3..=12;

/// The kinds of pieces that XBoard knows, each with its letter for White, then the same for Black. A stone is the eighth
/// kind, an archbishop. A pawn, the first kind, must not be dropped on the last rank. Without a king there is no check.
const PIECES: &str = ".......P.....................p..............";

impl XBoardVariant {
    /// Tic-tac-toe, the game until the client chooses another.
    pub const FIRST: XBoardVariant = XBoardVariant { size: 3, reverse: false };

    /// All games.
    pub fn all() -> impl Iterator<Item = XBoardVariant> {
        [false, true].into_iter().flat_map(|reverse| SIZES.map(move |size| XBoardVariant { size, reverse }))
    }

    /// The game of this name.
    pub fn named(name: &str) -> Option<XBoardVariant> {
        XBoardVariant::all().find(|variant| variant.name().eq_ignore_ascii_case(name))
    }

    /// The name of the game. For 3x3 it is the name that other programs use too.
    pub fn name(self) -> String {
        match self {
            XBoardVariant { size: 3, reverse: false } => "tictactoe".to_owned(),
            XBoardVariant { size, reverse: false } => format!("noughts{size}"),
            XBoardVariant { size, reverse: true } => format!("reverse{size}"),
        }
    }

    /// The lines that tell XBoard how to show the game: pieces, board with all stones in hand, and how stones move.
    pub fn set_up(self) -> String {
        let size = self.size;
        format!("setup ({PIECES}) {size}x{size}+1_fairy {}\npiece P& @{size}", self.empty().fen())
    }

    /// The position in which the game begins.
    pub fn empty(self) -> Diagram {
        Diagram::empty(self.size.into(), Some(Player::X))
    }

    /// The first rank: 0 on 10x10, where ranks from 1 would need two digits, else 1.
    fn first_rank(self) -> u32 {
        if self.size == 10 { 0 } else { 1 }
    }

    /// Reads `P@b2`.
    pub fn read(self, text: &str) -> Option<MoveText> {
        let square = text.strip_prefix("P@").or(text.strip_prefix("p@"))?;
        let file = square.chars().next().filter(char::is_ascii_alphabetic)?;
        let rank = &square[1..];
        let is_number = !rank.is_empty() && rank.len() < 4 && rank.bytes().all(|byte| byte.is_ascii_digit());
        let rank: u32 = rank.parse().ok().filter(|_| is_number)?;
        Some(MoveText::Drop(file, rank + 1 - self.first_rank()))
    }

    /// Writes `P@b2`.
    pub fn write(self, cell: Cell) -> String {
        match Notation::Drop.write(cell, self.size) {
            MoveText::Drop(file, rank) => MoveText::Drop(file, rank - 1 + self.first_rank()).to_string(),
            other => other.to_string(),
        }
    }

    /// Rewrites a move in any form. A move that is off the board stays as it is.
    pub fn rewrite(self, written: MoveText) -> String {
        written.on_board(self.size).map_or_else(|_| written.to_string(), |cell| self.write(cell))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_is_found_by_its_name() {
        for variant in XBoardVariant::all() {
            assert_eq!(XBoardVariant::named(&variant.name()), Some(variant));
        }
        assert_eq!(XBoardVariant::named("tictactoe"), Some(XBoardVariant::FIRST));
        for name in ["normal", "noughts3", "noughts13", "reverse2", ""] {
            assert_eq!(XBoardVariant::named(name), None, "{name}");
        }
    }

    #[test]
    fn every_move_is_read_back_and_only_10x10_ranks_start_at_0() {
        for variant in XBoardVariant::all() {
            for cell in Cell::all(variant.size) {
                let read = variant.read(&variant.write(cell)).map(|written| written.on_board(variant.size));
                assert_eq!(read, Some(Ok(cell)));
            }
            let corner = Cell::new(variant.size - 1, 0);
            assert_eq!(variant.write(corner), if variant.size == 10 { "P@a0" } else { "P@a1" });
        }
        for text in ["b2", "P@", "P@b", "P@22", "N@b2", "P@b2x", "P@b-1", "P@é1", "P@b99999", "1,1"] {
            assert_eq!(XBoardVariant::FIRST.read(text), None, "{text}");
        }
    }

    #[test]
    fn hands_hold_a_stone_per_cell_and_both_sides_the_same_pieces() {
        let (white, black) = PIECES.split_at(PIECES.len() / 2);
        assert_eq!(white.to_ascii_lowercase(), black);
        for variant in XBoardVariant::all() {
            let text = variant.set_up();
            let hands = text.split(['[', ']']).nth(1).expect("hands");
            let cells = usize::from(variant.size) * usize::from(variant.size);
            assert_eq!([hands.matches('P').count(), hands.matches('p').count()], [cells.div_ceil(2), cells / 2]);
        }
    }
}
