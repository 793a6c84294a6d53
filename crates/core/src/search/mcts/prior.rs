//! Priors: the share of the visits that each move is expected to deserve, before any move has been visited.
//!
//! A prior mixes two estimates. Under normal rules it is the line estimate alone, under reverse rules each has a half.
//!
//! - The *flat* estimate is a softmax of the totals by which the flat Monte Carlo player chooses. These totals are
//!   all-moves-as-first statistics. (S. Gelly and D. Silver, "Monte-Carlo tree search and rapid action value estimation
//!   in computer Go", Artificial Intelligence 175, 2011.)
//! - The *line* estimate is the weight of the live lines of both players through the cell. Every stone makes a line a
//!   few times heavier, so moves that make or stop a threat come first. For five in a row, [`Patterns`] correct it.
//!
//! Under normal rules, on boards larger than 10x10, moves near the stones come before all others. A far move is never left
//! out: its turn comes later.

use crate::game::{MAX_SIZE, Player, Position};
use crate::search::{Tally, Weights};

use super::Tuning;
use super::patterns::Patterns;
use super::tree::Candidate;
use crate::search::line_board::LineBoard;

/// The moves of a position with their priors, the best one last.
pub fn candidates(
    position: &Position,
    board: &LineBoard,
    moves: &[u16],
    tally: &Tally,
    patterns: Option<&Patterns>,
    tuning: &Tuning,
) -> Vec<Candidate> {
    let (me, other) = (position.side() as usize, !position.side() as usize);
    let completer_wins = position.rules().completer_wins();
    let distance_factor = distance_factor(position, board, tuning);
    let pattern_factor = patterns.map(|patterns| patterns.factors(position));
    let lines = shares(moves, |cell| {
        let weight = f64::from(board.weight(me, cell)) + tuning.other_lines * f64::from(board.weight(other, cell));
        match &pattern_factor {
            // The table is fitted to moves near the stones.
            Some(factor) if distance_factor(cell) == 1.0 => fourth_power(weight) * factor(board.cell(cell)),
            Some(_) => fourth_power(weight),
            None if completer_wins => weight,
            // Under reverse rules the light cells are the safe ones.
            None => 1.0 / (1.0 + weight),
        }
    });
    let share = tuning.line_prior;
    let flat = if share < 1.0 { flat_shares(board, moves, tally, tuning) } else { vec![0.0; moves.len()] };
    let mixed: Vec<f64> = moves
        .iter()
        .zip(flat.iter().zip(&lines))
        .map(|(cell, (flat, lines))| ((1.0 - share) * flat + share * lines) * distance_factor(*cell))
        .collect();
    let sum: f64 = mixed.iter().sum();
    let candidate = |(&cell, prior): (&u16, &f64)| Candidate { cell, prior: (prior / sum) as f32 };
    // A stable sort from last to first: of equal moves, the first in `moves` comes last and is visited first.
    let mut candidates: Vec<Candidate> = moves.iter().zip(&mixed).rev().map(candidate).collect();
    candidates.sort_by(|one, two| one.prior.total_cmp(&two.prior));
    candidates
}

/// A factor of the table counts together with this power of the weight.
fn fourth_power(weight: f64) -> f64 {
    weight * weight * weight * weight
}

/// The flat estimate.
fn flat_shares(board: &LineBoard, moves: &[u16], tally: &Tally, tuning: &Tuning) -> Vec<f64> {
    let playouts = tally.results().count().max(1) as f64;
    let total = |cell: u16| tally.total(board.cell(cell), Weights::default()) / playouts;
    let highest = moves.iter().map(|&cell| total(cell)).fold(f64::MIN, f64::max);
    shares(moves, |cell| exponential((total(cell) - highest) / tuning.temperature))
}

/// Rows and columns between cells that are near each other.
const NEAR: usize = 2;

/// The longest side of a board on which no move is far once there is a stone: little is far there, and a factor made the
/// search no stronger (docs/experiments.md).
const LARGEST_WITHOUT_FAR: u8 = 10;

/// The least distance from the centre, in half cells, of a stone that is at the edge.
const EDGE: u8 = 9;

/// The factor for the prior of a move: 1 near a stone, less elsewhere. On the empty board, where all moves are worth nearly
/// the same and most of them are far, it is least.
fn distance_factor(position: &Position, board: &LineBoard, tuning: &Tuning) -> impl Fn(u16) -> f64 {
    let rules = position.rules();
    let far = match position.empty_cells() == rules.cells() {
        true => tuning.far * tuning.far,
        false if rules.shape().longer_side() <= LARGEST_WITHOUT_FAR => 1.0,
        false => tuning.far,
    };
    // Where nothing is far, no leaf needs to know what is near.
    let near = (far < 1.0).then(|| near_cells(position, board));
    move |number| {
        let cell = board.cell(number);
        let is_near = near.is_none_or(|near| near[usize::from(cell.row())] >> cell.column() & 1 == 1);
        if is_near { 1.0 } else { far }
    }
}

/// The cells within [`NEAR`] rows and columns of a stone, by row of the board: bit `c` stands for column `c`. While all
/// stones are at the edge, or there are none, the centre and the cells beside it are among them.
fn near_cells(position: &Position, board: &LineBoard) -> [u32; MAX_SIZE as usize] {
    let mut rows = [0; MAX_SIZE as usize];
    let stones = *position.stones(Player::X) | *position.stones(Player::O);
    if stones.iter().all(|stone| board.distance_to_centre(board.number(stone)) >= EDGE) {
        // Half cells: the centre of an even board is a corner of four cells.
        let centre = board.empty_cells().filter(|&cell| board.distance_to_centre(cell) <= 3);
        centre.map(|cell| board.cell(cell)).for_each(|cell| rows[usize::from(cell.row())] |= 1 << cell.column());
    }
    for stone in stones.iter() {
        let row = usize::from(stone.row());
        let columns = (((1 << (2 * NEAR + 1)) - 1) << stone.column()) >> NEAR;
        let last = (row + NEAR).min(rows.len() - 1);
        rows[row.saturating_sub(NEAR)..=last].iter_mut().for_each(|near| *near |= columns);
    }
    rows
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
    use crate::search::{Control, MonteCarlo, Stream, generator};

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
        let tally = MonteCarlo::default().sample(
            &position,
            &mut generator(1, Stream::Go(1)),
            &Control::playouts_only(100),
            &mut |_| {},
        );
        let candidates =
            candidates(&position, &board, &moves, &tally, Patterns::new(position.rules()).as_ref(), &Tuning::NORMAL);
        let sum: f32 = candidates.iter().map(|candidate| candidate.prior).sum();
        assert!((sum - 1.0).abs() < 1e-3 && candidates.len() == moves.len());
        let mut best: Vec<Cell> =
            candidates[moves.len() - 2..].iter().map(|candidate| board.cell(candidate.cell)).collect();
        best.sort_unstable();
        assert_eq!(best, [Cell::new(4, 2), Cell::new(4, 6)]);
    }
}
