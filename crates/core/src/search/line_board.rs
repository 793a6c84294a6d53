//! The live lines of both players, kept up to date from move to move.
//!
//! A line is *live* for a player while its opponent has no stone in it. The board lists the live lines that lack one, two
//! or three stones, and keeps for every cell the weight of all live lines through it. This shows wins, forced replies and
//! threats without a search, and it ranks the moves.

use crate::game::{Cell, Position, Rules};
use crate::search::request::mix;

/// The longest line there can be.
const LONGEST: usize = crate::game::MAX_SIZE as usize;

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

/// The cells of every line, and the lines through every cell. Cell `r,c` has the number `r * size + c`.
struct LineIndex {
    length: usize,
    cells: Vec<u16>,
    through: Vec<Passage>,
    through_start: Vec<u32>,
    /// By cell and player, two random words for the key.
    salts: Vec<[Key; 2]>,
}

/// A line through a cell.
#[derive(Clone, Copy)]
struct Passage {
    line: u16,
    /// The place of the cell in the line, from 0.
    place: u8,
}

/// A hash key of the stones on a board. Two boards with the same key have the same stones, except for chance collisions
/// of 128 bits.
pub type Key = u128;

impl LineIndex {
    fn new(rules: Rules) -> LineIndex {
        let size = rules.size();
        let lines: Vec<Vec<u16>> =
            rules.lines().iter().map(|line| line.iter().map(|cell| cell.index(size) as u16).collect()).collect();
        let mut by_cell: Vec<Vec<Passage>> = vec![Vec::new(); rules.cells()];
        for (number, line) in lines.iter().enumerate() {
            for (place, &cell) in line.iter().enumerate() {
                by_cell[usize::from(cell)].push(Passage { line: number as u16, place: place as u8 });
            }
        }
        let mut through_start = vec![0];
        let mut count = 0;
        for lines in &by_cell {
            count += lines.len() as u32;
            through_start.push(count);
        }
        let salt = |number: usize| {
            let [low, high] = [2 * number, 2 * number + 1].map(|word| u128::from(mix(word as u64 ^ SALT)));
            low | high << 64
        };
        LineIndex {
            length: lines.first().map_or(0, Vec::len),
            cells: lines.into_iter().flatten().collect(),
            through: by_cell.into_iter().flatten().collect(),
            through_start,
            salts: (0..rules.cells()).map(|cell| [salt(2 * cell), salt(2 * cell + 1)]).collect(),
        }
    }

    fn line(&self, line: u16) -> &[u16] {
        let start = usize::from(line) * self.length;
        &self.cells[start..start + self.length]
    }

    fn through(&self, cell: u16) -> &[Passage] {
        let [start, end] = [0, 1].map(|next| self.through_start[usize::from(cell) + next] as usize);
        &self.through[start..end]
    }
}

/// Keeps the salts of this file apart from other random words.
const SALT: u64 = 0x6c69_6e65_5f62_6f61;

/// The stones of one player in the lines, and the live lines of that player.
struct PlayerLines {
    /// Stones in each line.
    stones: Vec<u8>,
    /// The weight of the live lines through each cell.
    weights: Vec<i32>,
    /// The number of live lines, by the number of stones that they lack.
    count: [u16; LONGEST + 1],
    /// The live lines that lack 1 to [`MOST_LISTED`] stones, in no order.
    listed: [Vec<u16>; MOST_LISTED],
    /// The index of each listed line in its list.
    places: Vec<u16>,
}

/// A board with the live lines of both players. Stones can be put on it and taken off again.
pub struct LineBoard {
    size: u8,
    lines: LineIndex,
    sides: [PlayerLines; 2],
    /// The empty cells of each line: bit `i` stands for the `i`-th cell.
    gaps: Vec<u32>,
    /// 0 or 1 for a stone of X or O, [`EMPTY`] without one.
    owner: Vec<u8>,
    key: Key,
}

const EMPTY: u8 = 2;

impl LineBoard {
    /// The empty board.
    pub fn new(rules: Rules) -> LineBoard {
        let lines = LineIndex::new(rules);
        let number = lines.cells.len().checked_div(lines.length).unwrap_or(0);
        let weight = |cell: usize| lines.through(cell as u16).len() as i32 * weight_of_line(lines.length);
        let side = || {
            let mut count = [0; LONGEST + 1];
            count[lines.length] = number as u16;
            let mut listed = [const { Vec::new() }; MOST_LISTED];
            let places: Vec<u16> = (0..number as u16).collect();
            if (1..=MOST_LISTED).contains(&lines.length) {
                listed[lines.length - 1].clone_from(&places);
            }
            let weights = (0..rules.cells()).map(weight).collect();
            PlayerLines { stones: vec![0; number], weights, count, listed, places }
        };
        let sides = [side(), side()];
        let gaps = vec![((1u64 << lines.length) - 1) as u32; number];
        LineBoard { size: rules.size(), lines, sides, gaps, owner: vec![EMPTY; rules.cells()], key: 0 }
    }

    /// Changes the stones to those of a position.
    pub fn set_up(&mut self, position: &Position) {
        for cell in Cell::all(self.size) {
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
        self.owner[usize::from(cell)] = player as u8;
        self.key ^= self.lines.salts[usize::from(cell)][player];
        let length = self.lines.length;
        let LineBoard { lines, sides, gaps, .. } = self;
        for &Passage { line, place } in lines.through(cell) {
            gaps[usize::from(line)] &= !(1 << place);
            let [mine, theirs] = [player, 1 - player].map(|side| usize::from(sides[side].stones[usize::from(line)]));
            sides[player].stones[usize::from(line)] += 1;
            if theirs == 0 {
                sides[player].change(lines, line, Some(length - mine), Some(length - mine - 1));
            }
            if mine == 0 {
                sides[1 - player].change(lines, line, Some(length - theirs), None);
            }
        }
    }

    /// Takes a stone of a player off.
    pub fn take(&mut self, cell: u16, player: usize) {
        self.owner[usize::from(cell)] = EMPTY;
        self.key ^= self.lines.salts[usize::from(cell)][player];
        let length = self.lines.length;
        let LineBoard { lines, sides, gaps, .. } = self;
        for &Passage { line, place } in lines.through(cell) {
            gaps[usize::from(line)] |= 1 << place;
            sides[player].stones[usize::from(line)] -= 1;
            let [mine, theirs] = [player, 1 - player].map(|side| usize::from(sides[side].stones[usize::from(line)]));
            if theirs == 0 {
                sides[player].change(lines, line, Some(length - mine - 1), Some(length - mine));
            }
            if mine == 0 {
                sides[1 - player].change(lines, line, None, Some(length - theirs));
            }
        }
    }

    /// The cell with a number.
    pub fn cell(&self, number: u16) -> Cell {
        let size = u16::from(self.size);
        Cell::new((number / size) as u8, (number % size) as u8)
    }

    /// The number of a cell.
    pub fn number(&self, cell: Cell) -> u16 {
        cell.index(self.size) as u16
    }

    /// The distance of a cell from the centre of the board: the larger of rows and columns, in half cells.
    pub fn distance_to_centre(&self, number: u16) -> u8 {
        let cell = self.cell(number);
        let distance = |index: u8| (2 * index).abs_diff(self.size - 1);
        distance(cell.row()).max(distance(cell.column()))
    }

    /// Cells in a line; 0 when no line fits on the board.
    pub fn line_length(&self) -> usize {
        self.lines.length
    }

    /// The key of the stones.
    pub fn key(&self) -> Key {
        self.key
    }

    fn owner(&self, cell: u16) -> Option<usize> {
        Some(usize::from(self.owner[usize::from(cell)])).filter(|&owner| owner < 2)
    }

    /// The empty cells in reading order.
    pub fn empty_cells(&self) -> impl Iterator<Item = u16> {
        self.owner.iter().enumerate().filter(|(_, owner)| **owner == EMPTY).map(|(cell, _)| cell as u16)
    }

    /// True if a cell has no stone.
    pub fn is_empty(&self, cell: u16) -> bool {
        self.owner[usize::from(cell)] == EMPTY
    }

    /// The number of the player's live lines that lack `stones` stones.
    pub fn lines_lacking(&self, player: usize, stones: usize) -> u16 {
        self.sides[player].count[stones]
    }

    /// The player's live lines that lack `stones` stones, 1 to [`MOST_LISTED`], in no order.
    pub fn listed(&self, player: usize, stones: usize) -> &[u16] {
        &self.sides[player].listed[stones - 1]
    }

    /// The empty cells of a line.
    pub fn gaps(&self, line: u16) -> impl Iterator<Item = u16> + '_ {
        let cells = self.lines.line(line);
        let mut gaps = self.gaps[usize::from(line)];
        std::iter::from_fn(move || {
            let place = gaps.trailing_zeros();
            // Clears the lowest bit that is set; there is none below it in an empty word.
            gaps &= gaps.checked_sub(1)?;
            Some(cells[place as usize])
        })
    }

    /// The player's live lines through a cell that lack `stones` stones.
    pub fn live_through(&self, player: usize, cell: u16, stones: usize) -> impl Iterator<Item = u16> + '_ {
        let [mine, theirs] = [player, 1 - player].map(|side| &self.sides[side].stones);
        let has = self.lines.length.wrapping_sub(stones);
        let lines = self.lines.through(cell).iter().map(|passage| passage.line);
        lines.filter(move |&line| usize::from(mine[usize::from(line)]) == has && theirs[usize::from(line)] == 0)
    }

    /// True if the player has a live line.
    pub fn has_live_line(&self, player: usize) -> bool {
        self.sides[player].count.iter().any(|&count| count > 0)
    }

    /// The empty cells on which the player completes a line, in reading order.
    pub fn completions(&self, player: usize) -> Vec<u16> {
        self.cells_of_listed(player, 1)
    }

    /// The empty cells of the player's lines that lack `stones` stones, 1 to [`MOST_LISTED`], in reading order.
    pub fn cells_of_listed(&self, player: usize, stones: usize) -> Vec<u16> {
        let lines = self.listed(player, stones).iter();
        let mut cells: Vec<u16> = lines.flat_map(|&line| self.gaps(line)).collect();
        cells.sort_unstable();
        cells.dedup();
        cells
    }

    /// Up to two different cells on which the player completes a line.
    pub fn two_completions(&self, player: usize) -> [Option<u16>; 2] {
        let mut gaps = self.listed(player, 1).iter().flat_map(|&line| self.gaps(line));
        let first = gaps.next();
        [first, gaps.find(|&gap| Some(gap) != first)]
    }

    /// True if a stone of the player on the empty cell would complete a line.
    pub fn completes(&self, player: usize, cell: u16) -> bool {
        self.sides[player].count[1] > 0 && self.live_through(player, cell, 1).next().is_some()
    }

    /// True if the player has a line through the empty cell that lacks two stones.
    pub fn threatens(&self, player: usize, cell: u16) -> bool {
        self.live_through(player, cell, 2).next().is_some()
    }

    /// The weight of the player's live lines through a cell; 0 when there is none.
    pub fn weight(&self, player: usize, cell: u16) -> i32 {
        self.sides[player].weights[usize::from(cell)]
    }

    /// The weight of all live lines of the player.
    pub fn total_weight(&self, player: usize) -> i64 {
        let weights = self.sides[player].count.iter().zip(WEIGHTS);
        weights.map(|(&count, weight)| i64::from(count) * i64::from(weight)).sum()
    }
}

impl PlayerLines {
    /// Updates the lists for a line that lacked `before` stones and lacks `now`. `None` stands for a line that is not
    /// live.
    fn change(&mut self, lines: &LineIndex, line: u16, before: Option<usize>, now: Option<usize>) {
        let weight = |lacking: Option<usize>| lacking.map_or(0, weight_of_line);
        let is_listed = |lacking: &usize| (1..=MOST_LISTED).contains(lacking);
        let more = weight(now) - weight(before);
        if let Some(lacking) = before {
            self.count[lacking] -= 1;
        }
        if let Some(lacking) = now {
            self.count[lacking] += 1;
        }
        if let Some(lacking) = before.filter(is_listed) {
            let list = &mut self.listed[lacking - 1];
            let place = self.places[usize::from(line)];
            list.swap_remove(usize::from(place));
            if let Some(&moved) = list.get(usize::from(place)) {
                self.places[usize::from(moved)] = place;
            }
        }
        if let Some(lacking) = now.filter(is_listed) {
            let list = &mut self.listed[lacking - 1];
            self.places[usize::from(line)] = list.len() as u16;
            list.push(line);
        }
        if more != 0 {
            lines.line(line).iter().for_each(|&cell| self.weights[usize::from(cell)] += more);
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
                for player in [0, 1] {
                    let [one, other] = [&board, &fresh].map(|board| &board.sides[player]);
                    assert_eq!((&one.weights, &one.count), (&other.weights, &other.count));
                    let sorted = |side: &PlayerLines| side.listed.clone().map(|mut list| (list.sort_unstable(), list));
                    assert_eq!(sorted(one), sorted(other));
                    for (lacking, list) in one.listed.iter().enumerate() {
                        let fits = |&line: &u16| board.gaps(line).count() == lacking + 1;
                        assert!(list.iter().all(fits));
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
