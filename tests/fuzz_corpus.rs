//! The laws of `fuzz/` hold for every input that it keeps. `scripts/fuzz` looks for more.

use std::fs;
use std::ops::Range;
use std::path::Path;

// The laws are no crate that this one depends on, so that the fuzzer's own crates stay out of its build.
#[path = "../fuzz/src/lib.rs"]
#[allow(missing_docs)]
mod laws;

/// An input with the name that it has where it is kept.
type NamedInput = (String, Vec<u8>);

/// The files of an archive (POSIX ustar). Each has a header of one block and its bytes, which zeros fill up to whole blocks. A
/// block of zeros ends the archive.
fn files_of(archive: &[u8]) -> Vec<NamedInput> {
    const BLOCK: usize = 512;
    let mut files: Vec<NamedInput> = Vec::new();
    let mut rest = archive;
    while rest[0] != 0 {
        let (header, data) = rest.split_at(BLOCK);
        let field = |place: Range<usize>| str::from_utf8(&header[place]).expect("ASCII").trim_end_matches('\0');
        let number = |place| usize::from_str_radix(field(place), 8).expect("an octal number");
        let (name, size) = (field(0..100), number(124..136));
        // The same inputs make the same archive: sorted by name, of owner 0 and time 0.
        assert!(files.last().is_none_or(|(last, _)| **last < *name), "{name} is not sorted");
        let fixed = (field(100..108), number(108..116), number(116..124), number(136..148), field(156..157));
        assert_eq!(fixed, ("0000644", 0, 0, 0, "0"), "mode, owner, group, time and type of {name}");
        files.push((name.to_owned(), data[..size].to_owned()));
        rest = &data[size.next_multiple_of(BLOCK)..];
    }
    files
}

/// The files of a folder, sorted by name. None if there is no such folder.
fn files_in(folder: &Path) -> Vec<NamedInput> {
    let mut paths: Vec<_> =
        fs::read_dir(folder).into_iter().flatten().map(|file| file.expect("a file").path()).collect();
    paths.sort();
    paths.into_iter().map(|path| (path.display().to_string(), fs::read(&path).expect("an input"))).collect()
}

/// Holds a law against each input of its corpus, and against none at all. Returns how many there are.
fn replay(name: &str) -> usize {
    let (_, law) = laws::LAWS.into_iter().find(|(known, _)| *known == name).expect("a law of this name");
    law(&[]);
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz");
    let archive = fuzz.join("corpus").join(name).with_extension("tar");
    let mut inputs = files_of(&fs::read(&archive).expect("an archive"));
    // Inputs that broke the law once stay apart, where a law has any.
    inputs.extend(files_in(&fuzz.join("regressions").join(name)));
    for (input, data) in &inputs {
        // A law that is broken names its input.
        eprintln!("{name}: {input}");
        law(data);
    }
    inputs.len()
}

macro_rules! replays {
    ($($name:ident),*) => {
        $(#[test]
        fn $name() {
            assert!(replay(stringify!($name)) > 0, "the corpus is empty");
        })*

        #[test]
        fn every_law_is_replayed() {
            assert_eq!([$(stringify!($name)),*], laws::LAWS.map(|(name, _)| name));
        }
    };
}

replays!(certificates, commands, conversation, hostile_engine, playouts, positions, records, solutions, solver, specs);
