//! Exact values on every board: who wins, how soon, by which moves, and why.
//!
//! # The method
//!
//! The solver runs one kind of search, the *attack search*: can a player, the attacker, force a win within N plies?
//! Under normal rules the attacker wins by completing a line. Under reverse rules it wins by leaving its opponent, the
//! defender, no move but to complete one. One attack search for each player, without a limit on the plies, finds win, draw
//! or loss. More of them, with limits on the plies, find the distance. An attack search has two results and no window of
//! values: *succeeds within N plies* and *fails within N plies*. Both stay true for good, so the
//! transposition table stores them with their type.
//!
//! Only *live* lines matter, those in which at most one player has stones. They are updated from move to move
//! ([`live_lines`]), together with their weights and a key. Positions with the same pattern of live lines have the same
//! key, and of cells in the same live lines only one is tried. Under reverse rules, with lines as long as the board, the same
//! holds for most positions with isomorphic patterns, also if they differ by two cells in no live line.
//!
//! Before any move is tried, static rules are tested. Each file states its rules, why they are sound, and their source:
//!
//! | rule | normal | reverse | where |
//! |---|---|---|---|
//! | potential: lines weigh too little | the attacker cannot | the attacker cannot | `normal.rs`, `reverse.rs` |
//! | short lines: too few plies are left | not within the plies | | `normal.rs` |
//! | forced replies and threats | one move, or the result | | `normal.rs` |
//! | threats: a win by fours, or only the replies that may spoil it | the attacker wins, or few moves | | [`threats`](super::threats) |
//! | pairing: the defender answers in pairs | the attacker cannot | the attacker cannot | `normal.rs`, `reverse.rs`; pairs from `pairing_finder.rs` |
//! | parity: pairs, and cells that are left over | | both results, with a distance | `reverse.rs` |
//! | mirror: the defender answers through the centre | | the attacker cannot | `reverse.rs` |
//! | mirror, 2 in a row: the attacker answers through the centre | | the attacker wins, with a distance | `reverse.rs` |
//! | known values of empty boards | the attacker cannot | the attacker cannot | [`known_values`] |
//!
//! If no rule applies, moves are tried (`attack_search.rs`). An attack succeeds if one move of the attacker does, and if all
//! moves of the defender fail. Normal rules: an additional stone never hurts, so moves in dead cells are left out and
//! heavy cells come first. Where lines are shorter than the board, short attacks are tried before long ones. Reverse rules:
//! an additional stone can hurt, so only moves that lose at once are left out, and light cells come first.
//!
//! Normal rules, lines shorter than the board: whether an attack can ever succeed is first asked in the
//! [weak game](super::weak_game), where the defender's own lines do not count. If it cannot succeed there, it cannot
//! succeed at all. The weak game comes before iterative deepening with a few nodes, and after it with a sixteenth of what
//! is left.
//!
//! # Proofs
//!
//! A result comes from a static rule, or from a tree of results with static rules at its leaves. [`Solver::prove`] names
//! the rule with everything that a checker needs (pairs, kept cells, sums). If it is [`Reason::Search`], prove the
//! positions that follow: [`Solver::best_moves`] gives the moves.

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
#[cfg(test)]
mod tests;

use crate::game::{Bounds, Cell, Player, Position, Rules, Value};

use crate::search::proof::threats::{FourSequence, ThreatSearch, WinningStrategy};
use crate::search::proof::weak_game::WeakGame;
use crate::search::{Control, Stopped, known_values};

use attack_result::TranspositionTable;
use attack_search::OnProgress;
use geometry::SolverGeometry;
use live_lines::LiveLines;
use pairing_finder::PairingFinder;
use root_search::RootSearch;
use technique::TechniqueSet;

pub(in crate::search::proof) use attack_result::{AttackResult, NEVER, StaticReason, StaticResult};
pub(in crate::search::proof) use attack_search::{AttackSearch, NodeBudget};
pub use reason::{Proof, Reason};
pub use technique::Technique;

/// The result of [`Solver::solve`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// The proven bounds of its value, seen by the side to move.
    pub bounds: Bounds,
    /// A move that keeps the lower bound, if that is a win or a draw. `None` for a lower bound of a loss, in a finished game,
    /// and if the bound rests on a theorem that names no move.
    pub best: Option<Cell>,
    /// If `best` begins a win by threats whose distance is not proven: how the game goes on, `best` first. Else empty.
    pub winning_line: Vec<Cell>,
}

/// Proves exact values under one set of rules, in bounded memory.
pub struct Solver {
    rules: Rules,
    geometry: SolverGeometry,
    table: TranspositionTable,
    pairing: PairingFinder,
    /// The weak game, where it is played.
    pub(in crate::search::proof) weak_game: Option<WeakGame>,
    techniques: TechniqueSet,
    /// For normal rules with lines shorter than the board.
    threats: Option<ThreatSearch>,
    nodes: u64,
}

/// The threat search takes at most this part of the memory, and only while it runs.
const THREAT_PART: usize = 4;

/// It takes this much less, for what its estimate of its memory leaves out.
const THREAT_MARGIN: usize = 128 << 10;

/// The part of the memory that the table of the weak game gets where it is played, in quarters.
const WEAK_GAME_QUARTERS: usize = 3;

impl Solver {
    /// A solver with tables of at most so many MiB (2^20 bytes). They are allocated by the first search.
    pub fn new(rules: Rules, mebibytes: u32) -> Solver {
        Solver::within_bytes(rules, (mebibytes as usize) << 20)
    }

    /// A solver whose table takes at most `bytes`.
    #[doc(hidden)]
    pub fn within_bytes(rules: Rules, bytes: usize) -> Solver {
        let geometry = SolverGeometry::new(rules);
        // Where lines share one cell at most, pairings decide nearly everything.
        let seeks_threats = rules.completer_wins() && geometry.lines_overlap();
        let weak_bytes = bytes / 4 * WEAK_GAME_QUARTERS;
        let new_weak_game = || WeakGame::new(&geometry, weak_bytes);
        let weak_game = seeks_threats.then(new_weak_game).flatten();
        let threat_bytes = (bytes / THREAT_PART).saturating_sub(THREAT_MARGIN);
        Solver {
            rules,
            table: TranspositionTable::new(if weak_game.is_some() { bytes - weak_bytes } else { bytes }),
            weak_game,
            pairing: PairingFinder::new(&geometry, known_values::pairing(rules).unwrap_or_default()),
            threats: seeks_threats.then(|| ThreatSearch::within_bytes(rules, threat_bytes)),
            geometry,
            techniques: TechniqueSet::all(),
            nodes: 0,
        }
    }

    /// Switches off some techniques.
    #[doc(hidden)]
    pub fn without(mut self, techniques: &[Technique]) -> Solver {
        techniques.iter().for_each(|&technique| self.techniques.remove(technique));
        self.threats = self.threats.filter(|_| self.techniques.contains(Technique::Threats));
        self.weak_game = self.weak_game.filter(|_| self.techniques.contains(Technique::WeakGame));
        if !self.techniques.contains(Technique::Theorem) {
            self.pairing = PairingFinder::new(&self.geometry, Vec::new());
        }
        self
    }

    /// The rules of the solver. All positions that it is given must be under these rules.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The nodes (positions) that all searches of this solver have visited.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Ignores the table entries of earlier searches from now on. The results of later searches then depend only on their
    /// arguments.
    pub fn forget(&mut self) {
        self.threats.iter_mut().for_each(|threats| threats.fours.forget());
        self.table.forget();
        self.weak_game.iter_mut().for_each(WeakGame::forget);
    }

    /// Uses the table entries of earlier searches again, as far as they are still there.
    #[doc(hidden)]
    pub fn recall(&mut self) {
        self.table.recall();
    }

    /// Proves bounds on the value of a position until `control` ends the search. They are exact if nothing ends it.
    pub fn bounds(&mut self, position: &Position, control: &Control) -> Bounds {
        self.with_budget(control, None, |solver, budget| solver.find_bounds(position, budget))
    }

    /// As [`Solver::bounds`], with a move that keeps the lower bound. Once a second `progress` gets the bounds so far, the
    /// plies of the attack search under way, and the nodes.
    #[doc(hidden)]
    pub fn solve(
        &mut self,
        position: &Position,
        control: &Control,
        progress: &mut dyn FnMut(Bounds, u16, u64),
    ) -> Solution {
        self.with_budget(control, Some(progress), |solver, budget| {
            if let Some(value) = position.final_value() {
                return Solution { bounds: Bounds::exactly(value), best: None, winning_line: Vec::new() };
            }
            let mut root_search = RootSearch::new(solver, position, budget);
            root_search.wants_move = true;
            let _ = root_search.run();
            let (bounds, best) = (root_search.bounds(), root_search.best());
            let winning_line = if bounds.exact().is_none() { root_search.winning_line() } else { Vec::new() };
            Solution { bounds, best, winning_line }
        })
    }

    /// A win by threats of the side to move, if one is found. `None` where threats are not searched for: under the reverse
    /// rule, and where lines are as long as the board.
    #[doc(hidden)]
    pub fn win_by_threats(&mut self, position: &Position, control: &Control) -> Option<WinningStrategy> {
        let threats = self.threats.as_mut()?;
        let before = threats.nodes();
        let strategy = threats.find_win(position, control);
        self.nodes += threats.nodes() - before;
        strategy
    }

    /// Proves bounds on the value of every move of a position, in reading order, seen by the side to move.
    pub fn move_bounds(&mut self, position: &Position, control: &Control) -> Vec<(Cell, Bounds)> {
        self.with_budget(control, None, |solver, budget| {
            let bounds = |cell| (cell, solver.find_bounds(&position.after(cell), budget).before_move());
            position.moves().map(bounds).collect()
        })
    }

    /// All moves of perfect play (best value and distance), in reading order. If `control` ends the search, only those that
    /// are proven until then: none if the value of the position is not proven.
    pub fn best_moves(&mut self, position: &Position, control: &Control) -> Vec<Cell> {
        self.with_budget(control, None, |solver, budget| {
            let Some(value) = solver.find_bounds(position, budget).exact() else { return Vec::new() };
            let moves: Vec<Cell> = position.moves().collect();
            let decided = solver.decide_moves(position, &moves, value, budget);
            decided.into_iter().filter_map(|(cell, keeps)| keeps.then_some(cell)).collect()
        })
    }

    /// Finds those of the moves that keep `value`, a proven lower bound of the position. The result lists the moves that are
    /// decided when the search ends. Each move gets an equal share of the nodes.
    #[doc(hidden)]
    pub fn keeping_moves(
        &mut self,
        position: &Position,
        moves: &[Cell],
        value: Value,
        control: &Control,
    ) -> Vec<(Cell, bool)> {
        self.with_budget(control, None, |solver, budget| solver.decide_moves(position, moves, value, budget))
    }

    /// The first move found that keeps the value of a position, which is `value`. `None` if `control` ends the search
    /// before.
    #[doc(hidden)]
    pub fn find_best_move(&mut self, position: &Position, value: Value, control: &Control) -> Option<Cell> {
        self.with_budget(control, None, |solver, budget| solver.best_move(position, value, budget))
    }

    fn best_move(&mut self, position: &Position, value: Value, budget: &mut NodeBudget<'_>) -> Option<Cell> {
        // Moves that lose at once are not worth trying, unless there are no others.
        let promising = RootSearch::new(self, position, budget).moves();
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
        // Moves in cells with the same live lines have the same value.
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
            let share = budget.left() / ahead;
            let keeps = budget.within(share, |budget| self.keeps(position, cells[0], value, budget));
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

    /// The moves of perfect play from a position: to the end of a won or lost game, one move of a drawn one. Shorter if
    /// `control` ends the search.
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

    /// Proves the bounds of a position, with reasons.
    #[doc(hidden)]
    pub fn prove(&mut self, position: &Position, control: &Control) -> Proof {
        self.with_budget(control, None, |solver, budget| {
            if position.outcome().is_some() {
                let bounds = solver.find_bounds(position, budget);
                return Proof { bounds, attack: Some(Reason::GameOver), defence: Some(Reason::GameOver) };
            }
            let mut root_search = RootSearch::new(solver, position, budget);
            let _ = root_search.run();
            let bounds = root_search.bounds();
            let [attack, defence] = [0, 1].map(|index| root_search.reason(index));
            let attack = attack.or_else(|| {
                // A strategy that takes longer than the win that is proven would not explain it.
                let strategy =
                    root_search.strategy.as_ref().filter(|found| Value::Win(found.plies()) >= bounds.at_least)?;
                Some(Reason::Threats { steps: strategy.longest_steps(), plies: strategy.plies() })
            });
            let attack_is_settled = bounds.at_most <= Value::Draw || bounds.at_least > Value::Draw;
            let defence_is_settled = bounds.at_least >= Value::Draw || bounds.at_most < Value::Draw;
            Proof {
                bounds,
                attack: attack.or(attack_is_settled.then_some(Reason::Search)),
                defence: defence.or(defence_is_settled.then_some(Reason::Search)),
            }
        })
    }

    /// The attack search at a position in which the game goes on, and the weak game where it is played.
    pub(in crate::search::proof) fn attack_search(
        &mut self,
        position: &Position,
    ) -> (AttackSearch<'_>, Option<&mut WeakGame>) {
        let live = LiveLines::new(&self.geometry, position);
        if self.techniques.contains(Technique::Theorem) {
            self.pairing.use_reply(&self.geometry, &live, position);
        }
        let attack = AttackSearch {
            geometry: &self.geometry,
            table: &mut self.table,
            pairing: &mut self.pairing,
            threats: self.threats.as_mut().map(|threats| threats.at(position)),
            techniques: self.techniques,
            live,
            attacker: 0,
            reverse: !self.rules.completer_wins(),
            moves: Vec::new(),
        };
        (attack, self.weak_game.as_mut())
    }

    /// The attack search of a player.
    pub(in crate::search::proof) fn attack_of(&mut self, position: &Position, attacker: Player) -> AttackSearch<'_> {
        let (mut attack, _) = self.attack_search(position);
        attack.attacker = attacker as usize;
        attack
    }

    /// True if a technique is used.
    pub(in crate::search::proof) fn uses(&self, technique: Technique) -> bool {
        self.techniques.contains(technique)
    }

    /// A short win by fours of a player, as if that player were to move.
    pub(in crate::search::proof) fn find_fours(&mut self, position: &Position, player: Player) -> Option<FourSequence> {
        self.threats.as_mut()?.at(position).find_fours(player as usize)
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
        let mut root_search = RootSearch::new(self, position, budget);
        // A search that is stopped leaves what it has proven in the root search.
        let _ = root_search.run();
        root_search.bounds()
    }

    /// True if a move keeps `value`, which is that of the position or a proven lower bound of it.
    fn keeps(
        &mut self,
        position: &Position,
        cell: Cell,
        value: Value,
        budget: &mut NodeBudget<'_>,
    ) -> Result<bool, Stopped> {
        // Static results cost time too.
        budget.check()?;
        let after = position.after(cell);
        if let Some(found) = after.final_value() {
            return Ok(found.before_move() == value);
        }
        let mut root_search = RootSearch::new(self, &after, budget);
        Ok(match value {
            Value::Win(plies) => root_search.succeeds(position.side(), plies - 1)?,
            Value::Draw => !root_search.succeeds(after.side(), after.empty_cells() as u16)?,
            Value::Loss(plies) => !root_search.succeeds(after.side(), plies.saturating_sub(2))?,
        })
    }
}
