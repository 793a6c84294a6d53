//! The entries of the weak game's table: proof numbers and zones.

use crate::search::proof::bucket_table::{BucketTable, TableEntry};

use super::bits::Bits;

/// The table of the weak game.
pub type ProofTable<const C: usize> = BucketTable<ProofEntry<C>>;

/// An entry of the table: what is known about a position.
#[derive(Clone, Copy, Debug)]
pub struct ProofEntry<const C: usize> {
    /// The proof number: how hard it seems to prove that Breaker wins. 0 if it is proven.
    pub proof: u32,
    /// The disproof number: how hard it seems to prove that Maker wins. 0 if it is proven.
    pub disproof: u32,
    /// In an open position: the cells that are not excluded as moves. If the player to move wins: the move. If the other does,
    /// the zone. For Breaker's wins by a pairing or by weight: his first cell, or none.
    pub candidates: Bits<C>,
    /// The zone of the winner; in an open position, what it consists of so far.
    pub zone: Bits<C>,
}

impl<const C: usize> ProofEntry<C> {
    pub fn is_settled(&self) -> bool {
        self.proof == 0 || self.disproof == 0
    }

    /// A move has lost, with this zone of the opponent: all moves outside of the zone lose too.
    pub fn exclude_outside(&mut self, zone: Bits<C>) {
        self.candidates = self.candidates.and(zone);
        self.zone = self.zone.or(zone);
    }
}

/// The largest number that an entry holds. It stands for infinity too.
pub const MOST: u32 = (1 << 24) - 1;

/// Two words of key, the data
///
/// ```text
/// bits   0..24   24..48
///        proof   disproof
/// ```
///
/// and behind the head the two sets of cells.
impl<const C: usize> TableEntry for ProofEntry<C> {
    const WORDS: usize = 3 + 2 * C;
    const HOLDS_WHOLE_KEY: bool = true;
    const DATA_BITS: u32 = 48;
    const KEEPS_MOST_WORK: bool = true;
    const FIRST_BUCKETS: usize = 1 << 12;
    const GROWTH: usize = 8;

    fn pack(&self, more: &mut [u64]) -> u64 {
        more[..C].copy_from_slice(self.candidates.words());
        more[C..].copy_from_slice(self.zone.words());
        u64::from(self.proof.min(MOST)) | u64::from(self.disproof.min(MOST)) << 24
    }

    fn unpack(head: u64, more: &[u64]) -> ProofEntry<C> {
        ProofEntry {
            proof: head as u32 & MOST,
            disproof: (head >> 24) as u32 & MOST,
            candidates: Bits::from_words(&more[..C]),
            zone: Bits::from_words(&more[C..]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::mix;

    fn entry(number: u64) -> ProofEntry<2> {
        ProofEntry {
            proof: number as u32 % 1000,
            disproof: 1,
            candidates: Bits::from_words(&[number, number]),
            zone: Bits::from_words(&[number, 1]),
        }
    }

    fn key(number: u64) -> [u64; 2] {
        [mix(number), mix(!number)]
    }

    #[test]
    fn a_table_that_is_not_half_full_remembers_nearly_everything() {
        let mut table: ProofTable<2> = ProofTable::new(16 << 20);
        let room = (16 << 20) / 8 / ProofEntry::<2>::WORDS as u64;
        for number in 0..room / 4 {
            table.store(key(number), &entry(number), 1);
            // At any time, before and after the table grows.
            if number % 1000 == 999 {
                let found = |number: &u64| {
                    let known = table.probe(key(*number));
                    assert!(known.as_ref().is_none_or(|known| {
                        let ProofEntry { proof, disproof, candidates, zone } = entry(*number);
                        (known.proof, known.disproof) == (proof, disproof)
                            && (known.candidates.words(), known.zone.words()) == (candidates.words(), zone.words())
                    }));
                    known.is_some()
                };
                let count = (0..=number).filter(found).count() as u64;
                assert!(10 * count > 9 * number, "{count} of {number}");
            }
        }
    }
}
