//! How many different games have been played, in bounded memory.

use std::collections::BTreeSet;

use crate::text::Fingerprint;
use noughts_core::search::mix;

/// The number of fingerprints that are kept. Up to here the count is exact.
const KEPT: usize = 1 << 20;

/// A count of different fingerprints. It keeps the smallest ones, up to a million of them: how dense they are tells how
/// many there are in all, with a standard error of one in a thousand. (Z. Bar-Yossef and others, "Counting Distinct Elements
/// in a Data Stream", 2002.) The order in which they come makes no difference.
#[derive(Clone, Default)]
pub struct DistinctCount {
    smallest: BTreeSet<u64>,
    /// Whether some fingerprint was not kept.
    is_full: bool,
}

impl DistinctCount {
    /// Counts a fingerprint unless it has been counted.
    pub fn insert(&mut self, fingerprint: Fingerprint) {
        self.insert_below(fingerprint, KEPT);
    }

    fn insert_below(&mut self, fingerprint: Fingerprint, kept: usize) {
        // The smallest have to be spread evenly over all numbers.
        let key = mix(fingerprint.bits());
        if self.is_full && self.smallest.last().is_some_and(|&largest| key >= largest) {
            return;
        }
        self.smallest.insert(key);
        if self.smallest.len() > kept {
            self.smallest.pop_last();
            self.is_full = true;
        }
    }

    /// The number of different fingerprints: exact up to a million, else an estimate.
    pub fn count(&self) -> u64 {
        match self.smallest.last() {
            // Of n numbers that are spread evenly, the k-th smallest is about k / n of the way.
            Some(&largest) if self.is_full => {
                ((self.smallest.len() - 1) as f64 / (largest as f64 / 2f64.powi(64))).round() as u64
            }
            _ => self.smallest.len() as u64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The count of so many different fingerprints, each given several times, where few are kept.
    fn count(different: u64, kept: usize) -> u64 {
        let mut distinct = DistinctCount::default();
        for round in 0..3 {
            for number in 0..different {
                distinct.insert_below(Fingerprint::of(&((number * 7919 + round) % different)), kept);
            }
        }
        distinct.count()
    }

    #[test]
    fn the_count_is_exact_while_all_are_kept_and_near_afterwards() {
        for different in [0, 1, 999, 1000] {
            assert_eq!(count(different, 1000), different);
        }
        for different in [1001u64, 5_000, 100_000] {
            // Four standard errors of a thousand kept.
            let error = count(different, 1000).abs_diff(different) as f64 / different as f64;
            assert!(error < 4.0 / 1000f64.sqrt(), "{different}: {error}");
        }
    }
}
