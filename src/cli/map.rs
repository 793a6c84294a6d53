//! `noughts map`: prints what is known of every empty board.

use anyhow::Result;
use clap::{Args, ValueEnum};

use noughts::map;

use super::output::print;

/// The arguments of `noughts map`.
#[derive(Args)]
pub struct MapArguments {
    /// How to print it.
    #[arg(long, value_name = "FORMAT", value_enum, default_value = "text")]
    format: MapFormat,
    /// The same as --format json.
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

/// How the map is printed.
#[derive(Clone, Copy, ValueEnum)]
pub enum MapFormat {
    /// A table.
    Text,
    /// An array of objects.
    Json,
    /// The page docs/known-values.md.
    Markdown,
    /// Its picture.
    Svg,
}

/// Prints the map.
pub fn run(arguments: &MapArguments) -> Result<()> {
    let starts = map::starts();
    let format = if arguments.json { MapFormat::Json } else { arguments.format };
    print(|out| match format {
        MapFormat::Text => map::write_text(&starts, out),
        MapFormat::Json => map::write_json(&starts, out),
        MapFormat::Markdown => map::write_page(&starts, out),
        MapFormat::Svg => map::write_picture(&starts, out),
    })
}
