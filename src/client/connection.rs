//! The lines between a client and its engine, whatever carries them.

use std::collections::VecDeque;
use std::time::Instant;

use crate::protocol::InputLine;

use super::Failure;

/// Carries lines to an engine and back. A match has child processes; a test can have an engine in its own process.
pub trait Connection: Send {
    /// Writes some of `bytes` and removes them from the front. Lines that the engine sends meanwhile go to `arrived`, so the
    /// two cannot block each other.
    ///
    /// # Errors
    /// When the engine has gone, sends too much, or does not read before the deadline.
    fn write(&mut self, bytes: &mut &[u8], deadline: Instant, arrived: &mut VecDeque<InputLine>)
    -> Result<(), Failure>;

    /// The next line, or `None` when the time is up.
    ///
    /// # Errors
    /// When the engine has gone or the run was interrupted.
    fn next_line(&mut self, deadline: Instant) -> Result<Option<InputLine>, Failure>;

    /// A line that the engine has sent by now, if there is one. Does not wait.
    ///
    /// # Errors
    /// When the engine has gone.
    fn arrived_line(&mut self) -> Result<Option<InputLine>, Failure>;

    /// Closes the engine's input. A well-behaved engine takes that for `quit`.
    fn close(&mut self);

    /// Waits until the deadline for the engine to end by itself, then ends it.
    fn end(self: Box<Self>, deadline: Instant);
}
