//! `noughts count` and `noughts perft`: how large the searches of the textbooks are, and how large the game is.
//!
//! All counts are the same on every machine and every time; only the times of the searches differ.

mod perft;
mod tables;

use std::time::{Duration, Instant};

use noughts_core::game::{Position, Rules, Score};
use noughts_core::search::{Control, Textbook};

pub use perft::{MOST_CLASSES, Perft, Ply, perft};
pub use tables::{write_counts, write_perft};

/// The searches of the textbooks from the empty board.
#[derive(Clone, PartialEq, Debug)]
pub struct Counts {
    /// The game.
    pub rules: Rules,
    /// The most nodes that each search was given.
    pub limit: u64,
    /// The searches in the order of [`Textbook::ALL`].
    pub searches: Vec<Counted>,
}

/// One of the searches.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Counted {
    /// Which one.
    pub search: Textbook,
    /// The nodes that it visited: all that it needs, or the limit.
    pub nodes: u64,
    /// What it says of the empty board; `None` when it did not finish within the limit.
    pub score: Option<Score>,
    /// How long it took.
    pub time: Duration,
}

/// Runs every search of the textbooks from the empty board, each to its end or to `limit` nodes.
pub fn count(rules: Rules, limit: u64) -> Counts {
    let start = Position::start(rules);
    let counted = |search: Textbook| {
        let begun = Instant::now();
        let findings = search.search(&start, &Control::nodes_only(limit));
        Counted { search, nodes: findings.nodes, score: findings.score, time: begun.elapsed() }
    };
    Counts { rules, limit, searches: Textbook::ALL.map(counted).into() }
}
