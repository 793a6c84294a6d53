//! `noughts completions`: prints the completions of a shell, made from the definition of the command line.

use anyhow::Result;
use clap::{Args, Command, CommandFactory};
use clap_complete::{Shell, generate};

use super::Cli;
use super::output::print;

/// The arguments of `noughts completions`.
#[derive(Args)]
pub struct CompletionsArguments {
    /// The shell that completes the command line.
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints a script for the shell.
pub fn run(arguments: &CompletionsArguments) -> Result<()> {
    // Written to memory first: a reader that goes away is an error of printing.
    let mut script = Vec::new();
    generate(arguments.shell, &mut without_hidden(&Cli::command()), "noughts", &mut script);
    print(|out| out.write_all(&script))
}

/// A command with everything that completions need, but without hidden arguments and subcommands. (clap_complete would
/// complete those too.)
fn without_hidden(command: &Command) -> Command {
    let arguments = command.get_arguments().filter(|argument| !argument.is_hide_set()).cloned();
    let subcommands = command.get_subcommands().filter(|subcommand| !subcommand.is_hide_set()).map(without_hidden);
    Command::new(command.get_name().to_owned())
        .about(command.get_about().cloned().unwrap_or_default())
        .version(env!("CARGO_PKG_VERSION"))
        .args(arguments)
        .subcommands(subcommands)
}
