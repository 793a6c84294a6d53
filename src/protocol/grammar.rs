//! The words of the grammar, as nom parsers.
//!
//! Every parser here reads whole words: it takes the blanks behind what it reads, and none before it.

use nom::branch::alt;
use nom::bytes::complete::{take_while, take_while1};
use nom::character::complete::{char, digit1, satisfy};
use nom::combinator::{eof, map, map_opt, opt, peek, recognize, verify};
use nom::error::{ErrorKind, ParseError};
use nom::multi::{fold_many1, many_m_n, separated_list1};
use nom::sequence::terminated;
use nom::{IResult, Parser};

use noughts_core::game::{Diagram, DiagramRow, MoveText, Player};

/// The form that was expected where the text stopped making sense.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Mismatch<'a> {
    /// The rest of the text from the word at fault on; empty when the text ended too early.
    pub(super) found: &'a str,
    /// The form that would have fitted, if a parser has named it.
    pub(super) expected: Option<String>,
}

impl<'a> ParseError<&'a str> for Mismatch<'a> {
    fn from_error_kind(found: &'a str, _: ErrorKind) -> Mismatch<'a> {
        Mismatch { found, expected: None }
    }

    fn append(_: &'a str, _: ErrorKind, other: Mismatch<'a>) -> Mismatch<'a> {
        other
    }
}

pub(super) type Parsed<'a, T> = IResult<&'a str, T, Mismatch<'a>>;

/// Requires `parser`: if it does not fit, the text is wrong, nothing else is tried, and `what` was expected.
pub(super) fn expect<'a, T>(
    what: impl Into<String> + Clone,
    mut parser: impl Parser<&'a str, Output = T, Error = Mismatch<'a>>,
) -> impl FnMut(&'a str) -> Parsed<'a, T> {
    move |text| {
        parser.parse(text).map_err(|error| match error {
            nom::Err::Failure(failure) => nom::Err::Failure(failure),
            _ => nom::Err::Failure(Mismatch { found: text, expected: Some(what.clone().into()) }),
        })
    }
}

fn is_blank(character: char) -> bool {
    character == ' ' || character == '\t'
}

/// Blanks, or none.
pub(super) fn blanks(text: &str) -> Parsed<'_, &str> {
    take_while(is_blank).parse(text)
}

/// A word of any characters but blanks.
pub(super) fn word(text: &str) -> Parsed<'_, &str> {
    terminated(take_while1(|character| !is_blank(character)), blanks).parse(text)
}

/// Exactly this word, in any case.
pub(super) fn keyword<'a>(wanted: &'static str) -> impl Parser<&'a str, Output = &'a str, Error = Mismatch<'a>> {
    verify(word, move |found: &str| found.eq_ignore_ascii_case(wanted))
}

/// Reads with `parser`, which has to end at the end of a word.
fn whole_word<'a, T>(
    parser: impl Parser<&'a str, Output = T, Error = Mismatch<'a>>,
) -> impl Parser<&'a str, Output = T, Error = Mismatch<'a>> {
    let end = alt((map(peek(satisfy(is_blank)), |_| ()), map(eof, |_| ())));
    terminated(parser, (end, blanks))
}

/// A whole number of up to nine digits.
fn short_number(text: &str) -> Parsed<'_, u32> {
    map_opt(digit1, |digits: &str| (digits.len() <= 9).then(|| digits.parse().ok())?).parse(text)
}

/// A whole number of 64 bits, without a sign.
pub(super) fn count(text: &str) -> Parsed<'_, u64> {
    whole_word(map_opt(digit1, |digits: &str| digits.parse().ok())).parse(text)
}

/// A whole number of 64 bits, with or without a sign.
pub(super) fn integer(text: &str) -> Parsed<'_, i64> {
    map_opt(word, |digits| digits.parse().ok()).parse(text)
}

/// `true` or `false`.
pub(super) fn truth(text: &str) -> Parsed<'_, bool> {
    map_opt(word, |word| word.parse().ok()).parse(text)
}

/// A finite number.
pub(super) fn number(text: &str) -> Parsed<'_, f64> {
    verify(map_opt(word, |word| word.parse().ok()), |number: &f64| number.is_finite()).parse(text)
}

/// A time in milliseconds: a whole number of 64 bits; a negative one, however large, counts as 0.
pub(super) fn milliseconds(text: &str) -> Parsed<'_, u64> {
    let negative = map((char('-'), digit1), |_| 0);
    alt((count, whole_word(negative))).parse(text)
}

/// `1,2`, `b2` or `P@b2`.
pub(super) fn move_text(text: &str) -> Parsed<'_, MoveText> {
    map_opt(word, |word: &str| word.parse().ok()).parse(text)
}

/// A board and, if it is given, the side to move: `xo1/1x1/3 x`, or a FEN as in [`fen`].
pub(super) fn diagram(text: &str) -> Parsed<'_, Diagram> {
    let own = map((whole_word(board(Player::from_letter)), opt(side)), |(rows, side)| Diagram { rows, side });
    // An empty board is the same in both forms. A FEN with a side is read as a FEN; else the first form that fits.
    let is_fen = |text: &str| fen(text).is_ok_and(|(_, diagram)| diagram.side.is_some());
    if is_fen(text) { fen(text) } else { alt((own, fen)).parse(text) }
}

/// A board with its game before it, as UGI programs for m,n,k-games write it: `4 9 4 9/9/9/9 x 1`. That is rows, columns, the
/// number in a row, the board, the side to move, and the number of the move, which means nothing here. The last two may be
/// left out.
pub(super) fn game_diagram(text: &str) -> Parsed<'_, ([u32; 3], Diagram)> {
    let number = || whole_word(short_number);
    let (text, (rows, columns, connect)) = (number(), number(), number()).parse(text)?;
    let board = (whole_word(board(Player::from_letter)), opt(terminated(side, opt(count))));
    let board = map(board, |(rows, side)| Diagram { rows, side });
    let is_of_size =
        |diagram: &Diagram| diagram.rows.len() == rows as usize && diagram.rows.iter().all(|row| row.width == columns);
    let board = expect(format!("a board of {rows} rows and {columns} columns"), verify(board, is_of_size));
    map(board, |diagram| ([rows, columns, connect], diagram)).parse(text)
}

/// A FEN as programs for chess variants write it: `3/1P1/3[PPPPpppp] b - - 0 1`. Capitals are stones of X, who is `w`;
/// what the players have still to put down and everything behind `w` or `b` means nothing here and may be left out.
pub(super) fn fen(text: &str) -> Parsed<'_, Diagram> {
    let stone = |letter| match letter {
        'P' => Some(Player::X),
        'p' => Some(Player::O),
        _ => None,
    };
    let in_hand = (char('['), take_while(|letter| matches!(letter, 'P' | 'p' | '-')), char(']'));
    let squares = whole_word(terminated(board(stone), opt(in_hand)));
    let side = whole_word(map_opt(satisfy(|_| true), |letter| match letter {
        'w' => Some(Player::X),
        'b' => Some(Player::O),
        _ => None,
    }));
    // Castling rights, en passant square, and counters of moves.
    let field = verify(word, |field: &str| field == "-" || field.bytes().all(|byte| byte.is_ascii_digit()));
    let side = opt(terminated(side, many_m_n(0, 4, field)));
    map((squares, side), |(rows, side)| Diagram { rows, side }).parse(text)
}

/// `x` or `o`, in either case.
fn side(text: &str) -> Parsed<'_, Player> {
    whole_word(map_opt(satisfy(|_| true), Player::from_letter)).parse(text)
}

/// `xo1/1x1/3`: rows joined by `/`, with these letters for stones.
fn board<'a>(
    stone: impl Fn(char) -> Option<Player> + Copy,
) -> impl Parser<&'a str, Output = Vec<DiagramRow>, Error = Mismatch<'a>> {
    separated_list1(char('/'), row(stone))
}

fn row<'a>(
    stone: impl Fn(char) -> Option<Player> + Copy,
) -> impl Parser<&'a str, Output = DiagramRow, Error = Mismatch<'a>> {
    enum Piece {
        Stone(Player),
        Empty(u32),
    }
    let piece = alt((
        map_opt(satisfy(|_| true), move |letter| stone(letter).map(Piece::Stone)),
        map(char('.'), |_| Piece::Empty(1)),
        map(verify(short_number, |&run| run > 0), Piece::Empty),
    ));
    fold_many1(piece, DiagramRow::default, |mut row, piece| {
        match piece {
            Piece::Stone(player) => row.push_stone(player),
            Piece::Empty(run) => row.push_empty(run),
        }
        row
    })
}

/// Everything up to the end, without the blanks at its end.
pub(super) fn rest(text: &str) -> Parsed<'_, &str> {
    map(recognize(take_while(|_| true)), |rest: &str| rest.trim_end_matches(is_blank)).parse(text)
}
