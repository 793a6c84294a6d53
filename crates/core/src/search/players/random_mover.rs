//! The random player: a move that is uniform over the empty squares, whatever the tie-break.

use crate::game::Score;

use crate::search::{Generator, SearchRequest, SearchResult, Variation, below};

/// A uniformly random move. Its score is an estimate of 0.
pub fn random_move(request: &SearchRequest, generator: &mut Generator) -> SearchResult {
    let mut moves: Vec<_> = request.moves().collect();
    let chosen = below(generator, moves.len() as u32) as usize;
    moves[..=chosen].rotate_right(1);
    let guess = Score::Estimate(0.0);
    let line = |cell| Variation { score: guess, principal_variation: vec![cell], total: None };
    let lines = moves.into_iter().take(request.lines).map(line).collect();
    SearchResult { score: guess, lines, depth: 1, nodes: 0, playouts: None, expected: None }
}
