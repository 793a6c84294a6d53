//! `noughts bench`: how fast the engine runs on this machine, and a signature of what it answers.
//!
//! Every number is a median of several runs. Machines are noisy: compare two programs in one run after the other on the
//! same machine, and compare ratios rather than absolute numbers.
//!
//! | file | what it measures |
//! |---|---|
//! | `signature.rs` | nothing: what the engine answers to fixed questions |
//! | `answers.rs` | single answers inside this process, and at the other end of two pipes |
//! | `proofs.rs` | proofs of empty boards and of hard positions |
//! | `playouts.rs` | playouts |
//! | `measure.rs` | medians and table lines, shared by the others |

mod answers;
mod measure;
mod playouts;
mod proofs;
mod signature;

use std::io::{self, Write};

pub use proofs::{HardPosition, hard_positions};
pub use signature::Signature;

/// The measurements of a benchmark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// Nothing. Only the signature is computed.
    Signature,
    /// Only proofs, also those that take up to a minute.
    Proofs,
    /// Everything except the proofs that take more than a few seconds.
    All,
}

/// Writes the signature, then measures and writes tables for people.
///
/// # Errors
/// When the program cannot be started at the other end of a pipe, or writing to `out` fails.
pub fn run(scope: Scope, out: &mut (dyn Write + Send)) -> io::Result<()> {
    writeln!(out, "signature  {}", Signature::compute())?;
    match scope {
        Scope::Signature => return Ok(()),
        Scope::Proofs => return proofs::run(true, out),
        Scope::All => {}
    }

    answers::tables(out)?;
    proofs::run(false, out)?;
    playouts::run(out)?;
    answers::run(out)?;
    answers::through_pipes(out)
}
