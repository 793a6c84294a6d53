//! Priors: the share of the visits that each move is expected to deserve, before any move has been visited.
//!
//! A prior mixes two estimates. Under normal rules it is the line estimate alone, under reverse rules each has a half.
//!
//! - The *flat* estimate is a softmax of the totals by which the flat Monte Carlo player chooses. These totals are
//!   all-moves-as-first statistics. (S. Gelly and D. Silver, "Monte-Carlo tree search and rapid action value estimation
//!   in computer Go", Artificial Intelligence 175, 2011.)
//! - The *line* estimate is the weight of the live lines of both players through the cell. Every stone makes a line a
//!   few times heavier, so moves that make or stop a threat come first.
//!
//! For five in a row under normal rules, the cells near the stones get nearly all of their priors from the network
//! ([`Assessment`]), and the line estimate has the rest.
//!
//! Under normal rules, on boards larger than 10x10, moves near the stones come before all others. The turn of a far move comes
//! later.

use crate::game::{MAX_SIZE, Position};
use crate::search::{Tally, Weights};

use super::Tuning;
use super::near::near_cells;
use super::network::Assessment;
use super::tree::Candidate;
use crate::search::line_board::LineBoard;

/// What is estimated about a position.
pub struct Estimate {
    /// The value for the side to move, from -1 to 1.
    pub value: f64,
    /// The playouts; `None` if there were none.
    pub tally: Option<Tally>,
    /// What the network says, where it fits.
    pub assessment: Option<Assessment>,
}

/// The moves of a position with their priors, the best one last.
pub fn candidates(
    position: &Position,
    board: &LineBoard,
    moves: &[u16],
    estimate: &Estimate,
    tuning: &Tuning,
) -> Vec<Candidate> {
    let (me, other) = (position.side() as usize, !position.side() as usize);
    let completer_wins = position.rules().completer_wins();
    let distance_factor = distance_factor(position, board, estimate.assessment.as_ref(), tuning);
    let lines = shares(moves, |cell| {
        let weight = f64::from(board.weight(me, cell)) + tuning.other_lines * f64::from(board.weight(other, cell));
        // Under reverse rules the light cells are the safe ones.
        if completer_wins { weight } else { 1.0 / (1.0 + weight) }
    });
    let share = tuning.line_prior;
    let flat = match &estimate.tally {
        Some(tally) if share < 1.0 => flat_shares(board, moves, tally, tuning),
        _ => vec![0.0; moves.len()],
    };
    let mut mixed: Vec<f64> = moves
        .iter()
        .zip(flat.iter().zip(&lines))
        .map(|(cell, (flat, lines))| ((1.0 - share) * flat + share * lines) * distance_factor(*cell))
        .collect();
    if let Some(assessment) = &estimate.assessment {
        mix_with_network(moves, &mut mixed, assessment, tuning);
    }
    let sum: f64 = mixed.iter().sum();
    // One number holds all by which moves are compared: the bits of a prior, which is not negative, and below them the place
    // from the last move on. So of equal moves, the first in `moves` comes last and is visited first.
    let rank = |(place, prior): (u32, &f64)| u64::from(((prior / sum) as f32).to_bits()) << 32 | u64::from(place);
    let mut ranks: Vec<u64> = (0..).zip(mixed.iter().rev()).map(rank).collect();
    ranks.sort_unstable();
    let candidate = |rank: u64| {
        let (prior, place) = (f32::from_bits((rank >> 32) as u32), rank as u32 as usize);
        Candidate { cell: moves[moves.len() - 1 - place], prior }
    };
    ranks.into_iter().map(candidate).collect()
}

/// Changes the priors to a mixture with those of the network, which lists only cells near the stones.
fn mix_with_network(moves: &[u16], priors: &mut [f64], assessment: &Assessment, tuning: &Tuning) {
    let exponents = || moves.iter().map(|&cell| assessment.exponents[usize::from(cell)]);
    let highest = exponents().flatten().fold(f32::MIN, f32::max);
    let weight = |exponent: f32| libm::exp(f64::from(exponent - highest));
    let weights: Vec<f64> = exponents().map(|exponent| exponent.map_or(0.0, weight)).collect();
    let (sum, of_lines): (f64, f64) = (weights.iter().sum(), priors.iter().sum());
    if sum > 0.0 {
        let share = tuning.network_prior;
        let mixed =
            |(prior, weight): (&mut f64, f64)| *prior = share * weight / sum + (1.0 - share) * *prior / of_lines;
        priors.iter_mut().zip(weights).for_each(mixed);
    }
}

/// The flat estimate.
fn flat_shares(board: &LineBoard, moves: &[u16], tally: &Tally, tuning: &Tuning) -> Vec<f64> {
    let playouts = tally.results().count().max(1) as f64;
    let total = |cell: u16| tally.total(board.cell(cell), Weights::default()) / playouts;
    let highest = moves.iter().map(|&cell| total(cell)).fold(f64::MIN, f64::max);
    shares(moves, |cell| exponential((total(cell) - highest) / tuning.temperature))
}

/// The longest side of a board on which no move is far once there is a stone: little is far there, and a factor made the
/// search no stronger (docs/experiments.md).
const LARGEST_WITHOUT_FAR: u8 = 10;

/// The factor for the prior of a move: 1 near a stone, less elsewhere. On the empty board, where all moves are worth nearly
/// the same and most of them are far, it is least.
fn distance_factor<'a>(
    position: &Position,
    board: &'a LineBoard,
    assessment: Option<&'a Assessment>,
    tuning: &Tuning,
) -> impl Fn(u16) -> f64 + use<'a> {
    let rules = position.rules();
    let far = match position.empty_cells() == rules.cells() {
        true => tuning.far * tuning.far,
        false if rules.shape().longer_side() <= LARGEST_WITHOUT_FAR => 1.0,
        false => tuning.far,
    };
    // Where nothing is far, no leaf needs to know what is near. An assessment has an exponent for each near cell.
    let near = (far < 1.0 && assessment.is_none()).then(|| near_cells(position, board));
    move |number| {
        let is_listed = |near: [u32; MAX_SIZE as usize]| {
            let cell = board.cell(number);
            near[usize::from(cell.row())] >> cell.column() & 1 == 1
        };
        let is_near = match assessment {
            Some(assessment) => assessment.exponents[usize::from(number)].is_some(),
            None => near.is_none_or(is_listed),
        };
        if is_near { 1.0 } else { far }
    }
}

/// Weights of the moves, made to add up to 1.
fn shares(moves: &[u16], weight: impl Fn(u16) -> f64) -> Vec<f64> {
    let weights: Vec<f64> = moves.iter().map(|&cell| f64::MIN_POSITIVE + weight(cell)).collect();
    let sum: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / sum).collect()
}

/// An approximation of `exp` for numbers up to 0: `(1 + x / 1024) ^ 1024`, within 0.01. It needs no call of a library.
fn exponential(exponent: f64) -> f64 {
    let base = (1.0 + exponent / 1024.0).max(0.0);
    (0..10).fold(base, |power, _| power * power)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Cell, Rules};
    use crate::search::mcts::network::Network;

    #[test]
    fn the_exponential_is_near_enough() {
        for exponent in [0.0, -0.1, -1.0, -3.0, -20.0, -5000.0f64] {
            assert!((exponential(exponent) - exponent.exp()).abs() < 0.01, "{exponent}");
        }
    }

    #[test]
    fn priors_add_up_to_one_and_a_threat_is_met_first() {
        let mut position = Position::start(Rules::new(9, 5, false).unwrap());
        for (row, column) in [(4, 3), (0, 0), (4, 4), (0, 8), (4, 5)] {
            position = position.after(Cell::new(row, column));
        }
        let mut board = LineBoard::new(position.rules());
        board.set_up(&position);
        let moves: Vec<u16> = board.empty_cells().collect();
        let network = Network::new(position.rules()).expect("five in a row");
        for assessment in [None, Some(network.assess(&position, &board))] {
            let estimate = Estimate { value: 0.0, tally: None, assessment };
            let candidates = candidates(&position, &board, &moves, &estimate, &Tuning::NORMAL);
            let sum: f32 = candidates.iter().map(|candidate| candidate.prior).sum();
            assert!((sum - 1.0).abs() < 1e-3 && candidates.len() == moves.len());
            let mut best: Vec<Cell> =
                candidates[moves.len() - 2..].iter().map(|candidate| board.cell(candidate.cell)).collect();
            best.sort_unstable();
            assert_eq!(best, [Cell::new(4, 2), Cell::new(4, 6)]);
        }
    }
}
