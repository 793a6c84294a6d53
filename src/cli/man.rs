//! `noughts man`: prints a man page, made from the definition of the command line.

use anyhow::Result;
use clap::{Args, CommandFactory};
use clap_mangen::Man;

use super::Cli;
use super::arguments::UsageError;
use super::output::print;

/// The arguments of `noughts man`.
#[derive(Args)]
pub struct ManArguments {
    /// A subcommand, such as match; without it, the page of noughts itself.
    #[arg(value_name = "COMMAND")]
    subcommand: Option<String>,
}

/// Prints the page of the program, or of one of its subcommands.
pub fn run(arguments: &ManArguments) -> Result<()> {
    let mut program = Cli::command().disable_help_subcommand(true);
    // This names the subcommands in full: noughts-match.
    program.build();
    let page = match &arguments.subcommand {
        None => program,
        Some(name) => {
            let found = program.find_subcommand(name).filter(|subcommand| !subcommand.is_hide_set());
            let unknown =
                || UsageError::new(format_args!("there is no subcommand {name:?}; noughts --help lists them"));
            found.ok_or_else(unknown)?.clone()
        }
    };
    let page = Man::new(page).source(concat!("noughts ", env!("CARGO_PKG_VERSION")));
    print(|out| page.render(out))
}
