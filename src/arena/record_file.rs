//! Record files: reading games, and appending games so that a crash leaves no half of one.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::text::on_one_line;

use super::attempt::{Attempt, AttemptLine};
use super::record::GameRecord;

/// The longest line of a record that is read, in bytes. Games of the largest board are far shorter.
const MAX_LINE_BYTES: u64 = 16 << 20;

/// Why a record file cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RecordError {
    /// The file cannot be opened.
    #[error("cannot open {}: {}", .0.display(), .1)]
    Open(PathBuf, String),
    /// The file exists already, and the match is not to continue it.
    #[error("{} is there already; continue it with --resume, or take another name", .0.display())]
    Exists(PathBuf),
    /// The file cannot be read.
    #[error("cannot read {}: {}", .0.display(), .1)]
    Read(PathBuf, String),
    /// The file cannot be written.
    #[error("cannot write {}: {}", .0.display(), .1)]
    Write(PathBuf, String),
    /// A line is not a game.
    #[error("{}: line {} is not a game: {}", .0.display(), .1, .2)]
    Line(PathBuf, usize, String),
    /// The file holds games of another match.
    #[error("{} holds games of a match with other engines, rules or settings", .0.display())]
    OtherMatch(PathBuf),
    /// The file has another length than this process has left it with.
    #[error("{} was changed by another process, which may go on with this match; nothing more is written to it", .0.display())]
    Changed(PathBuf),
    /// Another match is writing to the file.
    #[error("{} is being written by another match", .0.display())]
    InUse(PathBuf),
}

/// How the lines of a record begin: those of games and those of attempts.
const BEGINNINGS: [&[u8]; 2] = [b"{\"match\":\"", b"{\"attempt\":{"];

/// A line of a record.
pub enum Entry {
    /// A game.
    Game(Box<GameRecord>),
    /// The beginning of a process that plays games.
    Attempt(Attempt),
}

impl Entry {
    /// Reads a line.
    fn read(line: &[u8]) -> Result<Entry, String> {
        let (entry, problem) = if line.trim_ascii_start().starts_with(BEGINNINGS[1]) {
            let AttemptLine { attempt } = serde_json::from_slice(line).map_err(|error| error.to_string())?;
            let problem = attempt.problem();
            (Entry::Attempt(attempt), problem)
        } else {
            let game: GameRecord = serde_json::from_slice(line).map_err(|error| error.to_string())?;
            let problem = game.problem();
            (Entry::Game(Box::new(game)), problem)
        };
        problem.map_or(Ok(entry), Err)
    }
}

/// Reads the lines of a file and hands each to `take`. Returns the length of all whole lines, in bytes, and whether
/// there is a torn line behind them: a line without an end, left by a process that was killed.
///
/// # Errors
/// When the file cannot be read, a whole line is no possible game or attempt, or a torn line does not begin like one. Then
/// the file is not a record.
pub fn read(path: &Path, mut take: impl FnMut(Entry)) -> Result<(u64, bool), RecordError> {
    let file = File::open(path).map_err(|error| RecordError::Open(path.to_owned(), error.to_string()))?;
    let mut reader = BufReader::with_capacity(1 << 16, file);
    let (mut line, mut whole) = (Vec::new(), 0);
    for number in 1.. {
        // The problem may quote the line.
        let not_a_game = |problem: String| RecordError::Line(path.to_owned(), number, on_one_line(&problem));
        line.clear();
        let read = reader.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut line);
        let read = read.map_err(|error| RecordError::Read(path.to_owned(), error.to_string()))?;
        if read as u64 == MAX_LINE_BYTES {
            return Err(not_a_game(format!("it is longer than {MAX_LINE_BYTES} bytes")));
        }
        if line.last() != Some(&b'\n') {
            let fits = |beginning: &[u8]| line.iter().zip(beginning).all(|(byte, expected)| byte == expected);
            let begins_well = BEGINNINGS.into_iter().any(fits);
            return if begins_well { Ok((whole, read > 0)) } else { Err(not_a_game("it begins like none".to_owned())) };
        }
        whole += read as u64;
        if !line.trim_ascii().is_empty() {
            take(Entry::read(&line).map_err(not_a_game)?);
        }
    }
    unreachable!("a file has an end")
}

/// A file to which whole entries are appended. A failed write leaves no part of its entry behind.
pub struct Appender {
    path: PathBuf,
    file: File,
    length: u64,
    /// Whether the file has a length that can be set back.
    regular: bool,
}

impl Appender {
    /// Creates a file. A file that exists and is not empty is left as it is.
    ///
    /// # Errors
    /// When the file is not empty, or cannot be created.
    pub fn create(path: &Path) -> Result<Appender, RecordError> {
        let appender = Appender::open(path)?;
        if appender.length > 0 { Err(RecordError::Exists(path.to_owned())) } else { Ok(appender) }
    }

    /// Opens a file to continue it, or creates it. The file is locked against other matches.
    ///
    /// # Errors
    /// When the file cannot be opened, or another match has locked it.
    pub fn open(path: &Path) -> Result<Appender, RecordError> {
        let error = |error: io::Error| RecordError::Open(path.to_owned(), error.to_string());
        let file = OpenOptions::new().append(true).create(true).open(path).map_err(error)?;
        let metadata = file.metadata().map_err(error)?;
        let regular = metadata.is_file();
        if regular && matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
            return Err(RecordError::InUse(path.to_owned()));
        }
        Ok(Appender { path: path.to_owned(), file, length: if regular { metadata.len() } else { 0 }, regular })
    }

    /// Cuts the file to this number of bytes.
    ///
    /// # Errors
    /// When the file cannot be cut.
    pub fn cut(&mut self, length: u64) -> Result<(), RecordError> {
        if self.regular && length < self.length {
            let cut = self.file.set_len(length);
            cut.map_err(|error| RecordError::Write(self.path.clone(), error.to_string()))?;
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
    pub fn append(&mut self, entry: &[u8]) -> Result<(), RecordError> {
        if self.regular && self.file.metadata().is_ok_and(|metadata| metadata.len() != self.length) {
            return Err(RecordError::Changed(self.path.clone()));
        }
        match self.file.write_all(entry) {
            Ok(()) => {
                self.length += entry.len() as u64;
                Ok(())
            }
            Err(error) => {
                if self.regular {
                    // If this fails, the torn line is cut off when the match is resumed.
                    let _ = self.file.set_len(self.length);
                }
                Err(RecordError::Write(self.path.clone(), error.to_string()))
            }
        }
    }
}
