//! Every line in and out, written down with the time: to see the commands of a program that uses the engine.

use std::fs::File;
use std::time::SystemTime;

use humantime::format_rfc3339_micros;

use crate::engine::DEBUG_LOG;
use crate::system::{open_to_append, write_log_line};
use crate::text::Excerpt;

/// The file to which lines are written, if there is one.
#[derive(Default)]
pub struct DebugLog {
    /// The file, and its name for errors.
    file: Option<(File, Excerpt)>,
    /// Lines under way, in and out.
    partial: [Vec<u8>; 2],
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

impl DebugLog {
    /// Writes to the end of this file from now on; to none when the name is empty, as `<empty>` is too.
    ///
    /// # Errors
    /// The file stays as it was when the new one cannot be written; a sentence for the client says why.
    pub fn open(&mut self, name: &str) -> Result<(), String> {
        self.file = match name {
            "" | "<empty>" => None,
            name => Some((begin(name)?, Excerpt::of(name))),
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
    /// When a line cannot be written: a sentence for the client. Then the log is closed, so that no line stands behind a
    /// torn one.
    pub fn pass(&mut self, direction: Direction, bytes: &[u8]) -> Result<(), String> {
        let Some((file, name)) = &mut self.file else { return Ok(()) };
        let arrow = match direction {
            Direction::In => '>',
            Direction::Out => '<',
        };
        let partial = &mut self.partial[direction as usize];
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            let room = MAX_LINE.saturating_sub(partial.len());
            partial.extend_from_slice(&piece[..piece.len().min(room)]);
            if piece.ends_with(b"\n") {
                let line = partial.strip_suffix(b"\n").unwrap_or(partial);
                let line = line.strip_suffix(b"\r").unwrap_or(line);
                let written = write_log_line(file, time_stamp(), arrow, line);
                partial.clear();
                if let Err(error) = written {
                    let what_to_do = "the log ends here, set the option again to go on";
                    let problem = format!("{}: {name} cannot be written ({error}); {what_to_do}", DEBUG_LOG.name);
                    self.file = None;
                    return Err(problem);
                }
            }
        }
        Ok(())
    }

    /// The input has ended: what was under way is a line.
    pub fn end_of_input(&mut self) {
        if !self.partial[Direction::In as usize].is_empty() {
            // No client is left to read the error.
            let _ = self.pass(Direction::In, b"\n");
        }
    }
}

/// Opens a file and writes the first line.
fn begin(name: &str) -> Result<File, String> {
    let (option, quoted) = (DEBUG_LOG.name, Excerpt::of(name));
    let failed = |error| format!("{option}: {quoted} cannot be written ({error}); nothing is changed");
    let file = open_to_append(name).map_err(failed)?;
    let not_regular =
        || format!("{option} expects the name of a regular file, and {quoted} is none; nothing is changed");
    let mut file = file.ok_or_else(not_regular)?;
    let text = format!("Noughts {}, process {}", env!("CARGO_PKG_VERSION"), std::process::id());
    write_log_line(&mut file, time_stamp(), '=', text.as_bytes()).map_err(failed)?;
    Ok(file)
}

/// The time now, in UTC, to the microsecond.
fn time_stamp() -> impl std::fmt::Display {
    format_rfc3339_micros(SystemTime::now())
}
