//! Proofs of `wins`: a move of the attacker, and all replies of the defender.

use std::rc::Rc;

use crate::game::{Cell, Outcome, Player, Position};
use crate::search::proof::Role;
use crate::search::proof::solver::{AttackResult, StaticReason, StaticResult};
use crate::search::proof::threats::StrategyNode;

use super::prover::{ProofError, Proved, Prover, role_to_move};
use super::record::{Claim, Record};

/// The most nodes of a search for threats on boards of at most [`SMALL_BOARD`] cells, where a search of all moves is fast.
const THREAT_NODES: u64 = 20_000;

/// See [`THREAT_NODES`].
const SMALL_BOARD: usize = 64;

/// A place in a winning strategy, for the player to move.
#[derive(Clone)]
pub struct Place {
    nodes: Rc<[StrategyNode]>,
    index: usize,
}

impl Prover<'_> {
    /// Proves that the attacker forces the end within so many plies. `place` is where a strategy stands that does it.
    pub(super) fn wins(&mut self, position: &Position, attacker: Player, limit: u16, place: Option<Place>) -> Proved {
        self.budget.spend()?;
        if limit == 0 {
            return Err(ProofError::Open);
        }
        let claim = Claim::Wins(attacker, limit);
        let role = role_to_move(position, attacker);
        let leaf = self.win_by_leaf(position, attacker, limit).or_else(|| self.find_lemma(position, claim));
        if let Some(record) = leaf {
            self.records.push(record);
            return Ok(());
        }
        let first = self.records.len();
        if role == Role::Attacker {
            let place = place.or_else(|| self.strategy(position, limit));
            let cell = match &place {
                Some(place) => place.nodes[place.index].cell,
                None => self.attacking_move(position, attacker, limit)?,
            };
            self.records.push(Record::Move(cell));
            let after = position.after(cell);
            match after.outcome() {
                Some(Outcome::Win(winner)) if winner == attacker => {}
                Some(_) => return Err(ProofError::Open),
                None => self.wins(&after, attacker, limit - 1, place)?,
            }
        } else {
            let fours = self.fours_after_pass(position, attacker);
            let replies = self.replies_to_answer(position, claim, &fours)?;
            self.records.push(Record::All { fours });
            for reply in replies {
                let answer = place.as_ref().and_then(|place| {
                    let node = &place.nodes[place.index];
                    let listed = node.replies.iter().find(|&&(cell, _)| cell == reply).map(|&(_, answer)| answer);
                    let index = listed.or(node.otherwise)?;
                    Some(Place { nodes: place.nodes.clone(), index })
                });
                self.wins(&position.after(reply), attacker, limit - 1, answer)?;
            }
        }
        self.keep_lemma(position, claim, first)
    }

    /// A win without a tree of moves.
    fn win_by_leaf(&mut self, position: &Position, attacker: Player, limit: u16) -> Option<Record> {
        let role = role_to_move(position, attacker);
        if position.rules().completer_wins() {
            if role == Role::Defender {
                return None;
            }
            let fours = self.fours(position, attacker)?;
            return (fours.plies() <= limit).then(|| Record::Fours(self.cells_of(&fours)));
        }
        let mut attack = self.solver.attack_of(position, attacker);
        if let StaticResult::Decided(AttackResult::Succeeds(_), StaticReason::MirrorWin) =
            attack.try_static(role, limit)
        {
            return Some(Record::Mirror);
        }
        let Some((AttackResult::Succeeds(plies), _)) = attack.try_pairing(role, limit) else { return None };
        (plies <= limit).then(|| Record::Parity(attack.kept_cells(), attack.pairs()))
    }

    /// A strategy of the side to move that wins by threats within the limit.
    fn strategy(&mut self, position: &Position, limit: u16) -> Option<Place> {
        let most = if position.rules().cells() <= SMALL_BOARD { THREAT_NODES } else { u64::MAX };
        let control = self.budget.control.clone().within_nodes(most);
        let strategy = self.solver.win_by_threats(position, &control)?;
        (strategy.plies() <= limit).then(|| Place { nodes: strategy.into_nodes().into(), index: 0 })
    }

    /// A move of the attacker that wins within the limit.
    fn attacking_move(&mut self, position: &Position, attacker: Player, limit: u16) -> Proved<Cell> {
        let mut attack = self.solver.attack_of(position, attacker);
        let (result, cell) = attack.search_for_move(Role::Attacker, limit, &mut self.budget)?;
        match (result, cell) {
            (AttackResult::Succeeds(_), Some(cell)) => Ok(attack.geometry.cell(cell)),
            _ => Err(ProofError::Open),
        }
    }
}
