//! Commands that wait for their turn.

use std::collections::VecDeque;

use crate::protocol::{Command, ParseError};

/// The most commands that wait.
pub const MAX_COMMANDS: usize = 65_536;

/// The most text that waits, in bytes.
pub const MAX_BYTES: usize = 16 << 20;

/// A command in its turn, or a line that turned out to be none.
pub struct Entry {
    /// How many commands had been received before it.
    pub number: u64,
    /// What to do. An error waits too, so that it is reported where it happened.
    pub command: Result<Command, ParseError>,
    /// The length of its line.
    pub bytes: usize,
    /// A change of the game that came after it was refused.
    pub spoiled: bool,
}

impl Entry {
    fn is_search(&self) -> bool {
        matches!(self.command, Ok(Command::Go(_) | Command::Eval))
    }

    /// Whether this search ends only by a `stop` that has not come.
    fn is_endless(&self, stopped_before: u64) -> bool {
        self.number >= stopped_before && matches!(&self.command, Ok(Command::Go(go)) if go.limits.infinite)
    }
}

/// Commands in the order of their arrival, in bounded memory.
#[derive(Default)]
pub struct Agenda {
    entries: VecDeque<Entry>,
    bytes: usize,
}

impl Agenda {
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Whether no more commands should come in. One that comes nevertheless is kept.
    pub fn is_full(&self) -> bool {
        self.entries.len() >= MAX_COMMANDS || self.bytes >= MAX_BYTES
    }

    pub fn push(&mut self, entry: Entry) {
        self.bytes += entry.bytes;
        self.entries.push_back(entry);
    }

    pub fn pop(&mut self) -> Option<Entry> {
        let entry = self.entries.pop_front()?;
        self.bytes -= entry.bytes;
        Some(entry)
    }

    /// Remembers that a change of the game was refused after everything that waits.
    pub fn spoil(&mut self) {
        if let Some(last) = self.entries.back_mut() {
            last.spoiled = true;
        }
    }

    /// Whether a search waits that was received before command `number`.
    pub fn has_search_before(&self, number: u64) -> bool {
        self.entries.iter().take_while(|entry| entry.number < number).any(Entry::is_search)
    }

    /// Whether a `wait` will have its turn: there is one, and no endless search before it. Searches received before
    /// command `stopped_before` have been stopped and do end.
    pub fn reaches_wait(&self, stopped_before: u64) -> bool {
        let ending = self.entries.iter().take_while(|entry| !entry.is_endless(stopped_before));
        ending.map(|entry| &entry.command).any(|command| matches!(command, Ok(Command::Wait)))
    }

    /// Puts a `quit` behind everything that ends by itself.
    pub fn push_quit(&mut self, number: u64, stopped_before: u64) {
        let endless = self.entries.iter().position(|entry| entry.is_endless(stopped_before));
        let quit = Entry { number, command: Ok(Command::Quit), bytes: 0, spoiled: false };
        self.entries.insert(endless.unwrap_or(self.entries.len()), quit);
    }

    /// Drops what was received from command `number` on.
    pub fn drop_from(&mut self, number: u64) {
        self.entries.retain(|entry| entry.number < number);
        self.bytes = self.entries.iter().map(|entry| entry.bytes).sum();
    }
}
