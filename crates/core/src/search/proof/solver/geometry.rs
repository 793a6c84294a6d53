//! The geometry of a board, with the random words of the solver's keys and the overlaps of lines.

use std::collections::HashMap;
use std::ops::Deref;
use std::sync::Arc;

use crate::game::{Geometry, Rules};
use crate::search::request::mix;

/// The geometry of one board, the random words of which keys are made, and the lines through pairs of cells. It never changes.
pub struct SolverGeometry {
    geometry: Arc<Geometry>,
    /// A random word for each line and owner.
    salts: [Vec<u64>; 2],
    /// For each symmetry, where it takes each line. A rectangle has four: they are listed twice.
    line_images: [Vec<u16>; 8],
    /// A random word for each cell, owner and symmetry: that of the cell's image.
    stone_salts: [Vec<[u64; 8]>; 2],
    /// Where lines overlap: the lines through each pair of cells of each line.
    common: Vec<u16>,
    common_start: Vec<u32>,
}

impl Deref for SolverGeometry {
    type Target = Geometry;

    fn deref(&self) -> &Geometry {
        &self.geometry
    }
}

impl SolverGeometry {
    pub fn new(rules: Rules) -> SolverGeometry {
        let geometry = rules.geometry();
        let salt = |owner: u64| (0..geometry.line_count() as u64).map(|line| mix(mix(owner) ^ line)).collect();
        let mut common = Vec::new();
        let mut common_start = vec![0];
        for line in geometry.lines().filter(|_| geometry.lines_overlap()) {
            for (index, &first) in line.iter().enumerate() {
                for &second in &line[index + 1..] {
                    let [first, second] = [first, second].map(|cell| geometry.through(cell));
                    common.extend(first.iter().filter(|line| second.binary_search(line).is_ok()));
                    common_start.push(common.len() as u32);
                }
            }
        }
        let images: [&[u16]; 8] = std::array::from_fn(|number| &*geometry.images()[number % geometry.images().len()]);
        SolverGeometry {
            salts: [salt(1), salt(2)],
            line_images: images.map(|images| line_images(&geometry, images)),
            stone_salts: [3, 4].map(|owner| {
                let salts = |cell| images.map(|images| mix(mix(owner) ^ u64::from(images[cell])));
                (0..geometry.cells()).map(salts).collect()
            }),
            common,
            common_start,
            geometry,
        }
    }

    /// The lines through two cells of a line, at places `first` < `second` of it; only where lines overlap.
    pub fn common(&self, line: u16, first: usize, second: usize) -> &[u16] {
        let length = self.line_length();
        let pairs = length * (length - 1) / 2;
        let pair = first * (2 * length - first - 1) / 2 + second - first - 1;
        let [start, end] = [0, 1].map(|next| self.common_start[usize::from(line) * pairs + pair + next] as usize);
        &self.common[start..end]
    }

    /// The random word of a line that is live for a player.
    pub fn salt(&self, player: usize, line: u16) -> u64 {
        self.salts[player][usize::from(line)]
    }

    /// The image of each line under each symmetry, the identity first.
    pub fn line_images(&self) -> &[Vec<u16>; 8] {
        &self.line_images
    }

    /// The random words of a stone under each symmetry.
    pub fn stone_salts(&self, player: usize, cell: u16) -> &[u64; 8] {
        &self.stone_salts[player][usize::from(cell)]
    }
}

/// The image of each line under a symmetry that takes cells to `images`.
fn line_images(geometry: &Geometry, images: &[u16]) -> Vec<u16> {
    let numbers: HashMap<&[u16], u16> = geometry.lines().zip(0..).collect();
    let image = |line: &[u16]| {
        let mut cells: Vec<u16> = line.iter().map(|&cell| images[usize::from(cell)]).collect();
        cells.sort_unstable();
        numbers[cells.as_slice()]
    };
    geometry.lines().map(image).collect()
}
