//! The replies of the defender that matter.

use crate::search::line_board::LineBoard;

use super::four_search::FourSequence;

/// The replies of the defender, who is to move and has no gap to complete a line, that may prevent a win by fours which the
/// attacker would have if the defender passed. Best first.
///
/// **Statement.** After any other reply, the attacker still wins by the same fours.
///
/// **Soundness.** A reply is one more stone of the defender. It can spoil the fours in two ways only:
///
/// - It takes a cell that the attacker needs: a cell of a four, or a gap that a four leaves. These are listed.
/// - It adds to a line of the defender, so that the defender completes a line or leaves a gap of its own in between. At
///   the moment when that happens for the first time, the line has a stone on the reply, and lacks at most one more.
///   Without the reply it lacks at most two, and the reply is one of its empty cells. Either the line lacks at most two
///   before the first four; or one of the defender's forced replies has just been added to it. The empty cells of all
///   these lines are listed, at the time when they are first so short.
///
/// (The idea that only a zone matters for a null move: T. Thomsen, "Lambda-Search in Game Trees - with Application to Go",
/// 2000; I-C. Wu and P.-H. Lin, "Relevance-Zone-Oriented Proof Search for Connect6", 2010.)
pub fn replies_to_fours(board: &mut LineBoard, attacker: usize, fours: &FourSequence) -> Vec<u16> {
    let mut cells = cells_that_matter(board, attacker, fours);
    order_by_weight(board, attacker, &mut cells);
    cells
}

/// The same replies in no order. Some are listed more than once.
pub fn cells_that_matter(board: &mut LineBoard, attacker: usize, fours: &FourSequence) -> Vec<u16> {
    let defender = 1 - attacker;
    let mut cells: Vec<u16> = fours.cells().collect();
    cells.extend(board.listed(defender, 2).flat_map(|line| board.gaps(line)));
    for pair in fours.moves.chunks_exact(2) {
        let &[four, reply] = pair else { continue };
        board.put_unweighed(four, attacker);
        board.put_unweighed(reply, defender);
        for lacking in [1, 2] {
            cells.extend(board.live_through(defender, reply, lacking).flat_map(|line| board.gaps(line)));
        }
    }
    for pair in fours.moves.chunks_exact(2).rev() {
        let &[four, reply] = pair else { continue };
        board.take_unweighed(reply, defender);
        board.take_unweighed(four, attacker);
    }
    cells
}

/// Puts the cells with the heaviest lines first, those near the centre before others, and drops those that are listed twice.
pub fn order_by_weight(board: &LineBoard, attacker: usize, cells: &mut Vec<u16>) {
    // One number holds all by which cells are compared. On a large board, sorting tuples took most of the time of a node.
    //
    //   63 .. 32 | 31 .. 16 | 15 .. 0
    //   -weight  | distance | cell
    let rank = |&cell: &u16| {
        let (weight, distance) = (weight_for(board, attacker, cell), board.distance_to_centre(cell));
        (i64::from(-weight) << 32) | (i64::from(distance) << 16) | i64::from(cell)
    };
    let mut ranks: Vec<i64> = cells.iter().map(rank).collect();
    ranks.sort_unstable();
    ranks.dedup();
    cells.clear();
    cells.extend(ranks.iter().map(|&rank| rank as u16));
}

/// The weight of a cell: that of the lines through it, those of the attacker twice.
pub fn weight_for(board: &LineBoard, attacker: usize, cell: u16) -> i32 {
    2 * board.weight(attacker, cell) + board.weight(1 - attacker, cell)
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;

    use super::*;
    use crate::game::{Position, Rules};
    use crate::search::{Stream, below, generator};

    #[test]
    fn packed_ranks_order_cells_as_tuples_do() {
        let mut random = generator(1, Stream::Go(1));
        for (size, connect) in [(1, 1), (3, 3), (8, 4), (15, 5), (20, 3), (20, 20)] {
            let mut position = Position::start(Rules::new(size, connect, false).expect("rules"));
            let mut board = LineBoard::new(position.rules());
            while position.outcome().is_none() {
                board.set_up(&position);
                let cells: Vec<u16> = board.empty_cells().collect();
                let mut cell = || cells[below(&mut random, cells.len() as u32) as usize];
                let mut ordered: Vec<u16> = (0..2 * cells.len()).map(|_| cell()).collect();
                let next = cell();
                for attacker in [0, 1] {
                    let rank = |&cell: &u16| {
                        (Reverse(weight_for(&board, attacker, cell)), board.distance_to_centre(cell), cell)
                    };
                    let mut expected = ordered.clone();
                    expected.sort_by_key(rank);
                    expected.dedup();
                    order_by_weight(&board, attacker, &mut ordered);
                    assert_eq!(ordered, expected, "{position:?}");
                }
                position = position.after(board.cell(next));
            }
        }
    }
}
