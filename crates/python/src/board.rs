//! Boards of many games at a time: stones as bits, won sets in a table or lines around the last stone, and what arrays show.

use noughts::game::{Cell, Rules, Shape};
use noughts::search::mix;

/// The most cells of a board for which each set of stones is looked up.
const MOST_CELLS_LISTED: usize = 16;

/// Rows, columns and both diagonals, as rows and columns of a step.
const DIRECTIONS: [(i16, i16); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

/// For each byte: bit `i` as byte `2 * i`.
static EVERY_SECOND: [u128; 256] = spread(16);

/// For each byte: bit `i` as byte `i`.
static EVERY: [u128; 256] = spread(8);

/// For each byte: bit `i` as bit `distance * i`.
const fn spread(distance: usize) -> [u128; 256] {
    let mut table = [0; 256];
    let mut at = 0;
    while at < 8 * 256 {
        table[at / 8] |= (((at as u128 / 8) >> (at % 8)) & 1) << (distance * (at % 8));
        at += 1;
    }
    table
}

/// For each byte, the places of its bits.
static PLACES: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut place, mut count) = (0, 0);
        while place < 8 {
            if byte >> place & 1 == 1 {
                table[byte][count] = place as u8;
                count += 1;
            }
            place += 1;
        }
        byte += 1;
    }
    table
};

/// The set of the cells of a board, in reading order.
pub type Stones<const WORDS: usize> = [u64; WORDS];

/// What all games of a batch have in common.
pub struct Board {
    pub rules: Rules,
    pub cells: usize,
    /// What the player gets who completes a line.
    line_reward: i8,
    /// A bit for each set of stones of a small board: 1 if it holds a line. Empty for other boards.
    won: Vec<u64>,
    line_length: u8,
    /// For each direction the difference of neighbours' indices.
    steps: [usize; 4],
    /// For each cell and direction the steps to the edge behind and ahead, at most those of a line.
    room: Vec<[[u8; 2]; 4]>,
}

impl Board {
    pub fn new(rules: Rules) -> Board {
        let (Shape { rows, columns }, cells) = (rules.shape(), rules.cells());
        let line_length = rules.line_length().unwrap_or(u8::MAX);
        let room = |cell: Cell, (down, right): (i16, i16)| {
            let inside =
                |(row, column): (i16, i16)| (0..rows.into()).contains(&row) && (0..columns.into()).contains(&column);
            let at = |steps: i16| (i16::from(cell.row()) + steps * down, i16::from(cell.column()) + steps * right);
            [-1, 1].map(|sign| (1..i16::from(line_length)).take_while(|&steps| inside(at(sign * steps))).count() as u8)
        };
        let mut board = Board {
            rules,
            cells,
            line_reward: if rules.completer_wins() { 1 } else { -1 },
            won: Vec::new(),
            line_length,
            steps: DIRECTIONS.map(|(down, right)| (down * i16::from(columns) + right) as usize),
            room: Cell::all(rules.shape()).map(|cell| DIRECTIONS.map(|direction| room(cell, direction))).collect(),
        };
        if cells <= MOST_CELLS_LISTED {
            let mut won = vec![0u64; (1 << cells) / 64 + 1];
            for (set, &has_line) in rules.geometry().sets_with_line().iter().enumerate() {
                won[set / 64] |= u64::from(has_line) << (set % 64);
            }
            board.won = won;
        }
        board
    }

    /// Places a stone and returns the result for the player who has placed it, if that ends the game.
    #[inline]
    pub fn place<const WORDS: usize>(&self, game: &mut Game<WORDS>, who: usize, cell: usize) -> Option<i8> {
        game.stones[who][cell / 64 % WORDS] |= 1 << (cell % 64);
        game.placed += 1;
        let stones = &game.stones[who];
        let has_line = match self.won.get(stones[0] as usize / 64) {
            Some(word) => word >> (stones[0] % 64) & 1 == 1,
            None => self.is_in_line(stones, cell),
        };
        if has_line { Some(self.line_reward) } else { (usize::from(game.placed) == self.cells).then_some(0) }
    }

    /// True if the stone on `cell` stands in a line. Inlined, it would take a third of the speed of small boards, which do
    /// without it.
    #[inline(never)]
    fn is_in_line<const WORDS: usize>(&self, stones: &Stones<WORDS>, cell: usize) -> bool {
        let has = |cell: usize| stones[cell / 64 % WORDS] >> (cell % 64) & 1 == 1;
        self.room[cell].iter().zip(self.steps).any(|([behind, ahead], step)| {
            let ahead = (1..=usize::from(*ahead)).take_while(|times| has(cell + times * step)).count();
            let behind = (1..=usize::from(*behind)).take_while(|times| has(cell - times * step)).count();
            ahead + behind + 1 >= usize::from(self.line_length)
        })
    }

    /// Writes the stones of both players, and which cells are empty, as 0 and 1.
    #[inline]
    pub fn write<const WORDS: usize>(&self, game: &Game<WORDS>, planes: &mut [i8], empty: &mut [i8]) {
        let [mine, theirs] = &game.stones;
        let mut write = |cell: usize| {
            let [mine, theirs] = [byte_at(mine, cell), byte_at(theirs, cell)];
            let both = EVERY_SECOND[mine] | EVERY_SECOND[theirs] << 8;
            planes[2 * cell..2 * cell + 16].copy_from_slice(&both.to_le_bytes().map(|byte| byte as i8));
            let free = EVERY[0xff & !(mine | theirs)] as u64;
            empty[cell..cell + 8].copy_from_slice(&free.to_le_bytes().map(|byte| byte as i8));
        };
        if self.cells < 8 {
            for cell in 0..self.cells {
                let [mine, theirs] = [mine[0] >> cell & 1, theirs[0] >> cell & 1];
                (planes[2 * cell], planes[2 * cell + 1]) = (mine as i8, theirs as i8);
                empty[cell] = 1 - (mine | theirs) as i8;
            }
            return;
        }
        (0..self.cells / 8).for_each(|byte| write(8 * byte));
        if !self.cells.is_multiple_of(8) {
            // The last 8 cells, some of them again.
            write(self.cells - 8);
        }
    }
}

/// The 8 bits of a set from a place on.
#[inline]
fn byte_at<const WORDS: usize>(stones: &Stones<WORDS>, cell: usize) -> usize {
    let (word, shift) = (cell / 64 % WORDS, cell % 64);
    let low = stones[word] >> shift;
    let bits = if shift > 56 && word + 1 < WORDS { low | stones[word + 1] << (64 - shift) } else { low };
    (bits & 0xff) as usize
}

/// The place of the bit with this number, counted from 0, in a set that has it.
#[inline]
pub fn nth<const WORDS: usize>(set: &Stones<WORDS>, mut number: u32) -> usize {
    let mut word = 0;
    while WORDS > 1 && word + 1 < WORDS && set[word].count_ones() <= number {
        number -= set[word].count_ones();
        word += 1;
    }
    let (mut bits, mut place) = (set[word], 64 * word);
    loop {
        let count = (bits as u8).count_ones();
        if number < count {
            return place + usize::from(PLACES[(bits & 0xff) as usize][number as usize]);
        }
        number -= count;
        bits >>= 8;
        place += 8;
    }
}

/// Random numbers by SplitMix64, with its state.
#[derive(Clone, Copy)]
pub struct Random(pub u64);

impl Random {
    #[inline]
    pub fn next(&mut self) -> u64 {
        let word = mix(self.0);
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        word
    }

    /// A random number below `bound`, at most 400. No number is more likely than another by more than 2^-55.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u32
    }
}

/// One of the games.
#[derive(Clone, Copy)]
pub struct Game<const WORDS: usize> {
    /// The stones of the learner and of its opponent; in self-play of the side to move and of the other.
    pub stones: [Stones<WORDS>; 2],
    /// The random numbers of this game.
    pub random: Random,
    /// The number of stones.
    pub placed: u16,
    /// True if the learner, or in self-play the side to move, is O.
    pub is_o: bool,
    /// The number of games before this one since the seed was set, of which only the parity counts.
    pub is_odd: bool,
}

impl<const WORDS: usize> Game<WORDS> {
    /// The game with this number in a batch.
    pub fn new(seed: u64, number: u64) -> Game<WORDS> {
        let random = Random(mix(mix(seed) ^ number));
        Game { stones: [[0; WORDS]; 2], random, placed: 0, is_o: false, is_odd: true }
    }

    pub fn clear(&mut self) {
        (self.stones, self.placed) = ([[0; WORDS]; 2], 0);
    }

    #[inline]
    pub fn is_empty(&self, cell: usize) -> bool {
        (self.stones[0][cell / 64 % WORDS] | self.stones[1][cell / 64 % WORDS]) >> (cell % 64) & 1 == 0
    }

    /// The bits that are not set; there are more of them than cells.
    #[inline]
    pub fn not_taken(&self) -> Stones<WORDS> {
        std::array::from_fn(|word| !(self.stones[0][word] | self.stones[1][word]))
    }
}
