//! Whole matches: perfect play against itself on 3x3, nine exchanges a game.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use crate::arena::{self, Limit, MatchSettings, Openings, Shard, Unobserved};
use crate::client::{EngineSpec, Interrupt, Surroundings};

use super::{median_of, row, rules};

/// Questions and answers in a game of perfect play.
const EXCHANGES: f64 = 9.0;

/// Matches of which the median counts.
const RUNS: usize = 5;

/// Measures matches. `bare` is the time of a bare ping-pong, and what an exchange is compared with.
pub fn run(out: &mut dyn Write, bare: Duration) -> io::Result<()> {
    writeln!(out, "\nmatches of perfect play on 3x3 {:>40}", "exchange to a bare ping-pong")?;
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
    Ok(())
}

fn games_a_second(games: u64, concurrency: usize, interleave: usize) -> io::Result<f64> {
    let engine = |name: &str| {
        let spec: EngineSpec = format!("name={name} cmd=noughts option.player=perfect").parse().map_err(other)?;
        Ok::<_, io::Error>(Arc::new(spec.set_up().map_err(other)?))
    };
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
    let surroundings =
        Surroundings { interrupt: Arc::new(Interrupt::new()?), log: None, start_limit: Duration::from_secs(10) };
    let played = arena::run(settings, &surroundings, Arc::new(Unobserved)).map_err(other)?;
    match played {
        arena::Played { summary, failure: None } => Ok(summary.games_per_second.unwrap_or(0.0)),
        arena::Played { failure: Some(failure), .. } => Err(other(failure)),
    }
}

fn other(error: impl std::error::Error + Send + Sync + 'static) -> io::Error {
    io::Error::other(error)
}
