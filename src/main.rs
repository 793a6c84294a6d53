//! The `noughts` program: its faces, and what it says when one fails.

mod cli;

use std::io::{self, IsTerminal};
use std::process::ExitCode;

use anyhow::{Error, Result, bail};
use clap::Parser;

use cli::{Cli, Face};
use noughts::bench::{self, Scope};
use noughts::client;
use noughts::session::stdio::{self, Exit};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read the output has read enough.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            if error.is::<cli::engines::UsageError>() { ExitCode::from(2) } else { ExitCode::FAILURE }
        }
    }
}

fn run() -> Result<()> {
    // The engine is started by programs, and often: it does not pay for the words of all the other faces.
    if std::env::args_os().nth(1).is_none() {
        return engine(&[]);
    }
    let cli = Cli::parse();
    match cli.face {
        None => engine(&cli.options)?,
        Some(Face::Match(arguments)) => cli::r#match::play(*arguments)?,
        Some(Face::Report(arguments)) => cli::r#match::report(&arguments)?,
        Some(Face::Exam(arguments)) => cli::exam::hold(&arguments)?,
        Some(Face::Explain(arguments)) => cli::explain::explain(&arguments)?,
        Some(Face::Play(arguments)) => cli::play::play(&arguments)?,
        Some(Face::Count(arguments)) => cli::count::count(&arguments)?,
        Some(Face::Perft(arguments)) => cli::count::perft(&arguments)?,
        #[cfg(feature = "web")]
        Some(Face::Serve(arguments)) => cli::serve::serve(&arguments)?,
        Some(Face::Bench { signature, proofs, latency, answers }) => {
            let scope = match (signature, proofs, latency) {
                (true, _, _) => Scope::Signature,
                (false, true, _) => Scope::Proofs,
                (false, false, true) => Scope::Latency(answers),
                (false, false, false) => Scope::All,
            };
            bench::run(scope, &mut io::stdout())?;
        }
        Some(Face::Guard) => client::guard(io::stdin().lock()),
        Some(Face::Launch { parent, program, arguments }) => match client::launch(parent, program, arguments)? {},
    }
    Ok(())
}

fn is_broken_pipe(error: &Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

fn engine(options: &[(String, String)]) -> Result<()> {
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        eprintln!("Noughts {}: help lists the commands, quit ends.", env!("CARGO_PKG_VERSION"));
    }
    match stdio::run(options)? {
        Exit::ReaderStalled(bytes) => bail!("nobody reads the output; the last {bytes} bytes of it are lost"),
        Exit::Done | Exit::ReaderGone | Exit::ReaderStalledAfterQuit => Ok(()),
    }
}
