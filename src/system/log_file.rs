//! Logs: regular files to which lines are appended with the time. The same words whether there are files or not.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, Write};

/// Writes a line to a log: the time, where the line comes from, and its text, escaped where it is not printable. The whole
/// line is one write, so that several programs can share a file.
///
/// # Errors
/// When the line cannot be written. The caller then ends the log, so that no line stands behind a torn one.
pub fn write_log_line(file: &mut File, time: impl Display, source: impl Display, text: &[u8]) -> io::Result<()> {
    file.write_all(format!("{time} {source} {}\n", text.escape_ascii()).as_bytes())
}
