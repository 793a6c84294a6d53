//! A set of games of a match, a bit for each.

use std::collections::BTreeMap;

/// The numbers of some games. A hundred million of them, a few gaps between them, take about 20 MB.
#[derive(Clone, Default)]
pub struct GameSet {
    /// Blocks of 512 numbers: those of block `b` are from `512 * b` on, the first in the lowest bit of the first word.
    blocks: BTreeMap<u64, [u64; 8]>,
}

impl GameSet {
    /// Adds a game. Says whether it is new.
    pub fn insert(&mut self, game: u64) -> bool {
        let word = &mut self.blocks.entry(game / 512).or_default()[(game / 64 % 8) as usize];
        let bit = 1 << (game % 64);
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    /// Whether the game is in the set.
    pub fn contains(&self, game: u64) -> bool {
        self.blocks.get(&(game / 512)).is_some_and(|block| block[(game / 64 % 8) as usize] >> (game % 64) & 1 == 1)
    }

    /// The games, in order.
    pub fn iter(&self) -> impl Iterator<Item = u64> {
        let has = |block: &[u64; 8], place: u64| block[(place / 64) as usize] >> (place % 64) & 1 == 1;
        let of = move |(&number, block): (&u64, &[u64; 8])| {
            let block = *block;
            (0..512).filter(move |&place| has(&block, place)).map(move |place| 512 * number + place)
        };
        self.blocks.iter().flat_map(of)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_set_of_games_is_a_set() {
        let (mut games, mut plain) = (GameSet::default(), BTreeSet::new());
        let mut number = 1u64;
        for _ in 0..20_000 {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let game = if number >> 63 == 0 { number >> 50 } else { number };
            assert_eq!(games.contains(game), plain.contains(&game));
            assert_eq!(games.insert(game), plain.insert(game));
        }
        assert!(games.iter().eq(plain));
    }
}
