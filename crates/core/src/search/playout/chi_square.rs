//! Final boards of playouts, held against their exact probabilities by the rules of the oracle. Both methods are tested so.

use std::collections::HashMap;

use noughts_oracle::Player;

use crate::game::Position;
use crate::search::oracle;

/// The owner of the stone on each cell, in reading order.
pub type FinalBoard = Vec<Option<Player>>;

/// The probability of each board with which a game from a position ends.
pub fn chances_of_final_boards(position: &Position) -> HashMap<FinalBoard, f64> {
    oracle::board_of(position).final_boards().into_iter().map(|(board, chance)| (board.stones, chance)).collect()
}

/// A chi-square test: compares counts of final boards in `games` games with their probabilities.
///
/// Boards that are expected less than five times count as one class.
///
/// # Panics
/// When a board has probability 0, or the statistic exceeds its mean by more than four standard deviations.
pub fn assert_final_boards(chances: &HashMap<FinalBoard, f64>, found: &HashMap<FinalBoard, f64>, games: f64) {
    assert!(found.keys().all(|board| chances.contains_key(board)), "a board came that cannot come");
    assert_eq!(found.values().sum::<f64>(), games, "games are missing");
    let (mut chi_square, mut classes, mut rare) = (0f64, 0f64, (0f64, 0f64));
    for (board, chance) in chances {
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
