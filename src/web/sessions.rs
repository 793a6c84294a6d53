//! The sessions of a server: so many at most, and the tab that was idle for longest gives way to a newcomer.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;

/// The sessions that are open.
pub struct Sessions {
    most: usize,
    /// The time that a tab has to be idle before it gives way.
    grace: Duration,
    open: Mutex<Vec<Arc<Holder>>>,
}

/// The tab that has a session.
struct Holder {
    /// Since when the tab has been idle. `None` while it waits for an answer.
    idle_since: Mutex<Option<Instant>>,
    leave: Notify,
}

/// A tab's place among the sessions. It is given back when this is dropped.
pub struct SessionPlace {
    sessions: Arc<Sessions>,
    holder: Arc<Holder>,
}

impl Sessions {
    /// At most this many sessions. A tab that was idle for `grace` gives way when all are taken.
    pub fn new(most: usize, grace: Duration) -> Arc<Sessions> {
        Arc::new(Sessions { most, grace, open: Mutex::default() })
    }

    /// The most sessions at the same time.
    pub fn most(&self) -> usize {
        self.most
    }

    /// True if a newcomer would be admitted now.
    pub fn has_room(&self) -> bool {
        let open = lock(&self.open);
        open.len() < self.most || self.first_to_leave(&open).is_some()
    }

    /// A place for a newcomer, or `None` if all are taken and no tab was idle for long enough.
    pub fn admit(self: &Arc<Sessions>) -> Option<SessionPlace> {
        let mut open = lock(&self.open);
        if open.len() >= self.most {
            let index = self.first_to_leave(&open)?;
            open.swap_remove(index).leave.notify_one();
        }
        let holder = Arc::new(Holder { idle_since: Mutex::new(Some(Instant::now())), leave: Notify::new() });
        open.push(Arc::clone(&holder));
        Some(SessionPlace { sessions: Arc::clone(self), holder })
    }

    /// The index of the tab that was idle for longest, if that is long enough.
    fn first_to_leave(&self, open: &[Arc<Holder>]) -> Option<usize> {
        let idle = open.iter().enumerate().filter_map(|(index, holder)| Some(((*lock(&holder.idle_since))?, index)));
        idle.min().filter(|(since, _)| since.elapsed() >= self.grace).map(|(_, index)| index)
    }
}

impl SessionPlace {
    /// Notes since when the tab has been idle, or with `None` that it waits for an answer.
    pub fn note_idle_since(&self, since: Option<Instant>) {
        *lock(&self.holder.idle_since) = since;
    }

    /// Waits until the tab has to give way. One task at a time may wait.
    pub async fn asked_to_leave(&self) {
        self.holder.leave.notified().await;
    }
}

impl Drop for SessionPlace {
    fn drop(&mut self) {
        lock(&self.sessions.open).retain(|holder| !Arc::ptr_eq(holder, &self.holder));
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// True once the holder was asked to leave: it stands in the list no longer.
    fn has_to_leave(place: &SessionPlace) -> bool {
        !lock(&place.sessions.open).iter().any(|holder| Arc::ptr_eq(holder, &place.holder))
    }

    #[test]
    fn the_tab_that_was_idle_for_longest_gives_way() {
        let sessions = Sessions::new(3, Duration::ZERO);
        let mut places: Vec<SessionPlace> = (0..3).map(|_| sessions.admit().expect("a place")).collect();
        // The first one is heard again, so that the second one was idle for longest.
        places[0].note_idle_since(Some(Instant::now()));
        for leaving in [1, 2, 0, 3, 4] {
            assert!(sessions.has_room());
            places.push(sessions.admit().expect("a place"));
            assert!(has_to_leave(&places[leaving]));
            assert_eq!(places.iter().filter(|place| !has_to_leave(place)).count(), 3);
        }
    }

    #[test]
    fn a_tab_that_waits_for_an_answer_does_not_give_way() {
        let sessions = Sessions::new(1, Duration::ZERO);
        let place = sessions.admit().expect("a place");
        place.note_idle_since(None);
        assert!(!sessions.has_room() && sessions.admit().is_none());
        place.note_idle_since(Some(Instant::now()));
        assert!(sessions.has_room() && sessions.admit().is_some());
        assert!(has_to_leave(&place));
    }

    #[test]
    fn places_come_back_once_in_whatever_order_tabs_leave() {
        let sessions = Sessions::new(2, Duration::ZERO);
        for round in 0..50 {
            let mut places: Vec<SessionPlace> = (0..5).map(|_| sessions.admit().expect("a place")).collect();
            assert_eq!(lock(&sessions.open).len(), 2, "round {round}");
            places.rotate_left(round % 5);
            drop(places);
            assert_eq!(lock(&sessions.open).len(), 0, "round {round}");
        }
    }

    #[test]
    fn no_tab_gives_way_within_the_grace() {
        let sessions = Sessions::new(1, Duration::from_secs(3600));
        let first = sessions.admit().expect("a place");
        assert!(!sessions.has_room() && sessions.admit().is_none());
        assert!(!has_to_leave(&first));
        drop(first);
        assert!(sessions.has_room() && sessions.admit().is_some());
    }
}
