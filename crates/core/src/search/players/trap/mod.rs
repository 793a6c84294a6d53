//! Traps: the tie-break that chooses the best move with the highest expected score against a random opponent.
//!
//! A trap gives nothing away. All moves to choose from keep the value and the distance, and so do the later moves of the
//! player. A win counts 1, a draw 0, a loss -1. The moves of the opponent are uniformly random. This is the expectimax of
//! Michie, "Game-playing and game-learning automata", 1966. The expected score is exact in a won position and where few
//! cells are empty ([`endgame`]). Elsewhere playouts estimate it ([`heavy_playout`]).

mod endgame;
mod heavy_playout;

use std::collections::HashSet;

use crate::game::{Cell, Position, Value};

use crate::search::{Control, Generator, Note};

pub(crate) use endgame::Endgame;
use heavy_playout::HeavyPlayout;

/// Playouts of each move if only time bounds them.
const PLAYOUTS: u64 = 1_000;

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
    /// `control` bounds the positions and the time of an exact choice, and the playouts and the time of a choice by
    /// playouts. If the limits allow neither, the first move is chosen.
    pub fn choose(
        position: &Position,
        value: Value,
        moves: &[Cell],
        generator: &mut Generator,
        control: &Control,
    ) -> Trap {
        // Every one of these moves wins against any opponent. Without a line on the board, all games are draws.
        if moves.len() == 1 || value > Value::Draw || position.rules().line_length().is_none() {
            return Trap::of_results(&vec![f64::from(value.result()); moves.len()], None, 0);
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
        let (results, playouts) = sample(position, moves, generator, control);
        Trap::of_results(&results, Some(playouts), nodes)
    }

    /// Chooses among the best moves of a position that belongs to an endgame.
    pub fn in_endgame(endgame: &Endgame, position: &Position, moves: &[Cell]) -> Trap {
        let results: Vec<f64> = moves.iter().map(|&cell| endgame.result_of_trap(&position.after(cell))).collect();
        Trap::of_results(&results, None, 0)
    }

    /// The first move with the greatest expected result. `playouts` is `None` if the results are exact.
    fn of_results(results: &[f64], playouts: Option<u64>, nodes: u64) -> Trap {
        let greatest = results.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let index = results.iter().position(|result| *result > greatest - TOLERANCE).unwrap_or(0);
        let note = Note::Trap { moves: results.len(), result: results[index], playouts };
        Trap { index, note: (results.len() > 1).then_some(note), nodes }
    }
}

/// The mean result of playouts from each move, and the number of playouts. Of moves that are symmetric, only the first gets
/// playouts.
fn sample(position: &Position, moves: &[Cell], generator: &mut Generator, control: &Control) -> (Vec<f64>, u64) {
    // A move that is left out is the image of an earlier one, which would be chosen before it.
    let mut results = vec![f64::NEG_INFINITY; moves.len()];
    if control.check().is_err() {
        return (results, 0);
    }
    let mut seen = HashSet::new();
    let candidates: Vec<usize> =
        (0..moves.len()).filter(|&index| seen.insert(position.after(moves[index]).canonical())).collect();
    let rounds = control.playouts().map_or(PLAYOUTS, |playouts| playouts / candidates.len() as u64);
    let mut game = HeavyPlayout::new(position);
    let mut sums = vec![0.0; candidates.len()];
    let mut played = 0;
    // Whole rounds only, so that all moves have the same number of playouts when time ends it.
    'rounds: while played < rounds {
        let mut round = Vec::with_capacity(candidates.len());
        for &index in &candidates {
            if control.check().is_err() {
                break 'rounds;
            }
            round.push(game.play_out(moves[index], generator));
        }
        sums.iter_mut().zip(round).for_each(|(sum, result)| *sum += result);
        played += 1;
    }
    for (&sum, &index) in sums.iter().zip(&candidates) {
        results[index] = sum / played.max(1) as f64;
    }
    (results, played * candidates.len() as u64)
}
