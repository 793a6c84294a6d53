//! Results on standard output, and lines for people on standard error.

use std::fmt::Display;
use std::io::{self, Write};

use anyhow::{Context, Result};

/// The error when a result cannot be printed.
pub const NOT_PRINTED: &str = "cannot write the result to standard output";

/// Prints what `write` writes.
pub fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let mut stdout = io::stdout().lock();
    write(&mut stdout).and_then(|()| stdout.flush()).context(NOT_PRINTED)
}

/// Writes a line to the log, which is standard error. If it cannot be written, the work goes on: a
/// result is worth more than a line without a reader.
pub fn log(line: impl Display) {
    let _ = io::stderr().write_all(format!("{line}\n").as_bytes());
}

/// Writes a warning to the log.
pub fn warn(sentence: impl Display) {
    log(format_args!("warning: {sentence}"));
}
