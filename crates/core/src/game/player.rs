//! The two players.

use std::fmt;
use std::ops::Not;

/// One of the two players. X moves first in the start position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Player {
    /// The first player of the start position.
    X,
    /// The second player of the start position.
    O,
}

impl Player {
    /// Both players, X first.
    pub const BOTH: [Player; 2] = [Player::X, Player::O];

    /// The letter that stands for this player's stones in a position text: `x` or `o`.
    pub fn letter(self) -> char {
        match self {
            Player::X => 'x',
            Player::O => 'o',
        }
    }

    /// The player whose stones this letter stands for, in either case.
    pub fn from_letter(letter: char) -> Option<Player> {
        Player::BOTH.into_iter().find(|player| player.letter() == letter.to_ascii_lowercase())
    }
}

/// The opponent.
impl Not for Player {
    type Output = Player;

    fn not(self) -> Player {
        match self {
            Player::X => Player::O,
            Player::O => Player::X,
        }
    }
}

/// `X` or `O`.
impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Player::X => "X",
            Player::O => "O",
        })
    }
}
