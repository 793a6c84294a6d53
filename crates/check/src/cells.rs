//! Sets of cells, with one bit for each cell. Cell `row,column` is bit `row * size + column`.

use std::array::from_fn;

/// A set of cells. `W` words of 64 bits are enough for the whole board.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Cells<const W: usize>([u64; W]);

impl<const W: usize> Cells<W> {
    pub const NONE: Self = Self([0; W]);
    pub const ALL: Self = Self([u64::MAX; W]);
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
        self.minus(other) == Self::NONE
    }
    pub fn meets(self, other: Self) -> bool {
        self.and(other) != Self::NONE
    }
    pub fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }
    /// The first cell in reading order.
    pub fn first(self) -> Option<usize> {
        (0..W).find(|&i| self.0[i] != 0).map(|i| 64 * i + self.0[i].trailing_zeros() as usize)
    }
    /// The cells in reading order.
    pub fn iter(mut self) -> impl Iterator<Item = usize> {
        std::iter::from_fn(move || {
            let cell = self.first()?;
            self.0[cell / 64] &= self.0[cell / 64] - 1; // takes away the lowest bit
            Some(cell)
        })
    }
}

impl<const W: usize> FromIterator<usize> for Cells<W> {
    fn from_iter<I: IntoIterator<Item = usize>>(cells: I) -> Self {
        cells.into_iter().fold(Self::NONE, Self::with)
    }
}
