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

/// A position. Cell `row,column` has the number `size * row + column`.
pub struct Board {
    cells: usize,
    /// The empty cells in reading order, in groups; the last is filled up with a cell that does not exist, which has the
    /// number `cells`.
    groups: Vec<[u16; GROUP]>,
    empties: usize,
    /// The cells with stones, and whether it is one of the side to move.
    filled: Vec<(u16, bool)>,
    walks: Vec<Walk>,
    length: u8,
}

/// Cells in a straight line, of which each belongs to a line that some side can still complete.
struct Walk {
    start: u16,
    step: u16,
    cells: u16,
}

impl Board {
    /// The lengths of lines that there are kernels for.
    pub const LENGTHS: RangeInclusive<u8> = 3..=10;

    pub fn new(position: &Position, length: u8) -> Board {
        let rules = position.rules();
        let number = |cell: Cell| cell.index(rules.size()) as u16;
        let empties: Vec<u16> = position.moves().map(number).collect();
        let group = |cells: &[u16]| {
            let mut group = [rules.cells() as u16; GROUP];
            group[..cells.len()].copy_from_slice(cells);
            group
        };
        let stone = |cell| position.occupant(cell).map(|player| (number(cell), player == position.side()));
        Board {
            cells: rules.cells(),
            groups: empties.chunks(GROUP).map(group).collect(),
            empties: empties.len(),
            filled: Cell::all(rules.size()).filter_map(stone).collect(),
            walks: walks(position, usize::from(length)),
            length,
        }
    }

    pub fn play(&self, width: Width, run: &Run) -> Counts {
        dispatch(width, Playing { board: self, run })
    }

    /// The empty cells in reading order.
    fn empties(&self) -> &[u16] {
        &self.groups.as_flattened()[..self.empties]
    }
}

/// The walks along which lines may be completed, in the four directions.
fn walks(position: &Position, length: usize) -> Vec<Walk> {
    let size = position.rules().size();
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
            let row: Vec<Cell> = (0..).map_while(|step| cell_at(row + step * down, column + step * right)).collect();
            walks.extend(live_runs(position, length, &row).into_iter().map(|run| Walk {
                start: run[0].index(size) as u16,
                step: (down * i16::from(size) + right) as u16,
                cells: run.len() as u16,
            }));
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

/// The stones of all games on one cell.
#[derive(Clone, Copy)]
struct Stones<V> {
    taken: V,
    mine: V,
}

/// The stones of all games.
struct Planes<'a, V> {
    board: &'a Board,
    /// By the number of the cell, with the cell that does not exist, which counts as taken.
    stones: Vec<Stones<V>>,
    /// For each empty cell of the position, while games are finished: where the next stone comes.
    next: Vec<V>,
    /// Which group of cells is drawn in each lane.
    drawn: [V; MOST_GROUPS],
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
    let mut planes = Planes::new(board);
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
        let ended = games.running & (games.completed | planes.full());
        #[cfg(test)]
        planes.note(run, &games, ended);
        let decided = harvest.add(&games, ended);
        for (balance, &cell) in balances.iter_mut().zip(board.empties()) {
            let stones = &mut planes.stones[usize::from(cell)];
            Harvest::add_cell(balance, &games, decided, stones.taken, stones.mine);
            *stones = Stones { taken: stones.taken & !ended, mine: stones.mine & !ended };
        }
        games.end(ended);
        if !(run.may_start)() {
            quota.close();
        }
        planes.start(&mut games, quota.start(ended, first_word));
    }
    harvest.pour(&balances, counts);
}

impl<'a, V: Vector> Planes<'a, V> {
    /// No game yet.
    #[inline(always)]
    fn new(board: &'a Board) -> Planes<'a, V> {
        let none = V::splat(0);
        let mut stones = vec![Stones { taken: !none, mine: none }; board.cells + 1];
        for &cell in board.empties() {
            stones[usize::from(cell)].taken = none;
        }
        Planes { board, stones, next: vec![none; board.empties], drawn: [none; MOST_GROUPS] }
    }

    /// Starts games in idle lanes, in which no empty cell of the position is taken.
    #[inline(always)]
    fn start(&mut self, games: &mut Games<V>, starting: V) {
        for &(cell, is_first) in &self.board.filled {
            let mine = &mut self.stones[usize::from(cell)].mine;
            *mine = (*mine & !starting) | if is_first { starting } else { V::splat(0) };
        }
        games.running = games.running | starting;
        games.first_to_move = games.first_to_move | starting;
    }

    /// Draws a cell in every lane, and puts a stone on it if it is empty.
    #[inline(always)]
    fn try_move<const WIDTH: usize, const MORE: usize>(&mut self, games: &mut Games<V>, random: &mut RandomBits<V>) {
        let places = random.one_of_eight();
        self.drawn[0] = games.running & !games.completed;
        let mut groups = 1;
        while groups < self.board.groups.len() {
            let bit = random.next();
            let (known, fresh) = self.drawn.split_at_mut(groups);
            for (low, high) in known.iter_mut().zip(fresh) {
                (*low, *high) = (*low & !bit, *low & bit);
            }
            groups *= 2;
        }
        let mut moved = V::splat(0);
        for (group, &drawn) in self.board.groups.iter().zip(&self.drawn) {
            for place in 0..GROUP {
                let stones = &mut self.stones[usize::from(group[place])];
                let take = drawn & places[place] & !stones.taken;
                games.put(&mut stones.taken, &mut stones.mine, take);
                moved = moved | take;
            }
        }
        self.pass_turn::<WIDTH, MORE>(games, moved, !V::splat(0));
    }

    /// Ends a try in which a stone was put in the lanes of `moved`; lines count in those of `counting`.
    #[inline(always)]
    fn pass_turn<const WIDTH: usize, const MORE: usize>(&mut self, games: &mut Games<V>, moved: V, counting: V) {
        for &(cell, _) in &self.board.filled {
            let mine = &mut self.stones[usize::from(cell)].mine;
            *mine = *mine ^ games.swap;
        }
        let completed = self.completed::<WIDTH, MORE>();
        games.pass_turn(moved, completed & counting);
    }

    /// Plays the games among `ripe` with at most two empty cells to their end.
    #[inline(always)]
    fn finish<const WIDTH: usize, const MORE: usize>(&mut self, games: &mut Games<V>, ripe: V, coin: V) {
        let none = V::splat(0);
        let (mut one, mut two, mut three) = (none, none, none);
        for (&cell, lowest) in self.board.empties().iter().zip(&mut self.next) {
            let empty = !self.stones[usize::from(cell)].taken;
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
        for (&cell, next) in self.board.empties().iter().zip(&mut self.next) {
            *next = finishing & !self.stones[usize::from(cell)].taken & (*next ^ (coin & two));
        }
        self.put_next::<WIDTH, MORE>(games, finishing);
        for (&cell, next) in self.board.empties().iter().zip(&mut self.next) {
            *next = finishing & !self.stones[usize::from(cell)].taken & !games.completed;
        }
        self.put_next::<WIDTH, MORE>(games, finishing);
    }

    /// Puts stones where `next` says, in games that are being finished.
    #[inline(always)]
    fn put_next<const WIDTH: usize, const MORE: usize>(&mut self, games: &mut Games<V>, finishing: V) {
        let mut moved = V::splat(0);
        for (&cell, &next) in self.board.empties().iter().zip(&self.next) {
            let stones = &mut self.stones[usize::from(cell)];
            games.put(&mut stones.taken, &mut stones.mine, next);
            moved = moved | next;
        }
        self.pass_turn::<WIDTH, MORE>(games, moved, finishing);
    }

    /// Lanes in which no cell is empty.
    #[inline(always)]
    fn full(&self) -> V {
        let mut full = !V::splat(0);
        for &cell in self.board.empties() {
            full = full & self.stones[usize::from(cell)].taken;
        }
        full
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
            let (mut cell, step) = (usize::from(walk.start), usize::from(walk.step));
            for _ in 1..WIDTH {
                push(&mut stones, self.stones[cell].mine);
                cell += step;
            }
            for _ in 0..MORE {
                push(&mut stones, self.stones[cell].mine);
                push(&mut runs, all(&stones));
                cell += step;
            }
            for _ in WIDTH + MORE - 1..usize::from(walk.cells) {
                push(&mut stones, self.stones[cell].mine);
                push(&mut runs, all(&stones));
                completed = completed | (runs[0] & runs[MORE]);
                cell += step;
            }
        }
        completed
    }

    /// Notes the final boards of games that have ended.
    #[cfg(test)]
    #[inline(always)]
    fn note(&self, run: &Run, games: &Games<V>, ended: V) {
        let stones: Vec<Stones<V>> = self.board.empties().iter().map(|&cell| self.stones[usize::from(cell)]).collect();
        let [taken, mine] = [|stones: &Stones<V>| stones.taken, |stones: &Stones<V>| stones.mine];
        let plane = |of: fn(&Stones<V>) -> V| stones.iter().map(of).collect::<Vec<V>>();
        run.note(games, ended, &plane(taken), &plane(mine));
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
