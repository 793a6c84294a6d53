//! The plan of the house, held against the source: imports point down, and only the binary prints.

use std::fs;
use std::path::{Path, PathBuf};

/// The folders of each floor from the ground up; a folder may use itself and the floors below its own.
const FLOORS: &[&[&str]] = &[
    &["text"],
    &["system"],
    &["engine"],
    &["protocol"],
    &["session", "client", "certificate", "map"],
    &["arena", "exam", "count", "tui", "web"],
    &["bench"],
];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("a readable folder") {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

fn library_sources() -> Vec<(String, PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    for path in sources(&root) {
        let relative = path.strip_prefix(&root).expect("below src").to_owned();
        let first = relative.iter().next().expect("a name").to_string_lossy();
        let module = first.trim_end_matches(".rs").to_owned();
        if !["main", "lib", "cli"].contains(&module.as_str()) {
            let code = fs::read_to_string(&path).expect("a text file");
            found.push((module, relative, code));
        }
    }
    found
}

fn floor(module: &str) -> usize {
    FLOORS.iter().position(|floor| floor.contains(&module)).unwrap_or_else(|| panic!("{module} has no floor yet"))
}

#[test]
fn every_import_points_down() {
    let files = library_sources();
    assert!(files.len() > 20, "the source was not found");
    for (module, path, code) in files {
        for (number, line) in code.lines().enumerate() {
            for rest in line.split("crate::").skip(1) {
                let used: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                let allowed = used == module || floor(&used) < floor(&module);
                assert!(allowed, "{}:{}: {module} uses {used}", path.display(), number + 1);
            }
        }
    }
}

#[test]
fn the_library_neither_prints_nor_ends_the_process() {
    for (_, path, code) in library_sources() {
        for forbidden in ["println!", "print!", "dbg!", "process::exit", "anyhow", "thread_rng"] {
            assert!(!code.contains(forbidden), "{} contains {forbidden}", path.display());
        }
    }
}

#[test]
fn only_the_system_layer_names_the_operating_system() {
    for (module, path, code) in library_sources() {
        for word in ["rustix", "signal_hook"] {
            assert!(module == "system" || !code.contains(word), "{} names {word}", path.display());
        }
        assert!(!code.contains("clap::"), "{} knows the command line", path.display());
    }
}
