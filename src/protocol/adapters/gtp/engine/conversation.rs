//! Numbered commands, and the responses to them.
//!
//! A response belongs to the command whose number it repeats. Engines may leave the number out: then it belongs to the
//! oldest command without a response. Responses come in the order of the commands, so one takes those off the list that
//! were passed over.

use std::collections::VecDeque;

use crate::protocol::InputLine;

/// The most text of a response, in bytes. A longer one loses the lines behind that.
const MOST_TEXT: usize = 64 << 10;

/// What the response to a command is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// A part of the introduction: the version of the protocol, name and version of the engine, its commands.
    Protocol,
    Title,
    Commands,
    /// `readyok`.
    Ready,
    /// Stones on the board.
    Board,
    Time,
    Move,
    /// Nothing, unless it is an error.
    Other,
}

/// A command whose response is missing.
pub struct Sent {
    pub id: u64,
    pub line: String,
    /// What the response is for.
    pub purpose: Purpose,
}

/// A response without its number.
pub struct Response {
    id: Option<u64>,
    /// The number of the last command before it began. Later ones are none of its.
    newest: u64,
    pub is_error: bool,
    pub text: String,
}

impl Response {
    /// The response that begins with this line, after the command with the number `newest`.
    fn begin(line: &str, newest: u64) -> Option<Response> {
        let rest = line.strip_prefix(['=', '?'])?;
        let (id, text) = rest.split_at(rest.bytes().take_while(u8::is_ascii_digit).count());
        // No command has the greatest number.
        let id = (!id.is_empty()).then(|| id.parse().unwrap_or(u64::MAX));
        Some(Response { id, newest, is_error: line.starts_with('?'), text: text.trim_start().to_owned() })
    }

    pub fn first_line(&self) -> &str {
        self.text.lines().next().unwrap_or_default()
    }
}

/// What a line of the engine is.
pub enum Heard {
    /// A line within a response.
    Part,
    /// The end of a response.
    Whole(Response),
    /// A line of no response.
    Outside(String),
}

/// The commands whose responses are missing, the oldest first, and the response that has begun.
#[derive(Default)]
pub struct Conversation {
    last: u64,
    sent: VecDeque<Sent>,
    partial: Option<Response>,
}

impl Conversation {
    /// Writes a command. Returns its number.
    pub fn write(&mut self, line: &str, purpose: Purpose, text: &mut String) -> u64 {
        self.last += 1;
        text.push_str(&format!("{} {line}\n", self.last));
        self.sent.push_back(Sent { id: self.last, line: line.to_owned(), purpose });
        self.last
    }

    /// Takes a line of the engine. A blank line ends a response.
    pub fn hear(&mut self, line: InputLine) -> Heard {
        let text = match line {
            InputLine::Text(text) => text,
            // Unreadable bytes may still stand in a response.
            line => line.to_string().trim_matches('"').to_owned(),
        };
        match &mut self.partial {
            Some(_) if text.is_empty() => self.partial.take().map_or(Heard::Part, Heard::Whole),
            Some(partial) => {
                if partial.text.len() < MOST_TEXT {
                    partial.text.extend(["\n", &text]);
                }
                Heard::Part
            }
            None => {
                self.partial = Response::begin(&text, self.last);
                if self.partial.is_some() { Heard::Part } else { Heard::Outside(text) }
            }
        }
    }

    /// The command that a response belongs to, behind those that were passed over. None for a response that nobody waits
    /// for. `fits` says whether a response without a number can be one to the oldest command.
    pub fn answered(&mut self, response: &Response, fits: impl Fn(&Sent) -> bool) -> Vec<Sent> {
        let place = match response.id {
            Some(id) => self.sent.iter().position(|sent| sent.id == id),
            None => self.sent.front().filter(|sent| fits(sent)).map(|_| 0),
        };
        let place = place.filter(|&place| self.sent[place].id <= response.newest);
        place.map_or_else(Vec::new, |place| self.sent.drain(..=place).collect())
    }
}
