//! Counts of decided games by cell.

use super::DecidedGame;
use super::bits::Bits;

/// Binary digits of a count.
const DIGITS: usize = 16;

/// The counts of games that the same player has completed.
pub(super) struct DecidedCounts<const W: usize> {
    number: u64,
    /// The stones of that player, and those of the other.
    stones: [CellCounters<W>; 2],
}

impl<const W: usize> DecidedCounts<W> {
    pub(super) fn new() -> DecidedCounts<W> {
        DecidedCounts { number: 0, stones: [CellCounters::new(), CellCounters::new()] }
    }

    pub(super) fn add(&mut self, game: &DecidedGame<W>) {
        self.number += 1;
        self.stones[0].add(game.own);
        self.stones[1].add(game.others);
    }

    /// Whether the counts must be taken before another game can be added.
    pub(super) fn is_full(&self) -> bool {
        self.number == (1 << DIGITS) - 1
    }

    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// Takes the counts: for each of the first `cells` cells, the games with a stone of the player on it, and those with a
    /// stone of the other.
    pub(super) fn take(&mut self, cells: usize) -> [Vec<u64>; 2] {
        self.number = 0;
        self.stones.each_mut().map(|stones| stones.take(cells))
    }
}

/// A counter for each cell, bit-sliced: one set holds the same binary digit of all counters. To count a set of cells is to
/// carry it through a few words. The cost does not depend on the number of cells in the set.
struct CellCounters<const W: usize> {
    digits: [Bits<W>; DIGITS],
}

impl<const W: usize> CellCounters<W> {
    fn new() -> CellCounters<W> {
        CellCounters { digits: [Bits::EMPTY; DIGITS] }
    }

    /// Counts the cells of a set, once each.
    fn add(&mut self, set: Bits<W>) {
        let mut carry = set;
        for (digit_index, digit) in self.digits.iter_mut().enumerate() {
            (*digit, carry) = (digit.xor(carry), digit.and(carry));
            // In the lower digits there is almost always a carry.
            if digit_index >= 6 && carry == Bits::EMPTY {
                break;
            }
        }
    }

    /// Takes the counts of the first `cells` cells. The counters start again from 0.
    fn take(&mut self, cells: usize) -> Vec<u64> {
        let mut counts = vec![0; cells];
        for (digit_index, digit) in self.digits.iter_mut().enumerate() {
            digit.iter().for_each(|index| counts[index as usize] += 1 << digit_index);
            *digit = Bits::EMPTY;
        }
        counts
    }
}
