//! Native driver: a conversation on standard input and output.
//!
//! One loop waits for everything at once: lines to read, room to write, the search thread, and readers or writers that have
//! gone. It never blocks in a read or a write, so a client that does not read cannot keep it from seeing a `quit` or the end
//! of the input. Signals keep their default action: they end the process.

use std::ops::Range;
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::protocol::LineReader;
use crate::protocol::adapters::ClientProtocol;
use crate::system::{Interest, ReadOutcome, StandardStreams, StreamError, WriteOutcome};

use super::{Conversation, SearchThread, Session, SessionPhase};

/// The most that is read at once, in bytes.
const READ_BYTES: usize = 64 << 10;

/// The time that the loop waits after `quit` for a reader that takes nothing.
const PATIENCE_AFTER_QUIT: Duration = Duration::from_millis(500);

/// The time that the loop waits for a reader that takes nothing: after the end of the input, and after `quit` if there was
/// a `wait` before it.
const PATIENCE_AFTER_INPUT: Duration = Duration::from_secs(2);

/// The reason why a session on standard input and output failed.
#[derive(Debug, Error)]
pub enum StdioError {
    /// An option does not take the value that it was to begin with.
    #[error("{0}")]
    Option(String),
    /// The streams cannot be used.
    #[error(transparent)]
    Stream(#[from] StreamError),
}

/// The end of a session on standard input and output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// Everything was done and read.
    Done,
    /// The output had no reader any more.
    ReaderGone,
    /// After `quit` the reader took no output.
    ReaderStalledAfterQuit,
    /// After the end of the input the reader took no output; so many bytes of it are lost.
    ReaderStalled(usize),
}

/// Runs a session on standard input and output until it is over, with these options set before the first line. Without a
/// protocol, the first line of the client chooses one.
///
/// # Errors
/// When an option cannot be set, or the output cannot be written though its reader is there.
pub fn run(options: &[(String, String)], protocol: Option<Box<dyn ClientProtocol>>) -> Result<Exit, StdioError> {
    let (streams, waker) = StandardStreams::new()?;
    let searches = SearchThread::new(move || waker.wake());
    let conversation = Conversation::new(Session::default(), searches);
    let mut conversation = match protocol {
        Some(protocol) => conversation.speaking(protocol),
        None => conversation,
    };
    for (name, value) in options {
        conversation.preset(name, value).map_err(StdioError::Option)?;
    }
    let stdio = Stdio {
        conversation,
        streams,
        reader: LineReader::default(),
        bytes: vec![0; READ_BYTES].into_boxed_slice(),
        unfed: 0..0,
        input: InputState::Open,
        stall: None,
    };
    Ok(stdio.run()?)
}

/// The state of standard input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum InputState {
    Open,
    /// Its writer has gone, but there may be something left to read.
    HungUp,
    /// Everything has been read.
    Ended,
}

struct Stdio {
    conversation: Conversation,
    streams: StandardStreams,
    reader: LineReader,
    /// Bytes that have been read, and which of them the conversation has not had yet.
    bytes: Box<[u8]>,
    unfed: Range<usize>,
    input: InputState,
    /// Set while the end has come, output waits, and the reader takes none.
    stall: Option<Stall>,
}

/// Output that the reader does not take.
struct Stall {
    since: Instant,
    /// Bytes that were written before and not yet read, where the system reports it. A pipe has no room for more until
    /// a whole page of it has been read, and a slow reader may take long for that.
    unread: Option<u64>,
}

impl Stall {
    fn begin(streams: &StandardStreams) -> Stall {
        Stall { since: Instant::now(), unread: streams.unread_output() }
    }
}

impl Stdio {
    fn run(mut self) -> Result<Exit, StreamError> {
        loop {
            let now = Instant::now();
            self.conversation.begin_round(now);
            self.feed(now);
            self.conversation.proceed(Instant::now);
            if !self.write()? {
                return Ok(Exit::ReaderGone);
            }
            self.conversation.drop_progress();
            let waiting = self.unwritten();
            if waiting == 0 && self.conversation.is_over() {
                return Ok(Exit::Done);
            }
            let patience = self.patience();
            if patience == Some(Duration::ZERO) {
                let lost = Exit::ReaderStalled(waiting);
                return Ok(if self.quits_at_once() { Exit::ReaderStalledAfterQuit } else { lost });
            }
            if !self.wait(patience)? {
                return Ok(Exit::ReaderGone);
            }
        }
    }

    /// Hands the bytes that have been read to the conversation, as far as it wants them: all at once, for a `stop` may be
    /// among them. `now` is the time of the first line.
    fn feed(&mut self, mut now: Instant) {
        let mut bytes = &self.bytes[self.unfed.clone()];
        while !bytes.is_empty() && self.conversation.wants_input() {
            let before = bytes;
            let line = self.reader.take(&mut bytes);
            self.conversation.note_input(&before[..before.len() - bytes.len()]);
            if let Some(line) = line {
                self.conversation.receive(line, now);
                if !bytes.is_empty() {
                    now = Instant::now();
                }
            }
        }
        self.unfed.start = self.unfed.end - bytes.len();
        if self.input == InputState::Ended && self.unfed.is_empty() && self.conversation.phase() == SessionPhase::Open {
            if let Some(line) = self.reader.last() {
                self.conversation.receive(line, Instant::now());
            }
            self.conversation.end_of_input(Instant::now());
        }
    }

    /// Writes what can be written without blocking. Returns false if the output has no reader any more.
    fn write(&mut self) -> Result<bool, StreamError> {
        while !self.conversation.output().is_empty() {
            match self.streams.write(self.conversation.output().make_contiguous())? {
                WriteOutcome::Bytes(written) => {
                    self.conversation.take(written);
                    self.stall = None;
                }
                WriteOutcome::Full => break,
                WriteOutcome::ReaderGone => return Ok(false),
            }
        }
        Ok(true)
    }

    /// Bytes that the reader has not had yet.
    fn unwritten(&mut self) -> usize {
        self.conversation.output().len() + self.streams.unwritten()
    }

    /// True if the client quits and has never asked to wait for anything.
    fn quits_at_once(&self) -> bool {
        self.conversation.phase() == SessionPhase::Quit && !self.conversation.has_been_asked_to_wait()
    }

    /// The time that the loop still waits for a reader that takes nothing. `None`, for ever, while the conversation goes on
    /// or there is nothing to take.
    fn patience(&mut self) -> Option<Duration> {
        let patience = match self.conversation.phase() {
            _ if self.unwritten() == 0 => None,
            _ if self.quits_at_once() => Some(PATIENCE_AFTER_QUIT),
            SessionPhase::Quit | SessionPhase::QuitHeld | SessionPhase::InputEnded => Some(PATIENCE_AFTER_INPUT),
            SessionPhase::Open => (self.input != InputState::Open).then_some(PATIENCE_AFTER_INPUT),
        };
        let Some(patience) = patience else {
            self.stall = None;
            return None;
        };
        let stall = self.stall.get_or_insert_with(|| Stall::begin(&self.streams));
        if stall.since.elapsed() >= patience {
            let now = Stall::begin(&self.streams);
            if now.unread != stall.unread {
                *stall = now;
            }
        }
        Some(patience.saturating_sub(stall.since.elapsed()))
    }

    /// Waits until something can be done, `patience` at the longest, and reads if there is something to read. Returns false if
    /// the output has no reader any more.
    fn wait(&mut self, patience: Option<Duration>) -> Result<bool, StreamError> {
        let wants_input = self.conversation.wants_input();
        let reads = self.input != InputState::Ended && self.unfed.is_empty() && wants_input;
        let works = self.conversation.has_work() || (!self.unfed.is_empty() && wants_input);
        // Each side is watched until it is known to have gone.
        let write = self.unwritten() > 0;
        let interest = Interest { read: reads, input_end: self.input == InputState::Open, write };
        let alarm = self.conversation.deadline().map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let patience = if works { Some(Duration::ZERO) } else { patience.into_iter().chain(alarm).min() };
        let ready = self.streams.wait(interest, patience)?;
        if ready.readable && !ready.output_gone {
            match self.streams.read(&mut self.bytes) {
                ReadOutcome::Bytes(read) => self.unfed = 0..read,
                ReadOutcome::Nothing => {}
                ReadOutcome::Ended => self.input = InputState::Ended,
            }
        } else if self.input == InputState::Open && ready.input_gone {
            self.input = InputState::HungUp;
        }
        Ok(!ready.output_gone)
    }
}
