//! Proofs of `cannot`: leaves, moves of the defender, and all moves of the attacker.

use crate::game::{Cell, Player, Position, Value};
use crate::search::proof::Role;
use crate::search::proof::known_values::{KnownReason, Theorem, known_value};
use crate::search::proof::solver::{AttackResult, NEVER, StaticReason, StaticResult, Technique};

use super::prover::{ProofError, Proved, Prover, role_to_move};
use super::record::{Claim, Record, TheoremName};

/// Nodes of the weak game at a node of the tree. At the root there is no such limit.
const WEAK_NODES: u64 = 2_000;

/// Nodes of the weak game at the root where a theorem would do.
const WEAK_NODES_BEFORE_THEOREM: u64 = 200_000;

/// Nodes of a proof that strategy stealing would save.
const NODES_BEFORE_STEALING: u64 = 20_000;

impl Prover<'_> {
    /// Proves `cannot` about the position that the certificate is about.
    pub(super) fn cannot_from_root(&mut self, position: &Position, attacker: Player, limit: Option<u16>) -> Proved {
        let rules = position.rules();
        let is_start = position.empty_cells() == rules.cells();
        let known = known_value(rules).filter(|_| is_start && limit.is_none());
        let known = known.and_then(|known| match attacker == position.side() {
            true => known.mover_cannot_force,
            false => known.opponent_cannot_force,
        });
        let theorem = match known {
            Some(KnownReason::Theorem(Theorem::StrategyStealing)) => Some(TheoremName::StrategyStealing),
            Some(KnownReason::Theorem(_)) if !self.solver.uses(Technique::Theorem) => None,
            Some(KnownReason::Theorem(Theorem::EightInARow)) => Some(TheoremName::Zetters),
            Some(KnownReason::Theorem(Theorem::FiveInARow)) => Some(TheoremName::Hsu),
            _ => None,
        };
        // Where one reply and pairs are stored, they are the shortest proof.
        if known == Some(KnownReason::OneReply) && self.solver.uses(Technique::Theorem) {
            return self.cannot_by_moves(position, attacker, limit);
        }
        if theorem == Some(TheoremName::StrategyStealing) {
            let most = self.budget.narrow(NODES_BEFORE_STEALING);
            let first = self.records.len();
            let proved = self.cannot(position, attacker, limit);
            self.budget.widen(most);
            if proved.is_err() {
                self.give_up(first);
                self.records.push(Record::Theorem(TheoremName::StrategyStealing));
            }
            return Ok(());
        }
        let most_nodes = if theorem.is_some() { WEAK_NODES_BEFORE_THEOREM } else { u64::MAX };
        match (self.cannot_by_leaf(position, attacker, limit, most_nodes)?, theorem) {
            (true, _) => {}
            (false, Some(theorem)) => self.records.push(Record::Theorem(theorem)),
            (false, None) => self.cannot_by_moves(position, attacker, limit)?,
        }
        Ok(())
    }

    /// Proves that the attacker cannot force the end within a limit of plies, or at all.
    fn cannot(&mut self, position: &Position, attacker: Player, limit: Option<u16>) -> Proved {
        let limit = limit.filter(|&plies| usize::from(plies) < position.empty_cells());
        if self.cannot_by_leaf(position, attacker, limit, WEAK_NODES)? {
            return Ok(());
        }
        self.cannot_by_moves(position, attacker, limit)
    }

    /// Proves it by a rule without moves, by a lemma, or in the weak game. Says whether that was done.
    fn cannot_by_leaf(
        &mut self,
        position: &Position,
        attacker: Player,
        limit: Option<u16>,
        weak_nodes: u64,
    ) -> Proved<bool> {
        self.budget.spend()?;
        if let Some(record) = self.refutation_by_leaf(position, attacker, limit) {
            self.records.push(record);
            return Ok(true);
        }
        if position.rules().completer_wins() && limit.is_none() {
            return self.weak_from(position, attacker, role_to_move(position, attacker), weak_nodes);
        }
        Ok(false)
    }

    /// A rule without moves that refutes the attack, or a lemma.
    fn refutation_by_leaf(&mut self, position: &Position, attacker: Player, limit: Option<u16>) -> Option<Record> {
        let is_normal = position.rules().completer_wins();
        let role = role_to_move(position, attacker);
        let completer = if is_normal { attacker } else { !attacker };
        self.board.set_up(position);
        if is_normal
            && role == Role::Defender
            && let Some(gap) = self.board.two_completions(!attacker as usize)[0]
        {
            return Some(Record::Move(self.board.cell(gap)));
        }
        let stones = self.stones_in_time(completer == position.side(), limit);
        let lines = |lacking: usize| u64::from(self.board.lines_lacking(completer as usize, lacking));
        let length = self.board.line_length();
        if (0..=stones).all(|lacking| lines(lacking) == 0) {
            return Some(Record::NoLine);
        }
        let most_lacking = if is_normal { stones } else { length };
        let sum: u64 = (0..=most_lacking).map(|lacking| lines(lacking) << (length - lacking)).sum();
        let halves = if is_normal {
            role == Role::Attacker
        } else {
            (position.empty_cells() % 2 == 1) == (role == Role::Defender)
        };
        if if halves { 2 * sum } else { sum } < 1 << length {
            return Some(Record::Potential);
        }
        let depth = limit.unwrap_or(NEVER).min(position.empty_cells() as u16);
        let pairs = self.pairs(position, attacker, depth);
        pairs.or_else(|| self.find_lemma(position, Claim::Cannot(attacker, limit)))
    }

    /// The stones that a player may still place within a limit of plies, at most as many as a line has.
    fn stones_in_time(&self, is_to_move: bool, limit: Option<u16>) -> usize {
        let length = self.board.line_length();
        let stones = limit.map_or(length, |plies| usize::from(if is_to_move { plies.div_ceil(2) } else { plies / 2 }));
        stones.min(length)
    }

    /// Pairs, kept cells or a mirror strategy that refute the attack for so many plies.
    fn pairs(&mut self, position: &Position, attacker: Player, depth: u16) -> Option<Record> {
        let mut attack = self.solver.attack_of(position, attacker);
        let role = role_to_move(position, attacker);
        if let StaticResult::Decided(AttackResult::Fails(NEVER), StaticReason::Mirror) = attack.try_static(role, depth)
        {
            return Some(Record::Mirror);
        }
        let Some((AttackResult::Fails(_), _)) = attack.try_pairing(role, depth) else { return None };
        let (mut kept, mut pairs) = (attack.kept_cells(), attack.pairs());
        if position.rules().completer_wins() {
            return Some(Record::Pairs(kept.first().copied(), pairs));
        }
        // The defender moves first in the rest if it is to move, so the number of its cells is odd then.
        let rest = position.empty_cells() - kept.len();
        if (rest % 2 == 1) != (role == Role::Defender) {
            let is_paired = |cell: &Cell| pairs.iter().any(|&(one, two)| one == *cell || two == *cell);
            let spare = position.moves().find(|cell| !kept.contains(cell) && !is_paired(cell));
            kept.push(spare.or_else(|| pairs.pop().map(|(one, _)| one))?);
        }
        Some(Record::Survive(kept, pairs))
    }

    /// Proves it by moves.
    fn cannot_by_moves(&mut self, position: &Position, attacker: Player, limit: Option<u16>) -> Proved {
        let limit = limit.filter(|&plies| usize::from(plies) < position.empty_cells());
        let claim = Claim::Cannot(attacker, limit);
        let first = self.records.len();
        let limit_after = limit.map(|plies| plies - 1);
        if position.side() == attacker {
            let fours = self.fours_after_pass(position, !attacker);
            let replies = self.replies_to_answer(position, claim, &fours)?;
            self.records.push(Record::All { fours });
            for reply in replies {
                self.cannot(&position.after(reply), attacker, limit_after)?;
            }
        } else {
            let cell = self.defence(position, attacker, limit)?;
            self.records.push(Record::Move(cell));
            let after = position.after(cell);
            if after.outcome().is_none() {
                self.cannot(&after, attacker, limit_after)?;
            }
        }
        self.keep_lemma(position, claim, first)
    }

    /// A move of the defender that the attack does not survive, or not within the limit.
    fn defence(&mut self, position: &Position, attacker: Player, limit: Option<u16>) -> Proved<Cell> {
        let empty = position.empty_cells() as u16;
        let mut attack = self.solver.attack_of(position, attacker);
        let Some(limit) = limit else {
            let (result, cell) = attack.search_for_move(Role::Defender, empty, &mut self.budget)?;
            return match (result, cell) {
                (AttackResult::Fails(NEVER), Some(cell)) => Ok(attack.geometry.cell(cell)),
                _ => Err(ProofError::Open),
            };
        };
        let moves = attack.moves(Role::Defender);
        for number in moves {
            let cell = self.board.cell(number);
            let after = position.after(cell);
            match after.final_value() {
                Some(Value::Win(_)) => continue,
                Some(_) => return Ok(cell),
                None => {}
            }
            let mut attack = self.solver.attack_of(&after, attacker);
            if let AttackResult::Fails(_) = attack.search(Role::Attacker, limit - 1, &mut self.budget)? {
                return Ok(cell);
            }
        }
        Err(ProofError::Open)
    }
}
