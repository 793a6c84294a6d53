//! A set of cells.

use std::ops::{BitOr, Sub};

use super::{Cell, MAX_SIZE};

const WORDS: usize = (MAX_SIZE as usize * MAX_SIZE as usize).div_ceil(64);

/// A set of cells, as bits. It has room for the largest board.
///
/// Cell `r,c` is bit `r * 20 + c` on boards of every size, so that the set can be read without knowing the board:
///
/// ```text
/// 0,0 0,1 0,2  ...  0,19         0   1   2  ...  19
/// 1,0 1,1 1,2  ...  1,19   ->   20  21  22  ...  39
/// 2,0 2,1 2,2  ...  2,19        40  41  42  ...  59
/// ```
///
/// Bit `b` is bit `b % 64` of word `b / 64`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Debug)]
pub struct CellSet {
    words: [u64; WORDS],
}

impl CellSet {
    /// The set without a cell.
    pub const EMPTY: CellSet = CellSet { words: [0; WORDS] };

    fn place(cell: Cell) -> (usize, u64) {
        let bit = usize::from(cell.row()) * usize::from(MAX_SIZE) + usize::from(cell.column());
        (bit / 64, 1 << (bit % 64))
    }

    /// True if `cell` is in the set.
    pub fn contains(&self, cell: Cell) -> bool {
        let (word, bit) = CellSet::place(cell);
        self.words[word] & bit != 0
    }

    /// Puts `cell` into the set.
    pub fn insert(&mut self, cell: Cell) {
        let (word, bit) = CellSet::place(cell);
        self.words[word] |= bit;
    }

    /// The number of cells in the set.
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// True if the set has no cell.
    pub fn is_empty(&self) -> bool {
        *self == CellSet::EMPTY
    }

    /// The cells of the set in reading order.
    pub fn iter(&self) -> impl Iterator<Item = Cell> {
        self.words.into_iter().enumerate().flat_map(|(index, mut word)| {
            std::iter::from_fn(move || {
                let bit = index * 64 + word.trailing_zeros() as usize;
                // Clears the lowest bit that is set; there is none below it in an empty word.
                word &= word.checked_sub(1)?;
                Some(Cell::new((bit / usize::from(MAX_SIZE)) as u8, (bit % usize::from(MAX_SIZE)) as u8))
            })
        })
    }
}

/// The cells of either set.
impl BitOr for CellSet {
    type Output = CellSet;

    fn bitor(mut self, other: CellSet) -> CellSet {
        for (word, other) in self.words.iter_mut().zip(other.words) {
            *word |= other;
        }
        self
    }
}

/// The cells of the first set that are not in the second.
impl Sub for CellSet {
    type Output = CellSet;

    fn sub(mut self, other: CellSet) -> CellSet {
        for (word, other) in self.words.iter_mut().zip(other.words) {
            *word &= !other;
        }
        self
    }
}

impl FromIterator<Cell> for CellSet {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> CellSet {
        let mut set = CellSet::EMPTY;
        cells.into_iter().for_each(|cell| set.insert(cell));
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_holds_what_was_put_in_and_lists_it_in_reading_order() {
        let all: Vec<Cell> = Cell::all(MAX_SIZE).collect();
        for step in 1..50 {
            let some: Vec<Cell> = all.iter().copied().step_by(step).collect();
            let set: CellSet = some.iter().rev().copied().collect();
            assert_eq!(set.len(), some.len());
            assert_eq!(set.iter().collect::<Vec<_>>(), some);
            assert!(all.iter().all(|cell| set.contains(*cell) == some.contains(cell)));
        }
        assert!(CellSet::EMPTY.is_empty() && CellSet::EMPTY.iter().next().is_none());
    }
}
