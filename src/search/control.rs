//! What a search polls to learn when it has to end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// The bounds of one search.
#[derive(Clone, Default, Debug)]
pub struct Control {
    stop: Arc<AtomicBool>,
    deadline: Option<Instant>,
    playouts: Option<u64>,
    nodes: Option<u64>,
    depth: Option<u16>,
}

/// The search was told to end; what it had not finished must not be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

impl Control {
    /// Ends the search when `stop` is set, when `deadline` has come, or after so many playouts, whatever is first.
    pub fn new(stop: Arc<AtomicBool>, deadline: Option<Instant>, playouts: Option<u64>) -> Control {
        Control { stop, deadline, playouts, ..Control::default() }
    }

    /// No bound at all: the search ends when it knows.
    pub fn unlimited() -> Control {
        Control::default()
    }

    /// No bound but a number of positions that a proof may look at.
    pub fn nodes_only(nodes: u64) -> Control {
        Control { nodes: Some(nodes), ..Control::default() }
    }

    /// The same with a bound on the positions that a proof may look at, or none.
    pub fn with_nodes(self, nodes: Option<u64>) -> Control {
        Control { nodes, ..self }
    }

    /// What is left of the bounds after a proof has looked at so many positions.
    pub fn after(&self, nodes: u64) -> Control {
        self.clone().with_nodes(self.nodes.map(|most| most.saturating_sub(nodes)))
    }

    /// The same with a bound on the plies of a proof, or none.
    pub fn with_depth(self, depth: Option<u16>) -> Control {
        Control { depth, ..self }
    }

    /// The same with a bound on the playouts, or none.
    pub fn with_playouts(self, playouts: Option<u64>) -> Control {
        Control { playouts, ..self }
    }

    /// The same, but over when this share (0 to 1) of the time has gone that is left now. Without a deadline, as it is.
    pub fn with_share_of_time(self, share: f64) -> Control {
        let now = Instant::now();
        let sooner = |deadline: Instant| now + deadline.saturating_duration_since(now).mul_f64(share);
        Control { deadline: self.deadline.map(sooner), ..self }
    }

    /// No bound but a number of playouts.
    pub fn playouts_only(playouts: u64) -> Control {
        Control::new(Arc::default(), None, Some(playouts))
    }

    /// The most playouts that may be started, or `None` when only time or `stop` bounds them.
    pub fn playouts(&self) -> Option<u64> {
        self.playouts
    }

    /// The most positions that a proof may look at, or `None` when nothing limits their number.
    pub fn nodes(&self) -> Option<u64> {
        self.nodes
    }

    /// The most plies that a proof may look ahead, or `None` for all that are left.
    pub fn depth(&self) -> Option<u16> {
        self.depth
    }

    /// Whether the search may go on. Reads the clock when there is a deadline: poll it every few microseconds.
    pub fn check(&self) -> Result<(), Stopped> {
        let stopped = self.stop.load(Ordering::Relaxed);
        let late = || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if stopped || late() { Err(Stopped) } else { Ok(()) }
    }
}
