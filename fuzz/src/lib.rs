//! Laws of Noughts that hold for any bytes.
//!
//! Each module has a function `law`. It turns bytes into a case, and panics if the case breaks the law. `fuzz_targets` has a
//! target of cargo-fuzz for each; the test `tests/fuzz_corpus.rs` of the program holds the laws against the inputs that
//! `corpus` keeps, with the stable compiler. `scripts/fuzz` runs both.
//!
//! | module | law |
//! |---|---|
//! | `commands` | a command or reply that is printed is read back as the same |
//! | `positions` | positions keep to plain rules, and are read back from what is printed |
//! | `conversation` | a conversation has all its answers, ends, and says only lines of its protocol |
//! | `hostile_engine` | whatever an engine says, a request ends with an answer to it or a failure in one line |
//! | `records` | records of matches and of proofs in parts are read back as the same, and damage adds no game |
//! | `specs` | settings that people write are read back as the same |
//! | `certificates` | a certificate that is accepted is right by plain alpha-beta |
//! | `solutions` | the moves of a solution that is accepted win by plain alpha-beta |
//! | `solver` | the solver and the tree search keep to plain alpha-beta |
//! | `playouts` | kernels agree with each other, and with the plain rules |
//!
//! `input.rs`, `script.rs` and `file.rs` hold what several of them need: choices, lines made of bytes, and files. The plain
//! rules and plain alpha-beta are those of `noughts-oracle`; the files of the tests that ask them are used here too.

pub mod certificates;
pub mod commands;
pub mod conversation;
mod file;
pub mod hostile_engine;
mod input;
#[path = "../../tests/common/oracle.rs"]
mod oracle;
pub mod playouts;
pub mod positions;
#[path = "../../tests/common/random_games.rs"]
mod random_games;
pub mod records;
mod script;
#[path = "../../tests/common/solution.rs"]
mod solution;
pub mod solutions;
pub mod solver;
pub mod specs;

/// Panics if the bytes are a case that breaks the law.
pub type Law = fn(&[u8]);

/// The laws by name.
pub const LAWS: [(&str, Law); 10] = [
    ("certificates", certificates::law),
    ("commands", commands::law),
    ("conversation", conversation::law),
    ("hostile_engine", hostile_engine::law),
    ("playouts", playouts::law),
    ("positions", positions::law),
    ("records", records::law),
    ("solutions", solutions::law),
    ("solver", solver::law),
    ("specs", specs::law),
];
