//! The lines of a board.

use super::{Cell, CellSet, Rules};

/// The four directions in which a line can run, as rows and columns a step.
pub(super) const DIRECTIONS: [(i8, i8); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

impl Rules {
    /// Every line of exactly the length that these rules ask for. A player who has all cells of one has completed a
    /// line; a longer row of stones holds several.
    pub fn lines(self) -> Vec<CellSet> {
        let Some(length) = self.line_length() else { return Vec::new() };
        let on_board = |&cell: &Cell| self.shape().contains(cell);
        let line = |start: Cell, direction| {
            (0..length).map(|steps| start.step(direction, steps as i8).filter(on_board)).collect::<Option<CellSet>>()
        };
        // Without a direction a line of one cell would count four times.
        let directions = if length == 1 { &DIRECTIONS[..1] } else { &DIRECTIONS };
        Cell::all(self.shape())
            .flat_map(|start| directions.iter().filter_map(move |&direction| line(start, direction)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_has_as_many_lines_as_fit() {
        let count = |size, connect| Rules::new(size, connect, false).unwrap().lines().len();
        assert_eq!((count(1, 0), count(2, 0), count(3, 0), count(4, 0), count(20, 0)), (1, 6, 8, 10, 42));
        assert_eq!((count(3, 1), count(3, 2), count(3, 4)), (9, 20, 0));
        assert_eq!((count(15, 5), count(8, 5)), (2 * 15 * 11 + 2 * 11 * 11, 2 * 8 * 4 + 2 * 4 * 4));
    }
}
