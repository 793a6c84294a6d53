//! `noughts explain`: prints why a position is worth what it is, or why a move is right or wrong.

use std::thread;

use anyhow::{Context, Result, anyhow};
use clap::Args;

use noughts::engine::{Engine, ExplainRequest, Options};
use noughts::game::{Cell, Position};
use noughts::search::{Control, Explanation};
use noughts::text::explanation;

use super::arguments::PositionArguments;
use super::output::print;

const EXAMPLES: &str = "Examples:
  noughts explain startpos moves 1,1 0,1
  noughts explain xo1/1x1/3 2,2
  noughts explain \"xo1/1x1/3 moves 2,2\" 0,2 --reverse";

/// The arguments of `noughts explain`.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct ExplainArguments {
    /// The position, and behind it the move to explain, such as 2,2 or c1; without a move, the position is explained.
    #[command(flatten)]
    position: PositionArguments,
}

/// Explains a position or a move.
pub fn run(arguments: &ExplainArguments) -> Result<()> {
    let (position, cell) = arguments.position.position_and_move()?;
    let text = explanation::explain(&search(position, cell)?);
    print(|out| out.write_all(text.as_bytes()))
}

/// Searches for the explanation on a thread with a stack that is large enough.
fn search(position: Position, cell: Option<Cell>) -> Result<Explanation> {
    let options = Options { rules: position.rules(), ..Options::default() };
    let request = ExplainRequest { position, cell, options };
    let thread = thread::Builder::new().name("search".to_owned());
    let search = thread.spawn(move || Engine::new().explain(request, Control::unlimited()));
    search.context("cannot start a thread")?.join().map_err(|_| anyhow!("the search failed"))
}
