//! Counts the sequences of moves of each length, and the positions that they lead to.
//!
//! The sequences are not played one by one. The positions of a ply are kept up to symmetry, each with the number of
//! sequences that end in it or in one of its images. Every move adds this number to the position that it leads to. The
//! sum is right because a rotation or reflection of the board maps sequences from the empty board to such sequences.

use std::collections::HashMap;

use serde::Serialize;

use noughts_core::game::{Position, Rules, Symmetry};

/// The most positions up to symmetry that a ply may have to be counted. They take a few hundred megabytes.
pub const MOST_CLASSES: usize = 900_000;

/// The sequences and positions of the first plies of a game.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct Perft {
    /// The game.
    pub rules: Rules,
    /// The plies from 0 to the depth that was asked for, or to the longest game.
    pub plies: Vec<PlyCounts>,
    /// False if the count ended early: the next ply has more than [`MOST_CLASSES`] positions up to symmetry.
    pub complete: bool,
}

/// The sequences of one length and the positions that they lead to. No sequence goes on after the game is over.
#[derive(Clone, Copy, PartialEq, Eq, Default, Serialize, Debug)]
pub struct PlyCounts {
    /// The number of moves; of all plies together, the number of plies after the first.
    pub ply: u64,
    /// Sequences of this many moves. The number cannot overflow: at most `plies!` sequences lead to the same position,
    /// and on a board with enough cells to make that large the count ends early.
    pub sequences: u128,
    /// Sequences after which the game is over.
    pub finished: u128,
    /// Different positions.
    pub positions: u64,
    /// Different positions, where those that are equal after a rotation or a reflection count once.
    pub classes: u64,
}

impl Perft {
    /// The sums over all plies.
    pub fn total(&self) -> PlyCounts {
        self.plies.iter().fold(PlyCounts::default(), |total, ply| PlyCounts {
            ply: ply.ply,
            sequences: total.sequences + ply.sequences,
            finished: total.finished + ply.finished,
            positions: total.positions + ply.positions,
            classes: total.classes + ply.classes,
        })
    }
}

/// Counts the plies of a game from 0 to `depth`, or to its longest game.
pub fn perft(rules: Rules, depth: u16) -> Perft {
    let mut found = Perft { rules, plies: Vec::new(), complete: true };
    let mut classes = HashMap::from([(Position::start(rules), 1)]);
    loop {
        found.plies.push(PlyCounts::of(found.plies.len() as u64, &classes));
        if found.plies.len() > usize::from(depth) {
            return found;
        }
        match next_ply(&classes) {
            None => {
                found.complete = false;
                return found;
            }
            Some(next) if next.is_empty() => return found,
            Some(next) => classes = next,
        }
    }
}

/// Positions up to symmetry, each with the number of sequences that lead to it or to one of its images.
type Classes = HashMap<Position, u128>;

impl PlyCounts {
    fn of(ply: u64, classes: &Classes) -> PlyCounts {
        let finished = classes.iter().filter(|(position, _)| position.outcome().is_some());
        PlyCounts {
            ply,
            sequences: classes.values().sum(),
            finished: finished.map(|(_, sequences)| sequences).sum(),
            positions: classes.keys().map(images).sum(),
            classes: classes.len() as u64,
        }
    }
}

/// The number of different positions among the images of a position.
fn images(position: &Position) -> u64 {
    let symmetries = || Symmetry::all(position.rules().shape());
    let keep_it = symmetries().filter(|&symmetry| position.image(symmetry) == *position).count();
    (symmetries().count() / keep_it) as u64
}

/// The positions of the next ply; `None` when there are more than [`MOST_CLASSES`].
fn next_ply(classes: &Classes) -> Option<Classes> {
    let mut next = Classes::new();
    for (position, sequences) in classes {
        for cell in position.moves() {
            *next.entry(position.after(cell).canonical()).or_default() += sequences;
        }
        if next.len() > MOST_CLASSES {
            return None;
        }
    }
    Some(next)
}
