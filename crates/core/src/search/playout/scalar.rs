//! Scalar playouts: random games, one at a time, on bit boards.
//!
//! A playout board keeps the stones of a player four times: as rows, columns, falling and rising diagonals. Each of them is
//! a word. A stone is one bit in each of four words. It completes a line if one of these words then has a run of bits that
//! is long enough. That costs the same few instructions on every board and for every number in a row.

use rand::{Rng, SeedableRng};

use crate::game::{Cell, MAX_SIZE, Position, Shape};

use crate::search::{Control, Generator, Tally, below, mix};

/// Rows, columns, and the diagonals of both slopes of the largest board: 20 + 20 + 39 + 39.
const WORDS: usize = 6 * MAX_SIZE as usize - 2;

/// The most shifts of a [`RunFinder`]: a run of 20 is found by 1, 2, 4, 8 and 4.
const SHIFTS: usize = 5;

/// Cells that are filled between two calls of `may_start`: some ten microseconds of work.
const CELLS_BETWEEN_CHECKS: u64 = 2048;

/// The stones of one player, by line. On a 3x3 board, for the cell at `row` and `column`:
///
/// ```text
/// words  0..3   rows               word = row                    bit = column
/// words  3..6   columns            word = 3 + column             bit = row
/// words  6..11  falling diagonals  word = 6 + row - column + 2   bit = column
/// words 11..16  rising diagonals   word = 11 + row + column      bit = column
/// ```
type Words = [u32; WORDS];

/// The bits of a cell: one in each of four words.
#[derive(Clone, Copy, Debug)]
struct CellBits {
    cell: Cell,
    words: [u8; 4],
    bits: [u32; 4],
}

impl CellBits {
    fn new(cell: Cell, Shape { rows, columns }: Shape) -> CellBits {
        let (row, column) = (cell.row(), cell.column());
        let (both, diagonals) = (rows + columns, rows + columns - 1);
        let words = [row, rows + column, both + (row + columns - 1 - column), both + diagonals + (row + column)];
        CellBits { cell, words, bits: [1 << column, 1 << row, 1 << column, 1 << column] }
    }
}

/// A position prepared for scalar playouts.
pub struct PlayoutBoard {
    /// The bits of every cell of the board, in reading order.
    cells: Vec<CellBits>,
    /// The stones of the side to move and of its opponent, before any playout.
    start: [Words; 2],
    /// The stones of both players during a playout.
    stones: [Words; 2],
    /// Words in use on this board.
    words: usize,
    /// The empty cells. After a playout, the cells that it has played come first, in the order of the moves.
    empties: Vec<CellBits>,
    run: Option<RunFinder>,
    completer_wins: bool,
}

/// The end of a playout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlayoutEnd {
    /// The last ply completed a line.
    Line {
        /// Plies played.
        plies: usize,
    },
    /// The board is full without a line.
    Full,
}

impl PlayoutEnd {
    /// The plies of a playout from a position with so many empty cells.
    pub fn plies(self, empty_cells: usize) -> usize {
        match self {
            PlayoutEnd::Line { plies } => plies,
            PlayoutEnd::Full => empty_cells,
        }
    }
}

impl PlayoutBoard {
    /// The board of a position in which the game goes on.
    pub fn new(position: &Position) -> PlayoutBoard {
        let rules = position.rules();
        let shape = rules.shape();
        let mut board = PlayoutBoard {
            cells: Cell::all(shape).map(|cell| CellBits::new(cell, shape)).collect(),
            start: [[0; WORDS]; 2],
            stones: [[0; WORDS]; 2],
            words: 3 * usize::from(shape.rows + shape.columns) - 2,
            empties: Vec::with_capacity(rules.cells()),
            run: rules.line_length().map(RunFinder::new),
            completer_wins: rules.completer_wins(),
        };
        board.set_up(position);
        board
    }

    /// Changes the position to another one of the same rules. The board is then as a new one.
    pub fn set_up(&mut self, position: &Position) {
        let shape = position.rules().shape();
        let bits = |cell: Cell| &self.cells[cell.index(shape)];
        self.start = [[0; WORDS]; 2];
        for (stones, player) in self.start.iter_mut().zip([position.side(), !position.side()]) {
            position.stones(player).iter().for_each(|cell| put(stones, bits(cell)));
        }
        self.empties.clear();
        self.empties.extend(position.moves().map(bits));
    }

    /// Plays a few games from a position, as [`Playouts::play`](super::Playouts::play) does on one thread: a bound that is
    /// reached leaves one game.
    pub fn play_few(&mut self, position: &Position, games: u64, generator: &mut Generator, control: &Control) -> Tally {
        self.set_up(position);
        let mut tally = Tally::new(position.rules().shape());
        if control.check().is_err() {
            self.play_into(&mut tally, generator);
        } else {
            let mut generator = generator_of_chunk(generator.next_u64(), 0);
            self.play(games, &mut generator, &|| control.check().is_ok(), &mut tally);
        }
        tally.add_stones_of(position);
        tally
    }

    /// Plays `games` games, or fewer once `may_start` is false, but at least one, and adds them to `tally`. The squares that
    /// were filled before the playouts are not counted.
    pub fn play(&mut self, games: u64, generator: &mut Generator, may_start: &dyn Fn() -> bool, tally: &mut Tally) {
        let batch = (CELLS_BETWEEN_CHECKS / self.empties.len() as u64).max(1);
        let mut played = 0;
        while played < games && (played == 0 || may_start()) {
            let batch = batch.min(games - played);
            (0..batch).for_each(|_| self.play_into(tally, generator));
            played += batch;
        }
    }

    /// Plays one game and adds it to `tally` in the same way.
    pub fn play_into(&mut self, tally: &mut Tally, generator: &mut Generator) {
        let end = self.play_out(generator);
        self.count(end, tally);
    }

    /// Adds the last playout, which has ended so, to `tally` in the same way.
    pub fn count(&self, end: PlayoutEnd, tally: &mut Tally) {
        let PlayoutEnd::Line { plies } = end else {
            return tally.add_draws(1);
        };
        let won = self.result(end) > 0;
        tally.add_decided(won, self.played(plies).step_by(2), self.played(plies).skip(1).step_by(2));
    }

    /// The result of a playout for the side to move before it: 1, 0 or -1.
    pub fn result(&self, end: PlayoutEnd) -> i8 {
        match end {
            PlayoutEnd::Full => 0,
            // The side to move plays the odd plies, so it completed the line after an odd number of them.
            PlayoutEnd::Line { plies } if (plies % 2 == 1) == self.completer_wins => 1,
            PlayoutEnd::Line { .. } => -1,
        }
    }

    /// Plays uniformly random moves until the game ends.
    pub fn play_out(&mut self, generator: &mut Generator) -> PlayoutEnd {
        for (stones, start) in self.stones.iter_mut().zip(&self.start) {
            stones[..self.words].copy_from_slice(&start[..self.words]);
        }
        let cells = self.empties.len();
        for ply in 0..cells {
            // A step of the Fisher-Yates shuffle. It may start from any order, so that of the last playout will do.
            let drawn = ply + below(generator, (cells - ply) as u32) as usize;
            self.empties.swap(ply, drawn);
            let bits = &self.empties[ply];
            let stones = &mut self.stones[ply % 2];
            put(stones, bits);
            if let Some(run) = &self.run
                && bits.words.iter().any(|&word| run.is_in(stones[usize::from(word)]))
            {
                return PlayoutEnd::Line { plies: ply + 1 };
            }
        }
        PlayoutEnd::Full
    }

    /// The cells of the first `plies` plies of the last playout, in order. The side to move played the first.
    pub fn played(&self, plies: usize) -> impl Iterator<Item = Cell> {
        self.empties[..plies].iter().map(|bits| bits.cell)
    }
}

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
    let mut tally = Tally::new(position.rules().shape());
    let mut board = PlayoutBoard::new(position);
    let mut moves = Vec::new();
    let mut left = control.playouts.unwrap_or(u64::MAX);
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

/// The random numbers of a chunk of playouts, given the seed of all.
pub fn generator_of_chunk(seed: u64, number: u64) -> Generator {
    Generator::seed_from_u64(mix(seed.wrapping_add(number)))
}

fn put(stones: &mut Words, bits: &CellBits) {
    for (&word, &bit) in bits.words.iter().zip(&bits.bits) {
        stones[usize::from(word)] |= bit;
    }
}

/// Finds runs of a given length in a word.
///
/// `w & w >> 1` marks the ends of runs of two. The same with `>> 2` on that result marks runs of four, and so on. The last
/// shift is as short as it must be: a run of 7 is found by 1, 2, 3.
struct RunFinder {
    shifts: [u8; SHIFTS],
    steps: usize,
}

impl RunFinder {
    fn new(length: u8) -> RunFinder {
        let mut run = RunFinder { shifts: [0; SHIFTS], steps: 0 };
        let mut found = 1;
        while found < length {
            let shift = found.min(length - found);
            run.shifts[run.steps] = shift;
            run.steps += 1;
            found += shift;
        }
        run
    }

    fn is_in(&self, word: u32) -> bool {
        self.shifts[..self.steps].iter().fold(word, |marks, &shift| marks & (marks >> shift)) != 0
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::time::Duration;

    use super::super::chi_square::{FinalBoard, assert_final_boards, chances_of_final_boards};
    use super::super::{PlayoutMethod, Playouts, VectorWidth};
    use super::*;
    use crate::game::{Rules, Shape};
    use crate::search::{ExactPlayouts, Stream, Weights, generator, oracle};

    #[test]
    fn a_run_is_found_exactly_where_there_is_one() {
        for length in 1..=MAX_SIZE {
            let run = RunFinder::new(length);
            for word in (0..1u32 << 20).step_by(37).chain((0..20).map(|bit| ((1 << bit) - 1) << (20 - bit))) {
                let ones = format!("{word:b}").split('0').map(str::len).max().unwrap_or(0);
                assert_eq!(run.is_in(word), ones >= usize::from(length), "{word:b} {length}");
            }
        }
    }

    #[test]
    fn final_boards_come_as_often_as_the_rules_say() {
        const PLAYOUTS: u32 = 400_000;
        let start = Position::start(Rules::default());
        let middle = start.after(Cell::new(0, 0)).after(Cell::new(1, 2));
        for (number, position) in [(1, start), (2, middle)] {
            let mut found: HashMap<FinalBoard, f64> = HashMap::new();
            let mut generator = generator(4, Stream::Go(number));
            let mut board = PlayoutBoard::new(&position);
            for _ in 0..PLAYOUTS {
                let plies = board.play_out(&mut generator).plies(position.empty_cells());
                let end = board.played(plies).fold(position, Position::after);
                *found.entry(oracle::board_of(&end).stones).or_default() += 1.0;
            }
            assert_final_boards(&chances_of_final_boards(&position), &found, f64::from(PLAYOUTS));
        }
    }

    #[test]
    fn a_playout_is_a_legal_game_that_the_rules_end_at_the_same_ply() {
        let mut generator = generator(11, Stream::Go(0));
        let squares = (1..=MAX_SIZE).map(Shape::from);
        let rectangles = [(1, 20), (20, 1), (2, 13), (4, 9), (9, 4), (7, 20), (20, 19)].map(Shape::from);
        for shape in squares.chain(rectangles) {
            for connect in [0, 1, 2, 3, 5, u16::from(shape.longer_side()) + 1] {
                let mut position = Position::start(Rules::new(shape, connect, false).unwrap());
                while position.outcome().is_none() {
                    let mut board = PlayoutBoard::new(&position);
                    for _ in 0..4 {
                        let end = board.play_out(&mut generator);
                        let plies = end.plies(position.empty_cells());
                        let mut game = position;
                        for cell in board.played(plies) {
                            assert_eq!(game.outcome(), None, "{shape} {connect}");
                            game = game.after(cell);
                        }
                        assert!(game.outcome().is_some(), "{shape} {connect}");
                        assert_eq!(end == PlayoutEnd::Full, game.completed_line().is_empty(), "{shape} {connect}");
                    }
                    // A few positions on the way to the end are enough on large boards.
                    for _ in 0..1 + position.empty_cells() / 4 {
                        let moves: Vec<Cell> = position.moves().collect();
                        if !moves.is_empty() {
                            position = position.after(moves[below(&mut generator, moves.len() as u32) as usize]);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_board_that_is_set_up_again_plays_the_games_of_a_new_one() {
        for (shape, connect, reverse) in [
            ((3, 3), 3, false),
            ((4, 4), 2, true),
            ((8, 8), 5, false),
            ((15, 15), 5, false),
            ((20, 20), 9, true),
            ((4, 9), 4, false),
            ((13, 2), 3, true),
        ] {
            let mut position = Position::start(Rules::new(shape, connect, reverse).unwrap());
            let mut board = PlayoutBoard::new(&position);
            let scalar = Playouts { method: PlayoutMethod::Scalar, threads: 1, width: VectorWidth::Portable };
            let [mut numbers, mut plain_numbers] = [generator(6, Stream::Go(1)), generator(6, Stream::Go(1))];
            while position.outcome().is_none() {
                let few = Control::playouts_only(1 + u64::from(below(&mut numbers, 20)));
                below(&mut plain_numbers, 20);
                for control in [few.clone(), few.with_deadline(Some(Duration::ZERO))] {
                    let games = control.playouts.expect("a bound");
                    let found = board.play_few(&position, games, &mut numbers, &control);
                    assert_eq!(found, scalar.play(&position, &mut plain_numbers, &control, &mut |_| {}));
                    assert_eq!(numbers, plain_numbers);
                    assert_eq!(found.results().count(), if control.is_timed() { 1 } else { games });
                }
                let moves: Vec<Cell> = position.moves().collect();
                position = position.after(moves[moves.len() / 3]);
            }
        }
    }

    #[test]
    fn each_playout_is_a_legal_game_and_the_totals_are_their_sum() {
        let games = [((1, 1), 0), ((2, 2), 0), ((3, 3), 0), ((3, 3), 2), ((4, 4), 3), ((7, 7), 9), ((20, 20), 5)];
        for ((rows, columns), connect) in games.into_iter().chain([((4, 9), 4), ((9, 2), 2), ((1, 12), 3)]) {
            for reverse in [false, true] {
                let rules = Rules::new((rows, columns), connect, reverse).unwrap();
                let mut position = Position::start(rules);
                for cell in [Cell::new(rows / 2, 0), Cell::new(0, columns - 1)].into_iter().take(rules.cells() / 3) {
                    position = position.after(cell);
                }
                let mut sum = Tally::new(rules.shape());
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
                for cell in Cell::all(rules.shape()) {
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
