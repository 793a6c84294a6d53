//! The `noughts` program. [`cli`] does the work; this file reports its errors.

mod cli;

use std::io;
use std::process::ExitCode;

use anyhow::{Error, Result};

use noughts::system::signals::survive_limit_of_file_size;

fn main() -> ExitCode {
    noughts::system::process::run_program(report_errors)
}

/// Runs the program and says what went wrong.
fn report_errors() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of the output has gone: it has read enough.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            if error.is::<cli::UsageError>() {
                ExitCode::from(2)
            } else if error.is::<cli::UnfinishedError>() {
                ExitCode::from(3)
            } else {
                ExitCode::FAILURE
            }
        }
    }
}

fn run() -> Result<()> {
    // Without this, a limit on the size of files ends the program without a word.
    let _ = survive_limit_of_file_size();
    // Programs start the engine often. Without a subcommand it starts without the parser of the command line, which takes a
    // megabyte of memory.
    match cli::engine::options(std::env::args_os().skip(1)) {
        Some(options) => cli::engine::run(&options),
        None => cli::run(),
    }
}

fn is_broken_pipe(error: &Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
