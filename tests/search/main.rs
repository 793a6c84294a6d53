//! Rules, values and searches: every clever search against a plain one, and every claim against the rules.

#[path = "../common/mod.rs"]
mod common;

mod exact_monte_carlo;
mod exact_values;
mod hard_positions;
mod known_values;
mod law_of_playouts;
mod laws_of_the_game;
mod levels;
mod mcts;
mod monte_carlo;
mod perfect_play;
mod proven_moves;
mod rectangles;
mod solver_laws;
mod solver_reasons;
mod textbook;
mod threats;
mod trap;
mod two_plies;
