//! The engine of the library in this process, as the engine of an exam or a match.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Instant;

use noughts::client::{Connection, Failure, Interrupt, RunContext};
use noughts::protocol::{InputLine, LineReader};
use noughts::session::{Conversation, SearchThread, Session};

use super::background::PAUSE;

/// A session of the library, driven by the thread of its client. Long searches have a thread of their own.
pub struct OwnEngine {
    interrupt: Arc<Interrupt>,
    conversation: Conversation,
    reader: LineReader,
    /// Something comes when a search has something to say.
    wakes: Receiver<()>,
}

impl OwnEngine {
    /// A session at its beginning.
    pub fn new(context: &RunContext) -> OwnEngine {
        let (waker, wakes) = channel();
        let searches = SearchThread::new(move || {
            let _ = waker.send(());
        });
        let conversation = Conversation::in_own_protocol(Session::default(), searches);
        OwnEngine { interrupt: Arc::clone(&context.interrupt), conversation, reader: LineReader::default(), wakes }
    }
}

impl Connection for OwnEngine {
    fn write(&mut self, bytes: &mut &[u8], _: Instant, _: &mut VecDeque<InputLine>) -> Result<(), Failure> {
        self.conversation.begin_round(Instant::now());
        while !bytes.is_empty() {
            if let Some(line) = self.reader.take(bytes) {
                self.conversation.receive(line, Instant::now());
            }
        }
        Ok(())
    }

    fn next_line(&mut self, deadline: Instant) -> Result<Option<InputLine>, Failure> {
        loop {
            if let Some(line) = self.arrived_line()? {
                return Ok(Some(line));
            }
            if self.interrupt.is_set() {
                return Err(Failure::Interrupted);
            }
            let now = Instant::now();
            self.conversation.begin_round(now);
            self.conversation.proceed(Instant::now);
            if self.conversation.has_work() || !self.conversation.output().is_empty() {
                continue;
            }
            if now >= deadline {
                return Ok(None);
            }
            let until = self.conversation.deadline().map_or(deadline, |alarm| alarm.min(deadline));
            let _ = self.wakes.recv_timeout(until.saturating_duration_since(now).min(PAUSE));
        }
    }

    fn arrived_line(&mut self) -> Result<Option<InputLine>, Failure> {
        let output = self.conversation.output();
        let Some(end) = output.iter().position(|&byte| byte == b'\n') else { return Ok(None) };
        let line: Vec<u8> = output.iter().take(end).copied().collect();
        self.conversation.take(end + 1);
        Ok(Some(InputLine::Text(String::from_utf8_lossy(&line).into_owned())))
    }

    fn close(&mut self) {}

    /// The end of the session stops its search.
    fn end(self: Box<Self>, _: Instant) {}
}
