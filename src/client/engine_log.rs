//! A log of every line of every engine in a run, with times.

use std::fs::File;
use std::io::{self, LineWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// A file that all clients of a run write to.
pub struct EngineLog {
    start: Instant,
    path: PathBuf,
    lines: Mutex<Lines>,
}

/// The file, until a line could not be written: then the reason.
type Lines = Result<LineWriter<File>, io::Error>;

impl EngineLog {
    /// A new log. A file of that name is written over.
    ///
    /// # Errors
    /// When the file cannot be made.
    pub fn create(path: &Path) -> io::Result<EngineLog> {
        let lines = Mutex::new(Ok(LineWriter::new(File::create(path)?)));
        Ok(EngineLog { start: Instant::now(), path: path.to_owned(), lines })
    }

    /// Writes a line: seconds since the start, the engine, the direction (`>` to the engine, `<` from it, `!` its
    /// standard error) and the text, escaped where it is not printable.
    pub fn write(&self, engine: &str, direction: char, line: &[u8]) {
        let seconds = self.start.elapsed().as_secs_f64();
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let Ok(file) = &mut *lines else { return };
        // A failed write does not stop the run. It ends the log, so that no line stands behind a torn one.
        if let Err(error) = writeln!(file, "{seconds:12.6} {engine} {direction} {}", line.escape_ascii()) {
            *lines = Err(error);
        }
    }

    /// A sentence for people, if a line could not be written: the log is not complete.
    pub fn problem(&self) -> Option<String> {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let error = lines.as_ref().err()?;
        Some(format!("cannot write {}: {error}; the log ends there", self.path.display()))
    }
}
