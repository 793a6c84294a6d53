//! `noughts map`: prints what is known of every empty board.

use anyhow::Result;
use clap::Args;

use noughts::game::MAX_SIZE;
use noughts::known_values;

use super::arguments::whole;
use super::output::print;

/// The arguments of `noughts map`.
#[derive(Args)]
pub struct MapArguments {
    /// Print an array of JSON objects instead of a table.
    #[arg(long)]
    json: bool,
    /// Only boards of this size, 1 to 20.
    #[arg(long, value_name = "N", value_parser = whole::<u8>(1..=MAX_SIZE.into()))]
    size: Option<u8>,
}

/// Prints the map.
pub fn run(arguments: &MapArguments) -> Result<()> {
    let mut starts = known_values::starts();
    starts.retain(|start| arguments.size.is_none_or(|size| start.rules.size() == size));
    let write = if arguments.json { known_values::write_json } else { known_values::write_text };
    print(|out| write(&starts, out))
}
