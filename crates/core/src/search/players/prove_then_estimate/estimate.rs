//! Results for positions that are not settled: estimates within what is proven.

use crate::game::{Bounds, Cell, Score};
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

/// The result on an open position so far, by a guess if there is one. `choose` as in [`by_playouts`].
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
        Some(Guess::Playouts(sample)) => by_playouts(monte_carlo, request, known, Some(sample), choose),
        None => by_playouts(monte_carlo, request, known, None, choose),
    }
}

/// The result on an open position by playouts, within what is proven; without a sample, by the proof alone.
///
/// The moves that no proof excludes are the candidates. `choose` gets the number of those with the highest total, and says
/// which of them is played. It is no type parameter, so that the compiler makes this function once and not for each caller.
pub fn by_playouts(
    monte_carlo: &MonteCarlo,
    request: &SearchRequest,
    known: &RootBounds,
    sample: Option<&PlayoutSample>,
    choose: &mut dyn FnMut(usize) -> usize,
) -> SearchResult {
    let tally = sample.map(|sample| &sample.tally);
    let compare =
        |a: Cell, b: Cell| tally.map_or(std::cmp::Ordering::Equal, |tally| tally.compare(b, a, monte_carlo.weights));
    let best = known.moves.iter().map(|(_, bounds)| bounds.preference()).max();
    // A proven draw is kept by any move that keeps it.
    let is_candidate = |bounds: &Bounds| Some(bounds.preference()) == best && known.allows(*bounds);
    let (mut candidates, mut others): (Vec<_>, Vec<_>) =
        known.moves.iter().partition::<Vec<(Cell, Bounds)>, _>(|(_, bounds)| is_candidate(bounds));
    // Stable sorts: equal moves stay in reading order.
    candidates.sort_by(|(a, _), (b, _)| compare(*a, *b));
    let rank = |bounds: &Bounds| (bounds.preference(), bounds.at_most, bounds.at_least);
    others.sort_by(|(a, one), (b, two)| rank(two).cmp(&rank(one)).then_with(|| compare(*a, *b)));
    let ties = candidates.iter().take_while(|(cell, _)| compare(*cell, candidates[0].0).is_eq()).count();
    candidates[..=choose(ties)].rotate_right(1);

    let results = tally.map(|tally| tally.results());
    let estimate = |cell: Cell, bounds: Bounds| {
        Score::Estimate(sample.map_or(middle(bounds), |sample| bounds.limit(sample.mean(cell))))
    };
    let score = estimate(candidates[0].0, known.announced());
    let line = |(index, (cell, bounds)): (usize, (Cell, Bounds))| {
        let total = tally.map(|tally| tally.total(cell, monte_carlo.weights));
        let score = if index == 0 { score } else { Score::proven_by(bounds).unwrap_or(estimate(cell, bounds)) };
        Variation { score, principal_variation: vec![cell], total }
    };
    let lines = candidates.into_iter().chain(others).take(request.lines).enumerate().map(line).collect();
    let playouts = results.map_or(0, |results| results.count());
    SearchResult { playouts: results, ..SearchResult::new(score, lines, known.depth, known.nodes + playouts) }
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
    let nodes = known.nodes + root_stats.results.count();
    let depth = known.depth.max(root_stats.depth);
    SearchResult { playouts: Some(root_stats.results), ..SearchResult::new(score, lines, depth, nodes) }
}

/// The expected result half-way between the bounds: the estimate for a move without playouts.
pub fn middle(bounds: Bounds) -> f64 {
    f64::from(bounds.at_least.result() + bounds.at_most.result()) / 2.0
}
