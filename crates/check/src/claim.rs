//! Claims about a position, as they are written and as they are said. A player is 0 for X and 1 for O, so the other one of
//! `player` is `1 - player`.

use std::fmt::{self, Display};

use crate::reader::{Record, Rejection, number};

pub const NAMES: [&str; 2] = ["x", "o"];

/// The limit of a claim without a limit. No game is as long, nor what is left of it after all records above a node.
const FOREVER: usize = 1_000_000;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Wins,
    Cannot,
    Weak,
}

/// A statement about a position.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Claim {
    pub kind: Kind,
    pub attacker: usize,
    pub limit: usize, // in plies; `FOREVER` less the plies above the node if there is none
}

impl Claim {
    /// Reads a claim about a position with so many empty cells.
    pub fn read(record: &Record, words: &[&str], empty: usize) -> Result<Self, Rejection> {
        let (kind, name, limit) = match *words {
            ["wins", name, "within", limit] => (Kind::Wins, name, Some(limit)),
            ["cannot", name] => (Kind::Cannot, name, None),
            ["cannot", name, "within", limit] => (Kind::Cannot, name, Some(limit)),
            ["weak", name] => (Kind::Weak, name, None),
            _ => return record.need(None, "a claim", &words.join(" ")),
        };
        let attacker = player(record, name)?;
        let read = |limit: &str| record.need(number(limit, 1, 400), "a limit from 1 to 400", limit);
        let limit = limit.map(read).transpose()?.filter(|&limit| kind == Kind::Wins || limit < empty);
        Ok(Self { kind, attacker, limit: limit.unwrap_or(FOREVER) })
    }

    /// The player whose strategy a proof gives.
    pub fn prover(self) -> usize {
        if self.kind == Kind::Wins { self.attacker } else { 1 - self.attacker }
    }

    pub fn has_limit(self) -> bool {
        self.limit <= 400
    }
}

impl Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verb = match self.kind {
            Kind::Wins => "wins",
            Kind::Cannot => "cannot force a win",
            Kind::Weak => "as Maker loses the weak game",
        };
        let limit = if self.has_limit() { format!(" within {}", plies(self.limit)) } else { String::new() };
        write!(f, "{} {verb}{limit}", NAMES[self.attacker])
    }
}

/// Reads the name of a player.
pub fn player(record: &Record, name: &str) -> Result<usize, Rejection> {
    record.need(NAMES.iter().position(|&player| player == name), "x or o", name)
}

pub fn plies(number: usize) -> String {
    format!("{number} {}", if number == 1 { "ply" } else { "plies" })
}
