//! Every position that can arise in a game and in which the game goes on.
//!
//! As long as no line is complete, the order in which the stones came does not matter: a board can arise if X has as
//! many stones as O or one more. The enumeration reaches each board once, by the path on which both sides place their
//! stones in reading order.

use noughts_core::game::{Cell, Rules};

/// The largest board whose cells fit into the bits of a [`StoneSet`]. It already has far too many positions to visit.
const LARGEST: u8 = 5;

/// A set of cells. Cell `r,c` is bit `r * size + c`.
///
/// ```text
/// 0,0 0,1 0,2        0 1 2
/// 1,0 1,1 1,2   ->   3 4 5
/// 2,0 2,1 2,2        6 7 8
/// ```
type StoneSet = u32;

/// Calls `visit` with the path to every position in which the game goes on. Positions with fewer stones come first,
/// then they follow the order of their paths. Ends early with the first error of `visit`.
///
/// # Panics
/// When the board is larger than 5x5.
pub fn visit<E>(rules: Rules, mut visit: impl FnMut(&[Cell]) -> Result<(), E>) -> Result<(), E> {
    assert!(rules.size() <= LARGEST, "the positions of {rules} are too many");
    let mut enumeration =
        Enumeration { cells: Cell::all(rules.size()).collect(), lines: lines_through(rules), path: Vec::new() };
    // A full board is left out: there the game is over.
    (0..rules.cells()).try_for_each(|stones| enumeration.descend(stones, [0; 2], [0; 2], &mut visit))
}

/// The number of positions in which the game goes on.
///
/// # Panics
/// When the board is larger than 5x5.
pub fn count(rules: Rules) -> u64 {
    let mut count = 0;
    let counted: Result<(), std::convert::Infallible> = visit(rules, |_| {
        count += 1;
        Ok(())
    });
    match counted {
        Ok(()) => count,
    }
}

/// The lines through each cell.
fn lines_through(rules: Rules) -> Vec<Vec<StoneSet>> {
    let bit = |cell: Cell| 1 << cell.index(rules.size());
    let lines: Vec<StoneSet> =
        rules.lines().iter().map(|line| line.iter().fold(0, |stones, cell| stones | bit(cell))).collect();
    let through = |cell| lines.iter().copied().filter(|line| line & bit(cell) != 0).collect();
    Cell::all(rules.size()).map(through).collect()
}

/// The state of the enumeration of all paths of one length.
struct Enumeration {
    cells: Vec<Cell>,
    lines: Vec<Vec<StoneSet>>,
    path: Vec<Cell>,
}

impl Enumeration {
    /// Extends the path to `length`. `stones` are the stones of both sides; each side places its next stone at its
    /// `next` cell or behind it.
    fn descend<E>(
        &mut self,
        length: usize,
        stones: [StoneSet; 2],
        next: [usize; 2],
        visit: &mut impl FnMut(&[Cell]) -> Result<(), E>,
    ) -> Result<(), E> {
        if self.path.len() == length {
            return visit(&self.path);
        }
        let side = self.path.len() % 2;
        let to_come = (length - self.path.len()).div_ceil(2);
        for number in next[side]..=self.cells.len() - to_come {
            let mut after = stones;
            after[side] |= 1 << number;
            let is_taken = (stones[0] | stones[1]) & 1 << number != 0;
            if is_taken || self.lines[number].iter().any(|line| line & !after[side] == 0) {
                continue;
            }
            let mut then = next;
            then[side] = number + 1;
            self.path.push(self.cells[number]);
            self.descend(length, after, then, visit)?;
            self.path.pop();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use noughts_core::game::Position;

    /// The positions of breadth-first search, each with the first path that leads to it.
    fn by_search(rules: Rules) -> Vec<Vec<Cell>> {
        let mut found = vec![(Position::start(rules), Vec::new())];
        let mut known: HashSet<Position> = found.iter().map(|(position, _)| *position).collect();
        let mut number = 0;
        while number < found.len() {
            let (position, path) = found[number].clone();
            for cell in position.moves() {
                let after = position.after(cell);
                if after.outcome().is_none() && known.insert(after) {
                    found.push((after, [&path[..], &[cell]].concat()));
                }
            }
            number += 1;
        }
        found.into_iter().map(|(_, path)| path).collect()
    }

    #[test]
    fn the_paths_and_their_order_equal_breadth_first_search() {
        for (size, connect) in [(1, 0), (2, 0), (2, 1), (2, 3), (3, 0), (3, 1), (3, 2), (3, 4), (4, 1), (4, 2)] {
            let rules = Rules::new(size, connect, false).expect("rules within range");
            let mut paths = Vec::new();
            let visited: Result<(), ()> = visit(rules, |path| {
                paths.push(path.to_vec());
                Ok(())
            });
            assert_eq!(visited, Ok(()));
            assert!(paths == by_search(rules), "{rules}");
        }
    }

    #[test]
    fn there_are_as_many_positions_as_is_known() {
        for (size, connect, positions) in [(3, 0, 4_520), (4, 0, 9_062_619)] {
            assert_eq!(count(Rules::new(size, connect, true).expect("rules within range")), positions);
        }
    }
}
