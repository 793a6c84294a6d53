//! `noughts map`: prints what is known of every empty board.

use anyhow::Result;
use clap::Args;

use noughts::game::{MAX_SIZE, Shape};
use noughts::known_values;

use super::arguments::{shape, whole};
use super::output::print;

/// The arguments of `noughts map`.
#[derive(Args)]
pub struct MapArguments {
    /// Print an array of JSON objects instead of a table.
    #[arg(long)]
    json: bool,
    /// Only boards of this size, such as 4x9; one number for a square. Without it, squares, and rectangles up to 42 cells.
    #[arg(long, value_name = "SIZE", value_parser = shape)]
    size: Option<Shape>,
    /// Only so many in a row.
    #[arg(long, value_name = "K", value_parser = whole::<u8>(1..=MAX_SIZE.into()))]
    connect: Option<u8>,
    /// Only boards of which nobody knows here who wins.
    #[arg(long)]
    open: bool,
}

/// Prints the map.
pub fn run(arguments: &MapArguments) -> Result<()> {
    let mut starts = arguments.size.map_or_else(known_values::starts, |size| known_values::starts_of(&[size]));
    starts.retain(|start| arguments.connect.is_none_or(|connect| start.rules.line_length() == Some(connect)));
    starts.retain(|start| start.is_open() || !arguments.open);
    let write = if arguments.json { known_values::write_json } else { known_values::write_text };
    print(|out| write(&starts, out))
}
