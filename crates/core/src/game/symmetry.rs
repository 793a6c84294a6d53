//! The symmetries of a board: eight of a square, four of a rectangle.

use super::{Cell, Shape};

/// A turn or a mirror image of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Symmetry {
    transpose: bool,
    flip_rows: bool,
    flip_columns: bool,
}

impl Symmetry {
    /// The symmetries of a board, the identity first. A board that is not square has the four that take rows to rows. On a
    /// board of one row or one column, some of them are equal.
    pub fn all(shape: impl Into<Shape>) -> impl Iterator<Item = Symmetry> {
        (0..if shape.into().is_square() { 8 } else { 4 }).map(|bits| Symmetry {
            transpose: bits & 4 != 0,
            flip_rows: bits & 2 != 0,
            flip_columns: bits & 1 != 0,
        })
    }

    /// The image of `cell` on a board that has the symmetry.
    pub fn apply(self, cell: Cell, shape: impl Into<Shape>) -> Cell {
        let Shape { rows, columns } = shape.into();
        let flip = |index: u8, side: u8, flipped: bool| if flipped { side - 1 - index } else { index };
        let row = flip(cell.row(), rows, self.flip_rows);
        let column = flip(cell.column(), columns, self.flip_columns);
        if self.transpose { Cell::new(column, row) } else { Cell::new(row, column) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetries_are_a_group_of_eight_with_the_identity_first() {
        for size in [2, 3, 4, 7] {
            let map = |symmetry: Symmetry| Cell::all(size).map(|cell| symmetry.apply(cell, size)).collect::<Vec<_>>();
            let maps: Vec<Vec<Cell>> = Symmetry::all(size).map(map).collect();
            assert_eq!(maps.len(), 8);
            assert_eq!(maps[0], Cell::all(size).collect::<Vec<_>>());
            for (number, first) in maps.iter().enumerate() {
                assert!(!maps[..number].contains(first), "symmetry {number} is an earlier one");
                for second in &maps {
                    let both: Vec<Cell> = first.iter().map(|cell| second[cell.index(size)]).collect();
                    assert!(maps.contains(&both), "symmetry {number} and another one lead out of the group");
                }
                // Neighbours stay neighbours.
                let apart =
                    |one: Cell, other: Cell| one.row().abs_diff(other.row()) + one.column().abs_diff(other.column());
                for (one, other) in Cell::all(size).flat_map(|one| Cell::all(size).map(move |other| (one, other))) {
                    assert_eq!(apart(first[one.index(size)], first[other.index(size)]), apart(one, other));
                }
            }
        }
    }
}
