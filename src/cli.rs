//! The command line.

use clap::{Parser, Subcommand};

/// A tic-tac-toe engine for any square board, any number in a row, normal and reverse rules.
///
/// Without a command, noughts is an engine: it reads commands from standard input, a line each, and answers on
/// standard output. Type "help" there for a list; protocol.md has all of it.
#[derive(Parser)]
#[command(version)]
pub struct Cli {
    /// What to do instead.
    #[command(subcommand)]
    pub face: Option<Face>,
}

/// What the program can be instead of an engine.
#[derive(Subcommand)]
pub enum Face {
    /// Measure the engine on this machine.
    Bench {
        /// Only print the signature: what the engine answers to fixed questions, the same on every machine.
        #[arg(long)]
        signature: bool,
    },
}
