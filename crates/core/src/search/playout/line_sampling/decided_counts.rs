//! Decided games, counted by cell.

use super::DecidedGame;
use super::bits::Bits;

/// Binary digits of a count.
const DIGITS: usize = 16;

/// Games in which the same player has completed a line.
pub(super) struct DecidedCounts<const W: usize> {
    number: u64,
    /// The cells with stones of that player, and of the other.
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

    /// Whether the games must be taken before another can be added.
    pub(super) fn is_full(&self) -> bool {
        self.number == (1 << DIGITS) - 1
    }

    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// How many games had a stone of the player, and of the other, on the first `cells` cells; there are none from
    /// now on.
    pub(super) fn take(&mut self, cells: usize) -> [Vec<u64>; 2] {
        self.number = 0;
        self.stones.each_mut().map(|stones| stones.take(cells))
    }
}

/// A count for each cell, one binary digit of all counts a set: adding a set to them is a carry through a few words,
/// and costs the same however many cells are in it.
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
        for (place, digit) in self.digits.iter_mut().enumerate() {
            (*digit, carry) = (digit.xor(carry), digit.and(carry));
            // Before, there is a carry from some cell almost always.
            if place >= 6 && carry == Bits::EMPTY {
                break;
            }
        }
    }

    /// The counts of the first `cells` cells, which start again from 0.
    fn take(&mut self, cells: usize) -> Vec<u64> {
        let mut counts = vec![0; cells];
        for (place, digit) in self.digits.iter_mut().enumerate() {
            digit.iter().for_each(|index| counts[index as usize] += 1 << place);
            *digit = Bits::EMPTY;
        }
        counts
    }
}
