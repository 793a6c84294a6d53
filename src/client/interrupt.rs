//! A bell that ends every wait at once.

use std::io::{self, PipeReader, PipeWriter, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// Rung once, by a signal or by whoever has seen enough; it never falls silent again.
pub struct Interrupt {
    bell: PipeReader,
    rope: PipeWriter,
}

impl Interrupt {
    /// A bell that has not been rung.
    ///
    /// # Errors
    /// When there is no pipe to be had.
    pub fn new() -> io::Result<Interrupt> {
        let (bell, rope) = io::pipe()?;
        Ok(Interrupt { bell, rope })
    }

    /// Rings.
    pub fn ring(&self) {
        // A write that fails means that the pipe is full of rings.
        let _ = (&self.rope).write(&[0]);
    }

    /// An end of the pipe that rings when a byte is written to it, for a signal handler.
    ///
    /// # Errors
    /// When the system has no descriptor left.
    pub fn rope(&self) -> io::Result<OwnedFd> {
        Ok(self.rope.try_clone()?.into())
    }

    /// Whether it has been rung.
    pub fn has_rung(&self) -> bool {
        let mut bell = [PollFd::new(&self.bell, PollFlags::IN)];
        poll(&mut bell, Some(&Timespec::default())).is_ok_and(|events| events > 0)
    }

    /// Readable from the first ring on.
    pub(super) fn bell(&self) -> BorrowedFd<'_> {
        self.bell.as_fd()
    }
}
