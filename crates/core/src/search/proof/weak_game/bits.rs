//! Sets of small numbers as bits: of cells, and of lines.

use crate::search::request::fold_product;

/// A set of numbers below `64 * W`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bits<const W: usize>([u64; W]);

impl<const W: usize> Bits<W> {
    pub const EMPTY: Bits<W> = Bits([0; W]);

    pub const ALL: Bits<W> = Bits([u64::MAX; W]);

    #[inline]
    pub fn of(number: usize) -> Bits<W> {
        let mut bits = Bits::EMPTY;
        bits.insert(number);
        bits
    }

    #[inline]
    pub fn from_words(words: &[u64]) -> Bits<W> {
        Bits(std::array::from_fn(|index| words[index]))
    }

    #[inline]
    pub fn words(&self) -> &[u64; W] {
        &self.0
    }

    #[inline]
    pub fn insert(&mut self, number: usize) {
        self.0[number / 64] |= 1 << (number % 64);
    }

    #[inline]
    pub fn remove(&mut self, number: usize) {
        self.0[number / 64] &= !(1 << (number % 64));
    }

    #[inline]
    pub fn contains(&self, number: usize) -> bool {
        self.0[number / 64] & 1 << (number % 64) != 0
    }

    #[inline]
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The weight of the set as the empty cells of a line: 2^-cells, in units of 2^-32.
    #[inline]
    pub fn weight(&self) -> u64 {
        (1u64 << 32) >> self.len().min(32)
    }

    #[inline]
    pub fn and(self, other: Bits<W>) -> Bits<W> {
        Bits(std::array::from_fn(|index| self.0[index] & other.0[index]))
    }

    #[inline]
    pub fn or(self, other: Bits<W>) -> Bits<W> {
        Bits(std::array::from_fn(|index| self.0[index] | other.0[index]))
    }

    #[inline]
    pub fn minus(self, other: Bits<W>) -> Bits<W> {
        Bits(std::array::from_fn(|index| self.0[index] & !other.0[index]))
    }

    #[inline]
    pub fn meets(self, other: Bits<W>) -> bool {
        (0..W).any(|index| self.0[index] & other.0[index] != 0)
    }

    #[inline]
    pub fn is_subset(self, other: Bits<W>) -> bool {
        (0..W).all(|index| self.0[index] & !other.0[index] == 0)
    }

    /// Two pseudo-random words of the set, which depend on two others.
    #[inline]
    pub fn hash(&self, seed: [u64; 2]) -> [u64; 2] {
        self.0.iter().fold(seed, |[low, high], &word| {
            [
                fold_product(low ^ word, 0x8bb8_4b93_962e_acc9).wrapping_mul(0x9fb2_1c65_1e98_df25),
                fold_product(high ^ word, 0x4d5a_2da5_1de1_aa47).wrapping_mul(0xd6e8_feb8_6659_fd93),
            ]
        })
    }

    /// The least number of the set.
    #[inline]
    pub fn first(&self) -> Option<usize> {
        (0..W).find(|&index| self.0[index] != 0).map(|index| 64 * index + self.0[index].trailing_zeros() as usize)
    }

    /// The numbers of the set, in ascending order.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(index, word)| Ones(word).map(move |bit| 64 * index + bit))
    }
}

impl<const W: usize> FromIterator<usize> for Bits<W> {
    #[inline]
    fn from_iter<I: IntoIterator<Item = usize>>(numbers: I) -> Bits<W> {
        let mut bits = Bits::EMPTY;
        numbers.into_iter().for_each(|number| bits.insert(number));
        bits
    }
}

/// The places of the bits that are set in a word.
struct Ones(u64);

impl Iterator for Ones {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        let bit = (self.0 != 0).then(|| self.0.trailing_zeros() as usize)?;
        self.0 &= self.0 - 1;
        Some(bit)
    }
}

/// Removes every set that contains another one, and sorts those that are left by size.
pub fn remove_supersets<const W: usize>(sets: &mut Vec<Bits<W>>) {
    sets.sort_unstable_by_key(|set| (set.len(), set.0));
    sets.dedup();
    let mut kept = 0;
    for index in 0..sets.len() {
        let set = sets[index];
        if !sets[..kept].iter().any(|smaller| smaller.is_subset(set)) {
            sets[kept] = set;
            kept += 1;
        }
    }
    sets.truncate(kept);
}
