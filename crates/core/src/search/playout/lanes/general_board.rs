//! A position on any board, in the form that the general kernel needs: its cells by number, and its lines.

use std::ops::RangeInclusive;

use crate::game::{Cell, Position};

/// Cells of a group.
pub const GROUP: usize = 16;

/// Bits of the number of a cell in its group.
pub const GROUP_BITS: usize = 4;

/// The most lines that start in one segment.
const MAX_LINES: usize = 6;

/// Cells of the longest segment.
const MAX_CELLS: usize = MAX_LINES + *GeneralBoard::LENGTHS.end() as usize - 1;

/// A position on any board.
///
/// The number of a cell is its index in this order: first the empty cells in reading order, in groups; then the cells with
/// stones. The last group is filled up with cells that do not exist and count as taken.
pub struct GeneralBoard {
    /// The number of empty cells.
    pub empties: usize,
    /// Bits of the number of an empty cell.
    pub bits: usize,
    /// By group and cell: all bits set if a line of empty cells in one row ends with the cell. The kernel checks these lines
    /// while it puts stones.
    pub ends_line: Vec<[u64; GROUP]>,
    /// The cells with stones, and whether the stone is one of the side to move.
    pub filled: Vec<(u16, bool)>,
    /// The segments by the number of lines that start in them, minus one.
    pub segments: Vec<Vec<Segment>>,
    pub length: u8,
}

/// Neighbouring cells in one direction. Lines that can still be completed start at the first cells, one after the other.
pub struct Segment {
    /// The numbers of the cells; the rest of the array is unused.
    pub cells: [u16; MAX_CELLS],
}

impl GeneralBoard {
    /// The lengths of lines for which there is a kernel.
    pub const LENGTHS: RangeInclusive<u8> = 3..=10;

    pub fn new(position: &Position, length: u8) -> GeneralBoard {
        let empties: Vec<Cell> = position.moves().collect();
        let ends_line = ends_line(&empties, usize::from(length));
        let mut numbers = vec![0; position.rules().cells()];
        let filled = Cell::all(position.rules().size()).filter(|&cell| position.occupant(cell).is_some());
        let filled: Vec<Cell> = filled.collect();
        let of_filled = filled.iter().copied().zip(ends_line.len() * GROUP..);
        for (cell, number) in empties.iter().copied().zip(0..).chain(of_filled) {
            numbers[cell.index(position.rules().size())] = number as u16;
        }
        let number = |cell: Cell| numbers[cell.index(position.rules().size())];
        GeneralBoard {
            empties: empties.len(),
            bits: GROUP_BITS + ends_line.len().next_power_of_two().ilog2() as usize,
            ends_line,
            filled: filled
                .iter()
                .map(|&cell| (number(cell), position.occupant(cell) == Some(position.side())))
                .collect(),
            segments: segments(position, usize::from(length), &number),
            length,
        }
    }
}

/// See [`GeneralBoard`].
fn ends_line(empties: &[Cell], length: usize) -> Vec<[u64; GROUP]> {
    let mut ends_line = vec![[0; GROUP]; empties.len().div_ceil(GROUP)];
    for (first, line) in empties.windows(length).enumerate() {
        let (begin, end) = (line[0], line[length - 1]);
        if begin.row() == end.row() && usize::from(end.column() - begin.column()) + 1 == length {
            ends_line.as_flattened_mut()[first + length - 1] = u64::MAX;
        }
    }
    ends_line
}

/// The segments of all lines that can still be completed, in the four directions. Lines of empty cells in one row are left
/// out: `ends_line` has them.
fn segments(position: &Position, length: usize, number: &dyn Fn(Cell) -> u16) -> Vec<Vec<Segment>> {
    let size = position.rules().size();
    let cell_at = |row: i16, column: i16| {
        let on_board = |coordinate: i16| u8::try_from(coordinate).ok().filter(|&coordinate| coordinate < size);
        Some(Cell::new(on_board(row)?, on_board(column)?))
    };
    let mut segments: Vec<Vec<Segment>> = (0..MAX_LINES).map(|_| Vec::new()).collect();
    for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
        for first in Cell::all(size) {
            let (row, column) = (i16::from(first.row()), i16::from(first.column()));
            if cell_at(row - down, column - right).is_some() {
                continue;
            }
            let row: Vec<Cell> = (0..).map_while(|step| cell_at(row + step * down, column + step * right)).collect();
            for run in live_runs(position, length, &row, down != 0) {
                for first in (0..=run.len() - length).step_by(MAX_LINES) {
                    let last = run.len().min(first + MAX_LINES + length - 1);
                    let mut cells = [0; MAX_CELLS];
                    cells.iter_mut().zip(&run[first..last]).for_each(|(number_of, &cell)| *number_of = number(cell));
                    segments[last - first - length].push(Segment { cells });
                }
            }
        }
    }
    segments
}

/// The longest runs in a row of cells in which every window of `length` cells can still become a line. Without
/// `with_empty`, a window must also have a stone.
fn live_runs<'a>(position: &Position, length: usize, row: &'a [Cell], with_empty: bool) -> Vec<&'a [Cell]> {
    let is_live = |window: &[Cell]| {
        let has = |player| window.iter().any(|&cell| position.occupant(cell) == Some(player));
        match (has(position.side()), has(!position.side())) {
            (false, false) => with_empty,
            (first, second) => !(first && second),
        }
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
