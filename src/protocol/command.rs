//! Commands: the messages of a client.

use std::fmt;
use std::str::FromStr;

use nom::Parser;
use nom::branch::alt;
use nom::combinator::{eof, map, map_opt, opt, value, verify};
use nom::multi::{many_m_n, many0};
use nom::sequence::preceded;

use thiserror::Error;

use crate::text::Excerpt;
use noughts_core::game::{Cell, Diagram, MoveText};

use super::MAX_LINE;
use super::go_command::{GoCommand, go_command};
use super::grammar::{Mismatch, Parsed, blanks, diagram, expect, game_diagram, keyword, move_text, rest, word};
use super::option_names;
use super::query::Query;
use super::trace_command::{TraceCommand, trace_command};

/// Something a client asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// `ugi` or `uci`: introduce yourself.
    Handshake(Handshake),
    /// `isready`.
    IsReady,
    /// `debug on` or `debug off`. They change nothing.
    Debug(bool),
    /// `newgame`, `uginewgame` or `ucinewgame`.
    NewGame,
    /// `setoption`. The option need not exist.
    SetOption {
        /// The name as the client wrote it.
        name: String,
        /// The value as the client wrote it; empty if there is none.
        value: String,
    },
    /// `position`.
    Position(PositionCommand),
    /// `go`.
    Go(GoCommand),
    /// `ponderhit`: the move that the engine ponders on was played.
    PonderHit,
    /// `stop`.
    Stop,
    /// `wait`: a later `quit` waits until everything before this has been carried out.
    Wait,
    /// `quit`.
    Quit,
    /// `query`.
    Query(Query),
    /// `gameover`. The rest of the line means nothing.
    GameOver,
    /// `d`: show the board.
    ShowBoard,
    /// `eval`: show the board with the value of every empty square, or with its Monte Carlo scores and their expected
    /// values.
    Eval {
        /// True if the word `exact` follows.
        exact: bool,
    },
    /// `explain`: why the position has its value, or why this move is right or wrong.
    Explain(Option<MoveText>),
    /// `trace`: send the steps of a search.
    Trace(TraceCommand),
    /// `help`.
    Help,
}

/// The handshake of the client. It decides what `score mate` counts.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Handshake {
    /// Universal Chess Interface: `score mate` counts moves.
    #[default]
    Uci,
    /// Universal Game Interface: `score mate` counts plies.
    Ugi,
}

/// `position startpos|fen ... [moves ...]`.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PositionCommand {
    /// The board to start from; `None` for the start position.
    pub diagram: Option<Diagram>,
    /// Rows, columns and the number in a row, if the text of the board names them. The diagram has this size then.
    pub game: Option<[u32; 3]>,
    /// Moves to play on it.
    pub moves: Vec<MoveText>,
}

impl PositionCommand {
    /// The position after these moves from the empty board.
    pub fn after(moves: &[Cell]) -> PositionCommand {
        PositionCommand { moves: moves.iter().map(|&cell| cell.into()).collect(), ..PositionCommand::default() }
    }
}

/// The reason why a line is not a command.
#[derive(Error, Clone, PartialEq, Eq, Debug)]
pub enum ParseError {
    /// No command begins with this word.
    #[error("unknown command {0}{hint}; help lists the commands", hint = meant(.0))]
    UnknownCommand(Excerpt),
    /// The arguments do not fit the command.
    #[error("{}; the line is ignored", mismatch(command, expected, found.as_ref()))]
    Usage {
        /// The command.
        command: &'static str,
        /// The form that would have fitted.
        expected: String,
        /// The word at fault; `None` when the line ended too early.
        found: Option<Excerpt>,
    },
    /// The line is longer than [`MAX_LINE`] bytes.
    #[error("the line that begins {0} is longer than {MAX_LINE} bytes; it is ignored")]
    TooLong(Excerpt),
    /// The line is not UTF-8 text.
    #[error("the line {0} is not UTF-8 text; it is ignored")]
    NotText(Excerpt),
}

impl ParseError {
    /// The error in the line, without what becomes of it.
    pub fn problem(&self) -> String {
        match self {
            ParseError::Usage { command, expected, found } => mismatch(command, expected, found.as_ref()),
            other => other.to_string(),
        }
    }
}

/// Subcommands of the program, which people type as a line.
const SUBCOMMANDS: [&str; 12] =
    ["play", "serve", "match", "report", "exam", "prove", "map", "count", "perft", "bench", "man", "completions"];

/// The command for which an unknown one may be meant, as a part of a sentence.
fn meant(unknown: &Excerpt) -> String {
    if let Some(name) = SUBCOMMANDS.iter().find(|name| unknown.is(name)) {
        return format!("; noughts {name} is a command of the shell");
    }
    if ["exit", "bye"].iter().any(|word| unknown.is(word)) {
        "; quit ends the engine".to_owned()
    } else {
        String::new()
    }
}

/// The sentence with the expected form and the text that was found.
fn mismatch(command: &str, expected: &str, found: Option<&Excerpt>) -> String {
    match found {
        Some(found) => format!("{command}: expected {expected}, found {found}"),
        None => format!("{command}: expected {expected}, found the end of the line"),
    }
}

/// Reads a line that is neither blank nor a comment.
impl FromStr for Command {
    type Err = ParseError;

    fn from_str(line: &str) -> Result<Command, ParseError> {
        let unknown = || ParseError::UnknownCommand(Excerpt::of(line));
        let (line, _) = blanks(line).map_err(|_| unknown())?;
        let (arguments, name) = word(line).map_err(|_| unknown())?;
        let Some((name, parse)) = COMMANDS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)) else {
            return Err(ParseError::UnknownCommand(Excerpt::of(name)));
        };
        whole(name, parse(arguments))
    }
}

/// Reads what follows the word `position`: `startpos` or `fen <board>`, then `moves` and the moves.
impl FromStr for PositionCommand {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<PositionCommand, ParseError> {
        whole("position", preceded(blanks, position_arguments).parse(text))
    }
}

/// The result of the parser of a command's arguments, or the form that it expected.
fn whole<T>(command: &'static str, parsed: Parsed<'_, T>) -> Result<T, ParseError> {
    match parsed {
        Ok((_, arguments)) => Ok(arguments),
        Err(nom::Err::Error(mismatch) | nom::Err::Failure(mismatch)) => Err(usage(command, mismatch)),
        Err(nom::Err::Incomplete(_)) => Err(usage(command, Mismatch { found: "", expected: None })),
    }
}

fn usage(command: &'static str, mismatch: Mismatch<'_>) -> ParseError {
    let found = mismatch.found.split([' ', '\t']).next().filter(|word| !word.is_empty()).map(Excerpt::of);
    let expected = mismatch.expected.unwrap_or_else(|| "something else".to_owned());
    ParseError::Usage { command, expected, found }
}

type CommandParser = fn(&str) -> Parsed<'_, Command>;

/// The first words of commands, each with the parser of its arguments.
const COMMANDS: &[(&str, CommandParser)] = &[
    ("ugi", |text| alone(Command::Handshake(Handshake::Ugi), text)),
    ("uci", |text| alone(Command::Handshake(Handshake::Uci), text)),
    ("isready", |text| alone(Command::IsReady, text)),
    ("debug", debug),
    ("newgame", |text| alone(Command::NewGame, text)),
    ("uginewgame", |text| alone(Command::NewGame, text)),
    ("ucinewgame", |text| alone(Command::NewGame, text)),
    ("setoption", set_option),
    ("position", position),
    ("go", |text| map(go_command, Command::Go).parse(text)),
    ("ponderhit", |text| alone(Command::PonderHit, text)),
    ("stop", |text| alone(Command::Stop, text)),
    ("wait", |text| alone(Command::Wait, text)),
    ("quit", |text| alone(Command::Quit, text)),
    ("query", query),
    ("gameover", |text| value(Command::GameOver, rest).parse(text)),
    ("d", |text| alone(Command::ShowBoard, text)),
    ("eval", eval),
    ("explain", explain),
    ("trace", |text| map(trace_command, Command::Trace).parse(text)),
    ("help", |text| alone(Command::Help, text)),
];

/// The end of the line.
fn end(text: &str) -> Parsed<'_, &str> {
    expect("the end of the line", eof)(text)
}

/// A command without arguments.
fn alone(command: Command, text: &str) -> Parsed<'_, Command> {
    end(text).map(|(text, _)| (text, command))
}

/// `on` or `off`.
fn debug(text: &str) -> Parsed<'_, Command> {
    let switch = alt((value(true, keyword("on")), value(false, keyword("off"))));
    let (text, is_on) = expect("on or off", switch)(text)?;
    alone(Command::Debug(is_on), text)
}

/// `name <name> value <value>` or `<name> <value>`.
fn set_option(text: &str) -> Parsed<'_, Command> {
    let name_word = || verify(word, |word: &str| !word.eq_ignore_ascii_case("value"));
    let (text, long) = opt(keyword("name")).parse(text)?;
    // The keyword of the value ends a name of the long form. In the short form a name has as many words as that of the
    // option, and one if there is no such option.
    let words = match (long, option_names::beginning(text)) {
        (Some(_), _) => usize::MAX,
        (None, Some((name, _))) => name.split(' ').count(),
        (None, None) => 1,
    };
    let (text, first) = expect("the name of an option", name_word())(text)?;
    let (text, more) = many_m_n(0, words - 1, name_word()).parse(text)?;
    let name = [&[first], &more[..]].concat().join(" ");
    let text = if long.is_some() { opt(keyword("value")).parse(text)?.0 } else { text };
    map(rest, |value| Command::SetOption { name: name.clone(), value: value.to_owned() }).parse(text)
}

/// `startpos [moves ...]` or `fen [<rows> <columns> <connect>] <board> [x|o] [moves ...]`.
fn position(text: &str) -> Parsed<'_, Command> {
    map(position_arguments, Command::Position).parse(text)
}

fn position_arguments(text: &str) -> Parsed<'_, PositionCommand> {
    let of_game = map(game_diagram, |(game, diagram)| (Some(game), Some(diagram)));
    let board = alt((of_game, map(diagram, |diagram| (None, Some(diagram)))));
    let board = expect("a board such as xo1/1x1/3", board);
    let start = alt((map(keyword("startpos"), |_| (None, None)), preceded(keyword("fen"), board)));
    let (text, (game, diagram)) = expect("startpos or fen", start)(text)?;
    let (text, moves) = opt(preceded(keyword("moves"), many0(move_text))).parse(text)?;
    let expected = match (&moves, &diagram) {
        (Some(moves), _) => format!("move {} in the form 1,2, b2 or P@b2", moves.len() + 1),
        (None, Some(Diagram { side: None, .. })) => "x, o, moves or the end of the line".to_owned(),
        (None, _) => "moves or the end of the line".to_owned(),
    };
    let (text, _) = expect(expected, eof)(text)?;
    Ok((text, PositionCommand { diagram, game, moves: moves.unwrap_or_default() }))
}

/// One of the queries.
fn query(text: &str) -> Parsed<'_, Command> {
    if let Ok((rest, _)) = keyword("islegal").parse(text) {
        let (rest, written) = expect("a move in the form 1,2, b2 or P@b2", move_text)(rest)?;
        return alone(Command::Query(Query::IsLegal(written)), rest);
    }
    let named = |name: &str| Query::ALL.into_iter().find(|query| query.name().eq_ignore_ascii_case(name));
    let expected = "p1turn, gameover, result, position, fen, moves, islegal or line";
    let (rest, query) = expect(expected, map_opt(word, named))(text)?;
    alone(Command::Query(query), rest)
}

/// Nothing or `exact`.
fn eval(text: &str) -> Parsed<'_, Command> {
    let (text, exact) = opt(keyword("exact")).parse(text)?;
    let expected = if exact.is_some() { "the end of the line" } else { "exact or the end of the line" };
    expect(expected, eof)(text).map(|(text, _)| (text, Command::Eval { exact: exact.is_some() }))
}

/// Nothing or a move.
fn explain(text: &str) -> Parsed<'_, Command> {
    let (text, written) = opt(move_text).parse(text)?;
    let expected = if written.is_some() { "the end of the line" } else { "a move in the form 1,2, b2 or P@b2" };
    expect(expected, eof)(text).map(|(text, _)| (text, Command::Explain(written)))
}

/// The form that `FromStr` reads.
impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Handshake(Handshake::Uci) => f.write_str("uci"),
            Command::Handshake(Handshake::Ugi) => f.write_str("ugi"),
            Command::IsReady => f.write_str("isready"),
            Command::Debug(is_on) => f.write_str(if *is_on { "debug on" } else { "debug off" }),
            Command::NewGame => f.write_str("newgame"),
            Command::SetOption { name, value } if value.is_empty() => write!(f, "setoption name {name}"),
            Command::SetOption { name, value } => write!(f, "setoption name {name} value {value}"),
            Command::Position(position) => write!(f, "{position}"),
            Command::Go(go) => write!(f, "{go}"),
            Command::PonderHit => f.write_str("ponderhit"),
            Command::Stop => f.write_str("stop"),
            Command::Wait => f.write_str("wait"),
            Command::Quit => f.write_str("quit"),
            Command::Query(Query::IsLegal(written)) => write!(f, "query islegal {written}"),
            Command::Query(query) => write!(f, "query {}", query.name()),
            Command::GameOver => f.write_str("gameover"),
            Command::ShowBoard => f.write_str("d"),
            Command::Eval { exact: false } => f.write_str("eval"),
            Command::Eval { exact: true } => f.write_str("eval exact"),
            Command::Explain(None) => f.write_str("explain"),
            Command::Explain(Some(written)) => write!(f, "explain {written}"),
            Command::Trace(trace) => write!(f, "{trace}"),
            Command::Help => f.write_str("help"),
        }
    }
}

impl fmt::Display for PositionCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.diagram, self.game) {
            (None, _) => f.write_str("position startpos")?,
            (Some(diagram), None) => write!(f, "position fen {diagram}")?,
            (Some(diagram), Some([rows, columns, connect])) => {
                write!(f, "position fen {rows} {columns} {connect} {diagram}")?;
            }
        }
        if !self.moves.is_empty() {
            f.write_str(" moves")?;
        }
        self.moves.iter().try_for_each(|written| write!(f, " {written}"))
    }
}
