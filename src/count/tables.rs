//! The counts of nodes of the textbook searches from the empty board; these and those of `perft.rs` in every format.

use std::io::{self, Write};
use std::time::Instant;

use serde::Serialize;

use crate::system::json_line;
use crate::text::explanation::plies;
use crate::text::{Format, ReportTable, grouped};
use noughts_core::game::{Position, Rules, Score, Value};
use noughts_core::search::{Control, Textbook};

use super::perft::{MOST_CLASSES, Perft, PlyCounts};

/// The count of one search, as programs read it.
#[derive(Clone, Copy, PartialEq, Serialize, Debug)]
pub struct TextbookCount {
    /// The name of the search.
    pub search: &'static str,
    /// The nodes that it visited: all that it needs, or the limit.
    pub nodes: u64,
    /// False if it did not finish within the limit.
    pub finished: bool,
    /// The expected result that it found for the empty board, from -1 to 1; `None` if it did not finish.
    pub value: Option<f64>,
    /// The plies of a win or a loss, where they are proven.
    pub plies: Option<u16>,
    /// True if the value is proven.
    pub proven: bool,
    /// The time that it took.
    pub seconds: f64,
}

/// Runs every textbook search from the empty board, each to its end or to `limit` nodes, in the order of [`Textbook::ALL`]. A
/// search begins when its count is asked for.
pub fn count(rules: Rules, limit: u64) -> impl Iterator<Item = TextbookCount> {
    let start = Position::start(rules);
    Textbook::ALL.into_iter().map(move |search| {
        let begun = Instant::now();
        let found = search.search(&start, &Control::nodes_only(limit));
        let exact = found.score.and_then(Score::proven);
        TextbookCount {
            search: search.name(),
            nodes: found.nodes,
            finished: found.score.is_some(),
            value: found.score.map(Score::expected_result),
            plies: exact.and_then(Value::plies),
            proven: exact.is_some(),
            seconds: begun.elapsed().as_secs_f64(),
        }
    })
}

/// Counts the nodes of the textbook searches from the empty board and writes the counts: as text each when it is known, for
/// some take long.
///
/// # Errors
/// When writing to `out` fails.
pub fn write_counts(rules: Rules, limit: u64, format: Format, out: &mut dyn Write) -> io::Result<()> {
    let counts = count(rules, limit);
    match format {
        Format::Json => out.write_all(json_line(&CountsEntry { rules, limit, searches: counts.collect() }).as_bytes()),
        Format::Markdown => {
            let mut table = ReportTable::new(HEADINGS);
            counts.for_each(|counted| table.push(search_row(&counted)));
            write!(out, "{}{rules}, the empty board\n\n{}", format.heading(), table.for_people(format))
        }
        Format::Text => write_rows(rules, limit, counts, out),
    }
}

const HEADINGS: [&str; 4] = ["search", "nodes", "value", "seconds"];

/// Columns of the value of a search that has finished.
const VALUE: usize = 18;

/// Writes the counts as they come. So the columns have the widths of the longest texts that there may be.
fn write_rows(
    rules: Rules,
    limit: u64,
    counts: impl Iterator<Item = TextbookCount>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let name_width = Textbook::ALL.map(|search| search.name().len()).into_iter().max().unwrap_or(0);
    let width = grouped(&limit.to_string()).len().max(HEADINGS[1].len());
    let line = |[name, nodes, value, seconds]: [&str; 4]| match value {
        // That a search has not finished takes the columns of its nodes and its value.
        NOT_KNOWN => format!("{name:name_width$}  {nodes:>0$}  {seconds:>7}\n", width + 2 + VALUE),
        _ => format!("{name:name_width$}  {nodes:>width$}  {value:>VALUE$}  {seconds:>7}\n"),
    };
    write!(out, "{rules}, the empty board\n\n{}", line(HEADINGS))?;
    for counted in counts {
        out.write_all(line(search_row(&counted).each_ref().map(String::as_str)).as_bytes())?;
        out.flush()?;
    }
    Ok(())
}

/// The value of a search that has not finished.
const NOT_KNOWN: &str = "-";

fn search_row(counted: &TextbookCount) -> [String; 4] {
    let nodes = grouped(&counted.nodes.to_string());
    let (nodes, value) = match counted.value {
        Some(value) => (nodes, in_words(value, counted)),
        None => (format!("not finished within {nodes}"), NOT_KNOWN.to_owned()),
    };
    [counted.search.to_owned(), nodes, value, format!("{:.3}", counted.seconds)]
}

/// Writes the counts of the plies.
///
/// # Errors
/// When writing to `out` fails.
pub fn write_perft(perft: &Perft, format: Format, out: &mut dyn Write) -> io::Result<()> {
    if format == Format::Json {
        return out.write_all(json_line(perft).as_bytes());
    }
    let (heading, table) = (format.heading(), ply_table(perft).for_people(format));
    write!(out, "{heading}{}\n\n{table}{}", perft.rules, remark(perft))
}

/// `win in 3 plies`, or `win, not proven`.
fn in_words(value: f64, counted: &TextbookCount) -> String {
    let result = match value {
        value if value > 0.0 => "win",
        value if value < 0.0 => "loss",
        _ => "draw",
    };
    match counted.plies {
        _ if !counted.proven => format!("{result}, not proven"),
        None => result.to_owned(),
        Some(distance) => format!("{result} in {}", plies(distance)),
    }
}

fn ply_table(perft: &Perft) -> ReportTable {
    let mut table = ReportTable::new(["ply", "sequences", "game over", "positions", "up to symmetry"]);
    let mut push = |name: String, counts: &PlyCounts| {
        let PlyCounts { sequences, finished, positions, classes, .. } = *counts;
        let figures = [sequences, finished, positions.into(), classes.into()];
        table.push(std::iter::once(name).chain(figures.map(|figure: u128| grouped(&figure.to_string()))));
    };
    perft.plies.iter().for_each(|counts| push(counts.ply.to_string(), counts));
    push("all".to_owned(), &perft.total());
    table
}

/// A sentence below the table if the count ended early.
fn remark(perft: &Perft) -> String {
    if perft.complete {
        return String::new();
    }
    let (ply, most) = (perft.plies.len(), grouped(&MOST_CLASSES.to_string()));
    format!("\nPly {ply} has more than {most} positions up to symmetry, which is too many to count.\n")
}

/// The counts for programs.
#[derive(Serialize)]
struct CountsEntry {
    rules: Rules,
    limit: u64,
    searches: Vec<TextbookCount>,
}
