//! The map as text, as JSON and as a page.

use std::io::{self, Write};

use serde::Serialize;

use crate::text::ReportTable;

use super::{Basis, Kind, Start, rule_name};

/// The page above the counts.
const INTRODUCTION: &str = "\
# Known values of empty boards

`noughts map --format markdown` writes this page, and `noughts map --format svg` its picture. `noughts map` prints the
table, with `--json` for programs. [Certificates](certificates.md) says what \"checked by certificate\" means, and how to
check it yourself. The last column has the file of the certificate, or the command that prints it.

![The values of all boards up to 20x20 under both rules](known-values.svg)
";

/// The page between the counts and the table.
const EXPLANATION: &str = "
\"X in 11\" means that X wins in exactly 11 plies; \"X within 11\" that it takes no more. \"X wins or draws\" means that O
cannot win, and no more is known.
";

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
    let certificate = match &start.basis {
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

/// A row for each board. `link` writes the file of a certificate, `code` the command that prints it.
fn table(starts: &[Start], link: impl Fn(&str) -> String, code: impl Fn(&str) -> String) -> ReportTable {
    let mut table = ReportTable::of_words(["board", "in a row", "rule", "value", "rests on", "certificate"]);
    for row in starts.iter().map(row) {
        let certificate = match (row.certificate, row.command, row.bytes) {
            (Some(file), _, _) => link(&file),
            (None, Some(command), Some(bytes @ 100_001..)) => {
                format!("{}, {:.1} MB", code(&command), bytes as f64 / 1e6)
            }
            (None, command, _) => command.map(|command| code(&command)).unwrap_or_default(),
        };
        let board = format!("{0}x{0}", row.size);
        table.push([board, row.connect.to_string(), row.rule.to_owned(), row.value, row.basis, certificate]);
    }
    table
}

/// Writes the map as a table, a row for each board.
///
/// # Errors
/// Those of `out`.
pub fn write_text(starts: &[Start], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", table(starts, str::to_owned, str::to_owned).to_text())
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

/// Writes the page `docs/known-values.md`.
///
/// # Errors
/// Those of `out`.
pub fn write_page(starts: &[Start], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{INTRODUCTION}")?;
    let names = Kind::ALL.map(Kind::name).join(" | ");
    writeln!(out, "| rule | boards | {names} | checked by certificate |\n|---|---|---|---|---|---|---|---|---|")?;
    for reverse in [false, true] {
        let of_rule = || starts.iter().filter(|start| start.rules.reverse() == reverse);
        let count = |kind| of_rule().filter(|start| start.kind() == kind).count().to_string();
        let counts = Kind::ALL.map(count).join(" | ");
        let checked = of_rule().filter(|start| matches!(start.basis, Basis::Certificate(_))).count();
        let rule = if reverse { "reverse" } else { "normal" };
        writeln!(out, "| {rule} | {} | {counts} | {checked} |", of_rule().count())?;
    }
    let link = |file: &str| format!("[{file}](../certificates/{file})");
    let code = |command: &str| format!("`{command}`");
    writeln!(out, "{EXPLANATION}\n{}", table(starts, link, code).to_markdown())
}
