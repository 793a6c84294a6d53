//! The game by plain loops: nothing here is shared with the library but the types of its answers.

#![allow(dead_code)]

use noughts::game::{Cell, Diagram, DiagramRow, Outcome, Player, Position, Rules};

/// A board cell by cell, in reading order.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct PlainBoard {
    pub size: usize,
    /// The stones that complete a line; more than any line for none.
    pub length: usize,
    pub reverse: bool,
    pub stones: Vec<Option<Player>>,
    pub side: Player,
}

impl PlainBoard {
    pub fn empty(rules: Rules) -> PlainBoard {
        let size = usize::from(rules.size());
        let length = if rules.connect() == 0 { size } else { usize::from(rules.connect()) };
        PlainBoard { size, length, reverse: rules.reverse(), stones: vec![None; size * size], side: Player::X }
    }

    pub fn of(position: &Position) -> PlainBoard {
        let stones = Cell::all(position.rules().size()).map(|cell| position.occupant(cell)).collect();
        PlainBoard { stones, side: position.side(), ..PlainBoard::empty(position.rules()) }
    }

    /// The same as a position of the library; `None` if it refuses it.
    pub fn position(&self, rules: Rules) -> Option<Position> {
        let row = |stones: &[Option<Player>]| {
            let mut row = DiagramRow::default();
            stones.iter().for_each(|stone| match stone {
                Some(player) => row.push_stone(*player),
                None => row.push_empty(1),
            });
            row
        };
        let rows = self.stones.chunks(self.size).map(row).collect();
        Position::set_up(rules, &Diagram { rows, side: Some(self.side) }).ok()
    }

    /// The cells of each line that the player has completed.
    pub fn completed(&self, player: Player) -> Vec<Vec<usize>> {
        let (size, length) = (self.size as isize, self.length as isize);
        let mut lines = Vec::new();
        for start in (0..self.stones.len() as isize).filter(|&start| self.stones[start as usize] == Some(player)) {
            for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                let (row, column) = (start / size + down * (length - 1), start % size + right * (length - 1));
                if row >= size || !(0..size).contains(&column) {
                    continue;
                }
                let line = (0..length).map(|step| (start + step * (down * size + right)) as usize);
                if line.clone().all(|cell| self.stones[cell] == Some(player)) {
                    lines.push(line.collect());
                }
            }
        }
        lines
    }

    /// How the game has ended, if it has. Not both players have completed a line.
    pub fn outcome(&self) -> Option<Outcome> {
        for player in Player::BOTH {
            if !self.completed(player).is_empty() {
                return Some(Outcome::Win(if self.reverse { !player } else { player }));
            }
        }
        self.stones.iter().all(Option::is_some).then_some(Outcome::Draw)
    }

    pub fn empties(&self) -> Vec<usize> {
        (0..self.stones.len()).filter(|&cell| self.stones[cell].is_none()).collect()
    }

    /// The moves; none when the game is over.
    pub fn moves(&self) -> Vec<usize> {
        if self.outcome().is_some() { Vec::new() } else { self.empties() }
    }

    pub fn cell(&self, index: usize) -> Cell {
        Cell::new((index / self.size) as u8, (index % self.size) as u8)
    }

    pub fn play(&mut self, cell: usize) {
        self.stones[cell] = Some(self.side);
        self.side = !self.side;
    }

    pub fn after(&self, cell: usize) -> PlainBoard {
        let mut after = self.clone();
        after.play(cell);
        after
    }
}

/// Every line of a board as its cells.
pub fn lines(rules: Rules) -> Vec<Vec<Cell>> {
    let mut board = PlainBoard::empty(rules);
    board.stones.fill(Some(Player::X));
    let lines = board.completed(Player::X).into_iter();
    lines.map(|line| line.into_iter().map(|cell| board.cell(cell)).collect()).collect()
}

/// The same position with the colours exchanged.
pub fn exchanged(position: &Position) -> Position {
    let mut board = PlainBoard::of(position);
    board.stones.iter_mut().for_each(|stone| *stone = stone.map(|player| !player));
    board.side = !board.side;
    board.position(position.rules()).expect("as legal as before")
}
