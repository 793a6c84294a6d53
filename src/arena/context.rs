//! The context that all games of a match share.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::client::RunObserver;
use noughts_core::game::Outcome;

use super::openings::Book;
use super::record::GameRecord;
use super::settings::MatchSettings;

/// The context that all games of a match share.
pub struct MatchContext {
    pub settings: MatchSettings,
    pub book: Book,
    /// The fingerprint of the match.
    pub match_id: String,
    pub seed: u64,
    pub observer: Arc<dyn RunObserver>,
    /// The number of times that each warning was due.
    pub warnings: Mutex<BTreeMap<String, u64>>,
    /// Games that were lost by a fault.
    pub faults: AtomicU64,
}

/// Games that are lost by a fault and have a warning of their own. The tables count them all.
const MOST_FAULTS_SHOWN: u64 = 10;

impl MatchContext {
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

    /// Warns of a game that was lost by a fault of the loser.
    pub fn warn_of_fault(&self, game: &GameRecord) {
        let (Outcome::Win(winner), Some(detail)) = (game.result, &game.detail) else { return };
        let shown = self.faults.fetch_add(1, Ordering::Relaxed);
        if shown < MOST_FAULTS_SHOWN {
            let (loser, reason) = (!winner, game.reason);
            let (number, ply, name) = (game.game, game.moves.len() + 1, &game.engine(loser).name);
            let side = loser.letter().to_ascii_uppercase();
            self.observer.warn(&format!("game {number}, move {ply}: {name} loses as {side} ({reason}): {detail}"));
        }
        if shown + 1 == MOST_FAULTS_SHOWN {
            self.observer.warn("further games that are lost by a fault are only counted");
        }
    }

    /// Repeats each warning that was due more than once, with its number.
    pub fn warn_of_repeats(&self) {
        let warnings = self.warnings.lock().unwrap_or_else(PoisonError::into_inner);
        for (warning, times) in warnings.iter().filter(|(_, times)| **times > 1) {
            self.observer.warn(&format!("{warning} ({times} times in all)"));
        }
    }
}
