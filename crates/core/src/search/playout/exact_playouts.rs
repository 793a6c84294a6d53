//! The exact expectation of playouts, on boards of up to 9 cells: what flat Monte Carlo tends to with infinitely many trials.
//!
//! Let every playout go on until the board is full, even after a line is complete. It then fills the empty squares in a
//! uniformly random order. So all orders, each counted once, are the exact distribution of one playout: n! orders for n
//! empty squares, 362,880 on the empty 3x3 board. A game that ends early stands for all orders of the squares that are
//! left.
//!
//! The orders are counted position by position. Those of a position are the orders after each of its moves, seen by the
//! other side. Each position is visited once. All counts are whole numbers, so ties are exact.
//!
//! By the law of large numbers, the mean total of flat Monte Carlo tends to the expected total of one playout. With
//! infinitely many trials it plays a square with the highest expected total. That need not be a good move.

use crate::game::{Cell, Position, Rules, Shape};
use crate::search::proof::{BOARDS, MOST_CELLS, SmallBoard, SmallGeometry};

use super::{Tally, Weights};

/// The exact distribution of uniformly random games from a position.
#[derive(Clone, PartialEq, Debug)]
pub struct ExactPlayouts {
    position: Position,
    tally: Tally,
    /// The number of positions that were visited.
    pub(crate) nodes: u64,
}

impl ExactPlayouts {
    /// The cells of the largest board whose orders are counted.
    pub const MOST_CELLS: usize = MOST_CELLS;

    /// Counts all orders from a position. `None` when its board is too large.
    pub fn of(position: &Position) -> Option<ExactPlayouts> {
        let rules = position.rules();
        if rules.cells() > ExactPlayouts::MOST_CELLS {
            return None;
        }
        let mut counter = OrderCounter::new(rules);
        let index = counter.index_of(SmallBoard::of(position));
        let nodes = counter.tallies.len() as u64;
        Some(ExactPlayouts { position: *position, tally: counter.tallies.swap_remove(index), nodes })
    }

    /// The tally of every order in which the empty squares can be filled, each once: n! playouts for n squares.
    pub fn every_order(&self) -> &Tally {
        &self.tally
    }

    /// The expected total of a square per playout, clamped to the range of `f64`.
    pub fn total(&self, cell: Cell, weights: Weights) -> f64 {
        self.tally.mean_total(cell, weights)
    }

    /// The moves with the highest expected total, in reading order; none when the game is over. Ties are exact if the
    /// weights need no rounding: whole numbers, halves or quarters.
    pub fn best_moves(&self, weights: Weights) -> Vec<Cell> {
        let moves = || self.position.moves();
        let best = moves().max_by(|&a, &b| self.tally.compare(a, b, weights));
        moves().filter(|&cell| best.is_some_and(|best| self.tally.compare(cell, best, weights).is_eq())).collect()
    }
}

/// The number of orders of `squares` squares.
fn orders(squares: usize) -> u64 {
    (1..=squares as u64).product()
}

/// Counts the orders of positions. The tally of every visited position is kept.
struct OrderCounter {
    geometry: SmallGeometry,
    shape: Shape,
    /// By [`SmallBoard::index`]: one more than the index of the position's tally, 0 before the position is visited.
    tally_of: Box<[u16]>,
    /// All orders of a position, seen by its side to move.
    tallies: Vec<Tally>,
}

impl OrderCounter {
    fn new(rules: Rules) -> OrderCounter {
        let tally_of = vec![0; BOARDS].into_boxed_slice();
        OrderCounter { geometry: SmallGeometry::new(rules), shape: rules.shape(), tally_of, tallies: Vec::new() }
    }

    /// The index of the tally of a position, which is counted if that has not been done.
    fn index_of(&mut self, board: SmallBoard) -> usize {
        if let Some(index) = self.tally_of[board.index()].checked_sub(1) {
            return usize::from(index);
        }
        let tally = if self.geometry.is_over(board) {
            self.finished(board)
        } else {
            let mut tally = Tally::new(self.shape);
            for cell in self.geometry.empty_cells(board) {
                let after = self.index_of(board.after(cell));
                tally.add_seen_by_other(&self.tallies[after]);
            }
            tally
        };
        self.tallies.push(tally);
        self.tally_of[board.index()] = self.tallies.len() as u16;
        self.tallies.len() - 1
    }

    /// The tally of a finished game: one playout for every order of the squares that are left.
    fn finished(&self, board: SmallBoard) -> Tally {
        let result = self.geometry.final_value(board).map_or(0, |value| value.result());
        let mut tally = Tally::new(self.shape);
        if result == 0 {
            tally.add_draws(1);
        } else {
            tally.add_decided(result > 0, self.geometry.cells(board.mine), self.geometry.cells(board.theirs));
        }
        tally.repeat(orders(self.geometry.empty_cells(board).count()));
        tally
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use super::*;

    /// Every position that can arise from a position, itself included.
    fn positions_from(start: Position) -> Vec<Position> {
        let mut found = vec![start];
        let mut seen: HashSet<Position> = found.iter().copied().collect();
        let mut next = 0;
        while let Some(position) = found.get(next).copied() {
            let after = position.moves().map(|cell| position.after(cell)).filter(|after| seen.insert(*after));
            found.extend(after.collect::<Vec<_>>());
            next += 1;
        }
        found
    }

    /// Adds the orders of a position to its final boards, by the rules alone.
    fn play(position: Position, orders: u64, boards: &mut HashMap<Position, u64>) {
        if position.outcome().is_some() {
            *boards.entry(position).or_default() += orders;
        }
        let moves = position.moves().count() as u64;
        position.moves().for_each(|cell| play(position.after(cell), orders / moves, boards));
    }

    #[test]
    fn every_order_of_every_position_is_counted_as_the_rules_end_it() {
        for (shape, connect, reverse) in [
            ((1, 1), 0, false),
            ((2, 2), 0, true),
            ((2, 2), 3, false),
            ((3, 3), 2, true),
            ((3, 3), 0, false),
            ((2, 3), 2, false),
            ((3, 2), 3, true),
            ((1, 7), 3, false),
            ((8, 1), 2, true),
            ((2, 4), 4, false),
            ((4, 2), 2, false),
        ] {
            for position in positions_from(Position::start(Rules::new(shape, connect, reverse).unwrap())) {
                // Of the largest trees, that of the empty board is enough.
                if position.empty_cells() > 6 && position.empty_cells() < 9 {
                    continue;
                }
                let mut boards = HashMap::new();
                play(position, orders(position.empty_cells()), &mut boards);
                let mut expected = Tally::new(shape);
                for (board, orders) in boards {
                    let mut seen_by_other = Tally::new(shape);
                    seen_by_other.add(&board, !position.side());
                    seen_by_other.repeat(orders);
                    expected.add_seen_by_other(&seen_by_other);
                }
                assert_eq!(ExactPlayouts::of(&position).unwrap().every_order(), &expected, "{}", position.diagram());
            }
        }
    }

    #[test]
    fn each_position_that_can_arise_is_visited_once() {
        let positions = positions_from(Position::start(Rules::default()));
        assert_eq!(positions.len(), 5478);
        for position in positions {
            let exact = ExactPlayouts::of(&position).unwrap();
            assert_eq!(exact.nodes, positions_from(position).len() as u64, "{}", position.diagram());
        }
    }

    #[test]
    fn the_published_counts_of_random_games_come_out() {
        // Of 9! orders X completes a line first in 212,256 and O in 104,544: see the exams of random movers.
        let exact = ExactPlayouts::of(&Position::start(Rules::default())).unwrap();
        let results = exact.every_order().results();
        assert_eq!((results.wins, results.draws, results.losses), (212_256, 46_080, 104_544));
        assert_eq!(exact.nodes, 5478);
    }

    #[test]
    fn larger_boards_are_not_counted_and_finished_games_no_move() {
        assert_eq!(ExactPlayouts::of(&Position::start(Rules::new(4, 0, false).unwrap())), None);
        let moves = [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)].map(|(row, column)| Cell::new(row, column));
        let game = moves.into_iter().fold(Position::start(Rules::default()), Position::after);
        let exact = ExactPlayouts::of(&game).unwrap();
        assert!(exact.best_moves(Weights::default()).is_empty());
        assert_eq!(
            (exact.every_order().results().losses, exact.total(Cell::new(1, 0), Weights::default())),
            (24, -1.0)
        );
    }
}
