//! Why a process cannot be bound to its parent.

use std::io;

/// Why a process cannot be bound to its parent.
#[derive(Debug)]
pub enum BindError {
    /// The parent has ended.
    Orphan,
    /// The system refuses.
    System(io::Error),
}
