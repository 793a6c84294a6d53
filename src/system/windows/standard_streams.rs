//! Standard input and output that never block, and one wait for both of them and a wake-up call.
//!
//! A thread reads the input ahead, another writes the output. That the output's reader has gone shows at the next write.

use std::io::{self, ErrorKind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::pipe_threads::{ReadAhead, Shared, WriteBehind, read_ahead, write_behind};
use crate::system::stream_events::{Interest, ReadOutcome, Readiness, StreamError, WriteOutcome, whole_lines};

/// The state that the threads share.
#[derive(Default)]
struct State {
    is_woken: bool,
    input: ReadAhead,
    output: WriteBehind,
}

/// Standard input and output, and the receiving end of the wake-up call.
pub struct StandardStreams(Arc<Shared<State>>);

/// Ends a wait, from any thread.
pub struct Waker(Arc<Shared<State>>);

impl Waker {
    /// Ends the wait under way, or the next one.
    pub fn wake(&self) {
        self.0.change(|state| state.is_woken = true);
    }
}

impl StandardStreams {
    /// The streams, and what ends a wait for them.
    ///
    /// # Errors
    /// When the system has no thread left.
    pub fn new() -> Result<(StandardStreams, Waker), StreamError> {
        let shared = Arc::new(Shared::<State>::default());
        read_ahead(&shared, io::stdin(), |state| &mut state.input).map_err(StreamError::Poll)?;
        write_behind(&shared, io::stdout(), |state| &mut state.output).map_err(StreamError::Poll)?;
        Ok((StandardStreams(Arc::clone(&shared)), Waker(shared)))
    }

    /// Waits until something can be done, [`Waker::wake`] was called, or this time has passed.
    ///
    /// # Errors
    /// When the output cannot be written though its reader is there.
    pub fn wait(&mut self, interest: Interest, timeout: Option<Duration>) -> Result<Readiness, StreamError> {
        let deadline = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        let mut state = self.0.lock();
        loop {
            let output_gone = match state.output.failure() {
                None => false,
                Some(error) if is_reader_gone(error) => true,
                Some(error) => return Err(failed(error)),
            };
            let readable = interest.read && state.input.is_readable();
            let input_gone = state.input.has_ended();
            let has_room = interest.write && state.output.unwritten() == 0;
            let is_woken = std::mem::take(&mut state.is_woken);
            let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            let is_event = is_woken || output_gone || readable || has_room || (interest.input_end && input_gone);
            if is_event || left == Some(Duration::ZERO) {
                return Ok(Readiness { readable, input_gone, output_gone });
            }
            state = self.0.wait(state, left).0;
        }
    }

    /// Reads what has come.
    pub fn read(&mut self, bytes: &mut [u8]) -> ReadOutcome {
        match self.0.change(|state| state.input.read(bytes)) {
            Ok(0) => ReadOutcome::Ended,
            Ok(read) => ReadOutcome::Bytes(read),
            Err(_) => ReadOutcome::Nothing,
        }
    }

    /// Hands as many of these bytes to the writing thread as a pipe with room takes, unless it is still writing: whole lines
    /// as far as that is possible.
    ///
    /// # Errors
    /// When the output cannot be written though its reader is there.
    pub fn write(&mut self, bytes: &[u8]) -> Result<WriteOutcome, StreamError> {
        let bytes = whole_lines(bytes);
        self.0.change(|state| match state.output.failure() {
            Some(error) if is_reader_gone(error) => Ok(WriteOutcome::ReaderGone),
            Some(error) => Err(failed(error)),
            None if state.output.unwritten() > 0 => Ok(WriteOutcome::Full),
            None => {
                state.output.push(bytes);
                Ok(WriteOutcome::Bytes(bytes.len()))
            }
        })
    }

    /// Bytes that [`StandardStreams::write`] has taken and not yet written.
    pub fn unwritten(&self) -> usize {
        self.0.lock().output.unwritten()
    }

    /// `None`: this system does not report how much of the output was read.
    pub fn unread_output(&self) -> Option<u64> {
        None
    }
}

fn is_reader_gone(error: &io::Error) -> bool {
    error.kind() == ErrorKind::BrokenPipe
}

/// The failure of a write. The error itself stays where it is.
fn failed(error: &io::Error) -> StreamError {
    let same = error.raw_os_error().map(io::Error::from_raw_os_error);
    StreamError::Write(same.unwrap_or_else(|| error.kind().into()))
}
