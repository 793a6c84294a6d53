//! Whole matches of perfect play against itself on 3x3, and whole exams.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::arena::{self, Limit, MatchSettings, Openings};
use crate::client::{EngineSetup, EngineSpec, Guard, Interrupt, RunContext};
use crate::exam::{self, ExamSettings, Selection};
use crate::system::Shard;
use noughts_core::search::Limits;

use super::measure::{median_of, row, rules};

/// Questions, each with its answer, in a game of perfect play.
const EXCHANGES: f64 = 9.0;

/// Questions of an exam of both rules.
const QUESTIONS: f64 = 2.0 * 4520.0;

/// How often each match and each exam is run. The median counts.
const RUNS: usize = 5;

/// Measures matches and exams. `bare` is the time of a bare ping-pong, with which an exchange is compared.
pub fn run(out: &mut dyn Write, bare: Duration) -> io::Result<()> {
    writeln!(out, "\nmatches and exams of perfect play, 3x3 {:>33}", "exchange to a bare ping-pong")?;
    for (name, games, concurrency, interleave) in [
        ("one game at a time", 4000, 1, 1),
        ("two at a time", 8000, 2, 1),
        ("two at a time, 64 interleaved", 50_000, 2, 64),
    ] {
        let speeds = (0..RUNS).map(|_| games_a_second(games, concurrency, interleave));
        let speed = median_of(speeds.collect::<io::Result<Vec<f64>>>()?);
        let exchange = 1.0 / speed / EXCHANGES;
        row(out, name, &format!("{speed:.0} games/s"), &format!("{:.1}", exchange / bare.as_secs_f64()))?;
    }
    let exam = median_of((0..RUNS).map(|_| exam_time()).collect::<io::Result<Vec<f64>>>()?);
    let ratio = exam / QUESTIONS / bare.as_secs_f64();
    row(out, "exam of both rules, 9,040 positions", &format!("{:.1} ms", exam * 1e3), &format!("{ratio:.1}"))
}

fn run_context() -> io::Result<RunContext> {
    let (interrupt, guard) = (Arc::new(Interrupt::new()?), Arc::new(Guard::start()?));
    Ok(RunContext { interrupt, guard, log: None, start_limit: Duration::from_secs(10) })
}

fn engine(name: &str) -> io::Result<Arc<EngineSetup>> {
    let spec: EngineSpec = format!("name={name} cmd=noughts option.player=perfect").parse().map_err(other)?;
    Ok(Arc::new(spec.set_up().map_err(other)?))
}

/// The seconds of an exam of perfect play under both rules, with the start of the engine.
fn exam_time() -> io::Result<f64> {
    let settings = ExamSettings {
        engine: engine("perfect")?,
        rules: vec![rules(3, 0, false), rules(3, 0, true)],
        selection: Selection::All,
        limits: Limits::default(),
        repeat: 1,
        ties: false,
        list: false,
        seed: 1,
        patience: Duration::from_secs(60),
        shard: Shard::default(),
        record: None,
        resume: false,
    };
    let start = Instant::now();
    match exam::run(&settings, &run_context()?, &()).failure {
        None => Ok(start.elapsed().as_secs_f64()),
        Some(failure) => Err(other(failure)),
    }
}

/// The games a second of a match of perfect play against itself.
fn games_a_second(games: u64, concurrency: usize, interleave: usize) -> io::Result<f64> {
    let settings = MatchSettings {
        engines: vec![engine("first")?, engine("second")?],
        gauntlet: false,
        rules: rules(3, 0, false),
        limit: Limit::None,
        margin: Duration::ZERO,
        patience: Duration::from_secs(60),
        openings: Openings::Start,
        balanced: false,
        swap: true,
        games,
        seed: Some(1),
        concurrency,
        interleave,
        pinned: true,
        sprt: None,
        record: None,
        pgn: None,
        resume: false,
        shard: Shard::default(),
        recover: false,
    };
    let outcome = arena::run(settings, &run_context()?, Arc::new(())).map_err(other)?;
    match outcome {
        arena::MatchOutcome { summary, failure: None } => Ok(summary.games_per_second.unwrap_or(0.0)),
        arena::MatchOutcome { failure: Some(failure), .. } => Err(other(failure)),
    }
}

fn other(error: impl std::error::Error + Send + Sync + 'static) -> io::Error {
    io::Error::other(error)
}
