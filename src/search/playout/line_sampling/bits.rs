//! Sets of empty cells, and uniformly random ones of a given size.

use rand::Rng;

use crate::search::{Generator, below};

/// Cells that are picked or left out one by one rather than by coins.
const FEW: u32 = 6;

/// Random words that make up a coin: its chance is a multiple of 1/16.
const COIN_WORDS: u32 = 4;

/// A set of numbers below `64 * W`: cells, by their place among the empty cells of a position.
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

    /// The numbers given.
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

    /// 1 for a member, 0 for anything else.
    fn bit(&self, index: u32) -> u64 {
        self.0[index as usize / 64] >> (index % 64) & 1
    }

    /// Turns the membership of `index` when `bit` is 1, and does nothing when it is 0.
    fn turn(&mut self, index: u32, bit: u64) {
        self.0[index as usize / 64] ^= bit << (index % 64);
    }

    /// Each number with a chance of `sixteenths / 16`, independently: the binary digits of that fraction, the last
    /// one first, each decide between `and` and `or` with another random word.
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

/// A set of cells below `span` with its size.
#[derive(Clone, Copy)]
pub(super) struct Sized<const W: usize> {
    pub(super) cells: Bits<W>,
    pub(super) len: u32,
}

impl<const W: usize> Sized<W> {
    /// A uniformly random subset with `wanted` members, all of them below `span`.
    ///
    /// Whatever subset one starts from, it must treat all cells alike; then as many uniformly random cells as it
    /// has too many leave it, or as it lacks join it. So it starts near the size that is wanted.
    pub(super) fn subset(self, wanted: u32, span: u32, generator: &mut Generator) -> Sized<W> {
        let mut subset = if self.len - wanted <= FEW {
            self
        } else if wanted <= FEW {
            Sized { cells: Bits::EMPTY, len: 0 }
        } else {
            let sixteenths = (32 * wanted + self.len) / (2 * self.len);
            let cells = Bits::coins(sixteenths, generator).and(self.cells);
            Sized { cells, len: cells.len() }
        };
        // Neither loop branches on whether a cell was hit: that would be guessed wrong every other time.
        while subset.len > wanted {
            let index = below(generator, span);
            let hit = subset.cells.bit(index);
            subset.cells.turn(index, hit);
            subset.len -= hit as u32;
        }
        let mut left = self.cells.without(subset.cells);
        while subset.len < wanted {
            let index = below(generator, span);
            let hit = left.bit(index);
            left.turn(index, hit);
            subset.len += hit as u32;
        }
        Sized { cells: self.cells.without(left), len: wanted }
    }
}
