//! The questions that a client can ask about the game, and the answers.

use std::fmt;

use nom::Parser;
use nom::branch::alt;
use nom::combinator::{all_consuming, map, map_opt, value, verify};
use nom::multi::many0;

use noughts_core::game::{Diagram, MoveText, Outcome, Player};

use super::grammar::{Parsed, diagram, keyword, move_text, word};

/// `query ...`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Query {
    /// Is X to move?
    P1Turn,
    /// Is the game over?
    GameOver,
    /// The winner.
    Result,
    /// The board and the side to move.
    Position,
    /// The same under the name that UGI programs use.
    Fen,
    /// The legal moves.
    Moves,
    /// Is this move legal?
    IsLegal(MoveText),
    /// The cells of the completed line.
    Line,
}

impl Query {
    /// The queries without an argument.
    pub(super) const ALL: [Query; 7] =
        [Query::P1Turn, Query::GameOver, Query::Result, Query::Position, Query::Fen, Query::Moves, Query::Line];

    pub(super) fn name(self) -> &'static str {
        match self {
            Query::P1Turn => "p1turn",
            Query::GameOver => "gameover",
            Query::Result => "result",
            Query::Position => "position",
            Query::Fen => "fen",
            Query::Moves => "moves",
            Query::IsLegal(_) => "islegal",
            Query::Line => "line",
        }
    }
}

/// The answer to a [`Query`]. There is a variant for each form of answer, so that an answer can be read back without
/// its query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum QueryAnswer {
    /// `true` or `false`, to [`Query::P1Turn`], [`Query::GameOver`] and [`Query::IsLegal`].
    Flag(bool),
    /// `none`, to [`Query::Result`] of a game that goes on and to [`Query::Line`] without a completed line.
    None,
    /// `p1win`, `p2win` or `draw`, to [`Query::Result`]. P1 is X.
    Result(Outcome),
    /// Board and side, to [`Query::Position`] and [`Query::Fen`].
    Position(Diagram),
    /// Cells with blanks between them, to [`Query::Moves`] and [`Query::Line`]. There may be none.
    Moves(Vec<MoveText>),
}

/// The form that `query_answer` reads.
impl fmt::Display for QueryAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            QueryAnswer::Flag(flag) => write!(f, "{flag}"),
            QueryAnswer::None => f.write_str("none"),
            QueryAnswer::Result(Outcome::Win(Player::X)) => f.write_str("p1win"),
            QueryAnswer::Result(Outcome::Win(Player::O)) => f.write_str("p2win"),
            QueryAnswer::Result(Outcome::Draw) => f.write_str("draw"),
            QueryAnswer::Position(diagram) => write!(f, "{diagram}"),
            QueryAnswer::Moves(moves) => {
                let mut separator = "";
                moves.iter().try_for_each(|written| write!(f, "{}{written}", std::mem::replace(&mut separator, " ")))
            }
        }
    }
}

/// Reads an answer of any form.
pub(super) fn query_answer(text: &str) -> Parsed<'_, QueryAnswer> {
    let flag = map(map_opt(word, |word| word.parse().ok()), QueryAnswer::Flag);
    let result = map_opt(word, |word| {
        Some(QueryAnswer::Result(match word {
            "p1win" => Outcome::Win(Player::X),
            "p2win" => Outcome::Win(Player::O),
            "draw" => Outcome::Draw,
            _ => return None,
        }))
    });
    // A single row without a side is no position: it may be printed like a move, such as `o4`.
    let position = verify(diagram, |diagram: &Diagram| diagram.rows.len() > 1 || diagram.side.is_some());
    alt((
        all_consuming(flag),
        all_consuming(value(QueryAnswer::None, keyword("none"))),
        all_consuming(result),
        all_consuming(map(many0(move_text), QueryAnswer::Moves)),
        all_consuming(map(position, QueryAnswer::Position)),
    ))
    .parse(text)
}
