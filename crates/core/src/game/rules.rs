//! The rules: the shape of the board, the length of a line, and whether completing a line wins.

use std::fmt;
use std::str::FromStr;

use super::{Player, Shape, Value};

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

/// The game that is played, within the ranges that [`Rules::new`] checks. In JSON, an object with the keys `rows`, `columns`,
/// `connect` and `reverse`. A square has `size` too, and `size` without `rows` and `columns` is read as a square.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "RulesFields", into = "RulesFields")
)]
pub struct Rules {
    shape: Shape,
    connect: u16,
    reverse: bool,
}

/// Rules in JSON. Their ranges are not checked.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
struct RulesFields {
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<u8>,
    rows: Option<u8>,
    columns: Option<u8>,
    connect: u16,
    reverse: bool,
}

#[cfg(feature = "serde")]
impl TryFrom<RulesFields> for Rules {
    type Error = RulesError;

    fn try_from(fields: RulesFields) -> Result<Rules, RulesError> {
        let rows = fields.rows.or(fields.size).ok_or(RulesError::Size)?;
        let columns = fields.columns.or(fields.size).ok_or(RulesError::Size)?;
        Rules::new(Shape { rows, columns }, fields.connect, fields.reverse)
    }
}

#[cfg(feature = "serde")]
impl From<Rules> for RulesFields {
    fn from(Rules { shape, connect, reverse }: Rules) -> RulesFields {
        let size = shape.is_square().then_some(shape.rows);
        RulesFields { size, rows: Some(shape.rows), columns: Some(shape.columns), connect, reverse }
    }
}

impl Rules {
    /// Rules for a board of 1 to [`MAX_SIZE`] rows and columns; a number alone is a square. `connect` or more in a row
    /// complete a line: 0 to [`MAX_CONNECT`], where 0 means as many as the shorter side has cells. With `reverse`,
    /// completing a line loses.
    ///
    /// # Errors
    /// Says which number is out of its range.
    pub fn new(shape: impl Into<Shape>, connect: u16, reverse: bool) -> Result<Rules, RulesError> {
        let shape = shape.into().checked()?;
        if connect > MAX_CONNECT {
            return Err(RulesError::Connect);
        }
        Ok(Rules { shape, connect, reverse })
    }

    /// The rows and columns of the board: 1 to [`MAX_SIZE`] each.
    pub fn shape(self) -> Shape {
        self.shape
    }

    /// The number in a row as it was given to [`Rules::new`]; 0 means [`Shape::shorter_side`].
    pub fn connect(self) -> u16 {
        self.connect
    }

    /// True if these are the reverse rules, as in the option. To learn who wins by a completed line, ask
    /// [`Rules::completer_wins`].
    pub fn reverse(self) -> bool {
        self.reverse
    }

    /// Stones in a row that complete a line, or `None` when the board is too small for such a line. A line longer than the
    /// shorter side runs along the longer one only.
    #[doc(hidden)]
    pub fn line_length(self) -> Option<u8> {
        match self.connect {
            0 => Some(self.shape.shorter_side()),
            connect if connect <= u16::from(self.shape.longer_side()) => u8::try_from(connect).ok(),
            _ => None,
        }
    }

    /// Cells of the board: 1 to 400.
    pub fn cells(self) -> usize {
        self.shape.cells()
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
        Rules { shape: 3.into(), connect: 0, reverse: false }
    }
}

/// `3x3`, `15x15 connect 5`, `4x9 reverse`.
impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.shape)?;
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
        let shape: Shape = words.next().filter(|word| word.contains('x')).ok_or(RulesError::Text)?.parse()?;
        let connect = match words.next_if_eq(&"connect") {
            Some(_) => words.next().ok_or(RulesError::Text)?.parse().map_err(|_| RulesError::Connect)?,
            None => 0,
        };
        let reverse = words.next_if_eq(&"reverse").is_some();
        match words.next() {
            Some(_) => Err(RulesError::Text),
            None => Rules::new(shape, connect, reverse),
        }
    }
}

/// The reason why numbers or a text are not rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RulesError {
    /// The rows or the columns are not from 1 to [`MAX_SIZE`].
    #[error("the rows and columns of the board must be from 1 to {MAX_SIZE}")]
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
        for text in ["", "3", "3 x 4", "3x3 conect 3", "3x3 reverse now"] {
            assert_eq!(text.parse::<Rules>(), Err(RulesError::Text), "{text}");
        }
    }
}
