//! The eight symmetries of the square.

use super::Cell;

/// A turn or a mirror image of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Symmetry {
    transpose: bool,
    flip_rows: bool,
    flip_columns: bool,
}

impl Symmetry {
    /// All eight, the identity first.
    pub fn all() -> impl Iterator<Item = Symmetry> {
        (0..8).map(|bits| Symmetry { transpose: bits & 4 != 0, flip_rows: bits & 2 != 0, flip_columns: bits & 1 != 0 })
    }

    /// Where `cell` of a board with `size` rows goes.
    pub fn apply(self, cell: Cell, size: u8) -> Cell {
        let flip = |index: u8, flipped: bool| if flipped { size - 1 - index } else { index };
        let (row, column) = (flip(cell.row(), self.flip_rows), flip(cell.column(), self.flip_columns));
        if self.transpose { Cell::new(column, row) } else { Cell::new(row, column) }
    }
}
