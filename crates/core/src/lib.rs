//! Tic-tac-toe on any square board, any number in a row, normal and reverse rules: rules, exact values, random games
//! and players.

// Tests compare with the system's functions, within a tolerance.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

pub mod game;
pub mod search;
