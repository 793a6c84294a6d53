//! `noughts eval` and `noughts trace`: questions of the protocol about a position, answered as the engine answers them.

use std::io::{self, Write};
use std::sync::mpsc::channel;
use std::time::Instant;

use anyhow::{Context, Error, Result};
use clap::Args;
use clap::builder::PossibleValuesParser;

use noughts::engine::TraceSearch;
use noughts::game::Position;
use noughts::protocol::InputLine;
use noughts::session::{Conversation, SearchThread, Session};

use super::arguments::{PositionArguments, whole};
use super::output::NOT_PRINTED;

/// The arguments of `noughts eval`.
#[derive(Args)]
pub struct EvalArguments {
    #[command(flatten)]
    position: PositionArguments,
    #[command(flatten)]
    seed: SeedArgument,
}

/// The arguments of `noughts trace`.
#[derive(Args)]
pub struct TraceArguments {
    /// The search.
    #[arg(value_name = "SEARCH", value_parser = PossibleValuesParser::new(TraceSearch::all().map(TraceSearch::name)))]
    search: String,
    #[command(flatten)]
    position: PositionArguments,
    #[command(flatten)]
    seed: SeedArgument,
    /// The most steps to print.
    #[arg(long, value_name = "N", value_parser = whole::<u32>(0..=u32::MAX.into()))]
    events: Option<u32>,
    /// Playouts, where the search plays any.
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=u64::MAX))]
    trials: Option<u64>,
}

/// Where random numbers begin.
#[derive(Args)]
struct SeedArgument {
    /// The seed of the random numbers: the same seed gives the same answer. 0 for another answer every time.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<u32>(0..=i32::MAX as u64))]
    seed: u32,
}

/// Prints the value of every square.
pub fn eval(arguments: &EvalArguments) -> Result<()> {
    ask(&arguments.position.position()?, arguments.seed.seed, "eval")
}

/// Prints the steps of a search.
pub fn trace(arguments: &TraceArguments) -> Result<()> {
    let limit = |name: &str, number: Option<u64>| number.map(|number| format!(" {name} {number}")).unwrap_or_default();
    let events = limit("events", arguments.events.map(u64::from));
    let question = format!("trace {}{events}{}", arguments.search, limit("trials", arguments.trials));
    ask(&arguments.position.position()?, arguments.seed.seed, &question)
}

/// Asks an engine about a position, and prints its answer as it comes.
fn ask(position: &Position, seed: u32, question: &str) -> Result<()> {
    let (wake, woken) = channel();
    // The receiver is gone if a search ends after this function.
    let searches = SearchThread::new(move || {
        let _ = wake.send(());
    });
    let mut conversation = Conversation::in_own_protocol(Session::default(), searches);
    let rules = position.rules();
    let options = [
        ("size", rules.shape().rows.to_string()),
        ("columns", rules.shape().columns.to_string()),
        ("connect", rules.connect().to_string()),
        ("reverse", rules.reverse().to_string()),
        ("seed", seed.to_string()),
    ];
    for (name, value) in options {
        conversation.preset(name, &value).map_err(Error::msg)?;
    }
    for line in [format!("position fen {}", position.diagram()), question.to_owned()] {
        conversation.receive(InputLine::Text(line), Instant::now());
    }
    conversation.end_of_input(Instant::now());
    let mut stdout = io::stdout().lock();
    loop {
        conversation.begin_round(Instant::now());
        conversation.proceed(Instant::now);
        let said: Vec<u8> = conversation.output().drain(..).collect();
        stdout.write_all(&said).and_then(|()| stdout.flush()).context(NOT_PRINTED)?;
        if conversation.is_over() {
            return Ok(());
        }
        if !conversation.has_work() {
            woken.recv().context("the search has ended without an answer")?;
        }
    }
}
