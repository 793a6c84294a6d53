//! The hash table of the solver and of the weak game: entries in buckets, within a number of bytes that is never exceeded.
//!
//! A key has 128 bits. Its high word selects a bucket of four entries. An entry is a row of words:
//!
//! ```text
//! low word of the key | high word of the key | head | more words
//!                       only of some entries          only of some entries
//!
//! head   bits 0..D   D..D+6   D+6..64
//!             data   work     generation         D = DATA_BITS
//! ```
//!
//! - `data` and the words behind the head are what the entry stores.
//! - `work` is the logarithm of the nodes that its result took. A new entry replaces the one in its bucket with the least.
//! - `generation` counts from 1, so a word of zeros is no entry. To forget all entries, the table begins a new generation.
//!
//! # Growth
//!
//! A search begins with a small part of the table, which stays in the caches of the processor; untouched memory costs
//! nothing. When half of that part is in use, the search goes on with a larger part. What happens to the entries stored
//! before depends on their keys:
//!
//! ```text
//! whole keys   the entries move: those of bucket b spread over the buckets b * n .. b * n + n   (n times as many buckets)
//! half keys    the entries stay where they are, out of reach; they are few compared with those to come
//! ```

use std::marker::PhantomData;

use crate::search::memory::most_buckets;

/// The data that a table stores for a position, and how the table treats them.
pub trait TableEntry: Sized {
    /// Words of an entry: of its key, its head, and the words behind.
    const WORDS: usize;
    /// True if both words of the key are stored, false for the low word alone. Whole keys let the entries move when the table
    /// grows, and a large table then gives its memory back when it forgets.
    const HOLDS_WHOLE_KEY: bool;
    /// Bits of the head that hold data.
    const DATA_BITS: u32;
    /// True if the work of an entry that is stored again is the most that it ever took, false for that of the last time.
    const KEEPS_MOST_WORK: bool;
    /// Buckets in use at first.
    const FIRST_BUCKETS: usize;
    /// The factor by which each growth multiplies the buckets in use.
    const GROWTH: usize;

    /// Returns the data of the head, and writes the words behind it.
    fn pack(&self, more: &mut [u64]) -> u64;

    /// The entry with this data in its head (the higher bits do not count), and these words behind it.
    fn unpack(head: u64, more: &[u64]) -> Self;
}

/// Entries of a bucket.
const BUCKET: usize = 4;

/// Bits of the work in a head.
const WORK_BITS: u32 = 6;

/// Entries by key, within a limited number of bytes.
pub struct BucketTable<E> {
    words: Vec<u64>,
    /// The most bytes that the table may take.
    bytes: usize,
    /// Buckets in use at first.
    first: usize,
    /// Buckets in use.
    buckets: usize,
    /// New entries since the part in use was empty.
    stored: usize,
    generation: u64,
    /// True if entries of earlier generations count.
    uses_old_generations: bool,
    entry: PhantomData<E>,
}

impl<E: TableEntry> BucketTable<E> {
    const BUCKET_WORDS: usize = BUCKET * E::WORDS;

    /// Where the head stands in an entry.
    const HEAD: usize = if E::HOLDS_WHOLE_KEY { 2 } else { 1 };

    const GENERATION_SHIFT: u32 = E::DATA_BITS + WORK_BITS;

    const LAST_GENERATION: u64 = u64::MAX >> Self::GENERATION_SHIFT;

    /// A table of at most so many bytes, which are allocated with the first entry.
    pub fn new(bytes: usize) -> BucketTable<E> {
        BucketTable {
            words: Vec::new(),
            bytes,
            first: 0,
            buckets: 0,
            stored: 0,
            generation: 1,
            uses_old_generations: true,
            entry: PhantomData,
        }
    }

    /// Ignores all entries that were stored so far.
    pub fn forget(&mut self) {
        self.uses_old_generations = false;
        if self.words.is_empty() {
            return;
        }
        let is_large = self.buckets > E::FIRST_BUCKETS * E::GROWTH;
        if self.generation == Self::LAST_GENERATION || (E::HOLDS_WHOLE_KEY && is_large) {
            self.words = Vec::new();
            self.generation = 0;
        }
        self.generation += 1;
        self.buckets = self.first;
        self.stored = 0;
    }

    /// Uses ignored entries again, as far as they are still there.
    pub fn recall(&mut self) {
        self.uses_old_generations = true;
    }

    /// Where the entries of the bucket of a key begin.
    fn places(&self, key: [u64; 2]) -> impl Iterator<Item = usize> + use<E> {
        let bucket = ((u128::from(key[1]) * self.buckets as u128) >> 64) as usize * Self::BUCKET_WORDS;
        (0..BUCKET).map(move |number| bucket + number * E::WORDS)
    }

    fn holds(&self, place: usize, key: [u64; 2]) -> bool {
        let generation = self.words[place + Self::HEAD] >> Self::GENERATION_SHIFT;
        self.words[place..place + Self::HEAD] == key[..Self::HEAD]
            && generation != 0
            && (self.uses_old_generations || generation == self.generation)
    }

    /// The cost of replacing an entry. Ignored entries must not have any effect, not even by their place.
    fn worth(&self, place: usize) -> u64 {
        let head = self.words[place + Self::HEAD];
        if head >> Self::GENERATION_SHIFT == self.generation { 1 + Self::work(head) } else { 0 }
    }

    fn work(head: u64) -> u64 {
        head >> E::DATA_BITS & ((1 << WORK_BITS) - 1)
    }

    /// The entry of a key, if the table has it.
    pub fn probe(&self, key: [u64; 2]) -> Option<E> {
        let place = self.place(key)?;
        Some(E::unpack(self.words[place + Self::HEAD], &self.words[place + Self::HEAD + 1..place + E::WORDS]))
    }

    /// The nodes that the entry of a key took, up to the next power of two.
    pub fn nodes(&self, key: [u64; 2]) -> Option<u64> {
        self.place(key).map(|place| 1 << Self::work(self.words[place + Self::HEAD]))
    }

    /// Where the entry of a key begins, if the table has it.
    fn place(&self, key: [u64; 2]) -> Option<usize> {
        if self.words.is_empty() {
            return None;
        }
        self.places(key).find(|&place| self.holds(place, key))
    }

    /// Stores an entry. It replaces the entry of the same key, or the one in its bucket with the least work.
    pub fn store(&mut self, key: [u64; 2], entry: &E, nodes: u64) {
        if self.words.is_empty() && !self.allocate() {
            return;
        }
        if self.stored > self.buckets * BUCKET / 2 {
            self.grow();
        }
        let mut work = u64::from(64 - nodes.leading_zeros()).min((1 << WORK_BITS) - 1);
        let same = self.place(key);
        match same {
            Some(place) if E::KEEPS_MOST_WORK => work = work.max(Self::work(self.words[place + Self::HEAD])),
            Some(_) => {}
            None => self.stored += 1,
        }
        let place = same.unwrap_or_else(|| self.cheapest(key));
        let (head, more) = self.words[place..place + E::WORDS].split_at_mut(Self::HEAD + 1);
        head[..Self::HEAD].copy_from_slice(&key[..Self::HEAD]);
        head[Self::HEAD] = entry.pack(more) | work << E::DATA_BITS | self.generation << Self::GENERATION_SHIFT;
    }

    /// The place in the bucket of a key that costs the least to replace.
    fn cheapest(&self, key: [u64; 2]) -> usize {
        self.places(key).min_by_key(|&place| self.worth(place)).expect("a bucket has entries")
    }

    /// Allocates the table, or a smaller one if the system has less memory. `false` if it has none.
    fn allocate(&mut self) -> bool {
        let buckets = most_buckets(self.bytes, Self::BUCKET_WORDS);
        // The system is not asked again for what it does not have.
        self.bytes = buckets * Self::BUCKET_WORDS * size_of::<u64>();
        let mut most = buckets;
        self.first = buckets.min(E::FIRST_BUCKETS);
        if E::HOLDS_WHOLE_KEY {
            // Entries can move only if the number of buckets grows by a whole factor.
            self.first = buckets;
            while self.first > E::FIRST_BUCKETS {
                self.first /= E::GROWTH;
            }
            most -= buckets.checked_rem(self.first).unwrap_or(0);
        }
        self.words = vec![0; most * Self::BUCKET_WORDS];
        self.buckets = self.first;
        self.stored = 0;
        buckets > 0
    }

    /// Uses more buckets, if there are more.
    fn grow(&mut self) {
        let most = self.words.len() / Self::BUCKET_WORDS;
        let old = self.buckets;
        if E::HOLDS_WHOLE_KEY {
            self.buckets *= (most / old).min(E::GROWTH);
            if self.buckets > old {
                self.move_entries(old);
            }
        } else if old < most {
            self.buckets = most.min(old * E::GROWTH);
            self.stored = 0;
        }
    }

    /// Moves the entries of the first `old` buckets to where they are found after growth.
    fn move_entries(&mut self, old: usize) {
        let mut moved = vec![0; Self::BUCKET_WORDS];
        // No entry is moved to a bucket that is still to be emptied, because the last bucket comes first.
        for bucket in (0..old).rev() {
            let start = bucket * Self::BUCKET_WORDS;
            moved.copy_from_slice(&self.words[start..start + Self::BUCKET_WORDS]);
            self.words[start..start + Self::BUCKET_WORDS].fill(0);
            let is_current = |entry: &&[u64]| entry[Self::HEAD] >> Self::GENERATION_SHIFT == self.generation;
            for entry in moved.chunks(E::WORDS).filter(is_current) {
                let place = self.cheapest([entry[0], entry[1]]);
                self.words[place..place + E::WORDS].copy_from_slice(entry);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::mix;

    /// An entry with a whole key and a word.
    struct Word(u64);

    impl TableEntry for Word {
        const WORDS: usize = 4;
        const HOLDS_WHOLE_KEY: bool = true;
        const DATA_BITS: u32 = 48;
        const KEEPS_MOST_WORK: bool = true;
        const FIRST_BUCKETS: usize = 1 << 12;
        const GROWTH: usize = 8;

        fn pack(&self, more: &mut [u64]) -> u64 {
            more[0] = self.0;
            0
        }

        fn unpack(_head: u64, more: &[u64]) -> Word {
            Word(more[0])
        }
    }

    fn key(number: u64) -> [u64; 2] {
        [mix(number), mix(!number)]
    }

    /// The part in use, with zeros for ignored entries and without the generation.
    fn contents(table: &BucketTable<Word>) -> Vec<u64> {
        let (head, shift) = (BucketTable::<Word>::HEAD, BucketTable::<Word>::GENERATION_SHIFT);
        let mut words = table.words[..table.buckets * BucketTable::<Word>::BUCKET_WORDS].to_vec();
        for entry in words.chunks_mut(Word::WORDS) {
            let generation = entry[head] >> shift;
            if generation == table.generation {
                entry[head] ^= generation << shift;
            } else {
                entry.fill(0);
            }
        }
        words
    }

    #[test]
    fn a_table_that_forgot_is_as_a_new_one() {
        let mut used: BucketTable<Word> = BucketTable::new(16 << 20);
        // Few entries, more than the first part holds, and more than a table keeps that forgets; and many generations.
        for many in [10, 20_000, 150_000, 20_000, 10].into_iter().chain([20; 3000]) {
            let store = |table: &mut BucketTable<Word>| {
                (0..many).for_each(|number| table.store(key(number), &Word(number), number % 50 + 1));
            };
            store(&mut used);
            if many == 20 {
                assert!((0..many).all(|number| used.probe(key(number)).is_some_and(|word| word.0 == number)));
            } else {
                let mut new: BucketTable<Word> = BucketTable::new(16 << 20);
                store(&mut new);
                assert!(contents(&new) == contents(&used), "{many}");
            }
            used.forget();
            assert!((0..many).all(|number| used.probe(key(number)).is_none()));
        }
    }
}
