//! Commands that wait for their turn.
//!
//! Lines are kept as they came and parsed again when it is their turn: text is what the bounds are about, and what it
//! means may take many times its room.

use std::collections::VecDeque;

use crate::protocol::{Command, Line, ParseError};

/// The most lines that wait.
const MAX_LINES: usize = 65_536;

/// A line in its turn.
pub struct Entry {
    /// How many commands had been received before it.
    pub number: u64,
    /// The line; an erroneous one waits too, so that its error is reported where it happened.
    pub line: Line,
    /// A change of the game that came after it was refused.
    pub spoiled: bool,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Search { infinite: bool },
    Wait,
    Other,
}

impl Entry {
    /// An entry for a line that means `command`.
    pub fn new(number: u64, line: Line, command: &Result<Command, ParseError>) -> Entry {
        let kind = match command {
            Ok(Command::Go(go)) => Kind::Search { infinite: go.limits.infinite || go.ponder },
            Ok(Command::Eval { .. } | Command::Explain(_)) => Kind::Search { infinite: false },
            Ok(Command::Wait) => Kind::Wait,
            _ => Kind::Other,
        };
        Entry { number, line, spoiled: false, kind }
    }

    /// Whether this is a search that ends only by a `stop` that has not come.
    fn is_endless(&self, stopped_before: u64) -> bool {
        self.number >= stopped_before && self.kind == Kind::Search { infinite: true }
    }
}

/// Lines in the order of their arrival, in bounded memory.
#[derive(Default)]
pub struct Agenda {
    entries: VecDeque<Entry>,
    bytes: usize,
    /// The numbers of the searches among them.
    searches: VecDeque<u64>,
}

impl Agenda {
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Whether no more lines should come in, when so many bytes of text may wait. One that comes nevertheless is kept.
    pub fn is_full(&self, most: usize) -> bool {
        self.entries.len() >= MAX_LINES || self.bytes >= most
    }

    pub fn push(&mut self, entry: Entry) {
        self.bytes += entry.line.bytes();
        if let Kind::Search { .. } = entry.kind {
            self.searches.push_back(entry.number);
        }
        self.entries.push_back(entry);
    }

    pub fn pop(&mut self) -> Option<Entry> {
        let entry = self.entries.pop_front()?;
        self.bytes -= entry.line.bytes();
        if let Kind::Search { .. } = entry.kind {
            self.searches.pop_front();
        }
        Some(entry)
    }

    /// Remembers that a change of the game was refused after everything that waits.
    pub fn spoil(&mut self) {
        if let Some(last) = self.entries.back_mut() {
            last.spoiled = true;
        }
    }

    /// The number of the first search that waits.
    pub fn first_search(&self) -> Option<u64> {
        self.searches.front().copied()
    }

    /// The place behind the last `wait` that will have its turn: there is no endless search before it. Searches
    /// received before command `stopped_before` have been stopped and do end.
    pub fn behind_wait(&self, stopped_before: u64) -> Option<usize> {
        let ending = self.entries.iter().take_while(|entry| !entry.is_endless(stopped_before)).count();
        let last_wait = self.entries.iter().take(ending).rposition(|entry| entry.kind == Kind::Wait);
        last_wait.map(|place| place + 1)
    }

    /// Drops everything from a place on.
    pub fn truncate(&mut self, place: usize) {
        while self.entries.len() > place {
            if let Some(entry) = self.entries.pop_back() {
                self.bytes -= entry.line.bytes();
                if let Kind::Search { .. } = entry.kind {
                    self.searches.pop_back();
                }
            }
        }
    }

    /// Drops what was received from command `number` on.
    pub fn drop_from(&mut self, number: u64) {
        self.truncate(self.entries.partition_point(|entry| entry.number < number));
    }
}
