//! Any board, the planes of its cells in memory.

use std::ops::RangeInclusive;

use crate::game::{Cell, Position};

use super::state::{Games, Harvest, Quota, RandomBits};
use super::vector::{Job, Vector, WORDS, dispatch};
use super::{Counts, Run, Width};

/// Tries from one harvest to the next.
const TRIES: usize = 12;

/// Cells up to which games with one or two cells left are finished at every harvest. On larger boards few games come to
/// that, and it is done only when no more games are started.
const SMALL: usize = 25;

/// Places that three random bits tell apart.
const GROUP: usize = 8;

/// Groups of the largest board, as a power of two.
const MOST_GROUPS: usize = 64;

/// Runs of stones that are looked back upon, and the one that ends here.
const MOST_RUNS: usize = 6;

/// A position. Its places are the empty cells, numbered in reading order, and then the cells with stones.
pub struct Board {
    empties: usize,
    /// For each cell with a stone whether it is one of the side to move.
    filled: Vec<bool>,
    /// The places on which lines may be completed: straight runs of cells of which each belongs to a line that some side
    /// can still complete.
    walks: Vec<Vec<u16>>,
    length: u8,
}

impl Board {
    /// The lengths of lines that there are kernels for.
    pub const LENGTHS: RangeInclusive<u8> = 3..=10;

    pub fn new(position: &Position, length: u8) -> Board {
        let empties: Vec<Cell> = position.moves().collect();
        let stones = Cell::all(position.rules().size()).filter(|&cell| position.occupant(cell).is_some());
        let cells: Vec<Cell> = empties.iter().copied().chain(stones).collect();
        let filled =
            cells[empties.len()..].iter().map(|&cell| position.occupant(cell) == Some(position.side())).collect();
        Board { empties: empties.len(), filled, walks: walks(position, length, &cells), length }
    }

    pub fn play(&self, width: Width, run: &Run) -> Counts {
        dispatch(width, Playing { board: self, run })
    }
}

/// The places on which lines may be completed, in walks along the four directions.
fn walks(position: &Position, length: u8, cells: &[Cell]) -> Vec<Vec<u16>> {
    let size = position.rules().size();
    let mut places = [[0; 20]; 20];
    for (place, cell) in cells.iter().enumerate() {
        places[usize::from(cell.row())][usize::from(cell.column())] = place as u16;
    }
    let cell_at = |row: i16, column: i16| {
        let on_board = |coordinate: i16| u8::try_from(coordinate).ok().filter(|&coordinate| coordinate < size);
        Some(Cell::new(on_board(row)?, on_board(column)?))
    };
    let mut walks = Vec::new();
    for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
        for first in Cell::all(size) {
            let (row, column) = (i16::from(first.row()), i16::from(first.column()));
            if cell_at(row - down, column - right).is_some() {
                continue;
            }
            let line = (0..).map_while(|step| cell_at(row + step * down, column + step * right));
            let line: Vec<Cell> = line.collect();
            for walk in live_runs(position, usize::from(length), &line) {
                let place = |cell: &Cell| places[usize::from(cell.row())][usize::from(cell.column())];
                walks.push(walk.iter().map(place).collect());
            }
        }
    }
    walks
}

/// The longest runs of a row of cells in which every window of `length` cells can still become a line.
fn live_runs<'a>(position: &Position, length: usize, row: &'a [Cell]) -> Vec<&'a [Cell]> {
    let is_live = |window: &[Cell]| {
        let has = |player| window.iter().any(|&cell| position.occupant(cell) == Some(player));
        !(has(position.side()) && has(!position.side()))
    };
    let mut runs = Vec::new();
    let mut begin = 0;
    for (start, window) in row.windows(length).enumerate() {
        let is_last = start + length == row.len();
        match is_live(window) {
            false => {
                if start > begin {
                    runs.push(&row[begin..start + length - 1]);
                }
                begin = start + 1;
            }
            true if is_last => runs.push(&row[begin..]),
            true => {}
        }
    }
    runs
}

struct Playing<'a> {
    board: &'a Board,
    run: &'a Run<'a>,
}

impl Job for Playing<'_> {
    type Output = Counts;

    #[inline(always)]
    fn run<V: Vector>(self) -> Counts {
        let mut counts = Counts::none(self.board.empties);
        for first_word in (0..WORDS).step_by(V::WORDS) {
            let (board, run, counts) = (self.board, self.run, &mut counts);
            match board.length {
                3 => play_words::<V, 2, 1>(board, run, first_word, counts),
                4 => play_words::<V, 2, 2>(board, run, first_word, counts),
                5 => play_words::<V, 3, 2>(board, run, first_word, counts),
                6 => play_words::<V, 3, 3>(board, run, first_word, counts),
                7 => play_words::<V, 4, 3>(board, run, first_word, counts),
                8 => play_words::<V, 4, 4>(board, run, first_word, counts),
                9 => play_words::<V, 5, 4>(board, run, first_word, counts),
                _ => play_words::<V, 5, 5>(board, run, first_word, counts),
            }
        }
        counts
    }
}

/// The stones of all games, by place.
struct Planes<'a, V> {
    board: &'a Board,
    /// Of the places that are empty in the position.
    taken: Vec<V>,
    /// Of all places.
    mine: Vec<V>,
    /// While games are finished: where the next stone comes.
    last: Vec<V>,
    /// Which group of places is drawn in each lane.
    groups: [V; MOST_GROUPS],
}

/// Plays the games of the words from `first_word` on. Lines are of `WIDTH + MORE` cells.
#[inline(always)]
fn play_words<V: Vector, const WIDTH: usize, const MORE: usize>(
    board: &Board,
    run: &Run,
    first_word: usize,
    counts: &mut Counts,
) {
    let none = V::splat(0);
    let mut random = run.random_bits::<V>(first_word);
    let mut quota = Quota::of(run.games);
    let mut planes = Planes {
        board,
        taken: vec![none; board.empties],
        mine: vec![none; board.empties + board.filled.len()],
        last: vec![none; board.empties],
        groups: [none; MOST_GROUPS],
    };
    let mut games = Games::none();
    let mut harvest = Harvest::new();
    let mut balances = vec![[none; 2]; board.empties];
    planes.start(&mut games, quota.start(!none, first_word));
    while !games.running.is_zero() {
        for _ in 0..TRIES {
            planes.try_move::<WIDTH, MORE>(&mut games, &mut random);
        }
        let coin = random.next();
        let ripe = if board.empties <= SMALL { games.running } else { games.running & quota.used_up(first_word) };
        if !ripe.is_zero() {
            planes.finish::<WIDTH, MORE>(&mut games, ripe, coin);
        }
        let mut ended = games.running;
        for &taken in &planes.taken {
            ended = ended & taken;
        }
        ended = ended | (games.running & games.completed);
        #[cfg(test)]
        run.note(&games, ended, &planes.taken, &planes.mine);
        let decided = harvest.add(&games, ended);
        for ((balance, taken), mine) in balances.iter_mut().zip(&mut planes.taken).zip(&mut planes.mine) {
            Harvest::add_cell(balance, &games, decided, *taken, *mine);
            *taken = *taken & !ended;
            *mine = *mine & !ended;
        }
        games.end(ended);
        if !(run.may_start)() {
            quota.close();
        }
        planes.start(&mut games, quota.start(ended, first_word));
    }
    harvest.pour(&balances, counts);
}

impl<V: Vector> Planes<'_, V> {
    /// Starts games in idle lanes, in which no empty place is taken.
    #[inline(always)]
    fn start(&mut self, games: &mut Games<V>, starting: V) {
        for (mine, &is_first) in self.mine[self.board.empties..].iter_mut().zip(&self.board.filled) {
            *mine = (*mine & !starting) | if is_first { starting } else { V::splat(0) };
        }
        games.running = games.running | starting;
        games.first_to_move = games.first_to_move | starting;
    }

    /// Draws a place in every lane, and puts a stone on it if it is empty.
    #[inline(always)]
    fn try_move<const WIDTH: usize, const MORE: usize>(&mut self, games: &mut Games<V>, random: &mut RandomBits<V>) {
        let places = random.one_of_eight();
        self.groups[0] = games.running & !games.completed;
        let mut groups = 1;
        while groups * GROUP < self.board.empties {
            let bit = random.next();
            let (known, fresh) = self.groups.split_at_mut(groups);
            for (low, high) in known.iter_mut().zip(fresh) {
                (*low, *high) = (*low & !bit, *low & bit);
            }
            groups *= 2;
        }
        let (stones, filled) = self.mine.split_at_mut(self.board.empties);
        let mut moved = V::splat(0);
        for ((taken, mine), &group) in self.taken.chunks_mut(GROUP).zip(stones.chunks_mut(GROUP)).zip(&self.groups) {
            for ((taken, mine), &place) in taken.iter_mut().zip(mine).zip(&places) {
                let take = group & place & !*taken;
                games.put(taken, mine, take);
                moved = moved | take;
            }
        }
        for mine in filled {
            *mine = *mine ^ games.swap;
        }
        games.pass_turn(moved, self.completed::<WIDTH, MORE>());
    }

    /// Plays the games among `ripe` with at most two empty cells to their end.
    #[inline(always)]
    fn finish<const WIDTH: usize, const MORE: usize>(&mut self, games: &mut Games<V>, ripe: V, coin: V) {
        let none = V::splat(0);
        let (mut one, mut two, mut three) = (none, none, none);
        for (&taken, lowest) in self.taken.iter().zip(&mut self.last) {
            let empty = !taken;
            *lowest = empty & !one;
            three = three | (two & empty);
            two = two | (one & empty);
            one = one | empty;
        }
        let finishing = ripe & !games.completed & !three;
        if finishing.is_zero() {
            return;
        }
        // The only empty cell is the lowest; of two, the coin takes the lowest or the other.
        for (&taken, last) in self.taken.iter().zip(&mut self.last) {
            *last = finishing & !taken & (*last ^ (coin & two));
        }
        self.put_last::<WIDTH, MORE>(games, finishing);
        for (&taken, last) in self.taken.iter().zip(&mut self.last) {
            *last = finishing & !taken & !games.completed;
        }
        self.put_last::<WIDTH, MORE>(games, finishing);
    }

    /// Puts stones where `last` says, in games that are being finished.
    #[inline(always)]
    fn put_last<const WIDTH: usize, const MORE: usize>(&mut self, games: &mut Games<V>, finishing: V) {
        let mut moved = V::splat(0);
        let (stones, filled) = self.mine.split_at_mut(self.board.empties);
        for ((taken, mine), &last) in self.taken.iter_mut().zip(stones).zip(&self.last) {
            games.put(taken, mine, last);
            moved = moved | last;
        }
        for mine in filled {
            *mine = *mine ^ games.swap;
        }
        let completed = self.completed::<WIDTH, MORE>();
        games.pass_turn(moved, completed & finishing);
    }

    /// Lanes in which the side that has just moved has a line.
    ///
    /// Along each walk: a run of `WIDTH` stones that ends here and another that ended `MORE` cells ago are a line.
    #[inline(always)]
    fn completed<const WIDTH: usize, const MORE: usize>(&self) -> V {
        let none = V::splat(0);
        let mut completed = none;
        for walk in &self.board.walks {
            let (mut stones, mut runs) = ([none; WIDTH], [none; MOST_RUNS]);
            let (head, rest) = walk.split_at(WIDTH - 1);
            let (middle, rest) = rest.split_at(MORE);
            for &place in head {
                push(&mut stones, self.mine[usize::from(place)]);
            }
            for &place in middle {
                push(&mut stones, self.mine[usize::from(place)]);
                push(&mut runs, all(&stones));
            }
            for &place in rest {
                push(&mut stones, self.mine[usize::from(place)]);
                push(&mut runs, all(&stones));
                completed = completed | (runs[0] & runs[MORE]);
            }
        }
        completed
    }
}

/// Lanes that are in all of the planes.
#[inline(always)]
fn all<V: Vector>(planes: &[V]) -> V {
    let mut all = !V::splat(0);
    for &plane in planes {
        all = all & plane;
    }
    all
}

/// Puts a plane in front of the others, of which the last falls out.
#[inline(always)]
fn push<V: Vector, const PLANES: usize>(planes: &mut [V; PLANES], plane: V) {
    let mut plane = plane;
    for place in planes {
        std::mem::swap(place, &mut plane);
    }
}
