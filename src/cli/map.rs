//! `noughts map`: prints what is known of every empty board.

use anyhow::Result;
use clap::Args;

use noughts::game::Shape;
use noughts::known_values;

use super::arguments::shape;
use super::output::print;

/// The arguments of `noughts map`.
#[derive(Args)]
pub struct MapArguments {
    /// Print an array of JSON objects instead of a table.
    #[arg(long)]
    json: bool,
    /// Only boards of this size, such as 4x9; one number for a square.
    #[arg(long, value_name = "SIZE", value_parser = shape)]
    size: Option<Shape>,
}

/// Prints the map.
pub fn run(arguments: &MapArguments) -> Result<()> {
    let mut starts = known_values::starts();
    starts.retain(|start| arguments.size.is_none_or(|size| start.rules.shape() == size));
    let write = if arguments.json { known_values::write_json } else { known_values::write_text };
    print(|out| write(&starts, out))
}
