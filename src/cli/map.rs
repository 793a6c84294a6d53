//! `noughts map`: prints what is known of every empty board.

use anyhow::Result;
use clap::Args;

use noughts::map;

use super::output::print;

/// The arguments of `noughts map`.
#[derive(Args)]
pub struct MapArguments {
    /// Print an array of JSON objects instead of a table.
    #[arg(long)]
    json: bool,
}

/// Prints the map.
pub fn run(arguments: &MapArguments) -> Result<()> {
    let starts = map::starts();
    print(|out| if arguments.json { map::write_json(&starts, out) } else { map::write_text(&starts, out) })
}
