//! `noughts` without a subcommand: the engine on standard input and output. This file knows no clap: programs start the
//! engine often, and it starts without parsing a command line.

use std::ffi::OsString;
use std::io::{self, IsTerminal};

use anyhow::{Result, bail};

use noughts::protocol::adapters::client_protocol;
use noughts::session::stdio::{self, Exit};

use super::arguments;
use super::output::log;

/// The greeting for a person who starts the engine on a terminal.
const GREETING: &str = concat!(
    "Noughts ",
    env!("CARGO_PKG_VERSION"),
    ", a tic-tac-toe engine. It waits for commands of its protocol: help lists them, quit ends.\n",
    "To play: noughts play, or noughts serve --open."
);

/// The options of a command line of nothing but `--option NAME=VALUE`, perhaps none at all; `None` for any other, which the
/// parser of the command line reads or refuses.
pub fn options(arguments: impl Iterator<Item = OsString>) -> Option<Vec<(String, String)>> {
    let words: Vec<OsString> = arguments.collect();
    let option = |pair: &[OsString]| match pair {
        [name, value] if name == "--option" => {
            let value = value.to_str().filter(|value| !value.starts_with('-'))?;
            arguments::option(value).ok()
        }
        _ => None,
    };
    words.chunks(2).map(option).collect()
}

/// Runs the engine until its input ends, with these options set before the first line. A client without a protocol of this
/// name chooses one with its first line.
pub fn run(options: &[(String, String)], protocol: Option<&str>) -> Result<()> {
    if protocol.is_none() && io::stdin().is_terminal() && io::stdout().is_terminal() {
        log(GREETING);
    }
    match stdio::run(options, protocol.and_then(client_protocol))? {
        Exit::ReaderStalled(bytes) => bail!("nobody reads the output; the last {bytes} bytes of it are lost"),
        Exit::Done | Exit::ReaderGone | Exit::ReaderStalledAfterQuit => Ok(()),
    }
}
