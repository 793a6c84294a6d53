//! The board with its lines, and positions on it. A player is 0 for X and 1 for O.

use crate::cells::Cells;
use crate::reader::number;

pub const NAMES: [&str; 2] = ["x", "o"];

/// The stones of X and of O, and the player to move.
#[derive(Clone, Copy)]
pub struct Position<const W: usize> {
    pub stones: [Cells<W>; 2],
    pub to_move: usize,
}

impl<const W: usize> Position<W> {
    /// The position after the player to move has taken the cell.
    pub fn after(mut self, cell: usize) -> Self {
        self.stones[self.to_move] = self.stones[self.to_move].with(cell);
        Self { to_move: 1 - self.to_move, ..self }
    }
}

pub struct Board<const W: usize> {
    pub size: usize,
    pub connect: usize,
    pub reverse: bool,
    pub cells: Cells<W>,
    lines: Vec<Cells<W>>,
    through: Vec<Vec<Cells<W>>>, // for each cell, the lines that contain it
}

impl<const W: usize> Cells<W> {
    /// The empty cells of a line, if it is live for the player.
    fn live(self, position: &Position<W>, player: usize) -> Option<Self> {
        (!self.meets(position.stones[1 - player])).then(|| self.minus(position.stones[player]))
    }
}

impl<const W: usize> Board<W> {
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
                lines.extend((0..connect).map(cell).collect::<Option<Cells<W>>>());
            }
        }
        let through = |cell| lines.iter().copied().filter(|line: &Cells<W>| line.has(cell)).collect();
        let through = (0..size * size).map(through).collect();
        Self { size, connect, reverse, cells: (0..size * size).collect(), lines, through }
    }
    pub fn empty(&self, position: &Position<W>) -> Cells<W> {
        self.cells.minus(position.stones[0]).minus(position.stones[1])
    }
    /// The empty cells of each line that is live for the player. A completed line has none.
    pub fn live(&self, position: &Position<W>, player: usize) -> impl Iterator<Item = Cells<W>> {
        let position = *position;
        self.lines.iter().filter_map(move |line| line.live(&position, player))
    }
    /// True if every live line of the player in one position has a fitting one in the other. Often it is the same line.
    pub fn each(
        &self,
        of: &Position<W>,
        other: &Position<W>,
        player: usize,
        fits: fn(&Cells<W>, &Cells<W>) -> bool,
    ) -> bool {
        self.lines.iter().all(|line| {
            let fitting = |part: &Cells<W>| {
                let found = |line: &Cells<W>| line.live(other, player).is_some_and(|found| fits(&found, part));
                found(line) || self.lines.iter().any(found)
            };
            line.live(of, player).is_none_or(|part| fitting(&part))
        })
    }
    /// True if the player to move completes a line on the cell.
    pub fn completes(&self, position: &Position<W>, cell: usize) -> bool {
        let stones = position.stones[position.to_move].with(cell);
        self.through[cell].iter().any(|line| line.within(stones))
    }
    /// The cells on which the player completes a line. Such a line holds a stone, unless it has only one cell.
    pub fn completing(&self, position: &Position<W>, player: usize) -> Cells<W> {
        if self.connect == 1 {
            return self.empty(position);
        }
        let lines = position.stones[player].iter().flat_map(|cell| &self.through[cell]);
        lines.filter_map(|line| line.live(position, player)).filter(|gap| gap.count() == 1).fold(Cells::NONE, Cells::or)
    }
    /// What a symmetry of the page, 0 to 7, makes of a set of cells.
    pub fn image(&self, cells: Cells<W>, symmetry: usize) -> Cells<W> {
        let flip = |number: usize, really: bool| if really { self.size - 1 - number } else { number };
        let image = |cell: usize| {
            let row = flip(cell / self.size, symmetry / 2 % 2 == 1);
            let column = flip(cell % self.size, symmetry % 2 == 1);
            if symmetry >= 4 { column * self.size + row } else { row * self.size + column }
        };
        cells.iter().map(image).collect()
    }
    pub fn names(&self, cells: Cells<W>) -> String {
        let names: Vec<_> = cells.iter().map(|cell| format!("{},{}", cell / self.size, cell % self.size)).collect();
        names.join(" ")
    }
    /// Reads a board of the file: the stones of X and of O, and the cells with `+`.
    pub fn read(&self, text: &str) -> Option<[Cells<W>; 3]> {
        let mut found = [Cells::NONE; 3];
        for (row, text) in text.split('/').enumerate() {
            let mut column = 0;
            for part in text.as_bytes().chunk_by(|a, b| a.is_ascii_digit() && b.is_ascii_digit()) {
                if let Some(kind) = b"xo+".iter().position(|&letter| part == [letter]) {
                    let cell = (row < self.size && column < self.size).then_some(row * self.size + column)?;
                    found[kind] = found[kind].with(cell);
                    column += 1;
                } else {
                    column += number(str::from_utf8(part).ok()?, 1, self.size)?;
                }
            }
            Some(()).filter(|()| column == self.size)?;
        }
        (text.split('/').count() == self.size).then_some(found)
    }
}
