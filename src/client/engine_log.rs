//! A log of every line of every engine in a run, with times.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use crate::system::write_log_line;

/// A log of every line of every engine in a run, with times.
pub struct EngineLog {
    start: Instant,
    path: PathBuf,
    /// The file, until a line could not be written: then the reason.
    file: Mutex<io::Result<File>>,
}

impl EngineLog {
    /// A new log. A file of that name is written over.
    ///
    /// # Errors
    /// When the file cannot be made.
    pub fn create(path: &Path) -> io::Result<EngineLog> {
        let file = Mutex::new(Ok(File::create(path)?));
        Ok(EngineLog { start: Instant::now(), path: path.to_owned(), file })
    }

    /// Writes a line: seconds since the start, the engine, the direction (`>` to the engine, `<` from it, `!` its
    /// standard error) and the text.
    pub fn write(&self, engine: &str, direction: char, line: &[u8]) {
        let mut log = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let Ok(file) = &mut *log else { return };
        let seconds = format!("{:12.6}", self.start.elapsed().as_secs_f64());
        // A failed write does not stop the run.
        if let Err(error) = write_log_line(file, seconds, format_args!("{engine} {direction}"), line) {
            *log = Err(error);
        }
    }

    /// A sentence for people, if a line could not be written: the log is not complete.
    pub fn problem(&self) -> Option<String> {
        let log = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let error = log.as_ref().err()?;
        Some(format!("cannot write {}: {error}; the log ends there", self.path.display()))
    }
}
