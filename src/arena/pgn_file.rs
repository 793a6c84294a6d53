//! The PGN file of a match that is resumed. It follows from the record: it has every recorded game once, in the order of
//! the record.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use crate::system::{Appender, LineFileError};
use crate::text::BYTE_ORDER_MARK;

use super::game_set::GameSet;
use super::observer::MatchObserver;
use super::pgn;
use super::record_file::{self, Entry, RecordError};

/// The longest line that is looked at in one piece. Lines of this program are far shorter.
const LONGEST_LINE: u64 = 1 << 20;

/// Opens the PGN file of a match that is resumed, and makes it agree with the record. What agrees from the beginning on
/// stays. The rest is cut off, such as a game that a process which was killed has torn, and is written from the record.
///
/// # Errors
/// When a file cannot be read or written, the record is not one, or the PGN file has games of another match. A PGN file of
/// another match stays as it is.
pub fn resume(
    path: &Path,
    record: &Path,
    match_id: &str,
    observer: &dyn MatchObserver,
) -> Result<Appender, RecordError> {
    let mut file = Appender::open(path)?;
    // A device cannot be read or cut: it gets all games.
    let is_file = path.is_file();
    let mut written: Box<dyn Read> = if is_file {
        check_match(path, match_id)?;
        Box::new(BufReader::new(File::open(path).map_err(|error| read_error(path, &error))?))
    } else {
        Box::new(io::empty())
    };
    let (mut agrees, mut agreed, mut length) = (true, 0u64, 0);
    let (mut games, mut failure) = (GameSet::default(), None);
    if record.is_file() {
        record_file::read(record, |entry| {
            let Entry::Game(game) = entry else { return Ok(()) };
            if failure.is_some() || !games.insert(game.game) {
                return Ok(());
            }
            let text = pgn::of(&game, &game.opening.position(game.rules)?);
            if agrees {
                let mut there = vec![0; text.len()];
                agrees = written.read_exact(&mut there).is_ok() && there == text.as_bytes();
                if agrees {
                    agreed += 1;
                    length += text.len() as u64;
                    return Ok(());
                }
                failure = file.cut(length).err();
            }
            failure = failure.take().or_else(|| file.append(text.as_bytes()).err());
            Ok(())
        })?;
    }
    failure.map_or(Ok(()), Err)?;
    let is_changed = if agrees { file.cut(length)? } else { true };
    if is_file && is_changed {
        let next = agreed + 1;
        observer.warn(&format!("{}: from game {next} on it is written from the record", path.display()));
    }
    Ok(file)
}

/// Checks that the file holds nothing but games of this match; the last one may be torn.
fn check_match(path: &Path, match_id: &str) -> Result<(), RecordError> {
    let expected = pgn::event_line(match_id);
    let error = |error: io::Error| read_error(path, &error);
    let mut reader = BufReader::new(File::open(path).map_err(error)?);
    let (mut line, mut has_begun) = (Vec::new(), false);
    for number in 1.. {
        line.clear();
        if reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line).map_err(error)? == 0 {
            break;
        }
        // An editor may have changed the line ends.
        let text = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&line).trim_ascii_end();
        let is_torn = line.last() != Some(&b'\n');
        let is_event = text == expected.as_bytes() || is_torn && expected.as_bytes().starts_with(text);
        let begins_game = !text.is_empty() && !has_begun || text.starts_with(b"[Event ");
        if begins_game && !is_event {
            return Err(RecordError::OtherPgn { path: path.to_owned(), number, expected });
        }
        has_begun |= begins_game;
    }
    Ok(())
}

fn read_error(path: &Path, error: &io::Error) -> LineFileError {
    LineFileError::Read(path.to_owned(), error.to_string())
}
