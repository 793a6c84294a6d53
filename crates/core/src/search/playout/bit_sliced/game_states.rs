//! The parts that both kernels share: random bits, quotas, turns and counters.

#[cfg(test)]
use super::GameBatch;
use super::LaneTotals;
use super::vector::{Vector, WORDS};

/// One generator for each word: xoshiro256++ of Blackman and Vigna, 2021.
pub struct RandomBits<V> {
    state: [V; 4],
}

impl<V: Vector> RandomBits<V> {
    /// The random bits of the words from `first_word` on.
    #[inline(always)]
    pub fn new(seeds: &[[u64; WORDS]; 4], first_word: usize) -> RandomBits<V> {
        let [a, b, c, d] = seeds;
        let load = V::load;
        RandomBits { state: [load(a, first_word), load(b, first_word), load(c, first_word), load(d, first_word)] }
    }

    /// A fair random bit for every lane.
    #[inline(always)]
    pub fn next(&mut self) -> V {
        let [a, b, c, d] = self.state;
        let result = (a + d).rotate_left(23) + a;
        let (c, d, shifted) = (c ^ a, d ^ b, b.shift_left(17));
        self.state = [a ^ d, b ^ c, c ^ shifted, d.rotate_left(45)];
        result
    }

    /// A uniform draw of one of eight for every lane: exactly one of the planes has the bit of the lane set.
    #[inline(always)]
    pub fn one_of_eight(&mut self) -> [V; 8] {
        let [a, b, c] = [self.next(), self.next(), self.next()];
        let [p, q, r, s] = [!b & !a, !b & a, b & !a, b & a];
        [p & !c, q & !c, r & !c, s & !c, p & c, q & c, r & c, s & c]
    }
}

/// The number of games that each word of lanes has still to start.
pub struct Quota {
    left: [u64; WORDS],
}

impl Quota {
    /// Divides games among the words.
    pub fn of(games: u64) -> Quota {
        let words = WORDS as u64;
        Quota { left: std::array::from_fn(|word| games / words + u64::from((word as u64) < games % words)) }
    }

    /// From now on no game is started.
    pub fn close(&mut self) {
        self.left = [0; WORDS];
    }

    /// The lanes of words that have no more games to start.
    #[inline(always)]
    pub fn used_up<V: Vector>(&self, first_word: usize) -> V {
        V::load(&self.left.map(|left| if left == 0 { u64::MAX } else { 0 }), first_word)
    }

    /// Takes games for idle lanes from the quota: the lanes that start one.
    #[inline(always)]
    pub fn start<V: Vector>(&mut self, idle: V, first_word: usize) -> V {
        let mut starting = [0u64; WORDS];
        idle.store(&mut starting, first_word);
        for (lanes, left) in starting.iter_mut().zip(&mut self.left).skip(first_word).take(V::WORDS) {
            let mut count = u64::from(lanes.count_ones());
            while count > *left {
                *lanes &= *lanes - 1;
                count -= 1;
            }
            *left -= count;
        }
        V::load(&starting, first_word)
    }
}

/// The state of each game, apart from its stones.
///
/// The planes `mine` of the cells hold the stones of the side that had the move in the last try. If that side moved, the
/// other side has the move now, and `mine` must be swapped before the next use. Those lanes are in `swap`.
pub struct GameStates<V> {
    /// Lanes with a game that has not been counted yet.
    pub running: V,
    /// Running lanes in which a line is complete.
    pub completed: V,
    /// Lanes in which the side to move is the one that had the move in the position.
    pub first_to_move: V,
    /// Lanes in which `mine` holds the stones of the side that has just moved.
    pub swap: V,
}

impl<V: Vector> GameStates<V> {
    #[inline(always)]
    pub fn none() -> GameStates<V> {
        let none = V::splat(0);
        GameStates { running: none, completed: none, first_to_move: none, swap: none }
    }

    /// Puts stones on one cell in the lanes of `take`. The cell is empty there.
    #[inline(always)]
    pub fn put(&self, taken: &mut V, mine: &mut V, take: V) {
        *mine = (*mine ^ (*taken & self.swap)) | take;
        *taken = *taken | take;
    }

    /// Ends a try in which a stone was put in the lanes of `moved`, and a line was completed in those of `completed`.
    #[inline(always)]
    pub fn pass_turn(&mut self, moved: V, completed: V) {
        self.completed = self.completed | completed;
        self.first_to_move = self.first_to_move ^ moved;
        self.swap = moved;
    }

    /// Makes the lanes of ended games idle. The kernel takes their stones off the board.
    #[inline(always)]
    pub fn end(&mut self, ended: V) {
        self.running = self.running & !ended;
        self.completed = self.completed & !ended;
        self.swap = self.swap & !ended;
    }
}

/// Counters of ended games, in each word.
pub struct LaneCounters<V> {
    games: V,
    completed_by_first: V,
    completed_by_second: V,
}

impl<V: Vector> LaneCounters<V> {
    #[inline(always)]
    pub fn new() -> LaneCounters<V> {
        let none = V::splat(0);
        LaneCounters { games: none, completed_by_first: none, completed_by_second: none }
    }

    /// Counts the games that have ended. Returns those that the first completed and those that the second completed.
    #[inline(always)]
    pub fn add(&mut self, games: &GameStates<V>, ended: V) -> [V; 2] {
        // The side that completed a line has passed the turn since.
        let by_first = games.completed & !games.first_to_move;
        let by_second = games.completed & games.first_to_move;
        self.games = self.games + ended.count_ones();
        self.completed_by_first = self.completed_by_first + by_first.count_ones();
        self.completed_by_second = self.completed_by_second + by_second.count_ones();
        [by_first, by_second]
    }

    /// Counts one cell of decided games.
    #[inline(always)]
    pub fn add_cell(balance: &mut [V; 2], games: &GameStates<V>, decided: [V; 2], taken: V, mine: V) {
        let to_move = mine ^ (taken & games.swap);
        let first = to_move ^ (taken & !games.first_to_move);
        let second = taken ^ first;
        for (balance, stones) in balance.iter_mut().zip([first, second]) {
            *balance = *balance + (stones & decided[0]).count_ones() - (stones & decided[1]).count_ones();
        }
    }

    /// Adds the counters to `totals`.
    #[inline(always)]
    pub fn add_to(self, balances: &[[V; 2]], totals: &mut LaneTotals) {
        totals.games += sum(self.games) as u64;
        totals.completed_by_first += sum(self.completed_by_first) as u64;
        totals.completed_by_second += sum(self.completed_by_second) as u64;
        for (total, balance) in totals.balances.iter_mut().zip(balances) {
            *total = [total[0] + sum(balance[0]), total[1] + sum(balance[1])];
        }
    }
}

/// The sum of the words, as signed numbers.
#[inline(always)]
fn sum<V: Vector>(vector: V) -> i64 {
    let mut words = [0; WORDS];
    vector.store(&mut words, 0);
    words[..V::WORDS].iter().map(|word| word.cast_signed()).sum()
}

impl LaneTotals {
    /// No games yet, for a position with `empties` empty cells.
    pub fn none(empties: usize) -> LaneTotals {
        LaneTotals { completed_by_first: 0, completed_by_second: 0, games: 0, balances: vec![[0; 2]; empties] }
    }
}

/// The final boards of all games, for tests. A cell is 0 when empty, 1 with a stone of the first, 2 with one of the second.
#[cfg(test)]
pub type FinalBoardLog = std::cell::RefCell<Vec<Vec<u8>>>;

#[cfg(test)]
impl GameBatch<'_> {
    /// Logs the final boards of games that have ended.
    #[inline(always)]
    pub fn note<V: Vector>(&self, games: &GameStates<V>, ended: V, taken: &[V], mine: &[V]) {
        let Some(boards) = self.boards else { return };
        let words = |vector: V| {
            let mut words = [0; WORDS];
            vector.store(&mut words, 0);
            words
        };
        for word in 0..V::WORDS {
            for lane in (0..64).filter(|lane| words(ended)[word] >> lane & 1 == 1) {
                let bit = |vector: V| words(vector)[word] >> lane & 1 == 1;
                let stone = |(&taken, &mine): (&V, &V)| match (bit(taken), bit(mine) ^ bit(games.swap)) {
                    (false, _) => 0,
                    (true, to_move) if to_move == bit(games.first_to_move) => 1,
                    (true, _) => 2,
                };
                boards.borrow_mut().push(taken.iter().zip(mine).map(stone).collect());
            }
        }
    }
}
