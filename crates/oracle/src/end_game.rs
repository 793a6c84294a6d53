//! Values near the end of a game on any board, by alpha-beta with a memory.

use std::collections::HashMap;

use crate::{Board, Outcome, Player, Value};

/// The score of a win on the spot. A win by the nth stone from the beginning is worth n less.
const WIN: i32 = 1000;

/// The end of a game: a position that goes on, and all that can follow.
///
/// The `i`th of the empty cells, in reading order, is bit `i` of a set. A line of a player is the set of empty cells that it
/// still needs. Scores count from the beginning of the end game, so they do not change on their way up.
pub struct EndGame {
    cells: Vec<usize>,
    /// By player (the side to move first) and empty cell: the lines that need the cell.
    lines: [Vec<Vec<u32>>; 2],
    reverse: bool,
    /// By the stones that each player has added: the score is at least, and at most, this.
    known: HashMap<[u32; 2], (i32, i32)>,
}

impl EndGame {
    /// The value of a position, finished or not.
    pub fn value_of(board: &Board) -> Value {
        match board.outcome() {
            Some(Outcome::Win(winner)) if winner == board.side => Value::Win(0),
            Some(Outcome::Win(_)) => Value::Loss(0),
            Some(Outcome::Draw) => Value::Draw,
            None => EndGame::new(board).value_after(&[]),
        }
    }

    /// The end of a game from a position that goes on, with up to 32 empty cells.
    pub fn new(board: &Board) -> EndGame {
        let cells = board.moves();
        assert!((1..=32).contains(&cells.len()));
        let lines = [board.side, !board.side].map(|player| open_lines(board, player, &cells));
        EndGame { cells, lines, reverse: board.reverse, known: HashMap::new() }
    }

    /// The value for the side to move after these moves. None but the last of them may end the game.
    pub fn value_after(&mut self, moves: &[usize]) -> Value {
        let mut stones = [0, 0];
        for (played, cell) in moves.iter().enumerate() {
            let index = self.cells.iter().position(|empty| empty == cell).expect("an empty cell");
            if self.completes(stones, index) {
                assert_eq!(played + 1, moves.len(), "the game goes on after its end");
                return if self.reverse { Value::Win(0) } else { Value::Loss(0) };
            }
            stones[played % 2] |= 1 << index;
        }
        value_of_score(self.search(stones, -WIN, WIN), moves.len())
    }

    /// Every move in reading order, with its value for the side that makes it.
    pub fn move_values(&mut self) -> Vec<(usize, Value)> {
        let moves = self.cells.clone().into_iter().enumerate();
        moves.map(|(index, cell)| (cell, value_of_score(self.score_of_move([0, 0], index, -WIN, WIN), 0))).collect()
    }

    /// The score for the side to move: exact between `alpha` and `beta`, else a bound.
    fn search(&mut self, stones: [u32; 2], alpha: i32, beta: i32) -> i32 {
        let occupied = stones[0] | stones[1];
        let played = occupied.count_ones() as i32;
        if played as usize == self.cells.len() {
            return 0;
        }
        let (low, high) = self.known.get(&stones).copied().unwrap_or((-WIN, WIN));
        if low >= beta || low == high {
            return low;
        }
        if high <= alpha {
            return high;
        }
        let cells = self.cells.len();
        let empty = || (0..cells).filter(move |index| occupied & 1 << index == 0);
        // Nothing is better than to win at once.
        if !self.reverse && empty().any(|index| self.completes(stones, index)) {
            return WIN - (played + 1);
        }
        let mut best = -WIN;
        for index in empty() {
            best = best.max(self.score_of_move(stones, index, alpha.max(best), beta));
            if best >= beta {
                break;
            }
        }
        let low = if best > alpha { best } else { low };
        let high = if best < beta { best } else { high };
        self.known.insert(stones, (low, high));
        best
    }

    /// The score of a move for the side that makes it.
    fn score_of_move(&mut self, mut stones: [u32; 2], index: usize, alpha: i32, beta: i32) -> i32 {
        let played = (stones[0] | stones[1]).count_ones() as i32;
        if self.completes(stones, index) {
            let score = WIN - (played + 1);
            return if self.reverse { -score } else { score };
        }
        stones[played as usize % 2] |= 1 << index;
        -self.search(stones, -beta, -alpha)
    }

    /// True if the side to move completes a line on this cell.
    fn completes(&self, stones: [u32; 2], index: usize) -> bool {
        let mover = (stones[0] | stones[1]).count_ones() as usize % 2;
        self.lines[mover][index].iter().any(|line| line & !(stones[mover] | 1 << index) == 0)
    }
}

/// The lines without a stone of the opponent, as the sets of empty cells that they need, by each of these cells.
fn open_lines(board: &Board, player: Player, cells: &[usize]) -> Vec<Vec<u32>> {
    let mut by_cell = vec![Vec::new(); cells.len()];
    for line in board.lines() {
        if line.iter().any(|&cell| board.stones[cell] == Some(!player)) {
            continue;
        }
        let needed: Vec<usize> = (0..cells.len()).filter(|&index| line.contains(&cells[index])).collect();
        let set = needed.iter().fold(0, |set, index| set | 1 << index);
        needed.iter().for_each(|&index| by_cell[index].push(set));
    }
    by_cell
}

/// The value that a score means when so many stones have been added.
fn value_of_score(score: i32, played: usize) -> Value {
    let plies = (WIN - score.abs()) as u16 - played as u16;
    match score {
        0 => Value::Draw,
        1.. => Value::Win(plies),
        _ => Value::Loss(plies),
    }
}
