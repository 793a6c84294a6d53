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

    /// The image of `cell` on a board with `size` rows.
    pub fn apply(self, cell: Cell, size: u8) -> Cell {
        let flip = |index: u8, flipped: bool| if flipped { size - 1 - index } else { index };
        let (row, column) = (flip(cell.row(), self.flip_rows), flip(cell.column(), self.flip_columns));
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
            let maps: Vec<Vec<Cell>> = Symmetry::all().map(map).collect();
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
