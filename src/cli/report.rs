//! `noughts report`: prints the tables of matches from their record files.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use noughts::arena;
use noughts::text::Format;

use super::arguments::sprt;
use super::output::print;
use super::progress::ProgressDisplay;

/// The arguments of `noughts report`.
#[derive(Args)]
pub struct ReportArguments {
    /// Record files of noughts match.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Say what a sequential test makes of the results: elo0=0 elo1=10 alpha=0.05 beta=0.05.
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..=4)]
    sprt: Vec<String>,
    /// How to print the result: text, json or markdown.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

/// Prints the tables of recorded matches.
pub fn run(arguments: &ReportArguments) -> Result<()> {
    let sprt = sprt(&arguments.sprt)?;
    let summaries = arena::summarise_records(&arguments.files, sprt, &ProgressDisplay::new("games"))?;
    print(|out| arena::write_summary(&summaries, arguments.format, out))
}
