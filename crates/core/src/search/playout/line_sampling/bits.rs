//! Sets of empty cells, and uniformly random subsets of a given size.

use rand::Rng;

use crate::search::{Generator, below};

/// Up to this number of cells are added or removed one by one. For more cells, random bits are cheaper; their cost grows
/// with the number of words.
const fn few(words: usize) -> u32 {
    5 + 3 * words as u32
}

/// Indices of at most 6 bits that are taken from one random word.
const TRIES: u32 = 8;

/// Random words for a biased coin, whose probability is a multiple of 1/16.
const COIN_WORDS: u32 = 4;

/// A set of numbers below `64 * W`: indices into the empty cells of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bits<const W: usize>([u64; W]);

impl<const W: usize> Bits<W> {
    pub(super) const EMPTY: Bits<W> = Bits([0; W]);

    fn combine(self, other: Bits<W>, operation: impl Fn(u64, u64) -> u64) -> Bits<W> {
        Bits(std::array::from_fn(|word| operation(self.0[word], other.0[word])))
    }

    pub(super) fn and(self, other: Bits<W>) -> Bits<W> {
        self.combine(other, |one, other| one & other)
    }

    pub(super) fn or(self, other: Bits<W>) -> Bits<W> {
        self.combine(other, |one, other| one | other)
    }

    pub(super) fn xor(self, other: Bits<W>) -> Bits<W> {
        self.combine(other, |one, other| one ^ other)
    }

    /// What is in this set and not in the other.
    pub(super) fn without(self, other: Bits<W>) -> Bits<W> {
        self.combine(other, |one, other| one & !other)
    }

    /// Whether all of this set is in the other.
    pub(super) fn is_within(&self, other: &Bits<W>) -> bool {
        self.0.iter().zip(&other.0).fold(0, |missing, (one, other)| missing | (one & !other)) == 0
    }

    pub(super) fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The set of these numbers.
    pub(super) fn of(numbers: impl IntoIterator<Item = u32>) -> Bits<W> {
        let mut bits = Bits::EMPTY;
        numbers.into_iter().for_each(|number| bits.0[number as usize / 64] |= 1 << (number % 64));
        bits
    }

    pub(super) fn iter(self) -> impl Iterator<Item = u32> {
        self.0.into_iter().zip(0..).flat_map(|(mut word, number)| {
            std::iter::from_fn(move || {
                let lowest = word.trailing_zeros();
                word &= word.checked_sub(1)?;
                Some(64 * number + lowest)
            })
        })
    }

    /// Removes `surplus` uniformly random members. All members are below `span`.
    ///
    /// There is no branch on whether a random index is a member, because it would be mispredicted every other time.
    fn thinned(mut self, mut surplus: u32, span: u32, generator: &mut Generator) -> Bits<W> {
        if W > 1 {
            while surplus > 0 {
                surplus -= self.take_out(below(generator, span), 1);
            }
            return self;
        }
        let index_bits = u32::BITS - (span - 1).leading_zeros();
        while surplus > 0 {
            let mut indices = generator.next_u64();
            for _ in 0..TRIES {
                let index = indices as u32 & ((1 << index_bits) - 1);
                surplus -= self.take_out(index, u64::from(surplus > 0));
                indices >>= index_bits;
            }
        }
        self
    }

    /// Removes a cell if it is a member and `enabled` is 1. Returns the number of removed cells: 1 or 0.
    fn take_out(&mut self, index: u32, enabled: u64) -> u32 {
        let word = &mut self.0[index as usize / 64 % W];
        let hit = *word >> (index % 64) & enabled;
        *word ^= hit << (index % 64);
        hit as u32
    }

    /// A random set with each number in it with probability `sixteenths / 16`, independently. Each binary digit of that
    /// fraction, the last one first, decides between `and` and `or` with another random word.
    fn coins(sixteenths: u32, generator: &mut Generator) -> Bits<W> {
        let mut coins = Bits::EMPTY;
        for digit in 0..COIN_WORDS {
            let either = 0u64.wrapping_sub(u64::from(sixteenths >> digit & 1));
            for word in &mut coins.0 {
                let random = generator.next_u64();
                *word = (*word & random) | ((*word ^ random) & either);
            }
        }
        coins
    }
}

/// How many sixteenths are nearest to `part / whole`, with `part <= whole` and `0 < whole < 2^26`.
fn nearest_sixteenths(part: u32, whole: u32) -> u32 {
    (32 * part + whole) / (2 * whole)
}

/// Cells to choose from, and their number.
#[derive(Clone, Copy)]
pub(super) struct Pool<const W: usize> {
    pub(super) cells: Bits<W>,
    pub(super) len: u32,
}

impl<const W: usize> Pool<W> {
    /// A uniformly random subset with `wanted` members. All cells are below `span`.
    ///
    /// It starts from a subset that treats all cells alike and has about the wanted size. Then it adds or removes uniformly
    /// random cells until the size is right.
    pub(super) fn subset(self, wanted: u32, span: u32, generator: &mut Generator) -> Bits<W> {
        let start = if self.len - wanted <= few(W) {
            self
        } else if wanted <= few(W) {
            Pool { cells: Bits::EMPTY, len: 0 }
        } else {
            let cells = Bits::coins(nearest_sixteenths(wanted, self.len), generator).and(self.cells);
            Pool { cells, len: cells.len() }
        };
        let left = self.cells.without(start.cells);
        if start.len >= wanted {
            start.cells.thinned(start.len - wanted, span, generator)
        } else {
            self.cells.without(left.thinned(wanted - start.len, span, generator))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::search::{Stream, generator};

    fn set<const W: usize>(number: u32, span: u32) -> Pool<W> {
        Pool { cells: Bits::of((0..number).map(|i| (i * 7 + 3) * span / (7 * number + 3))), len: number }
    }

    #[test]
    fn every_subset_of_a_size_comes_as_often_as_every_other() {
        const EXPECTED: u32 = 10;
        // 9 of 18 cells are too many to be added or removed one by one, so this case uses random bits.
        for (number, wanted, span) in [(6, 0, 64), (6, 6, 6), (9, 2, 64), (9, 7, 9), (12, 6, 40), (18, 9, 19)] {
            let set = set::<1>(number, span);
            let mut generator = generator(u64::from(wanted), Stream::Go(1));
            let subsets = (0..wanted).fold(1, |product, taken| product * (number - taken) / (taken + 1));
            let mut found: HashMap<u64, u32> = HashMap::new();
            for _ in 0..EXPECTED * subsets {
                let subset = set.subset(wanted, span, &mut generator);
                assert!(subset.is_within(&set.cells) && subset.len() == wanted);
                *found.entry(subset.0[0]).or_default() += 1;
            }
            let missing = (subsets - found.len() as u32) * EXPECTED * EXPECTED;
            let squares: u32 = found.values().map(|found| found.abs_diff(EXPECTED).pow(2)).sum();
            let deviation = f64::from(squares + missing) / f64::from(EXPECTED);
            let freedom = f64::from(subsets) - 1.0;
            // Mean plus or less four standard deviations of the chi-square distribution.
            assert!((deviation - freedom).abs() <= 4.0 * (2.0 * freedom).sqrt(), "{number}: {deviation} at {freedom}");
        }
    }

    /// Checks how often a subset has each pair of cells in it.
    fn check_pairs<const W: usize>(number: u32, wanted: u32, span: u32) {
        const DRAWS: u32 = 5_000;
        let set = set::<W>(number, span);
        let mut generator = generator(u64::from(wanted), Stream::Go(3));
        let mut pairs = vec![[0.0; 400]; 400];
        for _ in 0..DRAWS {
            let members: Vec<u32> = set.subset(wanted, span, &mut generator).iter().collect();
            assert_eq!(members.len(), wanted as usize);
            for (index, &second) in members.iter().enumerate() {
                members[..index].iter().for_each(|&first| pairs[first as usize][second as usize] += 1.0);
            }
        }
        let chance = f64::from(wanted * (wanted - 1)) / f64::from(number * (number - 1));
        let (mean, variance) = (f64::from(DRAWS) * chance, f64::from(DRAWS) * chance * (1.0 - chance));
        let members: Vec<usize> = set.cells.iter().map(|cell| cell as usize).collect();
        for (index, &second) in members.iter().enumerate() {
            for found in members[..index].iter().map(|&first| pairs[first][second]) {
                assert!((found - mean).abs() < 5.0 * variance.sqrt(), "{wanted}: {found} for {mean}");
            }
        }
    }

    #[test]
    fn all_pairs_of_cells_share_a_subset_equally_often() {
        for wanted in [5, 15, 30, 31, 50, 56] {
            check_pairs::<1>(60, wanted, 62);
            check_pairs::<2>(60, wanted, 100);
            check_pairs::<4>(60, wanted, 225);
            check_pairs::<7>(60, wanted, 400);
        }
    }

    #[test]
    fn no_other_sixteenth_is_nearer_to_a_fraction() {
        for whole in 1..=400u32 {
            for part in 0..=whole {
                let distance = |sixteenths: u32| (16 * part).abs_diff(sixteenths * whole);
                let nearest = (0..=16).map(distance).min();
                assert_eq!(Some(distance(nearest_sixteenths(part, whole))), nearest, "{part}/{whole}");
            }
        }
    }

    #[test]
    fn coins_fall_with_the_chance_asked_for() {
        let mut generator = generator(3, Stream::Go(2));
        for sixteenths in 1..16 {
            let draws = 20_000;
            let heads: u32 = (0..draws).map(|_| Bits::<1>::coins(sixteenths, &mut generator).len()).sum();
            let chance = f64::from(sixteenths) / 16.0;
            let (flips, heads) = (f64::from(64 * draws), f64::from(heads));
            let deviation = (heads - flips * chance) / (flips * chance * (1.0 - chance)).sqrt();
            assert!(deviation.abs() < 4.0, "{sixteenths}: {deviation}");
        }
    }
}
