//! The transposition table of the solver, of fixed size.
//!
//! An entry holds the proven results of the attack search for one position, attacker and role, with their types: *succeeds
//! within so many plies* and *fails within so many plies*. Both hold for good, so an entry is right or missing.

use crate::search::memory::most_buckets;

use super::attack_result::NEVER;
use super::live_lines::Key;

/// The proven results of one attack search.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct TableEntry {
    /// The attack succeeds within this many plies.
    pub succeeds_within: Option<u16>,
    /// The attack fails within this many plies; [`NEVER`] if it fails altogether.
    pub fails_within: u16,
    /// The low 16 bits of the signature of the best cell; 0 for none.
    pub best: u16,
}

/// Entries by key, within a fixed number of bytes.
///
/// An entry has two words: the low half of the key, and
///
/// ```text
/// bits   0..16        16..32       32..41   42..51   51..57
///        generation   best cell    succeeds fails    work
/// ```
///
/// `succeeds` is 0 for none, `fails` is 511 for never, `work` is the logarithm of the nodes. The high half of the key
/// selects a bucket of four entries. A word of zeros is no entry, because generations begin with 1.
///
/// A search begins with a small part of the table, which stays in the caches of the processor. When half of that part is in
/// use, the search goes on with a larger part. The entries stored before are then out of reach; they are few compared
/// with those to come.
pub struct TranspositionTable {
    words: Vec<u64>,
    /// The most bytes that the table may take.
    bytes: usize,
    /// Buckets in use.
    buckets: usize,
    /// New entries since the part in use was last changed.
    stored: usize,
    generation: u16,
    /// Whether entries of earlier generations count.
    uses_old_generations: bool,
}

const BUCKET: usize = 4;

/// Buckets in use at first: 64 KiB.
const FIRST_BUCKETS: usize = 1 << 10;

/// How many times as many buckets are in use after each growth.
const GROWTH: usize = 16;

impl TranspositionTable {
    /// A table of at most so many bytes, which are allocated with the first entry.
    pub fn new(bytes: usize) -> TranspositionTable {
        TranspositionTable {
            words: Vec::new(),
            bytes,
            buckets: 0,
            stored: 0,
            generation: 1,
            uses_old_generations: true,
        }
    }

    /// Ignores all entries that were stored so far.
    pub fn forget(&mut self) {
        self.uses_old_generations = false;
        if self.words.is_empty() {
            return;
        }
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.words = Vec::new();
            self.generation = 1;
        }
        self.use_buckets(FIRST_BUCKETS);
    }

    fn use_buckets(&mut self, buckets: usize) {
        self.buckets = buckets.min(self.words.len() / (2 * BUCKET));
        self.stored = 0;
    }

    /// Uses ignored entries again, as far as they are still there.
    pub fn recall(&mut self) {
        self.uses_old_generations = true;
    }

    fn bucket(&self, key: Key) -> usize {
        ((u128::from(key.high) * self.buckets as u128) >> 64) as usize * 2 * BUCKET
    }

    fn holds(&self, place: usize, key: Key) -> bool {
        let data = self.words[place + 1];
        self.words[place] == key.low
            && data as u16 != 0
            && (self.uses_old_generations || data as u16 == self.generation)
    }

    pub fn probe(&self, key: Key) -> Option<TableEntry> {
        if self.words.is_empty() {
            return None;
        }
        let bucket = self.bucket(key);
        let place = (bucket..bucket + 2 * BUCKET).step_by(2).find(|&place| self.holds(place, key))?;
        Some(unpack(self.words[place + 1]))
    }

    /// Stores an entry. It replaces the entry of the same key, or the one in its bucket with the least work.
    pub fn store(&mut self, key: Key, known: TableEntry, work: u64) {
        if self.words.is_empty() && !self.allocate() {
            return;
        }
        if self.stored > self.buckets * BUCKET / 2 && self.buckets * 2 * BUCKET < self.words.len() {
            self.use_buckets(self.buckets * GROWTH);
        }
        let bucket = self.bucket(key);
        let places = || (bucket..bucket + 2 * BUCKET).step_by(2);
        // Ignored entries must not have any effect, not even by their place.
        let worth = |place: &usize| {
            let data = self.words[place + 1];
            if data as u16 == self.generation { 1 + (data >> 51) } else { 0 }
        };
        let same = places().find(|&place| self.holds(place, key));
        self.stored += usize::from(same.is_none());
        let place = same.or_else(|| places().min_by_key(worth)).expect("a bucket has entries");
        let work = u64::from(64 - work.leading_zeros()).min(63);
        self.words[place] = key.low;
        self.words[place + 1] = u64::from(self.generation) | pack(known) | work << 51;
    }

    /// Allocates the table, or a smaller one if the system has less memory. `false` if it has none.
    fn allocate(&mut self) -> bool {
        let buckets = most_buckets(self.bytes, 2 * BUCKET);
        // The system is not asked again for what it does not have.
        self.bytes = buckets * 2 * BUCKET * size_of::<u64>();
        self.words = vec![0; buckets * 2 * BUCKET];
        self.use_buckets(FIRST_BUCKETS);
        buckets > 0
    }
}

fn pack(known: TableEntry) -> u64 {
    let fails_within = if known.fails_within == NEVER { 511 } else { u64::from(known.fails_within.min(510)) };
    u64::from(known.best) << 16 | u64::from(known.succeeds_within.unwrap_or(0)) << 32 | fails_within << 42
}

fn unpack(data: u64) -> TableEntry {
    let succeeds_within = (data >> 32) as u16 & 511;
    let fails_within = (data >> 42) as u16 & 511;
    TableEntry {
        succeeds_within: (succeeds_within != 0).then_some(succeeds_within),
        fails_within: if fails_within == 511 { NEVER } else { fails_within },
        best: (data >> 16) as u16,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(number: u64) -> Key {
        Key { low: crate::search::request::mix(number), high: crate::search::request::mix(!number) }
    }

    #[test]
    fn what_is_stored_is_found_or_missing_but_never_another() {
        let mut table = TranspositionTable::new(1 << 12);
        let known = |number: u64| TableEntry {
            succeeds_within: number.is_multiple_of(3).then_some(number as u16 % 400 + 1),
            fails_within: if number.is_multiple_of(5) { NEVER } else { number as u16 % 401 },
            best: number as u16,
        };
        let mut found = 0;
        for number in 0..10_000 {
            table.store(key(number), known(number), number);
            assert_eq!(table.probe(key(number)), Some(known(number)));
            for earlier in number.saturating_sub(100)..number {
                if let Some(remembered) = table.probe(key(earlier)) {
                    assert_eq!(remembered, known(earlier));
                    found += 1;
                }
            }
        }
        assert!(found > 1000, "{found}");
    }

    #[test]
    fn what_is_forgotten_is_not_found_until_it_is_recalled() {
        let mut table = TranspositionTable::new(1 << 12);
        let known = TableEntry { succeeds_within: Some(3), fails_within: 1, best: 7 };
        table.store(key(1), known, 1);
        table.forget();
        assert_eq!(table.probe(key(1)), None);
        table.recall();
        assert_eq!(table.probe(key(1)), Some(known));
        table.forget();
        for _ in 0..70_000 {
            table.forget();
            assert_eq!(table.probe(key(1)), None);
        }
    }
}
