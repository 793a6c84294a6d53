//! The `noughts` program: its faces, and what it says when one fails.

mod cli;

use std::io::{self, IsTerminal};
use std::process::ExitCode;

use anyhow::{Error, Result, bail};
use clap::Parser;

use cli::{Cli, Face};
use noughts::bench;
use noughts::session::stdio::{self, Exit};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read the output has read enough.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    match Cli::parse().face {
        None => engine()?,
        Some(Face::Bench { signature }) => bench::run(signature, &mut io::stdout())?,
    }
    Ok(())
}

fn is_broken_pipe(error: &Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

fn engine() -> Result<()> {
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        eprintln!("Noughts {}: help lists the commands, quit ends.", env!("CARGO_PKG_VERSION"));
    }
    match stdio::run()? {
        Exit::ReaderStalled(bytes) => bail!("nobody reads the output; the last {bytes} bytes of it are lost"),
        Exit::Done | Exit::ReaderGone | Exit::ReaderStalledAfterQuit => Ok(()),
    }
}
