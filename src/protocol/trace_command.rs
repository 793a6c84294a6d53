//! `trace`: which search to watch, and how much of it.

use std::fmt;
use std::num::NonZeroU64;

use nom::Parser;
use nom::combinator::map_opt;

use crate::engine::{TraceRequest, TraceSearch};

use super::go_command::{once, positive, twice};
use super::grammar::{Mismatch, Parsed, count, expect, word};

/// `trace <search> [events <count>] [trials <count>]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TraceCommand {
    /// The search.
    pub search: TraceSearch,
    /// The most lines of events, up to [`TraceRequest::MOST_EVENTS`].
    pub events: Option<u32>,
    /// Playouts, where the search plays any.
    pub trials: Option<NonZeroU64>,
}

impl fmt::Display for TraceCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "trace {}", self.search.name())?;
        self.events.iter().try_for_each(|events| write!(f, " events {events}"))?;
        self.trials.iter().try_for_each(|trials| write!(f, " trials {trials}"))
    }
}

/// The search that a word names.
fn search_name(text: &str) -> Parsed<'_, TraceSearch> {
    map_opt(word, |found: &str| TraceSearch::all().find(|search| search.name().eq_ignore_ascii_case(found))).parse(text)
}

/// A search, then its limits in any order, each once.
pub(super) fn trace_command(text: &str) -> Parsed<'_, TraceCommand> {
    let names: Vec<&str> = TraceSearch::all().map(TraceSearch::name).collect();
    let (last, others) = names.split_last().expect("there are searches");
    let (mut rest, search) = expect(format!("{} or {last}", others.join(", ")), search_name)(text)?;
    let mut command = TraceCommand { search, events: None, trials: None };
    while !rest.is_empty() {
        let (argument, name) = word(rest)?;
        let most = TraceRequest::MOST_EVENTS as u64;
        let set = match name.to_ascii_lowercase().as_str() {
            "events" => {
                let number = map_opt(count, |number| (number <= most).then_some(number as u32));
                let expected = format!("a whole number up to {most} after events");
                once(&mut command.events, expect(expected, number)(argument)?)
            }
            "trials" => once(&mut command.trials, positive("trials", argument)?),
            _ => {
                let expected = Some("events, trials or the end of the line".to_owned());
                return Err(nom::Err::Failure(Mismatch { found: rest, expected }));
            }
        };
        rest = set.ok_or_else(|| twice(name))?;
    }
    Ok((rest, command))
}
