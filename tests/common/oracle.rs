//! Plain alpha-beta over the end of a game on any board, to hold the solver against. Shares no code with it.

#![allow(dead_code)]

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use noughts::game::{Cell, Outcome, Player, Position, Value};

use super::plain_board::{self, PlainBoard};

/// The score of a win on the spot; a win by the nth stone is worth so much less. More than a board has cells.
const WIN: i32 = 1000;

/// The end of a game as its empty cells, in reading order, and the lines that can still be completed.
///
/// Cell `i` of the empty ones is bit `i`. A line of a player is the set of empty cells it still needs. Scores are
/// those of final boards, so that they need no change on their way up: `WIN` less the stones played since the
/// beginning, for whoever has won.
pub struct Oracle {
    cells: Vec<Cell>,
    /// By player (the side to move first) and empty cell: the lines that need the cell.
    lines: [Vec<Vec<u32>>; 2],
    reverse: bool,
    /// What is known of the score of two sets of stones: at least, at most.
    known: HashMap<u64, (i32, i32), BuildHasherDefault<Product>>,
}

/// The hash of a number that no enemy has chosen: a product. The usual hash took a third of the time of these tests.
#[derive(Default)]
struct Product(u64);

impl Hasher for Product {
    fn write(&mut self, _: &[u8]) {
        unreachable!("keys are numbers");
    }

    fn write_u64(&mut self, number: u64) {
        let product = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = product ^ product >> 32;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

impl Oracle {
    /// The end of a game that goes on, with 32 empty cells at most.
    pub fn new(position: &Position) -> Oracle {
        assert!(position.outcome().is_none());
        let size = position.rules().size();
        let cells: Vec<Cell> = Cell::all(size).filter(|&cell| position.occupant(cell).is_none()).collect();
        assert!(cells.len() <= 32);
        let lines = [position.side(), !position.side()].map(|player| open_lines(position, player, &cells));
        Oracle { cells, lines, reverse: position.rules().reverse(), known: HashMap::default() }
    }

    /// The value of the position.
    pub fn value(&mut self) -> Value {
        value_of_score(self.search([0, 0], -WIN, WIN))
    }

    /// Every move in reading order with its value for the side that moves.
    pub fn move_values(&mut self) -> Vec<(Cell, Value)> {
        let moves = self.cells.clone().into_iter().enumerate();
        moves.map(|(index, cell)| (cell, value_of_score(self.after_move([0, 0], index, -WIN, WIN)))).collect()
    }

    /// The score for the player to move. `stones`: what each player has played since the beginning.
    fn search(&mut self, stones: [u32; 2], alpha: i32, beta: i32) -> i32 {
        let occupied = stones[0] | stones[1];
        if occupied.count_ones() as usize == self.cells.len() {
            return 0;
        }
        let key = u64::from(stones[0]) << 32 | u64::from(stones[1]);
        let (low, high) = self.known.get(&key).copied().unwrap_or((-WIN, WIN));
        if low >= beta || low == high {
            return low;
        }
        if high <= alpha {
            return high;
        }
        let played = occupied.count_ones() as i32;
        let cells = self.cells.len();
        let open = || (0..cells).filter(move |index| occupied & 1 << index == 0);
        // Nothing is better than to win at once.
        if !self.reverse && open().any(|index| self.completes(stones, index)) {
            return WIN - (played + 1);
        }
        let mut best = -WIN;
        for index in open() {
            best = best.max(self.after_move(stones, index, alpha.max(best), beta));
            if best >= beta {
                break;
            }
        }
        let known = if best >= beta {
            (best, high)
        } else if best <= alpha {
            (low, best)
        } else {
            (best, best)
        };
        self.known.insert(key, known);
        best
    }

    /// The score of a move for the player who makes it.
    fn after_move(&mut self, mut stones: [u32; 2], index: usize, alpha: i32, beta: i32) -> i32 {
        let played = (stones[0] | stones[1]).count_ones() as i32;
        if self.completes(stones, index) {
            let score = WIN - (played + 1);
            return if self.reverse { -score } else { score };
        }
        stones[played as usize % 2] |= 1 << index;
        -self.search(stones, -beta, -alpha)
    }

    /// Whether the player to move completes a line with this cell.
    fn completes(&self, stones: [u32; 2], index: usize) -> bool {
        let mover = (stones[0] | stones[1]).count_ones() as usize % 2;
        self.lines[mover][index].iter().any(|line| line & !(stones[mover] | 1 << index) == 0)
    }
}

/// The lines without a stone of the opponent, as the empty cells they need, by each of those cells.
fn open_lines(position: &Position, player: Player, cells: &[Cell]) -> Vec<Vec<u32>> {
    let mut by_cell = vec![Vec::new(); cells.len()];
    for line in plain_board::lines(position.rules()) {
        if line.iter().any(|&cell| position.occupant(cell) == Some(!player)) {
            continue;
        }
        let needed = line.iter().filter_map(|cell| cells.iter().position(|empty| empty == cell));
        let needed: Vec<usize> = needed.collect();
        let set = needed.iter().fold(0, |set, index| set | 1 << index);
        needed.iter().for_each(|&index| by_cell[index].push(set));
    }
    by_cell
}

fn value_of_score(score: i32) -> Value {
    match score {
        0 => Value::Draw,
        1.. => Value::Win((WIN - score) as u16),
        _ => Value::Loss((WIN + score) as u16),
    }
}

/// The value of a position, finished or not.
pub fn value(position: &Position) -> Value {
    match PlainBoard::of(position).outcome() {
        Some(Outcome::Win(winner)) if winner == position.side() => Value::Win(0),
        Some(Outcome::Win(_)) => Value::Loss(0),
        Some(Outcome::Draw) => Value::Draw,
        None => Oracle::new(position).value(),
    }
}

/// A position and what it and its moves are worth by plain alpha-beta.
#[derive(Debug)]
pub struct Judged {
    pub position: Position,
    pub value: Value,
    pub moves: Vec<(Cell, Value)>,
}

impl Judged {
    /// A position that goes on, judged by somebody else.
    pub fn by(position: Position, mut value: impl FnMut(&Position) -> Value) -> Judged {
        let moves = position.moves().map(|cell| (cell, value(&position.after(cell)).before_move())).collect();
        Judged { position, value: value(&position), moves }
    }

    pub fn new(position: Position) -> Judged {
        let mut oracle = Oracle::new(&position);
        Judged { position, value: oracle.value(), moves: oracle.move_values() }
    }

    /// The moves that are worth as much as the position.
    pub fn best_moves(&self) -> Vec<Cell> {
        self.moves.iter().filter(|(_, value)| *value == self.value).map(|(cell, _)| *cell).collect()
    }
}
