//! The board on the screen.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::tui::hints::{Hint, Hints};
use noughts_core::game::{Cell, CellSet, Player, Position};

use super::grid::Grid;
use super::theme::Theme;

/// Stones of large cells, row by row.
const LARGE_X: [&str; 3] = ["\u{2572} \u{2571}", " \u{2573} ", "\u{2571} \u{2572}"];
const LARGE_O: [&str; 3] = ["\u{256d}\u{2500}\u{256e}", "\u{2502} \u{2502}", "\u{2570}\u{2500}\u{256f}"];

/// What is drawn.
pub struct BoardView<'a> {
    /// The position.
    pub position: &'a Position,
    /// The cells of the completed line.
    pub line: CellSet,
    /// What every empty square is worth, if that is shown.
    pub hints: Option<&'a Hints>,
    /// The cell that Enter plays.
    pub cursor: Cell,
    /// The last move.
    pub last: Option<Cell>,
    /// Colours.
    pub theme: Theme,
}

impl BoardView<'_> {
    /// Draws the board into its grid, with numbers and letters around it.
    pub fn draw(&self, grid: &Grid, buffer: &mut Buffer) {
        if grid.scale.lines {
            self.draw_lines(grid, buffer);
        }
        for cell in grid.cells() {
            if let Some(place) = grid.place(cell) {
                self.draw_cell(cell, place, buffer);
            }
        }
        self.draw_margins(grid, buffer);
    }

    fn draw_cell(&self, cell: Cell, place: Rect, buffer: &mut Buffer) {
        let style = self.style(cell);
        let middle = place.y + place.height / 2;
        if self.line.contains(cell) {
            (place.y..place.bottom()).for_each(|y| put(buffer, place.x, y, &" ".repeat(place.width.into()), style));
        }
        match self.position.occupant(cell) {
            Some(player) if place.height == 3 => {
                let rows = if player == Player::X { LARGE_X } else { LARGE_O };
                rows.iter().zip(place.y..).for_each(|(row, y)| put(buffer, place.x + 2, y, row, style));
            }
            Some(player) => put(buffer, place.x + 1, middle, &player.to_string(), style),
            None => {
                let text = self.hint(cell).map_or_else(|| "\u{b7}".to_owned(), |hint| hint.to_string());
                let free = place.width.saturating_sub(text.chars().count() as u16);
                // Numbers are aligned to the right; everything else is in the middle of its cell.
                let is_number = place.height == 1 && matches!(self.hint(cell), Some(Hint::Expected(_)));
                let from = place.x + if is_number { free } else { free / 2 };
                put(buffer, from, middle, &text, style);
            }
        }
        self.draw_marks(cell, place, buffer);
    }

    /// Draws the cursor around its cell and dots beside the last move, so that both are seen without colour.
    fn draw_marks(&self, cell: Cell, place: Rect, buffer: &mut Buffer) {
        let middle = place.y + place.height / 2;
        let mut around = |marks: [&str; 2], style: Style| {
            // A number may take the whole width: then the marks stand on the lines beside it.
            let own = place.width > 3 || self.position.occupant(cell).is_some() || self.hint(cell).is_none();
            let (left, right) =
                if own { (place.x, place.right() - 1) } else { (place.x.saturating_sub(1), place.right()) };
            put(buffer, left, middle, marks[0], style);
            put(buffer, right, middle, marks[1], style);
        };
        if cell == self.cursor && self.position.outcome().is_none() {
            around(["[", "]"], self.theme.cursor());
        } else if self.last == Some(cell) && !self.line.contains(cell) {
            around(["\u{2022}", " "], self.theme.faint());
        }
    }

    fn hint(&self, cell: Cell) -> Option<Hint> {
        self.hints?.of(cell)
    }

    fn style(&self, cell: Cell) -> Style {
        match (self.position.occupant(cell), self.hint(cell)) {
            (Some(player), _) if self.line.contains(cell) => self.theme.line(player),
            (Some(player), _) => self.theme.stone(player),
            (None, Some(hint)) => {
                let heat = self.hints.and_then(|hints| hints.heat(cell)).unwrap_or(0.0);
                self.theme.hint(hint, heat)
            }
            (None, None) => self.theme.faint(),
        }
    }

    fn draw_lines(&self, grid: &Grid, buffer: &mut Buffer) {
        let style = self.theme.faint();
        for cell in grid.cells() {
            let Some(place) = grid.place(cell) else { continue };
            let (right, below) = (place.right() < grid.area.right(), place.bottom() < grid.area.bottom());
            if right {
                (place.y..place.bottom()).for_each(|y| put(buffer, place.right(), y, "\u{2502}", style));
            }
            if below {
                put(buffer, place.x, place.bottom(), &"\u{2500}".repeat(place.width.into()), style);
            }
            if right && below {
                put(buffer, place.right(), place.bottom(), "\u{253c}", style);
            }
        }
    }

    /// Rows are counted from 0 on the left and from the bottom on the right, columns from 0 above and by letter below.
    fn draw_margins(&self, grid: &Grid, buffer: &mut Buffer) {
        let (style, size) = (self.theme.faint(), self.position.rules().size());
        let (rows, columns) = (grid.first.0..grid.first.0 + grid.seen.0, grid.first.1..grid.first.1 + grid.seen.1);
        for row in rows {
            let Some(place) = grid.place(Cell::new(row, grid.first.1)) else { continue };
            let y = place.y + place.height / 2;
            put(buffer, grid.area.x.saturating_sub(grid.margin()), y, &format!("{row:>2}"), style);
            put(buffer, grid.area.right() + 2, y, &format!("{:<2}", size - row), style);
        }
        for column in columns {
            let Some(place) = grid.place(Cell::new(grid.first.0, column)) else { continue };
            let x = place.x + place.width / 2;
            let number = column.to_string();
            put(buffer, x + 1 - number.len() as u16, grid.area.y.saturating_sub(1), &number, style);
            put(buffer, x, grid.area.bottom(), &char::from(b'a' + column).to_string(), style);
        }
    }
}

/// Writes text where there is room for it.
pub fn put(buffer: &mut Buffer, x: u16, y: u16, text: &str, style: Style) {
    let area = *buffer.area();
    if x < area.right() && y < area.bottom() {
        buffer.set_stringn(x, y, text, (area.right() - x).into(), style);
    }
}
