//! A session on standard input and output.
//!
//! One loop waits for everything at once, with `poll`: lines to read, room to write, the search thread, and
//! readers or writers that have gone. It never blocks in a read or a write, so a client that does not read cannot
//! keep it from seeing a `quit` or the end of the input. Signals keep their default action: they end the process.

use std::fmt;
use std::io::{self, PipeReader, Read, Write};
use std::ops::Range;
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use crate::protocol::LineReader;

use super::{Conversation, Ending, Session};

/// What is read at once, in bytes.
const READ_BYTES: usize = 64 << 10;

/// What a pipe with room takes without blocking, in bytes.
const WRITE_BYTES: usize = 4096;

/// How long a reader that takes nothing is waited for after `quit`.
const PATIENCE_AFTER_QUIT: Duration = Duration::from_millis(500);

/// How long a reader that takes nothing is waited for after the end of the input, and after `quit` when there was a
/// `wait` before it.
const PATIENCE_AFTER_INPUT: Duration = Duration::from_secs(2);

/// Why a session on standard input and output failed.
#[derive(Debug)]
pub enum StdioError {
    /// There is no pipe to be woken through.
    Wake(io::Error),
    /// An option does not take the value that it was to begin with.
    Option(String),
    /// Waiting failed.
    Poll(io::Error),
    /// The output cannot be written, though somebody is there to read it: a full disk, for one.
    Write(io::Error),
}

impl fmt::Display for StdioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StdioError::Wake(error) => write!(f, "cannot make a pipe: {error}"),
            StdioError::Option(problem) => f.write_str(problem),
            StdioError::Poll(error) => write!(f, "cannot wait for input: {error}"),
            StdioError::Write(error) => write!(f, "cannot write the output: {error}"),
        }
    }
}

impl std::error::Error for StdioError {}

/// How a session on standard input and output ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// Everything was done and read.
    Done,
    /// Nobody was left to read the output.
    ReaderGone,
    /// After `quit` nobody took the output.
    ReaderStalledAfterQuit,
    /// After the end of the input nobody took the output; so many bytes of it are lost.
    ReaderStalled(usize),
}

/// Runs a session on standard input and output until it is over, with these options set before the first line.
///
/// # Errors
/// When an option cannot be set, or the output cannot be written for another reason than that nobody reads it.
pub fn run(options: &[(String, String)]) -> Result<Exit, StdioError> {
    let (woken, wake) = io::pipe().map_err(StdioError::Wake)?;
    // A failed write means that this end is gone, and with it the session to wake.
    let session = Session::new(move || drop((&wake).write_all(&[0])));
    let mut conversation = Conversation::new(session);
    for (name, value) in options {
        conversation.preset(name, value).map_err(StdioError::Option)?;
    }
    let stdio = Stdio {
        conversation,
        woken,
        reader: LineReader::default(),
        bytes: vec![0; READ_BYTES].into_boxed_slice(),
        unfed: 0..0,
        input: Input::Open,
        stall: None,
    };
    match stdio.run() {
        Ok(exit) => Ok(exit),
        Err(Interruption::ReaderGone) => Ok(Exit::ReaderGone),
        Err(Interruption::Failed(error)) => Err(error),
    }
}

/// What is known of standard input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Input {
    Open,
    /// Nobody writes to it any more, but there may be something left to read.
    HungUp,
    /// Everything has been read.
    Ended,
}

struct Stdio {
    conversation: Conversation,
    /// Readable when the search thread has something to say.
    woken: PipeReader,
    reader: LineReader,
    /// Bytes that have been read, and which of them the session has not had yet.
    bytes: Box<[u8]>,
    unfed: Range<usize>,
    input: Input,
    /// Set while the end has come, output waits, and nobody takes any.
    stall: Option<Stall>,
}

/// Output that nobody takes.
struct Stall {
    since: Instant,
    /// Bytes that were written before and not yet read, where the system can tell. A pipe has no room for more until
    /// a whole page of it has been read, and a slow reader may take long for that.
    unread: Option<u64>,
}

impl Stall {
    fn begin() -> Stall {
        Stall { since: Instant::now(), unread: rustix::io::ioctl_fionread(io::stdout()).ok() }
    }
}

/// Why the loop ends before the session is over.
enum Interruption {
    /// Nobody reads the output any more.
    ReaderGone,
    Failed(StdioError),
}

impl From<StdioError> for Interruption {
    fn from(error: StdioError) -> Interruption {
        Interruption::Failed(error)
    }
}

impl Stdio {
    fn run(mut self) -> Result<Exit, Interruption> {
        loop {
            self.conversation.begin_round();
            self.feed();
            self.conversation.proceed();
            self.write()?;
            self.conversation.drop_progress();
            let waiting = self.conversation.output().len();
            if waiting == 0 && self.conversation.is_over() {
                return Ok(Exit::Done);
            }
            let patience = self.patience();
            if patience == Some(Duration::ZERO) {
                let lost = Exit::ReaderStalled(waiting);
                return Ok(if self.quits_at_once() { Exit::ReaderStalledAfterQuit } else { lost });
            }
            self.wait(patience)?;
        }
    }

    /// Hands the bytes that have been read to the session, as far as it wants them: all at once, for a `stop` may be
    /// among them.
    fn feed(&mut self) {
        let mut bytes = &self.bytes[self.unfed.clone()];
        while !bytes.is_empty() && self.conversation.wants_input() {
            let before = bytes;
            let line = self.reader.take(&mut bytes);
            self.conversation.note_input(&before[..before.len() - bytes.len()]);
            if let Some(line) = line {
                self.conversation.receive(line);
            }
        }
        self.unfed.start = self.unfed.end - bytes.len();
        if self.input == Input::Ended && self.unfed.is_empty() && self.conversation.ending() == Ending::Open {
            if let Some(line) = self.reader.last() {
                self.conversation.receive(line);
            }
            self.conversation.end_of_input();
        }
    }

    /// Writes what can be written without blocking.
    fn write(&mut self) -> Result<(), Interruption> {
        let stdout = io::stdout();
        while !self.conversation.output().is_empty() {
            let mut room = [PollFd::new(&stdout, PollFlags::OUT)];
            poll_once(&mut room, Some(Duration::ZERO))?;
            if !room[0].revents().contains(PollFlags::OUT) {
                break;
            }
            match rustix::io::write(&stdout, whole_lines(self.conversation.output().make_contiguous())) {
                Ok(written) => {
                    self.conversation.take(written);
                    self.stall = None;
                }
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => break,
                Err(Errno::PIPE | Errno::CONNRESET) => return Err(Interruption::ReaderGone),
                Err(error) => return Err(StdioError::Write(error.into()).into()),
            }
        }
        Ok(())
    }

    /// Whether the client quits and has never asked to wait for anything.
    fn quits_at_once(&self) -> bool {
        self.conversation.ending() == Ending::Quit && !self.conversation.has_been_asked_to_wait()
    }

    /// How long a reader that takes nothing is still waited for; for ever while the conversation goes on, or while
    /// there is nothing to take.
    fn patience(&mut self) -> Option<Duration> {
        let patience = match self.conversation.ending() {
            _ if self.conversation.output().is_empty() => None,
            _ if self.quits_at_once() => Some(PATIENCE_AFTER_QUIT),
            Ending::Quit | Ending::QuitHeld | Ending::InputEnded => Some(PATIENCE_AFTER_INPUT),
            Ending::Open => (self.input != Input::Open).then_some(PATIENCE_AFTER_INPUT),
        };
        let Some(patience) = patience else {
            self.stall = None;
            return None;
        };
        let stall = self.stall.get_or_insert_with(Stall::begin);
        if stall.since.elapsed() >= patience {
            let now = Stall::begin();
            if now.unread != stall.unread {
                *stall = now;
            }
        }
        Some(patience.saturating_sub(stall.since.elapsed()))
    }

    /// Waits until something can be done, `patience` at the longest, and reads if there is something to read.
    fn wait(&mut self, patience: Option<Duration>) -> Result<(), Interruption> {
        let (stdin, stdout) = (io::stdin(), io::stdout());
        let output_waits = !self.conversation.output().is_empty();
        let wants_input = self.conversation.wants_input();
        let reads = self.input != Input::Ended && self.unfed.is_empty() && wants_input;
        let works = self.conversation.has_work() || (!self.unfed.is_empty() && wants_input);
        // A hang-up is reported even when nothing is asked: each side is watched until it is known to have gone.
        let mut watched = vec![
            PollFd::new(&self.woken, PollFlags::IN),
            PollFd::new(&stdout, if output_waits { PollFlags::OUT } else { PollFlags::empty() }),
        ];
        if reads || self.input == Input::Open {
            watched.push(PollFd::new(&stdin, if reads { PollFlags::IN } else { PollFlags::empty() }));
        }
        let alarm = self.conversation.deadline().map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let patience = patience.into_iter().chain(alarm).min();
        poll_once(&mut watched, if works { Some(Duration::ZERO) } else { patience })?;

        let gone = PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL;
        let events = |index: usize| watched.get(index).map_or(PollFlags::empty(), PollFd::revents);
        let (woken, output, input) = (events(0), events(1), events(2));
        drop(watched);
        if output.intersects(gone) {
            return Err(Interruption::ReaderGone);
        }
        if woken.contains(PollFlags::IN) {
            // One byte a call; more than fit here wake once more.
            let _ = self.woken.read(&mut [0; 64]);
        }
        if reads && input.intersects(PollFlags::IN | gone) {
            self.read(stdin.as_fd());
        } else if self.input == Input::Open && input.intersects(gone) {
            self.input = Input::HungUp;
        }
        Ok(())
    }

    fn read(&mut self, stdin: impl AsFd) {
        match rustix::io::read(stdin, &mut self.bytes[..]) {
            Ok(read) if read > 0 => self.unfed = 0..read,
            Err(Errno::INTR | Errno::AGAIN) => {}
            // What cannot be read any more has ended, like what has been read to its end.
            Ok(_) | Err(_) => self.input = Input::Ended,
        }
    }
}

/// As much of the output as can be written at once, up to the end of a line where that is possible: whoever reads
/// half of it has whole lines.
fn whole_lines(output: &[u8]) -> &[u8] {
    let most = &output[..output.len().min(WRITE_BYTES)];
    let end = most.iter().rposition(|&byte| byte == b'\n').map_or(most.len(), |newline| newline + 1);
    &most[..end]
}

/// `poll`, with an interruption by a signal counted as nothing having happened.
fn poll_once(watched: &mut [PollFd<'_>], patience: Option<Duration>) -> Result<(), StdioError> {
    let timeout = patience.map(|time| Timespec { tv_sec: time.as_secs() as i64, tv_nsec: time.subsec_nanos().into() });
    match poll(watched, timeout.as_ref()) {
        Ok(_) | Err(Errno::INTR) => Ok(()),
        Err(error) => Err(StdioError::Poll(error.into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_lines_are_written_wherever_they_fit() {
        let long = "z".repeat(WRITE_BYTES + 1) + "\n";
        assert_eq!(whole_lines(b"readyok\nreadyok\n"), b"readyok\nreadyok\n");
        assert_eq!(whole_lines(("readyok\n".to_owned() + &long).as_bytes()), b"readyok\n");
        // A line that fits nowhere goes in pieces, and none of it is left out.
        let mut rest = long.as_bytes();
        let mut written = Vec::new();
        while !rest.is_empty() {
            let piece = whole_lines(rest);
            assert!((1..=WRITE_BYTES).contains(&piece.len()));
            written.extend_from_slice(piece);
            rest = &rest[piece.len()..];
        }
        assert_eq!(written, long.as_bytes());
    }
}
