//! The cells near the stones. Moves there come before all others, and the network looks at no other cells.

use crate::game::{MAX_SIZE, Player, Position};
use crate::search::line_board::LineBoard;

/// Rows and columns between cells that are near each other.
const NEAR: usize = 2;

/// The least distance from the centre, in half cells, of a stone that is at the edge.
const EDGE: u8 = 9;

/// The cells within [`NEAR`] rows and columns of a stone, by row of the board: bit `c` stands for column `c`. While all
/// stones are at the edge, or there are none, the centre and the cells beside it are among them. They are all while there is
/// at most one such stone: it threatens nothing yet, and the centre is worth more.
pub fn near_cells(position: &Position, board: &LineBoard) -> [u32; MAX_SIZE as usize] {
    let mut rows = [0; MAX_SIZE as usize];
    let stones = *position.stones(Player::X) | *position.stones(Player::O);
    if stones.iter().all(|stone| board.distance_to_centre(board.number(stone)) >= EDGE) {
        // Half cells: the centre of an even board is a corner of four cells.
        let centre = board.empty_cells().filter(|&cell| board.distance_to_centre(cell) <= 3);
        centre.map(|cell| board.cell(cell)).for_each(|cell| rows[usize::from(cell.row())] |= 1 << cell.column());
        if stones.iter().count() < 2 {
            return rows;
        }
    }
    for stone in stones.iter() {
        let row = usize::from(stone.row());
        let columns = (((1 << (2 * NEAR + 1)) - 1) << stone.column()) >> NEAR;
        let last = (row + NEAR).min(rows.len() - 1);
        rows[row.saturating_sub(NEAR)..=last].iter_mut().for_each(|near| *near |= columns);
    }
    rows
}
