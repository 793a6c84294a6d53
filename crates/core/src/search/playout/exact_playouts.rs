//! What flat Monte Carlo tends to when the trials go to infinity, exactly, on boards up to 3x3.
//!
//! A playout that goes on to the full board, whoever has won before, fills the empty squares in a random order, and
//! every order is as likely as any other. So all orders, each once, are the law of one playout: n empty squares have n!
//! of them, 362,880 on the empty 3x3 board, and of a game that ends early all orders of the squares left are one
//! game. They are counted position by position: the orders of a position are those of all its moves together, seen by
//! the other side, and each position is looked at once. Whole numbers all the way, so that ties are ties.
//!
//! By the law of large numbers the mean of flat Monte Carlo's totals tends to the expected total of one playout, so
//! what it plays in the limit are the squares where that is highest. They need not be good moves.

use crate::game::{Cell, Position, Rules};
use crate::search::proof::{BOARDS, LARGEST, SmallBoard, SmallGeometry};

use super::{Tally, Weights};

/// The law of a uniformly random game from a position.
#[derive(Clone, PartialEq, Debug)]
pub struct ExactPlayouts {
    position: Position,
    tally: Tally,
    nodes: u64,
}

impl ExactPlayouts {
    /// The largest board whose law is counted.
    pub const LARGEST: u8 = LARGEST;

    /// The law of a position; `None` when its board is too large.
    pub fn of(position: &Position) -> Option<ExactPlayouts> {
        let rules = position.rules();
        if rules.size() > ExactPlayouts::LARGEST {
            return None;
        }
        if position.outcome().is_some() {
            let mut tally = Tally::new(rules.size());
            tally.add(position, position.side());
            tally.repeat(orders(position.empty_cells()));
            return Some(ExactPlayouts { position: *position, tally, nodes: 1 });
        }
        let mut count = OrderCounter::new(rules);
        let place = count.place_of(SmallBoard::of(position));
        let nodes = count.tallies.len() as u64;
        Some(ExactPlayouts { position: *position, tally: count.tallies.swap_remove(place), nodes })
    }

    /// Every order in which the empty squares can be filled, once: n! playouts for n squares.
    pub fn every_order(&self) -> &Tally {
        &self.tally
    }

    /// Positions that were counted.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The expected total of a square per playout. Beyond the range of numbers it is the largest there is.
    pub fn total(&self, cell: Cell, weights: Weights) -> f64 {
        self.tally.mean_total(cell, weights)
    }

    /// The moves with the highest expected total, in reading order; none when the game is over. Ties are exact where
    /// the totals of all orders are numbers without rounding, as with whole weights, halves or quarters.
    pub fn best_moves(&self, weights: Weights) -> Vec<Cell> {
        let moves = || self.position.moves();
        let best = moves().max_by(|&a, &b| self.tally.compare(a, b, weights));
        moves().filter(|&cell| best.is_some_and(|best| self.tally.compare(cell, best, weights).is_eq())).collect()
    }
}

/// The number of orders of so many squares.
fn orders(squares: usize) -> u64 {
    (1..=squares as u64).product()
}

/// The orders of every position that was looked at.
struct OrderCounter {
    geometry: SmallGeometry,
    size: u8,
    /// Where the tally of a position is, counted from 1; 0 for those not looked at yet. By [`SmallBoard::index`].
    places: Box<[u16]>,
    /// All orders of a position, seen by its side to move.
    tallies: Vec<Tally>,
}

impl OrderCounter {
    fn new(rules: Rules) -> OrderCounter {
        let places = vec![0; BOARDS].into_boxed_slice();
        OrderCounter { geometry: SmallGeometry::new(rules), size: rules.size(), places, tallies: Vec::new() }
    }

    /// Counts all orders of a position, unless that has been done, and says where they are.
    fn place_of(&mut self, board: SmallBoard) -> usize {
        if let Some(place) = self.places[board.index()].checked_sub(1) {
            return usize::from(place);
        }
        let tally = if self.geometry.is_over(board) {
            self.finished(board)
        } else {
            let mut tally = Tally::new(self.size);
            for cell in self.geometry.empty_cells(board) {
                let after = self.place_of(board.after(cell));
                tally.add_seen_by_other(&self.tallies[after]);
            }
            tally
        };
        self.tallies.push(tally);
        self.places[board.index()] = self.tallies.len() as u16;
        self.tallies.len() - 1
    }

    /// A finished game, once for every order of the squares that are left.
    fn finished(&self, board: SmallBoard) -> Tally {
        let result = self.geometry.final_value(board).map_or(0, |value| value.result());
        let mut tally = Tally::new(self.size);
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
    use std::time::Duration;

    use super::*;
    use crate::search::Control;

    /// Every position that can arise.
    fn positions(rules: Rules) -> Vec<Position> {
        let mut found = vec![Position::start(rules)];
        let mut seen: HashSet<Position> = found.iter().copied().collect();
        let mut next = 0;
        while let Some(position) = found.get(next).copied() {
            let after = position.moves().map(|cell| position.after(cell)).filter(|after| seen.insert(*after));
            found.extend(after.collect::<Vec<_>>());
            next += 1;
        }
        found
    }

    /// Adds the orders of a position to the final boards, from the rules alone.
    fn play(position: Position, orders: u64, boards: &mut HashMap<Position, u64>) {
        if position.outcome().is_some() {
            *boards.entry(position).or_default() += orders;
        }
        let moves = position.moves().count() as u64;
        position.moves().for_each(|cell| play(position.after(cell), orders / moves, boards));
    }

    #[test]
    fn every_order_of_every_position_is_counted_as_the_rules_end_it() {
        for (size, connect, reverse) in [(1, 0, false), (2, 0, true), (2, 3, false), (3, 2, true), (3, 0, false)] {
            for position in positions(Rules::new(size, connect, reverse).unwrap()) {
                // The larger trees are in those of the positions that follow, and one of them is enough.
                if position.empty_cells() > 6 && position.empty_cells() < 9 {
                    continue;
                }
                let mut boards = HashMap::new();
                play(position, orders(position.empty_cells()), &mut boards);
                let mut expected = Tally::new(size);
                for (board, orders) in boards {
                    let mut seen_by_other = Tally::new(size);
                    seen_by_other.add(&board, !position.side());
                    seen_by_other.repeat(orders);
                    expected.add_seen_by_other(&seen_by_other);
                }
                assert_eq!(ExactPlayouts::of(&position).unwrap().every_order(), &expected, "{}", position.diagram());
            }
        }
    }

    #[test]
    fn the_law_of_every_position_takes_no_time_to_speak_of() {
        let positions = positions(Rules::default());
        let clock = Control::unlimited();
        let start = clock.now();
        let nodes: u64 = positions.iter().filter_map(ExactPlayouts::of).map(|law| law.nodes).sum();
        assert_eq!(positions.len(), 5478);
        let elapsed = clock.now() - start;
        assert!(nodes > 100_000 && elapsed < Duration::from_secs(1), "{nodes} {elapsed:?}");
    }

    #[test]
    fn the_published_counts_of_random_games_come_out() {
        // Of 9! orders X completes a line first in 212,256 and O in 104,544: see the exams of random movers.
        let law = ExactPlayouts::of(&Position::start(Rules::default())).unwrap();
        let results = law.every_order().results();
        assert_eq!((results.wins, results.draws, results.losses), (212_256, 46_080, 104_544));
        assert_eq!(law.nodes, 5478);
    }

    #[test]
    fn larger_boards_have_no_law_here_and_finished_games_no_move() {
        assert_eq!(ExactPlayouts::of(&Position::start(Rules::new(4, 0, false).unwrap())), None);
        let moves = [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)].map(|(row, column)| Cell::new(row, column));
        let game = moves.into_iter().fold(Position::start(Rules::default()), Position::after);
        let law = ExactPlayouts::of(&game).unwrap();
        assert!(law.best_moves(Weights::default()).is_empty());
        assert_eq!((law.every_order().results().losses, law.total(Cell::new(1, 0), Weights::default())), (24, -1.0));
    }
}
