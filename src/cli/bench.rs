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
    /// Only measure, for about a minute, how well answers keep their time while every core is busy.
    #[arg(long, conflicts_with_all = ["signature", "proofs"])]
    latency: bool,
    /// How many answers of each kind --latency measures; by default fewer where the limit is long.
    #[arg(long, value_name = "N", requires = "latency", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    answers: Option<u32>,
}

/// Measures, and prints what was measured.
pub fn run(arguments: &BenchArguments) -> Result<()> {
    let scope = match *arguments {
        BenchArguments { signature: true, .. } => Scope::Signature,
        BenchArguments { proofs: true, .. } => Scope::Proofs,
        BenchArguments { latency: true, answers, .. } => Scope::Latency(answers),
        _ => Scope::All,
    };
    bench::run(scope, &mut io::stdout()).context("cannot measure, or write what was measured to standard output")
}
