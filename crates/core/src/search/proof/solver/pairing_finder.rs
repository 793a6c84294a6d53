//! Finds the pairs of a pairing strategy, which keeps a player from ever completing a line.
//!
//! Suppose that every line that is live for a player contains both cells of some pair of empty cells, and the pairs are
//! disjoint. A player who answers inside the pairs gets one cell of each, and so no such line is completed. Under normal
//! rules the opponent answers so to stop the player; under reverse rules the player itself does, to avoid its own lines.
//! (Hales and Jewett, "Regularity and Positional Games", 1963.)
//!
//! This module finds pairs or gives up; it never says who wins. Where two lines share at most one cell, each line needs a
//! pair of its own, and a matching in the graph of lines and cells finds them if there are any. Where lines overlap they
//! may share pairs. Those are chosen greedily, the line with the least choice first. There are a few attempts; a line that
//! was left without a pair has precedence in the next one. (The order is that of Boussemart, Hemery, Lecoutre and Sais, "Boosting
//! Systematic Search by Weighting Constraints", 2004.)

use std::cmp::Reverse;

use crate::game::{Cell, Player, Position};
use crate::search::proof::known_values::{Reply, replies};

use super::geometry::SolverGeometry;
use super::live_lines::LiveLines;

const NONE: u16 = u16::MAX;

/// The most weight (2^-lacking for each line) of overlapping lines for which pairs are tried.
const MAX_WEIGHT: u64 = 4;

/// The most overlapping lines for which pairs are tried.
const MAX_LINES: usize = 200;

/// Attempts to find pairs that overlapping lines share.
const ATTEMPTS: usize = 3;

/// Finds pairs. Its buffers are reused from call to call.
pub struct PairingFinder {
    /// By cell, the line that it is assigned to.
    line_of: Vec<u16>,
    /// By cell, the last search for an augmenting path that visited it.
    visited: Vec<u32>,
    visit: u32,
    /// The lines that lack a pair.
    unpaired: Vec<u16>,
    /// By line, whether it is in `unpaired`.
    is_unpaired: Vec<bool>,
    /// By line, its empty cells that are in no pair.
    free: Vec<u8>,
    /// By line, how often it was left without a pair.
    precedence: Vec<u8>,
    /// By cell, whether it is kept: no pair may use it, and its lines need no pair.
    is_kept: Vec<bool>,
    /// The kept cells.
    pub kept: Vec<u16>,
    lines: Vec<u16>,
    /// The pairs that were found last.
    pub pairs: Vec<(u16, u16)>,
    /// The partner of each cell in the stored pairing of the board, or [`NONE`].
    partner: Vec<u16>,
    /// The stored pairing of the board; empty when there is none.
    pub stored: Vec<(Cell, Cell)>,
    /// The stored reply to the first move, if it is still to be made.
    reply: Option<u16>,
    /// True if the stored pairs belong to a reply.
    stores_reply: bool,
}

impl PairingFinder {
    /// A finder for a board. `stored` is the stored pairing of the board, if it has one.
    pub fn new(geometry: &SolverGeometry, stored: Vec<(Cell, Cell)>) -> PairingFinder {
        let mut finder = PairingFinder {
            partner: vec![NONE; geometry.cells()],
            stored: Vec::new(),
            reply: None,
            stores_reply: false,
            line_of: vec![NONE; geometry.cells()],
            visited: vec![0; geometry.cells()],
            visit: 0,
            unpaired: Vec::new(),
            is_unpaired: vec![false; geometry.line_count()],
            free: vec![0; geometry.line_count()],
            precedence: vec![0; geometry.line_count()],
            is_kept: vec![false; geometry.cells()],
            kept: Vec::new(),
            lines: Vec::new(),
            pairs: Vec::new(),
        };
        finder.store(geometry, stored);
        finder
    }

    fn store(&mut self, geometry: &SolverGeometry, stored: Vec<(Cell, Cell)>) {
        self.partner.fill(NONE);
        for &(first, second) in &stored {
            let (first, second) = (geometry.number(first), geometry.number(second));
            self.partner[usize::from(first)] = second;
            self.partner[usize::from(second)] = first;
        }
        self.stored = stored;
    }

    /// Stores the pairs of the reply to the first move, where a board has one reply, then pairs ([`replies`]), for searches
    /// from this position. A board with a pairing of its own has none. The first move may be any stone of X. The reply is
    /// one of O's stones, or O is about to make it. Of several, the one is stored that leaves the fewest lines open, and
    /// then the fewest pairs to answer in.
    pub fn use_reply(&mut self, geometry: &SolverGeometry, live: &LiveLines, position: &Position) {
        if !self.stores_reply && !self.stored.is_empty() {
            return;
        }
        let first_moves = position.stones(Player::X);
        let is_to_reply = first_moves.len() == 1 && position.stones(Player::O).is_empty();
        let fits = |reply: &Reply| is_to_reply || position.occupant(reply.reply) == Some(Player::O);
        // Pairs of which X has one cell, and lines that hold neither an open pair nor the other cell of such a pair.
        let left_to_answer = |reply: &Reply| {
            let is_open = |cell: Cell| position.occupant(cell).is_none();
            let other_of_broken = |&(first, second): &(Cell, Cell)| match position.occupant(first) {
                Some(Player::X) => Some(second).filter(|&cell| is_open(cell)),
                None if position.occupant(second) == Some(Player::X) => Some(first),
                _ => None,
            };
            let broken: Vec<u16> = reply.pairs.iter().filter_map(other_of_broken).map(|c| geometry.number(c)).collect();
            let is_held = |&line: &u16| {
                let cells = geometry.line(line);
                let holds = |cell: Cell| is_open(cell) && cells.contains(&geometry.number(cell));
                reply.pairs.iter().any(|&(first, second)| holds(first) && holds(second))
                    || broken.iter().any(|cell| cells.contains(cell))
            };
            (live.lines(geometry, Player::X as usize).filter(|line| !is_held(line)).count(), broken.len())
        };
        let candidates = first_moves.iter().flat_map(|cell| replies(position.rules(), cell)).filter(fits);
        let best = candidates.min_by_key(left_to_answer);
        if best.is_none() && !self.stores_reply {
            return;
        }
        // Pairs that an earlier search has stored must not have any effect.
        self.stores_reply = best.is_some();
        self.reply = best.as_ref().filter(|_| is_to_reply).map(|reply| geometry.number(reply.reply));
        self.store(geometry, best.map_or(Vec::new(), |reply| reply.pairs));
    }

    /// Keeps no cell any more.
    pub fn clear_kept(&mut self) {
        self.kept.drain(..).for_each(|cell| self.is_kept[usize::from(cell)] = false);
    }

    /// Keeps a cell: no pair may use it, and its lines need no pair.
    pub fn keep(&mut self, cell: u16) {
        if !self.is_kept[usize::from(cell)] {
            self.is_kept[usize::from(cell)] = true;
            self.kept.push(cell);
        }
    }

    /// Keeps a cell no longer.
    pub fn release(&mut self, cell: u16) {
        self.is_kept[usize::from(cell)] = false;
        self.kept.retain(|&kept| kept != cell);
    }

    /// A cell whose partner in the stored pairing has been taken by a player, or the stored reply to its first move.
    pub fn broken(&self, live: &LiveLines, player: usize) -> Option<u16> {
        let is_broken = |&cell: &u16| {
            let partner = self.partner[usize::from(cell)];
            partner != NONE && live.owner(partner) == Some(player)
        };
        let broken = || if self.stored.is_empty() { None } else { live.empty_cells().find(is_broken) };
        // The stored reply, if it is still to be made.
        self.reply.filter(|&cell| live.is_empty(cell) && player == Player::X as usize).or_else(broken)
    }

    /// Uses the stored pairing, if every line holds a pair of it with both cells empty.
    fn use_stored(&mut self, geometry: &SolverGeometry, live: &LiveLines, lines: &[u16]) -> bool {
        if self.stored.is_empty() {
            return false;
        }
        let is_whole = |cell: u16| {
            let partner = self.partner[usize::from(cell)];
            partner != NONE && live.is_empty(cell) && live.is_empty(partner)
        };
        let holds_pair = |line: &u16| {
            let cells = geometry.line(*line);
            cells.iter().any(|&cell| is_whole(cell) && cells.contains(&self.partner[usize::from(cell)]))
        };
        if !lines.iter().all(holds_pair) {
            return false;
        }
        let whole = |&(first, second): &(Cell, Cell)| {
            let (first, second) = (geometry.number(first), geometry.number(second));
            let is_free = |cell: u16| live.is_empty(cell) && !self.is_kept[usize::from(cell)];
            (is_free(first) && is_free(second)).then_some((first, second))
        };
        self.pairs = self.stored.iter().filter_map(whole).collect();
        true
    }

    /// Looks for pairs in all live lines of a player that lack at most `lacking` stones and avoid the cells that are
    /// kept.
    ///
    /// # Errors
    /// A line that got no pair.
    pub fn find(
        &mut self,
        geometry: &SolverGeometry,
        live: &LiveLines,
        player: usize,
        lacking: usize,
    ) -> Result<(), u16> {
        let mut lines = std::mem::take(&mut self.lines);
        lines.clear();
        lines.extend(live.lines(geometry, player).filter(|&line| {
            geometry.line_length() - usize::from(live.stones(player, line)) <= lacking
                && geometry.line(line).iter().all(|&cell| !self.is_kept[usize::from(cell)])
        }));
        // The lines with the fewest empty cells have the least choice.
        let choice = |line: &u16| Reverse(live.stones(player, *line));
        let weight = || lines.iter().map(|&line| 1 << live.stones(player, line)).sum::<u64>();
        let found = if !geometry.lines_overlap() {
            lines.sort_by_key(choice);
            self.matching(geometry, live, &lines)
        } else if self.use_stored(geometry, live, &lines) {
            Ok(())
        } else if lines.len() > MAX_LINES || weight() > MAX_WEIGHT << geometry.line_length() {
            Err(lines.iter().copied().min_by_key(choice).expect("several lines"))
        } else {
            lines.sort_by_key(choice);
            self.find_shared_pairs(geometry, live, player, &lines)
        };
        self.lines = lines;
        found
    }

    /// Gives each line two cells of its own, along augmenting paths. (Kuhn, "The Hungarian Method for the Assignment
    /// Problem", 1955.)
    fn matching(&mut self, geometry: &SolverGeometry, live: &LiveLines, lines: &[u16]) -> Result<(), u16> {
        self.line_of.fill(NONE);
        for &line in lines {
            for _ in 0..2 {
                self.visit += 1;
                if !self.assign_cell(geometry, live, line) {
                    return Err(line);
                }
            }
        }
        self.pairs.clear();
        for &line in lines {
            let mut cells = geometry.line(line).iter().filter(|&&cell| self.line_of[usize::from(cell)] == line);
            let (first, second) = (cells.next(), cells.next());
            self.pairs.extend(first.zip(second).map(|(&first, &second)| (first, second)));
        }
        Ok(())
    }

    /// Assigns one more cell to a line. Other lines may have to exchange cells for it.
    fn assign_cell(&mut self, geometry: &SolverGeometry, live: &LiveLines, line: u16) -> bool {
        let cells = geometry.line(line);
        let free = cells.iter().find(|&&cell| live.is_empty(cell) && self.line_of[usize::from(cell)] == NONE);
        if let Some(&cell) = free {
            self.line_of[usize::from(cell)] = line;
            return true;
        }
        for &cell in cells {
            let holder = self.line_of[usize::from(cell)];
            if holder == line || !live.is_empty(cell) || self.visited[usize::from(cell)] == self.visit {
                continue;
            }
            self.visited[usize::from(cell)] = self.visit;
            if self.assign_cell(geometry, live, holder) {
                self.line_of[usize::from(cell)] = line;
                return true;
            }
        }
        false
    }

    /// Finds pairs that overlapping lines share, in up to [`ATTEMPTS`] attempts.
    fn find_shared_pairs(
        &mut self,
        geometry: &SolverGeometry,
        live: &LiveLines,
        player: usize,
        lines: &[u16],
    ) -> Result<(), u16> {
        lines.iter().for_each(|&line| self.precedence[usize::from(line)] = 0);
        let mut result = self.share_pairs(geometry, live, player, lines);
        for _ in 1..ATTEMPTS {
            let Err(line) = result else { break };
            self.precedence[usize::from(line)] += 1;
            result = self.share_pairs(geometry, live, player, lines);
        }
        result
    }

    /// Assigns to one line after the other the pair of free cells that serves the most lines.
    fn share_pairs(
        &mut self,
        geometry: &SolverGeometry,
        live: &LiveLines,
        player: usize,
        lines: &[u16],
    ) -> Result<(), u16> {
        self.line_of.fill(NONE);
        self.pairs.clear();
        self.unpaired.clear();
        self.unpaired.extend_from_slice(lines);
        for &line in lines {
            self.free[usize::from(line)] = geometry.line_length() as u8 - live.stones(player, line);
            self.is_unpaired[usize::from(line)] = true;
        }
        let result = loop {
            if let Some(&line) = self.unpaired.iter().find(|&&line| self.free[usize::from(line)] < 2) {
                break Err(line);
            }
            let choice = |line: &u16| {
                let line = usize::from(*line);
                i16::from(self.free[line]) - i16::from(self.precedence[line])
            };
            let Some(&line) = self.unpaired.iter().min_by_key(|line| choice(line)) else { break Ok(()) };
            self.assign_pair(geometry, live, line);
        };
        self.unpaired.iter().for_each(|&line| self.is_unpaired[usize::from(line)] = false);
        result
    }

    /// Assigns to a line with at least two free cells the pair of them that serves the most lines.
    fn assign_pair(&mut self, geometry: &SolverGeometry, live: &LiveLines, line: u16) {
        let cells = geometry.line(line);
        let is_free = |cell: u16| live.is_empty(cell) && self.line_of[usize::from(cell)] == NONE;
        let mut most = 0;
        let mut best = None;
        for (place, &first) in cells.iter().enumerate().filter(|&(_, &cell)| is_free(cell)) {
            for (other, &second) in cells.iter().enumerate().skip(place + 1).filter(|&(_, &cell)| is_free(cell)) {
                let common = geometry.common(line, place, other);
                let served = common.iter().filter(|&&line| self.is_unpaired[usize::from(line)]).count();
                if served > most {
                    most = served;
                    best = Some((first, second, common));
                }
            }
        }
        let (first, second, common) = best.expect("the line has two free cells, and is served by them");
        for cell in [first, second] {
            self.line_of[usize::from(cell)] = line;
            // The counts of lines that need no pair change too; they are not used.
            for &line in geometry.through(cell) {
                self.free[usize::from(line)] = self.free[usize::from(line)].wrapping_sub(1);
            }
        }
        common.iter().for_each(|&line| self.is_unpaired[usize::from(line)] = false);
        let is_unpaired = &self.is_unpaired;
        self.unpaired.retain(|&line| is_unpaired[usize::from(line)]);
        self.pairs.push((first, second));
    }
}
