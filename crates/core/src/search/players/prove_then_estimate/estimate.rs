//! Results for positions that are not settled: estimates within what is proven.

use crate::game::{Bounds, Score};
use crate::search::mcts::{MoveStats, RootStats};
use crate::search::players::monte_carlo::PlayoutSample;
use crate::search::proof::RootBounds;
use crate::search::{MonteCarlo, SearchRequest, SearchResult, Variation};

/// The estimate of the moves that no proof decides.
pub enum Guess {
    /// Playouts from the position.
    Playouts(PlayoutSample),
    /// A tree search.
    Tree(RootStats),
}

/// The result on an open position so far, by a guess if there is one. `choose` as in [`MonteCarlo::result`].
pub fn by_guess(
    monte_carlo: &MonteCarlo,
    request: &SearchRequest,
    known: &RootBounds,
    guess: Option<&Guess>,
    choose: &mut dyn FnMut(usize) -> usize,
) -> SearchResult {
    match guess {
        Some(Guess::Tree(stats)) => {
            let mut stats = stats.clone();
            stats.tighten(known);
            by_tree(request, known, &stats, choose(stats.ties))
        }
        Some(Guess::Playouts(sample)) => monte_carlo.result(request, known, Some(sample), choose),
        None => monte_carlo.result(request, known, None, choose),
    }
}

/// The result on an open position by the statistics of a tree, within what is proven. The move at index `chosen` is played.
pub fn by_tree(request: &SearchRequest, known: &RootBounds, root_stats: &RootStats, chosen: usize) -> SearchResult {
    let mut moves: Vec<&MoveStats> = root_stats.moves.iter().collect();
    moves[..=chosen].rotate_right(1);
    let line = |(index, stats): (usize, &MoveStats)| {
        // No move is worth more than the position. The score of the move to play is exact only if it is the proven value.
        let bounds = Bounds { at_most: stats.bounds.at_most.min(known.value.at_most), ..stats.bounds };
        let is_proven = |score: &Score| index > 0 || known.value.exact().map(Score::Exact) == Some(*score);
        let estimate = Score::Estimate(bounds.limit(stats.mean));
        let score = Score::proven_by(bounds).filter(is_proven).unwrap_or(estimate);
        Variation { score, principal_variation: stats.variation.clone(), total: None }
    };
    let lines: Vec<Variation> = moves.into_iter().take(request.lines).enumerate().map(line).collect();
    let score = match lines[0].score {
        Score::Estimate(result) => Score::Estimate(known.announced().limit(result)),
        exact => exact,
    };
    let nodes = known.nodes + root_stats.evaluations.count();
    let depth = known.depth.max(root_stats.depth);
    SearchResult { playouts: Some(root_stats.evaluations.results), ..SearchResult::new(score, lines, depth, nodes) }
}
