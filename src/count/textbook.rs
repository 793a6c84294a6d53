//! Counts the nodes that the textbook searches visit from the empty board.

use std::time::{Duration, Instant};

use noughts_core::game::{Position, Rules, Score};
use noughts_core::search::{Control, Textbook};

/// The count of one search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TextbookCount {
    /// The search.
    pub search: Textbook,
    /// The nodes that it visited: all that it needs, or the limit.
    pub nodes: u64,
    /// The score that it found for the empty board; `None` when it did not finish within the limit.
    pub score: Option<Score>,
    /// The time that it took.
    pub time: Duration,
}

/// Runs every textbook search from the empty board, each to its end or to `limit` nodes, in the order of [`Textbook::ALL`]. A
/// search begins when its count is asked for.
pub fn count(rules: Rules, limit: u64) -> impl Iterator<Item = TextbookCount> {
    let start = Position::start(rules);
    Textbook::ALL.into_iter().map(move |search| {
        let begun = Instant::now();
        let found = search.search(&start, &Control::nodes_only(limit));
        TextbookCount { search, nodes: found.nodes, score: found.score, time: begun.elapsed() }
    })
}
