//! `noughts count` and `noughts perft`: the sizes of the textbook searches, and the size of the game.
//!
//! All counts are the same on every machine and in every run; only the times of the searches differ.
//!
//! | file | what it holds |
//! |---|---|
//! | `perft.rs` | sequences and positions of the first plies |
//! | `tables.rs` | nodes of the textbook searches; both in every format |

mod perft;
mod tables;

pub use perft::{MOST_CLASSES, Perft, PlyCounts, perft};
pub use tables::{TextbookCount, count, write_counts, write_perft};
