//! A log of every line of every engine in a run, with times.

use std::fs::File;
use std::io::{self, LineWriter, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// A file that all clients of a run write to.
pub struct EngineLog {
    start: Instant,
    file: Mutex<LineWriter<File>>,
}

impl EngineLog {
    /// A new log. A file of that name is written over.
    ///
    /// # Errors
    /// When the file cannot be made.
    pub fn create(path: &Path) -> io::Result<EngineLog> {
        Ok(EngineLog { start: Instant::now(), file: Mutex::new(LineWriter::new(File::create(path)?)) })
    }

    /// Writes a line: seconds since the start, the engine, the direction (`>` to the engine, `<` from it, `!` its
    /// standard error) and the text, escaped where it is not printable.
    pub fn write(&self, engine: &str, direction: char, line: &[u8]) {
        let seconds = self.start.elapsed().as_secs_f64();
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        // A failed write does not stop the run.
        let _ = writeln!(file, "{seconds:12.6} {engine} {direction} {}", line.escape_ascii());
    }
}
