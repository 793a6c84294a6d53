//! Record files of matches: reading games and attempts.

use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::system::{LineFileError, LineKind, read_lines};

use super::attempt::{Attempt, AttemptLine};
use super::record::GameRecord;

/// Why a record file cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RecordError {
    /// The file cannot be read or written.
    #[error(transparent)]
    File(#[from] LineFileError),
    /// The file holds games of another match.
    #[error("{} holds games of a match with other engines, rules or settings", .0.display())]
    OtherMatch(PathBuf),
    /// The PGN file holds something else than games of this match.
    #[error("{}: line {number} is not {expected}, so the file holds other games than this match and stays as it is", .path.display())]
    OtherPgn {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1.
        number: usize,
        /// The line that begins each game of this match.
        expected: String,
    },
    /// The PGN file has games that the record has not.
    #[error("{} has games that are not in the record {}: {games}, the first from line {first} on. The PGN stays as it is; name the record of these games with --record, or another file with --pgn", .path.display(), .record.display())]
    UnrecordedPgn {
        /// The PGN file.
        path: PathBuf,
        /// The record.
        record: PathBuf,
        /// The number of these games.
        games: u64,
        /// The number of the first line of the first of them, from 1.
        first: usize,
    },
}

/// The lines of records: games and attempts. Games of the largest board are far shorter than the longest line.
const KIND: LineKind =
    LineKind { name: "a game", longest: 16 << 20, beginnings: &[b"{\"match\":\"", b"{\"attempt\":{"] };

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
        let (entry, problem) = if line.trim_ascii_start().starts_with(KIND.beginnings[1]) {
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

/// Reads the lines of a record and hands each to `take`, which says what is wrong with it if anything is. Returns the length
/// of all whole lines, in bytes, and whether there is a torn line behind them.
///
/// # Errors
/// When the file cannot be read, a whole line is no possible game or attempt, or a torn line does not begin like one.
pub fn read(path: &Path, mut take: impl FnMut(Entry) -> Result<(), String>) -> Result<(u64, bool), LineFileError> {
    read_lines(path, KIND, |line| take(Entry::read(line)?))
}
