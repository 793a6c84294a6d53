//! How many nodes the textbook searches visit from the empty board.

use std::time::{Duration, Instant};

use noughts_core::game::{Position, Rules, Score};
use noughts_core::search::{Control, Textbook};

/// The counts of all textbook searches from the empty board.
#[derive(Clone, PartialEq, Debug)]
pub struct TextbookCounts {
    /// The game.
    pub rules: Rules,
    /// The most nodes that each search may visit.
    pub limit: u64,
    /// The searches in the order of [`Textbook::ALL`].
    pub searches: Vec<TextbookCount>,
}

/// The count of one search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TextbookCount {
    /// The search.
    pub search: Textbook,
    /// The nodes that it visited: all that it needs, or the limit.
    pub nodes: u64,
    /// The score that it found for the empty board; `None` when it did not finish within the limit.
    pub score: Option<Score>,
    /// How long it took.
    pub time: Duration,
}

/// Runs every textbook search from the empty board, each to its end or to `limit` nodes.
pub fn count(rules: Rules, limit: u64) -> TextbookCounts {
    let start = Position::start(rules);
    let counted = |search: Textbook| {
        let begun = Instant::now();
        let found = search.search(&start, &Control::nodes_only(limit));
        TextbookCount { search, nodes: found.nodes, score: found.score, time: begun.elapsed() }
    };
    TextbookCounts { rules, limit, searches: Textbook::ALL.map(counted).into() }
}
