//! A position on any board, in the form that the general kernel needs: its cells by number, and its lines.

use crate::game::{Cell, Position};

/// Cells of a group.
pub const GROUP: usize = 16;

/// Bits of the number of a cell in its group.
pub const GROUP_BITS: usize = 4;

/// The most lines that start in one segment.
const MAX_LINES: usize = 8;

/// A position on any board.
///
/// The number of a cell is its index in this order: first the empty cells in reading order, in groups; then the cells with
/// stones. The last group is filled up with cells that do not exist and count as taken.
pub struct GeneralBoard {
    /// The number of empty cells.
    pub empties: usize,
    /// Bits of the number of an empty cell.
    pub bits: usize,
    /// The cells with stones, and whether the stone is one of the side to move.
    pub filled: Vec<(u16, bool)>,
    /// The segments by the number of lines that start in them, minus one: the numbers of their cells, one after the other.
    ///
    /// A segment is a row of neighbouring cells in one direction. A line that can still be completed starts at each of its
    /// first cells.
    pub segments: Vec<Vec<u16>>,
    /// The number of cells of a line.
    pub length: usize,
}

impl GeneralBoard {
    pub fn new(position: &Position, length: usize) -> GeneralBoard {
        let empties: Vec<Cell> = position.moves().collect();
        let mut numbers = vec![0; position.rules().cells()];
        let filled = Cell::all(position.rules().shape()).filter(|&cell| position.occupant(cell).is_some());
        let filled: Vec<Cell> = filled.collect();
        let of_filled = filled.iter().copied().zip(empties.len().next_multiple_of(GROUP)..);
        for (cell, number) in empties.iter().copied().zip(0..).chain(of_filled) {
            numbers[cell.index(position.rules().shape())] = number as u16;
        }
        let number = |cell: Cell| numbers[cell.index(position.rules().shape())];
        GeneralBoard {
            empties: empties.len(),
            bits: GROUP_BITS + empties.len().div_ceil(GROUP).next_power_of_two().ilog2() as usize,
            filled: filled
                .iter()
                .map(|&cell| (number(cell), position.occupant(cell) == Some(position.side())))
                .collect(),
            segments: segments(position, length, &number),
            length,
        }
    }

    /// True if a line can still be completed.
    pub fn has_lines(&self) -> bool {
        self.segments.iter().any(|segments| !segments.is_empty())
    }

    /// The number of groups.
    pub fn groups(&self) -> usize {
        self.empties.div_ceil(GROUP)
    }
}

/// The segments of all lines that can still be completed, in the four directions.
fn segments(position: &Position, length: usize, number: &dyn Fn(Cell) -> u16) -> Vec<Vec<u16>> {
    let shape = position.rules().shape();
    let cell_at = |row: i16, column: i16| {
        let on_board = |index: i16, side: u8| u8::try_from(index).ok().filter(|&index| index < side);
        Some(Cell::new(on_board(row, shape.rows)?, on_board(column, shape.columns)?))
    };
    let mut segments = vec![Vec::new(); MAX_LINES];
    for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
        for first in Cell::all(shape) {
            let (row, column) = (i16::from(first.row()), i16::from(first.column()));
            if cell_at(row - down, column - right).is_some() {
                continue;
            }
            let row: Vec<Cell> = (0..).map_while(|step| cell_at(row + step * down, column + step * right)).collect();
            for run in live_runs(position, length, &row) {
                // No line of a segment may end before the cell in front of the last start of a line.
                let most = MAX_LINES.min(length + 1);
                for first in (0..=run.len() - length).step_by(most) {
                    let last = run.len().min(first + most + length - 1);
                    segments[last - first - length].extend(run[first..last].iter().map(|&cell| number(cell)));
                }
            }
        }
    }
    segments
}

/// The longest runs in a row of cells in which every window of `length` cells can still become a line.
fn live_runs<'a>(position: &Position, length: usize, row: &'a [Cell]) -> Vec<&'a [Cell]> {
    let is_live = |window: &[Cell]| {
        let has = |player| window.iter().any(|&cell| position.occupant(cell) == Some(player));
        !(has(position.side()) && has(!position.side()))
    };
    let mut runs = Vec::new();
    let mut begin = 0;
    for (start, window) in row.windows(length).enumerate() {
        let is_last = start + length == row.len();
        match is_live(window) {
            false => {
                if start > begin {
                    runs.push(&row[begin..start + length - 1]);
                }
                begin = start + 1;
            }
            true if is_last => runs.push(&row[begin..]),
            true => {}
        }
    }
    runs
}
