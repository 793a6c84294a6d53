//! Playouts one by one, for people who watch them.

use crate::game::{Cell, Position};
use crate::search::{Control, Generator};

use super::{PlayoutBoard, Tally};

/// Plays games from a position until `control` ends it, and counts them. Hands each game to `take`: its result for the side
/// to move in the position, from -1 to 1, and its moves.
///
/// Every move is uniformly random, the first one too. So each move begins as many of the games as any other, in expectation.
/// The distribution of the counts is that of [`Playouts`](super::Playouts).
pub fn trace_playouts(
    position: &Position,
    generator: &mut Generator,
    control: &Control,
    take: &mut dyn FnMut(i8, &[Cell]),
) -> Tally {
    let mut tally = Tally::new(position.rules().size());
    let mut board = PlayoutBoard::new(position);
    let mut moves = Vec::new();
    let mut left = control.playouts().unwrap_or(u64::MAX);
    while left > 0 && control.check().is_ok() {
        let end = board.play_out(generator);
        board.count(end, &mut tally);
        moves.clear();
        moves.extend(board.played(end.plies(position.empty_cells())));
        take(board.result(end), &moves);
        left -= 1;
    }
    tally.add_stones_of(position);
    tally
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;
    use crate::search::{ExactPlayouts, Stream, Weights, generator};

    #[test]
    fn each_playout_is_a_legal_game_and_the_totals_are_their_sum() {
        for (size, connect) in [(1, 0), (2, 0), (3, 0), (3, 2), (4, 3), (7, 9), (20, 5)] {
            for reverse in [false, true] {
                let mut position = Position::start(Rules::new(size, connect, reverse).unwrap());
                for cell in [Cell::new(size / 2, 0), Cell::new(0, size - 1)].into_iter().take(usize::from(size) / 2) {
                    position = position.after(cell);
                }
                let mut sum = Tally::new(size);
                let mut take = |result: i8, moves: &[Cell]| {
                    let end = moves.iter().fold(position, |position, &cell| {
                        assert!(position.outcome().is_none() && position.moves().any(|legal| legal == cell));
                        position.after(cell)
                    });
                    let value = end.final_value().expect("the game is over").result();
                    assert_eq!(result, if moves.len().is_multiple_of(2) { value } else { -value });
                    sum.add(&end, position.side());
                };
                let mut numbers = generator(5, Stream::Trace(1));
                let tally = trace_playouts(&position, &mut numbers, &Control::playouts_only(200), &mut take);
                assert_eq!(tally.results().count(), 200);
                let weights = Weights { current: 2.0, other: 0.5 };
                for cell in Cell::all(size) {
                    assert_eq!(tally.total(cell, weights), sum.total(cell, weights));
                }
                assert_eq!(tally, sum);
            }
        }
    }

    #[test]
    fn totals_come_near_their_expectation() {
        let position = Position::start(Rules::default()).after(Cell::new(0, 0));
        let exact = ExactPlayouts::of(&position).expect("a small board");
        let control = Control::playouts_only(100_000);
        let tally = trace_playouts(&position, &mut generator(5, Stream::Trace(2)), &control, &mut |_, _| {});
        for cell in position.moves() {
            let weights = Weights::default();
            assert!((tally.mean_total(cell, weights) - exact.total(cell, weights)).abs() < 0.02, "{cell}");
        }
    }
}
