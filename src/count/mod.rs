//! `noughts count` and `noughts perft`: the sizes of the textbook searches, and the size of the game.
//!
//! All counts are the same on every machine and in every run; only the times of the searches differ.
//!
//! | file | what it holds |
//! |---|---|
//! | `textbook.rs` | nodes of the textbook searches |
//! | `perft.rs` | sequences and positions of the first plies |
//! | `tables.rs` | both in every format |

mod perft;
mod tables;
mod textbook;

pub use perft::{MOST_CLASSES, Perft, PlyCounts, perft};
pub use tables::{write_counts, write_perft};
pub use textbook::{TextbookCount, count};
