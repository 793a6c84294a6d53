//! `noughts bench`: measures the engine on this machine.

use std::io;

use anyhow::{Context, Result};
use clap::Args;

use noughts::bench::{self, Scope};

/// The arguments of `noughts bench`.
#[derive(Args)]
pub struct BenchArguments {
    /// Only print the signature: what the engine answers to fixed questions, the same on every machine.
    #[arg(long, conflicts_with = "proofs")]
    signature: bool,
    /// Only measure proofs, including those that take up to a minute each.
    #[arg(long)]
    proofs: bool,
}

/// Measures, and prints what was measured.
pub fn run(arguments: &BenchArguments) -> Result<()> {
    let scope = match *arguments {
        BenchArguments { signature: true, .. } => Scope::Signature,
        BenchArguments { proofs: true, .. } => Scope::Proofs,
        _ => Scope::All,
    };
    bench::run(scope, &mut io::stdout()).context("cannot measure, or write what was measured to standard output")
}
