//! The kernel for any board, with the planes of its cells in memory.

// Loops by index, because a bit has the same index in several numbers.
#![allow(clippy::needless_range_loop)]

use std::ops::RangeInclusive;

use super::game_states::{GameStates, LaneCounters, Quota, RandomBits};
use super::general_board::{GROUP, GROUP_BITS, GeneralBoard};
use super::vector::{Kernel, Vector, WORDS, dispatch};
use super::{GameBatch, LaneTotals, VectorWidth};

/// Tries between two counts: with lines of [`COMMON_LENGTHS`], and with others, whose games take more tries.
const TRIES: [usize; 2] = [12, 18];

/// Up to this number of empty cells in the position, and for lines of [`ANY_LENGTH`], games with one or two cells left are
/// finished at every count. Otherwise few games get so far, and they are finished only when no more games are started.
const SMALL: usize = 25;

/// The lengths of lines that have a kernel of their own.
pub const COMMON_LENGTHS: RangeInclusive<u8> = 3..=6;

/// Stands for the other lengths, in the kernel for all of them.
const ANY_LENGTH: usize = 0;

/// Groups of the largest board, rounded up to a power of two.
const MAX_GROUPS: usize = 32;

/// Bits of the number of an empty cell on the largest board.
const MAX_BITS: usize = 9;

/// The number of a cell in every lane, lowest bit first.
type CellNumber<V> = [V; MAX_BITS];

impl GeneralBoard {
    /// Plays a batch of games.
    ///
    /// [`COMMON_LENGTHS`] have kernels of their own, because the compiler unrolls loops whose number of rounds it knows. Longer
    /// lines are rarely completed, so most games fill the board. A try has more candidates there: the last empty cells are
    /// hard to hit.
    pub fn play(&self, width: VectorWidth, batch: &GameBatch) -> LaneTotals {
        match self.length {
            3 => dispatch(width, GeneralKernel::<3, 3> { board: self, batch }),
            4 => dispatch(width, GeneralKernel::<4, 3> { board: self, batch }),
            5 => dispatch(width, GeneralKernel::<5, 3> { board: self, batch }),
            6 => dispatch(width, GeneralKernel::<6, 3> { board: self, batch }),
            _ => dispatch(width, GeneralKernel::<ANY_LENGTH, 6> { board: self, batch }),
        }
    }
}

/// A line has `LENGTH` cells. A try draws `CANDIDATES` cells, and the first empty one of them gets a stone.
struct GeneralKernel<'a, const LENGTH: usize, const CANDIDATES: usize> {
    board: &'a GeneralBoard,
    batch: &'a GameBatch<'a>,
}

impl<const LENGTH: usize, const CANDIDATES: usize> Kernel for GeneralKernel<'_, LENGTH, CANDIDATES> {
    type Output = LaneTotals;

    #[inline(always)]
    fn run<V: Vector>(self) -> LaneTotals {
        let mut totals = LaneTotals::none(self.board.empties);
        for first_word in (0..WORDS).step_by(V::WORDS) {
            // Games of this kernel are long. Without this check, a stop would wait for some games of each word.
            if LENGTH == ANY_LENGTH && first_word > 0 && !(self.batch.may_start)() {
                break;
            }
            play_words::<V, LENGTH, CANDIDATES>(self.board, self.batch, first_word, &mut totals);
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
struct BoardPlanes<'a, V, const LENGTH: usize, const CANDIDATES: usize> {
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

/// Plays the games of the words from `first_word` on.
#[inline(always)]
fn play_words<V: Vector, const LENGTH: usize, const CANDIDATES: usize>(
    board: &GeneralBoard,
    batch: &GameBatch,
    first_word: usize,
    totals: &mut LaneTotals,
) {
    let none = V::splat(0);
    let mut random = RandomBits::<V>::new(&batch.seeds, first_word);
    let mut quota = Quota::of(batch.games);
    let mut planes = BoardPlanes::<V, LENGTH, CANDIDATES>::new(board);
    let mut games = GameStates::none();
    let mut counters = LaneCounters::new();
    let mut balances = vec![[none; 2]; board.empties];
    planes.start(&mut games, quota.start(!none, first_word));
    let tries = TRIES[usize::from(LENGTH == ANY_LENGTH)];
    while !games.running.is_zero() {
        for _ in 0..tries {
            planes.try_move(&mut games, &mut random);
        }
        let coin = random.next();
        let finishes = LENGTH == ANY_LENGTH || board.empties <= SMALL;
        let ripe = if finishes { games.running } else { games.running & quota.used_up(first_word) };
        if !ripe.is_zero() {
            planes.finish(&mut games, ripe, coin);
        }
        let ended = games.running & (games.completed | planes.full());
        #[cfg(test)]
        planes.note(batch, &games, ended);
        let decided = counters.add(&games, ended);
        let counts = !(decided[0] | decided[1]).is_zero();
        for (balance, stones) in balances.iter_mut().zip(&mut planes.stones) {
            if counts {
                LaneCounters::add_cell(balance, &games, decided, stones.taken, stones.mine);
            }
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

impl<'a, V: Vector, const LENGTH: usize, const CANDIDATES: usize> BoardPlanes<'a, V, LENGTH, CANDIDATES> {
    /// No game yet.
    #[inline(always)]
    fn new(board: &'a GeneralBoard) -> Self {
        let none = V::splat(0);
        let cells_in_groups = board.groups() * GROUP;
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
    fn try_move(&mut self, games: &mut GameStates<V>, random: &mut RandomBits<V>) {
        let taken = self.draw(random);
        let moved = games.running & !games.completed & !taken;
        let number = &self.numbers[0];
        let mut planes = [V::splat(0); GROUP];
        decode(&mut planes, !V::splat(0), &number[..GROUP_BITS]);
        decode(&mut self.drawn, moved, &number[GROUP_BITS..self.board.bits]);
        let groups = self.stones.chunks_exact_mut(GROUP).take(self.board.groups());
        for (stones, &drawn) in groups.zip(&self.drawn) {
            // In quarters, because the compiler unrolls those.
            for first in (0..GROUP).step_by(GROUP / 4) {
                for index in first..first + GROUP / 4 {
                    let CellPlanes { mut taken, mut mine } = stones[index];
                    games.put(&mut taken, &mut mine, drawn & planes[index]);
                    stones[index] = CellPlanes { taken, mine };
                }
            }
        }
        self.pass_turn(games, moved, !V::splat(0));
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
        let in_groups = &self.stones[..self.board.groups() * GROUP];
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

    /// Ends a try in which stones were put in the lanes of `moved`. Complete lines count only in the lanes of `counting`.
    #[inline(always)]
    fn pass_turn(&mut self, games: &mut GameStates<V>, moved: V, counting: V) {
        for &(cell, _) in &self.board.filled {
            let mine = &mut self.stones[usize::from(cell)].mine;
            *mine = *mine ^ games.swap;
        }
        games.pass_turn(moved, self.completed() & counting);
    }

    /// Plays the games of `ripe` with at most two empty cells to their end.
    #[inline(always)]
    fn finish(&mut self, games: &mut GameStates<V>, ripe: V, coin: V) {
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
        self.put_next(games, finishing);
        for (stones, next) in self.stones.iter().zip(&mut self.next) {
            *next = finishing & !stones.taken & !games.completed;
        }
        self.put_next(games, finishing);
    }

    /// Puts the stones of `next` in games that are being finished.
    #[inline(always)]
    fn put_next(&mut self, games: &mut GameStates<V>, finishing: V) {
        let mut moved = V::splat(0);
        for (stones, &next) in self.stones.iter_mut().zip(&self.next) {
            games.put(&mut stones.taken, &mut stones.mine, next);
            moved = moved | next;
        }
        self.pass_turn(games, moved, finishing);
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
    fn completed(&self) -> V {
        self.completed_on::<1>()
            | self.completed_on::<2>()
            | self.completed_on::<3>()
            | self.completed_on::<4>()
            | self.completed_on::<5>()
            | self.completed_on::<6>()
            | self.completed_on::<7>()
            | self.completed_on::<8>()
    }

    /// Lanes in which it has a line of a segment in which `LINES` lines start.
    ///
    /// All these lines have the cells from the last start of a line to the first end in common. Each line adds some cells
    /// before them and some after them. So a cell is looked at once, whatever the length of the lines.
    /// (Van Herk, "A Fast Algorithm for Local Minimum and Maximum Filters", 1992; Gil and Werman, 1993.)
    #[inline(always)]
    fn completed_on<const LINES: usize>(&self) -> V {
        let length = if LENGTH == ANY_LENGTH { self.board.length } else { LENGTH };
        let mut completed = V::splat(0);
        for cells in self.board.segments[LINES - 1].chunks_exact(length + LINES - 1) {
            let mut common = !V::splat(0);
            for &cell in &cells[LINES - 1..length] {
                common = common & self.stones[usize::from(cell)].mine;
            }
            let mut before = [common; LINES];
            for line in (0..LINES - 1).rev() {
                before[line] = before[line + 1] & self.stones[usize::from(cells[line])].mine;
            }
            completed = completed | before[0];
            let mut after = !V::splat(0);
            for line in 1..LINES {
                after = after & self.stones[usize::from(cells[length + line - 1])].mine;
                completed = completed | (before[line] & after);
            }
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
fn look_up<V: Vector, const CANDIDATES: usize>(
    stones: &[CellPlanes<V>],
    numbers: &[CellNumber<V>; CANDIDATES],
) -> [V; CANDIDATES] {
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
