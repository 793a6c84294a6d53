//! Files of lines that are appended whole, such as records: a crash leaves no half of an entry in the middle, and two
//! processes do not write over each other.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use serde::Serialize;
use thiserror::Error;

use super::files::{is_standard_stream, open_alone, write_at_end};
use crate::text::{BYTE_ORDER_MARK, on_one_line};

/// The reason why a file of lines cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum LineFileError {
    /// The file cannot be opened, read or written: which of the three, and why.
    #[error("cannot {0} {path}: {2}", path = .1.display())]
    System(&'static str, PathBuf, String),
    /// The file exists already, and is not to be continued.
    #[error("{} is there already; continue it with --resume, or take another name", .0.display())]
    Exists(PathBuf),
    /// A line is not what it should be.
    #[error("{}: line {number} is not {kind}: {problem}", .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1.
        number: usize,
        /// The name of a line of the file, such as "a game".
        kind: &'static str,
        /// The problem.
        problem: String,
    },
    /// The file has another length than this process has left it with.
    #[error("{} was changed by another process, which may go on with this work; nothing more is written to it", .0.display())]
    Changed(PathBuf),
    /// The file is that of a standard stream. Text that is written there meanwhile would stand over the lines.
    #[error("{} is where standard output or standard error goes; take a file of its own", .0.display())]
    Stream(PathBuf),
    /// Another process is writing to the file.
    #[error("{} is being written by another process", .0.display())]
    InUse(PathBuf),
}

/// The kind of the lines of a file.
#[derive(Clone, Copy)]
pub struct LineKind {
    /// A word for a line with its article, such as "a game".
    pub name: &'static str,
    /// The longest line that is read, in bytes, its end included.
    pub longest: u64,
    /// The possible beginnings of the lines.
    pub beginnings: &'static [&'static [u8]],
}

/// Reads the lines of a file and hands each to `take`, which says what is wrong with it if anything is. Empty lines and
/// byte-order marks in front of lines are left out. Returns the length of all whole lines, in bytes, and whether there is a
/// torn line behind them: a line without an end, left by a process that was killed.
///
/// # Errors
/// When the file cannot be read, something is wrong with a whole line, or a torn line does not begin like one. Then the
/// file is not of this kind.
pub fn read_lines(
    path: &Path,
    kind: LineKind,
    mut take: impl FnMut(&[u8]) -> Result<(), String>,
) -> Result<(u64, bool), LineFileError> {
    let file = File::open(path).map_err(|error| LineFileError::System("open", path.to_owned(), error.to_string()))?;
    let mut reader = BufReader::with_capacity(1 << 16, file);
    let (mut line, mut whole) = (Vec::new(), 0);
    for number in 1.. {
        // The problem may quote the line.
        let wrong = |problem: String| {
            let (path, problem) = (path.to_owned(), on_one_line(&problem));
            LineFileError::Line { path, number, kind: kind.name, problem }
        };
        line.clear();
        let read = reader.by_ref().take(kind.longest).read_until(b'\n', &mut line);
        let read = read.map_err(|error| LineFileError::System("read", path.to_owned(), error.to_string()))?;
        if read as u64 == kind.longest {
            return Err(wrong(format!("it is longer than {} bytes", kind.longest)));
        }
        let text = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&line);
        if line.last() != Some(&b'\n') {
            let fits = |beginning: &&[u8]| text.iter().zip(*beginning).all(|(byte, expected)| byte == expected);
            let begins_well = kind.beginnings.iter().any(fits);
            return if begins_well { Ok((whole, read > 0)) } else { Err(wrong("it begins like none".to_owned())) };
        }
        whole += read as u64;
        if !text.trim_ascii().is_empty() {
            take(text).map_err(wrong)?;
        }
    }
    unreachable!("a file has an end")
}

/// A value as a line of JSON, with its end.
///
/// # Panics
/// When the value cannot be JSON, which is a mistake of its type: a map with keys that are no text.
pub fn json_line(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("a value of text, numbers and lists") + "\n"
}

/// A file to which whole entries are appended. A failed write leaves no part of its entry behind.
pub struct Appender {
    path: PathBuf,
    file: File,
    length: u64,
    /// True if the file has a length that can be set back.
    regular: bool,
}

impl Appender {
    /// Creates a file. One that exists and is not empty is left as it is.
    ///
    /// # Errors
    /// When the file is not empty, or cannot be created.
    pub fn create(path: &Path) -> Result<Appender, LineFileError> {
        let appender = Appender::open(path)?;
        if appender.length > 0 { Err(LineFileError::Exists(path.to_owned())) } else { Ok(appender) }
    }

    /// Opens a file to continue it, or creates it. The file is locked against other processes.
    ///
    /// # Errors
    /// When the file cannot be opened, another process has locked it, or it is the regular file of a standard stream.
    pub fn open(path: &Path) -> Result<Appender, LineFileError> {
        let error = |error: io::Error| LineFileError::System("open", path.to_owned(), error.to_string());
        let file = open_alone(path).map_err(error)?.ok_or_else(|| LineFileError::InUse(path.to_owned()))?;
        let metadata = file.metadata().map_err(error)?;
        let regular = metadata.is_file();
        if regular && is_standard_stream(&metadata) {
            return Err(LineFileError::Stream(path.to_owned()));
        }
        Ok(Appender { path: path.to_owned(), file, length: if regular { metadata.len() } else { 0 }, regular })
    }

    /// Cuts the file to this number of bytes, if it is longer.
    ///
    /// # Errors
    /// When the file cannot be cut.
    pub fn cut(&mut self, length: u64) -> Result<(), LineFileError> {
        if self.regular && length < self.length {
            let cut = self.file.set_len(length);
            cut.map_err(|error| LineFileError::System("write", self.path.clone(), error.to_string()))?;
            self.length = length;
        }
        Ok(())
    }

    /// Appends an entry in one write.
    ///
    /// # Errors
    /// When the write fails. Then the file is cut to its length before the write. When another process has changed the
    /// length of the file: the lock keeps others out where locks work, and on network file systems they may not. Then the
    /// file is left as it is.
    pub fn append(&mut self, entry: &[u8]) -> Result<(), LineFileError> {
        if self.regular && self.file.metadata().is_ok_and(|metadata| metadata.len() != self.length) {
            return Err(LineFileError::Changed(self.path.clone()));
        }
        match write_at_end(&mut self.file, entry) {
            Ok(()) => {
                self.length += entry.len() as u64;
                Ok(())
            }
            Err(error) => {
                // Bytes that another process has written meanwhile are not cut off.
                let most = self.length + entry.len() as u64;
                if self.regular && self.file.metadata().is_ok_and(|metadata| metadata.len() < most) {
                    // If this fails, the torn line is cut off when the work is resumed.
                    let _ = self.file.set_len(self.length);
                }
                Err(LineFileError::System("write", self.path.clone(), error.to_string()))
            }
        }
    }
}
