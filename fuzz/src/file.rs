//! Files for the parts of the library that read files: in memory, where there is such a folder.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// A file with this text.
pub fn file(text: &[u8], name: &str) -> PathBuf {
    thread_local! {
        static FOLDER: TempDir = {
            let memory = Path::new("/dev/shm");
            if memory.is_dir() { TempDir::new_in(memory) } else { TempDir::new() }.expect("a folder")
        };
    }
    let path = FOLDER.with(|folder| folder.path().join(name));
    fs::write(&path, text).expect("a file");
    path
}
