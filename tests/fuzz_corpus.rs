//! The laws of `fuzz/` hold for every input that it keeps. `scripts/fuzz` looks for more.

use std::fs;
use std::path::Path;

// The laws are no crate that this one depends on, so that the fuzzer's own crates stay out of its build.
#[path = "../fuzz/src/lib.rs"]
#[allow(missing_docs)]
mod laws;

/// Holds a law against each input of its corpus, and against none at all. Returns how many there are.
fn replay(name: &str) -> usize {
    let (_, law) = laws::LAWS.into_iter().find(|(known, _)| *known == name).expect("a law of this name");
    law(&[]);
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz");
    // Inputs that broke the law once stay apart, where a law has any.
    let regressions = fs::read_dir(fuzz.join("regressions").join(name)).into_iter().flatten();
    let corpus = fs::read_dir(fuzz.join("corpus").join(name)).expect("a corpus");
    let mut files: Vec<_> = corpus.chain(regressions).map(|file| file.expect("a file").path()).collect();
    files.sort();
    for file in &files {
        // A law that is broken names its input.
        eprintln!("{}", file.display());
        law(&fs::read(file).expect("an input"));
    }
    files.len()
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

replays!(certificates, commands, conversation, hostile_engine, playouts, positions, records, solver, specs);
