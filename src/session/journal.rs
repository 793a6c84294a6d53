//! Every line in and out, written down with the time: for people who plug the engine into a program and wonder.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};

use jiff::Timestamp;

use crate::excerpt::Excerpt;

/// The option that names the file.
pub const OPTION: &str = "Debug Log File";

/// Where lines are written down, if anywhere.
#[derive(Default)]
pub struct Journal {
    file: Option<File>,
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

impl Journal {
    /// Writes to the end of this file from now on; to none when the name is empty, as `<empty>` is too.
    ///
    /// # Errors
    /// The file stays as it was when the new one cannot be written.
    pub fn open(&mut self, name: &str) -> Result<(), String> {
        self.file = match name {
            "" | "<empty>" => None,
            name => Some(begin(name).map_err(|error| {
                format!("{OPTION}: {} cannot be written ({error}); nothing is changed", Excerpt::of(name))
            })?),
        };
        self.partial = Default::default();
        Ok(())
    }

    /// Whether lines are written down.
    pub fn is_open(&self) -> bool {
        self.file.is_some()
    }

    /// Takes bytes as they go by, and writes down each line that they end.
    pub fn pass(&mut self, direction: Direction, bytes: &[u8]) {
        let Some(file) = &mut self.file else { return };
        let partial = &mut self.partial[direction as usize];
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            let room = MAX_LINE.saturating_sub(partial.len());
            partial.extend_from_slice(&piece[..piece.len().min(room)]);
            if piece.ends_with(b"\n") {
                write(file, direction, partial);
                partial.clear();
            }
        }
    }

    /// The input has ended: what was under way is a line.
    pub fn end_of_input(&mut self) {
        if let Some(file) = &mut self.file
            && !self.partial[Direction::In as usize].is_empty()
        {
            write(file, Direction::In, &self.partial[Direction::In as usize]);
            self.partial[Direction::In as usize].clear();
        }
    }
}

fn begin(name: &str) -> io::Result<File> {
    let mut file = OpenOptions::new().create(true).append(true).open(name)?;
    let now = Timestamp::now();
    writeln!(file, "{now:.6} = Noughts {}, process {}", env!("CARGO_PKG_VERSION"), std::process::id())?;
    Ok(file)
}

/// One write for each line, so that several engines can share a file.
fn write(file: &mut File, direction: Direction, line: &[u8]) {
    let arrow = match direction {
        Direction::In => '>',
        Direction::Out => '<',
    };
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let text = format!("{:.6} {arrow} {}\n", Timestamp::now(), line.escape_ascii());
    // A log that cannot be written does not stop the engine.
    let _ = file.write_all(text.as_bytes());
}
