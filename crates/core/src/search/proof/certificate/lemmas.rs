//! The positions that are proven already, up to turns and mirror images.

use std::collections::HashMap;
use std::sync::Arc;

use crate::game::{Geometry, Player, Rules};
use crate::search::proof::weak_game::{Bits, Key};
use crate::search::request::mix;

use super::record::{Claim, Lemma};

/// A set of cells of any board, by number.
pub type Cells = Bits<7>;

/// A set of cells of a board on which the weak game is played.
pub type WeakCells = Bits<3>;

/// A lemma that proves what is asked.
#[derive(Clone, Copy)]
struct Known {
    lemma: Lemma,
    /// The symmetry that takes the lemma's board to the image of the key.
    symmetry: u8,
    limit: u16,
}

/// A lemma of the weak game. There may be millions of them.
struct KnownWeak {
    lemma: Lemma,
    symmetry: u8,
    /// The place of the first word of its zone in [`Lemmas::zones`].
    zone: u32,
}

/// The lemmas so far.
pub struct Lemmas {
    geometry: Arc<Geometry>,
    known: HashMap<[u64; 2], Known>,
    /// By Maker.
    weak: [HashMap<[u64; 2], KnownWeak>; 2],
    /// The zones of the lemmas of the weak game. Each takes as many words as a set of cells of the board has.
    zones: Vec<u64>,
    next: Lemma,
}

impl Lemmas {
    pub fn new(rules: Rules) -> Lemmas {
        Lemmas {
            geometry: rules.geometry(),
            known: HashMap::new(),
            weak: Default::default(),
            zones: Vec::new(),
            next: 0,
        }
    }

    /// The number of the block that was just handed over.
    pub fn next_number(&mut self) -> Lemma {
        self.next += 1;
        self.next - 1
    }

    /// The key of a question: live lines of both players as sets of empty cells, and what else the answer depends on.
    pub fn key(&self, lines: [&[Cells]; 2], claim: Claim, side: Player, empty: u16) -> Key {
        let (kind, player) = match claim {
            Claim::Wins(player, _) => (0, player),
            Claim::Cannot(player, _) => (1, player),
            Claim::Weak(player) => (2, player),
        };
        let question = kind + 4 * player as u64 + 8 * side as u64 + 16 * u64::from(empty);
        let of_image = |symmetry: usize| {
            let map = &self.geometry.images()[symmetry];
            let mut sum = [mix(question), mix(question ^ 0x5555)];
            for (player, lines) in lines.into_iter().enumerate() {
                for line in lines {
                    let image: Cells = line.iter().map(|cell| map[cell].into()).collect();
                    let [low, high] = image.hash([mix(player as u64 + 1), mix(player as u64 + 11)]);
                    sum = [sum[0].wrapping_add(low), sum[1].wrapping_add(high)];
                }
            }
            Key { words: sum, symmetry: symmetry as u8 }
        };
        let keys = (0..self.geometry.images().len()).map(of_image);
        keys.min_by_key(|key| key.words).expect("there are eight symmetries")
    }

    /// A lemma that proves the claim, with the symmetry that takes its board to that of the key.
    pub fn find(&self, key: Key, claim: Claim) -> Option<(Lemma, u8)> {
        let known = self.known.get(&key.words)?;
        let fits = match claim {
            Claim::Wins(..) => known.limit <= claim.limit(),
            Claim::Cannot(..) | Claim::Weak(_) => known.limit >= claim.limit(),
        };
        fits.then(|| (known.lemma, self.between(known.symmetry, key.symmetry)))
    }

    pub fn insert(&mut self, key: Key, claim: Claim, lemma: Lemma) {
        self.known.insert(key.words, Known { lemma, symmetry: key.symmetry, limit: claim.limit() });
    }

    /// A lemma of the weak game, with the symmetry that takes its board to that of the key, and its zone there.
    pub fn find_weak(&self, key: Key, maker: Player) -> Option<(Lemma, u8, WeakCells)> {
        let known = self.weak[maker as usize].get(&key.words)?;
        let symmetry = self.between(known.symmetry, key.symmetry);
        let map = &self.geometry.images()[usize::from(symmetry)];
        let mut words = [0; 3];
        let count = self.zone_words();
        words[..count].copy_from_slice(&self.zones[known.zone as usize..][..count]);
        let zone = WeakCells::from_words(&words);
        Some((known.lemma, symmetry, zone.iter().map(|cell| map[cell].into()).collect()))
    }

    pub fn insert_weak(&mut self, key: Key, maker: Player, lemma: Lemma, zone: WeakCells) {
        let place = self.zones.len() as u32;
        self.zones.extend(&zone.words()[..self.zone_words()]);
        self.weak[maker as usize].insert(key.words, KnownWeak { lemma, symmetry: key.symmetry, zone: place });
    }

    /// The words of a set of cells of the board.
    fn zone_words(&self) -> usize {
        self.geometry.images()[0].len().div_ceil(64)
    }

    /// The symmetry that has the effect of `first`, and then of the inverse of `second`.
    fn between(&self, first: u8, second: u8) -> u8 {
        if first == second {
            return 0;
        }
        // Where there are four symmetries, keys may have them twice.
        let images = self.geometry.images();
        let [first, second] = [first, second].map(|symmetry| &images[usize::from(symmetry) % images.len()]);
        let fits =
            |map: &Vec<u16>| map.iter().enumerate().all(|(cell, &image)| second[usize::from(image)] == first[cell]);
        self.geometry.images().iter().position(fits).expect("symmetries form a group") as u8
    }
}
