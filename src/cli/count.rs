//! `noughts count`: counts the nodes of the textbook searches on the empty board.

use anyhow::Result;
use clap::Args;

use noughts::count;
use noughts::search::Textbook;
use noughts::text::Format;

use super::arguments::{GameArguments, whole};
use super::output::print;

/// The arguments of `noughts count`.
#[derive(Args)]
pub struct CountArguments {
    /// The game.
    #[command(flatten)]
    game: GameArguments,
    /// Nodes after which a search is given up.
    #[arg(long, value_name = "N", default_value_t = Textbook::NODES, value_parser = whole::<u64>(1..=u64::MAX))]
    nodes: u64,
    /// How to print the result: text, json or markdown.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

/// Counts the nodes of the searches.
pub fn run(arguments: &CountArguments) -> Result<()> {
    let rules = arguments.game.rules()?;
    print(|out| count::write_counts(rules, arguments.nodes, arguments.format, out))
}
