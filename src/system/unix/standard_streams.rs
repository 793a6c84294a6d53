//! Standard input and output that never block, and one wait for both of them and a wake-up call.
//!
//! The wait is `poll`. The streams keep their mode: a read follows only when `poll` says that there is something to read, and a
//! write is no longer than what a pipe with room takes at once.

use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags};
use rustix::io::Errno;

use super::process::wait_for;
use crate::system::stream_events::{Interest, ReadOutcome, Readiness, StreamError, WriteOutcome, whole_lines};

/// Standard input and output, and the receiving end of the wake-up call.
pub struct StandardStreams {
    woken: PipeReader,
}

/// Ends a wait, from any thread.
pub struct Waker(PipeWriter);

impl Waker {
    /// Ends the wait under way, or the next one.
    pub fn wake(&self) {
        // A failed write means that the waiting end is gone.
        drop((&self.0).write_all(&[0]));
    }
}

impl StandardStreams {
    /// The streams, and what ends a wait for them.
    ///
    /// # Errors
    /// When the system has no pipe left.
    pub fn new() -> Result<(StandardStreams, Waker), StreamError> {
        let (woken, wake) = io::pipe().map_err(StreamError::Wake)?;
        Ok((StandardStreams { woken }, Waker(wake)))
    }

    /// Waits until something can be done, [`Waker::wake`] was called, or this time has passed.
    ///
    /// # Errors
    /// When the system cannot wait.
    pub fn wait(&mut self, interest: Interest, timeout: Option<Duration>) -> Result<Readiness, StreamError> {
        let (stdin, stdout) = (io::stdin(), io::stdout());
        let wanted = |is_wanted: bool, flags: PollFlags| if is_wanted { flags } else { PollFlags::empty() };
        // A hang-up is reported even when nothing is asked.
        let mut watched = [
            PollFd::new(&self.woken, PollFlags::IN),
            PollFd::new(&stdout, wanted(interest.write, PollFlags::OUT)),
            PollFd::new(&stdin, wanted(interest.read, PollFlags::IN)),
        ];
        let count = if interest.read || interest.input_end { 3 } else { 2 };
        wait_for(&mut watched[..count], timeout).map_err(StreamError::Poll)?;
        let gone = PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL;
        let [woken, output, input] = watched.each_ref().map(PollFd::revents);
        if woken.contains(PollFlags::IN) {
            // One byte a call; more than fit here wake once more.
            let _ = self.woken.read(&mut [0; 64]);
        }
        Ok(Readiness {
            readable: interest.read && input.intersects(PollFlags::IN | gone),
            input_gone: input.intersects(gone),
            output_gone: output.intersects(gone),
        })
    }

    /// Reads once. To be called only after a wait has found the input readable.
    pub fn read(&mut self, bytes: &mut [u8]) -> ReadOutcome {
        match rustix::io::read(io::stdin(), bytes) {
            Ok(read) if read > 0 => ReadOutcome::Bytes(read),
            Err(Errno::INTR | Errno::AGAIN) => ReadOutcome::Nothing,
            // Input that cannot be read any more has ended, like input that has been read to its end.
            Ok(_) | Err(_) => ReadOutcome::Ended,
        }
    }

    /// Writes as many of these bytes as fit without blocking: whole lines as far as that is possible.
    ///
    /// # Errors
    /// When the output cannot be written though its reader is there.
    pub fn write(&mut self, bytes: &[u8]) -> Result<WriteOutcome, StreamError> {
        let bytes = whole_lines(bytes);
        let stdout = io::stdout();
        loop {
            let mut room = [PollFd::new(&stdout, PollFlags::OUT)];
            wait_for(&mut room, Some(Duration::ZERO)).map_err(StreamError::Poll)?;
            if !room[0].revents().contains(PollFlags::OUT) {
                return Ok(WriteOutcome::Full);
            }
            match rustix::io::write(&stdout, bytes) {
                Ok(written) => return Ok(WriteOutcome::Bytes(written)),
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return Ok(WriteOutcome::Full),
                Err(Errno::PIPE | Errno::CONNRESET) => return Ok(WriteOutcome::ReaderGone),
                Err(error) => return Err(StreamError::Write(error.into())),
            }
        }
    }

    /// Bytes that [`StandardStreams::write`] has taken and not yet written: none, on this system.
    pub fn unwritten(&self) -> usize {
        0
    }

    /// Bytes that were written and not yet read, where the system reports it.
    pub fn unread_output(&self) -> Option<u64> {
        rustix::io::ioctl_fionread(io::stdout()).ok()
    }
}
