//! All positions of a small board in which the game goes on, level by level: a level has those with equally many stones.

use noughts::game::{Cell, Outcome, Player, Position, Rules};
use noughts::search::ternary_digits;

/// The most cells of a board whose positions are all held.
pub const MOST_CELLS: usize = 16;

/// The stones of X and those of O. Cell number `c` in reading order is bit `c`.
pub type Stones = [u16; 2];

/// What a move leads to.
#[derive(Clone, Copy)]
pub enum After {
    /// The end of the game.
    End(Outcome),
    /// The position with this number.
    GoesOn(usize),
}

/// The positions in the order of `noughts.positions`, without those in which the game is over.
pub struct Graph {
    pub rules: Rules,
    pub positions: Vec<Stones>,
    /// The number of the first position of each level, and behind them the number of all positions.
    pub levels: Vec<usize>,
    /// For each board as a number in base 3, 1 + the number of its position; 0 for boards that cannot arise.
    numbers: Vec<u32>,
    /// For each set of cells: true if it has a line.
    has_line: Box<[bool]>,
}

impl Graph {
    /// Finds all positions.
    ///
    /// # Panics
    /// When the board has more than [`MOST_CELLS`] cells.
    pub fn new(rules: Rules) -> Graph {
        let cells = rules.cells();
        assert!(cells <= MOST_CELLS, "the positions of {rules} are too many");
        let mut graph = Graph {
            rules,
            positions: vec![[0; 2]],
            levels: vec![0],
            numbers: vec![0; 3usize.pow(cells as u32)],
            has_line: rules.geometry().sets_with_line(),
        };
        graph.numbers[0] = 1;
        for stones in 0..cells {
            let level = graph.levels[stones]..graph.positions.len();
            graph.levels.push(level.end);
            for number in level {
                graph.find_next(number);
            }
        }
        graph
    }

    /// Gives numbers to the positions after a position that have none.
    fn find_next(&mut self, number: usize) {
        let (stones, mover) = (self.positions[number], self.side(number) as usize);
        let board = base_3(stones);
        for cell in self.empty_cells(number) {
            let mut after = stones;
            after[mover] |= 1 << cell;
            let slot = &mut self.numbers[board + (mover + 1) * ternary_digits(1 << cell)];
            let is_over = self.has_line[usize::from(after[mover])] || self.levels.len() > self.rules.cells();
            if *slot == 0 && !is_over {
                self.positions.push(after);
                *slot = self.positions.len() as u32;
            }
        }
    }

    /// The empty cells of a position, in reading order.
    fn empty_cells(&self, number: usize) -> impl Iterator<Item = usize> + use<> {
        let [x, o] = self.positions[number];
        (0..self.rules.cells()).filter(move |cell| (x | o) >> cell & 1 == 0)
    }

    /// The side to move.
    pub fn side(&self, number: usize) -> Player {
        let [x, o] = self.positions[number];
        if x.count_ones() == o.count_ones() { Player::X } else { Player::O }
    }

    /// The moves of a position in reading order, each with the number of its cell.
    pub fn moves(&self, number: usize) -> impl Iterator<Item = (usize, After)> {
        let (stones, side) = (self.positions[number], self.side(number));
        let (board, mover) = (base_3(stones), side as usize);
        self.empty_cells(number).map(move |cell| {
            let after = stones[mover] | 1 << cell;
            if self.has_line[usize::from(after)] {
                return (cell, After::End(self.rules.outcome_of_line(side)));
            }
            match self.numbers[board + (mover + 1) * ternary_digits(1 << cell)] {
                0 => (cell, After::End(Outcome::Draw)),
                number => (cell, After::GoesOn(number as usize - 1)),
            }
        })
    }

    /// The position with a number.
    pub fn position(&self, number: usize) -> Position {
        let cells = |set: u16| {
            let all = Cell::all(self.rules.shape()).enumerate();
            all.filter(move |(cell, _)| set >> cell & 1 == 1).map(|(_, cell)| cell).collect()
        };
        let stones = self.positions[number].map(cells);
        Position::of_stones(self.rules, stones, None).expect("only positions have numbers")
    }
}

/// A board as a number in base 3, a digit a cell: 0 empty, 1 X, 2 O.
fn base_3([x, o]: Stones) -> usize {
    ternary_digits(x) + 2 * ternary_digits(o)
}
