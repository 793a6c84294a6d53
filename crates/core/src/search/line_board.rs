//! The live lines of both players, kept up to date from move to move.
//!
//! A line is *live* for a player while its opponent has no stone in it. The board lists the live lines that lack one, two
//! or three stones, and keeps for every cell the weight of all live lines through it. This shows wins, forced replies and
//! threats without a search, and it ranks the moves.

use std::ops::Deref;
use std::sync::Arc;

use crate::game::{Cell, Geometry, Position, Rules, Shape};
use crate::search::line_stones::{LONGEST, LineStones};
use crate::search::request::mix;

/// Every further stone multiplies the weight of a line by this.
const GROWTH: i32 = 5;

/// A line that lacks this many stones, or more, has weight 1.
const LIGHTEST: usize = 7;

/// The weight of a live line by the number of stones that it lacks. A completed line has weight 0.
const WEIGHTS: [i32; LONGEST + 1] = {
    let mut weights = [1; LONGEST + 1];
    let mut lacking = LIGHTEST;
    while lacking > 1 {
        lacking -= 1;
        weights[lacking] = GROWTH * weights[lacking + 1];
    }
    weights[0] = 0;
    weights
};

/// The weight of a live line that lacks `lacking` stones.
fn weight_of_line(lacking: usize) -> i32 {
    WEIGHTS[lacking.min(LONGEST)]
}

/// The live lines that lack at most this many stones are listed.
pub const MOST_LISTED: usize = 3;

/// A hash key of the stones on a board. Two boards with the same key have the same stones, except for chance collisions
/// of 128 bits.
pub type Key = u128;

/// Keeps the salts of this file apart from other random words.
const SALT: u64 = 0x6c69_6e65_5f62_6f61;

/// By cell and player, two random words for the key.
fn salts(cells: usize) -> Vec<[Key; 2]> {
    let salt = |number: usize| {
        let [low, high] = [2 * number, 2 * number + 1].map(|word| u128::from(mix(word as u64 ^ SALT)));
        low | high << 64
    };
    (0..cells).map(|cell| [salt(2 * cell), salt(2 * cell + 1)]).collect()
}

/// The live lines of one player.
struct PlayerLines {
    /// The weight of the live lines through each cell.
    weights: Vec<i32>,
    /// The live lines that lack 1 to [`MOST_LISTED`] stones: bit `i` of all words stands for line `i`.
    listed: [Vec<u64>; MOST_LISTED],
}

/// A board with the live lines of both players. Stones can be put on it and taken off again.
pub struct LineBoard {
    geometry: Arc<Geometry>,
    /// By cell and player, two random words for the key.
    salts: Vec<[Key; 2]>,
    stones: LineStones,
    sides: [PlayerLines; 2],
    /// The empty cells of each line: bit `i` stands for the `i`-th cell.
    gaps: Vec<u32>,
    key: Key,
}

impl Deref for LineBoard {
    type Target = LineStones;

    fn deref(&self) -> &LineStones {
        &self.stones
    }
}

impl LineBoard {
    /// The empty board.
    pub fn new(rules: Rules) -> LineBoard {
        let geometry = rules.geometry();
        let (length, lines, cells) = (geometry.line_length(), geometry.line_count(), geometry.cells());
        let side = || {
            let mut listed = [(); MOST_LISTED].map(|()| vec![0; lines.div_ceil(64)]);
            if (1..=MOST_LISTED).contains(&length) {
                (0..lines).for_each(|line| listed[length - 1][line / 64] |= 1 << (line % 64));
            }
            let weight = |cell| geometry.through(cell).len() as i32 * weight_of_line(length);
            let weights = (0..cells as u16).map(weight).collect();
            PlayerLines { weights, listed }
        };
        LineBoard {
            sides: [side(), side()],
            gaps: vec![((1u64 << length) - 1) as u32; lines],
            stones: LineStones::new(&geometry),
            salts: salts(cells),
            geometry,
            key: 0,
        }
    }

    /// Changes the stones to those of a position.
    pub fn set_up(&mut self, position: &Position) {
        for cell in Cell::all(self.geometry.shape()) {
            let number = self.number(cell);
            let wanted = position.occupant(cell).map(|player| player as usize);
            let there = self.owner(number);
            if let Some(player) = there.filter(|_| there != wanted) {
                self.take(number, player);
            }
            if let Some(player) = wanted.filter(|_| there != wanted) {
                self.put(number, player);
            }
        }
    }

    /// Puts a stone of a player (0 for X, 1 for O) on an empty cell.
    pub fn put(&mut self, cell: u16, player: usize) {
        self.add::<true>(cell, player);
    }

    /// Takes a stone of a player off.
    pub fn take(&mut self, cell: u16, player: usize) {
        self.remove::<true>(cell, player);
    }

    /// Puts a stone on an empty cell, and leaves the weights as they are. This takes half the time.
    pub fn put_unweighed(&mut self, cell: u16, player: usize) {
        self.add::<false>(cell, player);
    }

    /// Takes a stone off that [`LineBoard::put_unweighed`] has put there.
    pub fn take_unweighed(&mut self, cell: u16, player: usize) {
        self.remove::<false>(cell, player);
    }

    #[inline(always)]
    fn add<const WEIGHS: bool>(&mut self, cell: u16, player: usize) {
        self.stones.put(cell, player);
        self.key ^= self.salts[usize::from(cell)][player];
        let length = self.geometry.line_length();
        let LineBoard { geometry, stones, sides, gaps, .. } = self;
        for (line, place) in geometry.places(cell) {
            gaps[usize::from(line)] &= !(1 << place);
            let (mine, theirs) = stones.add(line, player);
            if theirs == 0 {
                sides[player].change::<WEIGHS>(geometry, line, Some(length - mine), Some(length - mine - 1));
            }
            if mine == 0 {
                sides[1 - player].change::<WEIGHS>(geometry, line, Some(length - theirs), None);
            }
        }
    }

    #[inline(always)]
    fn remove<const WEIGHS: bool>(&mut self, cell: u16, player: usize) {
        self.stones.take(cell);
        self.key ^= self.salts[usize::from(cell)][player];
        let length = self.geometry.line_length();
        let LineBoard { geometry, stones, sides, gaps, .. } = self;
        for (line, place) in geometry.places(cell) {
            gaps[usize::from(line)] |= 1 << place;
            let (mine, theirs) = stones.remove(line, player);
            if theirs == 0 {
                sides[player].change::<WEIGHS>(geometry, line, Some(length - mine - 1), Some(length - mine));
            }
            if mine == 0 {
                sides[1 - player].change::<WEIGHS>(geometry, line, None, Some(length - theirs));
            }
        }
    }

    /// The cell with a number.
    pub fn cell(&self, number: u16) -> Cell {
        self.geometry.cell(number)
    }

    /// The number of a cell.
    pub fn number(&self, cell: Cell) -> u16 {
        self.geometry.number(cell)
    }

    /// The distance of a cell from the centre of the board: the larger of rows and columns, in half cells.
    pub fn distance_to_centre(&self, number: u16) -> u8 {
        let cell = self.cell(number);
        let distance = |index: u8, side: u8| (2 * index).abs_diff(side - 1);
        let Shape { rows, columns } = self.geometry.shape();
        distance(cell.row(), rows).max(distance(cell.column(), columns))
    }

    /// Cells in a line; 0 when no line fits on the board.
    pub fn line_length(&self) -> usize {
        self.geometry.line_length()
    }

    /// The key of the stones.
    pub fn key(&self) -> Key {
        self.key
    }

    /// The player's live lines that lack `stones` stones, 1 to [`MOST_LISTED`], by number.
    pub fn listed(&self, player: usize, stones: usize) -> impl Iterator<Item = u16> + '_ {
        let words = self.sides[player].listed[stones - 1].iter().enumerate();
        words.flat_map(|(index, &word)| bits(word).map(move |bit| (64 * index) as u16 + bit))
    }

    /// The empty cells of a line.
    pub fn gaps(&self, line: u16) -> impl Iterator<Item = u16> + '_ {
        let cells = self.geometry.line(line);
        bits(self.gaps[usize::from(line)].into()).map(|place| cells[usize::from(place)])
    }

    /// The player's live lines through a cell that lack `stones` stones.
    pub fn live_through(&self, player: usize, cell: u16, stones: usize) -> impl Iterator<Item = u16> + '_ {
        let has = self.geometry.line_length().wrapping_sub(stones);
        let lines = self.geometry.through(cell).iter().copied();
        lines.filter(move |&line| usize::from(self.stones.stones(player, line)) == has && self.is_live(player, line))
    }

    /// The empty cells on which the player completes a line, in reading order.
    pub fn completions(&self, player: usize) -> Vec<u16> {
        self.cells_of_listed(player, 1)
    }

    /// The empty cells of the player's lines that lack `stones` stones, 1 to [`MOST_LISTED`], in reading order.
    pub fn cells_of_listed(&self, player: usize, stones: usize) -> Vec<u16> {
        let mut cells: Vec<u16> = self.listed(player, stones).flat_map(|line| self.gaps(line)).collect();
        cells.sort_unstable();
        cells.dedup();
        cells
    }

    /// Up to two different cells on which the player completes a line.
    pub fn two_completions(&self, player: usize) -> [Option<u16>; 2] {
        if self.lines_lacking(player, 1) == 0 {
            return [None; 2];
        }
        let mut gaps = self.listed(player, 1).flat_map(|line| self.gaps(line));
        let first = gaps.next();
        [first, gaps.find(|&gap| Some(gap) != first)]
    }

    /// True if a stone of the player on the empty cell would complete a line.
    pub fn completes(&self, player: usize, cell: u16) -> bool {
        self.lines_lacking(player, 1) > 0 && self.live_through(player, cell, 1).next().is_some()
    }

    /// The weight of the player's live lines through a cell; 0 when there is none.
    pub fn weight(&self, player: usize, cell: u16) -> i32 {
        self.sides[player].weights[usize::from(cell)]
    }

    /// The weight of all live lines of the player.
    pub fn total_weight(&self, player: usize) -> i64 {
        let weight = |(lacking, weight)| i64::from(self.lines_lacking(player, lacking)) * i64::from(weight);
        WEIGHTS.into_iter().enumerate().map(weight).sum()
    }
}

/// The bits that are set in a word, from the lowest on.
fn bits(mut word: u64) -> impl Iterator<Item = u16> {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros();
        // Clears the lowest bit that is set; there is none below it in an empty word.
        word &= word.checked_sub(1)?;
        Some(bit as u16)
    })
}

impl PlayerLines {
    /// Updates the lists for a line that lacked `before` stones and lacks `now`. `None` stands for a line that is not
    /// live.
    #[inline(always)]
    fn change<const WEIGHS: bool>(
        &mut self,
        geometry: &Geometry,
        line: u16,
        before: Option<usize>,
        now: Option<usize>,
    ) {
        let weight = |lacking: Option<usize>| lacking.map_or(0, weight_of_line);
        let more = weight(now) - weight(before);
        for lacking in [before, now].into_iter().flatten() {
            if let Some(words) = lacking.checked_sub(1).and_then(|index| self.listed.get_mut(index)) {
                words[usize::from(line) / 64] ^= 1 << (line % 64);
            }
        }
        if WEIGHS && more != 0 {
            geometry.line(line).iter().for_each(|&cell| self.weights[usize::from(cell)] += more);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Stream, below, generator};

    /// A new board with the stones of a position.
    fn afresh(position: &Position) -> LineBoard {
        let mut board = LineBoard::new(position.rules());
        board.set_up(position);
        board
    }

    #[test]
    fn a_board_after_moves_and_undos_equals_a_fresh_board() {
        let mut random = generator(1, Stream::Go(1));
        for (size, connect) in [(1, 0), (2, 0), (3, 0), (3, 1), (4, 5), (5, 4), (8, 5), (15, 5), (20, 20)] {
            let start = Position::start(Rules::new(size, connect, false).unwrap());
            let mut board = LineBoard::new(start.rules());
            let mut position = start;
            let mut played = Vec::new();
            while position.outcome().is_none() {
                let moves: Vec<Cell> = position.moves().collect();
                let cell = moves[below(&mut random, moves.len() as u32) as usize];
                board.put(board.number(cell), position.side() as usize);
                played.push((board.number(cell), position.side() as usize));
                position = position.after(cell);
                let fresh = afresh(&position);
                assert_eq!(board.key(), fresh.key());
                assert_eq!(board.gaps, fresh.gaps);
                let (number, player) = *played.last().expect("a move");
                board.take(number, player);
                let before = board.sides[player].weights.clone();
                board.put_unweighed(number, player);
                assert_eq!((board.key(), &board.stones, &board.gaps), (fresh.key(), &fresh.stones, &fresh.gaps));
                assert!([0, 1].iter().all(|&side| board.sides[side].listed == fresh.sides[side].listed));
                assert_eq!(board.sides[player].weights, before);
                board.take_unweighed(number, player);
                board.put(number, player);
                for player in [0, 1] {
                    let [one, other] = [&board, &fresh].map(|board| &board.sides[player]);
                    assert_eq!(one.weights, other.weights);
                    assert_eq!(board.stones, fresh.stones);
                    assert_eq!(one.listed, other.listed);
                    for lacking in 1..=MOST_LISTED {
                        let mut lines = board.listed(player, lacking);
                        assert!(lines.all(|line| board.gaps(line).count() == lacking));
                    }
                    let weights = |board: &LineBoard| -> Vec<bool> {
                        position.moves().map(|cell| board.completes(player, board.number(cell))).collect()
                    };
                    let completes = |cell| {
                        let mut after = position;
                        if after.side() as usize != player {
                            return false;
                        }
                        after.play(cell).is_ok() && !after.completed_line().is_empty()
                    };
                    if position.side() as usize == player {
                        assert_eq!(weights(&board), position.moves().map(completes).collect::<Vec<_>>());
                    }
                }
            }
            played.iter().rev().for_each(|&(cell, player)| board.take(cell, player));
            assert_eq!(board.sides[0].weights, afresh(&start).sides[0].weights);
            assert!(board.empty_cells().count() == start.rules().cells());
            assert_eq!(board.key(), 0);
        }
    }
}
