//! What a search polls to learn when it has to end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::game::Cell;

/// The bounds of one search.
#[derive(Clone, Default, Debug)]
pub struct Control {
    stop: Arc<AtomicBool>,
    deadline: Option<Instant>,
    playouts: Option<u64>,
    nodes: Option<u64>,
    depth: Option<u16>,
    /// Whether time that is not used is of use later.
    saves_time: bool,
    /// The polls that are left, where their number is limited.
    polls: Option<Arc<AtomicU64>>,
    best: BestSoFar,
}

/// Time between two looks at the best move so far, where such a look takes some microseconds.
pub(crate) const PUBLISH_INTERVAL: Duration = Duration::from_millis(2);

/// Time between two progress reports of a search that samples.
pub(crate) const REPORT_INTERVAL: Duration = Duration::from_millis(100);

/// The move that a search would play if it ended now. The caller reads it while the search runs, when there is no time
/// left to wait for the search.
///
/// ```text
/// bits   0..8  8..16    16..32             32..64
///        row   column   depth, 0 for none  expected result as f32
/// ```
#[derive(Clone, Default, Debug)]
pub struct BestSoFar(Arc<AtomicU64>);

impl BestSoFar {
    fn set(&self, cell: Cell, depth: u16, result: f64) {
        let [low, high] = depth.max(1).to_le_bytes();
        let place = u32::from_le_bytes([cell.row(), cell.column(), low, high]);
        self.0.store(u64::from(place) | u64::from((result as f32).to_bits()) << 32, Ordering::Relaxed);
    }

    /// The move, the plies that the search has looked ahead, and the expected result of the position from -1 to 1, if the
    /// search has found any move.
    pub fn get(&self) -> Option<(Cell, u16, f64)> {
        let word = self.0.load(Ordering::Relaxed);
        let [row, column, low, high] = (word as u32).to_le_bytes();
        let depth = u16::from_le_bytes([low, high]);
        (depth > 0).then(|| (Cell::new(row, column), depth, f64::from(f32::from_bits((word >> 32) as u32))))
    }
}

/// Tells when the time has come to do something again.
pub(crate) struct Pace {
    interval: Duration,
    last: Instant,
}

impl Pace {
    /// The first time comes after one interval.
    pub fn new(interval: Duration) -> Pace {
        Pace { interval, last: Instant::now() }
    }

    /// Whether an interval has passed since the last time.
    pub fn is_due(&mut self) -> bool {
        let is_due = self.last.elapsed() >= self.interval;
        if is_due {
            self.last = Instant::now();
        }
        is_due
    }
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

    /// The same; the search writes the best move so far there.
    pub fn publishing(self, best: BestSoFar) -> Control {
        Control { best, ..self }
    }

    /// The same for a search inside of another, whose best move is not the move to play.
    pub fn in_private(self) -> Control {
        Control { best: BestSoFar::default(), ..self }
    }

    /// Tells the caller what would be played now, the plies that were looked ahead, and the expected result from -1 to 1.
    pub fn publish(&self, cell: Cell, depth: u16, result: f64) {
        self.best.set(cell, depth, result);
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

    /// The same, but over after this time from now if its time is limited. Without a deadline, as it is.
    pub fn within(self, time: Duration) -> Control {
        let soon = Instant::now().checked_add(time);
        Control { deadline: self.deadline.map(|deadline| soon.map_or(deadline, |soon| deadline.min(soon))), ..self }
    }

    /// The same with a deadline, or none.
    pub fn with_deadline(self, deadline: Option<Instant>) -> Control {
        Control { deadline, ..self }
    }

    /// The same, and whether a search that cannot change its mind any more should end before its time.
    pub fn saving_time(self, saves_time: bool) -> Control {
        Control { saves_time, ..self }
    }

    /// The time that is left, where a search that cannot change its mind any more should end before.
    pub fn time_to_save(&self) -> Option<Duration> {
        let deadline = self.deadline.filter(|_| self.saves_time)?;
        Some(deadline.saturating_duration_since(Instant::now()))
    }

    /// Whether time ends it.
    pub fn is_timed(&self) -> bool {
        self.deadline.is_some()
    }

    /// The same, stopped when it has been polled so many times, by whichever search has a copy of it: a stop that comes
    /// at the same place in every run.
    pub fn stopping_after(self, polls: u64) -> Control {
        Control { polls: Some(Arc::new(AtomicU64::new(polls))), ..self }
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
        let stopped = self.stop.load(Ordering::Relaxed) || self.polls.as_deref().is_some_and(is_spent);
        let late = || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if stopped || late() { Err(Stopped) } else { Ok(()) }
    }
}

/// Counts a poll, and says whether there was none left.
fn is_spent(polls: &AtomicU64) -> bool {
    polls.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_err()
}
