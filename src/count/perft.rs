//! How many ways there are to play so many plies, and how many positions they lead to.
//!
//! The ways are not walked one by one. Positions of a ply are kept up to symmetry, each with the number of sequences
//! that end in it or in one of its images; every move passes that number on to the position behind it. That is right
//! because a turn or a reflection of the board takes sequences from the empty board to such sequences.

use std::collections::HashMap;

use noughts_core::game::{Position, Rules, Symmetry};

/// The most positions up to symmetry that a ply may have to be counted: they take a few hundred megabytes.
pub const MOST_CLASSES: usize = 900_000;

/// The sequences and positions of the first plies of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Perft {
    /// The game.
    pub rules: Rules,
    /// The plies from 0, as far as was asked for or the game goes.
    pub plies: Vec<Ply>,
    /// Whether the next ply was asked for and has more than [`MOST_CLASSES`] positions up to symmetry.
    pub beyond: bool,
}

/// What a number of plies leads to. Games go on from undecided positions only.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Ply {
    /// Sequences of so many moves. They fit: no more than `plies!` of them lead to the same position, and a board
    /// with enough cells to make that number large has too many positions long before.
    pub sequences: u128,
    /// Sequences after which the game is over.
    pub finished: u128,
    /// Different positions.
    pub positions: u64,
    /// Different positions, where those that are equal after a turn or a reflection count once.
    pub classes: u64,
}

impl Perft {
    /// The sums over all plies.
    pub fn total(&self) -> Ply {
        self.plies.iter().fold(Ply::default(), |total, ply| Ply {
            sequences: total.sequences + ply.sequences,
            finished: total.finished + ply.finished,
            positions: total.positions + ply.positions,
            classes: total.classes + ply.classes,
        })
    }
}

/// Counts the plies of a game from 0 to `depth`, as far as it goes.
pub fn perft(rules: Rules, depth: u16) -> Perft {
    let mut found = Perft { rules, plies: Vec::new(), beyond: false };
    let mut classes = HashMap::from([(Position::start(rules), 1)]);
    loop {
        found.plies.push(Ply::of(&classes));
        if found.plies.len() > usize::from(depth) {
            return found;
        }
        match next_ply(&classes) {
            None => {
                found.beyond = true;
                return found;
            }
            Some(next) if next.is_empty() => return found,
            Some(next) => classes = next,
        }
    }
}

/// Positions up to symmetry, each with the number of sequences that lead to it or to one of its images.
type Classes = HashMap<Position, u128>;

impl Ply {
    fn of(classes: &Classes) -> Ply {
        let finished = classes.iter().filter(|(position, _)| position.outcome().is_some());
        Ply {
            sequences: classes.values().sum(),
            finished: finished.map(|(_, sequences)| sequences).sum(),
            positions: classes.keys().map(images).sum(),
            classes: classes.len() as u64,
        }
    }
}

/// How many different positions the eight images of a position are.
fn images(position: &Position) -> u64 {
    let symmetries = Symmetry::all().filter(|&symmetry| position.image(symmetry) == *position).count();
    8 / symmetries as u64
}

/// What one move more leads to; `None` when that is too much.
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
