//! Plain minimax for the tests of proofs and of the tree search: a few lines, which share nothing with the searches.

use std::collections::HashMap;

use crate::game::{Bounds, Cell, Position, Rules, Value};
use crate::search::{Stream, below, generator};

/// Plain minimax, which remembers what it has seen.
#[derive(Default)]
pub struct Minimax(HashMap<Position, Value>);

impl Minimax {
    /// The value of a position.
    pub fn value(&mut self, position: &Position) -> Value {
        if let Some(value) = position.final_value().or_else(|| self.0.get(position).copied()) {
            return value;
        }
        let values = position.moves().map(|cell| self.value(&position.after(cell)).before_move());
        let value = values.max().expect("a move");
        self.0.insert(*position, value);
        value
    }

    /// Every move in reading order, with its value for the player who makes it.
    pub fn move_values(&mut self, position: &Position) -> Vec<(Cell, Value)> {
        position.moves().map(|cell| (cell, self.value(&position.after(cell)).before_move())).collect()
    }
}

/// Whether a value is within bounds.
pub fn holds(Bounds { at_least, at_most }: Bounds, value: Value) -> bool {
    (at_least..=at_most).contains(&value)
}

/// Positions of random games in which the game goes on, with so many empty cells.
pub fn endgames(rules: Rules, empty_cells: &[usize], count: usize) -> Vec<Position> {
    let mut random = generator(7, Stream::Sample);
    let mut found = Vec::new();
    for _ in 0..200 * count {
        let mut position = Position::start(rules);
        let wanted = empty_cells[found.len() % empty_cells.len()];
        while position.outcome().is_none() && position.empty_cells() > wanted {
            let moves: Vec<Cell> = position.moves().collect();
            position = position.after(moves[below(&mut random, moves.len() as u32) as usize]);
        }
        if position.outcome().is_none() {
            found.push(position);
        }
        if found.len() == count {
            break;
        }
    }
    found
}
