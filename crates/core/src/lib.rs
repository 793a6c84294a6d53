//! Tic-tac-toe on any square board, any number in a row, normal and reverse rules: rules, exact values, random games
//! and players.

pub mod game;
pub mod search;
