//! The documents, the scripts and the layout of the source, held against the program.

#[path = "../common/mod.rs"]
mod common;

mod fault_cases;
mod floors;
mod pages;
mod protocol;

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The files in a folder whose names end like this.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a readable folder").map(|entry| entry.expect("an entry").path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|found| found == ending)).collect();
    files.sort();
    files
}

/// The Rust files in a folder and below it.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a readable folder").map(|entry| entry.expect("an entry").path());
    let below = entries.filter(|path| path.is_dir()).flat_map(|folder| sources(&folder));
    files(folder, "rs").into_iter().chain(below).collect()
}

/// The documents: those at the top and the pages of `docs`.
fn pages() -> Vec<PathBuf> {
    let top = ["protocol.md", "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"];
    top.map(|name| root().join(name)).into_iter().chain(files(&root().join("docs"), "md")).collect()
}

fn text(page: &Path) -> String {
    fs::read_to_string(page).expect("the document is there")
}
