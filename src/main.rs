//! The `noughts` program. [`cli`] does the work; this file reports its errors.

// A line that cannot be written is an error of printing on standard output, and no error at all on standard error. These
// macros would panic.
#![deny(clippy::print_stdout, clippy::print_stderr)]
#![cfg_attr(not(test), deny(clippy::too_many_lines))]

mod cli;

use std::io;
use std::process::ExitCode;

use anyhow::{Error, Result};

use noughts::system::signals::survive_limit_of_file_size;

fn main() -> ExitCode {
    noughts::system::process::run_program(report_errors)
}

/// Runs the program and prints its error.
fn report_errors() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of the output has gone: it has read enough.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            cli::log(format_args!("error: {error:#}"));
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
        Some(options) => cli::engine::run(&options, None),
        None => cli::run(),
    }
}

fn is_broken_pipe(error: &Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
