//! Openings of a given number of plies: all sequences of moves, or one for each class of equal positions.

use std::collections::{BTreeMap, HashMap};

use noughts_core::game::{Cell, Position, Rules};

use super::opening::{MAX_OPENINGS, Opening, OpeningsError};

/// Every sequence of this many plies after which the game goes on, in reading order.
///
/// # Errors
/// When there are more than a book holds.
pub fn all(rules: Rules, plies: usize) -> Result<Vec<Opening>, OpeningsError> {
    let mut sequences = vec![(Position::start(rules), Vec::new())];
    sequences.retain(|(position, _)| position.outcome().is_none());
    for _ in 0..plies {
        let mut longer = Vec::new();
        for (position, moves) in &sequences {
            for cell in position.moves() {
                let after = position.after(cell);
                if after.outcome().is_none() {
                    longer.push((after, [&moves[..], &[cell]].concat()));
                }
            }
            if longer.len() > MAX_OPENINGS {
                return Err(OpeningsError::TooMany);
            }
        }
        sequences = longer;
    }
    Ok(sequences.into_iter().map(|(position, moves)| Opening::after_moves(position, &moves, 0, 1.0)).collect())
}

/// The positions after this many plies up to symmetry, each with the number of sequences that lead to its class.
///
/// # Errors
/// When there are more than a book holds.
pub fn classes(rules: Rules, plies: usize) -> Result<Vec<Opening>, OpeningsError> {
    let mut classes = BTreeMap::from([(0, (Position::start(rules), Vec::new(), 1.0))]);
    classes.retain(|_, (position, ..)| position.outcome().is_none());
    for _ in 0..plies {
        // Classes stay in the order in which they are found.
        let mut places = HashMap::new();
        let mut longer: BTreeMap<usize, (Position, Vec<Cell>, f64)> = BTreeMap::new();
        for (position, moves, weight) in classes.values() {
            for cell in position.moves() {
                let after = position.after(cell);
                if after.outcome().is_none() {
                    let next = places.len();
                    let place = *places.entry(after.canonical()).or_insert(next);
                    let class = longer.entry(place).or_insert_with(|| (after, [&moves[..], &[cell]].concat(), 0.0));
                    class.2 += weight;
                }
            }
            if longer.len() > MAX_OPENINGS {
                return Err(OpeningsError::TooMany);
            }
        }
        classes = longer;
    }
    Ok(classes
        .into_values()
        .map(|(position, moves, weight)| Opening::after_moves(position, &moves, 0, weight))
        .collect())
}
