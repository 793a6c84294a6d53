//! `noughts bench`: how fast this machine runs the engine, and a signature of what the engine answers.
//!
//! Every figure is a median of several runs. Machines are noisy: compare two programs in one sitting, and look at
//! ratios before absolute numbers.

mod contests;
mod latency;
mod pipes;
mod playouts;
mod proofs;
mod signature;

use std::io::{self, Write};
use std::time::{Duration, Instant};

use crate::protocol::Line;
use crate::session::Session;
use noughts_core::game::Rules;
use noughts_core::search::ValueTable;

pub use proofs::{HardPosition, hard_positions};
pub use signature::Signature;

/// Times each thing is measured; the median is shown.
const RUNS: usize = 15;

/// What is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// Nothing: only the signature is computed.
    Signature,
    /// Proofs alone, with those that take up to a minute.
    Proofs,
    /// Answers against their limits of time on a busy machine, alone: so many of each, or the usual numbers.
    Latency(Option<u32>),
    /// Everything else, but the proofs that take more than some seconds.
    All,
}

/// Writes the signature, measures what is asked for and writes tables for people.
///
/// # Errors
/// When the program cannot be started at the other end of a pipe, or `out` takes no more.
pub fn run(scope: Scope, out: &mut (dyn Write + Send)) -> io::Result<()> {
    writeln!(out, "signature  {}", Signature::compute())?;
    match scope {
        Scope::Signature => return Ok(()),
        Scope::Proofs => return proofs::run(true, out),
        Scope::Latency(answers) => return latency::run(answers, out),
        Scope::All => {}
    }

    writeln!(out, "\nperfect play, in this process")?;
    for (name, reverse) in [("3x3 table, all 5,478 positions", false), ("3x3 table, reverse rules", true)] {
        let rules = rules(3, 0, reverse);
        row(out, name, &microseconds(median(20, || drop(ValueTable::build(rules)))), "")?;
    }

    proofs::run(false, out)?;

    playouts::run(out)?;

    writeln!(out, "\none answer, in this process")?;
    row(out, "go, perfect, 3x3", &microseconds(session_time("setoption player perfect", "go")), "")?;
    let thousand = session_time("setoption player montecarlo", "go trials 1000");
    row(out, "go trials 1000, montecarlo, 3x3", &microseconds(thousand), "")?;

    let bare = pipes::run(out)?;
    contests::run(out, bare)
}

fn rules(size: u8, connect: u16, reverse: bool) -> Rules {
    Rules::new(size, connect, reverse).expect("the rules of the benchmark are within range")
}

/// A line of the table.
fn row(out: &mut dyn Write, name: &str, figure: &str, ratio: &str) -> io::Result<()> {
    writeln!(out, "{}", format!("  {name:<36}{figure:>18}{ratio:>18}").trim_end())
}

fn microseconds(time: Duration) -> String {
    format!("{:.2} us", time.as_secs_f64() * 1e6)
}

/// The median time of one call, over [`RUNS`] runs of `calls` calls each, after a run to warm up.
fn median(calls: u32, mut call: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..=RUNS)
        .map(|_| {
            let start = Instant::now();
            (0..calls).for_each(|_| call());
            start.elapsed() / calls
        })
        .skip(1)
        .collect();
    times.sort_unstable();
    times[times.len() / 2]
}

/// The median of some figures.
fn median_of(mut figures: Vec<f64>) -> f64 {
    figures.sort_unstable_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// The time from a line to its answer in a session in memory.
fn session_time(setup: &str, line: &str) -> Duration {
    let mut session = Session::new(|| {});
    session.receive(Line::Text(setup.to_owned()));
    let line = Line::Text(line.to_owned());
    median(200, || {
        session.begin_round();
        session.receive(line.clone());
        session.proceed();
        session.output().clear();
    })
}
