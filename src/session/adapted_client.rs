//! A client that speaks another protocol than ours: its adapter, and the lines that wait for it.

use std::collections::VecDeque;

use crate::protocol::adapters::{AdapterOutput, ForeignClient};
use crate::protocol::{InputLine, Reply};

use super::{Session, SessionPhase};

/// The most lines that wait.
const MAX_LINES: usize = 65_536;

/// An adapter, and the lines of its client that wait for their turn.
pub struct AdaptedClient {
    adapter: Box<dyn ForeignClient + Send>,
    waiting: VecDeque<InputLine>,
    waiting_bytes: usize,
    /// True if no more lines will come.
    pub input_ended: bool,
}

impl AdaptedClient {
    pub fn new(adapter: Box<dyn ForeignClient + Send>) -> AdaptedClient {
        AdaptedClient { adapter, waiting: VecDeque::new(), waiting_bytes: 0, input_ended: false }
    }

    /// True if another line may wait. One that comes nevertheless is kept, unless it might wait for ever.
    pub fn has_room(&self, session: &Session) -> bool {
        self.waiting.len() < MAX_LINES && self.waiting_bytes < session.limits().waiting
    }

    /// True if no line waits.
    pub fn is_idle(&self) -> bool {
        self.waiting.is_empty()
    }

    /// True if a line waits and the adapter waits for no reply.
    pub fn can_take_line(&self) -> bool {
        !self.waiting.is_empty() && !self.adapter.is_busy()
    }

    /// Takes a line, and returns what is to be said for it at once.
    pub fn receive(&mut self, line: InputLine, session: &Session) -> AdapterOutput {
        let mut output = AdapterOutput::default();
        if line.is_silent() || session.phase() != SessionPhase::Open {
            return output;
        }
        if is_caught_up(session) && self.adapter.handle_at_once(&line, &mut output) {
            return output;
        }
        if !self.has_room(session) && session.is_behind_unbounded_search() {
            self.adapter.refuse_line(&line, &mut output);
        } else {
            self.waiting_bytes += line.bytes();
            self.waiting.push_back(line);
        }
        output
    }

    /// Gives the adapter the next line; `None` if the line still waits and there is no command.
    pub fn take_next_line(&mut self, can_take_line: bool, session: &Session) -> Option<AdapterOutput> {
        let mut output = AdapterOutput::default();
        let line = self.waiting.front()?;
        let is_done = can_take_line || is_caught_up(session) && self.adapter.handle_at_once(line, &mut output);
        if can_take_line {
            self.adapter.handle_line(line, &mut output);
        }
        if is_done {
            self.waiting_bytes -= line.bytes();
            self.waiting.pop_front();
        }
        (is_done || !output.commands.is_empty()).then_some(output)
    }

    /// Drops the lines that wait.
    pub fn drop_lines(&mut self) {
        self.waiting.clear();
        self.waiting_bytes = 0;
    }

    /// Takes a reply of the session.
    pub fn reply(&mut self, reply: Reply) -> AdapterOutput {
        let mut output = AdapterOutput::default();
        self.adapter.handle_reply(reply, &mut output);
        output
    }

    /// Ends the input of the adapter. True if it has all its answers, so that the session may end.
    pub fn end(&mut self) -> (AdapterOutput, bool) {
        let mut output = AdapterOutput::default();
        self.adapter.end_of_input(&mut output);
        let is_done = output.commands.is_empty() && !self.adapter.is_busy();
        (output, is_done)
    }
}

/// True if the session has begun everything that the adapter asked for. Until then no line may end a search: a search
/// that has not begun would be over at once.
fn is_caught_up(session: &Session) -> bool {
    !session.has_work()
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::protocol::adapters::gomocup::GomocupClient;

    /// Hands in lines of so many bytes as long as there is room. Returns how many there were.
    fn filled(bytes: usize, session: &Session) -> usize {
        let mut client = AdaptedClient::new(Box::new(GomocupClient::default()));
        let line = InputLine::Text(format!("TURN {:0>1$}", 1, bytes - "TURN ".len()));
        let count = (0..).take_while(|_| {
            let has_room = client.has_room(session);
            client.receive(line.clone(), session);
            has_room
        });
        count.count()
    }

    #[test]
    fn as_many_lines_and_bytes_wait_as_are_allowed() {
        let session = Session::new(Instant::now());
        assert_eq!(filled(10, &session), MAX_LINES);
        let most = session.limits().waiting;
        for bytes in [1 << 12, 1 << 16, 60_000] {
            assert_eq!(filled(bytes, &session), most.div_ceil(bytes));
        }
    }
}
