//! The live lines of both players, kept up to date from move to move.
//!
//! A line is *live* for a player while its opponent has no stone in it. For every cell, the board keeps the number of live
//! lines through it that lack one stone, the number of those that lack two, and the weight of all of them. This shows
//! wins, forced replies and threats without a search, and it ranks the moves.

use crate::game::{Cell, Position, Rules};

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
pub fn weight_of_line(lacking: usize) -> i32 {
    WEIGHTS[lacking.min(LONGEST)]
}

/// The cells of every line, and the lines through every cell. Cell `r,c` has the number `r * size + c`.
struct LineIndex {
    length: usize,
    cells: Vec<u16>,
    through: Vec<u16>,
    through_start: Vec<u32>,
}

impl LineIndex {
    fn new(rules: Rules) -> LineIndex {
        let size = rules.size();
        let lines: Vec<Vec<u16>> =
            rules.lines().iter().map(|line| line.iter().map(|cell| cell.index(size) as u16).collect()).collect();
        let mut by_cell: Vec<Vec<u16>> = vec![Vec::new(); rules.cells()];
        for (number, line) in lines.iter().enumerate() {
            line.iter().for_each(|&cell| by_cell[usize::from(cell)].push(number as u16));
        }
        let mut through_start = vec![0];
        let mut count = 0;
        for lines in &by_cell {
            count += lines.len() as u32;
            through_start.push(count);
        }
        LineIndex {
            length: lines.first().map_or(0, Vec::len),
            cells: lines.into_iter().flatten().collect(),
            through: by_cell.into_iter().flatten().collect(),
            through_start,
        }
    }
}

/// The stones of one player in the lines, and the live lines of that player.
struct PlayerLines {
    /// Stones in each line.
    stones: Vec<u8>,
    /// Live lines through each cell that lack one stone.
    lacking_one: Vec<u8>,
    /// Live lines through each cell that lack two.
    lacking_two: Vec<u8>,
    /// The weight of the live lines through each cell.
    weights: Vec<i32>,
    /// The number of live lines, by the number of stones that they lack.
    count: [u16; LONGEST + 1],
}

/// A board with the live lines of both players. Stones can be put on it and taken off again.
pub struct LineBoard {
    size: u8,
    lines: LineIndex,
    sides: [PlayerLines; 2],
    /// 0 or 1 for a stone of X or O, [`EMPTY`] without one.
    owner: Vec<u8>,
}

const EMPTY: u8 = 2;

impl LineBoard {
    /// The empty board.
    pub fn new(rules: Rules) -> LineBoard {
        let lines = LineIndex::new(rules);
        let number = lines.cells.len().checked_div(lines.length).unwrap_or(0);
        let weight = |cell: usize| {
            (lines.through_start[cell + 1] - lines.through_start[cell]) as i32 * weight_of_line(lines.length)
        };
        let side = || {
            let mut count = [0; LONGEST + 1];
            count[lines.length] = number as u16;
            let through = |lacking: usize| -> Vec<u8> {
                let lines_through = |cell: usize| (lines.through_start[cell + 1] - lines.through_start[cell]) as u8;
                let all = |cell| if lines.length == lacking { lines_through(cell) } else { 0 };
                (0..rules.cells()).map(all).collect()
            };
            PlayerLines {
                stones: vec![0; number],
                lacking_one: through(1),
                lacking_two: through(2),
                weights: (0..rules.cells()).map(weight).collect(),
                count,
            }
        };
        let sides = [side(), side()];
        LineBoard { size: rules.size(), lines, sides, owner: vec![EMPTY; rules.cells()] }
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
        let length = self.lines.length;
        let LineBoard { lines, sides, .. } = self;
        for &line in lines.through(cell) {
            let [mine, theirs] = [player, 1 - player].map(|side| usize::from(sides[side].stones[usize::from(line)]));
            sides[player].stones[usize::from(line)] += 1;
            if theirs == 0 {
                sides[player].change(lines.line(line), Some(length - mine), Some(length - mine - 1));
            }
            if mine == 0 {
                sides[1 - player].change(lines.line(line), Some(length - theirs), None);
            }
        }
    }

    /// Takes a stone of a player off.
    pub fn take(&mut self, cell: u16, player: usize) {
        self.owner[usize::from(cell)] = EMPTY;
        let length = self.lines.length;
        let LineBoard { lines, sides, .. } = self;
        for &line in lines.through(cell) {
            sides[player].stones[usize::from(line)] -= 1;
            let [mine, theirs] = [player, 1 - player].map(|side| usize::from(sides[side].stones[usize::from(line)]));
            if theirs == 0 {
                sides[player].change(lines.line(line), Some(length - mine - 1), Some(length - mine));
            }
            if mine == 0 {
                sides[1 - player].change(lines.line(line), None, Some(length - theirs));
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

    /// Cells in a line; 0 when no line fits on the board.
    pub fn line_length(&self) -> usize {
        self.lines.length
    }

    fn owner(&self, cell: u16) -> Option<usize> {
        Some(usize::from(self.owner[usize::from(cell)])).filter(|&owner| owner < 2)
    }

    /// The empty cells in reading order.
    pub fn empty_cells(&self) -> impl Iterator<Item = u16> {
        self.owner.iter().enumerate().filter(|(_, owner)| **owner == EMPTY).map(|(cell, _)| cell as u16)
    }

    /// The number of the player's live lines that lack `stones` stones.
    pub fn lines_lacking(&self, player: usize, stones: usize) -> u16 {
        self.sides[player].count[stones]
    }

    /// Whether the player has a live line.
    pub fn has_live_line(&self, player: usize) -> bool {
        self.sides[player].count.iter().any(|&count| count > 0)
    }

    /// The empty cells on which the player completes a line, in reading order.
    pub fn completions(&self, player: usize) -> impl Iterator<Item = u16> {
        let is_any = self.sides[player].count[1] > 0;
        let side = &self.sides[player].lacking_one[..if is_any { self.owner.len() } else { 0 }];
        self.marked(side)
    }

    /// The empty cells of the player's lines that lack two stones, in reading order.
    pub fn threatening(&self, player: usize) -> impl Iterator<Item = u16> {
        let is_any = self.sides[player].count.get(2).is_some_and(|&count| count > 0);
        let side = &self.sides[player].lacking_two[..if is_any { self.owner.len() } else { 0 }];
        self.marked(side)
    }

    fn marked<'a>(&'a self, marks: &'a [u8]) -> impl Iterator<Item = u16> + 'a {
        let is_marked = |(mark, owner): (&u8, &u8)| *mark > 0 && *owner == EMPTY;
        marks.iter().zip(&self.owner).enumerate().filter(move |(_, pair)| is_marked(*pair)).map(|(cell, _)| cell as u16)
    }

    /// Whether a stone of the player on the cell would complete a line.
    pub fn completes(&self, player: usize, cell: u16) -> bool {
        self.sides[player].lacking_one[usize::from(cell)] > 0
    }

    /// Whether the player has a line through the cell that lacks two stones.
    pub fn threatens(&self, player: usize, cell: u16) -> bool {
        self.sides[player].lacking_two[usize::from(cell)] > 0
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

impl LineIndex {
    fn line(&self, line: u16) -> &[u16] {
        let start = usize::from(line) * self.length;
        &self.cells[start..start + self.length]
    }

    fn through(&self, cell: u16) -> &[u16] {
        let [start, end] = [0, 1].map(|next| self.through_start[usize::from(cell) + next] as usize);
        &self.through[start..end]
    }
}

impl PlayerLines {
    /// Updates the counts for a line with these cells, which lacked `before` stones and lacks `now`. `None` stands for a
    /// line that is not live.
    fn change(&mut self, cells: &[u16], before: Option<usize>, now: Option<usize>) {
        let weight = |lacking: Option<usize>| lacking.map_or(0, weight_of_line);
        let is = |lacking: Option<usize>, stones: usize| u8::from(lacking == Some(stones));
        let more = weight(now) - weight(before);
        if let Some(lacking) = before {
            self.count[lacking] -= 1;
        }
        if let Some(lacking) = now {
            self.count[lacking] += 1;
        }
        for &cell in cells {
            self.weights[usize::from(cell)] += more;
        }
        if is(before, 1) + is(now, 1) > 0 {
            for &cell in cells {
                let lacking = &mut self.lacking_one[usize::from(cell)];
                *lacking = *lacking + is(now, 1) - is(before, 1);
            }
        }
        if is(before, 2) + is(now, 2) > 0 {
            for &cell in cells {
                let lacking = &mut self.lacking_two[usize::from(cell)];
                *lacking = *lacking + is(now, 2) - is(before, 2);
            }
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
                for player in [0, 1] {
                    let [one, other] = [&board, &fresh].map(|board| &board.sides[player]);
                    assert_eq!((&one.weights, &one.count), (&other.weights, &other.count));
                    assert_eq!((&one.lacking_one, &one.lacking_two), (&other.lacking_one, &other.lacking_two));
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
        }
    }
}
