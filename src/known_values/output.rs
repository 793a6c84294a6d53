//! The map as text and as JSON.

use std::io::{self, Write};

use serde::Serialize;

use crate::text::ReportTable;

use super::{Basis, Start, rule_name};

/// From this number of bytes on, the size of a certificate stands beside the command that prints it.
const LARGE: u64 = 100_001;

/// A row for programs.
#[derive(Serialize)]
struct Row {
    size: u8,
    connect: u8,
    rule: &'static str,
    value: String,
    basis: String,
    /// The file of the certificate in the folder `certificates`; null if there is none, or it is not kept.
    certificate: Option<String>,
    /// The command that prints the certificate.
    command: Option<String>,
    lines: Option<u64>,
    bytes: Option<u64>,
}

fn row(start: &Start) -> Row {
    let certificate = match start.basis {
        Basis::Certificate(certificate) => Some(certificate),
        _ => None,
    };
    Row {
        size: start.rules.size(),
        connect: start.rules.line_length().unwrap_or_default(),
        rule: rule_name(start.rules),
        value: start.value(),
        basis: start.basis.to_string(),
        certificate: certificate.and_then(|found| found.file.clone()),
        command: certificate.map(|found| found.command.clone()),
        lines: certificate.map(|found| found.lines),
        bytes: certificate.map(|found| found.bytes),
    }
}

/// Writes the map as a table, a row for each board.
///
/// # Errors
/// Those of `out`.
pub fn write_text(starts: &[Start], out: &mut dyn Write) -> io::Result<()> {
    let mut table = ReportTable::of_words(["board", "in a row", "rule", "value", "rests on", "certificate"]);
    for row in starts.iter().map(row) {
        let certificate = match (row.certificate, row.command, row.bytes) {
            (Some(file), _, _) => file,
            (None, Some(command), Some(bytes @ LARGE..)) => format!("{command}, {:.1} MB", bytes as f64 / 1e6),
            (None, command, _) => command.unwrap_or_default(),
        };
        let board = format!("{0}x{0}", row.size);
        table.push([board, row.connect.to_string(), row.rule.to_owned(), row.value, row.basis, certificate]);
    }
    writeln!(out, "{}", table.to_text())
}

/// Writes the map as a JSON array of objects, a line for each board.
///
/// # Errors
/// Those of `out`.
pub fn write_json(starts: &[Start], out: &mut dyn Write) -> io::Result<()> {
    for (place, start) in starts.iter().enumerate() {
        write!(out, "{}", if place == 0 { "[\n" } else { ",\n" })?;
        serde_json::to_writer(&mut *out, &row(start))?;
    }
    writeln!(out, "\n]")
}
