//! The attack search: a tree in which one move of the attacker must succeed, and all moves of the defender must fail.

use std::time::Duration;

use crate::game::{Bounds, Cell};
use crate::search::request::IntervalTimer;
use crate::search::{Control, Stopped};

use crate::search::proof::Role;
use crate::search::proof::threats::{ThreatSearch, replies_to_fours};

use super::attack_result::{
    AttackEntry, AttackResult, FoursResult, NEVER, StaticReason, StaticResult, TranspositionTable, one_ply_more,
};
use super::geometry::SolverGeometry;
use super::live_lines::{Key, LiveLines, MOST_LINES};
use super::pairing_finder::PairingFinder;
use super::technique::{Technique, TechniqueSet};

/// Nodes between two polls of the clock and the stop flag: tens of microseconds on small boards, a few milliseconds on the
/// largest.
const NODES_BETWEEN_CHECKS: u64 = 16;

/// The largest board on which positions that are turned or mirrored share a table entry.
const MOST_CELLS_TURNED: usize = 64;

/// With fewer empty cells, a key for isomorphic positions costs more than it saves.
const LEAST_EMPTY_ISOMORPHIC: u16 = 5;

/// More than any weight.
const REVERSE_RANK: u64 = 1 << 40;

/// Time between two reports of progress.
const REPORT_INTERVAL: Duration = Duration::from_secs(1);

/// Gets the bounds so far, the plies of the attack search under way, and the nodes.
pub type OnProgress<'a> = &'a mut dyn FnMut(Bounds, u16, u64);

/// The nodes that a search may visit, and the control that may end it.
pub struct NodeBudget<'a> {
    pub control: &'a Control,
    pub nodes: u64,
    most: u64,
    progress: Option<OnProgress<'a>>,
    reporting: IntervalTimer,
    /// The proven bounds of the root so far.
    pub proven: Bounds,
    /// Plies of the attack search under way.
    pub depth: u16,
}

impl<'a> NodeBudget<'a> {
    pub fn new(control: &'a Control, progress: Option<OnProgress<'a>>) -> NodeBudget<'a> {
        let most = control.nodes.unwrap_or(u64::MAX);
        let reporting = control.timer(REPORT_INTERVAL);
        NodeBudget { control, nodes: 0, most, progress, reporting, proven: Bounds::UNKNOWN, depth: 0 }
    }

    /// The most plies that a proof may look ahead.
    pub fn most_plies(&self) -> u16 {
        self.control.depth.unwrap_or(u16::MAX)
    }

    /// Returns an error if `control` ends the search. Does not test the nodes.
    pub fn check(&self) -> Result<(), Stopped> {
        self.control.check()
    }

    /// True if the whole budget is spent.
    pub fn is_over(&self) -> bool {
        self.nodes >= self.most || self.control.check().is_err()
    }

    /// Counts a node. Ends the search if there are none left, or if `control` ends it.
    pub fn spend(&mut self) -> Result<(), Stopped> {
        if self.nodes >= self.most {
            return Err(Stopped);
        }
        if self.nodes.is_multiple_of(NODES_BETWEEN_CHECKS) {
            self.control.check()?;
            self.report();
        }
        self.nodes += 1;
        Ok(())
    }

    /// Runs a part of a search that may visit at most so many nodes.
    pub fn within<T>(&mut self, nodes: u64, part: impl FnOnce(&mut Self) -> T) -> T {
        let most = self.narrow(nodes);
        let found = part(self);
        self.widen(most);
        found
    }

    /// From now on at most so many more nodes may be visited. Returns what [`NodeBudget::widen`] takes to undo that.
    pub fn narrow(&mut self, nodes: u64) -> u64 {
        let most = self.most.min(self.nodes.saturating_add(nodes));
        std::mem::replace(&mut self.most, most)
    }

    /// Undoes [`NodeBudget::narrow`].
    pub fn widen(&mut self, most: u64) {
        self.most = most;
    }

    /// The nodes that are left.
    pub fn left(&self) -> u64 {
        self.most.saturating_sub(self.nodes)
    }

    fn report(&mut self) {
        let Some(progress) = &mut self.progress else { return };
        if self.reporting.is_due() {
            progress(self.proven, self.depth, self.nodes);
        }
    }
}

/// True if a result is the best for the side to move.
pub fn favours_mover(to_move: Role, result: AttackResult) -> bool {
    match to_move {
        Role::Attacker => matches!(result, AttackResult::Succeeds(_)),
        Role::Defender => result == AttackResult::Fails(NEVER),
    }
}

/// An attack search: the position at the current node, and what all nodes share.
pub struct AttackSearch<'a> {
    pub geometry: &'a SolverGeometry,
    pub table: &'a mut TranspositionTable,
    pub pairing: &'a mut PairingFinder,
    /// The search for threats, if it is used. Its board has the same stones as `live`.
    pub threats: Option<&'a mut ThreatSearch>,
    pub techniques: TechniqueSet,
    pub live: LiveLines,
    /// The player who tries to force a win: 0 for X, 1 for O.
    pub attacker: usize,
    pub reverse: bool,
    /// The moves of all nodes on the current path, one node after the other.
    pub moves: Vec<Move>,
}

/// A move to try.
#[derive(Clone, Copy)]
pub struct Move {
    cell: u16,
    signature: u64,
    /// Moves with a lower rank are tried first.
    rank: u64,
}

impl AttackSearch<'_> {
    pub fn uses(&self, technique: Technique) -> bool {
        self.techniques.contains(technique)
    }

    /// The cells that the pairing found last keeps apart.
    pub fn kept_cells(&self) -> Vec<Cell> {
        self.pairing.kept.iter().map(|&cell| self.geometry.cell(cell)).collect()
    }

    /// The pairs that were found last.
    pub fn pairs(&self) -> Vec<(Cell, Cell)> {
        let cell = |number| self.geometry.cell(number);
        self.pairing.pairs.iter().map(|&(one, two)| (cell(one), cell(two))).collect()
    }

    /// Tests the static rules.
    pub fn try_static(&self, to_move: Role, depth: u16) -> StaticResult {
        if self.reverse { self.static_reverse(to_move, depth) } else { self.static_normal(to_move, depth) }
    }

    /// Tests the rules that need a pairing.
    pub fn try_pairing(&mut self, to_move: Role, depth: u16) -> Option<(AttackResult, StaticReason)> {
        if self.reverse { self.parity_reverse(to_move, depth) } else { self.pairing_normal(to_move, depth) }
    }

    /// Searches for a forced win of the attacker within `depth` plies.
    pub fn search(&mut self, to_move: Role, depth: u16, budget: &mut NodeBudget<'_>) -> Result<AttackResult, Stopped> {
        Ok(self.search_node(to_move, depth, false, budget)?.0)
    }

    /// As [`AttackSearch::search`], with the deciding move if the result favours the side to move: the attacker's first move
    /// of an attack that succeeds, or the defender's first move against an attack that never does.
    pub fn search_for_move(
        &mut self,
        to_move: Role,
        depth: u16,
        budget: &mut NodeBudget<'_>,
    ) -> Result<(AttackResult, Option<u16>), Stopped> {
        let (result, cell) = self.search_node(to_move, depth, true, budget)?;
        Ok((result, cell.filter(|_| favours_mover(to_move, result))))
    }

    /// The result, and the cell that decided it if moves were tried. With `wants_move`, a result that favours the side to move
    /// comes with its move: if neither a rule nor the table names it, moves are tried.
    fn search_node(
        &mut self,
        to_move: Role,
        depth: u16,
        wants_move: bool,
        budget: &mut NodeBudget<'_>,
    ) -> Result<(AttackResult, Option<u16>), Stopped> {
        budget.spend()?;
        let mut depth = depth;
        let mut is_decided = false;
        match self.try_static(to_move, depth) {
            StaticResult::Decided(result, reason) => {
                if !wants_move || !favours_mover(to_move, result) {
                    return Ok((result, None));
                }
                if let Some(cell) = self.named_move(to_move, reason) {
                    return Ok((result, Some(cell)));
                }
                is_decided = true;
            }
            StaticResult::Forced(cell) => {
                return Ok((self.search_move(cell, to_move, depth, budget)?, Some(cell)));
            }
            StaticResult::Open => {}
        }
        let key = self.key(to_move);
        let known = if self.uses(Technique::TranspositionTable) { self.probe(key) } else { None };
        if let Some(known) = known {
            if let Some(plies) = known.succeeds_within.filter(|&plies| plies <= depth) {
                if !wants_move || to_move == Role::Defender {
                    return Ok((AttackResult::Succeeds(plies), None));
                }
                depth = plies;
            } else if known.fails_within >= depth
                && !(wants_move && favours_mover(to_move, AttackResult::Fails(known.fails_within)))
            {
                return Ok((AttackResult::Fails(known.fails_within), None));
            }
        }
        let known = known.unwrap_or_default();
        let (mut plies_otherwise, mut replies) = (0, None);
        match if is_decided { None } else { self.try_fours(to_move, depth) } {
            Some(FoursResult::Win(plies, cell)) => {
                let result = AttackResult::Succeeds(plies);
                self.store(key, known, result, self.live.signature(cell) as u16, 1);
                return Ok((result, Some(cell)));
            }
            Some(FoursResult::Threat(plies, cells)) => (plies_otherwise, replies) = (plies, Some(cells)),
            None => {}
        }
        if let Some((result, reason)) = if is_decided { None } else { self.try_pairing(to_move, depth) } {
            self.store(key, known, result, known.best, 1);
            let wants_move = wants_move && favours_mover(to_move, result);
            let cell = if wants_move { self.named_move(to_move, reason) } else { None };
            if !wants_move || cell.is_some() {
                return Ok((result, cell));
            }
        }
        let before = budget.nodes;
        let first = self.moves.len();
        self.list_moves(to_move, known.best, replies.as_deref());
        let tried = self.try_moves(first, to_move, depth, plies_otherwise, budget);
        self.moves.truncate(first);
        let (result, deciding) = tried?;
        self.store(key, known, result, deciding.map_or(0, |entry| entry.signature as u16), budget.nodes - before);
        Ok((result, deciding.map(|entry| entry.cell)))
    }

    /// Looks for a win by the attacker's fours. Normal rules only.
    fn try_fours(&mut self, to_move: Role, depth: u16) -> Option<FoursResult> {
        let threats = self.threats.as_deref_mut().filter(|_| depth >= 3)?;
        let fours = threats.find_fours(self.attacker)?;
        let plies = fours.plies();
        match to_move {
            Role::Attacker if plies <= depth => Some(FoursResult::Win(plies, fours.first())),
            Role::Defender if plies < depth => {
                Some(FoursResult::Threat(plies, replies_to_fours(&mut threats.board, self.attacker, &fours)))
            }
            _ => None,
        }
    }

    /// The first move of the strategy of a rule that favours the side to move, if the rule names one.
    pub fn named_move(&self, to_move: Role, reason: StaticReason) -> Option<u16> {
        if self.reverse { self.named_move_reverse(to_move, reason) } else { self.named_move_normal(to_move, reason) }
    }

    /// Tries the moves from index `first` of the list on. Returns the result and the deciding move. After every other reply of
    /// the defender, the attacker wins within `plies_otherwise`; 0 if there is no other.
    fn try_moves(
        &mut self,
        first: usize,
        to_move: Role,
        depth: u16,
        plies_otherwise: u16,
        budget: &mut NodeBudget<'_>,
    ) -> Result<(AttackResult, Option<Move>), Stopped> {
        let mut worst = one_ply_more(plies_otherwise);
        let mut least = NEVER;
        let mut last_best = None;
        for place in first..self.moves.len() {
            let entry = self.moves[place];
            match (self.search_move(entry.cell, to_move, depth, budget)?, to_move) {
                (result @ AttackResult::Succeeds(_), Role::Attacker)
                | (result @ AttackResult::Fails(_), Role::Defender) => {
                    return Ok((result, Some(entry)));
                }
                (AttackResult::Fails(plies), Role::Attacker) => least = least.min(plies),
                (AttackResult::Succeeds(plies), Role::Defender) => {
                    if plies >= worst {
                        worst = plies;
                        last_best = Some(entry);
                    }
                }
            }
        }
        Ok(match to_move {
            Role::Attacker => (AttackResult::Fails(least), None),
            Role::Defender => (AttackResult::Succeeds(worst), last_best),
        })
    }

    /// The result if this move is made.
    fn search_move(
        &mut self,
        cell: u16,
        to_move: Role,
        depth: u16,
        budget: &mut NodeBudget<'_>,
    ) -> Result<AttackResult, Stopped> {
        let (player, next) = match to_move {
            Role::Attacker => (self.attacker, Role::Defender),
            Role::Defender => (1 - self.attacker, Role::Attacker),
        };
        self.live.put(self.geometry, cell, player);
        self.threats.iter_mut().for_each(|threats| threats.board.put(cell, player));
        let result = match self.live.empty() {
            0 => Ok(AttackResult::Fails(NEVER)),
            _ => self.search(next, depth.saturating_sub(1), budget),
        };
        self.live.take(self.geometry, cell, player);
        self.threats.iter_mut().for_each(|threats| threats.board.take(cell, player));
        Ok(match result? {
            AttackResult::Succeeds(plies) => AttackResult::Succeeds(one_ply_more(plies)),
            AttackResult::Fails(plies) => AttackResult::fails(one_ply_more(plies), self.live.empty()),
        })
    }

    fn store(&mut self, (key, left_out): (Key, u16), known: AttackEntry, result: AttackResult, best: u16, work: u64) {
        if self.uses(Technique::TranspositionTable) {
            let AttackEntry { succeeds_within, fails_within, .. } = known;
            let (succeeds_within, fails_within) = match result {
                AttackResult::Succeeds(plies) => (Some(succeeds_within.unwrap_or(plies).min(plies)), fails_within),
                AttackResult::Fails(plies) => (succeeds_within, fails_within.max(plies)),
            };
            let succeeds_within = succeeds_within.map(|plies| plies - left_out);
            let fails_within = if fails_within == NEVER { NEVER } else { fails_within.saturating_sub(left_out) };
            let stored = AttackEntry { succeeds_within, fails_within, best };
            self.table.store([key.low, key.high], &stored, work);
        }
    }

    /// True if positions with isomorphic patterns of live lines share a key here. It pays where the search is long.
    fn joins_isomorphic(&self) -> bool {
        self.reverse
            && !self.geometry.lines_overlap()
            && self.geometry.line_count() <= MOST_LINES
            && self.live.empty() >= LEAST_EMPTY_ISOMORPHIC
            && self.uses(Technique::Isomorphism)
    }

    /// The key of the position, attacker and role. On small boards, as long as many cells are empty, positions that are turned
    /// or mirrored share a key.
    ///
    /// **Dead cells.** Under the reverse rules, two dead cells more make every attack two plies longer, and change nothing else.
    /// So keys of isomorphic positions hold the number of dead cells modulo 2, and the plies of their table entries do not count
    /// the other dead cells, whose number is the second part of the result. Proof: if an attack succeeds within p plies, it
    /// succeeds with two more dead cells within p + 2, for the attacker answers a move in one of them with the other. If an attack
    /// succeeds with two more dead cells within p + 2 plies, the attacker plays the same without them, within p: when its
    /// strategy takes one of them, it imagines that the defender takes the other. If that never happens, the defender could have
    /// taken one of them in place of its last move, and would have lost two plies later or still later.
    fn key(&self, to_move: Role) -> (Key, u16) {
        let turns =
            self.geometry.cells() <= MOST_CELLS_TURNED && usize::from(self.live.empty()) * 3 > self.geometry.cells();
        let (key, left_out) = if self.joins_isomorphic() {
            let leaves_pairs = self.uses(Technique::DeadPairs);
            let (key, dead) = self.live.isomorphic_key(self.geometry, leaves_pairs);
            (key, if leaves_pairs { dead - dead % 2 } else { 0 })
        } else if turns {
            (self.live.canonical_key(self.geometry), 0)
        } else {
            (self.live.key(), 0)
        };
        let role = 2 * self.attacker as u64 + u64::from(to_move == Role::Attacker);
        (Key { low: key.low ^ (role + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15), high: key.high }, left_out)
    }

    /// The table entry of a key, with the plies of the dead cells that the key leaves out. The attacker cannot win before all
    /// dead cells are taken.
    fn probe(&self, (key, left_out): (Key, u16)) -> Option<AttackEntry> {
        let known = self.table.probe([key.low, key.high])?;
        Some(AttackEntry {
            succeeds_within: known.succeeds_within.map(|plies| plies + left_out),
            fails_within: known.fails_within.saturating_add(left_out),
            best: known.best,
        })
    }

    /// The moves worth trying, best first.
    pub fn moves(&mut self, to_move: Role) -> Vec<u16> {
        let best = self.probe(self.key(to_move)).unwrap_or_default().best;
        let first = self.moves.len();
        self.list_moves(to_move, best, None);
        self.moves.drain(first..).map(|entry| entry.cell).collect()
    }

    /// The rank of a move under the reverse rules, from what its cell weighs in the lines of the mover and of the other player.
    ///
    /// The mover wants the cell that harms it least. Where lines are long and share one cell at most, it is best to kill
    /// lines of the opponent, its poison first. Elsewhere it is best to leave the opponent its lines. All this was found by
    /// measuring.
    fn reverse_rank(&self, to_move: Role, own: u64, other: u64) -> u64 {
        let length = self.geometry.line_length();
        let leaves_lines = length < 5 || self.geometry.lines_overlap();
        match (length, to_move) {
            (_, Role::Attacker) if leaves_lines => 1 + 2 * own + 3 * other,
            (_, Role::Defender) if leaves_lines => 1 + 2 * own + other,
            (5, Role::Attacker) => 1 + own + 2 * other,
            (5, Role::Defender) | (_, Role::Attacker) => REVERSE_RANK + 2 * own - other,
            (_, Role::Defender) => REVERSE_RANK + 2 * own - 3 * other,
        }
    }

    /// Adds the moves worth trying to the list, best first; if `only` is given, none but those.
    fn list_moves(&mut self, to_move: Role, best: u16, only: Option<&[u16]>) {
        let first = self.moves.len();
        let mover = if to_move == Role::Attacker { self.attacker } else { 1 - self.attacker };
        let poisoned = self.reverse && self.live.lines_lacking(mover, 1) > 0;
        for cell in self.live.empty_cells() {
            if only.is_some_and(|only| !only.contains(&cell)) {
                continue;
            }
            let signature = self.live.signature(cell);
            // Normal rules: a move in a dead cell is a pass.
            if (!self.reverse && signature == 0) || (poisoned && self.is_poison(mover, cell)) {
                continue;
            }
            let own = self.live.weight(self.geometry, mover, cell);
            let other = self.live.weight(self.geometry, 1 - mover, cell);
            let rank = if self.reverse {
                self.reverse_rank(to_move, own, other)
            } else if to_move == Role::Attacker {
                u64::MAX - 2 * own - other
            } else {
                u64::MAX - 2 * other - own
            };
            let rank = if best != 0 && signature as u16 == best { 0 } else { rank };
            self.moves.push(Move { cell, signature, rank });
        }
        self.moves[first..].sort_unstable_by_key(|entry| (entry.rank, entry.signature, entry.cell));
        if self.uses(Technique::EqualCells) {
            let mut kept = first;
            for place in first..self.moves.len() {
                if place == first || self.moves[place].signature != self.moves[kept - 1].signature {
                    self.moves[kept] = self.moves[place];
                    kept += 1;
                }
            }
            self.moves.truncate(kept);
        }
    }
}
