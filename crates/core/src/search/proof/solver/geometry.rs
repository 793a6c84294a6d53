//! The cells and lines of a board by number, and the lines through each cell.

use crate::game::{Cell, Rules, Symmetry};
use crate::search::request::mix;

/// Cells and lines of one board, and the random words of which keys are made. It never changes.
///
/// Cell `r,c` has the number `r * size + c`. Lines are numbered as [`Rules::lines`] lists them.
pub struct Geometry {
    size: u8,
    /// Cells of a line; 0 when no line fits on the board.
    pub line_length: usize,
    line_cells: Vec<u16>,
    through: Vec<u16>,
    through_start: Vec<u32>,
    /// A random word for each line and owner.
    salts: [Vec<u64>; 2],
    /// For each of the eight symmetries of the square, where it takes each line.
    line_images: [Vec<u16>; 8],
    /// A random word for each cell, owner and symmetry: that of the cell's image.
    stone_salts: [Vec<[u64; 8]>; 2],
    /// Where lines overlap: the lines through each pair of cells of each line.
    common: Vec<u16>,
    common_start: Vec<u32>,
    /// True if two different lines may share more than one cell.
    pub lines_overlap: bool,
}

impl Geometry {
    pub fn new(rules: Rules) -> Geometry {
        let size = rules.size();
        let lines: Vec<Vec<u16>> =
            rules.lines().iter().map(|line| line.iter().map(|cell| cell.index(size) as u16).collect()).collect();
        let mut through_cell = vec![Vec::new(); rules.cells()];
        for (line, number) in lines.iter().zip(0u16..) {
            line.iter().for_each(|&cell| through_cell[usize::from(cell)].push(number));
        }
        let symmetries: [Symmetry; 8] = std::array::from_fn(|index| Symmetry::all().nth(index).expect("one of eight"));
        let salt = |owner: u64| (0..lines.len() as u64).map(|line| mix(mix(owner) ^ line)).collect();
        let lines_overlap = rules.line_length().is_some_and(|length| length < size && length > 1);
        let mut common = Vec::new();
        let mut common_start = vec![0];
        for line in lines.iter().filter(|_| lines_overlap) {
            for (index, first) in line.iter().enumerate() {
                for second in &line[index + 1..] {
                    let [first, second] = [first, second].map(|cell| &through_cell[usize::from(*cell)]);
                    common.extend(first.iter().filter(|line| second.binary_search(line).is_ok()));
                    common_start.push(common.len() as u32);
                }
            }
        }
        let mut through_start = vec![0];
        for lines in &through_cell {
            through_start.push(through_start.last().expect("one at first") + lines.len() as u32);
        }
        Geometry {
            size,
            common,
            common_start,
            line_length: lines.first().map_or(0, Vec::len),
            salts: [salt(1), salt(2)],
            line_images: symmetries.map(|symmetry| line_images(&lines, symmetry, size)),
            stone_salts: [3, 4].map(|owner| {
                let salts =
                    |cell| symmetries.map(|symmetry| mix(mix(owner) ^ symmetry.apply(cell, size).index(size) as u64));
                Cell::all(size).map(salts).collect()
            }),
            lines_overlap,
            line_cells: lines.into_iter().flatten().collect(),
            through: through_cell.concat(),
            through_start,
        }
    }

    /// Rows of the board.
    pub fn size(&self) -> usize {
        usize::from(self.size)
    }

    pub fn cells(&self) -> usize {
        self.through_start.len() - 1
    }

    pub fn lines(&self) -> usize {
        self.salts[0].len()
    }

    /// The cells of a line.
    pub fn line(&self, line: u16) -> &[u16] {
        let start = usize::from(line) * self.line_length;
        &self.line_cells[start..start + self.line_length]
    }

    /// The lines through a cell.
    pub fn through(&self, cell: u16) -> &[u16] {
        let [start, end] = [0, 1].map(|next| self.through_start[usize::from(cell) + next] as usize);
        &self.through[start..end]
    }

    /// The lines through two cells of a line, at places `first` < `second` of it; only where lines overlap.
    pub fn common(&self, line: u16, first: usize, second: usize) -> &[u16] {
        let length = self.line_length;
        let pairs = length * (length - 1) / 2;
        let pair = first * (2 * length - first - 1) / 2 + second - first - 1;
        let [start, end] = [0, 1].map(|next| self.common_start[usize::from(line) * pairs + pair + next] as usize);
        &self.common[start..end]
    }

    /// The random word of a line that is live for a player.
    pub fn salt(&self, player: usize, line: u16) -> u64 {
        self.salts[player][usize::from(line)]
    }

    /// The image of each line under each of the eight symmetries, the identity first.
    pub fn line_images(&self) -> &[Vec<u16>; 8] {
        &self.line_images
    }

    /// The random words of a stone under each of the eight symmetries.
    pub fn stone_salts(&self, player: usize, cell: u16) -> &[u64; 8] {
        &self.stone_salts[player][usize::from(cell)]
    }

    pub fn cell(&self, number: u16) -> Cell {
        let size = u16::from(self.size);
        Cell::new((number / size) as u8, (number % size) as u8)
    }

    pub fn number(&self, cell: Cell) -> u16 {
        cell.index(self.size) as u16
    }
}

/// The image of each line under a symmetry.
fn line_images(lines: &[Vec<u16>], symmetry: Symmetry, size: u8) -> Vec<u16> {
    let numbers: std::collections::HashMap<&[u16], u16> =
        lines.iter().enumerate().map(|(number, line)| (line.as_slice(), number as u16)).collect();
    let image = |line: &Vec<u16>| {
        let side = u16::from(size);
        let mut cells: Vec<u16> = line
            .iter()
            .map(|cell| symmetry.apply(Cell::new((cell / side) as u8, (cell % side) as u8), size).index(size) as u16)
            .collect();
        cells.sort_unstable();
        numbers[cells.as_slice()]
    };
    lines.iter().map(image).collect()
}
