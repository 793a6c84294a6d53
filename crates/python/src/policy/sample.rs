//! Positions of a board that has too many of them: some are drawn, and those are kept whose moves are all proven.

use std::collections::HashSet;

use noughts::game::{Position, Rules, Value};
use noughts::search::{Control, Solver, Stream, below, generator};
use pyo3::prelude::*;

/// Memory of the solver, in MiB.
const MEBIBYTES: u32 = 64;

/// Games that are played for each position that is wanted. Small boards may not have as many positions as are wanted.
const GAMES: usize = 20;

/// A position, and what its moves are worth to the side to move, in reading order. Only the results are proven, not the
/// distances.
pub struct Proven {
    pub position: Position,
    pub values: Vec<Value>,
}

/// Different positions in which the game goes on: each after a random number of random moves.
pub fn draw(rules: Rules, count: usize, seed: u64) -> Vec<Position> {
    let mut generator = generator(seed, Stream::Sample);
    let (mut drawn, mut seen) = (Vec::new(), HashSet::new());
    for _ in 0..count.saturating_mul(GAMES) {
        let stones = below(&mut generator, rules.cells() as u32) as usize;
        let mut position = Position::start(rules);
        while position.outcome().is_none() && rules.cells() - position.empty_cells() < stones {
            let move_index = below(&mut generator, position.empty_cells() as u32) as usize;
            let cell = position.moves().nth(move_index).expect("a game that goes on has a move on each empty cell");
            position = position.after(cell);
        }
        if drawn.len() < count && position.outcome().is_none() && seen.insert(position) {
            drawn.push(position);
        }
    }
    drawn
}

/// Those of the positions in which the result of every move is proven within so many nodes.
pub fn prove(py: Python<'_>, rules: Rules, drawn: &[Position], nodes: u64) -> PyResult<Vec<Proven>> {
    let mut solver = Solver::new(rules, MEBIBYTES);
    let control = Control::unlimited().with_nodes(Some(nodes));
    let mut proven = Vec::new();
    for &position in drawn {
        py.check_signals()?;
        // What is proven of a position must not depend on those before it.
        solver.forget();
        let bounds = py.detach(|| solver.move_bounds(&position, &control));
        let result = |at_least: Value, at_most: Value| (at_least.result() == at_most.result()).then_some(at_least);
        let values = bounds.into_iter().map(|(_, bounds)| result(bounds.at_least, bounds.at_most));
        proven.extend(values.collect::<Option<_>>().map(|values| Proven { position, values }));
    }
    Ok(proven)
}
