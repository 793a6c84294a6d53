//! The layers of the source: imports point down, and only the binary prints.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::{root, sources, text};

/// The folders of each floor from the ground up; a folder may use itself and the floors below its own.
const FLOORS: &[&[&str]] = &[
    &["text"],
    &["system"],
    &["engine"],
    &["protocol"],
    &["session", "client", "certificate", "known_values"],
    &["arena", "exam", "count", "tui", "web"],
    &["bench"],
];

fn library_sources() -> Vec<(String, PathBuf, String)> {
    let root = root().join("src");
    let mut found = Vec::new();
    for path in sources(&root) {
        let relative = path.strip_prefix(&root).expect("below src").to_owned();
        let first = relative.iter().next().expect("a name").to_string_lossy();
        let module = first.trim_end_matches(".rs").to_owned();
        if !["main", "lib", "cli"].contains(&module.as_str()) {
            let code = text(&path);
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

/// The files beside a file that it imports from: the words behind `super::` at the beginning of a line, its tests left out.
fn imported_siblings(path: &Path) -> BTreeSet<PathBuf> {
    let code = text(path);
    let code = code.split("#[cfg(test)]").next().unwrap_or_default();
    let words = code
        .lines()
        .filter_map(|line| line.split_once("use super::"))
        .map(|(_, rest)| rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>());
    // The siblings of a `mod.rs` are the folders and files beside its folder.
    let own = if path.ends_with("mod.rs") { path.parent().expect("a folder") } else { path };
    let beside = |word: String| {
        let folder = own.with_file_name(&word);
        let file = folder.with_extension("rs");
        if file.exists() { Some(file) } else { Some(folder.join("mod.rs")).filter(|file| file.exists()) }
    };
    words.filter_map(beside).collect()
}

#[test]
fn no_two_files_import_each_other() {
    let mut found = 0;
    for folder in
        ["src", "crates/core/src", "crates/check/src", "crates/oracle/src", "crates/page/src", "crates/python/src"]
    {
        for path in sources(&root().join(folder)) {
            for other in imported_siblings(&path) {
                assert!(!imported_siblings(&other).contains(&path), "{} and {}", path.display(), other.display());
                found += 1;
            }
        }
    }
    assert!(found > 100, "the imports were not found");
}

#[test]
fn the_library_neither_prints_nor_ends_the_process() {
    for (_, path, code) in library_sources() {
        // On Windows a handler ends the program where on Unix a signal does.
        let exit = if path.starts_with("system/windows") { None } else { Some("process::exit") };
        for forbidden in ["println!", "print!", "dbg!", "anyhow", "thread_rng"].into_iter().chain(exit) {
            assert!(!code.contains(forbidden), "{} contains {forbidden}", path.display());
        }
    }
}

#[test]
fn only_the_system_layer_names_the_operating_system() {
    for (module, path, code) in library_sources() {
        for word in ["rustix", "signal_hook", "command_group", "ctrlc"] {
            assert!(module == "system" || !code.contains(word), "{} names {word}", path.display());
        }
        assert!(!code.contains("clap::"), "{} knows the command line", path.display());
    }
}

/// Words that ask at compile time which system it is.
const FAMILY_WORDS: [&str; 4] = ["std::os::", "target_os", "unix", "windows"];

/// True if a line of code asks which operating system it is compiled for.
fn asks_for_the_system(line: &str) -> bool {
    let asks = line.contains("cfg") || line.contains("std::os::");
    // A web page has no system.
    let is_other = line.trim_start().starts_with("//") || line.contains("target_family = \"wasm\"");
    asks && !is_other && FAMILY_WORDS.iter().any(|word| line.contains(word))
}

#[test]
fn only_the_system_layer_depends_on_the_operating_system() {
    let root = root();
    assert!(asks_for_the_system("#[cfg(not(unix))]") && asks_for_the_system("use std::os::fd::AsFd;"));
    for folder in
        ["src", "crates/core/src", "crates/check/src", "crates/oracle/src", "crates/page/src", "crates/python/src"]
    {
        for path in sources(&root.join(folder)) {
            // Below a family's folder, only the kinds of Unix differ. One file chooses the family.
            if path.starts_with(root.join("src/system/unix")) || path.ends_with("src/system/mod.rs") {
                continue;
            }
            let is_windows = path.starts_with(root.join("src/system/windows"));
            let code = text(&path);
            for (line, number) in code.lines().zip(1..) {
                let is_allowed = is_windows && line.contains("std::os::windows");
                assert!(is_allowed || !asks_for_the_system(line), "{}:{number}: {line}", path.display());
            }
        }
    }
}

#[test]
fn every_family_of_systems_has_the_same_files() {
    let names = |family: &str| -> BTreeSet<PathBuf> {
        let folder = root().join("src/system").join(family);
        let files = sources(&folder).into_iter();
        files.map(|path| path.file_name().expect("a name").into()).collect()
    };
    let (unix, mut windows) = (names("unix"), names("windows"));
    // Pipes of Windows need threads.
    assert!(windows.remove(Path::new("pipe_threads.rs")));
    assert_eq!(unix, windows);
}
