//! What a child process does before it becomes the engine.

use std::convert::Infallible;
use std::ffi::OsString;
use std::fmt;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// Why a child process did not become an engine.
#[derive(Debug)]
pub enum LaunchError {
    /// Whoever started it has ended in the meantime.
    Orphan,
    /// The system does not let it end with its parent.
    Bind(io::Error),
    /// The program cannot be run.
    Run(OsString, io::Error),
}

impl fmt::Display for LaunchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LaunchError::Orphan => f.write_str("the match has ended"),
            LaunchError::Bind(error) => write!(f, "cannot bind an engine to its match: {error}"),
            LaunchError::Run(program, error) => write!(f, "cannot run {}: {error}", program.display()),
        }
    }
}

impl std::error::Error for LaunchError {}

/// Turns this process into the program, bound to end when its parent does, however that happens.
///
/// The binding must be made by the child itself, between its start and the program's. Doing that in a process of
/// its own, which then becomes the program, needs no code that runs in a half-copied process.
///
/// # Errors
/// This returns only when it fails.
pub fn launch(parent: u32, program: OsString, arguments: Vec<OsString>) -> Result<Infallible, LaunchError> {
    bind_to(parent)?;
    let error = Command::new(&program).args(arguments).exec();
    Err(LaunchError::Run(program, error))
}

#[cfg(target_os = "linux")]
fn bind_to(parent: u32) -> Result<(), LaunchError> {
    use rustix::process::{Signal, getppid, set_parent_process_death_signal};
    set_parent_process_death_signal(Some(Signal::KILL)).map_err(|error| LaunchError::Bind(error.into()))?;
    // It may have ended before the binding was made.
    let is_child = getppid().is_some_and(|pid| pid.as_raw_nonzero().get().unsigned_abs() == parent);
    if is_child { Ok(()) } else { Err(LaunchError::Orphan) }
}

/// Other systems have no such binding: there an engine sees the end of its input.
#[cfg(not(target_os = "linux"))]
fn bind_to(_: u32) -> Result<(), LaunchError> {
    Ok(())
}
