//! Sets of small numbers as bits: of cells, and of lines.

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
