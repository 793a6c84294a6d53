//! Wins by threats alone: every move threatens to complete a line at once, so that every reply is forced.
//!
//! Normal rules. Such a sequence is cheap to look for, because the defender never has a choice, and what it finds is
//! proven: the attacker wins within so many plies, perhaps sooner. (L. V. Allis, H. J. van den Herik and M. P. H.
//! Huntjens, "Go-Moku Solved by New Search Techniques", Computational Intelligence 12, 1996: threat sequences.)

use super::lines::LineBoard;

/// The longest sequence that is looked for, in moves of the attacker before the one that completes two lines.
const LONGEST: u32 = 12;

/// A win by threats.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sequence {
    /// The moves of both and the cells that complete a line in the end: what may have to do with a defence.
    pub cells: Vec<u16>,
    /// Plies within which the attacker completes a line.
    pub plies: u16,
}

/// Looks for a win by threats for `attacker`, who is to move (0 is X), by putting so many stones of the attacker at most.
/// Short sequences come before long ones. The board is left as it was.
pub fn find(board: &mut LineBoard, attacker: usize, stones: u32) -> Option<Sequence> {
    if board.lines_lacking(attacker, 1) > 0 {
        let cell = board.completions(attacker).next()?;
        return Some(Sequence { cells: vec![cell], plies: 1 });
    }
    if board.line_length() < 2 || board.lines_lacking(attacker, 2) == 0 {
        return None;
    }
    let mut search = Search { board, attacker, stones, moves: Vec::new(), ends: Vec::new(), was_cut: false };
    for depth in 0..LONGEST {
        search.was_cut = false;
        if search.attack(depth) {
            let Search { mut moves, ends, .. } = search;
            // The last stone completes no line yet: a reply and the completion follow.
            let plies = moves.len() as u16 + 2;
            moves.extend(ends);
            return Some(Sequence { cells: moves, plies });
        }
        if !search.was_cut || search.stones == 0 {
            return None;
        }
    }
    None
}

struct Search<'a> {
    board: &'a mut LineBoard,
    attacker: usize,
    /// Stones that may still be put.
    stones: u32,
    moves: Vec<u16>,
    /// The cells that complete a line in the end.
    ends: Vec<u16>,
    /// Whether a sequence was left because it is longer than what is looked for.
    was_cut: bool,
}

impl Search<'_> {
    /// Whether a win follows after `depth` more forced replies at most; its moves are then in `moves`.
    fn attack(&mut self, depth: u32) -> bool {
        let (attacker, defender) = (self.attacker, 1 - self.attacker);
        // A threat of the defender has to be answered, and the answer has to be a threat.
        let mut blocks = self.board.completions(defender);
        let block = blocks.next();
        if blocks.next().is_some() {
            return false;
        }
        drop(blocks);
        let candidates: Vec<u16> = match block {
            Some(cell) => Some(cell).filter(|&cell| self.board.threatens(attacker, cell)).into_iter().collect(),
            None => {
                let mut cells: Vec<u16> = self.board.threatening(attacker).collect();
                cells.sort_by_key(|&cell| std::cmp::Reverse(self.board.weight(attacker, cell)));
                cells
            }
        };
        for cell in candidates {
            if self.stones == 0 {
                return false;
            }
            self.stones -= 1;
            self.board.put(cell, attacker);
            self.moves.push(cell);
            let found = self.after_threat(depth);
            self.board.take(cell, attacker);
            if found {
                return true;
            }
            self.moves.pop();
        }
        false
    }

    /// The same after the attacker's move, which threatens to complete a line.
    fn after_threat(&mut self, depth: u32) -> bool {
        let (attacker, defender) = (self.attacker, 1 - self.attacker);
        let mut completions = self.board.completions(attacker);
        let Some(reply) = completions.next() else { return false };
        if let Some(other) = completions.next() {
            self.ends = vec![reply, other];
            return true;
        }
        drop(completions);
        if depth == 0 {
            self.was_cut = true;
            return false;
        }
        self.board.put(reply, defender);
        self.moves.push(reply);
        let found = self.attack(depth - 1);
        self.board.take(reply, defender);
        if !found {
            self.moves.pop();
        }
        found
    }
}
