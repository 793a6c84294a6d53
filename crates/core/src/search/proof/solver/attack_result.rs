//! Results of attack searches: can a player, the attacker, force a win within so many plies?
//!
//! The solver's transposition table holds the proven results for one position, attacker and role, with their types:
//! *succeeds within so many plies* and *fails within so many plies*. Both hold for good, so an entry is right or missing.

use crate::search::proof::bucket_table::{BucketTable, TableEntry};

/// A bound on plies: within no number of them.
pub const NEVER: u16 = u16::MAX;

/// The result of an attack search with a limit on its plies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AttackResult {
    /// The attacker wins within this many plies, at most the limit.
    Succeeds(u16),
    /// The attacker cannot win within this many plies, at least the limit. [`NEVER`]: it cannot win at all.
    Fails(u16),
}

impl AttackResult {
    /// A failure within so many plies, with `empty` cells left. As many plies as cells are all there are.
    pub fn fails(plies: u16, empty: u16) -> AttackResult {
        AttackResult::Fails(if plies >= empty { NEVER } else { plies })
    }
}

/// The plies before a move, given the plies after it.
pub fn one_ply_more(plies: u16) -> u16 {
    plies.saturating_add(1)
}

/// The result of a search for a win by fours.
pub enum FoursResult {
    /// The attacker is to move and wins within so many plies, with this cell first.
    Win(u16, u16),
    /// The attacker wins within so many plies after every reply but these cells.
    Threat(u16, Vec<u16>),
}

/// The result of the static rules, before any move is tried.
pub enum StaticResult {
    /// The attack is decided, by a rule.
    Decided(AttackResult, StaticReason),
    /// All moves but this one lose at once, or miss a win.
    Forced(u16),
    /// No rule applies.
    Open,
}

/// The rule that decides an attack without a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StaticReason {
    /// A line can be completed with the next move, or too few plies are left for any line.
    Plies,
    /// No live line is left.
    NoLine,
    /// The potential of the lines is too small.
    Potential,
    /// A pairing, perhaps with a cell that the attacker has to absorb.
    Pairing,
    /// Reverse rules: kept cells, and pairs in the others.
    Parity,
    /// The same with poison that is exchanged, or with any number of kept cells that are poison for the attacker.
    Exchange,
    /// Reverse rules: a mirror strategy through the centre.
    Mirror,
    /// Reverse rules, 2 in a row on a board of even size: the same strategy wins.
    MirrorWin,
}

/// The transposition table of the solver.
pub type TranspositionTable = BucketTable<AttackEntry>;

/// The proven results of one attack search.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct AttackEntry {
    /// The attack succeeds within this many plies.
    pub succeeds_within: Option<u16>,
    /// The attack fails within this many plies; [`NEVER`] if it fails altogether.
    pub fails_within: u16,
    /// The low 16 bits of the signature of the best cell; 0 for none.
    pub best: u16,
}

/// One word of key, and the data
///
/// ```text
/// bits   0..16       16..25     25..34
///        best cell   succeeds   fails
/// ```
///
/// where `succeeds` is 0 for none and `fails` is 511 for never.
impl TableEntry for AttackEntry {
    const WORDS: usize = 2;
    const HOLDS_WHOLE_KEY: bool = false;
    const DATA_BITS: u32 = 42;
    const KEEPS_MOST_WORK: bool = false;
    const FIRST_BUCKETS: usize = 1 << 10;
    const GROWTH: usize = 16;

    fn pack(&self, _more: &mut [u64]) -> u64 {
        let fails_within = if self.fails_within == NEVER { 511 } else { u64::from(self.fails_within.min(510)) };
        u64::from(self.best) | u64::from(self.succeeds_within.unwrap_or(0)) << 16 | fails_within << 25
    }

    fn unpack(head: u64, _more: &[u64]) -> AttackEntry {
        let succeeds_within = (head >> 16) as u16 & 511;
        let fails_within = (head >> 25) as u16 & 511;
        AttackEntry {
            succeeds_within: (succeeds_within != 0).then_some(succeeds_within),
            fails_within: if fails_within == 511 { NEVER } else { fails_within },
            best: head as u16,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::mix;

    fn key(number: u64) -> [u64; 2] {
        [mix(number), mix(!number)]
    }

    #[test]
    fn what_is_stored_is_found_or_missing_but_never_another() {
        let mut table = TranspositionTable::new(1 << 12);
        let known = |number: u64| AttackEntry {
            succeeds_within: number.is_multiple_of(3).then_some(number as u16 % 400 + 1),
            fails_within: if number.is_multiple_of(5) { NEVER } else { number as u16 % 401 },
            best: number as u16,
        };
        let mut found = 0;
        for number in 0..10_000 {
            table.store(key(number), &known(number), number);
            assert_eq!(table.probe(key(number)), Some(known(number)));
            for earlier in number.saturating_sub(100)..number {
                if let Some(remembered) = table.probe(key(earlier)) {
                    assert_eq!(remembered, known(earlier));
                    found += 1;
                }
            }
        }
        assert!(found > 1000, "{found}");
    }

    #[test]
    fn what_is_forgotten_is_not_found_until_it_is_recalled() {
        let mut table = TranspositionTable::new(1 << 12);
        let known = AttackEntry { succeeds_within: Some(3), fails_within: 1, best: 7 };
        table.store(key(1), &known, 1);
        table.forget();
        assert_eq!(table.probe(key(1)), None);
        table.recall();
        assert_eq!(table.probe(key(1)), Some(known));
        table.forget();
        for _ in 0..70_000 {
            table.forget();
            assert_eq!(table.probe(key(1)), None);
        }
    }
}
