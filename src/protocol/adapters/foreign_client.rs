//! Clients that speak a foreign protocol to this program, which is their engine.
//!
//! A [`ForeignClient`] is a client of the session like any other. It knows neither rules nor searches, and asks the
//! session (`query`) for everything about the game. It keeps only what its protocol makes it keep, such as the moves of
//! a game whose last move can be taken back.

use std::fmt;

use crate::protocol::{Command, InputLine, Reply};

/// A state machine: a line of the client or a reply of the session goes in, commands and lines come out.
pub trait ForeignClient {
    /// Looks at a line as soon as it arrives, and again while it is the next, even during a search. Returns true if the
    /// line is done; otherwise it waits for its turn. This is for lines that end a search.
    fn handle_at_once(&mut self, line: &InputLine, output: &mut AdapterOutput) -> bool;

    /// Takes a line in its turn. The caller does this only while the adapter is not busy.
    fn handle_line(&mut self, line: &InputLine, output: &mut AdapterOutput);

    /// Takes a reply of the session.
    fn handle_reply(&mut self, reply: Reply, output: &mut AdapterOutput);

    /// Tells the client that a line is dropped because there is no room for it to wait.
    fn refuse_line(&mut self, line: &InputLine, output: &mut AdapterOutput);

    /// Whether the adapter waits for replies before it can take the next line.
    fn is_busy(&self) -> bool;

    /// Learns that no more lines will come. A search without end has to be stopped.
    fn end_of_input(&mut self, _output: &mut AdapterOutput) {}
}

/// What an adapter emits: commands to the session and lines to the client.
#[derive(Default)]
pub struct AdapterOutput {
    /// Commands for the session, in this order.
    pub commands: Vec<Command>,
    /// Text for the client: whole lines.
    pub text: String,
}

impl AdapterOutput {
    /// Adds a command for the session.
    pub(super) fn command(&mut self, command: Command) {
        self.commands.push(command);
    }

    /// Adds a `setoption` for the session.
    pub(super) fn set_option(&mut self, name: &str, value: impl fmt::Display) {
        self.command(Command::SetOption { name: name.to_owned(), value: value.to_string() });
    }

    /// Adds a line for the client.
    pub(super) fn line(&mut self, line: impl fmt::Display) {
        self.text.push_str(&line.to_string());
        self.text.push('\n');
    }
}
