//! What a search polls to learn when it has to end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// The bounds of one search.
#[derive(Clone, Debug)]
pub struct Control {
    stop: Arc<AtomicBool>,
    deadline: Option<Instant>,
    playouts: Option<u64>,
}

/// The search was told to end; what it had not finished must not be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

impl Control {
    /// Ends the search when `stop` is set, when `deadline` has come, or after so many playouts, whatever is first.
    pub fn new(stop: Arc<AtomicBool>, deadline: Option<Instant>, playouts: Option<u64>) -> Control {
        Control { stop, deadline, playouts }
    }

    /// No bound but a number of playouts.
    pub fn playouts_only(playouts: u64) -> Control {
        Control::new(Arc::default(), None, Some(playouts))
    }

    /// The most playouts that may be started, or `None` when only time or `stop` bounds them.
    pub fn playouts(&self) -> Option<u64> {
        self.playouts
    }

    /// Whether the search may go on. Reads the clock when there is a deadline: poll it every few microseconds.
    pub fn check(&self) -> Result<(), Stopped> {
        let stopped = self.stop.load(Ordering::Relaxed);
        let late = || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if stopped || late() { Err(Stopped) } else { Ok(()) }
    }
}
