//! Regular files: opening them without ever waiting for another program.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::os::windows::fs::OpenOptionsExt;
use std::path::Path;

use tempfile::NamedTempFile;

/// `FILE_SHARE_READ`: others may read the file as long as it is open, and not write it.
const SHARE_READ: u32 = 1;

/// `ERROR_SHARING_VIOLATION`: another process has opened the file and does not share it.
const SHARING_VIOLATION: i32 = 32;

/// A new file in a folder that gets its name when it is complete.
///
/// # Errors
/// When the folder cannot be written to.
pub fn new_file_in(folder: &Path) -> io::Result<NamedTempFile> {
    tempfile::Builder::new().tempfile_in(folder)
}

/// False: this system has no names for the open descriptors of a process.
pub fn has_descriptors(_: &Path) -> bool {
    false
}

/// `None`: this system has no names for the standard streams of a process.
pub fn standard_stream(_: &Path) -> Option<u8> {
    None
}

/// Opens what is there to write to it.
///
/// # Errors
/// When there is nothing, or it cannot be opened.
pub fn open_to_write(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).open(path)
}

/// Opens a regular file to write at its end; makes it if there is none. Any other kind of file can block a write for
/// any time; a regular file only on a file system that hangs. `None` if the name belongs to another kind, such as a pipe, a
/// terminal or a folder.
///
/// # Errors
/// When the file cannot be opened for writing.
pub fn open_to_append(name: &str) -> io::Result<Option<File>> {
    if std::fs::metadata(name).is_ok_and(|metadata| !metadata.is_file()) {
        return Ok(None);
    }
    let file = OpenOptions::new().create(true).append(true).open(name)?;
    let is_regular = file.metadata().as_ref().is_ok_and(Metadata::is_file);
    Ok(Some(file).filter(|_| is_regular))
}

/// False: a file that another process has open for writing, as a shell has, cannot be opened by [`open_alone`].
pub fn is_standard_stream(_: &Metadata) -> bool {
    false
}

/// Opens a file to write at its end, or makes it, and keeps other processes from doing the same. `None` if another process
/// does.
///
/// # Errors
/// When the file cannot be opened.
pub fn open_alone(path: &Path) -> io::Result<Option<File>> {
    // A lock of this system would keep readers out as well. A file that is open for appending could not be cut.
    match OpenOptions::new().write(true).create(true).truncate(false).share_mode(SHARE_READ).open(path) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.raw_os_error() == Some(SHARING_VIOLATION) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Writes at the end of a file that [`open_alone`] has opened.
///
/// # Errors
/// When the write fails; then a part of the bytes may be there.
pub fn write_at_end(file: &mut File, bytes: &[u8]) -> io::Result<()> {
    file.seek(SeekFrom::End(0))?;
    file.write_all(bytes)
}
