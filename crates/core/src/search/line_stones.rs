//! The stones on a board and in its lines.

use crate::game::{Geometry, MAX_SIZE};

/// The longest line there can be.
pub const LONGEST: usize = MAX_SIZE as usize;

const EMPTY: u8 = 2;

/// The stones of both players (0 is X, 1 is O) on a board and in each of its lines, and the numbers of live lines.
///
/// A line is *live* for a player while its opponent has no stone in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineStones {
    length: usize,
    /// 0 or 1 for a stone, [`EMPTY`] without one.
    owner: Vec<u8>,
    /// By line, the stones of each player in it.
    stones: Vec<[u8; 2]>,
    /// The number of live lines of each player, by the number of stones in them.
    live: [[u16; LONGEST + 1]; 2],
    empty: u16,
}

impl LineStones {
    /// The empty board.
    pub fn new(geometry: &Geometry) -> LineStones {
        let mut live = [0; LONGEST + 1];
        live[0] = geometry.line_count() as u16;
        LineStones {
            length: geometry.line_length(),
            owner: vec![EMPTY; geometry.cells()],
            stones: vec![[0; 2]; geometry.line_count()],
            live: [live, live],
            empty: geometry.cells() as u16,
        }
    }

    /// Puts a stone on an empty cell. The caller adds it to the lines through the cell.
    pub fn put(&mut self, cell: u16, player: usize) {
        self.owner[usize::from(cell)] = player as u8;
        self.empty -= 1;
    }

    /// Takes the stone off a cell. The caller removes it from the lines through the cell.
    pub fn take(&mut self, cell: u16) {
        self.owner[usize::from(cell)] = EMPTY;
        self.empty += 1;
    }

    /// Adds a stone of a player to a line. Returns the stones of the player and of the opponent that were in it before.
    #[inline(always)]
    pub fn add(&mut self, line: u16, player: usize) -> (usize, usize) {
        let stones = &mut self.stones[usize::from(line)];
        let (mine, theirs) = (usize::from(stones[player]), usize::from(stones[1 - player]));
        stones[player] += 1;
        if theirs == 0 {
            self.live[player][mine] -= 1;
            self.live[player][mine + 1] += 1;
        }
        if mine == 0 {
            self.live[1 - player][theirs] -= 1;
        }
        (mine, theirs)
    }

    /// Removes a stone of a player from a line. Returns the stones of the player and of the opponent that are left in it.
    #[inline(always)]
    pub fn remove(&mut self, line: u16, player: usize) -> (usize, usize) {
        let stones = &mut self.stones[usize::from(line)];
        stones[player] -= 1;
        let (mine, theirs) = (usize::from(stones[player]), usize::from(stones[1 - player]));
        if theirs == 0 {
            self.live[player][mine] += 1;
            self.live[player][mine + 1] -= 1;
        }
        if mine == 0 {
            self.live[1 - player][theirs] += 1;
        }
        (mine, theirs)
    }

    /// The player whose stone is on a cell.
    pub fn owner(&self, cell: u16) -> Option<usize> {
        Some(usize::from(self.owner[usize::from(cell)])).filter(|&owner| owner < 2)
    }

    /// True if a cell has no stone.
    pub fn is_empty(&self, cell: u16) -> bool {
        self.owner[usize::from(cell)] == EMPTY
    }

    /// The number of empty cells.
    pub fn empty(&self) -> u16 {
        self.empty
    }

    /// The empty cells in reading order.
    pub fn empty_cells(&self) -> impl Iterator<Item = u16> {
        self.owner.iter().enumerate().filter(|(_, owner)| **owner == EMPTY).map(|(cell, _)| cell as u16)
    }

    /// The stones of a player in a line.
    pub fn stones(&self, player: usize, line: u16) -> u8 {
        self.stones[usize::from(line)][player]
    }

    /// True if a line is live for a player.
    pub fn is_live(&self, player: usize, line: u16) -> bool {
        self.stones(1 - player, line) == 0
    }

    /// The number of live lines of a player that lack so many stones.
    pub fn lines_lacking(&self, player: usize, stones: usize) -> u16 {
        self.live[player].get(self.length.wrapping_sub(stones)).copied().unwrap_or(0)
    }

    /// The sum over the player's live lines that lack at most so many stones of 2^(length - lacking). A completed line
    /// counts 2^length.
    pub fn potential(&self, player: usize, most_lacking: usize) -> u64 {
        let least = self.length.saturating_sub(most_lacking);
        (least..=self.length).map(|stones| u64::from(self.live[player][stones]) << stones).sum()
    }

    /// True if a player has a live line.
    pub fn has_live_line(&self, player: usize) -> bool {
        self.live[player].iter().any(|&count| count > 0)
    }
}
