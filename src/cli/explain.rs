//! `noughts explain`: prints why a position is worth what it is, or why a move is right or wrong.

use std::sync::Arc;
use std::thread;

use anyhow::{Context, Result, anyhow};
use clap::Args;

use noughts::engine::{Engine, ExplainRequest, Options};
use noughts::game::{Cell, MoveText, MoveTextError, Position};
use noughts::search::Explanation;
use noughts::text::{Excerpt, explanation};

use super::arguments::{BoardArguments, UsageError};
use super::output::print;

/// The arguments of `noughts explain`.
#[derive(Args)]
pub struct ExplainArguments {
    /// A board such as "xo1/1x1/3 o", perhaps with "moves 2,2 b3" behind it, or "startpos moves 1,1 0,0".
    position: String,
    /// The move, such as 2,2 or c1; without it, the position is explained.
    #[arg(value_name = "MOVE")]
    cell: Option<String>,
    #[command(flatten)]
    game: BoardArguments,
}

/// Explains a position or a move.
pub fn run(arguments: &ExplainArguments) -> Result<()> {
    let position = arguments.game.reach(&arguments.position)?;
    let written = read_move(arguments.cell.as_deref().unwrap_or_default())?;
    let cell = written.map(|written| position.legal_move(written)).transpose();
    let cell = cell.map_err(|error| UsageError::new(format_args!("explain: {error}")))?;
    let text = explanation::explain(&search(position, cell)?);
    print(|out| out.write_all(text.as_bytes()))
}

/// The move of the command line; `None` without a word.
fn read_move(text: &str) -> Result<Option<MoveText>, UsageError> {
    let mut words = text.split_whitespace();
    let Some(word) = words.next() else { return Ok(None) };
    let written = word.parse().map_err(|error: MoveTextError| {
        UsageError::new(format_args!("explain: {error}, found {}", Excerpt::of(word)))
    })?;
    match words.next() {
        None => Ok(Some(written)),
        Some(word) => {
            let found = Excerpt::of(word);
            Err(UsageError::new(format_args!("explain: expected the end of the line, found {found}")))
        }
    }
}

/// Searches for the explanation on a thread with a stack that is large enough.
fn search(position: Position, cell: Option<Cell>) -> Result<Explanation> {
    let options = Options { rules: position.rules(), ..Options::default() };
    let request = ExplainRequest { position, cell, options };
    let thread = thread::Builder::new().name("search".to_owned());
    let search = thread.spawn(move || Engine::new().explain(request, Arc::default()));
    search.context("cannot start a thread")?.join().map_err(|_| anyhow!("the search failed"))
}
