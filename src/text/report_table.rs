//! Tables that are printed, for people and for programs, and the numbers in them.

use std::str::FromStr;

use comfy_table::{CellAlignment, ContentArrangement, Table, TableStyle, presets};

use crate::text::Excerpt;

/// The form in which results are printed.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Format {
    /// For people at a terminal.
    #[default]
    Text,
    /// One JSON object.
    Json,
    /// For documents.
    Markdown,
}

impl Format {
    /// The beginning of a heading.
    pub fn heading(self) -> &'static str {
        if self == Format::Markdown { "### " } else { "" }
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(text: &str) -> Result<Format, String> {
        match text {
            "text" => Ok(Format::Text),
            "json" => Ok(Format::Json),
            "markdown" => Ok(Format::Markdown),
            _ => Err(format!("expected text, json or markdown, found {}", Excerpt::of(text))),
        }
    }
}

/// A table: columns with a heading, the first of names, the others of figures.
pub struct ReportTable {
    headings: Vec<String>,
    rows: Vec<Vec<String>>,
    /// True if text shows the headings; Markdown always does.
    headed: bool,
    /// True if the columns after the first hold figures, which are aligned to the right.
    figures: bool,
}

impl ReportTable {
    /// A table without rows.
    pub fn new<T: Into<String>>(headings: impl IntoIterator<Item = T>) -> ReportTable {
        let headings = headings.into_iter().map(Into::into).collect();
        ReportTable { headings, rows: Vec::new(), headed: true, figures: true }
    }

    /// A table of words in all columns, without rows.
    pub fn of_words<T: Into<String>>(headings: impl IntoIterator<Item = T>) -> ReportTable {
        ReportTable { figures: false, ..ReportTable::new(headings) }
    }

    /// A table of two columns without headings: names and their values.
    pub fn notes(rows: impl IntoIterator<Item = (&'static str, String)>) -> ReportTable {
        let rows = rows.into_iter().map(|(name, value)| vec![name.to_owned(), value]).collect();
        ReportTable { headings: vec![String::new(); 2], rows, headed: false, figures: false }
    }

    /// Adds a row. Cells that it lacks are empty.
    pub fn push<T: Into<String>>(&mut self, row: impl IntoIterator<Item = T>) {
        let mut row: Vec<String> = row.into_iter().map(Into::into).collect();
        row.resize(self.headings.len(), String::new());
        self.rows.push(row);
    }

    /// The table for people: as Markdown in this format, as text in any other.
    pub fn for_people(&self, format: Format) -> String {
        if format == Format::Markdown { self.to_markdown() } else { self.to_text() }
    }

    /// The table with aligned columns, every line ended.
    pub fn to_text(&self) -> String {
        let table = self.lay_out(presets::NOTHING, self.headed);
        let mut text = String::new();
        for line in table.lines() {
            // comfy-table pads every cell on both sides; the first column needs no padding on its left.
            let line = line.trim_end();
            text.push_str(line.strip_prefix(' ').unwrap_or(line));
            text.push('\n');
        }
        text
    }

    /// The table as Markdown, every line ended.
    fn to_markdown(&self) -> String {
        let escaped = |cells: &[String]| cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
        let rows = self.rows.iter().map(|row| escaped(row)).collect();
        let table = ReportTable { headings: escaped(&self.headings), rows, ..*self };
        // A Markdown table always has headings.
        format!("{}\n", table.lay_out(presets::ASCII_MARKDOWN, true))
    }

    fn lay_out(&self, style: TableStyle, has_headings: bool) -> Table {
        let mut table = Table::new();
        table.load_style(style).set_content_arrangement(ContentArrangement::Disabled);
        if has_headings {
            table.set_header(&self.headings);
        }
        table.add_rows(&self.rows);
        for column in table.column_iter_mut().skip(1).filter(|_| self.figures) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        table
    }
}

/// Digits in groups of three, as people read them: `4,520`.
pub fn grouped(digits: &str) -> String {
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number with at most 4 decimals, and without a sign on zero. From 10^15 on it has an exponent.
pub fn decimal(number: f64) -> String {
    if number.abs() >= 1e15 {
        return format!("{number:e}");
    }
    let text = format!("{number:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> ReportTable {
        let mut table = ReportTable::new(["", "games", "score"]);
        table.push(["perfect", "1000", "0.75"]);
        table.push(["a, b", "2"]);
        table
    }

    #[test]
    fn names_stand_at_the_left_and_figures_at_the_right() {
        assert_eq!(table().to_text(), "         games  score\nperfect   1000   0.75\na, b         2\n");
    }

    #[test]
    fn words_stand_at_the_left_in_all_columns() {
        let mut table = ReportTable::of_words(["side", "move"]);
        table.push(["X", "position startpos"]);
        assert_eq!(table.to_text(), "side  move\nX     position startpos\n");
    }

    #[test]
    fn large_numbers_are_grouped() {
        for (digits, text) in [("0", "0"), ("999", "999"), ("4520", "4,520"), ("1234567", "1,234,567")] {
            assert_eq!(grouped(digits), text);
        }
    }

    #[test]
    fn the_same_table_can_be_read_by_programs() {
        assert_eq!(
            table().to_markdown(),
            "|         | games | score |\n|---------|-------|-------|\n| perfect |  1000 |  0.75 |\n| a, b    |     2 |       |\n"
        );
        let mut bars = ReportTable::new(["", "games"]);
        bars.push(["a|b", "1"]);
        assert_eq!(bars.to_markdown(), "|      | games |\n|------|-------|\n| a\\|b |     1 |\n");
    }

    #[test]
    fn decimals_are_short_and_zero_has_no_sign() {
        for (number, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (-0.00001, "0"),
            (1.0, "1"),
            (-0.5, "-0.5"),
            (0.12345, "0.1235"),
            (100.0, "100"),
            (-1.5e300, "-1.5e300"),
        ] {
            assert_eq!(decimal(number), text);
        }
    }
}
