//! Traps: among moves that are equally good, the one that a random opponent gets on worst with.
//!
//! Nothing is given away for it: the moves to choose from all keep the value and the distance, and so do those that
//! are expected to follow. Among them the expected result (win 1, draw 0, loss -1) is the greatest against an opponent
//! whose moves are uniformly random: the expectimax of Michie, "Game-playing and game-learning automata", 1966. It is
//! exact where the position is won anyway and where few cells are empty; elsewhere playouts stand in for it.

mod endgame;
mod heavy_playout;

use std::collections::HashSet;

use crate::game::{Cell, Position, Value};

use crate::search::{Control, Generator, Note};

pub(crate) use endgame::Endgame;
use heavy_playout::HeavyPlayout;

/// Playouts of each move, where only time bounds them.
const PLAYOUTS: u64 = 1_000;

/// Expected results that differ by less are equal: sums in another order differ in their last bits.
const TOLERANCE: f64 = 1e-9;

/// A move chosen as a trap.
pub(crate) struct Trap {
    /// Its place among the moves to choose from, counted from 0.
    pub place: usize,
    /// How it was chosen; `None` when there was only one.
    pub note: Option<Note>,
    /// Positions looked at.
    pub nodes: u64,
}

impl Trap {
    /// Chooses among `moves`, which are those that keep `value`, the value of the position. `control` bounds the
    /// positions and the time of an exact choice, and the playouts and the time of one by playouts. There is always a
    /// choice: the first move when nothing can be found out.
    pub fn choose(
        position: &Position,
        value: Value,
        moves: &[Cell],
        generator: &mut Generator,
        control: &Control,
    ) -> Trap {
        // A win is kept whatever the opponent does, and where there is no line all games are draws.
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

    /// The first move with the greatest of these expected results, which are exact or from so many playouts.
    fn of_results(results: &[f64], playouts: Option<u64>, nodes: u64) -> Trap {
        let greatest = results.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let place = results.iter().position(|result| *result > greatest - TOLERANCE).unwrap_or(0);
        let note = Note::Trap { moves: results.len(), result: results[place], playouts };
        Trap { place, note: (results.len() > 1).then_some(note), nodes }
    }
}

/// The mean result of playouts from each move, and the number of playouts. Moves that are the same but for symmetry
/// share theirs.
fn sample(position: &Position, moves: &[Cell], generator: &mut Generator, control: &Control) -> (Vec<f64>, u64) {
    // What is left out is the image of an earlier move, which would be chosen before it.
    let mut results = vec![f64::NEG_INFINITY; moves.len()];
    if control.check().is_err() {
        return (results, 0);
    }
    let mut seen = HashSet::new();
    let candidates: Vec<usize> =
        (0..moves.len()).filter(|&place| seen.insert(position.after(moves[place]).canonical())).collect();
    let rounds = control.playouts().map_or(PLAYOUTS, |playouts| playouts / candidates.len() as u64);
    let mut game = HeavyPlayout::new(position);
    let mut sums = vec![0.0; candidates.len()];
    let mut played = 0;
    // Round by round, and whole rounds only, so that all moves have as many when time ends it.
    'rounds: while played < rounds {
        let mut round = Vec::with_capacity(candidates.len());
        for &place in &candidates {
            if control.check().is_err() {
                break 'rounds;
            }
            round.push(game.play_out(moves[place], generator));
        }
        sums.iter_mut().zip(round).for_each(|(sum, result)| *sum += result);
        played += 1;
    }
    for (&sum, &place) in sums.iter().zip(&candidates) {
        results[place] = sum / played.max(1) as f64;
    }
    (results, played * candidates.len() as u64)
}
