//! The record of a game: one line of JSON. `result_store.rs` writes these lines, `record_file.rs` reads them.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::client::EngineProtocol;
use crate::protocol::{ParseError, PositionCommand};
use crate::text::{Excerpt, is_line};
use noughts_core::game::{Cell, Outcome, Player, Position, Rules};

/// The most engines of a match.
pub const MAX_ENGINES: usize = 1000;

/// The most openings of a finite book. A file of positions may have more than a generated book.
const MAX_OPENINGS: u64 = u32::MAX as u64;

/// The largest weight of an opening. The classes of generated openings stand for fewer sequences, and the sum of a
/// thousand million squares of it is finite.
const MAX_WEIGHT: f64 = 1e15;

/// The longest time of a move, in milliseconds: about thirty years.
const MAX_MILLISECONDS: f64 = 1e12;

/// A game from its opening to its end.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct GameRecord {
    /// The fingerprint of the match. Games of one match may come from several machines.
    #[serde(rename = "match")]
    pub match_id: String,
    /// The number of the game in the match.
    pub game: u64,
    /// The round. In each round a pair of engines plays one opening.
    pub round: u64,
    /// True if the opening is played with both colours.
    pub swap: bool,
    /// The engine that played X.
    pub x: EngineRecord,
    /// The engine that played O.
    pub o: EngineRecord,
    /// The rules.
    pub rules: Rules,
    /// The limit of a move.
    pub limit: String,
    /// The opening.
    pub opening: OpeningRecord,
    /// The moves after the opening.
    pub moves: Vec<MoveRecord>,
    /// The result.
    #[serde(serialize_with = "write_result", deserialize_with = "read_result")]
    pub result: Outcome,
    /// The reason of the game's end.
    pub reason: EndReason,
    /// Details of the end, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The exit of the losing engine's process, if it ended.
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

    /// The error in the record, if there is one. A record may come from an untrusted file: impossible numbers and
    /// text that must not be printed are refused.
    pub(super) fn problem(&self) -> Option<String> {
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
        } else if let Some(index) = [self.x.engine, self.o.engine].into_iter().find(|&index| index >= MAX_ENGINES) {
            Some(format!("the place of an engine is from 0 to {}, not {index}", MAX_ENGINES - 1))
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

    /// The player whose engine comes first in the match. Results of the pair are those of this engine.
    pub fn first(&self) -> Player {
        if self.x.engine < self.o.engine { Player::X } else { Player::O }
    }
}

/// An engine in a game, as it was set up.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct EngineRecord {
    /// Its number among the engines of the match, from 0.
    pub engine: usize,
    /// Its name in the match.
    pub name: String,
    /// The command that started it.
    pub command: String,
    /// The folder in which it ran, if it was given one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dir: Option<String>,
    /// Its protocol; left out when it is that of this program.
    #[serde(default, skip_serializing_if = "EngineProtocol::is_ours")]
    pub proto: EngineProtocol,
    /// The options that were set.
    pub options: BTreeMap<String, String>,
    /// The seed that it got for this game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u32>,
}

/// The opening of a game.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct OpeningRecord {
    /// The position: the text behind the word `position` in the protocol.
    pub line: String,
    /// The side to move: `x` or `o`.
    pub side: char,
    /// Its number in the book.
    pub number: u64,
    /// The number of openings in the book; `None` for random openings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<u64>,
    /// The number of openings that it stands for.
    pub weight: f64,
}

impl OpeningRecord {
    /// The player who moves first after the opening.
    pub fn side(&self) -> Player {
        Player::from_letter(self.side).unwrap_or(Player::X)
    }

    /// The position, under the rules of the game.
    ///
    /// # Errors
    /// When the line is no position. It may come from an untrusted file.
    pub(super) fn position(&self, rules: Rules) -> Result<Position, String> {
        let wrong = |problem: String| format!("its opening, {}, is no position: {problem}", Excerpt::of(&self.line));
        let command: PositionCommand = self.line.parse().map_err(|error: ParseError| wrong(error.problem()))?;
        Position::reach(rules, command.diagram.as_ref(), &command.moves).map_err(|error| wrong(error.to_string()))
    }
}

/// A move.
#[derive(Clone, Copy, PartialEq, Serialize, Deserialize, Debug)]
pub struct MoveRecord {
    /// The move.
    #[serde(rename = "move", serialize_with = "write_cell", deserialize_with = "read_cell")]
    pub cell: Cell,
    /// The value that the engine gave, seen by itself, from -1 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// The nodes that the engine searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Milliseconds from the question to the answer.
    pub ms: f64,
    /// The part of these milliseconds that was beyond the time limit and within the margin; `None` for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<f64>,
}

/// The reason of a game's end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Debug)]
#[serde(rename_all = "lowercase")]
pub enum EndReason {
    /// A line was completed.
    Line,
    /// The board was full.
    #[serde(rename = "full board")]
    FullBoard,
    /// The loser took too long.
    Time,
    /// The process of the loser ended, or closed its output.
    Crash,
    /// The loser did not get ready.
    Stall,
    /// The loser's answer was not a legal move.
    Illegal,
}

impl EndReason {
    /// All of them.
    pub const ALL: [EndReason; 6] = [
        EndReason::Line,
        EndReason::FullBoard,
        EndReason::Time,
        EndReason::Crash,
        EndReason::Stall,
        EndReason::Illegal,
    ];
}

/// The word that stands in the record.
impl fmt::Display for EndReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
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
