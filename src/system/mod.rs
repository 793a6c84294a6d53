//! The differences between operating systems, and the surroundings of a process. Session, client and terminal board stand
//! above it.
//!
//! | file | what it holds |
//! |---|---|
//! | `unix`, `windows` | a folder for each family of systems, with the same files and names; one of them is compiled |
//! | `stream_events.rs` | what a wait for standard input and output is to watch, and what it has seen |
//! | `log_file.rs` | lines of a log, and why its file cannot be opened |
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
//! | `orphan_killer.rs` | the end of child processes when this one is killed |
//! | `process.rs` | this program and this machine; the steps of a process before it becomes another program |
//! | `resources.rs` | the resources of this machine and this process: memory, open files |
//! | `signals.rs` | signals: Ctrl-C and the like, and those that concern a terminal |
//! | `terminal.rs` | the abilities of the terminal |
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

use std::io;

#[cfg(unix)]
use unix as family;
#[cfg(windows)]
use windows as family;

pub use family::files::open_to_append;
pub use family::{
    Interrupt, OrphanKiller, PipedChild, StandardStreams, Waker, files, kill_orphans, pinning, process, signals,
    terminal,
};
pub use family::{mebibytes_of_machine, raise_descriptor_limit};
pub use line_file::{Appender, LineFileError, LineKind, json_line, read_lines};
pub use log_file::{AppendError, write_log_line};
pub use output_file::OutputFile;
pub use shard::{Scheduler, Shard, ShardChoice, ShardError};
pub use stream_events::{Interest, ReadOutcome, Readiness, StreamError, WriteOutcome};

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

/// The reason why a process cannot be bound to its parent.
#[derive(Debug)]
pub enum BindError {
    /// The parent has ended.
    Orphan,
    /// The system refuses.
    System(io::Error),
}
