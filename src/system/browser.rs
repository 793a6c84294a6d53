//! The system below a web page, where `mod.rs` stands for an operating system: there are no files, no processes, no signals.

use std::fs::File;
use std::io;

use thiserror::Error;

/// Why a file cannot be opened.
#[derive(Debug, Error)]
pub enum AppendError {
    /// The name belongs to a pipe, a terminal, another device or a folder.
    #[error("no regular file")]
    NotRegular,
    /// The system does not open it.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Opens no file.
///
/// # Errors
/// Always.
pub fn open_to_append(_name: &str) -> Result<File, AppendError> {
    Err(io::Error::from(io::ErrorKind::Unsupported).into())
}
