//! The game by plain loops: nothing here is shared with the library but the types of its answers.

use std::collections::HashMap;

use noughts::game::{Cell, Diagram, DiagramRow, Outcome, Player, Position, Rules, Value};

use super::input::Input;

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

/// Rules for boards of up to `largest` rows.
pub fn rules(input: &mut Input<'_>, largest: usize) -> Rules {
    let size = 1 + input.below(largest);
    // 0 is the length of a side, and beyond it no line fits.
    let connect = input.below(size + 2);
    Rules::new(size as u8, connect as u16, input.is_below(128)).expect("numbers within range")
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

    /// Plays moves until so few cells are empty, as the input says. Moves that end the game are passed over; if all of
    /// them do, the board is left as it is.
    pub fn play_on(&mut self, input: &mut Input<'_>, empties: usize) {
        while self.empties().len() > empties {
            let moves = self.empties();
            let first = input.below(moves.len());
            let next = (0..moves.len()).map(|step| moves[(first + step) % moves.len()]);
            let Some(cell) = next.into_iter().find(|&cell| self.after(cell).outcome().is_none()) else { return };
            self.play(cell);
        }
    }
}

/// Plain minimax over a board of up to 25 cells, with a memory. Cell `i` is bit `i`.
pub struct Minimax {
    lines: Vec<u32>,
    cells: u32,
    reverse: bool,
    /// The stones of X and of O, and who is to move.
    start: ([u32; 2], usize),
    known: HashMap<([u32; 2], usize), Value>,
}

impl Minimax {
    pub fn new(board: &PlainBoard) -> Minimax {
        let all = board.stones.len();
        let set = |cells: &[usize]| cells.iter().fold(0, |set, cell| set | 1 << cell);
        let full = PlainBoard { stones: vec![Some(Player::X); all], ..board.clone() };
        let of = |player| set(&(0..all).filter(|&cell| board.stones[cell] == Some(player)).collect::<Vec<_>>());
        Minimax {
            lines: full.completed(Player::X).iter().map(|line| set(line)).collect(),
            cells: (1 << all) - 1,
            reverse: board.reverse,
            start: ([of(Player::X), of(Player::O)], board.side as usize),
            known: HashMap::new(),
        }
    }

    /// The value of the board for the side to move.
    pub fn value(&mut self) -> Value {
        self.search(self.start.0, self.start.1)
    }

    /// The value of a move on the board for the player who makes it.
    pub fn after(&mut self, cell: usize) -> Value {
        let (mut stones, side) = self.start;
        stones[side] |= 1 << cell;
        seen_before(self.search(stones, 1 - side))
    }

    fn search(&mut self, stones: [u32; 2], side: usize) -> Value {
        if let Some(&known) = self.known.get(&(stones, side)) {
            return known;
        }
        let completes = |player: usize| self.lines.iter().any(|line| line & !stones[player] == 0);
        let empty = self.cells & !stones[0] & !stones[1];
        let value = match [0, 1].into_iter().find(|&player| completes(player)) {
            Some(player) if (player == side) != self.reverse => Value::Win(0),
            Some(_) => Value::Loss(0),
            None if empty == 0 => Value::Draw,
            None => {
                let mut best = None;
                for cell in (0..25).filter(|cell| empty >> cell & 1 == 1) {
                    let mut after = stones;
                    after[side] |= 1 << cell;
                    let value = seen_before(self.search(after, 1 - side));
                    best = Some(best.map_or(value, |best| better(best, value)));
                }
                best.expect("a move")
            }
        };
        self.known.insert((stones, side), value);
        value
    }
}

/// The value of a move for the player who makes it, by the value after it for the other one.
fn seen_before(after: Value) -> Value {
    match after {
        Value::Win(plies) => Value::Loss(plies + 1),
        Value::Draw => Value::Draw,
        Value::Loss(plies) => Value::Win(plies + 1),
    }
}

/// The better of two values: a quick win, a slow loss.
fn better(one: Value, two: Value) -> Value {
    let rank = |value| match value {
        Value::Win(plies) => 1000 - i32::from(plies),
        Value::Draw => 0,
        Value::Loss(plies) => i32::from(plies) - 1000,
    };
    if rank(one) >= rank(two) { one } else { two }
}
