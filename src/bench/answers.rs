//! The tables of perfect play, and single answers, inside this process.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use crate::protocol::InputLine;
use crate::session::{Conversation, SearchThread, Session};
use noughts_core::search::ValueTable;

use super::measure::{median, microseconds, row, rules};

/// Measures how long the tables of perfect play on 3x3 take to build.
pub fn tables(out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\nperfect play, in this process")?;
    for (name, reverse) in [("3x3 table, all 5,478 positions", false), ("3x3 table, reverse rules", true)] {
        let rules = rules(3, 0, reverse);
        row(out, name, &microseconds(median(20, || drop(ValueTable::build(rules)))), "")?;
    }
    Ok(())
}

/// Measures single answers.
pub fn run(out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\none answer, in this process")?;
    row(out, "go, perfect, 3x3", &microseconds(session_time("setoption player perfect", "go")), "")?;
    let thousand = session_time("setoption player montecarlo", "go trials 1000");
    row(out, "go trials 1000, montecarlo, 3x3", &microseconds(thousand), "")
}

/// The time from a line to its answer in a session in memory.
fn session_time(setup: &str, line: &str) -> Duration {
    let mut conversation = Conversation::new(Session::default(), SearchThread::new(|| {}));
    conversation.receive(InputLine::Text(setup.to_owned()), Instant::now());
    let line = InputLine::Text(line.to_owned());
    median(200, || {
        let now = Instant::now();
        conversation.begin_round(now);
        conversation.receive(line.clone(), now);
        conversation.proceed(Instant::now);
        conversation.output().clear();
    })
}
