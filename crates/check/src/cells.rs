//! Sets of cells, with one bit for each cell. Cell `row,column` is bit `row * size + column`.

use std::array::from_fn;
use std::iter::successors;

/// A set of cells. A board has 400 cells at most.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Cells([u64; 7]);

impl Cells {
    pub const NONE: Self = Self([0; 7]);
    pub const ALL: Self = Self([u64::MAX; 7]);
    pub fn of(cell: usize) -> Self {
        Self::NONE.with(cell)
    }
    pub fn with(mut self, cell: usize) -> Self {
        self.0[cell / 64] |= 1 << (cell % 64);
        self
    }
    pub fn has(self, cell: usize) -> bool {
        self.0[cell / 64] >> (cell % 64) & 1 == 1
    }
    pub fn and(self, other: Self) -> Self {
        Self(from_fn(|i| self.0[i] & other.0[i]))
    }
    pub fn or(self, other: Self) -> Self {
        Self(from_fn(|i| self.0[i] | other.0[i]))
    }
    pub fn minus(self, other: Self) -> Self {
        Self(from_fn(|i| self.0[i] & !other.0[i]))
    }
    pub fn within(self, other: Self) -> bool {
        (0..7).all(|i| self.0[i] & !other.0[i] == 0)
    }
    pub fn meets(self, other: Self) -> bool {
        (0..7).any(|i| self.0[i] & other.0[i] != 0)
    }
    pub fn count(self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }
    /// The cells in reading order.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        let rest = |word: u64| Some(word).filter(|&word| word != 0);
        let bits = move |word| successors(rest(word), move |&word| rest(word & (word - 1)));
        (0..7).flat_map(move |i| bits(self.0[i]).map(move |word| 64 * i + word.trailing_zeros() as usize))
    }
}

impl FromIterator<usize> for Cells {
    fn from_iter<I: IntoIterator<Item = usize>>(cells: I) -> Self {
        cells.into_iter().fold(Self::NONE, Self::with)
    }
}

/// The cells of all these sets.
pub fn union<'a>(sets: impl IntoIterator<Item = &'a Cells>) -> Cells {
    sets.into_iter().copied().fold(Cells::NONE, Cells::or)
}
