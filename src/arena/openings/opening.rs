//! Which openings a match has, as its settings say it; one opening; why there is none.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use thiserror::Error;

use crate::protocol::PositionCommand;
use crate::text::Excerpt;
use noughts_core::game::{Cell, Position};

/// The openings of a match.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum Openings {
    /// The start position.
    #[default]
    Start,
    /// Random plies, drawn anew for each round: their number.
    Random(usize),
    /// Every sequence of this many plies.
    All(usize),
    /// The positions after this many plies, one for each class. Positions are in one class if they are equal up to a
    /// rotation or reflection of the board. Each weighs as much as all sequences that lead to its class.
    Classes(usize),
    /// The positions in a file, one a line.
    File(PathBuf),
}

impl fmt::Display for Openings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Openings::Start => f.write_str("startpos"),
            Openings::Random(plies) => write!(f, "random:{plies}"),
            Openings::All(plies) => write!(f, "all:{plies}"),
            Openings::Classes(plies) => write!(f, "classes:{plies}"),
            Openings::File(path) => write!(f, "{}", path.display()),
        }
    }
}

/// Reads `startpos`, `random:K`, `all:K` or `classes:K`. Any other text is the path of a file.
impl FromStr for Openings {
    type Err = String;

    fn from_str(text: &str) -> Result<Openings, String> {
        let (kind, plies) = text.split_once(':').map_or((text, None), |(kind, plies)| (kind, plies.parse().ok()));
        match (kind, plies) {
            _ if text == "startpos" => Ok(Openings::Start),
            ("random", Some(plies)) => Ok(Openings::Random(plies)),
            ("all", Some(plies)) => Ok(Openings::All(plies)),
            ("classes", Some(plies)) => Ok(Openings::Classes(plies)),
            ("" | "random" | "all" | "classes", None) => {
                Err(format!("expected startpos, random:K, all:K, classes:K or a file, found {}", Excerpt::of(text)))
            }
            _ => Ok(Openings::File(text.into())),
        }
    }
}

/// A position that games begin from.
#[derive(Clone, PartialEq, Debug)]
pub struct Opening {
    /// Its number in the book; for random openings, the round for which it was drawn.
    pub number: u64,
    /// The text behind the word `position` in the protocol, without moves of the game.
    pub line: String,
    /// The position.
    pub position: Position,
    /// The number of openings that it stands for.
    pub weight: f64,
}

impl Opening {
    /// The opening that moves from the start position lead to.
    pub fn after_moves(position: Position, moves: &[Cell], number: u64, weight: f64) -> Opening {
        Opening { number, line: line_of(&PositionCommand::after(moves)), position, weight }
    }
}

/// The text behind the word `position`.
pub fn line_of(command: &PositionCommand) -> String {
    let line = command.to_string();
    line.strip_prefix("position ").map(str::to_owned).unwrap_or(line)
}

/// The most openings that a book holds.
pub const MAX_OPENINGS: usize = 1_000_000;

/// The reason why a book of openings cannot be made.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum OpeningsError {
    /// The file cannot be read, or a line of it is not a position that games can begin from.
    #[error("{0}")]
    File(String),
    /// There are more openings than a book holds.
    #[error("there are more than {MAX_OPENINGS} such openings")]
    TooMany,
    /// There is no opening after which the game goes on.
    #[error("there is no such opening that the game goes on from")]
    None,
    /// No opening was proven to be a draw within the limits of the proofs.
    #[error("there is no such opening that is proven to be a draw")]
    NoneProven,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_begins_like_a_kind_of_openings_is_one() {
        for text in ["startpos", "random:0", "all:12", "classes:3", "file", "./all:x", "random.txt"] {
            assert_eq!(text.parse::<Openings>().map(|openings| openings.to_string()), Ok(text.to_owned()));
        }
        for text in ["", ":", "random", "random:", "all:x", "classes:-1", "all:99999999999999999999"] {
            assert!(text.parse::<Openings>().is_err(), "{text}");
        }
    }
}
