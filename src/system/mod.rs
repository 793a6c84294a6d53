//! What differs between operating systems, and what tells a process where it is. Session, client and terminal board stand
//! above it.
//!
//! | file | what it holds |
//! |---|---|
//! | `standard_streams.rs` | standard input and output that never block, and one wait for both of them and a wake-up call |
//! | `files.rs`, `append_error.rs` | regular files; why one cannot be opened |
//! | `line_file.rs` | files of lines that are appended whole, such as records |
//! | `open_files.rs` | how many files and connections a process may have open |
//! | `process.rs` | child processes: groups, their end, pipes that never block, waiting for several of them |
//! | `memory.rs` | how much memory there is |
//! | `pinning.rs` | which core a thread runs on |
//! | `shard.rs` | which part of the work this process has, said by a scheduler |
//! | `browser.rs` | a web page, which takes the place of all of these there |
//! | `signals.rs` | signals: Ctrl-C and the like, and those that concern a terminal |

mod append_error;
pub mod files;
mod line_file;
pub mod memory;
mod open_files;
pub mod pinning;
pub mod process;
mod shard;
pub mod signals;
mod standard_streams;

pub use append_error::AppendError;
pub use files::open_to_append;
pub use line_file::{Appender, LineFileError, LineKind, json_line, read_lines};
pub use open_files::max_open_files;
pub use shard::{Scheduler, Shard, ShardChoice, ShardError};
pub use standard_streams::{Interest, ReadOutcome, Readiness, StandardStreams, StreamError, Waker, WriteOutcome};
