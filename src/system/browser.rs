//! The system below a web page, where `mod.rs` stands for an operating system: there are no files, no processes, no signals.

mod log_file;
pub mod memory;

use std::fs::File;
use std::io;

pub use log_file::write_log_line;

/// Opens no file.
///
/// # Errors
/// Always.
pub fn open_to_append(_name: &str) -> io::Result<Option<File>> {
    Err(io::ErrorKind::Unsupported.into())
}

/// `None`: a page does not know the memory of its machine.
pub fn mebibytes_of_machine() -> Option<u64> {
    None
}
