//! The connection that carries the lines between a client and its engine.

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use crate::protocol::InputLine;

use super::{Failure, RunContext};

/// A connection that carries lines to an engine and back. The engines of the program are child processes; an engine may
/// also be in the process of its client.
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

/// Makes the connection of an engine that is no child process, anew each time that the engine is started.
#[derive(Clone)]
pub struct Connector(Arc<Connect>);

type Connect = dyn Fn(&RunContext) -> Box<dyn Connection> + Send + Sync;

impl Connector {
    /// The connector that calls this function.
    pub fn new(connect: impl Fn(&RunContext) -> Box<dyn Connection> + Send + Sync + 'static) -> Connector {
        Connector(Arc::new(connect))
    }

    /// A new connection.
    pub(super) fn connect(&self, context: &RunContext) -> Box<dyn Connection> {
        (self.0)(context)
    }
}

/// Two connectors are equal if they are copies of one.
impl PartialEq for Connector {
    fn eq(&self, other: &Connector) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Connector {}

impl fmt::Debug for Connector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Connector")
    }
}
