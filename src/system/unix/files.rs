//! Regular files: opening them without ever waiting for another program.

use std::fs::{File, Metadata, OpenOptions, Permissions, TryLockError};
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

use rustix::fs::OFlags;
use tempfile::NamedTempFile;

/// A new file in a folder that gets its name when it is complete, with the permissions that new files have.
///
/// # Errors
/// When the folder cannot be written to.
pub fn new_file_in(folder: &Path) -> io::Result<NamedTempFile> {
    tempfile::Builder::new().permissions(Permissions::from_mode(0o666)).tempfile_in(folder)
}

/// True if the names in a folder stand for open descriptors of a process. `/dev/stdout` leads to such a name on Linux. The
/// target of the name belongs to that process, also where it is a regular file.
pub fn has_descriptors(folder: &Path) -> bool {
    folder.canonicalize().is_ok_and(|folder| folder.starts_with("/proc") || folder.starts_with("/dev/fd"))
}

/// Opens a pipe or a device to write to it, or what an open descriptor stands for.
///
/// # Errors
/// When there is nothing, or it cannot be opened.
pub fn open_to_write(path: &Path) -> io::Result<File> {
    // A file that is opened again has a place of its own to write at. Later text of the stream would stand over it.
    let descriptor = match standard_stream(path) {
        Some(0) => io::stdin().as_fd().try_clone_to_owned()?,
        Some(1) => io::stdout().as_fd().try_clone_to_owned()?,
        Some(2) => io::stderr().as_fd().try_clone_to_owned()?,
        _ => return OpenOptions::new().append(true).open(path),
    };
    Ok(descriptor.into())
}

/// The descriptor of the standard stream of this process that a name stands for, such as `/proc/self/fd/1`, where
/// `/dev/stdout` leads.
pub fn standard_stream(path: &Path) -> Option<u8> {
    let own = [Path::new("/proc/self/fd"), Path::new("/dev/fd")];
    let folder = path.parent()?.canonicalize().ok()?;
    let is_own = own.iter().any(|own| own.canonicalize().is_ok_and(|own| own == folder));
    path.file_name()?.to_str()?.parse().ok().filter(|&number| is_own && number <= 2)
}

/// Opens a regular file to write at its end; makes it if there is none. Any other kind of file can block a write for
/// any time; a regular file only on a file system that hangs. `None` if the name belongs to another kind, such as a pipe, a
/// terminal or a folder.
///
/// # Errors
/// When the file cannot be opened for writing.
pub fn open_to_append(name: &str) -> io::Result<Option<File>> {
    // Opening a device can have side effects, so the kind of file is checked first.
    if std::fs::metadata(name).is_ok_and(|metadata| !metadata.is_file()) {
        return Ok(None);
    }
    // By now the name may belong to another file. Without these flags, opening a pipe would wait for its reader.
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    let file = OpenOptions::new().create(true).append(true).custom_flags(flags.bits() as i32).open(name)?;
    let is_regular = file.metadata().as_ref().is_ok_and(Metadata::is_file);
    Ok(Some(file).filter(|_| is_regular))
}

/// True if a file is the one that standard output or standard error goes to.
pub fn is_standard_stream(metadata: &Metadata) -> bool {
    let streams = [io::stdout().as_fd().try_clone_to_owned(), io::stderr().as_fd().try_clone_to_owned()];
    streams.into_iter().flatten().any(|stream| {
        let of = File::from(stream).metadata();
        of.is_ok_and(|of| (of.dev(), of.ino()) == (metadata.dev(), metadata.ino()))
    })
}

/// Opens a file to write at its end, or makes it, and keeps other processes from doing the same. `None` if another process
/// does. A file that is not regular is opened without a lock, and so is a file where locks do not work.
///
/// # Errors
/// When the file cannot be opened.
pub fn open_alone(path: &Path) -> io::Result<Option<File>> {
    let file = OpenOptions::new().append(true).create(true).open(path)?;
    let is_taken = file.metadata()?.is_file() && matches!(file.try_lock(), Err(TryLockError::WouldBlock));
    Ok(if is_taken { None } else { Some(file) })
}

/// Writes at the end of a file that [`open_alone`] has opened.
///
/// # Errors
/// When the write fails; then a part of the bytes may be there.
pub fn write_at_end(file: &mut File, bytes: &[u8]) -> io::Result<()> {
    file.write_all(bytes)
}
