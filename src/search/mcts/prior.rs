//! Priors: which moves are expected to deserve how many visits, before any of them has been visited.

use crate::game::Position;
use crate::search::{Tally, Weights};

use super::lines::LineBoard;
use super::tree::Candidate;
use super::tuning::Tuning;

/// The moves of a position with their priors, the best one last.
pub fn candidates(
    position: &Position,
    board: &LineBoard,
    moves: &[u16],
    tally: &Tally,
    defence: &[u16],
    t: &Tuning,
) -> Vec<Candidate> {
    let playouts = tally.results().count().max(1) as f64;
    let reverse = position.rules().reverse();
    let (me, other) = (position.side() as usize, 1 - position.side() as usize);
    let mut flat: Vec<f64> =
        moves.iter().map(|&cell| tally.total(board.cell(cell), Weights::default()) / playouts).collect();
    let best = flat.iter().copied().fold(f64::MIN, f64::max);
    flat.iter_mut().for_each(|total| *total = exp((*total - best) / t.tau));
    let mut heavy: Vec<f64> = moves
        .iter()
        .map(|&cell| {
            let (mine, theirs) = (f64::from(board.weight(me, cell)), f64::from(board.weight(other, cell)));
            if reverse { 1.0 / (1.0 + mine + t.opp * theirs) } else { 1e-3 + mine + t.opp * theirs }
        })
        .collect();
    scale(&mut flat);
    scale(&mut heavy);
    let share = if reverse { t.rmix } else { t.mix };
    let mut candidates: Vec<Candidate> = moves
        .iter()
        .enumerate()
        .map(|(index, &cell)| {
            let mut prior = (1.0 - share) * flat[index] + share * heavy[index];
            if !defence.is_empty() && !defence.contains(&cell) && !board.threatens(me, cell) {
                prior *= 0.02;
            }
            Candidate { cell, prior: prior as f32 }
        })
        .collect();
    let sum: f32 = candidates.iter().map(|candidate| candidate.prior).sum();
    candidates.iter_mut().for_each(|candidate| candidate.prior /= sum);
    // A stable sort: of equal moves the first in reading order comes last, which is opened first.
    candidates.reverse();
    candidates.sort_by(|one, two| one.prior.total_cmp(&two.prior));
    candidates
}

fn scale(shares: &mut [f64]) {
    let sum: f64 = shares.iter().sum();
    shares.iter_mut().for_each(|share| *share /= sum);
}

/// The exponential function of a number that is not positive, near enough, out of operations that give the same result
/// on every machine.
fn exp(exponent: f64) -> f64 {
    let mut power = (1.0 + exponent.max(-512.0) / 1024.0).max(0.0);
    for _ in 0..10 {
        power *= power;
    }
    power
}
