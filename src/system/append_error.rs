//! Why a regular file cannot be opened to write at its end: the same words whether there are files or not.

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
