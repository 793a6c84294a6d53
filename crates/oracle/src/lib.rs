//! Plain oracles: the game written anew, to hold the engine against in its tests and in the fuzzer.
//!
//! This crate has no dependency, so it cannot share a fault with the engine. It has several oracles, because an oracle can be
//! wrong too. They share nothing but [`Player`] and [`Value`], and the tests hold them against each other, against plain
//! minimax and against published counts.
//!
//! | file | oracle | boards |
//! |---|---|---|
//! | `board.rs` | [`Board`]: the rules, by loops over the cells | all |
//! | `end_game.rs` | [`EndGame`]: values of positions of a [`Board`], by alpha-beta with a memory | all, with up to 32 empty cells; some 14 are quick |
//! | `limited.rs` | [`wins_within`]: whether a player can force a win within some plies, by minimax | all; few plies are quick |
//! | `table.rs` | [`Table`]: the values of all positions, by retrograde analysis over sets of cells | up to 4x4 |
//!
//! `noughts-check` does not use this crate: it stays independent of everything.

mod board;
mod end_game;
mod limited;
mod table;

use std::ops::Not;

pub use board::{Board, Outcome};
pub use end_game::EndGame;
pub use limited::wins_within;
pub use table::{Stones, Table};

/// A player.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Player {
    /// Begins on the empty board.
    X,
    /// The opponent of X.
    O,
}

impl Player {
    /// Both players.
    pub const BOTH: [Player; 2] = [Player::X, Player::O];
}

impl Not for Player {
    type Output = Player;

    fn not(self) -> Player {
        match self {
            Player::X => Player::O,
            Player::O => Player::X,
        }
    }
}

/// The result of perfect play, seen by the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// It wins in this number of plies.
    Win(u16),
    /// Nobody wins.
    Draw,
    /// It loses in this number of plies.
    Loss(u16),
}
