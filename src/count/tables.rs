//! Counts in print.

use std::io::{self, Write};

use serde::Serialize;

use crate::text::{Format, Sheet, grouped};
use noughts_core::game::{Rules, Score};

use super::{Counted, Counts, MOST_CLASSES, Perft, Ply};

/// Writes the table of the searches.
///
/// # Errors
/// When `out` takes no more.
pub fn write_counts(counts: &Counts, format: Format, out: &mut dyn Write) -> io::Result<()> {
    match format {
        Format::Text => write!(out, "{}, the empty board\n\n{}", counts.rules, for_people(counts).to_text()),
        Format::Markdown => {
            write!(out, "### {}, the empty board\n\n{}", counts.rules, for_people(counts).to_markdown())
        }
        Format::Json => {
            let searches = counts.searches.iter().map(SearchEntry::of).collect();
            write_json(&CountsEntry { rules: counts.rules, limit: counts.limit, searches }, out)
        }
        Format::Csv => {
            let headings = ["size", "connect", "reverse", "limit", "search", "nodes", "finished", "value", "plies"];
            let mut sheet = Sheet::new(headings.into_iter().chain(["proven", "seconds"]));
            for counted in &counts.searches {
                let entry = SearchEntry::of(counted);
                let or_empty = |text: Option<String>| text.unwrap_or_default();
                let mut row = game(counts.rules);
                row.extend([counts.limit.to_string(), entry.search.to_owned(), entry.nodes.to_string()]);
                row.extend([entry.finished.to_string(), or_empty(entry.value.map(|value| value.to_string()))]);
                row.extend([or_empty(entry.plies.map(|plies| plies.to_string())), entry.proven.to_string()]);
                row.push(entry.seconds.to_string());
                sheet.push(row);
            }
            sheet.write_csv(out)
        }
    }
}

/// Writes the table of the plies.
///
/// # Errors
/// When `out` takes no more.
pub fn write_perft(perft: &Perft, format: Format, out: &mut dyn Write) -> io::Result<()> {
    match format {
        Format::Text => write!(out, "{}\n\n{}{}", perft.rules, plies(perft).to_text(), remark(perft)),
        Format::Markdown => write!(out, "### {}\n\n{}{}", perft.rules, plies(perft).to_markdown(), remark(perft)),
        Format::Json => {
            let plies = (0..).zip(&perft.plies).map(|(ply, counts)| PlyEntry::of(ply, counts)).collect();
            write_json(&PerftEntry { rules: perft.rules, plies, complete: !perft.beyond }, out)
        }
        Format::Csv => {
            let headings = ["size", "connect", "reverse", "ply", "sequences", "finished", "positions", "classes"];
            let mut sheet = Sheet::new(headings);
            for (ply, counts) in perft.plies.iter().enumerate() {
                let mut row = game(perft.rules);
                row.push(ply.to_string());
                row.extend(figures(counts));
                sheet.push(row);
            }
            sheet.write_csv(out)
        }
    }
}

fn for_people(counts: &Counts) -> Sheet {
    let mut sheet = Sheet::new(["search", "nodes", "value", "seconds"]);
    for counted in &counts.searches {
        let nodes = grouped(&counted.nodes.to_string());
        let (nodes, value) = match counted.score {
            Some(score) => (nodes, value(score)),
            None => (format!("not finished within {nodes}"), "-".to_owned()),
        };
        sheet.push([counted.search.name().to_owned(), nodes, value, format!("{:.3}", counted.time.as_secs_f64())]);
    }
    sheet
}

/// `win in 3 plies`, or `win, not proven`.
fn value(score: Score) -> String {
    let result = match score.expected_result() {
        result if result > 0.0 => "win",
        result if result < 0.0 => "loss",
        _ => "draw",
    };
    match score {
        Score::Estimate(_) => format!("{result}, not proven"),
        Score::Exact(value) => match value.plies() {
            Some(1) => format!("{result} in 1 ply"),
            Some(plies) => format!("{result} in {plies} plies"),
            None => result.to_owned(),
        },
    }
}

fn plies(perft: &Perft) -> Sheet {
    let mut sheet = Sheet::new(["ply", "sequences", "game over", "positions", "up to symmetry"]);
    let mut push = |name: String, counts: &Ply| {
        sheet.push(std::iter::once(name).chain(figures(counts).map(|figure| grouped(&figure))));
    };
    perft.plies.iter().enumerate().for_each(|(ply, counts)| push(ply.to_string(), counts));
    push("all".to_owned(), &perft.total());
    sheet
}

/// What the table does not show.
fn remark(perft: &Perft) -> String {
    if !perft.beyond {
        return String::new();
    }
    let (ply, most) = (perft.plies.len(), grouped(&MOST_CLASSES.to_string()));
    format!("\nPly {ply} has more than {most} positions up to symmetry, which is too many to count.\n")
}

fn figures(ply: &Ply) -> [String; 4] {
    [ply.sequences.to_string(), ply.finished.to_string(), ply.positions.to_string(), ply.classes.to_string()]
}

fn game(rules: Rules) -> Vec<String> {
    vec![rules.size().to_string(), rules.connect().to_string(), rules.reverse().to_string()]
}

fn write_json(entry: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, entry)?;
    writeln!(out)
}

/// [`Counts`] for programs.
#[derive(Serialize)]
struct CountsEntry {
    rules: Rules,
    limit: u64,
    searches: Vec<SearchEntry>,
}

#[derive(Serialize)]
struct SearchEntry {
    search: &'static str,
    nodes: u64,
    finished: bool,
    /// From -1 to 1.
    value: Option<f64>,
    plies: Option<u16>,
    proven: bool,
    seconds: f64,
}

impl SearchEntry {
    fn of(counted: &Counted) -> SearchEntry {
        let exact = counted.score.and_then(|score| match score {
            Score::Exact(value) => Some(value),
            Score::Estimate(_) => None,
        });
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
    /// Whether all plies are there that were asked for, as far as the game goes.
    complete: bool,
}

#[derive(Serialize)]
struct PlyEntry {
    ply: u64,
    sequences: u128,
    finished: u128,
    positions: u64,
    classes: u64,
}

impl PlyEntry {
    fn of(ply: u64, counts: &Ply) -> PlyEntry {
        let &Ply { sequences, finished, positions, classes } = counts;
        PlyEntry { ply, sequences, finished, positions, classes }
    }
}
