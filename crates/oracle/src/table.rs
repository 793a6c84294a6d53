//! The value of every position of a board up to 4x4, by retrograde analysis over a plain array.

use crate::Value;

/// A position as two sets of cells: X's in the lower 16 bits, O's in the upper. Cell `r,c` is bit `r * size + c`.
pub type Stones = u32;

/// The entry of a position that was not reached, or whose value is not yet known.
const UNKNOWN: i8 = i8::MIN;

/// The entry of a position that has been won. A win in n plies is worth n less, a loss is the negative of a win.
const WIN: i8 = 100;

/// The values of all positions that can arise in a game that X begins.
pub struct Table {
    cells: u32,
    reverse: bool,
    /// By set of cells: whether it holds a line.
    has_line: Vec<bool>,
    /// By set of cells: the number in base 3 whose digits are 1 for these cells.
    ternary: Vec<u32>,
    /// By the number in base 3 that has a digit for each cell: 0 empty, 1 X, 2 O.
    values: Vec<i8>,
    /// The positions by the number of stones.
    plies: Vec<Vec<Stones>>,
}

impl Table {
    /// Computes the table of a board. Lines are as long as the board if `connect` is 0.
    pub fn new(size: u32, connect: u32, reverse: bool) -> Table {
        assert!(size <= 4);
        let lines = lines(size, if connect == 0 { size } else { connect });
        let cells = size * size;
        let sets = 0..1u32 << cells;
        let digits = |set: u32| (0..cells).filter(|cell| set >> cell & 1 == 1).map(|cell| 3u32.pow(cell)).sum();
        let mut table = Table {
            cells,
            reverse,
            has_line: sets.clone().map(|set| lines.iter().any(|line| set & line == *line)).collect(),
            ternary: sets.map(digits).collect(),
            values: vec![UNKNOWN; 3usize.pow(cells)],
            plies: Vec::new(),
        };
        table.find_positions();
        table.find_values();
        table
    }

    /// Goes ply by ply from the empty board. The game goes on only where nobody has completed a line.
    fn find_positions(&mut self) {
        let mut reached = vec![false; self.values.len()];
        let mut ply = vec![0];
        while !ply.is_empty() {
            let mut next = Vec::new();
            for &stones in ply.iter().filter(|&&stones| !self.is_over(stones)) {
                for child in self.children(stones) {
                    if !std::mem::replace(&mut reached[self.index(child)], true) {
                        next.push(child);
                    }
                }
            }
            self.plies.push(std::mem::replace(&mut ply, next));
        }
    }

    /// Goes ply by ply from the full board. A position is worth its best move.
    fn find_values(&mut self) {
        for ply in (0..self.plies.len()).rev() {
            for &stones in &self.plies[ply] {
                let index = self.index(stones);
                self.values[index] = if self.is_over(stones) {
                    self.final_entry(stones)
                } else {
                    let worth = |child| match self.values[self.index(child)] {
                        0 => 0,
                        won @ 1.. => -(won - 1),
                        lost => -(lost + 1),
                    };
                    self.children(stones).map(worth).max().expect("a move")
                };
            }
        }
    }

    fn index(&self, stones: Stones) -> usize {
        (self.ternary[(stones & 0xffff) as usize] + 2 * self.ternary[(stones >> 16) as usize]) as usize
    }

    /// For X and for O, true if that player has completed a line.
    fn has_lines(&self, stones: Stones) -> [bool; 2] {
        [stones & 0xffff, stones >> 16].map(|set| self.has_line[set as usize])
    }

    fn x_moves(stones: Stones) -> bool {
        stones.count_ones().is_multiple_of(2)
    }

    fn final_entry(&self, stones: Stones) -> i8 {
        let x_has_won = match self.has_lines(stones) {
            [false, false] => return 0,
            [x_completed, _] => x_completed != self.reverse,
        };
        if x_has_won == Table::x_moves(stones) { WIN } else { -WIN }
    }

    /// The positions by the number of stones.
    pub fn plies(&self) -> &[Vec<Stones>] {
        &self.plies
    }

    /// True if a line has been completed or the board is full.
    pub fn is_over(&self, stones: Stones) -> bool {
        self.has_lines(stones) != [false, false] || stones.count_ones() == self.cells
    }

    /// The positions after each move, in reading order of the cells.
    pub fn children(&self, stones: Stones) -> impl Iterator<Item = Stones> + use<> {
        let empty = !(stones | stones >> 16) & 0xffff;
        let shift = if Table::x_moves(stones) { 0 } else { 16 };
        (0..self.cells).filter(move |cell| empty >> cell & 1 == 1).map(move |cell| stones | 1 << (cell + shift))
    }

    /// The value of a position that can arise in a game that X begins.
    pub fn value(&self, stones: Stones) -> Value {
        match self.values[self.index(stones)] {
            UNKNOWN => panic!("{stones:#x} cannot arise"),
            0 => Value::Draw,
            won @ 1.. => Value::Win((WIN - won) as u16),
            lost => Value::Loss((WIN + lost) as u16),
        }
    }
}

/// The lines of a board as sets of cells.
fn lines(size: u32, length: u32) -> Vec<u32> {
    let fits = |start: u32| start + length <= size;
    let line =
        |row: u32, column: u32, step: u32| (0..length).fold(0, |set, n| set | 1 << (row * size + column + n * step));
    let mut lines = Vec::new();
    for (row, column) in (0..size).flat_map(|row| (0..size).map(move |column| (row, column))) {
        if fits(column) {
            lines.push(line(row, column, 1));
        }
        if fits(row) {
            lines.push(line(row, column, size));
        }
        if fits(row) && fits(column) {
            lines.push(line(row, column, size + 1));
            // The other diagonal of the same square.
            lines.push(line(row, column + length - 1, size - 1));
        }
    }
    lines
}
