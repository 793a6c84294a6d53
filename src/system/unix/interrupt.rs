//! Cancellation of a run.

use std::io::{self, PipeReader, PipeWriter, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags};

use super::process::wait_for;

/// A one-shot cancellation flag: once set, it stays set. It can be polled, and it can be set by a signal handler.
///
/// It is a pipe: the flag is set when there is a byte to read.
pub struct Interrupt {
    reader: PipeReader,
    writer: PipeWriter,
}

impl Interrupt {
    /// A flag that is not set.
    ///
    /// # Errors
    /// When the system has no pipe left.
    pub fn new() -> io::Result<Interrupt> {
        let (reader, writer) = io::pipe()?;
        Ok(Interrupt { reader, writer })
    }

    /// Sets the flag, which ends every wait at once.
    pub fn trigger(&self) {
        // A write fails only if the pipe is full, and then the flag is set.
        let _ = (&self.writer).write(&[0]);
    }

    /// A descriptor for a signal handler: writing a byte to it sets the flag.
    ///
    /// # Errors
    /// When the system has no descriptor left.
    pub(super) fn trigger_descriptor(&self) -> io::Result<OwnedFd> {
        Ok(self.writer.try_clone()?.into())
    }

    /// True if the flag is set.
    pub fn is_set(&self) -> bool {
        let mut watched = [PollFd::new(&self.reader, PollFlags::IN)];
        wait_for(&mut watched, Some(Duration::ZERO)).is_ok() && !watched[0].revents().is_empty()
    }

    /// A descriptor that is readable once the flag is set.
    pub(super) fn readable(&self) -> BorrowedFd<'_> {
        self.reader.as_fd()
    }
}
