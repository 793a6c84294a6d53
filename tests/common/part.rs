//! Laws about so many cases that a fixed sample of a fifth is checked every day, and the rest by `scripts/check all`.

/// Some of the cases of a law.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// A fifth, drawn with a fixed seed.
    Daily,
    /// All that are not in the daily part.
    Rest,
}

impl Part {
    /// True if the case with this number, or these stones, belongs to the part.
    pub fn has(self, case: u64) -> bool {
        const SEED: u64 = 0x5eed;
        // The mixing of SplitMix64: neighbours go to any part, so that no order of the cases meets the sample.
        let mixed = (case + SEED).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ mixed >> 31).is_multiple_of(5) == (self == Part::Daily)
    }

    /// Those of some cases that belong to the part, by their place.
    pub fn of<T>(self, cases: impl IntoIterator<Item = T>) -> impl Iterator<Item = T> {
        let numbered = (0..).zip(cases).filter(move |(number, _)| self.has(*number));
        numbered.map(|(_, case)| case)
    }
}
