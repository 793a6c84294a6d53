//! A board on which moves are made and unmade.

use std::sync::Arc;

use crate::game::{Cell, Geometry, Player, Position, Rules, Value};
use crate::search::line_stones::LineStones;

/// The most cells of a board whose keys fit: 3^64 is less than 2^128.
const MOST_KEYED: usize = 64;

/// A game on a board with its cells in reading order, numbered from 0.
///
/// Moves may be played after the end of the game. A search that stops there calls [`UndoBoard::final_value`].
pub struct UndoBoard {
    rules: Rules,
    stones: LineStones,
    side: Player,
    /// Moves played since the board was set up, and not taken back.
    pub played: usize,
    geometry: Arc<Geometry>,
    /// By symmetry and cell: the weight of the image of the cell in a number in base 3. None on boards of more than 64 cells.
    weights: Option<Vec<Vec<u128>>>,
    key: u128,
}

impl UndoBoard {
    /// The board of a position in which the game goes on.
    pub fn of(position: &Position) -> UndoBoard {
        let rules = position.rules();
        let shape = rules.shape();
        let geometry = rules.geometry();
        let mut board = UndoBoard {
            rules,
            stones: LineStones::new(&geometry),
            side: position.side(),
            played: 0,
            weights: (rules.cells() <= MOST_KEYED)
                .then(|| geometry.images().iter().map(|images| weights(images)).collect()),
            geometry,
            key: 0,
        };
        for player in Player::BOTH {
            position.stones(player).iter().for_each(|cell| board.put(cell.index(shape), player));
        }
        board
    }

    /// The number of cells, empty or not.
    pub fn cells(&self) -> usize {
        self.rules.cells()
    }

    /// True if a cell has no stone.
    pub fn is_empty(&self, cell: usize) -> bool {
        self.stones.is_empty(cell as u16)
    }

    /// The cell with this number.
    pub fn cell(&self, cell: usize) -> Cell {
        self.geometry.cell(cell as u16)
    }

    /// Plays a move of the side to move on an empty cell.
    pub fn play(&mut self, cell: usize) {
        self.put(cell, self.side);
        self.side = !self.side;
        self.played += 1;
    }

    /// Takes the last move back, which was to `cell`.
    pub fn undo(&mut self, cell: usize) {
        self.side = !self.side;
        self.played -= 1;
        self.stones.take(cell as u16);
        for &line in self.geometry.through(cell as u16) {
            self.stones.remove(line, self.side as usize);
        }
        self.key -= self.digit(cell, self.side);
    }

    /// The value of a finished game to the side that would be to move; `None` while the game goes on. Only the lines of the
    /// opponent are tested, because it made the last move.
    pub fn final_value(&self) -> Option<Value> {
        if self.stones.lines_lacking(!self.side as usize, 0) > 0 {
            Some(self.rules.value_after_line())
        } else {
            (self.stones.empty() == 0).then_some(Value::Draw)
        }
    }

    /// The stones as a number in base 3, a digit a cell: 0 empty, 1 X, 2 O. None on boards of more than 64 cells.
    pub fn key(&self) -> Option<u128> {
        self.weights.as_ref().map(|_| self.key)
    }

    /// The smallest key among the images of the board: the same for all of them.
    pub fn canonical_key(&self) -> Option<u128> {
        let digit = |cell: usize| self.stones.owner(cell as u16).map_or(0, |player| digit(Player::BOTH[player]));
        let image = |weights: &Vec<u128>| weights.iter().enumerate().map(|(cell, weight)| weight * digit(cell)).sum();
        self.weights.as_ref()?.iter().map(image).min()
    }

    fn put(&mut self, cell: usize, player: Player) {
        self.stones.put(cell as u16, player as usize);
        for &line in self.geometry.through(cell as u16) {
            self.stones.add(line, player as usize);
        }
        self.key += self.digit(cell, player);
    }

    /// The number that a stone adds to the key.
    fn digit(&self, cell: usize, player: Player) -> u128 {
        self.weights.as_ref().map_or(0, |weights| weights[0][cell] * digit(player))
    }
}

fn digit(player: Player) -> u128 {
    match player {
        Player::X => 1,
        Player::O => 2,
    }
}

/// The last cells have the least weight. A search that tries cells in order changes these most, so its keys stay near each
/// other in a table.
fn weights(images: &[u16]) -> Vec<u128> {
    images.iter().map(|&image| 3u128.pow(images.len() as u32 - 1 - u32::from(image))).collect()
}
