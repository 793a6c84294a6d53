//! One cell of a board, and the ways to write it.

use std::fmt;
use std::str::FromStr;

use super::{MAX_SIZE, MoveError, Shape};

/// A cell: row and column, both from 0 at the top left. Cells are ordered row by row.
///
/// A `Cell` lies on the largest board. Smaller boards refuse the cells that they do not have: see
/// [`Position::play`](super::Position::play).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Cell {
    row: u8,
    column: u8,
}

impl Cell {
    /// The cell at `row` and `column`, both from 0 to [`MAX_SIZE`]` - 1`.
    ///
    /// # Panics
    /// When it lies outside the largest board.
    pub fn new(row: u8, column: u8) -> Cell {
        assert!(row < MAX_SIZE && column < MAX_SIZE, "no board has a cell {row},{column}");
        Cell { row, column }
    }

    /// Every cell of a board, in reading order.
    pub fn all(shape: impl Into<Shape>) -> impl Iterator<Item = Cell> {
        let Shape { rows, columns } = shape.into();
        (0..rows).flat_map(move |row| (0..columns).map(move |column| Cell { row, column }))
    }

    /// The row, from 0 at the top.
    pub fn row(self) -> u8 {
        self.row
    }

    /// The column, from 0 at the left.
    pub fn column(self) -> u8 {
        self.column
    }

    /// The place of this cell in reading order on a board, from 0.
    pub fn index(self, shape: impl Into<Shape>) -> usize {
        usize::from(self.row) * usize::from(shape.into().columns) + usize::from(self.column)
    }

    /// The cell `steps` further along a direction given as rows and columns a step, if the largest board has it.
    pub(super) fn step(self, direction: (i8, i8), steps: i8) -> Option<Cell> {
        let row = self.row as i8 + direction.0 * steps;
        let column = self.column as i8 + direction.1 * steps;
        let on_board = 0..MAX_SIZE as i8;
        (on_board.contains(&row) && on_board.contains(&column)).then_some(Cell { row: row as u8, column: column as u8 })
    }
}

/// `row,column`: the form in which moves are printed.
impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.row, self.column)
    }
}

/// Reads what `Display` writes.
impl FromStr for Cell {
    type Err = CellError;

    fn from_str(text: &str) -> Result<Cell, CellError> {
        let (row, column) = text.split_once(',').ok_or(CellError)?;
        let index = |digits: &str| digits.parse().ok().filter(|&index| index < MAX_SIZE).ok_or(CellError);
        Ok(Cell { row: index(row)?, column: index(column)? })
    }
}

/// The text is not a cell of the form `row,column`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected a cell in the form 1,2")]
pub struct CellError;

/// A move as text, not yet checked against a board.
///
/// On a board with 3 rows, the three forms of every cell:
///
/// ```text
/// 0,0 0,1 0,2        a3 b3 c3        P@a3 P@b3 P@c3
/// 1,0 1,1 1,2        a2 b2 c2        P@a2 P@b2 P@c2
/// 2,0 2,1 2,2        a1 b1 c1        P@a1 P@b1 P@c1
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveText {
    /// `r,c`: row from the top and column from the left, both from 0.
    RowColumn(u32, u32),
    /// `b2`: file letter from the left and rank number from the bottom, from 1.
    FileRank(char, u32),
    /// `P@b2`: the same as programs for chess variants write it, a piece dropped on an empty square.
    Drop(char, u32),
}

impl MoveText {
    /// The cell on a board.
    ///
    /// # Errors
    /// [`MoveError::OffBoard`] when that board has no such cell.
    pub fn on_board(self, shape: impl Into<Shape>) -> Result<Cell, MoveError> {
        let shape = shape.into();
        let off_board = MoveError::OffBoard { written: self, shape };
        let (row, column) = match self {
            MoveText::RowColumn(row, column) => (row, column),
            MoveText::FileRank(file, rank) | MoveText::Drop(file, rank) => {
                let row = u32::from(shape.rows).checked_sub(rank).ok_or(off_board)?;
                let column = u32::from(file.to_ascii_lowercase()).checked_sub(u32::from('a')).ok_or(off_board)?;
                (row, column)
            }
        };
        if row >= u32::from(shape.rows) || column >= u32::from(shape.columns) {
            return Err(off_board);
        }
        Ok(Cell { row: row as u8, column: column as u8 })
    }
}

impl From<Cell> for MoveText {
    fn from(cell: Cell) -> MoveText {
        MoveText::RowColumn(u32::from(cell.row), u32::from(cell.column))
    }
}

impl fmt::Display for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveText::RowColumn(row, column) => write!(f, "{row},{column}"),
            MoveText::FileRank(file, rank) => write!(f, "{file}{rank}"),
            MoveText::Drop(file, rank) => write!(f, "P@{file}{rank}"),
        }
    }
}

/// Reads each of the three forms, with numbers of up to nine digits; `p@` may be small.
impl FromStr for MoveText {
    type Err = MoveTextError;

    fn from_str(text: &str) -> Result<MoveText, MoveTextError> {
        let number = |digits: &str| {
            let is_number = (1..=9).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
            digits.parse().ok().filter(|_| is_number).ok_or(MoveTextError)
        };
        if let Some((row, column)) = text.split_once(',') {
            return Ok(MoveText::RowColumn(number(row)?, number(column)?));
        }
        let dropped = text.strip_prefix("P@").or_else(|| text.strip_prefix("p@"));
        let mut rank = dropped.unwrap_or(text).chars();
        let file = rank.next().filter(char::is_ascii_alphabetic).ok_or(MoveTextError)?;
        let rank = number(rank.as_str())?;
        Ok(if dropped.is_some() { MoveText::Drop(file, rank) } else { MoveText::FileRank(file, rank) })
    }
}

/// The text has none of the forms of a move.
#[derive(Clone, Copy, PartialEq, Eq, thiserror::Error, Debug)]
#[error("expected a move in the form 1,2, b2 or P@b2")]
pub struct MoveTextError;

/// The form in which moves are printed.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Notation {
    /// [`MoveText::RowColumn`].
    #[default]
    RowColumn,
    /// [`MoveText::Drop`].
    Drop,
}

impl Notation {
    /// The move on `cell` of a board.
    pub fn write(self, cell: Cell, shape: impl Into<Shape>) -> MoveText {
        match self {
            Notation::RowColumn => cell.into(),
            Notation::Drop => {
                MoveText::Drop(char::from(b'a' + cell.column), u32::from(shape.into().rows) - u32::from(cell.row))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ways_to_write_a_move_agree() {
        for (row_column, file_rank) in [((0, 0), ('a', 3)), ((1, 1), ('B', 2)), ((2, 2), ('c', 1)), ((0, 2), ('C', 3))]
        {
            let first = MoveText::RowColumn(row_column.0, row_column.1).on_board(3);
            assert!(first.is_ok());
            assert_eq!(first, MoveText::FileRank(file_rank.0, file_rank.1).on_board(3));
            assert_eq!(first, MoveText::Drop(file_rank.0, file_rank.1).on_board(3));
        }
        for size in [1, 3, 10, MAX_SIZE] {
            for cell in Cell::all(size) {
                assert_eq!(Notation::RowColumn.write(cell, size).on_board(size), Ok(cell));
                assert_eq!(Notation::Drop.write(cell, size).on_board(size), Ok(cell));
            }
        }
    }

    #[test]
    fn printed_moves_are_read_back_and_nothing_else_is_a_move() {
        for cell in Cell::all(MAX_SIZE) {
            for written in [Notation::RowColumn.write(cell, MAX_SIZE), Notation::Drop.write(cell, MAX_SIZE)] {
                assert_eq!(written.to_string().parse(), Ok(written));
            }
        }
        assert_eq!("p@C12".parse(), Ok(MoveText::Drop('C', 12)));
        assert_eq!("p2".parse(), Ok(MoveText::FileRank('p', 2)));
        assert_eq!("000,999999999".parse(), Ok(MoveText::RowColumn(0, 999_999_999)));
        for text in
            ["", ",", "1", "1,", ",1", "1,2,3", "1, 2", "+1,2", "1000000000,1", "a", "a-1", "2a", "é2", "P@", "P@1,2"]
        {
            assert_eq!(text.parse::<MoveText>(), Err(MoveTextError), "{text}");
        }
    }

    #[test]
    fn cells_off_the_board_are_refused_in_both_forms() {
        for written in [
            MoveText::RowColumn(3, 0),
            MoveText::RowColumn(0, 3),
            MoveText::RowColumn(u32::MAX, u32::MAX),
            MoveText::FileRank('a', 0),
            MoveText::FileRank('a', 4),
            MoveText::FileRank('d', 1),
            MoveText::FileRank('a', u32::MAX),
            MoveText::Drop('d', 1),
            MoveText::Drop('a', 0),
        ] {
            assert_eq!(written.on_board(3), Err(MoveError::OffBoard { written, shape: 3.into() }));
        }
    }
}
