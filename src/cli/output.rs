//! Results on standard output.

use std::io::{self, Write};

use anyhow::{Context, Result};

/// Prints what `write` writes.
pub fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let mut stdout = io::stdout().lock();
    write(&mut stdout).and_then(|()| stdout.flush()).context("cannot write the result to standard output")
}
