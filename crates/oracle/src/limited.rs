//! Wins within some plies on any board, by minimax to that depth.

use crate::{Board, Outcome, Player};

/// True if the player can force that the game ends in its favour within so many plies.
pub fn wins_within(board: &Board, player: Player, plies: usize) -> bool {
    match board.outcome() {
        Some(outcome) => outcome == Outcome::Win(player),
        None if plies == 0 => false,
        None => {
            let mut after = board.empties().into_iter().map(|cell| wins_within(&board.after(cell), player, plies - 1));
            if board.side == player { after.any(|wins| wins) } else { after.all(|wins| wins) }
        }
    }
}
