//! What several faces have in common: the game, engines and their surroundings, and results in print.

use std::fmt;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::{Context, Result};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use noughts::client::{EngineLog, EngineProtocol, EngineSetup, EngineSpec, Guard, Interrupt, RunContext, SpecError};
use noughts::game::Rules;
use noughts::system::process::raise_descriptor_limit;

use crate::cli::GameArguments;

/// The command line asks for something that cannot be.
#[derive(Debug)]
pub struct UsageError(String);

impl UsageError {
    /// A sentence that says what is wrong.
    pub fn new(sentence: impl fmt::Display) -> UsageError {
        UsageError(sentence.to_string())
    }
}

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UsageError {}

/// The game of the arguments.
pub fn rules(game: &GameArguments) -> Result<Rules, UsageError> {
    Rules::new(game.size, game.connect, game.reverse).map_err(UsageError::new)
}

/// An engine with its program found. A missing program is no matter of usage: it may be there tomorrow.
pub fn set_up(spec: &EngineSpec) -> Result<EngineSetup> {
    spec.set_up().map_err(|error| match (&error, &spec.name) {
        (SpecError::NoProgram(_) | SpecError::NotExecutable(_) | SpecError::NoFolder(_), Some(name)) => {
            anyhow::anyhow!("engine {name}: {error}")
        }
        (SpecError::NoProgram(_) | SpecError::NotExecutable(_) | SpecError::NoFolder(_), None) => error.into(),
        _ => UsageError::new(error).into(),
    })
}

/// What bounds a move, as far as it matters whom it is told.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// Nothing.
    None,
    /// Time.
    Time,
    /// Nodes or playouts.
    Count,
}

/// Holds the limit of a move against the protocol of an engine. `flags` are those that set limits.
pub fn check_limit(engine: &EngineSetup, bound: Bound, flags: &str) -> Result<(), UsageError> {
    let name = &engine.name;
    match (engine.protocol, bound) {
        (EngineProtocol::Uci, Bound::None) => Err(UsageError::new(format_args!(
            "engine {name}: with proto=uci a move needs a limit, for without one such an engine thinks for ever: {flags}"
        ))),
        (EngineProtocol::Gomocup, Bound::Count) => Err(UsageError::new(format_args!(
            "engine {name}: proto=gomocup knows limits of time only, no --nodes and no --trials"
        ))),
        _ => Ok(()),
    }
}

/// What engines of this run share. Ctrl-C and the like end every wait.
pub fn surroundings(start_limit: u64, debug: Option<&Path>) -> Result<RunContext> {
    let interrupt = Arc::new(Interrupt::new().context("cannot make a pipe")?);
    let rung = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        // The first ends all waits, the second ends everything at once.
        signal_hook::flag::register_conditional_shutdown(signal, 1, Arc::clone(&rung))?;
        signal_hook::flag::register(signal, Arc::clone(&rung))?;
        signal_hook::low_level::pipe::register(signal, interrupt.trigger_descriptor()?)?;
    }
    raise_descriptor_limit();
    let log = debug.map(|path| {
        let log = EngineLog::create(path);
        log.map(Arc::new).with_context(|| format!("cannot write {}", path.display()))
    });
    let guard = Arc::new(Guard::start().context("cannot start a second process")?);
    Ok(RunContext { interrupt, guard, log: log.transpose()?, start_limit: Duration::from_secs(start_limit) })
}

/// Prints results.
pub fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let mut stdout = io::stdout().lock();
    write(&mut stdout)?;
    Ok(stdout.flush()?)
}
