//! The rules: the size of the board, the length of a line, and whether completing a line wins.

use std::fmt;
use std::str::FromStr;

use super::{Player, Value};

/// The largest board is `MAX_SIZE` by `MAX_SIZE`.
pub const MAX_SIZE: u8 = 20;

/// The largest number in a row that [`Rules::new`] takes. No board holds such a line, so every game is a draw.
pub const MAX_CONNECT: u16 = MAX_SIZE as u16 * MAX_SIZE as u16;

/// The result of a game, from no player's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// This player won. The rules have already decided what the completed line means.
    Win(Player),
    /// The board is full and neither player has completed a line.
    Draw,
}

/// The game that is played, within the ranges that [`Rules::new`] checks. In JSON, an object with these keys.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "UncheckedRules"))]
pub struct Rules {
    size: u8,
    connect: u16,
    reverse: bool,
}

/// Rules as they are read, before their ranges are checked.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct UncheckedRules {
    size: u8,
    connect: u16,
    reverse: bool,
}

#[cfg(feature = "serde")]
impl TryFrom<UncheckedRules> for Rules {
    type Error = RulesError;

    fn try_from(unchecked: UncheckedRules) -> Result<Rules, RulesError> {
        Rules::new(unchecked.size, unchecked.connect, unchecked.reverse)
    }
}

impl Rules {
    /// Rules for a board of `size` by `size` (1 to [`MAX_SIZE`]), `connect` or more in a row (0 to
    /// [`MAX_CONNECT`], 0 meaning `size`), with completing a line losing when `reverse`.
    ///
    /// # Errors
    /// Says which number is out of its range.
    pub fn new(size: u8, connect: u16, reverse: bool) -> Result<Rules, RulesError> {
        if !(1..=MAX_SIZE).contains(&size) {
            return Err(RulesError::Size);
        }
        if connect > MAX_CONNECT {
            return Err(RulesError::Connect);
        }
        Ok(Rules { size, connect, reverse })
    }

    /// Rows of the board, which are as many as its columns: 1 to [`MAX_SIZE`].
    pub fn size(self) -> u8 {
        self.size
    }

    /// The number in a row as it was given to [`Rules::new`]; 0 means [`Rules::size`].
    pub fn connect(self) -> u16 {
        self.connect
    }

    /// True if these are the reverse rules, as in the option. To learn who wins by a completed line, ask
    /// [`Rules::completer_wins`].
    pub fn reverse(self) -> bool {
        self.reverse
    }

    /// Stones in a row that complete a line, or `None` when the board is too small for such a line.
    #[doc(hidden)]
    pub fn line_length(self) -> Option<u8> {
        match self.connect {
            0 => Some(self.size),
            connect if connect <= u16::from(self.size) => u8::try_from(connect).ok(),
            _ => None,
        }
    }

    /// Cells of the board: 1 to 400.
    pub fn cells(self) -> usize {
        usize::from(self.size) * usize::from(self.size)
    }

    /// True if a player who completes a line wins. Otherwise that player loses.
    ///
    /// This is the only place that decides it. All other code, from [`Position::play`](super::Position::play) to the
    /// fastest playouts, takes its answer from here.
    #[doc(hidden)]
    pub fn completer_wins(self) -> bool {
        !self.reverse
    }

    /// The outcome of a game in which `completer` has completed a line.
    #[doc(hidden)]
    pub fn outcome_of_line(self, completer: Player) -> Outcome {
        Outcome::Win(if self.completer_wins() { completer } else { !completer })
    }

    /// The value to the side to move after its opponent has completed a line: a loss, or a win if completing a line
    /// loses.
    #[doc(hidden)]
    pub fn value_after_line(self) -> Value {
        if self.completer_wins() { Value::Loss(0) } else { Value::Win(0) }
    }
}

/// Tic-tac-toe: 3x3, three in a row, completing a line wins.
impl Default for Rules {
    fn default() -> Rules {
        Rules { size: 3, connect: 0, reverse: false }
    }
}

/// `3x3`, `15x15 connect 5`, `4x4 reverse`.
impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{0}x{0}", self.size)?;
        if self.connect != 0 {
            write!(f, " connect {}", self.connect)?;
        }
        if self.reverse {
            f.write_str(" reverse")?;
        }
        Ok(())
    }
}

/// Reads what `Display` writes.
impl FromStr for Rules {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<Rules, RulesError> {
        let mut words = text.split_whitespace().peekable();
        let (rows, columns) = words.next().and_then(|board| board.split_once('x')).ok_or(RulesError::Text)?;
        if rows != columns {
            return Err(RulesError::Text);
        }
        let size = rows.parse().map_err(|_| RulesError::Size)?;
        let connect = match words.next_if_eq(&"connect") {
            Some(_) => words.next().ok_or(RulesError::Text)?.parse().map_err(|_| RulesError::Connect)?,
            None => 0,
        };
        let reverse = words.next_if_eq(&"reverse").is_some();
        match words.next() {
            Some(_) => Err(RulesError::Text),
            None => Rules::new(size, connect, reverse),
        }
    }
}

/// The reason why numbers or a text are not rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RulesError {
    /// The size is not from 1 to [`MAX_SIZE`].
    #[error("the size of the board must be from 1 to {MAX_SIZE}")]
    Size,
    /// The number in a row is not from 0 to [`MAX_CONNECT`].
    #[error("the number in a row must be from 0 to {MAX_CONNECT}")]
    Connect,
    /// The text is not of the form that `Display` writes.
    #[error("expected rules such as \"3x3\" or \"15x15 connect 5 reverse\"")]
    Text,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_as_long_as_the_board_unless_told_otherwise() {
        let line = |size, connect| Rules::new(size, connect, false).unwrap().line_length();
        assert_eq!(line(3, 0), Some(3));
        assert_eq!(line(15, 5), Some(5));
        assert_eq!(line(20, 20), Some(20));
        assert_eq!(line(3, 4), None);
        assert_eq!(line(3, MAX_CONNECT), None);
    }

    #[test]
    fn rules_that_are_printed_are_read_back() {
        for size in 1..=MAX_SIZE {
            for connect in [0, 1, 5, MAX_CONNECT] {
                for reverse in [false, true] {
                    let rules = Rules::new(size, connect, reverse).unwrap();
                    assert_eq!(rules.to_string().parse(), Ok(rules));
                }
            }
        }
    }

    #[test]
    fn rules_out_of_range_say_what_is_wrong() {
        assert_eq!(Rules::new(0, 0, false), Err(RulesError::Size));
        assert_eq!(Rules::new(21, 0, false), Err(RulesError::Size));
        assert_eq!(Rules::new(3, 401, false), Err(RulesError::Connect));
        for text in ["", "3", "3x4", "3x3 conect 3", "3x3 reverse now"] {
            assert_eq!(text.parse::<Rules>(), Err(RulesError::Text), "{text}");
        }
    }
}
