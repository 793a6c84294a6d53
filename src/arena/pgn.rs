//! Games as PGN, as runners of UGI engines write it: the tags of chess, the moves as the protocol prints them, and X in
//! the place of White.
//!
//! The PGN file of a match that is resumed follows from the record: it has every recorded game once, in the order of the
//! record.

use std::fmt::Write;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use crate::system::{Appender, LineFileError};
use crate::text::on_one_line;
use noughts_core::game::{Outcome, Player, Position};

use super::record::{EndReason, GameRecord};
use super::record_file::{self, Entry, GameSet, RecordError};

/// The game as PGN, with an empty line behind it. `opening` is the position before the first recorded move.
pub fn of(record: &GameRecord, opening: &Position) -> String {
    let result = match record.result {
        Outcome::Win(Player::X) => "1-0",
        Outcome::Win(Player::O) => "0-1",
        Outcome::Draw => "1/2-1/2",
    };
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "[{name} \"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\""));
    };
    tag("Event", &format!("Noughts match {}", record.match_id));
    tag("Site", "Noughts");
    tag("Date", "????.??.??");
    tag("Round", &(record.round + 1).to_string());
    tag("White", &record.x.name);
    tag("Black", &record.o.name);
    tag("Result", result);
    tag("Variant", &record.rules.to_string());
    tag("SetUp", "1");
    tag("FEN", &opening.diagram().to_string());
    if let Some(termination) = termination(record.reason) {
        tag("Adjudicated", termination);
    }
    if let Outcome::Win(winner) = record.result {
        tag("Winner", &record.engine(winner).name);
        tag("Loser", &record.engine(!winner).name);
    }
    tag("PlyCount", &record.moves.len().to_string());
    text.push('\n');
    let before = usize::from(opening.side() == Player::O);
    for (index, played) in record.moves.iter().enumerate() {
        let number = (before + index) / 2 + 1;
        let _ = match (before + index) % 2 {
            0 => write!(text, "{number}. "),
            _ if index == 0 => write!(text, "{number}... "),
            _ => Ok(()),
        };
        let _ = write!(text, "{} ", played.cell);
    }
    if let Some(detail) = &record.detail {
        // A closing brace would end the comment: `\u{e9}` is written as `\u(e9)`.
        let _ = write!(text, "{{{}}} ", on_one_line(detail).replace('{', "(").replace('}', ")"));
    }
    let _ = writeln!(text, "{result}\n");
    text
}

/// The text for games that did not end by the rules.
fn termination(reason: EndReason) -> Option<&'static str> {
    match reason {
        EndReason::Line | EndReason::FullBoard => None,
        EndReason::Time => Some("Out of time"),
        EndReason::Crash => Some("Crashed"),
        EndReason::Stall => Some("Stalled"),
        EndReason::Illegal => Some("Illegal move"),
    }
}

/// Opens the PGN file of a match that is resumed, and adds what it lacks of the games of the record.
///
/// A game is in the record before it is in the PGN file. So the file of a process that was killed, or that met a full
/// disk, is a beginning of what follows from the record.
///
/// # Errors
/// When a file cannot be read or written, the record is not one, or the PGN file is no such beginning: then it has other
/// games, or notes of a person, and stays as it is.
pub fn resume(path: &Path, record: &Path) -> Result<Appender, RecordError> {
    let mut file = Appender::open(path)?;
    let error = |error: io::Error| LineFileError::System("read", path.to_owned(), error.to_string());
    // A device cannot be read: it gets all games.
    let mut written: Box<dyn Read> =
        if path.is_file() { Box::new(BufReader::new(File::open(path).map_err(error)?)) } else { Box::new(io::empty()) };
    let (mut agreed, mut next) = (0u64, None);
    read_record(record, |text| {
        if next.is_none() {
            let mut there = Vec::new();
            written.by_ref().take(text.len() as u64).read_to_end(&mut there).map_err(error)?;
            match there == text.as_bytes() {
                true => agreed += 1,
                false => next = Some((text.as_bytes().starts_with(&there), there)),
            }
        }
        Ok(())
    })?;
    let (is_beginning, mut torn) = next.unwrap_or((true, Vec::new()));
    if !is_beginning || written.read(&mut [0]).map_err(error)? > 0 {
        return Err(RecordError::OtherGames(format!(
            "{}: from game {} on it differs from the record {} and stays as it is; name the record of these games with \
             --record, or another file with --pgn",
            path.display(),
            agreed + 1,
            record.display()
        )));
    }
    let mut before = agreed;
    read_record(record, |text| {
        if before > 0 {
            before -= 1;
            return Ok(());
        }
        let there = std::mem::take(&mut torn);
        file.append(&text.as_bytes()[there.len()..])
    })?;
    Ok(file)
}

/// Hands each game of the record to `take` once, as PGN, in the order of the record. A device has no games.
fn read_record(record: &Path, mut take: impl FnMut(&str) -> Result<(), LineFileError>) -> Result<(), LineFileError> {
    if !record.is_file() {
        return Ok(());
    }
    let (mut games, mut taken) = (GameSet::default(), Ok(()));
    record_file::read(record, |entry| {
        if let Entry::Game(game) = entry
            && games.insert(game.game)
            && taken.is_ok()
        {
            taken = take(&of(&game, &game.opening.position(game.rules)?));
        }
        Ok(())
    })?;
    taken
}
