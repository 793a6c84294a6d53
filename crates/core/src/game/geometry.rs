//! The cells, lines and symmetries of a board, by number.

use std::sync::{Arc, Mutex, PoisonError};

use super::{Cell, Rules, Shape, Symmetry};

/// The boards that are kept at most. A process that plays on more of them builds some anew from time to time.
const KEPT: usize = 16;

/// The boards that were asked for last, the latest first.
static RECENT: Mutex<Vec<Arc<Geometry>>> = Mutex::new(Vec::new());

/// The cells of a board, its lines, the lines through each cell, and where the symmetries take the cells. It never changes.
///
/// Cell `r,c` has the number `r * columns + c`. Lines are numbered as [`Rules::lines`] lists them, and their cells stand in
/// reading order.
pub struct Geometry {
    shape: Shape,
    line_length: usize,
    line_cells: Vec<u16>,
    /// The lines through all cells, cell by cell. `places` has the place of the cell in each of them.
    through: Vec<u16>,
    places: Vec<u8>,
    /// For each cell, where its lines begin in `through`. The last number is the end.
    through_start: Vec<u32>,
    images: Vec<Vec<u16>>,
}

impl Rules {
    /// The geometry of the board, shared by all that ask for it.
    #[doc(hidden)]
    pub fn geometry(self) -> Arc<Geometry> {
        let mut recent = RECENT.lock().unwrap_or_else(PoisonError::into_inner);
        let length = self.line_length().map_or(0, usize::from);
        let found = recent.iter().position(|kept| (kept.shape, kept.line_length) == (self.shape(), length));
        let geometry = found.map_or_else(|| Arc::new(Geometry::new(self)), |place| recent.remove(place));
        recent.truncate(KEPT - 1);
        recent.insert(0, geometry.clone());
        geometry
    }
}

impl Geometry {
    fn new(rules: Rules) -> Geometry {
        let shape = rules.shape();
        let lines: Vec<Vec<u16>> =
            rules.lines().iter().map(|line| line.iter().map(|cell| cell.index(shape) as u16).collect()).collect();
        let mut by_cell: Vec<Vec<(u16, u8)>> = vec![Vec::new(); rules.cells()];
        for (line, number) in lines.iter().zip(0..) {
            line.iter().zip(0..).for_each(|(&cell, place)| by_cell[usize::from(cell)].push((number, place)));
        }
        let mut through_start = vec![0];
        for lines in &by_cell {
            through_start.push(through_start[through_start.len() - 1] + lines.len() as u32);
        }
        let (through, places) = by_cell.into_iter().flatten().unzip();
        let image =
            |symmetry: Symmetry| Cell::all(shape).map(|cell| symmetry.apply(cell, shape).index(shape) as u16).collect();
        Geometry {
            shape,
            line_length: rules.line_length().map_or(0, usize::from),
            line_cells: lines.concat(),
            through,
            places,
            through_start,
            images: Symmetry::all(shape).map(image).collect(),
        }
    }

    /// The rows and columns of the board.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The number of cells.
    pub fn cells(&self) -> usize {
        self.through_start.len() - 1
    }

    /// The cells of a line; 0 when no line fits on the board.
    pub fn line_length(&self) -> usize {
        self.line_length
    }

    /// The number of lines.
    pub fn line_count(&self) -> usize {
        self.line_cells.len().checked_div(self.line_length).unwrap_or(0)
    }

    /// The cells of each line.
    pub fn lines(&self) -> impl Iterator<Item = &[u16]> {
        self.line_cells.chunks_exact(self.line_length.max(1))
    }

    /// The cells of a line.
    pub fn line(&self, line: u16) -> &[u16] {
        let start = usize::from(line) * self.line_length;
        &self.line_cells[start..start + self.line_length]
    }

    /// The lines through a cell.
    pub fn through(&self, cell: u16) -> &[u16] {
        &self.through[self.span(cell)]
    }

    /// The lines through a cell, each with the place of the cell in it, from 0.
    pub fn places(&self, cell: u16) -> impl Iterator<Item = (u16, u8)> {
        let span = self.span(cell);
        self.through[span.clone()].iter().copied().zip(self.places[span].iter().copied())
    }

    fn span(&self, cell: u16) -> std::ops::Range<usize> {
        let [start, end] = [0, 1].map(|next| self.through_start[usize::from(cell) + next] as usize);
        start..end
    }

    /// For each set of the cells of a board of up to 16 of them, cell `c` as bit `c`: true if it holds a line.
    ///
    /// # Panics
    /// When the board has more cells.
    pub fn sets_with_line(&self) -> Box<[bool]> {
        assert!(self.cells() <= 16, "a list of the sets of {} cells would be too long", self.cells());
        let set = |line: &[u16]| line.iter().fold(0u16, |set, cell| set | 1 << cell);
        let lines: Vec<u16> = self.lines().map(set).collect();
        let sets = 0..=((1u32 << self.cells()) - 1) as u16;
        sets.map(|set| lines.iter().any(|line| set & line == *line)).collect()
    }

    /// True if two different lines may share more than one cell.
    pub fn lines_overlap(&self) -> bool {
        (2..usize::from(self.shape.longer_side())).contains(&self.line_length)
    }

    /// For each symmetry, the images of all cells. The identity comes first.
    pub fn images(&self) -> &[Vec<u16>] {
        &self.images
    }

    /// The cell with a number.
    pub fn cell(&self, number: u16) -> Cell {
        let columns = u16::from(self.shape.columns);
        Cell::new((number / columns) as u8, (number % columns) as u8)
    }

    /// The number of a cell.
    pub fn number(&self, cell: Cell) -> u16 {
        cell.index(self.shape) as u16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules() -> impl Iterator<Item = Rules> {
        [(1, 0), (2, 0), (3, 1), (3, 4), (4, 3), (5, 0), (8, 5), (20, 20), (20, 7)]
            .map(|(size, connect)| Rules::new(size, connect, false).expect("rules"))
            .into_iter()
    }

    #[test]
    fn a_cell_knows_its_lines_and_its_place_in_them() {
        for rules in rules() {
            let (geometry, lines) = (rules.geometry(), rules.lines());
            assert_eq!(geometry.line_count(), lines.len(), "{rules}");
            for (cell, number) in Cell::all(rules.shape()).zip(0..) {
                assert_eq!((geometry.cell(number), geometry.number(cell)), (cell, number));
                let with_cell = lines.iter().zip(0u16..).filter(|(line, _)| line.contains(cell));
                assert!(
                    with_cell.map(|(_, line)| line).eq(geometry.through(number).iter().copied()),
                    "{rules}: {cell}"
                );
                for (line, place) in geometry.places(number) {
                    assert_eq!(geometry.line(line)[usize::from(place)], number);
                }
            }
        }
    }

    #[test]
    fn lines_overlap_where_two_of_them_share_two_cells() {
        for rules in rules() {
            let lines = rules.lines();
            let shared =
                |one: usize, other: usize| lines[one].iter().filter(|&cell| lines[other].contains(cell)).count();
            let overlaps = (0..lines.len()).any(|one| (0..one).any(|other| shared(one, other) > 1));
            assert_eq!(rules.geometry().lines_overlap(), overlaps, "{rules}");
        }
    }

    #[test]
    fn a_symmetry_takes_lines_to_lines() {
        for rules in rules() {
            let geometry = rules.geometry();
            let lines: Vec<&[u16]> = geometry.lines().collect();
            for images in geometry.images() {
                for line in &lines {
                    let mut image: Vec<u16> = line.iter().map(|&cell| images[usize::from(cell)]).collect();
                    image.sort_unstable();
                    assert!(lines.contains(&image.as_slice()), "{rules}: {line:?}");
                }
            }
        }
    }

    #[test]
    fn the_same_board_is_shared_and_few_are_kept() {
        let rules = Rules::new(4, 0, false).expect("rules");
        let reverse = Rules::new(4, 4, true).expect("rules");
        assert!(Arc::ptr_eq(&rules.geometry(), &reverse.geometry()));
        for connect in 1..=20 {
            Rules::new(20, connect, false).expect("rules").geometry();
            assert!(RECENT.lock().expect("no panic").len() <= KEPT);
        }
    }
}
