//! Sets of cells, and the board with its lines.

use std::array::from_fn;
use std::iter::successors;

use crate::reader::number;

/// A set of cells, with one bit for each cell: cell `row,column` is bit `row * columns + column`, and there are 400 at most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cells([u64; 7]);

impl Cells {
    pub const NONE: Self = Self([0; 7]);
    pub const ALL: Self = Self([u64::MAX; 7]);
    pub fn of(cells: impl IntoIterator<Item = usize>) -> Self {
        cells.into_iter().fold(Self::NONE, Self::with)
    }
    /// The set whose number this is.
    pub fn of_number(number: u64) -> Self {
        Self([number, 0, 0, 0, 0, 0, 0])
    }
    /// The sum of 2^cell, on a board of at most 64 cells.
    pub fn number(self) -> u64 {
        self.0[0]
    }
    pub fn with(mut self, cell: usize) -> Self {
        self.0[cell / 64] |= 1 << (cell % 64);
        self
    }
    pub fn without(mut self, cell: usize) -> Self {
        self.0[cell / 64] &= !(1 << (cell % 64));
        self
    }
    pub fn has(self, cell: usize) -> bool {
        self.0[cell / 64] >> (cell % 64) & 1 == 1
    }
    pub fn and(self, other: Self) -> Self {
        Self(from_fn(|i| self.0[i] & other.0[i]))
    }
    pub fn or(self, other: Self) -> Self {
        Self(from_fn(|i| self.0[i] | other.0[i]))
    }
    pub fn minus(self, other: Self) -> Self {
        Self(from_fn(|i| self.0[i] & !other.0[i]))
    }
    pub fn within(self, other: Self) -> bool {
        (0..7).all(|i| self.0[i] & !other.0[i] == 0)
    }
    pub fn meets(self, other: Self) -> bool {
        (0..7).any(|i| self.0[i] & other.0[i] != 0)
    }
    pub fn count(self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }
    /// The cells in reading order.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        let rest = |word: u64| Some(word).filter(|&word| word != 0);
        let bits = move |word| successors(rest(word), move |&word| rest(word & (word - 1)));
        (0..7).flat_map(move |i| bits(self.0[i]).map(move |word| 64 * i + word.trailing_zeros() as usize))
    }
}

/// The cells of all these sets.
pub fn union<'a>(sets: impl IntoIterator<Item = &'a Cells>) -> Cells {
    sets.into_iter().copied().fold(Cells::NONE, Cells::or)
}

#[derive(Clone, Debug)]
pub struct Board {
    pub rows: usize,
    pub columns: usize,
    pub connect: usize,
    pub normal: bool,
    pub cells: Cells,
    lines: Vec<Cells>,
    through: Vec<Vec<Cells>>, // for each cell, the lines that contain it
}

impl Board {
    pub fn new([rows, columns]: [usize; 2], connect: usize, normal: bool) -> Self {
        let mut lines = Vec::new();
        // With connect 1 the four directions give the same line.
        for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)].into_iter().take(if connect == 1 { 1 } else { 4 }) {
            for start in 0..rows * columns {
                let cell = |step: usize| {
                    let row = start / columns + step * down;
                    let column = (start % columns).checked_add_signed(right * step as isize)?;
                    (row < rows && column < columns).then_some(row * columns + column)
                };
                lines.extend((0..connect).map(cell).collect::<Option<Vec<usize>>>().map(Cells::of));
            }
        }
        let through = |cell| lines.iter().copied().filter(|line| line.has(cell)).collect();
        let through = (0..rows * columns).map(through).collect();
        Self { rows, columns, connect, normal, cells: Cells::of(0..rows * columns), lines, through }
    }
    /// For each player the lines that are live for it, as the sets of their empty cells. A completed line has none.
    pub fn live(&self, stones: &[Cells; 2]) -> [Vec<Cells>; 2] {
        [0, 1].map(|player| self.live_for(player, stones))
    }
    /// The lines that are live for a player, as the sets of their empty cells.
    pub fn live_for(&self, player: usize, stones: &[Cells; 2]) -> Vec<Cells> {
        let live = self.lines.iter().filter(|line| !line.meets(stones[1 - player]));
        live.map(|line| line.minus(stones[player])).collect()
    }
    /// The cells on which a player completes a line. Such a line holds a stone, unless it has only one cell.
    pub fn completing(&self, own: Cells, other: Cells) -> Cells {
        if self.connect == 1 {
            return self.cells.minus(own.or(other));
        }
        let live = own.iter().flat_map(|cell| &self.through[cell]).filter(|line| !line.meets(other));
        live.map(|line| line.minus(own)).filter(|line| line.count() == 1).fold(Cells::NONE, Cells::or)
    }
    /// True if the board is as high as it is wide.
    pub fn is_square(&self) -> bool {
        self.rows == self.columns
    }
    /// The image of a set of cells under a symmetry of the page, 0 to 7 on a square and 0 to 3 on another board.
    pub fn image(&self, cells: Cells, symmetry: usize) -> Cells {
        let flip = |number, side, times| if times % 2 == 1 { side - 1 - number } else { number };
        Cells::of(cells.iter().map(|cell| {
            let row = flip(cell / self.columns, self.rows, symmetry / 2);
            let column = flip(cell % self.columns, self.columns, symmetry);
            if symmetry >= 4 { column * self.columns + row } else { row * self.columns + column }
        }))
    }
    pub fn names(&self, cells: Cells) -> String {
        cells
            .iter()
            .map(|cell| format!("{},{}", cell / self.columns, cell % self.columns))
            .collect::<Vec<_>>()
            .join(" ")
    }
    /// Reads a cell of the file.
    pub fn cell(&self, text: &str) -> Option<usize> {
        let comma = text.bytes().position(|byte| byte == b',')?;
        let (row, column) = (&text[..comma], &text[comma + 1..]);
        Some(number(row, 0, self.rows - 1)? * self.columns + number(column, 0, self.columns - 1)?)
    }
    /// Reads a board of the file: the stones of X and of O, and the cells with `+`.
    pub fn read(&self, text: &str) -> Option<[Cells; 3]> {
        let (mut found, mut cell) = ([Cells::NONE; 3], 0);
        for (row, text) in text.split('/').enumerate() {
            for part in text.as_bytes().chunk_by(|a, b| a.is_ascii_digit() && b.is_ascii_digit()) {
                if let Some(kind) = b"xo+".iter().position(|&letter| part == [letter]) {
                    found[kind] = found[kind].with(Some(cell).filter(|&cell| cell < self.rows * self.columns)?);
                    cell += 1;
                } else {
                    cell += number(str::from_utf8(part).ok()?, 1, self.columns)?;
                }
            }
            Some(()).filter(|()| cell == (row + 1) * self.columns)?;
        }
        (cell == self.rows * self.columns).then_some(found)
    }
}
