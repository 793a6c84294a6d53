//! Games as PGN, as runners of UGI engines write it: the tags of chess, the moves as the protocol prints them, and X in
//! the place of White.
//!
//! The PGN file of a match that is resumed follows from the record: it has every recorded game once, in the order of the
//! record.

use std::collections::HashMap;
use std::fmt::Write;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use crate::client::RunObserver;
use crate::system::{Appender, LineFileError};
use crate::text::{BYTE_ORDER_MARK, on_one_line};
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
        let _ = writeln!(text, "{}", tag_line(name, value));
    };
    tag("Event", &event(&record.match_id));
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

fn event(match_id: &str) -> String {
    format!("Noughts match {match_id}")
}

/// A tag and its value, as a line of PGN has them.
fn tag_line(name: &str, value: &str) -> String {
    format!("[{name} \"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\""))
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

/// The longest line that is looked at in one piece. Lines of this program are far shorter.
const LONGEST_LINE: u64 = 1 << 20;

/// Opens the PGN file of a match that is resumed, and makes it agree with the record. What agrees from the beginning on
/// stays. The rest is cut off, such as a game that a process which was killed has torn, and is written from the record.
///
/// A game is in the record before it is in the PGN file, so a process that is killed leaves no game in the PGN file alone.
///
/// # Errors
/// When a file cannot be read or written, the record is not one, or the PGN file has games of another match or whole games
/// that are not in the record. Then the PGN file stays as it is, unless it cannot be written.
pub fn resume(path: &Path, record: &Path, match_id: &str, observer: &dyn RunObserver) -> Result<Appender, RecordError> {
    let mut file = Appender::open(path)?;
    // A device cannot be read or cut: it gets all games.
    let is_file = path.is_file();
    let mut written: Box<dyn Read> =
        if is_file { Box::new(open(path).map_err(|error| read_error(path, &error))?) } else { Box::new(io::empty()) };
    let mut recorded = RecordedGames::new();
    let (mut agrees, mut agreed, mut length) = (true, 0u64, 0);
    read_record(record, |game, text| {
        let mut there = vec![0; text.len()];
        agrees = agrees && written.read_exact(&mut there).is_ok() && there == text.as_bytes();
        if agrees {
            agreed += 1;
            length += text.len() as u64;
        }
        let players = [tag_line("White", &game.x.name), tag_line("Black", &game.o.name)];
        recorded.entry(players).or_default().insert(game.round);
    })?;
    if is_file {
        check_games(path, record, match_id, &recorded)?;
    }
    let mut is_changed = file.cut(length)?;
    if !agrees {
        is_changed = true;
        let (mut before, mut failure) = (agreed, None);
        read_record(record, |_, text| {
            if before > 0 {
                before -= 1;
            } else if failure.is_none() {
                failure = file.append(text.as_bytes()).err();
            }
        })?;
        failure.map_or(Ok(()), Err)?;
    }
    if is_file && is_changed {
        let next = agreed + 1;
        observer.warn(&format!("{}: from game {next} on it is written from the record", path.display()));
    }
    Ok(file)
}

/// The rounds of the recorded games of each two players. The players are those of the tags `White` and `Black`, each as the
/// whole line. Two engines play at most one game with the same colours in a round.
type RecordedGames = HashMap<[String; 2], GameSet>;

/// Hands each game of the record to `take` once, with its PGN, in the order of the record. A device has no games.
fn read_record(record: &Path, mut take: impl FnMut(&GameRecord, &str)) -> Result<(), LineFileError> {
    if !record.is_file() {
        return Ok(());
    }
    let mut games = GameSet::default();
    record_file::read(record, |entry| {
        if let Entry::Game(game) = entry
            && games.insert(game.game)
        {
            take(&game, &of(&game, &game.opening.position(game.rules)?));
        }
        Ok(())
    })?;
    Ok(())
}

/// A game of the PGN file, as far as it has been read.
#[derive(Default)]
struct PgnGame {
    /// The number of its first line.
    line: usize,
    round: Option<u64>,
    players: [String; 2],
}

impl PgnGame {
    /// Reads a tag that says which game it is.
    fn read_tag(&mut self, tag: &[u8]) {
        let text = || String::from_utf8_lossy(tag).into_owned();
        if let Some(round) = tag.strip_prefix(b"[Round \"").and_then(|rest| rest.strip_suffix(b"\"]")) {
            let round = str::from_utf8(round).ok().and_then(|round| round.parse::<u64>().ok());
            // Rounds of PGN are numbered from 1.
            self.round = round.and_then(|round| round.checked_sub(1));
        } else if tag.starts_with(b"[White ") {
            self.players[0] = text();
        } else if tag.starts_with(b"[Black ") {
            self.players[1] = text();
        }
    }

    fn is_in(&self, recorded: &RecordedGames) -> bool {
        let rounds = recorded.get(&self.players);
        rounds.zip(self.round).is_some_and(|(rounds, round)| rounds.contains(round))
    }
}

/// Checks that the file holds nothing but games of this match, and that the record has each whole one. A game is whole if
/// it has a result behind its moves.
fn check_games(path: &Path, record: &Path, match_id: &str, recorded: &RecordedGames) -> Result<(), RecordError> {
    let expected = tag_line("Event", &event(match_id));
    let error = |error: io::Error| read_error(path, &error);
    let mut reader = open(path).map_err(error)?;
    let (mut line, mut has_begun) = (Vec::new(), false);
    let (mut game, mut unrecorded, mut first) = (None, 0u64, 0);
    for number in 1.. {
        line.clear();
        if reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line).map_err(error)? == 0 {
            break;
        }
        // An editor may have changed the line ends.
        let text = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&line).trim_ascii_end();
        let is_torn = line.last() != Some(&b'\n');
        for text in split_before_event(text) {
            let is_event = text == expected.as_bytes() || is_torn && expected.as_bytes().starts_with(text);
            let begins_game = !text.is_empty() && !has_begun || text.starts_with(EVENT);
            if begins_game && !is_event {
                return Err(RecordError::OtherGames(format!(
                    "{}: line {number} is not {expected}, so the file holds other games than this match and stays as it is",
                    path.display()
                )));
            }
            has_begun |= begins_game;
            if begins_game {
                game = Some(PgnGame { line: number, ..PgnGame::default() });
            } else if text.starts_with(b"[") {
                game.get_or_insert_with(|| PgnGame { line: number, ..PgnGame::default() }).read_tag(text);
            } else if text.split(u8::is_ascii_whitespace).any(is_result)
                && let Some(game) = game.take()
                && !game.is_in(recorded)
            {
                first = if unrecorded == 0 { game.line } else { first };
                unrecorded += 1;
            }
        }
    }
    if unrecorded == 0 {
        return Ok(());
    }
    Err(RecordError::OtherGames(format!(
        "{} has games that are not in the record {}: {unrecorded}, the first from line {first} on. The PGN stays as it is; \
         name the record of these games with --record, or another file with --pgn",
        path.display(),
        record.display()
    )))
}

/// The beginning of a game.
const EVENT: &[u8] = b"[Event ";

/// A line as two if a game begins in the middle of it, behind one that is torn. In a tag or a comment of this program no
/// such text ends the line: quotes in tags are escaped, and a result stands behind a comment.
fn split_before_event(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let begins = line.windows(EVENT.len() + 1).rposition(|text| text == b"[Event \"");
    let (before, event) = line.split_at(begins.filter(|_| line.ends_with(b"\"]")).unwrap_or(0));
    [before, event].into_iter().filter(|part| !part.is_empty())
}

fn is_result(word: &[u8]) -> bool {
    matches!(word, b"1-0" | b"0-1" | b"1/2-1/2")
}

fn open(path: &Path) -> io::Result<BufReader<File>> {
    Ok(BufReader::new(File::open(path)?))
}

fn read_error(path: &Path, error: &io::Error) -> LineFileError {
    LineFileError::System("read", path.to_owned(), error.to_string())
}
