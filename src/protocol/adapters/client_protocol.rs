//! The protocols that clients speak to this program, which is their engine.
//!
//! A [`ClientProtocol`] turns the lines of a client into commands for the session, and the replies of the session into
//! lines. It knows neither rules nor searches, and asks the session (`query`) for everything about the game. It keeps only
//! what its protocol makes it keep, such as the moves of a game whose last move can be taken back. Our own protocol keeps
//! nothing.

use std::fmt::{self, Write};

use crate::protocol::{Command, InputLine, Reply};

/// A state machine: a line of the client or a reply of the session goes in, commands and lines come out.
pub trait ClientProtocol: Send {
    /// Looks at a line that has to wait when it arrives. A foreign protocol that is busy sees it again while it is the next
    /// one. This is for lines that end a search. Returns `None` if the line is done; otherwise the line waits, and the result
    /// is its effect in its turn.
    fn handle_at_once(&mut self, line: &InputLine, output: &mut ProtocolOutput) -> Option<LineEffect>;

    /// Takes a line in its turn. The caller does this only while no search is under way and the protocol is not busy.
    fn handle_line(&mut self, line: &InputLine, output: &mut ProtocolOutput);

    /// Takes a reply of the session.
    fn handle_reply(&mut self, reply: Reply, output: &mut ProtocolOutput);

    /// Tells the client that a line is dropped because there is no room for it to wait.
    fn refuse_line(&mut self, line: &InputLine, output: &mut ProtocolOutput);

    /// True if the protocol waits for replies before it can take the next line.
    fn is_busy(&self) -> bool {
        false
    }

    /// Takes the comment by which clients of GTP end a search. In other protocols it is a comment.
    fn interrupt(&mut self, _output: &mut ProtocolOutput) {}

    /// Takes the end of the input. The protocol stops a search that would not end by itself.
    fn end_of_input(&mut self, _output: &mut ProtocolOutput) {}
}

/// The kind of request in a line that waits, as far as others depend on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineEffect {
    /// A search, which a later `stop` ends before it has begun. An endless one ends by nothing else.
    Search {
        /// True if nothing but a `stop` ends it.
        is_endless: bool,
    },
    /// Another game or position: if the line is lost, client and session disagree about the position.
    Change,
    /// Everything before the line is to be done before a `quit` counts.
    Wait,
    /// None of these.
    Other,
    /// It depends on the lines before it. A `quit` drops the line.
    Unknown,
}

/// The output of a protocol: commands for the session and lines for the client.
#[derive(Default)]
pub struct ProtocolOutput {
    /// Commands for the session, in this order.
    pub commands: Vec<Command>,
    /// Text for the client: whole lines.
    pub text: String,
}

impl ProtocolOutput {
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
        writeln!(self.text, "{line}").expect("a string takes everything");
    }
}
