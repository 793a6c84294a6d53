//! Engines with their programs found, and the context of a run, for the subcommands that run engines.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};

use noughts::client::{EngineLog, EngineSetup, EngineSpec, Interrupt, OrphanKiller, RunContext, SpecError};
use noughts::system::raise_descriptor_limit;
use noughts::system::signals::trigger_when_interrupted;

use super::arguments::UsageError;
use super::output::warn;

/// The engine of a description, with its program found. A missing program is a run-time error (exit status 1), not a usage
/// error (exit status 2).
pub fn set_up(spec: &EngineSpec) -> Result<EngineSetup> {
    spec.set_up().map_err(|error| match (&error, &spec.name) {
        (SpecError::Missing(_), Some(name)) => anyhow::anyhow!("engine {name}: {error}"),
        (SpecError::Missing(_), None) => error.into(),
        (SpecError::Text(_), _) => UsageError::new(error).into(),
    })
}

/// The program of a command line that plays against people.
pub fn program(command: &str) -> Result<Arc<EngineSetup>> {
    let spec: EngineSpec = command.parse().map_err(UsageError::new)?;
    Ok(Arc::new(set_up(&spec)?))
}

/// Warns if the log of a run that has ended is not complete.
pub fn warn_of_log(context: &RunContext) {
    if let Some(problem) = context.log.as_ref().and_then(|log| log.problem()) {
        warn(problem);
    }
}

/// The context of a run: what its engines share. The first Ctrl-C, SIGTERM or SIGHUP ends every wait; the second ends the
/// program.
pub fn run_context(start_limit: u64, debug: Option<&Path>) -> Result<RunContext> {
    let interrupt = Arc::new(Interrupt::new().context("cannot make a pipe")?);
    trigger_when_interrupted(&interrupt)?;
    raise_descriptor_limit();
    let log = debug.map(|path| {
        let log = EngineLog::create(path);
        log.map(Arc::new).with_context(|| format!("cannot write {}", path.display()))
    });
    let orphan_killer = Arc::new(OrphanKiller::start().context("cannot start a second process")?);
    Ok(RunContext { interrupt, orphan_killer, log: log.transpose()?, start_limit: Duration::from_secs(start_limit) })
}
