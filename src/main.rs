//! The `noughts` program: its faces, and what it says when one fails.

mod cli;

use std::io::{self, IsTerminal};
use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;

use cli::{Cli, Face};
use noughts::bench;
use noughts::session::stdio::{self, Exit};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    match Cli::parse().face {
        None => engine()?,
        Some(Face::Bench { signature }) => bench::run(signature)?,
    }
    Ok(())
}

fn engine() -> Result<()> {
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        eprintln!("Noughts {}: help lists the commands, quit ends.", env!("CARGO_PKG_VERSION"));
    }
    if let Exit::ReaderStalled(bytes) = stdio::run()? {
        eprintln!("error: nobody reads the output; the last {bytes} bytes of it are lost");
    }
    Ok(())
}
