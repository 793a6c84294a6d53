//! The bounds of a search, and what it polls to learn when to end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use crate::game::Cell;

use super::{SystemClock, TimeSource, host};

/// The bounds of one search.
///
/// A search polls its control often and ends soon after a bound is reached. Clones share the stop flag and the best move
/// so far.
///
/// ```
/// use std::time::Duration;
/// use noughts_core::search::Control;
///
/// let control = Control::unlimited().with_time(Duration::from_secs(5)).with_nodes(Some(1_000_000));
/// assert!(control.check().is_ok());
/// ```
#[derive(Clone, Debug)]
pub struct Control {
    stop: Arc<AtomicBool>,
    time_source: &'static dyn TimeSource,
    /// The time at which the search ends, by the time source.
    deadline: Option<Duration>,
    /// The most playouts that may be started; `None` for no bound.
    pub(crate) playouts: Option<u64>,
    /// The most nodes of a proof; `None` for no bound.
    #[doc(hidden)]
    pub nodes: Option<u64>,
    /// The most plies of a proof; `None` for no bound.
    pub(crate) depth: Option<u16>,
    /// The most nodes that a proof spends on the distance, once it is proven who wins; `None` for no bound.
    pub(crate) distance_nodes: Option<u64>,
    /// If unused time can be used later: the time at which the whole search ends, whatever share of it a part gets.
    saved_until: Option<Duration>,
    /// The polls that are left, where their number is limited.
    polls: Option<Arc<AtomicU64>>,
    best: BestSoFar,
}

/// Time between two updates of the best move so far, where an update takes some microseconds.
pub(crate) const PUBLISH_INTERVAL: Duration = Duration::from_millis(2);

/// Time between two progress reports of a search that samples.
pub(crate) const REPORT_INTERVAL: Duration = Duration::from_millis(100);

/// The move that a search would play if it ended now. The caller reads it while the search runs, if it cannot wait for the
/// search to end.
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

    /// The move, the depth of the search in plies, and the expected result of the position from -1 to 1, if the
    /// search has found any move.
    pub fn get(&self) -> Option<(Cell, u16, f64)> {
        let word = self.0.load(Ordering::Relaxed);
        let [row, column, low, high] = (word as u32).to_le_bytes();
        let depth = u16::from_le_bytes([low, high]);
        (depth > 0).then(|| (Cell::new(row, column), depth, f64::from(f32::from_bits((word >> 32) as u32))))
    }
}

/// Says when something that is done at regular intervals is due again.
pub(crate) struct IntervalTimer {
    interval: Duration,
    time_source: &'static dyn TimeSource,
    /// The time at which it was due last.
    last: Duration,
}

impl IntervalTimer {
    /// True if an interval has passed since the last time that this was true, or since the timer was made.
    pub fn is_due(&mut self) -> bool {
        let now = self.time_source.now();
        let is_due = now.saturating_sub(self.last) >= self.interval;
        if is_due {
            self.last = now;
        }
        is_due
    }
}

/// The error of a search that had to end. Unfinished results must not be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

/// No bound at all, and the clock of the system.
impl Default for Control {
    fn default() -> Control {
        Control {
            stop: Arc::default(),
            time_source: &SystemClock,
            deadline: None,
            playouts: None,
            nodes: None,
            depth: None,
            distance_nodes: None,
            saved_until: None,
            polls: None,
            best: BestSoFar::default(),
        }
    }
}

impl Control {
    /// Ends the search when `stop` is set, at `deadline` by the clock of the system ([`SystemClock::time_of`]), or after
    /// so many playouts, whatever is first.
    pub fn new(stop: Arc<AtomicBool>, deadline: Option<Duration>, playouts: Option<u64>) -> Control {
        Control { stop, deadline, playouts, ..Control::default() }
    }

    /// No bound at all: the search ends when it has its result.
    pub fn unlimited() -> Control {
        Control::default()
    }

    /// No bound but the nodes (positions visited) of a proof.
    pub fn nodes_only(nodes: u64) -> Control {
        Control { nodes: Some(nodes), ..Control::default() }
    }

    /// Bounds the nodes of a proof; `None` removes the bound.
    pub fn with_nodes(self, nodes: Option<u64>) -> Control {
        Control { nodes, ..self }
    }

    /// Bounds the plies of a proof; `None` removes the bound.
    pub fn with_depth(self, depth: Option<u16>) -> Control {
        Control { depth, ..self }
    }

    /// Bounds the playouts; `None` removes the bound.
    pub fn with_playouts(self, playouts: Option<u64>) -> Control {
        Control { playouts, ..self }
    }

    /// Sets the deadline to this time from now.
    pub fn with_time(self, time: Duration) -> Control {
        Control { deadline: Some(self.now().saturating_add(time)), ..self }
    }

    /// No bound but a number of playouts.
    pub fn playouts_only(playouts: u64) -> Control {
        Control::new(Arc::default(), None, Some(playouts))
    }
}

/// What serves the crates of this project only.
#[doc(hidden)]
impl Control {
    /// Replaces the clock. Deadlines are times of one clock: give the clock before the deadline.
    pub fn with_time_source(self, time_source: &'static dyn TimeSource) -> Control {
        Control { time_source, ..self }
    }

    /// The time by the clock of this control.
    pub fn now(&self) -> Duration {
        self.time_source.now()
    }

    /// A timer by the clock of this control that is first due after one interval.
    pub(crate) fn timer(&self, interval: Duration) -> IntervalTimer {
        IntervalTimer { interval, time_source: self.time_source, last: self.now() }
    }

    /// Lowers the bound on the nodes to at most this number.
    pub fn within_nodes(self, most: u64) -> Control {
        let nodes = self.nodes.map_or(most, |nodes| nodes.min(most));
        self.with_nodes(Some(nodes))
    }

    /// Sets the place where the search publishes its best move so far. A search inside of another one gets an empty place.
    pub fn publishing(self, best: BestSoFar) -> Control {
        Control { best, ..self }
    }

    /// Publishes the best move so far, the depth in plies, and the expected result from -1 to 1.
    pub fn publish(&self, cell: Cell, depth: u16, result: f64) {
        self.best.set(cell, depth, result);
    }

    /// The bounds that are left after so many nodes of a proof.
    pub fn after(&self, nodes: u64) -> Control {
        self.clone().with_nodes(self.nodes.map(|most| most.saturating_sub(nodes)))
    }

    /// Bounds the nodes that a proof spends on the distance, once the winner is proven; `None` removes the bound.
    pub fn with_distance_nodes(self, distance_nodes: Option<u64>) -> Control {
        Control { distance_nodes, ..self }
    }

    /// Leaves this share (0 to 1) of the time that is left now. Unchanged without a deadline.
    pub fn with_share_of_time(self, share: f64) -> Control {
        let sooner = |deadline: Duration| {
            let now = self.now();
            now + deadline.saturating_sub(now).mul_f64(share)
        };
        Control { deadline: self.deadline.map(sooner), ..self }
    }

    /// Moves the deadline to at most this time from now. Unchanged without a deadline.
    pub fn within(self, time: Duration) -> Control {
        Control { deadline: self.deadline.map(|deadline| deadline.min(self.now().saturating_add(time))), ..self }
    }

    /// Sets the deadline by the clock of this control; `None` removes it.
    pub fn with_deadline(self, deadline: Option<Duration>) -> Control {
        Control { deadline, ..self }
    }

    /// If `saves_time`, a search should end early once its best move cannot change before the deadline of this control. A
    /// part of the search with a share of the time asks for the time of the whole.
    pub fn saving_time(self, saves_time: bool) -> Control {
        Control { saved_until: self.deadline.filter(|_| saves_time), ..self }
    }

    /// The time that is left of the whole search, if it should end early once its best move cannot change; else `None`.
    pub fn time_to_save(&self) -> Option<Duration> {
        self.saved_until.map(|end| end.saturating_sub(self.now()))
    }

    /// True if there is a deadline.
    pub fn is_timed(&self) -> bool {
        self.deadline.is_some()
    }

    /// Stops after `polls` polls of all clones together. Such a stop comes at the same place in every run.
    pub fn stopping_after(self, polls: u64) -> Control {
        Control { polls: Some(Arc::new(AtomicU64::new(polls))), ..self }
    }

    /// Returns an error if the search must end. Reads the clock when there is a deadline: poll it every few microseconds.
    pub fn check(&self) -> Result<(), Stopped> {
        host::pause();
        let stopped = self.stop.load(Ordering::Relaxed) || self.polls.as_deref().is_some_and(is_spent);
        let late = || self.deadline.is_some_and(|deadline| self.now() >= deadline);
        if stopped || late() { Err(Stopped) } else { Ok(()) }
    }
}

/// Counts a poll. True if none was left.
fn is_spent(polls: &AtomicU64) -> bool {
    polls.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_err()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::request::SteppingClock;

    fn stepping() -> Control {
        Control::unlimited().with_time_source(SteppingClock::by(Duration::from_millis(1)))
    }

    #[test]
    fn a_deadline_is_read_from_the_clock_that_was_given() {
        let control = stepping().with_deadline(Some(Duration::from_millis(10)));
        let polls = (0..100).take_while(|_| control.check().is_ok()).count();
        assert_eq!(polls, 10);
    }

    #[test]
    fn time_is_shared_out_by_the_clock_that_was_given() {
        let control = stepping().with_deadline(Some(Duration::from_millis(100)));
        let half = control.clone().with_share_of_time(0.5);
        assert_eq!(half.deadline, Some(Duration::from_millis(50)));
        assert_eq!(control.clone().within(Duration::from_millis(9)).deadline, Some(Duration::from_millis(10)));
        assert_eq!(control.clone().with_time(Duration::from_millis(8)).deadline, Some(Duration::from_millis(10)));
        let saving = control.saving_time(true);
        assert_eq!(saving.clone().with_share_of_time(0.5).time_to_save(), Some(Duration::from_millis(96)));
        assert_eq!(saving.saving_time(false).time_to_save(), None);
    }

    #[test]
    fn a_timer_is_due_once_an_interval() {
        let mut timer = stepping().timer(Duration::from_millis(5));
        let due: Vec<usize> = (1..=12).filter(|_| timer.is_due()).collect();
        assert_eq!(due, [5, 10]);
    }
}
