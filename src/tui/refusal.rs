//! Why something is not done, in words for the person who wanted it.

use std::fmt;
use std::io;

use noughts_core::game::Player;

use super::desk::Objection;

/// Why something is not done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The engine objects to it.
    Objection(Objection),
    /// It is no move as one writes them.
    NoMove,
    /// The game is over.
    Over,
    /// The side to move is not a person's.
    NotYours(Player, String),
    /// There is no move to take back.
    NothingToUndo,
    /// No move has been taken back.
    NothingToRedo,
    /// No move has been made.
    NothingToExplain,
    /// There is no player of this name; the names that there are.
    NoPlayer(String, Vec<String>),
    /// The number is out of its range.
    Range(&'static str, i64, i64),
    /// The game is not one that can be played.
    Rules(String),
    /// The program cannot take part.
    Program(String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Objection(objection) => write!(f, "{objection}"),
            Refusal::NoMove => f.write_str("a move is written as row,column such as 0,2, or as b2"),
            Refusal::Over => f.write_str("the game is over"),
            Refusal::NotYours(player, name) => write!(f, "it is the turn of {player}, which {name} plays"),
            Refusal::NothingToUndo => f.write_str("there is no move to take back"),
            Refusal::NothingToRedo => f.write_str("no move has been taken back"),
            Refusal::NothingToExplain => f.write_str("you have made no move yet"),
            Refusal::NoPlayer(name, known) => {
                write!(f, "there is no player \"{}\"; there are {}", name.escape_debug(), known.join(", "))
            }
            Refusal::Range(what, least, most) => write!(f, "{what} is a whole number from {least} to {most}"),
            Refusal::Rules(problem) => f.write_str(problem),
            Refusal::Program(problem) => write!(f, "the program cannot play: {problem}"),
        }
    }
}

impl std::error::Error for Refusal {}

impl From<Objection> for Refusal {
    fn from(objection: Objection) -> Refusal {
        Refusal::Objection(objection)
    }
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Refusal {
        Refusal::Program(error.to_string())
    }
}
