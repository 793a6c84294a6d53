//! A warning that many events cause and that is said at most once a minute.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// The shortest time between two warnings of a kind.
const INTERVAL: Duration = Duration::from_secs(60);

/// Events of one kind, counted until they are told.
#[derive(Default)]
pub struct Warning {
    state: Mutex<(Option<Instant>, u64)>,
}

impl Warning {
    /// Counts an event. Has `say` tell how many there were since the last time, unless that was less than a minute ago.
    pub fn count(&self, say: impl FnOnce(u64)) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (last, events) = &mut *state;
        *events += 1;
        if last.is_none_or(|last| last.elapsed() >= INTERVAL) {
            *last = Some(Instant::now());
            say(std::mem::take(events));
        }
    }
}
