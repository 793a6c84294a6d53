//! Keys that are the same for all images of a position, and the way back for zones.

use crate::game::Geometry;
use crate::search::request::mix;

use super::bits::Bits;
use super::position::WeakPosition;

/// The fewest lines for which images of a position share a key. With fewer lines, images are rare, and the key takes long.
const FEWEST_LINES: usize = 40;

/// A key of a position, and the symmetry that takes the position to the image that has the key.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Key {
    pub words: [u64; 2],
    pub symmetry: u8,
}

/// The symmetries of a board, as maps of cells. The four of a rectangle are listed twice.
pub struct Symmetries {
    images: [Vec<u16>; 8],
    inverses: [Vec<u16>; 8],
    /// By cell, a random word for its image under each symmetry.
    salts: Vec<[u64; 8]>,
}

impl Symmetries {
    pub fn new(geometry: &Geometry) -> Symmetries {
        let images: [Vec<u16>; 8] =
            std::array::from_fn(|number| geometry.images()[number % geometry.images().len()].clone());
        let inverses = std::array::from_fn(|index| {
            let mut inverse = vec![0; images[index].len()];
            for (cell, &image) in images[index].iter().enumerate() {
                inverse[usize::from(image)] = cell as u16;
            }
            inverse
        });
        let salts = (0..images[0].len())
            .map(|cell| std::array::from_fn(|index| mix(u64::from(images[index][cell]) + 1000)))
            .collect();
        Symmetries { images, inverses, salts }
    }

    /// A key of a position. All its images have the same one if [`has_common_key`] says so.
    pub fn key<const C: usize>(&self, position: &WeakPosition<C>) -> Key {
        if has_common_key(position) {
            return self.common_key(position);
        }
        Key { words: position.key(), symmetry: 0 }
    }

    /// A key that is the same for all images of a position, however few lines there are.
    pub fn common_key<const C: usize>(&self, position: &WeakPosition<C>) -> Key {
        let sums = position.lines.iter().fold([0u64; 8], |mut sums, line| {
            let mut words = [0u64; 8];
            for cell in line.iter() {
                words.iter_mut().zip(self.salts[cell]).for_each(|(word, salt)| *word = word.wrapping_add(salt));
            }
            sums.iter_mut().zip(words).for_each(|(sum, word)| {
                *sum = sum.wrapping_add((word ^ word >> 29).wrapping_mul(0x8bb8_4b93_962e_acc9) ^ word);
            });
            sums
        });
        let symmetry = (0..8).min_by_key(|&symmetry| sums[symmetry]).unwrap_or(0);
        if symmetry == 0 {
            return Key { words: position.key(), symmetry: 0 };
        }
        let words = position.key_of(|line| map_cells(&self.images[symmetry], line));
        Key { words, symmetry: symmetry as u8 }
    }

    /// A set of cells of the position, as one of the image with the key.
    pub fn in_image<const C: usize>(&self, key: Key, cells: Bits<C>) -> Bits<C> {
        if key.symmetry == 0 { cells } else { map_cells(&self.images[usize::from(key.symmetry)], cells) }
    }

    /// A set of cells of the image with the key, as one of the position.
    pub fn in_position<const C: usize>(&self, key: Key, cells: Bits<C>) -> Bits<C> {
        if key.symmetry == 0 { cells } else { map_cells(&self.inverses[usize::from(key.symmetry)], cells) }
    }
}

/// Whether [`Symmetries::key`] gives all images of a position the same key.
pub fn has_common_key<const C: usize>(position: &WeakPosition<C>) -> bool {
    position.lines.len() >= FEWEST_LINES
}

fn map_cells<const C: usize>(map: &[u16], cells: Bits<C>) -> Bits<C> {
    cells.iter().map(|cell| map[cell].into()).collect()
}
