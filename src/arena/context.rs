//! What all games of a match have in common.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::{Arc, Mutex, PoisonError};

use super::observer::MatchObserver;
use super::openings::Book;
use super::settings::MatchSettings;

/// What all games of a match have in common.
pub struct MatchContext {
    pub settings: MatchSettings,
    pub book: Book,
    /// The fingerprint of the match.
    pub match_id: String,
    pub seed: u64,
    pub observer: Arc<dyn MatchObserver>,
    /// How often each warning was due.
    warnings: Mutex<BTreeMap<String, u64>>,
}

impl MatchContext {
    pub fn new(
        settings: MatchSettings,
        book: Book,
        match_id: String,
        seed: u64,
        observer: Arc<dyn MatchObserver>,
    ) -> MatchContext {
        MatchContext { settings, book, match_id, seed, observer, warnings: Mutex::default() }
    }

    /// Gives a warning to the observer, and each warning only once: an engine may show a fault in every move.
    pub fn warn(&self, warning: String) {
        let mut warnings = self.warnings.lock().unwrap_or_else(PoisonError::into_inner);
        match warnings.entry(warning) {
            Entry::Occupied(mut times) => *times.get_mut() += 1,
            Entry::Vacant(new) => {
                self.observer.warn(new.key());
                new.insert(1);
            }
        }
    }

    /// Warns of an engine that answered an earlier question late.
    pub fn warn_of_stale(&self, name: &str) {
        self.warn(format!("{name}: an answer to an earlier question came late and is ignored"));
    }

    /// Says of each warning that was due more than once how often it was.
    pub fn warn_of_repeats(&self) {
        let warnings = self.warnings.lock().unwrap_or_else(PoisonError::into_inner);
        for (warning, times) in warnings.iter().filter(|(_, times)| **times > 1) {
            self.observer.warn(&format!("{warning} ({times} times in all)"));
        }
    }

    /// Whether values and node counts of moves are recorded.
    pub fn records_info(&self) -> bool {
        self.settings.record.is_some()
    }
}
