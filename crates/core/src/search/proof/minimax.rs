//! Plain minimax for the tests of the proofs: a few lines, which share nothing with the searches.

use std::collections::HashMap;

use crate::game::{Cell, Position, Rules, Value};
use crate::search::{Stream, below, generator};

/// Plain minimax, which remembers what it has seen.
#[derive(Default)]
pub struct Minimax(HashMap<Position, Value>);

impl Minimax {
    pub fn value(&mut self, position: &Position) -> Value {
        if let Some(value) = position.final_value().or_else(|| self.0.get(position).copied()) {
            return value;
        }
        let values = position.moves().map(|cell| self.value(&position.after(cell)).before_move());
        let value = values.max().expect("a move");
        self.0.insert(*position, value);
        value
    }
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
