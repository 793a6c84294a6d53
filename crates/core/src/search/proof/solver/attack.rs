//! The search: a tree of the attacker's moves, of which one must do, and the defender's, of which all must.

use std::time::Duration;

use crate::game::Bounds;
use crate::search::request::Pace;
use crate::search::{Control, Stopped};

use super::field::{Field, Key};
use super::geometry::Geometry;
use super::memory::{Known, Memory, NEVER};
use super::pairing::Pairing;
use super::question::{Answer, Glance, Ground, Role, one_ply_more};
use super::technique::{Technique, Techniques};

/// Positions between two looks at the clock and the stop flag: tens of microseconds on small boards, a few milliseconds on
/// the largest.
const NODES_BETWEEN_CHECKS: u64 = 16;

/// The largest board on which positions that are turned or mirrored are taken for the same.
const MOST_CELLS_TURNED: usize = 64;

/// More than any weight.
const REVERSE_RANK: u64 = 1 << 40;

/// Time between two reports of progress.
const REPORT_INTERVAL: Duration = Duration::from_secs(1);

/// Where a search tells what is proven so far, the plies of the proof under way, and the positions looked at.
pub type Progress<'a> = &'a mut dyn FnMut(Bounds, u16, u64);

/// What is left of the positions that a search may look at, and who may end it.
pub struct Budget<'a> {
    control: &'a Control,
    pub nodes: u64,
    most: u64,
    progress: Option<Progress<'a>>,
    reporting: Pace,
    /// What is proven so far about the position that was asked about.
    pub proven: Bounds,
    /// Plies of the question under way.
    pub depth: u16,
}

impl<'a> Budget<'a> {
    pub fn new(control: &'a Control, progress: Option<Progress<'a>>) -> Budget<'a> {
        let most = control.nodes().unwrap_or(u64::MAX);
        let reporting = Pace::new(REPORT_INTERVAL);
        Budget { control, nodes: 0, most, progress, reporting, proven: Bounds::UNKNOWN, depth: 0 }
    }

    /// The most plies that a proof may look ahead.
    pub fn most_plies(&self) -> u16 {
        self.control.depth().unwrap_or(u16::MAX)
    }

    /// Whether the search may go on; the nodes are not looked at.
    pub fn check(&self) -> Result<(), Stopped> {
        self.control.check()
    }

    /// Whether nothing is left, neither for this nor for any other question.
    pub fn is_over(&self) -> bool {
        self.nodes >= self.most || self.control.check().is_err()
    }

    /// Runs one of so many parts of a search, at least 1, with an equal share of the nodes that are left.
    pub fn share<T>(&mut self, parts: u64, part: impl FnOnce(&mut Self) -> T) -> T {
        let most = self.most;
        self.most = self.nodes + (most - self.nodes) / parts;
        let found = part(self);
        self.most = most;
        found
    }

    fn spend(&mut self) -> Result<(), Stopped> {
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

    fn report(&mut self) {
        let Some(progress) = &mut self.progress else { return };
        if self.reporting.is_due() {
            progress(self.proven, self.depth, self.nodes);
        }
    }
}

/// Whether an answer is all that the side to move can want.
pub fn is_won(to_move: Role, answer: Answer) -> bool {
    match to_move {
        Role::Attacker => matches!(answer, Answer::Yes(_)),
        Role::Defender => answer == Answer::No(NEVER),
    }
}

/// A question about a position and the positions that follow it.
pub struct Attack<'a> {
    pub geometry: &'a Geometry,
    pub memory: &'a mut Memory,
    pub pairing: &'a mut Pairing,
    pub techniques: Techniques,
    pub field: Field,
    /// Who wants to force the end: 0 for X, 1 for O.
    pub attacker: usize,
    pub reverse: bool,
    /// The moves of all positions on the way down, one position after the other.
    moves: Vec<Move>,
}

/// A move to try.
#[derive(Clone, Copy)]
struct Move {
    cell: u16,
    signature: u64,
    /// What is tried first has the least rank.
    rank: u64,
}

impl<'a> Attack<'a> {
    pub fn new(
        geometry: &'a Geometry,
        memory: &'a mut Memory,
        pairing: &'a mut Pairing,
        techniques: Techniques,
        field: Field,
        reverse: bool,
    ) -> Attack<'a> {
        Attack { geometry, memory, pairing, techniques, field, attacker: 0, reverse, moves: Vec::new() }
    }

    pub fn uses(&self, technique: Technique) -> bool {
        self.techniques.contains(technique)
    }

    /// What can be said without trying a move.
    pub fn glance(&self, to_move: Role, depth: u16) -> Glance {
        if self.reverse { self.glance_reverse(to_move, depth) } else { self.glance_normal(to_move, depth) }
    }

    /// What pairs can say.
    pub fn look(&mut self, to_move: Role, depth: u16) -> Option<(Answer, Ground)> {
        if self.reverse { self.parity_reverse(to_move, depth) } else { self.pairing_normal(to_move, depth) }
    }

    /// Whether the attacker can force the end within `depth` plies.
    pub fn ask(&mut self, to_move: Role, depth: u16, budget: &mut Budget<'_>) -> Result<Answer, Stopped> {
        Ok(self.decide(to_move, depth, false, budget)?.0)
    }

    /// The same with the move of the side to move that decides it, where the answer is in its favour: the attacker's
    /// first move of an attack that succeeds, the defender's first move against one that never does.
    pub fn ask_for_move(
        &mut self,
        to_move: Role,
        depth: u16,
        budget: &mut Budget<'_>,
    ) -> Result<(Answer, Option<u16>), Stopped> {
        let (answer, cell) = self.decide(to_move, depth, true, budget)?;
        Ok((answer, cell.filter(|_| is_won(to_move, answer))))
    }

    /// The answer, and a cell that decided it if one was tried. With `wants_move`, an answer in favour of the side to move
    /// comes with its move: where neither a rule nor the memory names it, moves are tried.
    fn decide(
        &mut self,
        to_move: Role,
        depth: u16,
        wants_move: bool,
        budget: &mut Budget<'_>,
    ) -> Result<(Answer, Option<u16>), Stopped> {
        budget.spend()?;
        let mut depth = depth;
        let mut is_settled = false;
        match self.glance(to_move, depth) {
            Glance::Settled(answer, ground) => {
                if !wants_move || !is_won(to_move, answer) {
                    return Ok((answer, None));
                }
                if let Some(cell) = self.named_move(to_move, ground) {
                    return Ok((answer, Some(cell)));
                }
                is_settled = true;
            }
            Glance::Forced(cell) => {
                let answer = match self.after(cell, to_move, depth, budget)? {
                    Answer::Yes(plies) => Answer::Yes(one_ply_more(plies)),
                    Answer::No(plies) => self.no(one_ply_more(plies)),
                };
                return Ok((answer, Some(cell)));
            }
            Glance::Open => {}
        }
        let key = self.key(to_move);
        let known = if self.uses(Technique::Memory) { self.memory.find(key) } else { None };
        if let Some(known) = known {
            if let Some(plies) = known.yes.filter(|&plies| plies <= depth) {
                if !wants_move || to_move == Role::Defender {
                    return Ok((Answer::Yes(plies), None));
                }
                depth = plies;
            } else if known.no >= depth && !(wants_move && is_won(to_move, Answer::No(known.no))) {
                return Ok((Answer::No(known.no), None));
            }
        }
        let known = known.unwrap_or_default();
        if let Some((answer, ground)) = if is_settled { None } else { self.look(to_move, depth) } {
            self.remember(key, known, answer, known.best, 1);
            let wants_move = wants_move && is_won(to_move, answer);
            let cell = if wants_move { self.named_move(to_move, ground) } else { None };
            if !wants_move || cell.is_some() {
                return Ok((answer, cell));
            }
        }
        let before = budget.nodes;
        let first = self.moves.len();
        self.list_moves(to_move, known.best);
        let result = self.try_moves(first, to_move, depth, budget);
        self.moves.truncate(first);
        let (answer, deciding) = result?;
        self.remember(key, known, answer, deciding.map_or(0, |entry| entry.signature as u16), budget.nodes - before);
        Ok((answer, deciding.map(|entry| entry.cell)))
    }

    /// The move that a rule's strategy begins with, where the rule decides in favour of the side to move and names one.
    /// What each rule says stands where the rule does.
    pub fn named_move(&self, to_move: Role, ground: Ground) -> Option<u16> {
        if self.reverse { self.named_move_reverse(to_move, ground) } else { self.named_move_normal(to_move, ground) }
    }

    /// Tries the moves from place `first` of the list on. Says which one decided.
    fn try_moves(
        &mut self,
        first: usize,
        to_move: Role,
        depth: u16,
        budget: &mut Budget<'_>,
    ) -> Result<(Answer, Option<Move>), Stopped> {
        let mut worst = 0;
        let mut least = NEVER;
        let mut last_best = None;
        for place in first..self.moves.len() {
            let entry = self.moves[place];
            match (self.after(entry.cell, to_move, depth, budget)?, to_move) {
                (Answer::Yes(plies), Role::Attacker) => return Ok((Answer::Yes(one_ply_more(plies)), Some(entry))),
                (Answer::No(plies), Role::Defender) => return Ok((self.no(one_ply_more(plies)), Some(entry))),
                (Answer::No(plies), Role::Attacker) => least = least.min(one_ply_more(plies)),
                (Answer::Yes(plies), Role::Defender) => {
                    if plies >= worst {
                        worst = plies;
                        last_best = Some(entry);
                    }
                }
            }
        }
        Ok(match to_move {
            Role::Attacker => (self.no(least), None),
            Role::Defender => (Answer::Yes(one_ply_more(worst)), last_best),
        })
    }

    /// The answer after a move, from which one ply less is left.
    fn after(&mut self, cell: u16, to_move: Role, depth: u16, budget: &mut Budget<'_>) -> Result<Answer, Stopped> {
        let (player, next) = match to_move {
            Role::Attacker => (self.attacker, Role::Defender),
            Role::Defender => (1 - self.attacker, Role::Attacker),
        };
        self.field.put(self.geometry, cell, player);
        let answer = match self.field.empty() {
            0 => Ok(Answer::No(NEVER)),
            _ => self.ask(next, depth.saturating_sub(1), budget),
        };
        self.field.take(self.geometry, cell, player);
        answer
    }

    fn no(&self, plies: u16) -> Answer {
        Answer::no(plies, self.field.empty())
    }

    fn remember(&mut self, key: Key, known: Known, answer: Answer, best: u16, work: u64) {
        if self.uses(Technique::Memory) {
            let known = match answer {
                Answer::Yes(plies) => {
                    Known { yes: Some(known.yes.map_or(plies, |known| known.min(plies))), best, ..known }
                }
                Answer::No(plies) => Known { no: known.no.max(plies), best, ..known },
            };
            self.memory.store(key, known, work);
        }
    }

    /// The key of the question. On boards that are not too large, positions that are turned or mirrored share it, as long
    /// as that is worth the trouble.
    fn key(&self, to_move: Role) -> Key {
        let turns =
            self.geometry.cells() <= MOST_CELLS_TURNED && usize::from(self.field.empty()) * 3 > self.geometry.cells();
        let key = if turns { self.field.canonical_key(self.geometry) } else { self.field.key() };
        let question = 2 * self.attacker as u64 + u64::from(to_move == Role::Attacker);
        Key { low: key.low ^ (question + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15), high: key.high }
    }

    /// The moves worth trying, best first.
    pub fn moves(&mut self, to_move: Role) -> Vec<u16> {
        let best = self.memory.find(self.key(to_move)).unwrap_or_default().best;
        let first = self.moves.len();
        self.list_moves(to_move, best);
        self.moves.drain(first..).map(|entry| entry.cell).collect()
    }

    /// Adds the moves worth trying to the list, best first.
    fn list_moves(&mut self, to_move: Role, best: u16) {
        let first = self.moves.len();
        let mover = if to_move == Role::Attacker { self.attacker } else { 1 - self.attacker };
        let poisoned = self.reverse && self.field.lines_missing(mover, 1) > 0;
        for cell in self.field.empty_cells() {
            let signature = self.field.signature(cell);
            // Normal rules: a move in a dead cell is a pass.
            if (!self.reverse && signature == 0) || (poisoned && self.is_poison(mover, cell)) {
                continue;
            }
            let own = self.field.weight(self.geometry, mover, cell);
            let other = self.field.weight(self.geometry, 1 - mover, cell);
            let rank = if self.reverse {
                // Whoever has to move wants to harm itself least. Where lines are long and share one cell at most, cells that
                // rid the other of its lines, poison before all, come out best; elsewhere those that leave the other its
                // trouble do. Both were found by measuring.
                let is_spacious = !self.geometry.lines_overlap && self.geometry.line_length > 4;
                if is_spacious { REVERSE_RANK + 2 * own - other } else { 1 + 2 * own + other }
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
