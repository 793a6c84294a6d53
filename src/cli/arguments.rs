//! Arguments that several subcommands share.

use std::fmt;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use clap::Args;
use thiserror::Error;

use noughts::arena::statistics::{Sprt, SprtSettings};
use noughts::game::{Cell, Diagram, DiagramRow, MAX_SIZE, MoveText, MoveTextError, Position, Rules, Shape};
use noughts::protocol::{ParseError, PositionCommand};
use noughts::system::{Shard, ShardChoice, memory};
use noughts::text::Excerpt;

/// The command line asks for something that cannot be done. The program ends with exit status 2.
#[derive(Error, Debug)]
#[error("{0}")]
pub struct UsageError(String);

impl UsageError {
    /// The error with this sentence.
    pub fn new(sentence: impl fmt::Display) -> UsageError {
        UsageError(sentence.to_string())
    }
}

/// The largest number in a row that the option `connect` knows.
pub const MOST_IN_A_ROW: u64 = MAX_SIZE as u64 * MAX_SIZE as u64;

/// The rules of the game.
#[derive(Args)]
pub struct GameArguments {
    /// Rows and columns of the board such as 4x9, 1 to 20 each; one number for a square.
    #[arg(long, value_name = "SIZE", default_value = "3", value_parser = shape)]
    pub size: Shape,
    /// How many in a row complete a line; 0 for as many as the shorter side has cells.
    #[arg(long, value_name = "K", default_value_t = 0, value_parser = whole::<u16>(0..=MOST_IN_A_ROW))]
    pub connect: u16,
    /// Completing a line loses.
    #[arg(long)]
    pub reverse: bool,
}

impl GameArguments {
    /// The rules that the arguments name.
    pub fn rules(&self) -> Result<Rules, UsageError> {
        Rules::new(self.size, self.connect, self.reverse).map_err(UsageError::new)
    }
}

/// The part of the work that `--shard` means, with the variables of a scheduler if it is to be asked.
pub fn chosen_shard(choice: ShardChoice) -> Result<Shard, UsageError> {
    choice
        .shard(|name| std::env::var_os(name).map(|value| value.to_string_lossy().into_owned()))
        .map_err(UsageError::new)
}

/// The placeholder for the number of a part in the path of a file.
const SHARD_NUMBER: &str = "{shard}";

/// True if the path has a place for the number of a part.
pub fn names_shard(path: &Path) -> bool {
    path.to_str().is_some_and(|text| text.contains(SHARD_NUMBER))
}

/// The file of a part: `{shard}` in the path stands for its number.
pub fn path_of_shard(path: &Path, shard: Option<Shard>) -> Result<PathBuf, UsageError> {
    match (path.to_str(), shard) {
        (Some(text), Some(shard)) => Ok(text.replace(SHARD_NUMBER, &shard.part.to_string()).into()),
        (Some(text), None) if text.contains(SHARD_NUMBER) => {
            Err(UsageError::new(format_args!("{text} names the file of a part, and no part is chosen with --shard")))
        }
        _ => Ok(path.to_owned()),
    }
}

/// Reads a whole number within a range.
pub fn whole<T: TryFrom<u64>>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        let expected = || match (range.start(), range.end()) {
            (least, &u64::MAX) => format!("expected a whole number, {least} or more"),
            (least, most) => format!("expected a whole number from {least} to {most}"),
        };
        number.and_then(|number| T::try_from(number).ok()).ok_or_else(expected)
    }
}

/// Reads the shape of a board: `4x9`, or `3` for a square.
pub fn shape(text: &str) -> Result<Shape, String> {
    text.parse().map_err(|_| format!("expected a number from 1 to {MAX_SIZE}, or rows and columns such as 4x9"))
}

/// Reads the size of a table in MiB, no larger than the memory of this machine.
pub fn table_size<const MOST: u32>(text: &str) -> Result<u32, String> {
    let size = whole(1..=MOST.into())(text)?;
    memory::check(size).map_err(|error| error.to_string())?;
    Ok(size)
}

/// Reads `on` or `off`.
pub fn on_or_off(text: &str) -> Result<bool, &'static str> {
    match text {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err("expected on or off"),
    }
}

/// Reads `NAME=VALUE`, on one line.
pub fn option(text: &str) -> Result<(String, String), &'static str> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    if name.trim().is_empty() {
        return Err("expected the name of an option in front of the =");
    }
    if text.contains(['\n', '\r']) {
        return Err("expected one line");
    }
    Ok((name.to_owned(), value.to_owned()))
}

/// The sequential test of `elo0=0 elo1=10 alpha=0.05 beta=0.05`, which are also the values of what is left out. `None`
/// without any word.
pub fn sprt(words: &[String]) -> Result<Option<Sprt>, UsageError> {
    if words.is_empty() {
        return Ok(None);
    }
    let mut settings = SprtSettings { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05 };
    let mut seen = Vec::new();
    for word in words.iter().flat_map(|words| words.split_whitespace()) {
        let wrong =
            || UsageError::new(format_args!("--sprt: expected elo0=0 elo1=10 alpha=0.05 beta=0.05, found {word:?}"));
        let (key, value) = word.split_once('=').ok_or_else(wrong)?;
        if seen.contains(&key) {
            return Err(UsageError::new(format_args!("--sprt: the key {key:?} is there twice")));
        }
        seen.push(key);
        let number = value.parse().map_err(|_| wrong())?;
        match key {
            "elo0" => settings.elo0 = number,
            "elo1" => settings.elo1 = number,
            "alpha" => settings.alpha = number,
            "beta" => settings.beta = number,
            _ => return Err(wrong()),
        }
    }
    Sprt::new(settings).map(Some).map_err(|error| UsageError::new(format_args!("--sprt: {error}")))
}

/// Rows of the board without `--size` or a drawn board.
const DEFAULT_SIZE: u8 = 3;

/// A position, and the rules of its game.
#[derive(Args)]
pub struct PositionArguments {
    /// A board such as xo1/1x1/3 or xo..x...., perhaps with the side to move, x or o, and "moves 2,2 b3" behind it; or
    /// startpos, perhaps with "moves 1,1 0,0". Without it, the empty board.
    #[arg(value_name = "POSITION")]
    words: Vec<String>,
    /// Rows and columns of the board such as 4x9, 1 to 20 each; one number for a square. By default those of the
    /// position, 3 for startpos.
    #[arg(long, value_name = "SIZE", value_parser = shape)]
    size: Option<Shape>,
    /// How many in a row complete a line; 0 for as many as the shorter side has cells.
    #[arg(long, value_name = "K", default_value_t = 0, value_parser = whole::<u16>(0..=MOST_IN_A_ROW))]
    connect: u16,
    /// Completing a line loses.
    #[arg(long)]
    reverse: bool,
}

impl PositionArguments {
    /// The position of the command line.
    pub fn position(&self) -> Result<Position, UsageError> {
        self.reach(&self.words)
    }

    /// The position of the command line, and the move behind it if there is one: a word of its own behind a position in
    /// quotes, or behind one that needs none and has no `moves`.
    pub fn position_and_move(&self) -> Result<(Position, Option<Cell>), UsageError> {
        let (words, written) = match self.words.split_last() {
            Some((last, before)) if is_move_behind(last, before) => (before, Some(last)),
            _ => (self.words.as_slice(), None),
        };
        let position = self.reach(words)?;
        let read = |word: &String| {
            let read: Result<MoveText, MoveTextError> = word.trim().parse();
            read.map_err(|error| UsageError::new(format_args!("move: {error}, found {}", Excerpt::of(word))))
        };
        let written = written.map(read).transpose()?;
        let cell = written.map(|written| position.legal_move(written)).transpose();
        Ok((position, cell.map_err(|error| UsageError::new(format_args!("move: {error}")))?))
    }

    /// The position of some words. Without `--size` the board has the rows and columns that are drawn.
    fn reach(&self, words: &[String]) -> Result<Position, UsageError> {
        let text = if words.is_empty() { "startpos".to_owned() } else { words.join(" ") };
        let mut command = read_position(&text).map_err(|error| UsageError::new(error.problem()))?;
        if let Some(diagram) = &mut command.diagram {
            fold_single_row(diagram, self.size)?;
        }
        let shape = self.size.or_else(|| command.diagram.as_ref().map(drawn_shape)).unwrap_or(DEFAULT_SIZE.into());
        let rules = Rules::new(shape, self.connect, self.reverse).map_err(UsageError::new)?;
        Position::reach(rules, command.diagram.as_ref(), &command.moves)
            .map_err(|error| UsageError::new(format_args!("position: {error}")))
    }
}

/// True if the last word of a command line is a move to ask about, and no part of the position before it.
fn is_move_behind(last: &str, before: &[String]) -> bool {
    match before {
        [] => false,
        [position] => position.contains(char::is_whitespace) || !matches!(last, "x" | "o" | "w" | "b" | "moves"),
        _ => last.parse::<MoveText>().is_ok() && !before.iter().any(|word| word.eq_ignore_ascii_case("moves")),
    }
}

/// The position of the command line: `startpos` or a board, with or without the word `fen`, then moves.
fn read_position(text: &str) -> Result<PositionCommand, ParseError> {
    let first = text.split_whitespace().next().unwrap_or_default();
    let is_whole = ["startpos", "fen"].iter().any(|word| first.eq_ignore_ascii_case(word));
    let prefix = if is_whole { "" } else { "fen " };
    format!("{prefix}{text}").parse()
}

/// The shape of a drawn board: its rows, and as many columns as the first of them has.
fn drawn_shape(diagram: &Diagram) -> Shape {
    let columns = diagram.rows.first().map_or(0, |row| row.width);
    Shape { rows: diagram.rows.len().try_into().unwrap_or(u8::MAX), columns: columns.try_into().unwrap_or(u8::MAX) }
}

/// Makes rows of a board that is written without `/`: those of a shape, or without one those of a square.
fn fold_single_row(diagram: &mut Diagram, shape: Option<Shape>) -> Result<(), UsageError> {
    let [row] = diagram.rows.as_slice() else { return Ok(()) };
    let side = row.width.isqrt();
    let (rows, columns) = shape.map_or((side, side), |shape| (shape.rows.into(), shape.columns.into()));
    let cells = row.width;
    match shape {
        _ if cells == rows * columns => {}
        Some(_) => return Ok(()),
        None => {
            let problem = "cells in one row are no square; --size says how many rows and columns the board has";
            return Err(UsageError::new(format_args!("position: {cells} {problem}")));
        }
    }
    let mut rows = vec![DiagramRow { stones: Vec::new(), width: columns }; rows as usize];
    for &(column, player) in &row.stones {
        rows[(column / columns) as usize].stones.push((column % columns, player));
    }
    diagram.rows = rows;
    Ok(())
}
