//! The context that all games of a match share.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use noughts_core::game::Outcome;

use super::openings::Book;
use super::record::GameRecord;
use super::settings::MatchSettings;
use super::statistics::Outcomes;

/// The context that all games of a match share.
pub struct MatchContext {
    pub settings: MatchSettings,
    pub book: Book,
    /// The fingerprint of the match.
    pub match_id: String,
    pub seed: u64,
    pub observer: Arc<dyn MatchObserver>,
    /// The number of times that each warning was due.
    warnings: Mutex<BTreeMap<String, u64>>,
    /// Games that were lost by a fault.
    faults: AtomicU64,
}

/// The number of games lost by a fault whose details are logged. The tables count them all.
const MOST_FAULTS_TOLD: u64 = 10;

impl MatchContext {
    pub fn new(
        settings: MatchSettings,
        book: Book,
        match_id: String,
        seed: u64,
        observer: Arc<dyn MatchObserver>,
    ) -> MatchContext {
        MatchContext { settings, book, match_id, seed, observer, warnings: Mutex::default(), faults: AtomicU64::new(0) }
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

    /// Says how a game was lost, if it was by a fault of the loser.
    pub fn warn_of_fault(&self, game: &GameRecord) {
        let (Outcome::Win(winner), Some(detail)) = (game.result, &game.detail) else { return };
        let told = self.faults.fetch_add(1, Ordering::Relaxed);
        if told < MOST_FAULTS_TOLD {
            let (loser, reason) = (!winner, game.reason);
            let (number, ply, name) = (game.game, game.moves.len() + 1, &game.engine(loser).name);
            let side = loser.letter().to_ascii_uppercase();
            self.observer.warn(&format!("game {number}, move {ply}: {name} loses as {side} ({reason}): {detail}"));
        }
        if told + 1 == MOST_FAULTS_TOLD {
            self.observer.warn("further games that are lost by a fault are only counted");
        }
    }

    /// Says of each warning that was due more than once how often it was.
    pub fn warn_of_repeats(&self) {
        let warnings = self.warnings.lock().unwrap_or_else(PoisonError::into_inner);
        for (warning, times) in warnings.iter().filter(|(_, times)| **times > 1) {
            self.observer.warn(&format!("{warning} ({times} times in all)"));
        }
    }

    /// True if values and node counts of moves are recorded.
    pub fn records_info(&self) -> bool {
        self.settings.record.is_some()
    }
}

/// Receives the warnings and the progress of a match.
pub trait MatchObserver: Send + Sync {
    /// Something went wrong that the user should know of. The match goes on.
    fn warn(&self, warning: &str);

    /// Reports the progress of the match. Called several times a second.
    fn progress(&self, progress: &MatchProgress);
}

/// Ignores warnings and progress.
impl MatchObserver for () {
    fn warn(&self, _: &str) {}

    fn progress(&self, _: &MatchProgress) {}
}

/// The progress of a match.
#[derive(Clone, Debug)]
pub struct MatchProgress {
    /// Games so far; in a resumed match, the earlier games included.
    pub games: u64,
    /// Games of the whole match.
    pub of: u64,
    /// Games a second since the match began or was resumed.
    pub games_a_second: f64,
    /// The results of the first engine; `None` with more than two engines.
    pub results: Option<Outcomes<3>>,
}
