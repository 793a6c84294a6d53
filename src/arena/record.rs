//! Games as they are recorded: JSON lines, one whole game a line.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::client::EngineProtocol;
use crate::text::{Excerpt, is_line, on_one_line};
use noughts_core::game::{Cell, Outcome, Player, Rules};

/// The most engines of a match.
pub const MAX_ENGINES: usize = 1000;

/// The most openings of a finite book. A file of positions may have more than are made up.
const MAX_OPENINGS: u64 = u32::MAX as u64;

/// The most openings that one may stand for. All ways to play any number of plies that are grouped are fewer, and the
/// squares of a thousand million of them have a finite sum.
const MAX_WEIGHT: f64 = 1e15;

/// The longest time of a move, in milliseconds: some thirty years.
const MAX_MILLISECONDS: f64 = 1e12;

/// The longest line of a record that is read, in bytes. Games of the largest board are far shorter.
const MAX_LINE_BYTES: u64 = 16 << 20;

/// A game from its opening to its end.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct GameRecord {
    /// The fingerprint of the match: games of one match may come from several machines.
    #[serde(rename = "match")]
    pub match_id: String,
    /// The number of the game in the match.
    pub game: u64,
    /// The round: in each, a pair of engines plays one opening.
    pub round: u64,
    /// Whether the opening is played with both colours.
    pub swap: bool,
    /// Who played X.
    pub x: EngineRecord,
    /// Who played O.
    pub o: EngineRecord,
    /// The game that was played.
    pub rules: Rules,
    /// What bounded a move.
    pub limit: String,
    /// The opening.
    pub opening: OpeningRecord,
    /// The moves after the opening.
    pub moves: Vec<MoveRecord>,
    /// The result.
    #[serde(serialize_with = "write_result", deserialize_with = "read_result")]
    pub result: Outcome,
    /// How it came about.
    pub reason: Reason,
    /// More about it, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// How the process of the losing engine ended, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit: Option<String>,
    /// The seed of the match.
    pub seed: u64,
}

impl GameRecord {
    /// The engine that played this player.
    pub fn engine(&self, player: Player) -> &EngineRecord {
        match player {
            Player::X => &self.x,
            Player::O => &self.o,
        }
    }

    /// What cannot be true of any game, or must not be printed: a record may come from anywhere.
    fn problem(&self) -> Option<String> {
        let opening = &self.opening;
        let own = [("match", &self.match_id), ("limit", &self.limit)];
        let names = [("name", &self.x.name), ("name", &self.o.name)];
        if let Some((key, text)) = own.into_iter().chain(names).find(|(_, text)| !is_line(text)) {
            return Some(format!("{key} is text on one line that can be printed, not {}", Excerpt::of(text)));
        }
        if Player::from_letter(opening.side).is_none() {
            Some("the side to move is x or o".to_owned())
        } else if !(1.0..=MAX_WEIGHT).contains(&opening.weight) {
            Some(format!("the weight of an opening is from 1 to {MAX_WEIGHT:e}, not {:e}", opening.weight))
        } else if let Some(of) = opening.of
            && !(opening.number < of && of <= MAX_OPENINGS)
        {
            Some(format!("opening {} of {of} is none of 1 to {MAX_OPENINGS} openings, numbered from 0", opening.number))
        } else if let Some(place) = [self.x.engine, self.o.engine].into_iter().find(|&place| place >= MAX_ENGINES) {
            Some(format!("the place of an engine is from 0 to {}, not {place}", MAX_ENGINES - 1))
        } else if self.x.engine == self.o.engine || self.x.name == self.o.name {
            Some("both players are one engine".to_owned())
        } else if self.moves.len() > self.rules.cells() {
            Some(format!("{} moves do not fit on the board", self.moves.len()))
        } else {
            let times = self.moves.iter().flat_map(|played| [Some(played.ms), played.margin]).flatten();
            let wrong = times.into_iter().find(|ms| !(0.0..=MAX_MILLISECONDS).contains(ms))?;
            Some(format!("a move takes from 0 to {MAX_MILLISECONDS:e} ms, not {wrong:e}"))
        }
    }

    /// The engine that comes first in the match, as the one from which results are seen.
    pub fn first(&self) -> Player {
        if self.x.engine < self.o.engine { Player::X } else { Player::O }
    }
}

/// An engine in a game.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct EngineRecord {
    /// Its place among the engines of the match, from 0.
    pub engine: usize,
    /// Its name in the match.
    pub name: String,
    /// The command that started it.
    pub command: String,
    /// The folder in which it ran, if it was given one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dir: Option<String>,
    /// The protocol that it spoke; left out when it is that of this program.
    #[serde(default, skip_serializing_if = "EngineProtocol::is_ours")]
    pub proto: EngineProtocol,
    /// The options that were set.
    pub options: BTreeMap<String, String>,
    /// The seed it got for this game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u32>,
}

/// The opening of a game.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct OpeningRecord {
    /// The position, as it stands behind `position` in the protocol.
    pub line: String,
    /// Who moves first after it: `x` or `o`.
    pub side: char,
    /// Its number in the book.
    pub number: u64,
    /// How many openings the book has, if it is not drawn at random.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<u64>,
    /// How many openings it stands for.
    pub weight: f64,
}

impl OpeningRecord {
    /// Who moves first after the opening.
    pub fn side(&self) -> Player {
        Player::from_letter(self.side).unwrap_or(Player::X)
    }
}

/// A move.
#[derive(Clone, Copy, PartialEq, Serialize, Deserialize, Debug)]
pub struct MoveRecord {
    /// The move.
    #[serde(rename = "move", serialize_with = "write_cell", deserialize_with = "read_cell")]
    pub cell: Cell,
    /// The value that the engine gave, for itself, from -1 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// The nodes that it searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Milliseconds from the question to the answer.
    pub ms: f64,
    /// How many of them came after the time was up, within the margin; `None` when it was not up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<f64>,
}

/// How a game came to its end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Debug)]
pub enum Reason {
    /// A line was completed.
    #[serde(rename = "line")]
    Line,
    /// The board was full.
    #[serde(rename = "full board")]
    FullBoard,
    /// The loser took too long.
    #[serde(rename = "time")]
    Time,
    /// The loser ended, or closed its output.
    #[serde(rename = "crash")]
    Crash,
    /// The loser did not get ready.
    #[serde(rename = "stall")]
    Stall,
    /// The loser's answer was not a legal move.
    #[serde(rename = "illegal")]
    Illegal,
}

impl Reason {
    /// All of them.
    pub const ALL: [Reason; 6] =
        [Reason::Line, Reason::FullBoard, Reason::Time, Reason::Crash, Reason::Stall, Reason::Illegal];
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Line => "line",
            Reason::FullBoard => "full board",
            Reason::Time => "time",
            Reason::Crash => "crash",
            Reason::Stall => "stall",
            Reason::Illegal => "illegal",
        })
    }
}

fn write_result<S: Serializer>(result: &Outcome, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(match result {
        Outcome::Win(Player::X) => "x",
        Outcome::Win(Player::O) => "o",
        Outcome::Draw => "draw",
    })
}

fn read_result<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Outcome, D::Error> {
    match String::deserialize(deserializer)?.as_str() {
        "x" => Ok(Outcome::Win(Player::X)),
        "o" => Ok(Outcome::Win(Player::O)),
        "draw" => Ok(Outcome::Draw),
        _ => Err(serde::de::Error::custom("a result is x, o or draw")),
    }
}

fn write_cell<S: Serializer>(cell: &Cell, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(cell)
}

fn read_cell<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Cell, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
}

/// Why a record file cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RecordError {
    /// It cannot be opened.
    Open(PathBuf, String),
    /// It is there already, and nobody said to continue it.
    Exists(PathBuf),
    /// It cannot be read.
    Read(PathBuf, String),
    /// It cannot be written.
    Write(PathBuf, String),
    /// A line is not a game.
    Line(PathBuf, usize, String),
    /// It holds games of another match.
    OtherMatch(PathBuf),
    /// Another match is writing to it.
    InUse(PathBuf),
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordError::Open(path, error) => write!(f, "cannot open {}: {error}", path.display()),
            RecordError::Exists(path) => {
                write!(f, "{} is there already; continue it with --resume, or take another name", path.display())
            }
            RecordError::Read(path, error) => write!(f, "cannot read {}: {error}", path.display()),
            RecordError::Write(path, error) => write!(f, "cannot write {}: {error}", path.display()),
            RecordError::Line(path, number, error) => {
                write!(f, "{}: line {number} is not a game: {error}", path.display())
            }
            RecordError::InUse(path) => write!(f, "{} is being written by another match", path.display()),
            RecordError::OtherMatch(path) => {
                write!(f, "{} holds games of a match with other engines, rules or settings", path.display())
            }
        }
    }
}

impl std::error::Error for RecordError {}

/// How every line of a record begins.
const BEGINNING: &[u8] = b"{\"match\":\"";

/// Reads the games of a file, and hands each to `take`. Returns the length of the whole lines, in bytes, and whether
/// something came behind the last of them: a line whose end is missing was torn when its writer was killed.
///
/// # Errors
/// When the file cannot be read, a whole line is not a game that can have been played, or a torn one was none: then this
/// is no record.
pub fn read(path: &Path, mut take: impl FnMut(GameRecord)) -> Result<(u64, bool), RecordError> {
    let file = File::open(path).map_err(|error| RecordError::Open(path.to_owned(), error.to_string()))?;
    let mut reader = BufReader::with_capacity(1 << 16, file);
    let (mut line, mut whole) = (Vec::new(), 0);
    for number in 1.. {
        // What is wrong may be told with words of the line.
        let not_a_game = |problem: String| RecordError::Line(path.to_owned(), number, on_one_line(&problem));
        line.clear();
        let read = reader.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut line);
        let read = read.map_err(|error| RecordError::Read(path.to_owned(), error.to_string()))?;
        if read as u64 == MAX_LINE_BYTES {
            return Err(not_a_game(format!("it is longer than {MAX_LINE_BYTES} bytes")));
        }
        if line.last() != Some(&b'\n') {
            let begins_well = line.iter().zip(BEGINNING).all(|(byte, expected)| byte == expected);
            return if begins_well { Ok((whole, read > 0)) } else { Err(not_a_game("it begins like none".to_owned())) };
        }
        whole += read as u64;
        if !line.trim_ascii().is_empty() {
            let record: GameRecord = serde_json::from_slice(&line).map_err(|error| not_a_game(error.to_string()))?;
            match record.problem() {
                Some(problem) => return Err(not_a_game(problem)),
                None => take(record),
            }
        }
    }
    unreachable!("a file has an end")
}

/// A file to which whole entries are appended: a failed write leaves none of its entry behind.
pub struct Appender {
    path: PathBuf,
    file: File,
    length: u64,
    /// Whether the file has a length that can be set back.
    regular: bool,
}

impl Appender {
    /// A new file. One that is there and holds something is left alone.
    ///
    /// # Errors
    /// When it holds something, or cannot be made.
    pub fn create(path: &Path) -> Result<Appender, RecordError> {
        let appender = Appender::open(path)?;
        if appender.length > 0 { Err(RecordError::Exists(path.to_owned())) } else { Ok(appender) }
    }

    /// A file to continue; a new one if there is none. Nobody else continues it meanwhile.
    ///
    /// # Errors
    /// When it cannot be opened, or somebody else has it.
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

    /// Cuts off what comes behind so many bytes.
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
    /// When it does not fit; then the file is as it was before.
    pub fn append(&mut self, entry: &[u8]) -> Result<(), RecordError> {
        match self.file.write_all(entry) {
            Ok(()) => {
                self.length += entry.len() as u64;
                Ok(())
            }
            Err(error) => {
                if self.regular {
                    // What cannot be cut off now is cut off when the match is resumed.
                    let _ = self.file.set_len(self.length);
                }
                Err(RecordError::Write(self.path.clone(), error.to_string()))
            }
        }
    }
}
