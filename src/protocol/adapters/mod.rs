//! Other languages than our own, for programs that were not written for this engine.
//!
//! A [`Dialect`] stands between a client and a session: it turns the client's lines into [`Command`]s, and the
//! session's [`Reply`]s into lines for the client. It is a client of the session like any other: it knows neither
//! rules nor searches, and asks (`query`) for everything about the game. What it keeps is what its protocol makes it
//! keep, such as the moves of a game whose last move can be taken back.
//!
//! | file | the language |
//! |---|---|
//! | `gomocup.rs` | the Gomocup (Piskvork) protocol of gomoku programs |
//! | `xboard.rs` | the Chess Engine Communication Protocol, version 2, of XBoard and WinBoard |
//!
//! Our own protocol, and with it UCI, needs no dialect. `inquiry.rs` asks the session, and `options.rs` finds the options that
//! a client names.

mod gomocup;
mod inquiry;
mod options;
mod xboard;

use std::fmt;

use crate::protocol::{Command, Line, Reply};

pub use gomocup::Gomocup;
pub use xboard::XBoard;

/// A state machine: a line or a reply goes in, commands and lines come out.
pub trait Dialect {
    /// Looks at a line as soon as it arrives, and again while it is the next, whatever is under way, and says whether
    /// that was all: otherwise the line waits for its turn. This is for what ends a search.
    fn at_once(&mut self, line: &Line, speech: &mut Speech) -> bool;

    /// Takes a line in its turn: only while nothing is awaited.
    fn hear(&mut self, line: &Line, speech: &mut Speech);

    /// Takes a reply of the session.
    fn reply(&mut self, reply: Reply, speech: &mut Speech);

    /// Says that a line is left out, for there is no room for it to wait.
    fn refuse(&mut self, line: &Line, speech: &mut Speech);

    /// Whether replies are awaited before the next line can be heard.
    fn is_busy(&self) -> bool;

    /// Learns that no more lines will come: what would go on for ever has to end.
    fn end_of_input(&mut self, _speech: &mut Speech) {}
}

/// The dialect that begins with this line, if it is one of another language than our own.
pub fn beginning_with(line: &Line) -> Option<Box<dyn Dialect + Send>> {
    let Line::Text(text) = line else { return None };
    let first = text.split([' ', '\t']).next().unwrap_or_default().to_ascii_lowercase();
    match first.as_str() {
        "start" | "rectstart" | "about" | "info" => Some(Box::new(Gomocup::default())),
        "xboard" | "protover" => Some(Box::new(XBoard::default())),
        _ => None,
    }
}

/// What a dialect says: commands to the session, lines to the client.
#[derive(Default)]
pub struct Speech {
    /// For the session, in this order.
    pub commands: Vec<Command>,
    /// For the client: whole lines.
    pub text: String,
}

impl Speech {
    fn command(&mut self, command: Command) {
        self.commands.push(command);
    }

    fn set_option(&mut self, name: &str, value: impl fmt::Display) {
        self.command(Command::SetOption { name: name.to_owned(), value: value.to_string() });
    }

    fn line(&mut self, line: impl fmt::Display) {
        self.text.push_str(&line.to_string());
        self.text.push('\n');
    }
}
