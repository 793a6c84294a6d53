//! The differences between operating systems, and the surroundings of a process. Session, client and terminal board stand
//! above it.
//!
//! | file | what it holds |
//! |---|---|
//! | `unix`, `windows` | a folder for each family of systems, with the same files and names; one of them is compiled |
//! | `stream_events.rs` | what a wait for standard input and output is to watch, and what it has seen |
//! | `line_file.rs` | files of lines that are appended whole, such as records |
//! | `output_file.rs` | files that are written as a whole, such as certificates |
//! | `memory.rs` | a check of the size of tables against the memory |
//! | `shard.rs` | the part of the work that this process has, from a scheduler |
//! | `browser.rs` | a web page, which takes the place of all of these there |
//!
//! | file of a family | what it holds |
//! |---|---|
//! | `standard_streams.rs` | standard input and output that never block, and one wait for both of them and a wake-up call |
//! | `piped_child.rs` | a child process with pipes that never block, and one wait for all that can happen to it |
//! | `interrupt.rs` | cancellation: a flag that ends every wait for a child |
//! | `orphan_killer.rs` | what ends child processes when this one is killed |
//! | `process.rs` | this program and this machine; what a process does before it becomes another program |
//! | `resources.rs` | what this machine and this process have: memory, open files, a terminal |
//! | `signals.rs` | signals: Ctrl-C and the like, and those that concern a terminal |
//! | `files.rs` | regular files |
//! | `pinning.rs` | the core that a thread runs on |

mod line_file;
mod log_file;
pub mod memory;
mod output_file;
mod shard;
mod stream_events;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::sync::{PoisonError, RwLock};

use thiserror::Error;

#[cfg(unix)]
use unix as family;
#[cfg(windows)]
use windows as family;

pub use family::files::open_to_append;
pub use family::{
    Interrupt, OrphanKiller, PipedChild, StandardStreams, Waker, files, kill_orphans, pinning, process, signals,
};
pub use family::{has_cursor_addressing, mebibytes_of_machine, raise_descriptor_limit};
pub use line_file::{Appender, LineFileError, LineKind, json_line, read_lines};
pub use log_file::write_log_line;
pub use output_file::OutputFile;
pub use shard::{Scheduler, Shard, ShardChoice, ShardError};
pub use stream_events::{Interest, ReadOutcome, Readiness, StreamError, WriteOutcome};

/// The file of the program, where the library is a part of another one.
static PROGRAM: RwLock<Option<PathBuf>> = RwLock::new(None);

/// Says where the program `noughts` is, where the library is a part of another program such as an interpreter. Child
/// processes begin as this program, and the engine `noughts` is one.
pub fn set_program_file(path: PathBuf) {
    *PROGRAM.write().unwrap_or_else(PoisonError::into_inner) = Some(path);
}

/// The file of the program `noughts`: this process, unless [`set_program_file`] names another.
///
/// # Errors
/// When the system does not report the file.
pub fn program_file() -> io::Result<PathBuf> {
    chosen_program().map_or_else(std::env::current_exe, Ok)
}

/// The file that [`set_program_file`] names.
fn chosen_program() -> Option<PathBuf> {
    PROGRAM.read().unwrap_or_else(PoisonError::into_inner).clone()
}

/// The events that a wait for a child process has seen; none if the time is up.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ChildEvents {
    /// The wait was interrupted.
    pub interrupted: bool,
    /// The child's output has something to read, or has ended.
    pub readable: bool,
    /// The child's standard error has something to read, or has ended.
    pub complains: bool,
    /// The child's input has room, if the wait was to watch for it.
    pub writable: bool,
    /// The child has ended. Its output may stay open longer, if others hold it.
    pub ended: bool,
}

/// The request of a signal to a program that holds the terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TerminalSignal {
    /// The program goes on after it was stopped: the terminal has to be taken again.
    Continued,
    /// The program is to end, by the signal of this number, once it has given the terminal back.
    End(i32),
}

/// Why a child process did not become an engine.
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
