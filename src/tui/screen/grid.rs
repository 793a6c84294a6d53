//! The places of the board's cells on the screen.

use ratatui::layout::{Position, Rect};

use noughts_core::game::{Cell, Shape};

/// Columns for the numbers of the rows on each side of the board.
pub const MARGIN: u16 = 4;

/// The inside of a cell and the distance to the next one, in columns and rows.
///
/// ```text
///  large: 7x3 with lines     small: 3x1 with lines     dense: 3x1
///
///   ╲ ╱  │       │           X │   │ O              X   ·   O
///    ╳   │       │          ───┼───┼───             ·   X   ·
///   ╱ ╲  │       │             │ X │
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scale {
    /// Columns of a cell.
    pub width: u16,
    /// Rows of a cell.
    pub height: u16,
    /// True if there are lines between the rows.
    pub lines: bool,
}

impl Scale {
    const LARGE: Scale = Scale { width: 7, height: 3, lines: true };
    const SMALL: Scale = Scale { width: 3, height: 1, lines: true };
    const DENSE: Scale = Scale { width: 3, height: 1, lines: false };

    /// From a cell to the next.
    fn pitch(self) -> (u16, u16) {
        (self.width + 1, self.height + u16::from(self.lines))
    }

    /// Columns and rows of so many cells.
    fn extent(self, cells: u16) -> (u16, u16) {
        let (across, down) = self.pitch();
        (cells * across - 1, cells * down - u16::from(self.lines))
    }

    /// The number of cells that fit into columns and rows.
    fn capacity(self, columns: u16, rows: u16) -> (u16, u16) {
        let (across, down) = self.pitch();
        ((columns + 1) / across, (rows + u16::from(self.lines)) / down)
    }
}

/// The part of the board that is seen, and where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grid {
    /// The size of the cells.
    pub scale: Scale,
    /// The cells, without the numbers around them.
    pub area: Rect,
    /// The first row and column that are seen.
    pub first: (u8, u8),
    /// The numbers of rows and columns that are seen.
    pub seen: (u8, u8),
}

impl Grid {
    /// The board in the middle of `space`, as large as it fits; what does not fit is scrolled so that the cursor is seen.
    /// `None` when there is no room for a single cell.
    pub fn fit(space: Rect, shape: impl Into<Shape>, cursor: Cell, before: Option<Grid>) -> Option<Grid> {
        let columns = space.width.saturating_sub(2 * MARGIN);
        let rows = space.height.saturating_sub(2);
        let shape = shape.into();
        let (across, down) = (u16::from(shape.columns), u16::from(shape.rows));
        let fits = |scale: &Scale| scale.extent(across).0 <= columns && scale.extent(down).1 <= rows;
        let scale = [Scale::LARGE, Scale::SMALL].into_iter().find(fits).unwrap_or(Scale::DENSE);
        let capacity = scale.capacity(columns, rows);
        let seen = (capacity.1.min(down) as u8, capacity.0.min(across) as u8);
        if seen.0 == 0 || seen.1 == 0 {
            return None;
        }
        let start = before.map_or((0, 0), |grid| grid.first);
        let first = (
            scrolled(start.0, cursor.row(), seen.0, shape.rows),
            scrolled(start.1, cursor.column(), seen.1, shape.columns),
        );
        let width = scale.extent(u16::from(seen.1)).0;
        let height = scale.extent(u16::from(seen.0)).1;
        let area =
            Rect { x: space.x + (space.width - width) / 2, y: space.y + (space.height - height) / 2, width, height };
        Some(Grid { scale, area, first, seen })
    }

    /// The place of a cell, if it is seen.
    pub fn place(&self, cell: Cell) -> Option<Rect> {
        let row = cell.row().checked_sub(self.first.0).filter(|&row| row < self.seen.0)?;
        let column = cell.column().checked_sub(self.first.1).filter(|&column| column < self.seen.1)?;
        let (across, down) = self.scale.pitch();
        Some(Rect {
            x: self.area.x + u16::from(column) * across,
            y: self.area.y + u16::from(row) * down,
            width: self.scale.width,
            height: self.scale.height,
        })
    }

    /// The cell at a place of the screen.
    pub fn cell_at(&self, column: u16, row: u16) -> Option<Cell> {
        self.cells().find(|&cell| self.place(cell).is_some_and(|place| place.contains(Position::new(column, row))))
    }

    /// The cells that are seen.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let (first, seen) = (self.first, self.seen);
        (first.0..first.0 + seen.0)
            .flat_map(move |row| (first.1..first.1 + seen.1).map(move |column| Cell::new(row, column)))
    }
}

/// The first row, or column, that is seen, moved as little as need be for the cursor to be seen.
fn scrolled(start: u8, cursor: u8, seen: u8, size: u8) -> u8 {
    start.clamp((cursor + 1).saturating_sub(seen), cursor).min(size - seen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_board_up_to_10x10_is_seen_whole_in_80x24() {
        for size in 1..=10 {
            let grid = Grid::fit(Rect::new(0, 1, 80, 18), size, Cell::new(0, 0), None).expect("room");
            assert_eq!((grid.first, grid.seen), ((0, 0), (size, size)));
        }
    }

    #[test]
    fn the_cursor_is_always_visible_and_every_cell_is_found() {
        for space in [Rect::new(0, 1, 80, 18), Rect::new(3, 2, 30, 9), Rect::new(0, 0, 12, 3)] {
            let mut before = None;
            for cursor in Cell::all(20) {
                let grid = Grid::fit(space, 20, cursor, before).expect("room");
                let place = grid.place(cursor).expect("the cursor is seen");
                assert_eq!(space.intersection(place), place);
                assert_eq!(grid.cell_at(place.x, place.y), Some(cursor));
                before = Some(grid);
            }
        }
        assert_eq!(Grid::fit(Rect::new(0, 0, 8, 2), 3, Cell::new(0, 0), None), None);
    }
}
