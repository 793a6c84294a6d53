//! The board with its lines.

use crate::cells::{Cells, union};
use crate::reader::number;

pub struct Board {
    pub size: usize,
    pub connect: usize,
    pub reverse: bool,
    pub cells: Cells,
    lines: Vec<Cells>,
    through: Vec<Vec<Cells>>, // for each cell, the lines that contain it
}

impl Board {
    pub fn new(size: usize, connect: usize, reverse: bool) -> Self {
        let mut lines = Vec::new();
        // With connect 1 the four directions give the same line.
        for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)].into_iter().take(if connect == 1 { 1 } else { 4 }) {
            for start in 0..size * size {
                let cell = |step: usize| {
                    let row = start / size + step * down;
                    let column = (start % size).checked_add_signed(right * step as isize)?;
                    (row < size && column < size).then_some(row * size + column)
                };
                lines.extend((0..connect).map(cell).collect::<Option<Cells>>());
            }
        }
        let through = |cell| lines.iter().copied().filter(|line| line.has(cell)).collect();
        let through = (0..size * size).map(through).collect();
        Self { size, connect, reverse, cells: (0..size * size).collect(), lines, through }
    }
    /// The lines that are live for the player, as the sets of their empty cells. A completed line has none.
    pub fn live(&self, stones: &[Cells; 2], player: usize) -> Vec<Cells> {
        let live = self.lines.iter().filter(|line| !line.meets(stones[1 - player]));
        live.map(|line| line.minus(stones[player])).collect()
    }
    /// The cells on which the player completes a line. Such a line holds a stone, unless it has only one cell.
    pub fn completing(&self, stones: &[Cells; 2], player: usize) -> Cells {
        if self.connect == 1 {
            return self.cells.minus(union(stones));
        }
        let live =
            stones[player].iter().flat_map(|cell| &self.through[cell]).filter(|line| !line.meets(stones[1 - player]));
        live.map(|line| line.minus(stones[player])).filter(|line| line.count() == 1).fold(Cells::NONE, Cells::or)
    }
    /// The image of a set of cells under a symmetry of the page, 0 to 7.
    pub fn image(&self, cells: Cells, symmetry: usize) -> Cells {
        let flip = |number: usize, really: bool| if really { self.size - 1 - number } else { number };
        let image = |cell: usize| {
            let row = flip(cell / self.size, symmetry / 2 % 2 == 1);
            let column = flip(cell % self.size, symmetry % 2 == 1);
            if symmetry >= 4 { column * self.size + row } else { row * self.size + column }
        };
        cells.iter().map(image).collect()
    }
    pub fn names(&self, cells: Cells) -> String {
        let names: Vec<_> = cells.iter().map(|cell| format!("{},{}", cell / self.size, cell % self.size)).collect();
        names.join(" ")
    }
    /// Reads a cell of the file.
    pub fn cell(&self, text: &str) -> Option<usize> {
        let (row, column) = text.split_once(',')?;
        Some(number(row, 0, self.size - 1)? * self.size + number(column, 0, self.size - 1)?)
    }
    /// Reads a board of the file: the stones of X and of O, and the cells with `+`.
    pub fn read(&self, text: &str) -> Option<[Cells; 3]> {
        let (mut found, mut cell) = ([Cells::NONE; 3], 0);
        for (row, text) in text.split('/').enumerate() {
            for part in text.as_bytes().chunk_by(|a, b| a.is_ascii_digit() && b.is_ascii_digit()) {
                if let Some(kind) = b"xo+".iter().position(|&letter| part == [letter]) {
                    found[kind] = found[kind].with(Some(cell).filter(|&cell| cell < self.size * self.size)?);
                    cell += 1;
                } else {
                    cell += number(str::from_utf8(part).ok()?, 1, self.size)?;
                }
            }
            Some(()).filter(|()| cell == (row + 1) * self.size)?;
        }
        (cell == self.size * self.size).then_some(found)
    }
}
