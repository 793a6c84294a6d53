//! Exact values on every board: who wins, how soon, by which moves, and why.
//!
//! # The method
//!
//! The solver asks one question: *can a player, the attacker, force the end of the game within so many plies?* Normal rules:
//! by completing a line; reverse rules: by leaving its opponent, the defender, nothing but to complete one. Asked once for
//! each player without a limit on the plies, it tells win, draw or loss; asked again with more and more plies, it tells
//! the distance. A question has two answers and no window of values, so that what is found out of a position, *within so
//! many plies, yes* and *within so many plies, no*, stays true for good and can be remembered with its type.
//!
//! What decides about an attack are *live* lines, those in which only one player has stones. They are kept from move to
//! move ([`live_lines`]), together with their weights and a key: positions with the same pattern of live lines
//! are the same to the solver, and cells in the same live lines are tried once.
//!
//! A question is answered without trying a move wherever a rule allows it. Each rule has its statement, why it is sound,
//! and its source where it stands:
//!
//! | rule | normal | reverse | where |
//! |---|---|---|---|
//! | potential: lines weigh too little | the attacker cannot | the attacker cannot | `normal.rs`, `reverse.rs` |
//! | short lines: too few plies are left | not within the plies | | `normal.rs` |
//! | forced replies and threats | one move, or the answer | | `normal.rs` |
//! | pairing: the defender answers in pairs | the attacker cannot | the attacker cannot | `pairing.rs` |
//! | parity: pairs, and cells that are left over | | both answers, with a distance | `reverse.rs` |
//! | mirror: the defender answers through the centre | | the attacker cannot | `reverse.rs` |
//! | settled starts | the attacker cannot | the attacker cannot | [`known_values`] |
//!
//! Where none applies, moves are tried (`attack.rs`): of the attacker's one must do, of the defender's all. Normal rules:
//! a stone more never hurts, so moves in dead cells are left out, heavy cells come first, and where lines are shorter than
//! the board short attacks are looked for before long ones. Reverse rules: a stone more can hurt, so nothing is left out
//! but what loses at once, and the cells that cost least come first.
//!
//! # Proofs
//!
//! An answer is either one of the rules' or a tree of answers with rules at its leaves. [`Solver::prove`] names the rule
//! with everything that a checker needs to see that it applies (pairs, kept cells, sums); where it says
//! [`Reason::Search`], the same question about the positions that follow, for which [`Solver::best_moves`] gives the move,
//! leads down the tree.

mod attack_result;
mod attack_search;
mod geometry;
mod live_lines;
mod normal;
mod pairing_finder;
mod reason;
mod reverse;
mod root_search;
mod technique;
mod transposition_table;

use crate::game::{Bounds, Cell, Position, Rules, Value};

use crate::search::{Control, Stopped, known_values};

use attack_search::{NodeBudget, OnProgress};
use geometry::Geometry;
use live_lines::LiveLines;
use pairing_finder::PairingFinder;
use root_search::RootSearch;
use technique::TechniqueSet;
use transposition_table::TranspositionTable;

pub use reason::{Proof, Reason};
pub use technique::Technique;

/// What a search has proven about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Solution {
    /// What is proven about its value, seen by the side to move.
    pub bounds: Bounds,
    /// A move that is worth what the bounds say at least, where that is a win or a draw. `None` elsewhere, where the game is
    /// over, and where nothing but a theorem says so that names no move.
    pub best: Option<Cell>,
}

/// Finds out exact values under one set of rules, in bounded memory.
pub struct Solver {
    rules: Rules,
    geometry: Geometry,
    table: TranspositionTable,
    pairing: PairingFinder,
    techniques: TechniqueSet,
    nodes: u64,
}

impl Solver {
    /// A solver whose tables take at most so many MiB (2^20 bytes). Nothing is allocated before it is needed.
    pub fn new(rules: Rules, mebibytes: u32) -> Solver {
        Solver::within_bytes(rules, (mebibytes as usize) << 20)
    }

    /// The same with so many bytes.
    pub fn within_bytes(rules: Rules, bytes: usize) -> Solver {
        let geometry = Geometry::new(rules);
        Solver {
            rules,
            pairing: PairingFinder::new(&geometry, known_values::pairing(rules).unwrap_or_default()),
            geometry,
            table: TranspositionTable::new(bytes),
            techniques: TechniqueSet::all(),
            nodes: 0,
        }
    }

    /// The same without some of its techniques.
    pub fn without(mut self, techniques: &[Technique]) -> Solver {
        techniques.iter().for_each(|&technique| self.techniques.remove(technique));
        if !self.techniques.contains(Technique::Theorem) {
            self.pairing = PairingFinder::new(&self.geometry, Vec::new());
        }
        self
    }

    /// The rules of its positions.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Positions looked at since the solver was made.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Leaves everything out of account that earlier searches have left behind, so that the next ones depend on nothing
    /// but what they are asked.
    pub fn forget(&mut self) {
        self.table.forget();
    }

    /// Takes into account again what earlier searches have left behind.
    pub fn recall(&mut self) {
        self.table.recall();
    }

    /// What can be proven about the value of a position before `control` ends the search; exact when nothing ends it.
    pub fn bounds(&mut self, position: &Position, control: &Control) -> Bounds {
        self.with_budget(control, None, |solver, budget| solver.find_bounds(position, budget))
    }

    /// The same with a move that keeps what is proven, telling once a second what is proven so far, the plies of the proof
    /// under way and the positions that have been looked at.
    pub fn solve(
        &mut self,
        position: &Position,
        control: &Control,
        progress: &mut dyn FnMut(Bounds, u16, u64),
    ) -> Solution {
        self.with_budget(control, Some(progress), |solver, budget| {
            if let Some(value) = position.final_value() {
                return Solution { bounds: Bounds::exactly(value), best: None };
            }
            let mut root_search = RootSearch::new(solver, position).with_move();
            let _ = root_search.run(budget);
            Solution { bounds: root_search.bounds(), best: root_search.best() }
        })
    }

    /// What can be proven about every move of a position in reading order, seen by the side that moves.
    pub fn move_bounds(&mut self, position: &Position, control: &Control) -> Vec<(Cell, Bounds)> {
        self.with_budget(control, None, |solver, budget| {
            let bounds = |cell| (cell, solver.find_bounds(&position.after(cell), budget).before_move());
            position.moves().map(bounds).collect()
        })
    }

    /// All moves that are as good as perfect play, value and distance, in reading order; those of them that could be
    /// proven when `control` ends the search, which are none as long as the value itself is not proven.
    pub fn best_moves(&mut self, position: &Position, control: &Control) -> Vec<Cell> {
        self.with_budget(control, None, |solver, budget| {
            let Some(value) = solver.find_bounds(position, budget).exact() else { return Vec::new() };
            let moves: Vec<Cell> = position.moves().collect();
            let decided = solver.decide_moves(position, &moves, value, budget);
            decided.into_iter().filter_map(|(cell, keeps)| keeps.then_some(cell)).collect()
        })
    }

    /// Which of these moves of a position keep a value that the position has, or has at least: those that could be decided
    /// when `control` ends the search. Each gets an equal share of the positions that are left.
    pub fn keeping_moves(
        &mut self,
        position: &Position,
        moves: &[Cell],
        value: Value,
        control: &Control,
    ) -> Vec<(Cell, bool)> {
        self.with_budget(control, None, |solver, budget| solver.decide_moves(position, moves, value, budget))
    }

    /// The first move found that keeps the value of a position, which is `value`; `None` when `control` ends the search
    /// before.
    pub fn find_best_move(&mut self, position: &Position, value: Value, control: &Control) -> Option<Cell> {
        self.with_budget(control, None, |solver, budget| solver.best_move(position, value, budget))
    }

    fn best_move(&mut self, position: &Position, value: Value, budget: &mut NodeBudget<'_>) -> Option<Cell> {
        // Moves that lose at once are not worth trying, unless there are no others.
        let promising = RootSearch::new(self, position).moves();
        let mut moves = promising.into_iter().chain(position.moves());
        moves.find(|&cell| self.keeps(position, cell, value, budget) == Ok(true))
    }

    fn decide_moves(
        &mut self,
        position: &Position,
        moves: &[Cell],
        value: Value,
        budget: &mut NodeBudget<'_>,
    ) -> Vec<(Cell, bool)> {
        let live = LiveLines::new(&self.geometry, position);
        let joins_equals = self.techniques.contains(Technique::EqualCells);
        // What is equal to a cell in all lines is as good.
        let mut classes: Vec<(u64, Vec<Cell>)> = Vec::new();
        for &cell in moves {
            let signature = live.signature(self.geometry.number(cell));
            match classes.iter_mut().find(|(known, _)| joins_equals && *known == signature) {
                Some((_, cells)) => cells.push(cell),
                None => classes.push((signature, vec![cell])),
            }
        }
        let mut decided = Vec::new();
        let mut ahead = classes.len() as u64;
        for (_, cells) in classes {
            let keeps = budget.share(ahead, |budget| self.keeps(position, cells[0], value, budget));
            ahead -= 1;
            match keeps {
                Ok(keeps) => decided.extend(cells.into_iter().map(|cell| (cell, keeps))),
                Err(Stopped) if budget.is_over() => break,
                Err(Stopped) => {}
            }
        }
        decided.sort_by_key(|&(cell, _)| cell);
        decided
    }

    /// The moves of perfect play from a position: to the end of the game where it is won or lost, the first of them
    /// where it is drawn. Shorter when `control` ends the search.
    pub fn principal_variation(&mut self, position: &Position, control: &Control) -> Vec<Cell> {
        self.with_budget(control, None, |solver, budget| {
            let mut line = Vec::new();
            let mut position = *position;
            while position.outcome().is_none() {
                let Some(value) = solver.find_bounds(&position, budget).exact() else { break };
                let Some(cell) = solver.best_move(&position, value, budget) else { break };
                line.push(cell);
                if value == Value::Draw {
                    break;
                }
                position = position.after(cell);
            }
            line
        })
    }

    /// What can be proven about a position, and why.
    pub fn prove(&mut self, position: &Position, control: &Control) -> Proof {
        self.with_budget(control, None, |solver, budget| {
            if position.outcome().is_some() {
                let bounds = solver.find_bounds(position, budget);
                return Proof { bounds, attack: Some(Reason::GameOver), defence: Some(Reason::GameOver) };
            }
            let bounds = solver.find_bounds(position, budget);
            let mut root_search = RootSearch::new(solver, position);
            let [attack, defence] = [0, 1].map(|index| root_search.reason(index));
            let attack_is_settled = bounds.at_most <= Value::Draw || bounds.at_least > Value::Draw;
            let defence_is_settled = bounds.at_least >= Value::Draw || bounds.at_most < Value::Draw;
            Proof {
                bounds,
                attack: attack.or(attack_is_settled.then_some(Reason::Search)),
                defence: defence.or(defence_is_settled.then_some(Reason::Search)),
            }
        })
    }

    /// Runs a search within the bounds of `control`, and counts its positions.
    fn with_budget<'a, T>(
        &mut self,
        control: &'a Control,
        progress: Option<OnProgress<'a>>,
        search: impl FnOnce(&mut Solver, &mut NodeBudget<'_>) -> T,
    ) -> T {
        let mut budget = NodeBudget::new(control, progress);
        let found = search(self, &mut budget);
        self.nodes += budget.nodes;
        found
    }

    fn find_bounds(&mut self, position: &Position, budget: &mut NodeBudget<'_>) -> Bounds {
        if let Some(value) = position.final_value() {
            return Bounds::exactly(value);
        }
        if budget.check().is_err() {
            return Bounds::UNKNOWN;
        }
        let mut root_search = RootSearch::new(self, position);
        // An unfinished search leaves what it has found in the root_search.
        let _ = root_search.run(budget);
        root_search.bounds()
    }

    /// Whether a move keeps the value of a position, which is `value`.
    fn keeps(
        &mut self,
        position: &Position,
        cell: Cell,
        value: Value,
        budget: &mut NodeBudget<'_>,
    ) -> Result<bool, Stopped> {
        // What takes no search costs time nevertheless.
        budget.check()?;
        let after = position.after(cell);
        if let Some(found) = after.final_value() {
            return Ok(found.before_move() == value);
        }
        let mut root_search = RootSearch::new(self, &after);
        Ok(match value {
            Value::Win(plies) => root_search.succeeds(position.side(), plies - 1, budget)?,
            Value::Draw => !root_search.succeeds(after.side(), after.empty_cells() as u16, budget)?,
            Value::Loss(plies) => !root_search.succeeds(after.side(), plies.saturating_sub(2), budget)?,
        })
    }
}
