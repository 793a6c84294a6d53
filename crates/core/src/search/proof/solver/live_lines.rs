//! The live lines of a position, updated from move to move.
//!
//! A line is *live* for a player while its opponent has no stone in it. The value of a position depends only on the live
//! lines and the empty cells; stones in dead lines do not matter any more.

use std::ops::Deref;

use crate::game::{Player, Position};
use crate::search::line_stones::LineStones;
use crate::search::request::fold_product;

use super::geometry::SolverGeometry;

/// Live lines, by player (0 is X, 1 is O).
#[derive(Clone)]
pub struct LiveLines {
    stones: LineStones,
    /// By cell, the sum of the random words of the live lines through it.
    signatures: Vec<u64>,
    key: Key,
    /// By symmetry, the exclusive or of the random words of the images of the stones.
    orientations: [u64; 8],
}

impl Deref for LiveLines {
    type Target = LineStones;

    fn deref(&self) -> &LineStones {
        &self.stones
    }
}

/// The most lines of boards for which [`LiveLines::isomorphic_key`] is made: 8x8, with lines as long as the board, has 18.
pub const MOST_LINES: usize = 18;

/// The hash key of a position, 128 bits. Two keys are equal exactly if the live lines form the same pattern of empty cells,
/// except for chance collisions.
///
/// The key is a sum over the empty cells. So it does not depend on which cell is which: cells in the same live lines can be
/// exchanged without changing the game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Key {
    pub low: u64,
    pub high: u64,
}

impl Key {
    fn add(&mut self, signature: u64) {
        let (low, high) = spread(signature);
        self.low = self.low.wrapping_add(low);
        self.high = self.high.wrapping_add(high);
    }

    fn remove(&mut self, signature: u64) {
        let (low, high) = spread(signature);
        self.low = self.low.wrapping_sub(low);
        self.high = self.high.wrapping_sub(high);
    }
}

/// Two pseudo-random words from one.
#[inline]
fn spread(signature: u64) -> (u64, u64) {
    (
        fold_product(signature ^ 0x2d35_8dcc_aa6c_78a5, 0x8bb8_4b93_962e_acc9),
        fold_product(signature ^ 0x4b33_a62e_d433_d4a3, 0x4d5a_2da5_1de1_aa47),
    )
}

impl LiveLines {
    pub fn new(geometry: &SolverGeometry, position: &Position) -> LiveLines {
        let mut live = LiveLines {
            stones: LineStones::new(geometry),
            signatures: vec![0; geometry.cells()],
            key: Key::default(),
            orientations: [0; 8],
        };
        for cell in 0..geometry.cells() as u16 {
            let salts = |player| geometry.through(cell).iter().map(move |&line| geometry.salt(player, line));
            let signature = salts(0).chain(salts(1)).fold(0, u64::wrapping_add);
            live.signatures[usize::from(cell)] = signature;
            live.key.add(signature);
        }
        for player in Player::BOTH {
            position.stones(player).iter().for_each(|cell| live.put(geometry, geometry.number(cell), player as usize));
        }
        live
    }

    /// Puts a stone on an empty cell.
    pub fn put(&mut self, geometry: &SolverGeometry, cell: u16, player: usize) {
        self.key.remove(self.signatures[usize::from(cell)]);
        self.stones.put(cell, player);
        self.toggle_orientations(geometry, cell, player);
        let other = 1 - player;
        for &line in geometry.through(cell) {
            if self.stones.add(line, player).0 == 0 {
                self.change_signatures(geometry, line, geometry.salt(other, line).wrapping_neg());
            }
        }
    }

    /// Takes the stone that was put last off again.
    pub fn take(&mut self, geometry: &SolverGeometry, cell: u16, player: usize) {
        let other = 1 - player;
        for &line in geometry.through(cell) {
            if self.stones.remove(line, player).0 == 0 {
                self.change_signatures(geometry, line, geometry.salt(other, line));
            }
        }
        self.stones.take(cell);
        self.toggle_orientations(geometry, cell, player);
        self.key.add(self.signatures[usize::from(cell)]);
    }

    fn toggle_orientations(&mut self, geometry: &SolverGeometry, cell: u16, player: usize) {
        let salts = geometry.stone_salts(player, cell);
        self.orientations.iter_mut().zip(salts).for_each(|(word, salt)| *word ^= salt);
    }

    /// A key that is the same for all eight images of a position. By chance it may differ, which costs only time.
    pub fn canonical_key(&self, geometry: &SolverGeometry) -> Key {
        let least = (0..8).min_by_key(|&symmetry| self.orientations[symmetry]).unwrap_or(0);
        if least == 0 { self.key } else { self.key_of_image(geometry, &geometry.line_images()[least]) }
    }

    /// A key that is the same for most positions with isomorphic patterns of live lines. By chance it may differ, which costs
    /// only time. Only for boards with at most [`MOST_LINES`] lines.
    ///
    /// The live lines of both players and the empty cells in them are all that matters for the game. So if the lines of one
    /// position can be renamed such that they become those of another, cell by cell, both have the same value and distance.
    /// On boards with dead diagonals, for example, any two rows may be exchanged, and any two columns.
    ///
    /// The lines are renamed in an order that does not depend on their names: by their stones, then by the stones of the lines
    /// that they cross in empty cells (one round of colour refinement; Weisfeiler and Leman, 1968). Lines that are still equal
    /// are left in the order of their names. The key is the exact pattern under the new names, so it is right in any order.
    /// Only how often isomorphic patterns get the same key depends on the order.
    ///
    /// The second part of the result is the number of dead cells, those in no live line. With `leaves_pairs` an even number of
    /// them is left out of the key.
    pub fn isomorphic_key(&self, geometry: &SolverGeometry, leaves_pairs: bool) -> (Key, u16) {
        let mut words = [0u64; MOST_LINES];
        let mut order = [(0u64, 0u16); MOST_LINES];
        let mut count = 0;
        for line in 0..geometry.line_count() as u16 {
            let [x, o] = [0, 1].map(|player| self.stones(player, line));
            if x == 0 || o == 0 {
                words[usize::from(line)] = spread(1 + u64::from(x) + (u64::from(o) << 8)).0;
                order[count].1 = line;
                count += 1;
            }
        }
        let order = &mut order[..count];
        let mut crossed = [0u64; MOST_LINES];
        for cell in self.empty_cells() {
            let through = geometry.through(cell);
            let word = spread(through.iter().fold(0, |sum: u64, &line| sum.wrapping_add(words[usize::from(line)]))).1;
            for &line in through {
                crossed[usize::from(line)] = crossed[usize::from(line)].wrapping_add(word);
            }
        }
        for (rank, line) in order.iter_mut() {
            *rank = words[usize::from(*line)].wrapping_mul(3) ^ crossed[usize::from(*line)];
        }
        order.sort_unstable();
        for (name, &(_, line)) in order.iter().enumerate() {
            let salt = |player| if self.is_live(player, line) { geometry.salt(player, name as u16) } else { 0 };
            words[usize::from(line)] = salt(0).wrapping_add(salt(1));
        }
        let mut key = Key::default();
        let mut dead = 0;
        for cell in self.empty_cells() {
            let through = geometry.through(cell).iter();
            let signature = through.fold(0, |sum: u64, &line| sum.wrapping_add(words[usize::from(line)]));
            if signature == 0 {
                dead += 1;
            } else {
                key.add(signature);
            }
        }
        (0..if leaves_pairs { dead % 2 } else { dead }).for_each(|_| key.add(0));
        (key, dead)
    }

    /// Changes the signatures of the cells of a line that is live or dead for one more player now.
    fn change_signatures(&mut self, geometry: &SolverGeometry, line: u16, difference: u64) {
        for &cell in geometry.line(line) {
            let signature = &mut self.signatures[usize::from(cell)];
            let old = *signature;
            *signature = old.wrapping_add(difference);
            if self.stones.is_empty(cell) {
                self.key.remove(old);
                self.key.add(*signature);
            }
        }
    }

    /// Two cells with the same signature lie in the same live lines; 0 for a cell in none.
    pub fn signature(&self, cell: u16) -> u64 {
        self.signatures[usize::from(cell)]
    }

    pub fn key(&self) -> Key {
        self.key
    }

    /// The key of the position's image under the symmetry that takes lines to `images`.
    pub fn key_of_image(&self, geometry: &SolverGeometry, images: &[u16]) -> Key {
        let mut key = Key::default();
        for cell in self.empty_cells() {
            let mut signature = 0u64;
            for &line in geometry.through(cell) {
                let image = images[usize::from(line)];
                for player in 0..2 {
                    if self.is_live(player, line) {
                        signature = signature.wrapping_add(geometry.salt(player, image));
                    }
                }
            }
            key.add(signature);
        }
        key
    }

    /// The live lines of a player.
    pub fn lines<'a>(&'a self, geometry: &'a SolverGeometry, player: usize) -> impl Iterator<Item = u16> + 'a {
        (0..geometry.line_count() as u16).filter(move |&line| self.is_live(player, line))
    }

    /// The empty cell of a line that lacks one stone.
    pub fn gap(&self, geometry: &SolverGeometry, line: u16) -> u16 {
        *geometry.line(line).iter().find(|&&cell| self.is_empty(cell)).expect("a line that lacks a stone has a gap")
    }

    /// The change of a player's potential by a stone on `cell`: up by that player's stone, down by the other player's.
    pub fn weight(&self, geometry: &SolverGeometry, player: usize, cell: u16) -> u64 {
        geometry
            .through(cell)
            .iter()
            .filter(|&&line| self.is_live(player, line))
            .map(|&line| 1 << self.stones(player, line))
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Position, Rules, Symmetry};
    use crate::search::{Stream, below, generator};

    #[test]
    fn what_is_kept_from_move_to_move_is_what_a_fresh_look_finds() {
        for (size, connect, games) in
            [(3, 0, 50), (4, 3, 50), (5, 4, 50), (8, 5, 20), (20, 20, 1), (7, 1, 1), (2, 0, 9)]
        {
            let rules = Rules::new(size, connect, false).unwrap();
            let geometry = SolverGeometry::new(rules);
            for game in 0..games {
                let mut generator = generator(1, Stream::Go(game));
                let mut position = Position::start(rules);
                let mut live = LiveLines::new(&geometry, &position);
                let mut stones = Vec::new();
                while position.outcome().is_none() {
                    let fresh = LiveLines::new(&geometry, &position);
                    assert!(same(&live, &fresh), "{rules}: {}", position.diagram());
                    for (symmetry, images) in Symmetry::all(size).zip(geometry.line_images()) {
                        let image = LiveLines::new(&geometry, &position.image(symmetry));
                        assert_eq!(live.key_of_image(&geometry, images), image.key());
                    }
                    let moves: Vec<_> = position.moves().collect();
                    let cell = moves[below(&mut generator, moves.len() as u32) as usize];
                    stones.push((geometry.number(cell), position.side() as usize));
                    live.put(&geometry, geometry.number(cell), position.side() as usize);
                    position = position.after(cell);
                }
                for (cell, player) in stones.into_iter().rev() {
                    live.take(&geometry, cell, player);
                }
                assert!(same(&live, &LiveLines::new(&geometry, &Position::start(rules))), "{rules}");
            }
        }
    }

    #[test]
    fn isomorphic_keys_are_equal_for_images_and_exchanged_rows() {
        for size in [4, 5, 6, 7, 8] {
            let rules = Rules::new(size, 0, true).unwrap();
            let geometry = SolverGeometry::new(rules);
            let mut generator = generator(2, Stream::Go(u64::from(size)));
            let (mut equal, mut positions) = (0, 0);
            for _ in 0..100 {
                // The diagonals are dead, so rows may be exchanged. Games of positions with different lines differ.
                let mut position = Position::start(rules);
                let last = size - 1;
                for (row, column) in [(0, 0), (1, 1), (0, last), (1, last - 1)] {
                    position.play(crate::game::Cell::new(row, column)).expect("a legal move");
                }
                for _ in 0..below(&mut generator, u32::from(size) * u32::from(size) / 2) {
                    let moves: Vec<_> = position.moves().collect();
                    let next = position.after(moves[below(&mut generator, moves.len() as u32) as usize]);
                    if next.outcome().is_none() {
                        position = next;
                    }
                }
                let key = |position: &Position| LiveLines::new(&geometry, position).isomorphic_key(&geometry, false).0;
                let mut exchanged = position.diagram();
                let row = 2 + below(&mut generator, u32::from(size) - 2) as usize;
                exchanged.rows.swap(2, row);
                let exchanged = Position::set_up(rules, &exchanged).expect("a legal position");
                for image in Symmetry::all(size).map(|symmetry| position.image(symmetry)).chain([exchanged]) {
                    equal += u32::from(key(&image) == key(&position));
                    positions += 1;
                }
                // Fewer empty cells make a different game.
                let moves: Vec<_> = position.moves().collect();
                assert!(moves.iter().all(|&cell| key(&position.after(cell)) != key(&position)));
            }
            assert!(equal * 10 > positions * 9, "{size}: {equal} of {positions}");
        }
    }

    fn same(one: &LiveLines, two: &LiveLines) -> bool {
        one.stones == two.stones
            && one.empty_cells().all(|cell| one.signature(cell) == two.signature(cell))
            && one.key == two.key
    }
}
