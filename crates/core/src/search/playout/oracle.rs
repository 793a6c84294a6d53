//! A test oracle: the exact probabilities of final boards, from the rules alone. Every playout method is tested against it.

use std::collections::HashMap;

use crate::game::{Cell, Player, Position};

/// The owner of the stone on each cell, in reading order.
pub type FinalBoard = Vec<Option<Player>>;

/// The stones of a position.
pub fn stones(position: &Position) -> FinalBoard {
    Cell::all(position.rules().size()).map(|cell| position.occupant(cell)).collect()
}

/// The probability of every final board when all moves are uniformly random.
pub fn final_board_probabilities(position: Position) -> HashMap<FinalBoard, f64> {
    let mut level = HashMap::from([(position, 1.0)]);
    let mut expected = HashMap::new();
    while !level.is_empty() {
        let mut next = HashMap::new();
        for (position, chance) in level {
            if position.outcome().is_some() {
                expected.insert(stones(&position), chance);
                continue;
            }
            let moves = position.moves().count() as f64;
            position.moves().for_each(|cell| *next.entry(position.after(cell)).or_default() += chance / moves);
        }
        level = next;
    }
    expected
}

/// A chi-square test: compares counts of final boards in `games` games with their probabilities.
///
/// Boards that are expected less than five times count as one class.
///
/// # Panics
/// When a board has probability 0, or the statistic exceeds its mean by more than four standard deviations.
pub fn assert_matches(expected: &HashMap<FinalBoard, f64>, found: &HashMap<FinalBoard, f64>, games: f64) {
    assert!(found.keys().all(|board| expected.contains_key(board)), "a board came that cannot come");
    assert_eq!(found.values().sum::<f64>(), games, "games are missing");
    let (mut chi_square, mut classes, mut rare) = (0f64, 0f64, (0f64, 0f64));
    for (board, chance) in expected {
        let (expected, found) = (chance * games, found.get(board).copied().unwrap_or(0.0));
        if expected < 5.0 {
            rare = (rare.0 + expected, rare.1 + found);
        } else {
            chi_square += (found - expected).powi(2) / expected;
            classes += 1.0;
        }
    }
    if rare.0 > 0.0 {
        chi_square += (rare.1 - rare.0).powi(2) / rare.0;
        classes += 1.0;
    }
    let freedom = classes - 1.0;
    assert!(chi_square < freedom + 4.0 * (2.0 * freedom).sqrt(), "{chi_square} at {freedom}");
}
