//! The value of every position of a board up to 4x4 by retrograde analysis over a plain array. Shares no code with
//! the library.

use std::sync::LazyLock;

use noughts::game::{Player, Position, Value};

/// A position as two sets of cells: X's in the lower 16 bits, O's in the upper. Cell `r,c` is bit `r * size + c`.
pub type Stones = u32;

/// The stones of a position.
pub fn stones(position: &Position) -> Stones {
    let size = position.rules().size();
    let set = |player| position.stones(player).iter().fold(0, |set, cell| set | 1 << cell.index(size));
    set(Player::X) | set(Player::O) << 16
}

/// Not reached, or not yet known.
const UNKNOWN: i8 = i8::MIN;

/// The entry of a win on the spot; a win in n plies is worth n less, a loss is the negative of a win.
const WIN: i8 = 100;

/// Every position that can arise in a game that X began.
pub struct PlainTable {
    cells: u32,
    reverse: bool,
    /// Whether a set of cells holds a line.
    has_line: Vec<bool>,
    /// A set of cells as the digits of a number in base 3.
    ternary: Vec<u32>,
    /// By the number that has a digit for each cell: 0 empty, 1 X, 2 O.
    values: Vec<i8>,
    /// The positions by the number of stones.
    pub plies: Vec<Vec<Stones>>,
}

impl PlainTable {
    /// The table of 4x4 with lines of four. It is made once for all tests of a program.
    pub fn of_4x4(reverse: bool) -> &'static PlainTable {
        static TABLES: [LazyLock<PlainTable>; 2] =
            [LazyLock::new(|| PlainTable::new(4, 4, false)), LazyLock::new(|| PlainTable::new(4, 4, true))];
        &TABLES[usize::from(reverse)]
    }

    pub fn new(size: u32, connect: u32, reverse: bool) -> PlainTable {
        assert!(size <= 4);
        let connect = if connect == 0 { size } else { connect };
        let cells = size * size;
        let lines = lines(size as i32, connect as i32);
        let sets = 0..1u32 << cells;
        let has_line = sets.clone().map(|set| lines.iter().any(|line| set & line == *line)).collect();
        let ternary = sets.map(|set| (0..cells).filter(|cell| set >> cell & 1 == 1).map(|cell| 3u32.pow(cell)).sum());
        let mut table = PlainTable {
            cells,
            reverse,
            has_line,
            ternary: ternary.collect(),
            values: vec![UNKNOWN; 3usize.pow(cells)],
            plies: Vec::new(),
        };
        table.find_positions();
        table.find_values();
        table
    }

    /// Ply by ply from the empty board; the game goes on only where nobody has completed a line.
    fn find_positions(&mut self) {
        let mut reached = vec![false; self.values.len()];
        let mut ply = vec![0];
        while !ply.is_empty() {
            let mut next = Vec::new();
            for &stones in &ply {
                if !self.is_over(stones) {
                    for child in self.children(stones) {
                        let index = self.index(child);
                        if !reached[index] {
                            reached[index] = true;
                            next.push(child);
                        }
                    }
                }
            }
            self.plies.push(std::mem::replace(&mut ply, next));
        }
    }

    /// Ply by ply from the full board: a position is worth its best move.
    fn find_values(&mut self) {
        for ply in (0..self.plies.len()).rev() {
            for &stones in &self.plies[ply] {
                let value = if self.is_over(stones) {
                    self.final_value(stones)
                } else {
                    let worth = |child| match self.values[self.index(child)] {
                        0 => 0,
                        won @ 1.. => -(won - 1),
                        lost => -(lost + 1),
                    };
                    self.children(stones).map(worth).max().expect("a move")
                };
                let index = self.index(stones);
                self.values[index] = value;
            }
        }
    }

    fn index(&self, stones: Stones) -> usize {
        (self.ternary[(stones & 0xffff) as usize] + 2 * self.ternary[(stones >> 16) as usize]) as usize
    }

    fn x_has_line(&self, stones: Stones) -> bool {
        self.has_line[(stones & 0xffff) as usize]
    }

    fn o_has_line(&self, stones: Stones) -> bool {
        self.has_line[(stones >> 16) as usize]
    }

    fn x_moves(stones: Stones) -> bool {
        stones.count_ones().is_multiple_of(2)
    }

    /// Whether a line has been completed or the board is full.
    pub fn is_over(&self, stones: Stones) -> bool {
        self.x_has_line(stones) || self.o_has_line(stones) || stones.count_ones() == self.cells
    }

    /// Whether the board is full and nobody has completed a line.
    pub fn is_full_draw(&self, stones: Stones) -> bool {
        self.is_over(stones) && !self.x_has_line(stones) && !self.o_has_line(stones)
    }

    /// The positions after each move, in reading order of the cells.
    pub fn children(&self, stones: Stones) -> impl Iterator<Item = Stones> + use<> {
        let empty = !(stones | stones >> 16) & 0xffff;
        let shift = if PlainTable::x_moves(stones) { 0 } else { 16 };
        (0..self.cells).filter(move |cell| empty >> cell & 1 == 1).map(move |cell| stones | 1 << (cell + shift))
    }

    fn final_value(&self, stones: Stones) -> i8 {
        let x_won = match (self.x_has_line(stones), self.o_has_line(stones)) {
            (false, false) => return 0,
            (x_completed, _) => x_completed != self.reverse,
        };
        if x_won == PlainTable::x_moves(stones) { WIN } else { -WIN }
    }

    /// The value of a position that can arise in a game that X began.
    pub fn value(&self, stones: Stones) -> Value {
        match self.values[self.index(stones)] {
            UNKNOWN => panic!("{stones:#x} cannot arise"),
            0 => Value::Draw,
            won @ 1.. => Value::Win((WIN - won) as u16),
            lost => Value::Loss((WIN + lost) as u16),
        }
    }
}

fn lines(size: i32, connect: i32) -> Vec<u32> {
    let mut lines = Vec::new();
    for row in 0..size {
        for column in 0..size {
            for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                let cells: Vec<(i32, i32)> =
                    (0..connect).map(|step| (row + down * step, column + right * step)).collect();
                if cells.iter().all(|(row, column)| (0..size).contains(row) && (0..size).contains(column)) {
                    lines.push(cells.iter().fold(0, |set, (row, column)| set | 1 << (row * size + column)));
                }
            }
        }
    }
    lines
}
