//! Traps: the tie-break that chooses the best move with the highest expected score against a random opponent.
//!
//! A trap gives nothing away. All moves to choose from keep the value and the distance, and so do the later moves of the
//! player. A win counts 1, a draw 0, a loss -1. The moves of the opponent are uniformly random. This is the expectimax of
//! Michie, "Game-playing and game-learning automata", 1966. The expected score is exact in a won position and where few
//! cells are empty ([`endgame`]). Elsewhere the move is drawn at random.

mod endgame;

use crate::game::{Cell, Position, Value};

use crate::search::{Control, Generator, Note, Tiebreak};

pub(crate) use endgame::Endgame;

/// Expected results that differ by less count as equal, because sums in another order differ in their last bits.
const TOLERANCE: f64 = 1e-9;

/// A move chosen as a trap.
pub(crate) struct Trap {
    /// Its index among the moves to choose from.
    pub index: usize,
    /// How it was chosen; `None` when there was only one.
    pub note: Option<Note>,
    /// The number of positions that were visited.
    pub nodes: u64,
}

impl Trap {
    /// Chooses among `moves`, which all keep `value`, the value of the position.
    ///
    /// `control` bounds the positions and the time. If it leaves no room for an exact choice, the move is drawn at random.
    pub fn choose(
        position: &Position,
        value: Value,
        moves: &[Cell],
        generator: &mut Generator,
        control: &Control,
    ) -> Trap {
        // Every one of these moves wins against any opponent. Without a line on the board, all games are draws.
        if moves.len() == 1 || value > Value::Draw || position.rules().line_length().is_none() {
            return Trap::of_results(&vec![f64::from(value.result()); moves.len()]);
        }
        let has_room = || control.nodes().is_none_or(|nodes| nodes >= Endgame::positions(position));
        let mut nodes = 0;
        if Endgame::fits(position) && has_room() {
            let mut endgame = Endgame::new(position);
            let solved = endgame.solve(control);
            nodes = endgame.nodes();
            if solved.is_ok() {
                return Trap { nodes, ..Trap::in_endgame(&endgame, position, moves) };
            }
        }
        let note = Note::Trap { moves: moves.len(), result: None };
        Trap { index: Tiebreak::Trap.pick(moves.len(), generator), note: Some(note), nodes }
    }

    /// Chooses among the best moves of a position that belongs to an endgame.
    pub fn in_endgame(endgame: &Endgame, position: &Position, moves: &[Cell]) -> Trap {
        let results: Vec<f64> = moves.iter().map(|&cell| endgame.result_of_trap(&position.after(cell))).collect();
        Trap::of_results(&results)
    }

    /// The first move with the greatest expected result.
    fn of_results(results: &[f64]) -> Trap {
        let greatest = results.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let index = results.iter().position(|result| *result > greatest - TOLERANCE).unwrap_or(0);
        let note = Note::Trap { moves: results.len(), result: Some(results[index]) };
        Trap { index, note: (results.len() > 1).then_some(note), nodes: 0 }
    }
}
