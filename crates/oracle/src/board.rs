//! The rules of the game, by loops over the cells.

use std::collections::BTreeMap;

use crate::Player;

/// The end of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// This player has won.
    Win(Player),
    /// The board is full, and nobody has completed a line.
    Draw,
}

/// A board cell by cell. The cell in row `r` and column `c` has the index `r * columns + c`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Board {
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub columns: usize,
    /// The number of stones that complete a line. No line fits if it is larger than the board.
    pub length: usize,
    /// True if a completed line loses.
    pub reverse: bool,
    /// The owners of the stones, by the indices of the cells.
    pub stones: Vec<Option<Player>>,
    /// The side to move.
    pub side: Player,
}

impl Board {
    /// An empty square board, otherwise as [`Board::rectangle`].
    pub fn new(size: usize, connect: usize, reverse: bool) -> Board {
        Board::rectangle(size, size, connect, reverse)
    }

    /// An empty board. If `connect` is 0, as many in a row complete a line as the shorter side has cells.
    pub fn rectangle(rows: usize, columns: usize, connect: usize, reverse: bool) -> Board {
        let length = if connect == 0 { rows.min(columns) } else { connect };
        Board { rows, columns, length, reverse, stones: vec![None; rows * columns], side: Player::X }
    }

    /// The cells of each line that the player has completed. A line of one cell is there once for each direction.
    pub fn completed(&self, player: Player) -> Vec<Vec<usize>> {
        let [rows, columns, length] = [self.rows, self.columns, self.length].map(|number| number as isize);
        let mut lines = Vec::new();
        for start in (0..self.stones.len() as isize).filter(|&start| self.stones[start as usize] == Some(player)) {
            for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                let (row, column) = (start / columns + down * (length - 1), start % columns + right * (length - 1));
                if row >= rows || !(0..columns).contains(&column) {
                    continue;
                }
                let line = (0..length).map(|step| (start + step * (down * columns + right)) as usize);
                if line.clone().all(|cell| self.stones[cell] == Some(player)) {
                    lines.push(line.collect());
                }
            }
        }
        lines
    }

    /// The cells of every line of the board.
    pub fn lines(&self) -> Vec<Vec<usize>> {
        Board { stones: vec![Some(Player::X); self.stones.len()], ..self.clone() }.completed(Player::X)
    }

    /// The end of the game, if it has ended. At most one of the players has completed a line.
    pub fn outcome(&self) -> Option<Outcome> {
        for player in Player::BOTH {
            if !self.completed(player).is_empty() {
                return Some(Outcome::Win(if self.reverse { !player } else { player }));
            }
        }
        self.stones.iter().all(Option::is_some).then_some(Outcome::Draw)
    }

    /// The empty cells.
    pub fn empties(&self) -> Vec<usize> {
        (0..self.stones.len()).filter(|&cell| self.stones[cell].is_none()).collect()
    }

    /// The legal moves: none when the game is over.
    pub fn moves(&self) -> Vec<usize> {
        if self.outcome().is_some() { Vec::new() } else { self.empties() }
    }

    /// Puts a stone of the side to move on a cell.
    pub fn play(&mut self, cell: usize) {
        self.stones[cell] = Some(self.side);
        self.side = !self.side;
    }

    /// The board after a move.
    pub fn after(&self, cell: usize) -> Board {
        let mut after = self.clone();
        after.play(cell);
        after
    }

    /// The position with the colours exchanged.
    pub fn exchanged(&self) -> Board {
        let stones = self.stones.iter().map(|stone| stone.map(|player| !player)).collect();
        Board { stones, side: !self.side, ..*self }
    }

    /// Every board at the end of a game from here, with its probability if all moves are uniformly random.
    pub fn final_boards(&self) -> BTreeMap<Board, f64> {
        let mut ply = BTreeMap::from([(self.clone(), 1.0)]);
        let mut final_boards = BTreeMap::new();
        while !ply.is_empty() {
            let mut next = BTreeMap::new();
            for (board, chance) in ply {
                let moves = board.moves();
                for &cell in &moves {
                    *next.entry(board.after(cell)).or_default() += chance / moves.len() as f64;
                }
                if moves.is_empty() {
                    final_boards.insert(board, chance);
                }
            }
            ply = next;
        }
        final_boards
    }
}
