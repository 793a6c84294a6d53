//! The shape of a board: its rows and columns.

use std::fmt;
use std::str::FromStr;

use super::{Cell, MAX_SIZE, RulesError};

/// The rows and columns of a board. [`Rules::new`](super::Rules::new) checks that both are from 1 to [`MAX_SIZE`].
///
/// A number alone is a square: `3.into()` is 3x3, and `(4, 9).into()` has 4 rows and 9 columns.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Shape {
    /// Rows of the board.
    pub rows: u8,
    /// Columns of the board.
    pub columns: u8,
}

impl Shape {
    /// The number of cells.
    pub fn cells(self) -> usize {
        usize::from(self.rows) * usize::from(self.columns)
    }

    /// The length of the longer side.
    pub fn longer_side(self) -> u8 {
        self.rows.max(self.columns)
    }

    /// The length of the shorter side.
    pub fn shorter_side(self) -> u8 {
        self.rows.min(self.columns)
    }

    /// True if the board has as many rows as columns.
    pub fn is_square(self) -> bool {
        self.rows == self.columns
    }

    /// True if the board has the cell.
    pub fn contains(self, cell: Cell) -> bool {
        cell.row() < self.rows && cell.column() < self.columns
    }

    /// Both numbers, if they are from 1 to [`MAX_SIZE`].
    pub(super) fn checked(self) -> Result<Shape, RulesError> {
        let is_possible = |side| (1..=MAX_SIZE).contains(&side);
        if is_possible(self.rows) && is_possible(self.columns) { Ok(self) } else { Err(RulesError::Size) }
    }
}

/// A square.
impl From<u8> for Shape {
    fn from(size: u8) -> Shape {
        Shape { rows: size, columns: size }
    }
}

/// Rows and columns.
impl From<(u8, u8)> for Shape {
    fn from((rows, columns): (u8, u8)) -> Shape {
        Shape { rows, columns }
    }
}

/// `4x9`: 4 rows and 9 columns.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.rows, self.columns)
    }
}

/// Reads what `Display` writes, and one number as a square.
impl FromStr for Shape {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<Shape, RulesError> {
        let (rows, columns) = text.split_once('x').unwrap_or((text, text));
        let side = |digits: &str| digits.parse().map_err(|_| RulesError::Size);
        Shape { rows: side(rows)?, columns: side(columns)? }.checked()
    }
}
