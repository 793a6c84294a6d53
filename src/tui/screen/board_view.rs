//! The board on the screen, and the colours of the screen.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};

use crate::tui::hints::hint;
use noughts_core::game::{Cell, Player, Score, Value};

use super::Screen;
use super::grid::{Grid, MARGIN};

/// Stones of large cells, row by row.
const LARGE_X: [&str; 3] = ["\u{2572} \u{2571}", " \u{2573} ", "\u{2571} \u{2572}"];
const LARGE_O: [&str; 3] = ["\u{256d}\u{2500}\u{256e}", "\u{2502} \u{2502}", "\u{2570}\u{2500}\u{256f}"];

impl Screen {
    /// Draws the board into its grid, with numbers and letters around it.
    pub(super) fn draw_board(&self, grid: &Grid, buffer: &mut Buffer) {
        if grid.scale.lines {
            self.draw_lines(grid, buffer);
        }
        let line = self.game.position().completed_line();
        for cell in grid.cells() {
            if let Some(place) = grid.place(cell) {
                self.draw_cell(cell, place, line.contains(cell), buffer);
            }
        }
        self.draw_margins(grid, buffer);
    }

    fn draw_cell(&self, cell: Cell, place: Rect, is_in_line: bool, buffer: &mut Buffer) {
        let style = self.style(cell, is_in_line);
        let middle = place.y + place.height / 2;
        if is_in_line {
            (place.y..place.bottom()).for_each(|y| put(buffer, place.x, y, &" ".repeat(place.width.into()), style));
        }
        match self.game.position().occupant(cell) {
            Some(player) if place.height == 3 => {
                let rows = if player == Player::X { LARGE_X } else { LARGE_O };
                rows.iter().zip(place.y..).for_each(|(row, y)| put(buffer, place.x + 2, y, row, style));
            }
            Some(player) => put(buffer, place.x + 1, middle, &player.to_string(), style),
            None => {
                let text = self.hint(cell).map_or_else(|| "\u{b7}".to_owned(), hint);
                let free = place.width.saturating_sub(text.chars().count() as u16);
                // Numbers are aligned to the right; everything else is in the middle of its cell.
                let is_number = place.height == 1 && matches!(self.hint(cell), Some(Score::Estimate(_)));
                let from = place.x + if is_number { free } else { free / 2 };
                put(buffer, from, middle, &text, style);
            }
        }
        self.draw_marks(cell, place, is_in_line, buffer);
    }

    /// Draws the cursor around its cell and dots beside the last move, so that both are seen without colour.
    fn draw_marks(&self, cell: Cell, place: Rect, is_in_line: bool, buffer: &mut Buffer) {
        let middle = place.y + place.height / 2;
        let mut around = |marks: [&str; 2], style: Style| {
            // A number may take the whole width: then the marks stand on the lines beside it.
            let own = place.width > 3 || self.game.position().occupant(cell).is_some() || self.hint(cell).is_none();
            let (left, right) =
                if own { (place.x, place.right() - 1) } else { (place.x.saturating_sub(1), place.right()) };
            put(buffer, left, middle, marks[0], style);
            put(buffer, right, middle, marks[1], style);
        };
        if cell == self.cursor && self.game.position().outcome().is_none() {
            around(["[", "]"], self.theme.cursor());
        } else if self.game.moves().last() == Some(&cell) && !is_in_line {
            around(["\u{2022}", " "], self.theme.faint());
        }
    }

    fn hint(&self, cell: Cell) -> Option<Score> {
        self.game.hints()?.of(cell)
    }

    fn style(&self, cell: Cell, is_in_line: bool) -> Style {
        match (self.game.position().occupant(cell), self.hint(cell)) {
            (Some(player), _) if is_in_line => self.theme.line(player),
            (Some(player), _) => self.theme.stone(player),
            (None, Some(hint)) => {
                let heat = self.game.hints().and_then(|hints| hints.heat(cell)).unwrap_or(0.0);
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
        let (style, shape) = (self.theme.faint(), self.game.position().rules().shape());
        let (rows, columns) = (grid.first.0..grid.first.0 + grid.seen.0, grid.first.1..grid.first.1 + grid.seen.1);
        for row in rows {
            let Some(place) = grid.place(Cell::new(row, grid.first.1)) else { continue };
            let y = place.y + place.height / 2;
            put(buffer, grid.area.x.saturating_sub(MARGIN), y, &format!("{row:>2}"), style);
            put(buffer, grid.area.right() + 2, y, &format!("{:<2}", shape.rows - row), style);
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

/// The colours and text styles of the screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Theme {
    /// True if colours are used; text styles are used in any case.
    pub colour: bool,
}

/// Colours of Monte Carlo scores from the lowest to the highest, as numbers among the 256 colours.
const HEAT: [u8; 5] = [240, 66, 71, 113, 154];

impl Theme {
    fn of(self, colour: Color) -> Style {
        if self.colour { Style::new().fg(colour) } else { Style::new() }
    }

    /// Stones.
    pub fn stone(self, player: Player) -> Style {
        self.of(if player == Player::X { Color::LightCyan } else { Color::LightYellow }).add_modifier(Modifier::BOLD)
    }

    /// Stones of the completed line.
    pub fn line(self, player: Player) -> Style {
        self.stone(player).add_modifier(Modifier::REVERSED)
    }

    /// Text that is there for orientation: numbers around the board, keys.
    pub fn faint(self) -> Style {
        if self.colour { Style::new().fg(Color::DarkGray) } else { Style::new().add_modifier(Modifier::DIM) }
    }

    /// Titles and the row that is chosen.
    pub fn strong(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// The cell that Enter plays.
    pub fn cursor(self) -> Style {
        self.of(Color::LightMagenta).add_modifier(Modifier::BOLD)
    }

    /// Errors.
    pub fn wrong(self) -> Style {
        self.of(Color::LightRed)
    }

    /// The hint of a move; the heat of an expected value goes from 0 to 1.
    pub fn hint(self, score: Score, heat: f64) -> Style {
        match score {
            Score::Exact(value) | Score::Within(value) => match value {
                Value::Win(_) => self.of(Color::LightGreen).add_modifier(Modifier::BOLD),
                Value::Draw => self.of(Color::White),
                Value::Loss(_) => self.of(Color::LightRed),
            },
            Score::Estimate(_) => {
                let step = (heat * (HEAT.len() - 1) as f64).round() as usize;
                let style = self.of(Color::Indexed(HEAT[step.min(HEAT.len() - 1)]));
                if heat >= 1.0 { style.add_modifier(Modifier::BOLD) } else { style }
            }
        }
    }
}
