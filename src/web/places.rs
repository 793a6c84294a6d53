//! Places: how many connections or sessions there may be, and which of them give way to newcomers.
//!
//! A place is silent while its holder is waited for: no complete request has come, or no line yet. When all places are
//! taken, the holder that has been silent for longest is asked to leave, and the newcomer has its place. A holder that is
//! not silent never has to leave.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;

/// A number of places.
pub struct Places {
    most: usize,
    /// How long a place has to be silent before it can be taken away. Once all places have been taken for so long, a part
    /// of this time is enough: then many newcomers wait, and those that mean to say something say it at once.
    grace: Duration,
    state: Mutex<State>,
    /// Notified when a holder that was asked to leave has left.
    left: Notify,
}

#[derive(Default)]
struct State {
    /// Places that have a holder.
    held: usize,
    /// Holders that were asked to leave and have not left. They are among those that hold places.
    leaving: usize,
    /// Silent holders, in the order in which they fell silent.
    silent: BTreeMap<u64, Silent>,
    next_ticket: u64,
    /// When newcomers began to find all places taken, and when the last one did.
    full: Option<(Instant, Instant)>,
}

/// The part of the grace that is enough once all places have been taken for long.
const SHORT_GRACE_PART: u32 = 20;

struct Silent {
    since: Instant,
    holder: Arc<Holder>,
}

#[derive(Default)]
struct Holder {
    leave: Notify,
    is_leaving: AtomicBool,
}

/// A place. It is given back when this is dropped.
pub struct Place {
    places: Arc<Places>,
    holder: Arc<Holder>,
    /// The key among the silent holders, while this one is silent.
    ticket: Mutex<Option<u64>>,
}

/// What a newcomer gets.
pub struct Admission {
    /// The place, which is silent at first.
    pub place: Place,
    /// True if another one has to leave for it.
    pub is_in_exchange: bool,
}

impl Places {
    /// This many places. One that has been silent for `grace` can be taken away, and sooner when they have been full for
    /// this time.
    pub fn new(most: usize, grace: Duration) -> Arc<Places> {
        Arc::new(Places { most, grace, state: Mutex::default(), left: Notify::new() })
    }

    /// A place for a newcomer, or `None` if there is none and nobody has to leave.
    pub fn admit(self: &Arc<Places>) -> Option<Admission> {
        let mut state = self.state();
        let is_in_exchange = self.is_full(&state);
        if is_in_exchange {
            self.note_full(&mut state);
            let (&ticket, _) = self.first_to_leave(&state)?;
            let silent = state.silent.remove(&ticket).expect("it was there");
            silent.holder.is_leaving.store(true, Ordering::Relaxed);
            silent.holder.leave.notify_one();
            state.leaving += 1;
        }
        state.held += 1;
        drop(state);
        let place = Place { places: Arc::clone(self), holder: Arc::default(), ticket: Mutex::default() };
        place.note_silence();
        Some(Admission { place, is_in_exchange })
    }

    /// True if a newcomer would be admitted now.
    pub fn has_room(&self) -> bool {
        let state = self.state();
        !self.is_full(&state) || self.first_to_leave(&state).is_some()
    }

    /// The number of places.
    pub fn most(&self) -> usize {
        self.most
    }

    /// Waits until fewer than this many of those that were asked to leave are still there.
    pub async fn wait_until_left(&self, fewer_than: usize) {
        while self.state().leaving >= fewer_than {
            self.left.notified().await;
        }
    }

    fn is_full(&self, state: &State) -> bool {
        state.held - state.leaving >= self.most
    }

    fn first_to_leave<'a>(&self, state: &'a State) -> Option<(&'a u64, &'a Silent)> {
        let was_long_full = self.full_since(state).is_some_and(|since| since.elapsed() >= self.grace);
        let grace = if was_long_full { self.grace / SHORT_GRACE_PART } else { self.grace };
        state.silent.first_key_value().filter(|(_, silent)| silent.since.elapsed() >= grace)
    }

    /// Since when newcomers have found all places taken, if one did so within the grace. A place that comes back in between
    /// changes nothing: where many wait, the next one has it at once.
    fn full_since(&self, state: &State) -> Option<Instant> {
        state.full.filter(|(_, last)| last.elapsed() < self.grace).map(|(first, _)| first)
    }

    fn note_full(&self, state: &mut State) {
        let now = Instant::now();
        state.full = Some((self.full_since(state).unwrap_or(now), now));
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Place {
    /// From now on the holder is waited for, and may have to leave.
    pub fn note_silence(&self) {
        let mut own = self.ticket();
        let mut state = self.places.state();
        if own.is_some() || self.is_leaving() {
            return;
        }
        let ticket = state.next_ticket;
        state.next_ticket += 1;
        state.silent.insert(ticket, Silent { since: Instant::now(), holder: Arc::clone(&self.holder) });
        *own = Some(ticket);
    }

    /// From now on the holder does not have to leave, unless it was already asked to.
    pub fn note_activity(&self) {
        if let Some(ticket) = self.ticket().take() {
            self.places.state().silent.remove(&ticket);
        }
    }

    /// Waits until the holder is asked to leave. One task at a time may wait.
    pub async fn asked_to_leave(&self) {
        self.holder.leave.notified().await;
    }

    /// True once the holder was asked to leave.
    pub fn is_leaving(&self) -> bool {
        self.holder.is_leaving.load(Ordering::Relaxed)
    }

    fn ticket(&self) -> MutexGuard<'_, Option<u64>> {
        self.ticket.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.note_activity();
        let mut state = self.places.state();
        state.held -= 1;
        if self.is_leaving() {
            state.leaving -= 1;
            self.places.left.notify_one();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admitted(places: &Arc<Places>) -> Option<Place> {
        places.admit().map(|admission| admission.place)
    }

    #[test]
    fn the_one_that_was_silent_for_longest_gives_way() {
        let places = Places::new(3, Duration::ZERO);
        let held: Vec<Place> = (0..3).map(|_| admitted(&places).expect("a place")).collect();
        // The first one is heard and then silent again, so that the second one has been silent for longest.
        held[0].note_activity();
        held[0].note_silence();
        for (newcomers, leaving) in [1, 2, 0].into_iter().enumerate() {
            assert!(places.has_room());
            let newcomer = places.admit().expect("a place");
            assert!(newcomer.is_in_exchange);
            newcomer.place.note_activity();
            std::mem::forget(newcomer);
            assert!(held[leaving].is_leaving());
            assert_eq!(held.iter().filter(|place| place.is_leaving()).count(), newcomers + 1);
        }
        assert!(!places.has_room() && places.admit().is_none(), "all others are active");
    }

    #[test]
    fn places_come_back_once_however_their_holders_leave() {
        let places = Places::new(2, Duration::ZERO);
        for round in 0..50 {
            let first = admitted(&places).expect("a place");
            let second = admitted(&places).expect("a place");
            let third = admitted(&places).expect("the first one gives way");
            assert!(first.is_leaving() && !second.is_leaving());
            // What is asked to leave cannot avoid it.
            first.note_activity();
            first.note_silence();
            second.note_activity();
            third.note_activity();
            assert!(places.admit().is_none(), "round {round}");
            let order = [[first, second, third]].into_iter().flatten();
            if round % 2 == 0 {
                order.rev().for_each(drop)
            } else {
                order.for_each(drop)
            }
            let state = places.state();
            assert_eq!((state.held, state.leaving, state.silent.len()), (0, 0, 0));
        }
    }

    #[test]
    fn nobody_gives_way_within_the_grace() {
        let places = Places::new(1, Duration::from_secs(3600));
        let first = admitted(&places).expect("a place");
        assert!(!places.has_room() && places.admit().is_none());
        assert!(!first.is_leaving());
        drop(first);
        assert!(places.has_room() && places.admit().is_some());
    }

    #[test]
    fn where_places_stay_full_newcomers_come_more_often_than_the_grace() {
        let grace = Duration::from_millis(200);
        let places = Places::new(1, grace);
        let mut holders = vec![admitted(&places).expect("a place")];
        let start = Instant::now();
        while start.elapsed() < 6 * grace {
            if let Some(newcomer) = admitted(&places) {
                // One that leaves by itself comes back at once: that is no sign of room.
                drop(newcomer);
                holders.extend(admitted(&places));
            }
            std::thread::sleep(grace / 100);
        }
        // One that has its whole grace, and then up to twenty in each.
        assert!(holders.len() > 10, "{}", holders.len());
        holders.last().expect("there are some").note_activity();
        std::thread::sleep(grace);
        assert!(!places.has_room() && places.admit().is_none());
    }
}
