//! Sequences of fours: every move of the attacker threatens to complete a line at once, so every reply is forced.
//!
//! A *four* is a move after which a line of the attacker lacks one stone, whatever the length of lines. (L. V. Allis,
//! H. J. van den Herik and M. P. H. Huntjens, "Go-Moku Solved by New Search Techniques", Computational Intelligence 12,
//! 1996.)
//!
//! **Soundness.** After a four, the defender loses with the next ply unless it fills the gap or completes a line of its
//! own. It cannot complete one: before the four, the attacker has filled the only gap of the defender, if there was one.
//! Two different gaps cannot both be filled. So a sequence of fours whose last move leaves two gaps is a win, whatever
//! the defender replies.

use crate::search::line_board::LineBoard;

/// An entry of the table of failures that is free. (A key is random, so it has no fixed value but by chance.)
const FREE: u64 = u64::MAX;

/// The entries of the table of failures.
const TABLE_ENTRIES: usize = 1 << 12;

/// A win by a sequence of fours, from a position with the attacker to move.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct FourSequence {
    /// The fours and the replies to them in turn, up to the four that leaves two gaps. Empty if a line can be completed at
    /// once.
    pub moves: Vec<u16>,
    /// The cells that complete a line in the end: two after a four, one if there are no moves.
    pub completions: Vec<u16>,
}

impl FourSequence {
    /// The plies within which the attacker completes a line.
    pub fn plies(&self) -> u16 {
        self.moves.len() as u16 + if self.moves.is_empty() { 1 } else { 2 }
    }

    /// The first move of the attacker.
    pub fn first(&self) -> u16 {
        *self.moves.first().unwrap_or(&self.completions[0])
    }

    /// All cells of the sequence.
    pub fn cells(&self) -> impl Iterator<Item = u16> + '_ {
        self.moves.iter().chain(&self.completions).copied()
    }
}

/// The search for sequences of fours.
pub struct FourSearch {
    /// Positions from which there is no sequence: the low half of a key.
    failures: Vec<u64>,
    /// The fours of all nodes on the current path, one node after the other.
    fours: Vec<Four>,
    moves: Vec<u16>,
    completions: Vec<u16>,
    /// Fours that may still be tried.
    left: u32,
}

/// A four to try.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Four {
    /// Fours with a lower rank are tried first.
    rank: i32,
    cell: u16,
    /// The gap that the four leaves.
    gap: u16,
}

impl FourSearch {
    pub fn new() -> FourSearch {
        FourSearch {
            failures: vec![FREE; TABLE_ENTRIES],
            fours: Vec::new(),
            moves: Vec::new(),
            completions: Vec::new(),
            left: 0,
        }
    }

    /// Forgets what earlier searches have found, so that the next result depends on its arguments alone.
    pub fn forget(&mut self) {
        self.failures.fill(FREE);
    }

    /// Looks for a sequence of fours of `attacker` (0 is X), who is to move. `budget` bounds the fours that are tried, and is
    /// lowered by them. The board is the same afterwards.
    ///
    /// The search goes on with the heaviest four, as deep as it leads, and drops from a sequence what it does not need
    /// (`shorten`). Searching all short sequences before the long ones takes longer, for sequences that are
    /// hardly shorter.
    pub fn find(&mut self, board: &mut LineBoard, attacker: usize, budget: &mut u32) -> Option<FourSequence> {
        if let [Some(cell), _] = board.two_completions(attacker) {
            return Some(FourSequence { moves: Vec::new(), completions: vec![cell] });
        }
        if board.line_length() < 2 {
            return None;
        }
        self.left = *budget;
        let found = self.attack(board, attacker);
        *budget = self.left;
        if !found {
            return None;
        }
        let mut fours =
            FourSequence { moves: std::mem::take(&mut self.moves), completions: std::mem::take(&mut self.completions) };
        shorten(&mut fours, board, attacker);
        Some(fours)
    }

    /// True if the attacker wins by fours. The sequence is then in `moves` and `completions`.
    fn attack(&mut self, board: &mut LineBoard, attacker: usize) -> bool {
        let [gap, another] = board.two_completions(1 - attacker);
        if another.is_some() || board.lines_lacking(attacker, 2) == 0 {
            return false;
        }
        let key = board.key() as u64 ^ attacker as u64;
        let entry = key as usize % TABLE_ENTRIES;
        if self.failures[entry] == key {
            return false;
        }
        let first = self.fours.len();
        self.list_fours(board, attacker, gap);
        if let Some(found) = self.double_four(first) {
            self.fours.truncate(first);
            self.completions = vec![found[1].gap, found[0].gap];
            self.moves.push(found[0].cell);
            return true;
        }
        self.fours[first..].sort_unstable();
        let mut found = false;
        for place in first..self.fours.len() {
            if self.left == 0 {
                break;
            }
            self.left -= 1;
            let Four { cell, gap, .. } = self.fours[place];
            board.put_unweighed(cell, attacker);
            board.put_unweighed(gap, 1 - attacker);
            let before = self.moves.len();
            self.moves.extend([cell, gap]);
            found = self.attack(board, attacker);
            board.take_unweighed(gap, 1 - attacker);
            board.take_unweighed(cell, attacker);
            if found {
                break;
            }
            self.moves.truncate(before);
        }
        self.fours.truncate(first);
        if !found && self.left > 0 {
            self.failures[entry] = key;
        }
        found
    }

    /// Adds the fours of a position to the list, by cell. If the defender has a gap, the four must fill it.
    fn list_fours(&mut self, board: &LineBoard, attacker: usize, gap: Option<u16>) {
        let first = self.fours.len();
        for line in board.listed(attacker, 2) {
            let mut gaps = board.gaps(line);
            if let (Some(one), Some(two)) = (gaps.next(), gaps.next()) {
                for (cell, left) in [(one, two), (two, one)] {
                    if gap.is_none_or(|gap| gap == cell) {
                        self.fours.push(Four { rank: -board.weight(attacker, cell), cell, gap: left });
                    }
                }
            }
        }
        self.fours[first..].sort_unstable_by_key(|four| (four.cell, four.gap));
        let mut kept = first;
        for place in first..self.fours.len() {
            if place == first || self.fours[place] != self.fours[kept - 1] {
                self.fours[kept] = self.fours[place];
                kept += 1;
            }
        }
        self.fours.truncate(kept);
    }

    /// Two fours on the same cell that leave different gaps. The fours from index `first` on are sorted by cell.
    fn double_four(&self, first: usize) -> Option<[Four; 2]> {
        let mut neighbours = self.fours[first..].windows(2);
        neighbours.find(|two| two[0].cell == two[1].cell).map(|two| [two[0], two[1]])
    }
}

/// Drops the fours that a sequence does not need, with the replies to them.
fn shorten(fours: &mut FourSequence, board: &mut LineBoard, attacker: usize) {
    let mut pair = 0;
    while 2 * pair + 1 < fours.moves.len() {
        let mut moves = fours.moves.clone();
        moves.drain(2 * pair..2 * pair + 2);
        match completions_after(&moves, board, attacker) {
            Some(completions) => *fours = FourSequence { moves, completions },
            None => pair += 1,
        }
    }
}

/// The two gaps that the last move leaves, if the moves are a sequence of fours with forced replies.
fn completions_after(moves: &[u16], board: &mut LineBoard, attacker: usize) -> Option<Vec<u16>> {
    let mut found = None;
    let mut played = 0;
    for (index, &cell) in moves.iter().enumerate() {
        let player = if index % 2 == 0 { attacker } else { 1 - attacker };
        let [gap, another] = board.two_completions(1 - player);
        // A four fills the gap of the defender, if there is one; a reply fills the only gap of the attacker.
        let is_forced = if player == attacker { gap.is_none_or(|gap| gap == cell) } else { gap == Some(cell) };
        if another.is_some() || !is_forced {
            break;
        }
        board.put_unweighed(cell, player);
        played += 1;
    }
    if played == moves.len()
        && let [Some(one), Some(two)] = board.two_completions(attacker)
    {
        found = Some(vec![one, two]);
    }
    for (index, &cell) in moves.iter().enumerate().take(played).rev() {
        board.take_unweighed(cell, if index % 2 == 0 { attacker } else { 1 - attacker });
    }
    found
}
