//! The kernel for three in a row on 3x3. All planes fit into registers.
//!
//! Two tricks save tries. After the first stone of a game, eight cells are left, and three random bits draw one of them
//! without waste: the number of a taken cell, the *anchor*, stands for the ninth cell. A game with one or two empty cells
//! is finished at the count, by a random bit, because tries would rarely hit them.

// Loops by index, because a cell has the same number in several arrays.
#![allow(clippy::needless_range_loop)]

use crate::game::{Cell, Position};

use super::game_states::{GameStates, LaneCounters, Quota, RandomBits};
use super::vector::{Kernel, Vector, WORDS, dispatch};
use super::{GameBatch, LaneTotals, VectorWidth};

/// Cells of the board. Cell `row,column` has the number `3 * row + column`.
const CELLS: usize = 9;

const LINES: [[usize; 3]; 8] = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

/// Tries between two counts.
const TRIES: usize = 6;

/// Counts between two calls of `may_start`: some ten microseconds.
const COUNTS_BETWEEN_CHECKS: u32 = 32;

/// A position on the 3x3 board.
pub struct Board3x3 {
    /// The cells with stones.
    taken: [bool; CELLS],
    /// The cells with stones of the side to move.
    first: [bool; CELLS],
}

impl Board3x3 {
    pub fn new(position: &Position) -> Board3x3 {
        let cells = |has: &dyn Fn(Cell) -> bool| {
            let mut cells = [false; CELLS];
            Cell::all(3).for_each(|cell| cells[cell.index(3)] = has(cell));
            cells
        };
        Board3x3 {
            taken: cells(&|cell| position.occupant(cell).is_some()),
            first: cells(&|cell| position.occupant(cell) == Some(position.side())),
        }
    }

    pub fn play(&self, width: VectorWidth, batch: &GameBatch) -> LaneTotals {
        dispatch(width, Kernel3x3 { board: self, batch })
    }
}

struct Kernel3x3<'a> {
    board: &'a Board3x3,
    batch: &'a GameBatch<'a>,
}

impl Kernel for Kernel3x3<'_> {
    type Output = LaneTotals;

    #[inline(always)]
    fn run<V: Vector>(self) -> LaneTotals {
        let mut totals = LaneTotals::none(self.board.taken.iter().filter(|&&taken| !taken).count());
        for first_word in (0..WORDS).step_by(V::WORDS) {
            play_words::<V>(self.board, self.batch, first_word, &mut totals);
        }
        totals
    }
}

/// The stones of all games of a vector.
struct Planes3x3<V> {
    taken: [V; CELLS],
    mine: [V; CELLS],
    /// One taken cell in each lane.
    anchor: [V; CELLS],
}

/// Plays the games of the words from `first_word` on.
#[inline(always)]
fn play_words<V: Vector>(board: &Board3x3, batch: &GameBatch, first_word: usize, totals: &mut LaneTotals) {
    let none = V::splat(0);
    let mut random = RandomBits::<V>::new(&batch.seeds, first_word);
    let mut quota = Quota::of(batch.games);
    let mut planes = Planes3x3 { taken: [none; CELLS], mine: [none; CELLS], anchor: [none; CELLS] };
    let mut games = GameStates::none();
    let mut counters = LaneCounters::new();
    let mut balances = [[none; 2]; CELLS];
    let mut waiting = quota.start(!none, first_word);
    let is_empty = !board.taken.contains(&true);
    for number in 1u32.. {
        waiting = if is_empty {
            planes.start_empty(&mut games, waiting, &mut random)
        } else {
            planes.start(board, &mut games, waiting)
        };
        if (games.running | waiting).is_zero() {
            break;
        }
        for _ in 0..TRIES {
            planes.try_move(&mut games, &mut random);
        }
        let ended = planes.finish(&mut games, random.next());
        #[cfg(test)]
        batch.note(&games, ended, &planes.taken, &planes.mine);
        let decided = counters.add(&games, ended);
        for cell in 0..CELLS {
            LaneCounters::add_cell(&mut balances[cell], &games, decided, planes.taken[cell], planes.mine[cell]);
            planes.taken[cell] = planes.taken[cell] & !ended;
            planes.mine[cell] = planes.mine[cell] & !ended;
        }
        games.end(ended);
        if number.is_multiple_of(COUNTS_BETWEEN_CHECKS) && !(batch.may_start)() {
            quota.close();
        }
        waiting = waiting | quota.start(ended, first_word);
    }
    let mut of_empties = Vec::with_capacity(CELLS);
    for (balance, taken) in balances.into_iter().zip(board.taken) {
        if !taken {
            of_empties.push(balance);
        }
    }
    counters.add_to(&of_empties, totals);
}

impl<V: Vector> Planes3x3<V> {
    /// Starts games on the empty board in waiting lanes, first move included. Returns the lanes that must wait longer.
    ///
    /// The first move is one of nine cells, drawn by rejection. Two digits from 0 to 7 make 64 pairs. The pair (7, 7) is
    /// rejected. Cell `c` below 8 has the seven pairs with first digit `c` and a second digit below 7; the last cell has
    /// the other seven pairs with second digit 7.
    #[inline(always)]
    fn start_empty(&mut self, games: &mut GameStates<V>, waiting: V, random: &mut RandomBits<V>) -> V {
        let digit = random.one_of_eight();
        let seven = random.next() & random.next() & random.next();
        let rejected = waiting & seven & digit[7];
        let started = waiting & !rejected;
        for cell in 0..CELLS {
            let stone = if cell < 8 { digit[cell] & !seven } else { seven } & started;
            self.taken[cell] = self.taken[cell] | stone;
            self.mine[cell] = self.mine[cell] | stone;
            self.anchor[cell] = (self.anchor[cell] & !started) | stone;
        }
        games.running = games.running | started;
        games.first_to_move = games.first_to_move & !started;
        games.swap = games.swap | started;
        rejected
    }

    /// Starts games from a position with stones, in all waiting lanes. Returns the lanes that must wait longer: none.
    #[inline(always)]
    fn start(&mut self, board: &Board3x3, games: &mut GameStates<V>, waiting: V) -> V {
        let none = V::splat(0);
        let anchor = board.taken.iter().position(|&taken| taken);
        for cell in 0..CELLS {
            self.taken[cell] = self.taken[cell] | if board.taken[cell] { waiting } else { none };
            self.mine[cell] = self.mine[cell] | if board.first[cell] { waiting } else { none };
            self.anchor[cell] = if anchor == Some(cell) { !none } else { none };
        }
        games.running = games.running | waiting;
        games.first_to_move = games.first_to_move | waiting;
        none
    }

    /// Draws one of the eight cells other than the anchor in every lane, and puts a stone on it if it is empty.
    #[inline(always)]
    fn try_move(&mut self, games: &mut GameStates<V>, random: &mut RandomBits<V>) {
        let playing = games.running & !games.completed;
        let drawn = random.one_of_eight();
        let (mut moved, mut last) = (V::splat(0), V::splat(0));
        for cell in 0..CELLS {
            let hit = if cell < 8 { drawn[cell] } else { last };
            last = last | (hit & self.anchor[cell]);
            let take = hit & playing & !self.taken[cell];
            games.put(&mut self.taken[cell], &mut self.mine[cell], take);
            moved = moved | take;
        }
        games.pass_turn(moved, self.completed());
    }

    /// Plays the games with at most two empty cells to their end. Returns the lanes of all games that have ended.
    #[inline(always)]
    fn finish(&mut self, games: &mut GameStates<V>, coin: V) -> V {
        let none = V::splat(0);
        let (mut one, mut two, mut three) = (none, none, none);
        let mut lowest = [none; CELLS];
        for cell in 0..CELLS {
            let empty = !self.taken[cell];
            lowest[cell] = empty & !one;
            three = three | (two & empty);
            two = two | (one & empty);
            one = one | empty;
        }
        let finishing = games.running & !games.completed & !three;
        let mut left = [none; CELLS];
        let mut moved = none;
        for cell in 0..CELLS {
            let empty = finishing & !self.taken[cell];
            // A single empty cell is the lowest one. Of two cells, the coin chooses the lowest or the other.
            let take = empty & (lowest[cell] ^ (coin & two));
            left[cell] = empty & !take;
            games.put(&mut self.taken[cell], &mut self.mine[cell], take);
            moved = moved | take;
        }
        games.pass_turn(moved, self.completed() & finishing);
        let mut moved = none;
        for cell in 0..CELLS {
            let take = left[cell] & !games.completed;
            games.put(&mut self.taken[cell], &mut self.mine[cell], take);
            moved = moved | take;
        }
        games.pass_turn(moved, self.completed() & finishing);
        finishing | (games.running & games.completed)
    }

    /// Lanes in which the side that has just moved has a line.
    #[inline(always)]
    fn completed(&self) -> V {
        let mut completed = V::splat(0);
        for [a, b, c] in LINES {
            completed = completed | (self.mine[a] & self.mine[b] & self.mine[c]);
        }
        completed
    }
}
