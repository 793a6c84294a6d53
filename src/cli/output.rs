//! Results on standard output.

use std::io::{self, Write};

use anyhow::Result;

/// Prints what `write` writes.
pub fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let mut stdout = io::stdout().lock();
    write(&mut stdout)?;
    Ok(stdout.flush()?)
}
