//! The table of the weak game: proof numbers and zones by key, in a fixed number of bytes.

use crate::search::memory::most_buckets;

use super::bits::Bits;

/// What is known about a position.
#[derive(Clone, Copy, Debug)]
pub struct Entry<const C: usize> {
    /// The proof number: how hard it seems to prove that Breaker wins. 0 if it is proven.
    pub proof: u32,
    /// The disproof number: how hard it seems to prove that Maker wins. 0 if it is proven.
    pub disproof: u32,
    /// In an open position: the cells that are not excluded as moves.
    pub candidates: Bits<C>,
    /// The zone of the winner; in an open position, what it consists of so far.
    pub zone: Bits<C>,
}

impl<const C: usize> Entry<C> {
    pub fn is_settled(&self) -> bool {
        self.proof == 0 || self.disproof == 0
    }

    /// A move has lost, with this zone of the opponent: all moves outside of the zone lose too.
    pub fn exclude_outside(&mut self, zone: Bits<C>) {
        self.candidates = self.candidates.and(zone);
        self.zone = self.zone.or(zone);
    }
}

/// The largest number that an entry holds. It stands for infinity too.
pub const MOST: u32 = (1 << 24) - 1;

/// Entries in buckets of four. An entry has two words of key, one of data and its two sets of cells:
///
/// ```text
/// bits   0..24   24..48    48..64
///        proof   disproof  work
/// ```
///
/// `work` is the logarithm of the nodes below, at least 1, so a word of zeros is no entry. An entry replaces the one in its
/// bucket with the least work.
pub struct ProofTable<const C: usize> {
    words: Vec<u64>,
    /// The most bytes that the table may take.
    bytes: usize,
    /// Buckets in use. All words behind them are zero.
    buckets: usize,
    /// Buckets in use at first.
    first: usize,
    /// New entries since the table was empty.
    stored: usize,
}

const BUCKET: usize = 4;

/// Buckets in use at first.
const FIRST_BUCKETS: usize = 1 << 12;

/// How many times as many buckets are in use after each growth.
const GROWTH: usize = 8;

/// The most buckets that are cleared when the table forgets. Larger tables give their memory back instead, because memory
/// that is new is not touched before it is needed.
const MOST_CLEARED: usize = FIRST_BUCKETS * GROWTH;

impl<const C: usize> ProofTable<C> {
    /// Words of an entry.
    const STRIDE: usize = 3 + 2 * C;

    /// A table of at most so many bytes, which are allocated with the first entry.
    pub fn new(bytes: usize) -> ProofTable<C> {
        ProofTable { words: Vec::new(), bytes, buckets: 0, first: 0, stored: 0 }
    }

    /// Drops all entries.
    pub fn forget(&mut self) {
        if self.buckets > MOST_CLEARED {
            *self = ProofTable::new(self.bytes);
        } else {
            self.words[..self.buckets * BUCKET * Self::STRIDE].fill(0);
            self.buckets = self.first;
            self.stored = 0;
        }
    }

    fn places(&self, key: [u64; 2]) -> impl Iterator<Item = usize> + use<C> {
        let bucket = ((u128::from(key[1]) * self.buckets as u128) >> 64) as usize * BUCKET * Self::STRIDE;
        (0..BUCKET).map(move |number| bucket + number * Self::STRIDE)
    }

    fn holds(&self, place: usize, key: [u64; 2]) -> bool {
        self.words[place] == key[0] && self.words[place + 1] == key[1] && self.words[place + 2] != 0
    }

    pub fn probe(&self, key: [u64; 2]) -> Option<Entry<C>> {
        if self.words.is_empty() {
            return None;
        }
        let place = self.places(key).find(|&place| self.holds(place, key))?;
        let data = self.words[place + 2];
        Some(Entry {
            proof: data as u32 & MOST,
            disproof: (data >> 24) as u32 & MOST,
            candidates: Bits::from_words(&self.words[place + 3..]),
            zone: Bits::from_words(&self.words[place + 3 + C..]),
        })
    }

    /// Stores an entry. It replaces the entry of the same key, or the one in its bucket with the least work.
    pub fn store(&mut self, key: [u64; 2], entry: &Entry<C>, work: u64) {
        if self.words.is_empty() && !self.allocate() {
            return;
        }
        if self.stored > self.buckets * BUCKET / 2 {
            self.grow();
        }
        let same = self.places(key).find(|&place| self.holds(place, key));
        let worth = |place: &usize| self.words[place + 2] >> 48;
        self.stored += usize::from(same.is_none());
        let mut work = u64::from(64 - work.leading_zeros());
        if let Some(place) = same {
            work = work.max(self.words[place + 2] >> 48);
        }
        let place = same.or_else(|| self.places(key).min_by_key(worth)).expect("a bucket has entries");
        self.words[place..place + 2].copy_from_slice(&key);
        self.words[place + 2] =
            u64::from(entry.proof.min(MOST)) | u64::from(entry.disproof.min(MOST)) << 24 | work << 48;
        self.words[place + 3..place + 3 + C].copy_from_slice(entry.candidates.words());
        self.words[place + 3 + C..place + 3 + 2 * C].copy_from_slice(entry.zone.words());
    }

    /// Allocates the table, or a smaller one if the system has less memory. `false` if it has none.
    fn allocate(&mut self) -> bool {
        let bucket_words = BUCKET * Self::STRIDE;
        let buckets = most_buckets(self.bytes, bucket_words);
        // The system is not asked again for what it does not have.
        self.bytes = buckets * bucket_words * size_of::<u64>();
        // The table can grow by whole factors only.
        let mut first = buckets;
        while first > FIRST_BUCKETS {
            first /= GROWTH;
        }
        let factor = buckets.checked_div(first).unwrap_or(0);
        self.words = vec![0; first * factor * bucket_words];
        self.first = first;
        self.buckets = first;
        self.stored = 0;
        buckets > 0
    }

    /// Uses more buckets, if there are more. A small part of the table stays in the caches of the processor, and untouched
    /// memory costs nothing, so a search begins with few.
    fn grow(&mut self) {
        let bucket_words = BUCKET * Self::STRIDE;
        let most = self.words.len() / bucket_words;
        let factor = (most / self.buckets).min(GROWTH);
        if factor < 2 {
            return;
        }
        let old = self.buckets;
        self.buckets *= factor;
        let mut moved = vec![0; bucket_words];
        // An entry moves from bucket b to one from b * factor on. Those are empty if the last bucket comes first.
        for bucket in (0..old).rev() {
            let start = bucket * bucket_words;
            moved.copy_from_slice(&self.words[start..start + bucket_words]);
            self.words[start..start + bucket_words].fill(0);
            for entry in moved.chunks(Self::STRIDE).filter(|entry| entry[2] != 0) {
                let place = self.places([entry[0], entry[1]]).find(|&place| self.words[place + 2] == 0);
                let place = place.expect("at most one bucket of entries moves to a bucket");
                self.words[place..place + Self::STRIDE].copy_from_slice(entry);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::mix;

    fn entry(number: u64) -> Entry<2> {
        Entry {
            proof: number as u32 % 1000,
            disproof: 1,
            candidates: Bits::from_words(&[number, number]),
            zone: Bits::from_words(&[number, 1]),
        }
    }

    fn key(number: u64) -> [u64; 2] {
        [mix(number), mix(!number)]
    }

    #[test]
    fn a_table_that_is_not_half_full_remembers_nearly_everything() {
        let mut table: ProofTable<2> = ProofTable::new(16 << 20);
        let room = (16 << 20) / 8 / ProofTable::<2>::STRIDE as u64;
        for number in 0..room / 4 {
            table.store(key(number), &entry(number), 1);
            // At any time, before and after the table grows.
            if number % 1000 == 999 {
                let found = |number: &u64| {
                    let known = table.probe(key(*number));
                    assert!(known.as_ref().is_none_or(|known| {
                        let Entry { proof, disproof, candidates, zone } = entry(*number);
                        (known.proof, known.disproof) == (proof, disproof)
                            && (known.candidates.words(), known.zone.words()) == (candidates.words(), zone.words())
                    }));
                    known.is_some()
                };
                let count = (0..=number).filter(found).count() as u64;
                assert!(10 * count > 9 * number, "{count} of {number}");
            }
        }
    }

    #[test]
    fn a_table_that_forgot_is_as_a_new_one() {
        let mut used: ProofTable<2> = ProofTable::new(16 << 20);
        // Few entries, more than the first part holds, and more than are cleared.
        for many in [10, 20_000, 150_000, 20_000, 10] {
            let mut new: ProofTable<2> = ProofTable::new(16 << 20);
            for number in 0..many {
                new.store(key(number), &entry(number), number % 50 + 1);
                used.store(key(number), &entry(number), number % 50 + 1);
            }
            assert!(new.words == used.words && new.buckets == used.buckets, "{many}");
            used.forget();
            assert!((0..many).all(|number| used.probe(key(number)).is_none()));
        }
    }
}
