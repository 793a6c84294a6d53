//! Counts in every format.

use std::io::{self, Write};

use serde::Serialize;

use crate::system::json_line;
use crate::text::{Format, ReportTable, grouped};
use noughts_core::game::{Rules, Score, Value};

use super::perft::{MOST_CLASSES, Perft, PlyCounts};
use super::textbook::{TextbookCount, TextbookCounts};

/// Writes the counts of the textbook searches.
///
/// # Errors
/// When writing to `out` fails.
pub fn write_counts(counts: &TextbookCounts, format: Format, out: &mut dyn Write) -> io::Result<()> {
    if format == Format::Json {
        let searches = counts.searches.iter().map(SearchEntry::of).collect();
        let entry = CountsEntry { rules: counts.rules, limit: counts.limit, searches };
        return out.write_all(json_line(&entry).as_bytes());
    }
    let (heading, table) = (format.heading(), search_table(counts).for_people(format));
    write!(out, "{heading}{}, the empty board\n\n{table}", counts.rules)
}

/// Writes the counts of the plies.
///
/// # Errors
/// When writing to `out` fails.
pub fn write_perft(perft: &Perft, format: Format, out: &mut dyn Write) -> io::Result<()> {
    if format == Format::Json {
        let plies = (0..).zip(&perft.plies).map(|(ply, counts)| PlyEntry::of(ply, counts)).collect();
        let entry = PerftEntry { rules: perft.rules, plies, complete: !perft.beyond };
        return out.write_all(json_line(&entry).as_bytes());
    }
    let (heading, table) = (format.heading(), ply_table(perft).for_people(format));
    write!(out, "{heading}{}\n\n{table}{}", perft.rules, remark(perft))
}

fn search_table(counts: &TextbookCounts) -> ReportTable {
    let mut table = ReportTable::new(["search", "nodes", "value", "seconds"]);
    for counted in &counts.searches {
        let nodes = grouped(&counted.nodes.to_string());
        let (nodes, value) = match counted.score {
            Some(score) => (nodes, value(score)),
            None => (format!("not finished within {nodes}"), "-".to_owned()),
        };
        table.push([counted.search.name().to_owned(), nodes, value, format!("{:.3}", counted.time.as_secs_f64())]);
    }
    table
}

/// `win in 3 plies`, or `win, not proven`.
fn value(score: Score) -> String {
    let result = match score.expected_result() {
        result if result > 0.0 => "win",
        result if result < 0.0 => "loss",
        _ => "draw",
    };
    match score.proven().map(Value::plies) {
        None => format!("{result}, not proven"),
        Some(None) => result.to_owned(),
        Some(Some(1)) => format!("{result} in 1 ply"),
        Some(Some(plies)) => format!("{result} in {plies} plies"),
    }
}

fn ply_table(perft: &Perft) -> ReportTable {
    let mut table = ReportTable::new(["ply", "sequences", "game over", "positions", "up to symmetry"]);
    let mut push = |name: String, counts: &PlyCounts| {
        table.push(std::iter::once(name).chain(figures(counts).map(|figure| grouped(&figure))));
    };
    perft.plies.iter().enumerate().for_each(|(ply, counts)| push(ply.to_string(), counts));
    push("all".to_owned(), &perft.total());
    table
}

/// A sentence below the table if the count ended early.
fn remark(perft: &Perft) -> String {
    if !perft.beyond {
        return String::new();
    }
    let (ply, most) = (perft.plies.len(), grouped(&MOST_CLASSES.to_string()));
    format!("\nPly {ply} has more than {most} positions up to symmetry, which is too many to count.\n")
}

fn figures(ply: &PlyCounts) -> [String; 4] {
    [ply.sequences.to_string(), ply.finished.to_string(), ply.positions.to_string(), ply.classes.to_string()]
}

/// [`TextbookCounts`] for programs.
#[derive(Serialize)]
struct CountsEntry {
    rules: Rules,
    limit: u64,
    searches: Vec<SearchEntry>,
}

/// [`TextbookCount`] for programs.
#[derive(Serialize)]
struct SearchEntry {
    search: &'static str,
    nodes: u64,
    finished: bool,
    /// The expected result, from -1 to 1.
    value: Option<f64>,
    plies: Option<u16>,
    proven: bool,
    seconds: f64,
}

impl SearchEntry {
    fn of(counted: &TextbookCount) -> SearchEntry {
        let exact = counted.score.and_then(Score::proven);
        SearchEntry {
            search: counted.search.name(),
            nodes: counted.nodes,
            finished: counted.score.is_some(),
            value: counted.score.map(Score::expected_result),
            plies: exact.and_then(|value| value.plies()),
            proven: exact.is_some(),
            seconds: counted.time.as_secs_f64(),
        }
    }
}

/// [`Perft`] for programs.
#[derive(Serialize)]
struct PerftEntry {
    rules: Rules,
    plies: Vec<PlyEntry>,
    /// False if the count ended early.
    complete: bool,
}

/// [`PlyCounts`] for programs.
#[derive(Serialize)]
struct PlyEntry {
    ply: u64,
    sequences: u128,
    finished: u128,
    positions: u64,
    classes: u64,
}

impl PlyEntry {
    fn of(ply: u64, counts: &PlyCounts) -> PlyEntry {
        let &PlyCounts { sequences, finished, positions, classes } = counts;
        PlyEntry { ply, sequences, finished, positions, classes }
    }
}
