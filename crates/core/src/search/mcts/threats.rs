//! Threat sequences: every move of the attacker threatens to complete a line at once, so every reply is forced.
//!
//! Normal rules only. The search is cheap, because the defender never has a choice. What it finds is a proof: the attacker
//! wins within the plies of the sequence, perhaps sooner. (L. V. Allis, H. J. van den Herik and M. P. H.
//! Huntjens, "Go-Moku Solved by New ThreatSearch Techniques", Computational Intelligence 12, 1996: threat sequences.)

use super::line_board::LineBoard;

/// The longest sequence that is searched for has fewer forced replies than this.
const LONGEST: u32 = 12;

/// A win by threats.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ThreatSequence {
    /// The moves of both players, and the cells that complete a line in the end: the cells that matter for a defence.
    pub cells: Vec<u16>,
    /// Plies within which the attacker completes a line.
    pub plies: u16,
}

/// Searches for a threat sequence of `attacker`, who is to move (0 is X). `nodes` bounds the moves of the
/// attacker that are tried. Short sequences are tried before long ones. The board is the same afterwards.
pub fn find(board: &mut LineBoard, attacker: usize, nodes: u32) -> Option<ThreatSequence> {
    if board.lines_lacking(attacker, 1) > 0 {
        let cell = board.completions(attacker).next()?;
        return Some(ThreatSequence { cells: vec![cell], plies: 1 });
    }
    if board.line_length() < 2 || board.lines_lacking(attacker, 2) == 0 {
        return None;
    }
    let mut search = ThreatSearch { board, attacker, nodes, moves: Vec::new(), ends: Vec::new(), was_cut: false };
    for depth in 0..LONGEST {
        search.was_cut = false;
        if search.attack(depth) {
            let ThreatSearch { mut moves, ends, .. } = search;
            // The last stone completes no line yet: a reply and the completion follow.
            let plies = moves.len() as u16 + 2;
            moves.extend(ends);
            return Some(ThreatSequence { cells: moves, plies });
        }
        if !search.was_cut || search.nodes == 0 {
            return None;
        }
    }
    None
}

struct ThreatSearch<'a> {
    board: &'a mut LineBoard,
    attacker: usize,
    /// Moves of the attacker that may still be tried.
    nodes: u32,
    moves: Vec<u16>,
    /// The cells that complete a line in the end.
    ends: Vec<u16>,
    /// Whether a sequence was cut off by the depth.
    was_cut: bool,
}

impl ThreatSearch<'_> {
    /// Whether the attacker wins after at most `depth` more forced replies. The moves are then in `moves`.
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
            if self.nodes == 0 {
                return false;
            }
            self.nodes -= 1;
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

    /// The same after a move of the attacker that threatens to complete a line.
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
