//! Bit-sliced playouts: 512 random games at a time, one game in each bit lane.
//!
//! A cell is two planes of bits, with one bit for each game. A branch of a single game becomes a mask: every *try* draws
//! one or more cells for each game, and a game makes no move if all of them are taken. So the move is exactly uniform
//! among the empty cells. After some tries there is a *count*: ended games are counted, and new games start in their
//! lanes. Every game that has been started is finished.
//!
//! Lanes come in words of 64. Each word has its own random numbers and its own quota of games. So the result depends on
//! the seed, not on the number of words that the processor handles at once.
//! (Bit slicing: Biham, "A Fast New DES Implementation in Software", 1997.)
//!
//! | file | what it holds |
//! |---|---|
//! | `vector.rs` | words side by side, and the choice of their number |
//! | `game_states.rs` | what both kernels share: random bits, quotas, turns, counters |
//! | `kernel_3x3.rs` | the 3x3 board, with all planes in registers |
//! | `general_board.rs` | any other board: the cells and lines of a position |
//! | `general_kernel.rs` | the games on it, with the planes in memory |

mod game_states;
mod general_board;
mod general_kernel;
mod kernel_3x3;
mod vector;

use rand::Rng;

use crate::game::{Cell, Position};
use crate::search::{Generator, PlayoutResults, Tally};

pub use general_kernel::COMMON_LENGTHS;
pub use vector::VectorWidth;

use general_board::GeneralBoard;
use kernel_3x3::Board3x3;
use vector::WORDS;

/// A position prepared for bit-sliced playouts.
pub struct BitSlicedPlayouts {
    empties: Vec<Cell>,
    board: LaneBoard,
    completer_wins: bool,
}

/// The position, in the form that its kernel needs.
enum LaneBoard {
    ThreeByThree(Board3x3),
    General(GeneralBoard),
    /// No line can be completed, so every game is a draw.
    NoLine,
}

/// The counts of one batch of games. *First* is the side to move in the position, *second* its opponent.
struct LaneTotals {
    /// Games in which the first completed a line.
    completed_by_first: u64,
    /// Games in which the second completed a line.
    completed_by_second: u64,
    /// All games.
    games: u64,
    /// For each empty cell of the position, games completed by the first minus games completed by the second: among those
    /// with a stone of the first on the cell, and among those with a stone of the second.
    balances: Vec<[i64; 2]>,
}

/// The work of a kernel: the number of games, the seeds of their random numbers, and a callback that returns true while
/// more games may be started.
struct GameBatch<'a> {
    games: u64,
    seeds: [[u64; WORDS]; 4],
    may_start: &'a dyn Fn() -> bool,
    #[cfg(test)]
    boards: Option<&'a game_states::FinalBoardLog>,
}

impl BitSlicedPlayouts {
    /// The playouts of a position in which the game goes on.
    pub fn new(position: &Position) -> BitSlicedPlayouts {
        let rules = position.rules();
        let board = match rules.line_length() {
            Some(3) if rules.shape() == 3.into() => LaneBoard::ThreeByThree(Board3x3::new(position)),
            Some(length) => {
                let board = GeneralBoard::new(position, length.into());
                if board.has_lines() { LaneBoard::General(board) } else { LaneBoard::NoLine }
            }
            None => LaneBoard::NoLine,
        };
        let completer_wins = rules.completer_wins();
        BitSlicedPlayouts { empties: position.moves().collect(), board, completer_wins }
    }

    /// Plays `games` games, or fewer once `may_start` is false, and adds them to `tally`. All games that were started are
    /// finished. The squares that were filled before the playouts are not counted.
    pub fn play(
        &self,
        games: u64,
        generator: &mut Generator,
        width: VectorWidth,
        may_start: &dyn Fn() -> bool,
        tally: &mut Tally,
    ) {
        let seeds = [[0; WORDS]; 4].map(|row: [u64; WORDS]| row.map(|_| generator.next_u64()));
        let batch = GameBatch {
            games,
            seeds,
            may_start,
            #[cfg(test)]
            boards: None,
        };
        let totals = match &self.board {
            LaneBoard::ThreeByThree(board) => board.play(width, &batch),
            LaneBoard::General(board) => board.play(width, &batch),
            LaneBoard::NoLine => return tally.add_draws(games),
        };
        let decided = [totals.completed_by_first, totals.completed_by_second];
        let draws = totals.games - decided[0] - decided[1];
        let [wins, losses] = if self.completer_wins { decided } else { [decided[1], decided[0]] };
        let sign = if self.completer_wins { 1 } else { -1 };
        let credits = self.empties.iter().zip(&totals.balances);
        let credits = credits.map(|(&cell, [first, second])| (cell, sign * first, -sign * second));
        tally.add_many(PlayoutResults { wins, draws, losses }, credits);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::super::chi_square::{FinalBoard, assert_final_boards, chances_of_final_boards};
    use super::*;
    use crate::game::{Rules, Shape};
    use crate::search::{Stream, below, generator, oracle};

    fn start(shape: impl Into<Shape>, connect: u16, reverse: bool) -> Position {
        Position::start(Rules::new(shape, connect, reverse).unwrap())
    }

    fn after(position: Position, cells: &[(u8, u8)]) -> Position {
        cells.iter().fold(position, |position, &(row, column)| position.after(Cell::new(row, column)))
    }

    /// A position with seven empty cells. Lines are as long as the board. X lacks two stones of the first row and O two of the
    /// last one.
    fn almost_full(size: u8, reverse: bool) -> Position {
        let last = size - 1;
        let rows = (0..size - 2).flat_map(|column| [(0, column), (last, column)]);
        let between = (1..last).flat_map(|row| (0..size).map(move |column| (row, column)));
        let cells: Vec<(u8, u8)> = rows.chain(between).collect();
        after(start(size, 0, reverse), &cells[..cells.len() - 3])
    }

    /// The number of games with each final board.
    fn final_boards(position: &Position, games: u64, width: VectorWidth) -> HashMap<FinalBoard, f64> {
        let lanes = BitSlicedPlayouts::new(position);
        let boards = game_states::FinalBoardLog::default();
        let mut generator = generator(games, Stream::Go(1));
        let seeds = [[0; WORDS]; 4].map(|row: [u64; WORDS]| row.map(|_| generator.next_u64()));
        let batch = GameBatch { games, seeds, may_start: &|| true, boards: Some(&boards) };
        let cells: Vec<Cell> = match &lanes.board {
            LaneBoard::ThreeByThree(board) => {
                board.play(width, &batch);
                Cell::all(3).collect()
            }
            LaneBoard::General(board) => {
                board.play(width, &batch);
                position.moves().collect()
            }
            LaneBoard::NoLine => panic!("a line can be completed"),
        };
        let start = oracle::board_of(position);
        let of_player = [None, Some(start.side), Some(!start.side)];
        let mut found: HashMap<Vec<u8>, f64> = HashMap::new();
        boards.take().into_iter().for_each(|board| *found.entry(board).or_default() += 1.0);
        let mut totals = HashMap::new();
        for (board, games) in found {
            let mut stones = start.stones.clone();
            for (stone, cell) in board.into_iter().zip(&cells) {
                stones[cell.index(position.rules().shape())] = of_player[usize::from(stone)];
            }
            *totals.entry(stones).or_default() += games;
        }
        totals
    }

    #[test]
    fn final_boards_come_as_often_as_the_rules_say() {
        for position in [
            start(3, 0, false),
            start(3, 0, true),
            after(start(3, 0, false), &[(0, 0)]),
            after(start(3, 0, true), &[(1, 1), (0, 2)]),
            after(start(3, 0, false), &[(2, 2), (1, 1), (0, 1)]),
            after(start(3, 0, false), &[(0, 0), (1, 1), (2, 2), (0, 2)]),
            after(start(4, 3, false), &[(0, 0), (1, 1), (2, 3), (3, 3), (0, 2), (3, 0), (2, 1), (1, 2), (3, 2)]),
            after(start(4, 4, true), &[(0, 0), (1, 1), (2, 3), (3, 3), (0, 2), (3, 0), (2, 1), (1, 2)]),
            start(2, 2, true),
            start(3, 1, true),
            start(3, 2, false),
            after(start(3, 2, true), &[(0, 0), (1, 2)]),
            almost_full(7, false),
            almost_full(8, true),
            almost_full(15, true),
            almost_full(20, false),
            start((2, 3), 2, false),
            start((3, 2), 3, true),
            start((1, 7), 3, false),
            start((7, 1), 2, true),
            after(start((2, 4), 2, true), &[(0, 0), (1, 3)]),
            after(start((3, 4), 3, false), &[(0, 0), (1, 1), (2, 3), (0, 3)]),
            after(start((4, 3), 4, true), &[(0, 0), (1, 1), (3, 2), (3, 0)]),
        ] {
            let chances = chances_of_final_boards(&position);
            for width in [VectorWidth::Portable, VectorWidth::widest()] {
                let games = 200_000;
                assert_final_boards(&chances, &final_boards(&position, games, width), games as f64);
            }
        }
    }

    #[test]
    fn every_width_of_words_plays_the_same_games() {
        let mut generator = generator(3, Stream::Go(0));
        let squares = [
            (3, 3),
            (3, 0),
            (3, 2),
            (4, 1),
            (4, 3),
            (5, 4),
            (6, 6),
            (8, 5),
            (8, 8),
            (9, 7),
            (12, 10),
            (15, 5),
            (15, 14),
            (20, 9),
            (20, 20),
        ];
        let rectangles = [
            ((1, 20), 5),
            ((20, 1), 5),
            ((2, 13), 2),
            ((3, 4), 3),
            ((4, 9), 4),
            ((9, 4), 4),
            ((9, 4), 7),
            ((6, 7), 4),
            ((20, 19), 5),
            ((5, 20), 20),
        ];
        let squares = squares.map(|(size, connect)| (Shape::from(size), connect));
        for (shape, connect) in squares.into_iter().chain(rectangles.map(|(shape, connect)| (shape.into(), connect))) {
            for (plies, games) in [(0, [1, 513]), (1, [7, 511]), (2, [1, 2000]), (5, [511, 513]), (6, [7, 2000])] {
                let mut position = start(shape, connect, plies % 2 == 0);
                for _ in 0..plies {
                    let moves: Vec<Cell> = position.moves().collect();
                    let next = position.after(moves[below(&mut generator, moves.len() as u32) as usize]);
                    position = if next.outcome().is_none() { next } else { position };
                }
                let lanes = BitSlicedPlayouts::new(&position);
                for games in games {
                    let play = |width| {
                        let mut tally = Tally::new(shape);
                        let mut generator = super::super::generator_of_chunk(games, 0);
                        lanes.play(games, &mut generator, width, &|| true, &mut tally);
                        tally
                    };
                    let portable = play(VectorWidth::Portable);
                    assert_eq!(portable.results().count(), games);
                    for width in VectorWidth::ALL {
                        assert_eq!(portable, play(width), "{} {games} {width:?}", position.rules());
                    }
                }
            }
        }
    }

    #[test]
    fn games_that_were_started_are_finished_when_no_more_may_be() {
        for (size, connect) in [(3, 3), (4, 4), (8, 5)] {
            let lanes = BitSlicedPlayouts::new(&start(size, connect, false));
            let mut tally = Tally::new(size);
            lanes.play(u64::MAX, &mut generator(1, Stream::Go(1)), VectorWidth::widest(), &|| false, &mut tally);
            assert!((512..100_000).contains(&tally.results().count()), "{}", tally.results().count());
        }
    }
}
