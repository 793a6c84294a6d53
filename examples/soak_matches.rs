//! Plays matches of one game, one after the other in this process, for `scripts/soak`.
//!
//! ```sh
//! cargo run --release --example soak_matches -- target/release/noughts 1000 10
//! ```
//!
//! The arguments are the engine, the number of matches, and the number of halts. At each halt, after an equal share of the
//! matches, it writes how many it has played and waits for a line. Nothing of a match is left then: what this process
//! holds can be compared from halt to halt.

use std::error::Error;
use std::ffi::OsString;
use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::time::Duration;

use noughts::arena::{self, MatchSettings};
use noughts::client::{EngineSetup, EngineSpec, Interrupt, OrphanKiller, RunContext, kill_orphans, launch};
use noughts_core::game::Rules;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (engine, matches, halts) = match arguments[..] {
        // Each match starts this program again: as the process that becomes an engine, and as the one that ends the engines
        // if the match is killed.
        ["launch", parent, "--", program, ..] => {
            let rest = arguments[4..].iter().map(OsString::from).collect();
            match launch(parent.parse()?, program.into(), rest)? {}
        }
        ["guard"] => {
            kill_orphans(io::stdin().lock());
            return Ok(());
        }
        [engine, matches, halts] => (engine, matches, halts),
        _ => {
            eprintln!("usage: soak_matches ENGINE MATCHES HALTS");
            std::process::exit(2);
        }
    };
    let (matches, halts): (u64, u64) = (matches.parse()?, halts.parse()?);
    let engines = ["perfect", "random"].map(|player| set_up(engine, player));
    let engines = engines.into_iter().collect::<Result<Vec<_>, _>>()?;
    let mut go_on = io::stdin().lock().lines();
    for number in 1..=matches {
        play(&engines, number)?;
        if number % (matches / halts).max(1) == 0 {
            println!("{number}");
            io::stdout().flush()?;
            if go_on.next().transpose()?.is_none() {
                break;
            }
        }
    }
    Ok(())
}

fn set_up(command: &str, player: &str) -> Result<Arc<EngineSetup>, Box<dyn Error>> {
    let spec: EngineSpec = format!("name={player} option.player={player} cmd={command}").parse()?;
    Ok(Arc::new(spec.set_up()?))
}

/// A match of one game, with all that belongs to it, as `noughts match --games 1` plays it.
fn play(engines: &[Arc<EngineSetup>], seed: u64) -> Result<(), Box<dyn Error>> {
    let settings = MatchSettings {
        margin: Duration::from_secs(5),
        swap: false,
        games: 1,
        seed: Some(seed),
        ..MatchSettings::new(engines.to_vec(), Rules::new(3, 3, false)?)
    };
    let context = RunContext {
        interrupt: Arc::new(Interrupt::new()?),
        orphan_killer: Arc::new(OrphanKiller::start()?),
        log: None,
        start_limit: Duration::from_secs(60),
    };
    let outcome = arena::run(settings, &context, Arc::new(()))?;
    match outcome.failure {
        Some(failure) => Err(failure.into()),
        None if outcome.summary.games != 1 => Err("a match without its game".into()),
        None => Ok(()),
    }
}
