//! Every line in and out, written down with the time: to see what a program that uses the engine says to it.

use std::fmt;
use std::fs::File;
use std::io::{self, Write};
use std::time::SystemTime;

use humantime::format_rfc3339_micros;
use thiserror::Error;

use crate::engine::DEBUG_LOG;
use crate::system::{AppendError, open_to_append};
use crate::text::Excerpt;

/// Where lines are written down, if anywhere.
#[derive(Default)]
pub struct DebugLog {
    file: Option<LogFile>,
    /// Lines under way, in and out.
    partial: [Vec<u8>; 2],
}

/// The file under way.
struct LogFile {
    file: File,
    /// The name, for the error.
    name: Excerpt,
}

/// Which way a line goes.
#[derive(Clone, Copy, Debug)]
pub enum Direction {
    /// From the client to the engine.
    In,
    /// From the engine to the client.
    Out,
}

/// The most of a line that is written down, in bytes.
const MAX_LINE: usize = 64 << 10;

/// Why lines cannot be written to a file.
#[derive(Debug, Error)]
pub enum DebugLogError {
    /// The name belongs to a pipe, a terminal, another device or a folder: writing there could hold the engine up.
    #[error("{} expects the name of a regular file, and {name} is none; nothing is changed", DEBUG_LOG.name)]
    NotRegular {
        /// The name.
        name: Excerpt,
    },
    /// A line of the log could not be written.
    #[error("{}: {name} cannot be written ({error}); the log ends here, set the option again to go on", DEBUG_LOG.name)]
    Stopped {
        /// The name.
        name: Excerpt,
        /// What the system says.
        error: io::Error,
    },
    /// The file cannot be opened, or takes no line.
    #[error("{}: {name} cannot be written ({error}); nothing is changed", DEBUG_LOG.name)]
    Write {
        /// The name.
        name: Excerpt,
        /// What the system says.
        error: io::Error,
    },
}

impl DebugLog {
    /// Writes to the end of this file from now on; to none when the name is empty, as `<empty>` is too.
    ///
    /// # Errors
    /// The file stays as it was when the new one cannot be written.
    pub fn open(&mut self, name: &str) -> Result<(), DebugLogError> {
        self.file = match name {
            "" | "<empty>" => None,
            name => Some(LogFile { file: begin(name)?, name: Excerpt::of(name) }),
        };
        self.partial = Default::default();
        Ok(())
    }

    /// True if lines are written down.
    pub fn is_open(&self) -> bool {
        self.file.is_some()
    }

    /// Takes bytes as they go by, and writes down each line that they end.
    ///
    /// # Errors
    /// When a line cannot be written. Then the log is closed, so that no line stands behind a torn one.
    pub fn pass(&mut self, direction: Direction, bytes: &[u8]) -> Result<(), DebugLogError> {
        let Some(log) = &mut self.file else { return Ok(()) };
        let partial = &mut self.partial[direction as usize];
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            let room = MAX_LINE.saturating_sub(partial.len());
            partial.extend_from_slice(&piece[..piece.len().min(room)]);
            if piece.ends_with(b"\n") {
                let written = write(&mut log.file, direction, partial);
                partial.clear();
                if let Err(error) = written {
                    let name = log.name.clone();
                    self.file = None;
                    return Err(DebugLogError::Stopped { name, error });
                }
            }
        }
        Ok(())
    }

    /// The input has ended: what was under way is a line.
    pub fn end_of_input(&mut self) {
        if let Some(LogFile { file, .. }) = &mut self.file
            && !self.partial[Direction::In as usize].is_empty()
        {
            // Nobody is left who could be told.
            let _ = write(file, Direction::In, &self.partial[Direction::In as usize]);
            self.partial[Direction::In as usize].clear();
        }
    }
}

/// Opens a file and writes the first line.
fn begin(name: &str) -> Result<File, DebugLogError> {
    let failed = |error| DebugLogError::Write { name: Excerpt::of(name), error };
    let mut file = open_to_append(name).map_err(|error| match error {
        AppendError::NotRegular => DebugLogError::NotRegular { name: Excerpt::of(name) },
        AppendError::Io(error) => failed(error),
    })?;
    let line = format!("{} = Noughts {}, process {}\n", time_stamp(), env!("CARGO_PKG_VERSION"), std::process::id());
    file.write_all(line.as_bytes()).map_err(failed)?;
    Ok(file)
}

/// The time now, to the microsecond.
fn time_stamp() -> impl fmt::Display {
    format_rfc3339_micros(SystemTime::now())
}

/// One write for each line, so that several engines can share a file.
fn write(file: &mut File, direction: Direction, line: &[u8]) -> io::Result<()> {
    let arrow = match direction {
        Direction::In => '>',
        Direction::Out => '<',
    };
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let text = format!("{} {arrow} {}\n", time_stamp(), line.escape_ascii());
    file.write_all(text.as_bytes())
}
