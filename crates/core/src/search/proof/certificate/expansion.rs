//! What is left to prove after the next move. Proofs that several processes share are put together from it.

use crate::game::{Cell, Outcome, Player, Position};

use super::prover::{ProofError, Prover};
use super::record::Claim;

/// What has to hold after the next move, so that a claim holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expansion {
    /// The opponent moves: the claim has to hold after each of these moves, which a record of all moves leaves to be proved,
    /// in its order.
    Each(Vec<Cell>),
    /// The prover moves: the claim has to hold after one of these moves. The heaviest under the normal rule come first, the
    /// lightest under the reverse rule. A move that ends the game proves the claim, and stands alone.
    One(Vec<Cell>),
    /// The claim is false.
    False,
}

impl Claim {
    /// The player whose strategy a proof of the claim gives.
    pub fn prover(self) -> Player {
        if let Claim::Wins(player, _) = self { player } else { !self.attacker() }
    }

    /// What the claim asks for after a move; `None` if its limit allows none.
    pub fn after_a_move(self) -> Option<Claim> {
        match self {
            Claim::Wins(player, limit) => limit.checked_sub(1).map(|limit| Claim::Wins(player, limit)),
            Claim::Cannot(player, limit) => match limit {
                None => Some(Claim::Cannot(player, None)),
                Some(limit) => limit.checked_sub(1).map(|limit| Claim::Cannot(player, Some(limit))),
            },
            Claim::Weak(_) => None,
        }
    }
}

impl Prover<'_> {
    /// What is left to prove of a claim `wins` or `cannot` after the next move from a position in which the game goes on.
    ///
    /// # Errors
    /// When the control ends the work.
    pub fn expand(&mut self, position: &Position, claim: Claim) -> Result<Expansion, ProofError> {
        let prover = claim.prover();
        if position.side() != prover {
            return match self.replies_to_answer(position, claim, &[]) {
                Ok(replies) => Ok(Expansion::Each(replies)),
                Err(ProofError::Open) => Ok(Expansion::False),
                Err(error) => Err(error),
            };
        }
        let lines = Player::BOTH.map(|player| self.lines(position, player)).concat();
        let number = |cell: Cell| cell.index(position.rules().size());
        let through = |cell: Cell| lines.iter().filter(move |line| line.contains(number(cell)));
        let weight = |cell: Cell| -> u64 { through(cell).map(|line| (1u64 << 32) >> line.len().min(32)).sum() };
        let mut moves: Vec<Cell> = Vec::new();
        for cell in position.moves() {
            match position.after(cell).outcome() {
                None if moves.iter().any(|&other| through(other).eq(through(cell))) => {}
                None => moves.push(cell),
                Some(Outcome::Win(winner)) if winner == prover => return Ok(Expansion::One(vec![cell])),
                Some(Outcome::Draw) if matches!(claim, Claim::Cannot(..)) => return Ok(Expansion::One(vec![cell])),
                Some(_) => {}
            }
        }
        let is_normal = position.rules().completer_wins();
        moves.sort_by_key(|&cell| if is_normal { u64::MAX - weight(cell) } else { weight(cell) });
        Ok(if moves.is_empty() { Expansion::False } else { Expansion::One(moves) })
    }
}
