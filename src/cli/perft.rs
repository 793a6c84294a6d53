//! `noughts perft`: counts the sequences of moves and the positions of the first plies.

use anyhow::Result;
use clap::Args;

use noughts::count;
use noughts::text::Format;

use super::arguments::{GameArguments, whole};
use super::output::print;

/// The arguments of `noughts perft`.
#[derive(Args)]
pub struct PerftArguments {
    /// The last ply to count, from 0. A game that is over sooner has no more plies.
    #[arg(value_name = "N", value_parser = whole::<u16>(0..=400))]
    depth: u16,
    /// The game.
    #[command(flatten)]
    game: GameArguments,
    /// How to print the result: text, json or markdown.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

/// Counts sequences of moves and positions.
pub fn run(arguments: &PerftArguments) -> Result<()> {
    let perft = count::perft(arguments.game.rules()?, arguments.depth);
    print(|out| count::write_perft(&perft, arguments.format, out))
}
