//! Commands that wait for their turn, in bounded memory.

use std::collections::VecDeque;

use crate::protocol::{Command, GoCommand, ParseError, PositionCommand};

/// The most commands that wait.
const MAX_COMMANDS: usize = 65_536;

/// A command that waits.
pub struct QueuedCommand {
    /// How many commands had been received before it.
    pub number: u64,
    /// The command; an erroneous one waits too, so that its error is reported where it happened.
    pub command: Result<Command, ParseError>,
    /// Set when a change of the game that came after it was refused.
    pub loses_sync: bool,
    /// What counts towards the bound, in bytes.
    bytes: usize,
    kind: QueuedKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum QueuedKind {
    Search { infinite: bool },
    Wait,
    Other,
}

impl QueuedCommand {
    /// A command that came as a line of so many bytes.
    pub fn new(number: u64, command: Result<Command, ParseError>, line_bytes: usize) -> QueuedCommand {
        let kind = match &command {
            Ok(Command::Go(go)) => QueuedKind::Search { infinite: go.limits.infinite || go.ponder },
            Ok(Command::Eval { .. } | Command::Explain(_) | Command::Trace(_)) => {
                QueuedKind::Search { infinite: false }
            }
            Ok(Command::Wait) => QueuedKind::Wait,
            _ => QueuedKind::Other,
        };
        let bytes = line_bytes.max(command.as_ref().map_or(0, list_bytes));
        QueuedCommand { number, command, loses_sync: false, bytes, kind }
    }

    /// True for a search that ends only by a `stop` that has not come.
    fn is_endless(&self, stopped_before: u64) -> bool {
        self.number >= stopped_before && self.kind == QueuedKind::Search { infinite: true }
    }
}

/// Roughly the bytes of the lists of a command. They can take many times the room of its line.
fn list_bytes(command: &Command) -> usize {
    match command {
        Command::Position(PositionCommand { diagram, moves }) => {
            let rows = diagram.as_ref().map_or(&[][..], |diagram| &diagram.rows);
            bytes_of(moves) + size_of_val(rows) + rows.iter().map(|row| bytes_of(&row.stones)).sum::<usize>()
        }
        Command::Go(GoCommand { search_moves, ignored, .. }) => {
            let words = ignored.iter().map(|word| word.capacity() + ALLOCATION_BYTES);
            bytes_of(search_moves) + bytes_of(ignored) + words.sum::<usize>()
        }
        Command::SetOption { name, value } => name.len() + value.len(),
        _ => 0,
    }
}

/// What a piece of memory may take beyond its size, in bytes: the allocator's own share, and the rounding.
const ALLOCATION_BYTES: usize = 32;

fn bytes_of<T>(list: &Vec<T>) -> usize {
    list.capacity() * size_of::<T>() + ALLOCATION_BYTES
}

/// Commands in the order of their arrival.
#[derive(Default)]
pub struct CommandQueue {
    commands: VecDeque<QueuedCommand>,
    bytes: usize,
    /// The numbers of the searches among them.
    searches: VecDeque<u64>,
}

impl CommandQueue {
    pub fn is_empty(&self) -> bool {
        self.commands.is_empty()
    }

    /// True if no more commands should come in, when so many bytes may wait. One that comes nevertheless is kept.
    pub fn is_full(&self, most: usize) -> bool {
        self.commands.len() >= MAX_COMMANDS || self.bytes >= most
    }

    pub fn push(&mut self, command: QueuedCommand) {
        self.bytes += command.bytes;
        if let QueuedKind::Search { .. } = command.kind {
            self.searches.push_back(command.number);
        }
        self.commands.push_back(command);
    }

    pub fn pop(&mut self) -> Option<QueuedCommand> {
        let command = self.commands.pop_front()?;
        self.bytes -= command.bytes;
        if let QueuedKind::Search { .. } = command.kind {
            self.searches.pop_front();
        }
        Some(command)
    }

    /// Marks the last command that waits: a change of the game that came after it was refused.
    pub fn lose_sync(&mut self) {
        if let Some(last) = self.commands.back_mut() {
            last.loses_sync = true;
        }
    }

    /// The number of the first search that waits.
    pub fn first_search(&self) -> Option<u64> {
        self.searches.front().copied()
    }

    /// The place behind the last `wait` that will have its turn: there is no endless search before it. Searches
    /// received before command `stopped_before` have been stopped and do end.
    pub fn behind_wait(&self, stopped_before: u64) -> Option<usize> {
        let ending = self.commands.iter().take_while(|command| !command.is_endless(stopped_before)).count();
        let last_wait = self.commands.iter().take(ending).rposition(|command| command.kind == QueuedKind::Wait);
        last_wait.map(|place| place + 1)
    }

    /// Drops everything from a place on.
    pub fn truncate(&mut self, place: usize) {
        while self.commands.len() > place {
            if let Some(command) = self.commands.pop_back() {
                self.bytes -= command.bytes;
                if let QueuedKind::Search { .. } = command.kind {
                    self.searches.pop_back();
                }
            }
        }
    }

    /// Drops what was received from command `number` on.
    pub fn drop_from(&mut self, number: u64) {
        self.truncate(self.commands.partition_point(|command| command.number < number));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queued_command_counts_its_lists_or_its_longer_line() {
        let bytes = |line: &str| QueuedCommand::new(0, line.parse(), line.len()).bytes;
        assert_eq!(bytes("gameover with many words behind it"), 34);
        assert_eq!(bytes("no command"), 10);
        assert!(bytes(&format!("go {}", "a ".repeat(1000))) >= 20_000);
        assert!(bytes(&format!("position fen {}x", "x/".repeat(1000))) >= 20_000);
        let mut queue = CommandQueue::default();
        queue.push(QueuedCommand::new(0, "isready".parse(), 7));
        assert!(queue.is_full(7) && !queue.is_full(8));
        queue.truncate(0);
        assert_eq!(queue.bytes, 0);
    }
}
