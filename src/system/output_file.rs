//! Files that are written as a whole, such as certificates.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::files::{has_descriptors, new_file_in, open_to_write, standard_stream};

/// The most links that are followed from one name, as on Linux.
const MOST_LINKS: u32 = 40;

const SHARED_FILE: &str = "the name stands for an open descriptor of a regular file; expected the name of the file itself, \
                           /dev/stdout, /dev/stderr, or a pipe";

/// The target of the name of an output, links followed.
pub enum OutputFile {
    /// To a regular file, or to nothing yet. The output gets this name when it is complete, and replaces what has it.
    Regular(PathBuf),
    /// To a pipe, a terminal or another device. The output is written to it. Its name never gets another file.
    Special(PathBuf),
}

impl OutputFile {
    /// Finds out where a name leads. Nothing is written or opened.
    ///
    /// # Errors
    /// When the name leads to a folder, or to a regular file through a descriptor that cannot be shared, or the system does
    /// not say where.
    pub fn named(name: &Path) -> io::Result<OutputFile> {
        let mut path = name.to_owned();
        for _ in 0..MOST_LINKS {
            if has_descriptors(folder_of(&path)) {
                // A regular file that is opened again has a place of its own to write at. Its owner would write over the output.
                let is_shared = standard_stream(&path).is_some() || !fs::metadata(&path)?.is_file();
                return if is_shared { Ok(OutputFile::Special(path)) } else { Err(io::Error::other(SHARED_FILE)) };
            }
            let Ok(target) = fs::read_link(&path) else { break };
            path = folder_of(&path).join(target);
        }
        match fs::metadata(&path) {
            Ok(metadata) if metadata.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            Ok(metadata) if !metadata.is_file() => Ok(OutputFile::Special(path)),
            Ok(_) => Ok(OutputFile::Regular(path)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(OutputFile::Regular(path)),
            Err(error) => Err(error),
        }
    }

    /// The folder for temporary files: that of a regular file, where there is room for the output.
    pub fn folder(&self) -> PathBuf {
        match self {
            OutputFile::Regular(path) => folder_of(path).to_owned(),
            OutputFile::Special(_) => std::env::temp_dir(),
        }
    }

    /// Writes the output.
    ///
    /// # Errors
    /// Those of `write` and of the system. Then a regular file is as it was; what is special may have a part of the output.
    pub fn write<T>(&self, write: impl FnOnce(&File) -> io::Result<T>) -> io::Result<T> {
        match self {
            OutputFile::Regular(path) => {
                let file = new_file_in(folder_of(path))?;
                let written = write(file.as_file())?;
                file.as_file().sync_all()?;
                file.persist(path)?;
                Ok(written)
            }
            OutputFile::Special(path) => write(&open_to_write(path)?),
        }
    }
}

/// The folder of a file.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
