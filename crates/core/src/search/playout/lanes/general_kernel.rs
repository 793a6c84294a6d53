//! The kernel for any board, with the planes of its cells in memory.

// Loops by index, because a bit has the same index in several numbers.
#![allow(clippy::needless_range_loop)]

use super::game_states::{GameStates, LaneCounters, Quota, RandomBits};
use super::general_board::{GROUP, GROUP_BITS, GeneralBoard};
use super::vector::{Kernel, Vector, WORDS, dispatch};
use super::{GameBatch, LaneTotals, Width};

/// Tries between two counts.
const TRIES: usize = 12;

/// Up to this number of empty cells in the position, games with one or two cells left are finished at every count. On
/// larger boards few games get so far, and they are finished only when no more games are started.
const SMALL: usize = 25;

/// Cells that are drawn in a try. The first empty one of them gets a stone.
const CANDIDATES: usize = 3;

/// Groups of the largest board, rounded up to a power of two.
const MAX_GROUPS: usize = 32;

/// Bits of the number of an empty cell on the largest board.
const MAX_BITS: usize = 9;

/// The number of a cell in every lane, lowest bit first.
type CellNumber<V> = [V; MAX_BITS];

/// Runs of stones that a [`LineDetector`] remembers, the newest included.
const MAX_RUNS: usize = 6;

impl GeneralBoard {
    /// Plays a batch of games. Each length of a line has a kernel of its own, so that the compiler optimises each by itself.
    pub fn play(&self, width: Width, batch: &GameBatch) -> LaneTotals {
        match self.length {
            3 => dispatch(width, GeneralKernel::<2, 1> { board: self, batch }),
            4 => dispatch(width, GeneralKernel::<2, 2> { board: self, batch }),
            5 => dispatch(width, GeneralKernel::<3, 2> { board: self, batch }),
            6 => dispatch(width, GeneralKernel::<3, 3> { board: self, batch }),
            7 => dispatch(width, GeneralKernel::<4, 3> { board: self, batch }),
            8 => dispatch(width, GeneralKernel::<4, 4> { board: self, batch }),
            9 => dispatch(width, GeneralKernel::<5, 4> { board: self, batch }),
            _ => dispatch(width, GeneralKernel::<5, 5> { board: self, batch }),
        }
    }
}

/// A line has `WIDTH + MORE` cells.
struct GeneralKernel<'a, const WIDTH: usize, const MORE: usize> {
    board: &'a GeneralBoard,
    batch: &'a GameBatch<'a>,
}

impl<const WIDTH: usize, const MORE: usize> Kernel for GeneralKernel<'_, WIDTH, MORE> {
    type Output = LaneTotals;

    #[inline(always)]
    fn run<V: Vector>(self) -> LaneTotals {
        let mut totals = LaneTotals::none(self.board.empties);
        for first_word in (0..WORDS).step_by(V::WORDS) {
            play_words::<V, WIDTH, MORE>(self.board, self.batch, first_word, &mut totals);
        }
        totals
    }
}

/// The stones of all games on one cell: see [`GameStates`].
///
/// Both planes lie side by side. In two arrays, they could lie at addresses that the processor confuses (4K aliasing).
#[derive(Clone, Copy)]
struct CellPlanes<V> {
    taken: V,
    mine: V,
}

/// The stones of all games of a vector, and working memory for a try.
struct BoardPlanes<'a, V> {
    board: &'a GeneralBoard,
    /// By the number of the cell.
    stones: Vec<CellPlanes<V>>,
    /// For each empty cell of the position, the lanes that get their next stone there while games are finished.
    next: Vec<V>,
    /// The numbers of the cells that are drawn in a try. In the end the first holds the chosen cells.
    numbers: [CellNumber<V>; CANDIDATES],
    /// For each group and candidate, whether the cell with the low bits of the number is taken in this group. Groups that do
    /// not exist count as taken.
    found: [[V; CANDIDATES]; MAX_GROUPS],
    /// For each group, the lanes in which it gets a stone.
    drawn: [V; MAX_GROUPS],
}

/// Plays the games of the words from `first_word` on. A line has `WIDTH + MORE` cells.
#[inline(always)]
fn play_words<V: Vector, const WIDTH: usize, const MORE: usize>(
    board: &GeneralBoard,
    batch: &GameBatch,
    first_word: usize,
    totals: &mut LaneTotals,
) {
    let none = V::splat(0);
    let mut random = batch.random_bits::<V>(first_word);
    let mut quota = Quota::of(batch.games);
    let mut planes = BoardPlanes::new(board);
    let mut games = GameStates::none();
    let mut counters = LaneCounters::new();
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
        planes.note(batch, &games, ended);
        let decided = counters.add(&games, ended);
        for (balance, stones) in balances.iter_mut().zip(&mut planes.stones) {
            LaneCounters::add_cell(balance, &games, decided, stones.taken, stones.mine);
            *stones = CellPlanes { taken: stones.taken & !ended, mine: stones.mine & !ended };
        }
        games.end(ended);
        if !(batch.may_start)() {
            quota.close();
        }
        planes.start(&mut games, quota.start(ended, first_word));
    }
    counters.add_to(&balances, totals);
}

impl<'a, V: Vector> BoardPlanes<'a, V> {
    /// No game yet.
    #[inline(always)]
    fn new(board: &'a GeneralBoard) -> BoardPlanes<'a, V> {
        let none = V::splat(0);
        let cells_in_groups = board.ends_line.len() * GROUP;
        let mut stones = vec![CellPlanes { taken: none, mine: none }; cells_in_groups + board.filled.len()];
        stones[board.empties..].fill(CellPlanes { taken: !none, mine: none });
        BoardPlanes {
            board,
            stones,
            next: vec![none; board.empties],
            numbers: [[none; MAX_BITS]; CANDIDATES],
            found: [[!none; CANDIDATES]; MAX_GROUPS],
            drawn: [none; MAX_GROUPS],
        }
    }

    /// Starts games in idle lanes. No empty cell of the position is taken there.
    #[inline(always)]
    fn start(&mut self, games: &mut GameStates<V>, starting: V) {
        for &(cell, is_first) in &self.board.filled {
            let mine = &mut self.stones[usize::from(cell)].mine;
            *mine = (*mine & !starting) | if is_first { starting } else { V::splat(0) };
        }
        games.running = games.running | starting;
        games.first_to_move = games.first_to_move | starting;
    }

    /// Draws cells in every lane, and puts a stone on the first empty one of them, if there is one.
    #[inline(always)]
    fn try_move<const WIDTH: usize, const MORE: usize>(
        &mut self,
        games: &mut GameStates<V>,
        random: &mut RandomBits<V>,
    ) {
        let taken = self.draw(random);
        let moved = games.running & !games.completed & !taken;
        let number = &self.numbers[0];
        let mut planes = [V::splat(0); GROUP];
        decode(&mut planes, !V::splat(0), &number[..GROUP_BITS]);
        decode(&mut self.drawn, moved, &number[GROUP_BITS..self.board.bits]);
        let mut rows = LineDetector::<V, WIDTH>::new();
        let groups = self.stones.chunks_exact_mut(GROUP).zip(&self.board.ends_line);
        for ((stones, ends_line), &drawn) in groups.zip(&self.drawn) {
            // In quarters, because the compiler unrolls those.
            for first in (0..GROUP).step_by(GROUP / 4) {
                for index in first..first + GROUP / 4 {
                    let CellPlanes { mut taken, mut mine } = stones[index];
                    games.put(&mut taken, &mut mine, drawn & planes[index]);
                    stones[index] = CellPlanes { taken, mine };
                    rows.add::<MORE>(mine, ends_line[index]);
                }
            }
        }
        self.pass_turn::<WIDTH, MORE>(games, moved, rows.completed, !V::splat(0));
    }

    /// Draws cells in every lane and chooses the first empty one of them. The choice is uniform among the empty cells,
    /// because every draw is uniform among all cells. Returns the lanes in which all drawn cells are taken.
    #[inline(always)]
    fn draw(&mut self, random: &mut RandomBits<V>) -> V {
        let BoardPlanes { numbers, found, .. } = self;
        let bits = self.board.bits;
        for number in numbers.iter_mut() {
            for bit in &mut number[..bits] {
                *bit = random.next();
            }
        }
        let in_groups = &self.stones[..self.board.ends_line.len() * GROUP];
        for (stones, found) in in_groups.chunks_exact(GROUP).zip(found.iter_mut()) {
            *found = look_up(stones, numbers);
        }
        for bit in GROUP_BITS..bits {
            for pair in 0..1 << (bits - 1 - bit) {
                let [low, high] = [found[2 * pair], found[2 * pair + 1]];
                for candidate in 0..CANDIDATES {
                    found[pair][candidate] = numbers[candidate][bit].select(high[candidate], low[candidate]);
                }
            }
        }
        let mut taken = found[0][CANDIDATES - 1];
        for candidate in (1..CANDIDATES).rev() {
            let before = found[0][candidate - 1];
            for bit in 0..bits {
                numbers[candidate - 1][bit] = before.select(numbers[candidate][bit], numbers[candidate - 1][bit]);
            }
            taken = taken & before;
        }
        taken
    }

    /// Ends a try in which stones were put in the lanes of `moved`. Lines of empty cells in one row were completed in the
    /// lanes of `in_rows`. Complete lines count only in the lanes of `counting`.
    #[inline(always)]
    fn pass_turn<const WIDTH: usize, const MORE: usize>(
        &mut self,
        games: &mut GameStates<V>,
        moved: V,
        in_rows: V,
        counting: V,
    ) {
        for &(cell, _) in &self.board.filled {
            let mine = &mut self.stones[usize::from(cell)].mine;
            *mine = *mine ^ games.swap;
        }
        let completed = in_rows | self.completed::<WIDTH, MORE>();
        games.pass_turn(moved, completed & counting);
    }

    /// Plays the games of `ripe` with at most two empty cells to their end.
    #[inline(always)]
    fn finish<const WIDTH: usize, const MORE: usize>(&mut self, games: &mut GameStates<V>, ripe: V, coin: V) {
        let none = V::splat(0);
        let (mut one, mut two, mut three) = (none, none, none);
        for (stones, lowest) in self.stones.iter().zip(&mut self.next) {
            let empty = !stones.taken;
            *lowest = empty & !one;
            three = three | (two & empty);
            two = two | (one & empty);
            one = one | empty;
        }
        let finishing = ripe & !games.completed & !three;
        if finishing.is_zero() {
            return;
        }
        // A single empty cell is the lowest one. Of two cells, the coin chooses the lowest or the other.
        for (stones, next) in self.stones.iter().zip(&mut self.next) {
            *next = finishing & !stones.taken & (*next ^ (coin & two));
        }
        self.put_next::<WIDTH, MORE>(games, finishing);
        for (stones, next) in self.stones.iter().zip(&mut self.next) {
            *next = finishing & !stones.taken & !games.completed;
        }
        self.put_next::<WIDTH, MORE>(games, finishing);
    }

    /// Puts the stones of `next` in games that are being finished.
    #[inline(always)]
    fn put_next<const WIDTH: usize, const MORE: usize>(&mut self, games: &mut GameStates<V>, finishing: V) {
        let mut moved = V::splat(0);
        let mut rows = LineDetector::<V, WIDTH>::new();
        let cells = self.stones.iter_mut().zip(self.board.ends_line.as_flattened());
        for ((stones, &ends_line), &next) in cells.zip(&self.next) {
            games.put(&mut stones.taken, &mut stones.mine, next);
            rows.add::<MORE>(stones.mine, ends_line);
            moved = moved | next;
        }
        self.pass_turn::<WIDTH, MORE>(games, moved, rows.completed, finishing);
    }

    /// Lanes in which no cell is empty.
    #[inline(always)]
    fn full(&self) -> V {
        let mut full = !V::splat(0);
        for stones in &self.stones[..self.board.empties] {
            full = full & stones.taken;
        }
        full
    }

    /// Lanes in which the side that has just moved has a line.
    #[inline(always)]
    fn completed<const WIDTH: usize, const MORE: usize>(&self) -> V {
        self.completed_on::<WIDTH, MORE, 1>()
            | self.completed_on::<WIDTH, MORE, 2>()
            | self.completed_on::<WIDTH, MORE, 3>()
            | self.completed_on::<WIDTH, MORE, 4>()
            | self.completed_on::<WIDTH, MORE, 5>()
            | self.completed_on::<WIDTH, MORE, 6>()
    }

    /// The same, by the segments in which `LINES` lines start.
    #[inline(always)]
    fn completed_on<const WIDTH: usize, const MORE: usize, const LINES: usize>(&self) -> V {
        let mut completed = V::splat(0);
        for segment in &self.board.segments[LINES - 1] {
            let mut row = LineDetector::<V, WIDTH>::new();
            for index in 0..WIDTH + MORE + LINES - 1 {
                row.add::<MORE>(self.stones[usize::from(segment.cells[index])].mine, u64::MAX);
            }
            completed = completed | row.completed;
        }
        completed
    }

    /// Logs the final boards of games that have ended.
    #[cfg(test)]
    #[inline(always)]
    fn note(&self, batch: &GameBatch, games: &GameStates<V>, ended: V) {
        let plane = |of: fn(&CellPlanes<V>) -> V| self.stones[..self.board.empties].iter().map(of).collect::<Vec<V>>();
        batch.note(games, ended, &plane(|stones| stones.taken), &plane(|stones| stones.mine));
    }
}

/// The lanes in which the cells of a group with these numbers are taken.
#[inline(always)]
fn look_up<V: Vector>(stones: &[CellPlanes<V>], numbers: &[CellNumber<V>; CANDIDATES]) -> [V; CANDIDATES] {
    let mut quarters = [[V::splat(0); CANDIDATES]; 4];
    for (quarter, stones) in quarters.iter_mut().zip(stones.chunks_exact(4)) {
        let [a, b, c, d] = [stones[0].taken, stones[1].taken, stones[2].taken, stones[3].taken];
        for (found, number) in quarter.iter_mut().zip(numbers) {
            *found = number[1].select(number[0].select(d, c), number[0].select(b, a));
        }
    }
    let [a, b, c, d] = quarters;
    let mut found = a;
    for (candidate, number) in numbers.iter().enumerate() {
        let high = number[2].select(d[candidate], c[candidate]);
        found[candidate] = number[3].select(high, number[2].select(b[candidate], a[candidate]));
    }
    found
}

/// Decodes binary numbers: in every lane of `among`, the plane with the number of the lane gets its bit set.
#[inline(always)]
fn decode<V: Vector>(planes: &mut [V], among: V, bits: &[V]) {
    planes[0] = among;
    for (level, &bit) in bits.iter().enumerate() {
        let (known, fresh) = planes.split_at_mut(1 << level);
        for (low, high) in known.iter_mut().zip(fresh) {
            (*low, *high) = (*low & !bit, *low & bit);
        }
    }
}

/// Finds complete lines among neighbouring cells that are added one after the other.
///
/// A line is a run of `WIDTH` stones that ends at this cell, together with one that ended `MORE` cells before.
struct LineDetector<V, const WIDTH: usize> {
    stones: [V; WIDTH],
    runs: [V; MAX_RUNS],
    completed: V,
}

impl<V: Vector, const WIDTH: usize> LineDetector<V, WIDTH> {
    #[inline(always)]
    fn new() -> LineDetector<V, WIDTH> {
        let none = V::splat(0);
        LineDetector { stones: [none; WIDTH], runs: [none; MAX_RUNS], completed: none }
    }

    #[inline(always)]
    fn add<const MORE: usize>(&mut self, mine: V, ends_line: u64) {
        push(&mut self.stones, mine);
        push(&mut self.runs, all(&self.stones));
        self.completed = self.completed | (self.runs[0] & self.runs[MORE] & V::splat(ends_line));
    }
}

/// The lanes that are in all planes.
#[inline(always)]
fn all<V: Vector>(planes: &[V]) -> V {
    let mut all = !V::splat(0);
    for &plane in planes {
        all = all & plane;
    }
    all
}

/// Puts a plane in front of the others and drops the last one.
#[inline(always)]
fn push<V: Vector, const PLANES: usize>(planes: &mut [V; PLANES], plane: V) {
    let mut plane = plane;
    for index in planes {
        std::mem::swap(index, &mut plane);
    }
}
