//! The positions that are left to prove after the next move. Proofs by several processes are joined from them.

use crate::game::{Cell, Outcome, Player, Position};

use super::lemmas::Cells;
use super::prover::{ProofError, Proved, Prover};
use super::record::Claim;

/// The conditions after the next move under which a claim holds.
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

    /// The claim that has to hold after a move; `None` if its limit allows none.
    pub fn after_a_move(self) -> Option<Claim> {
        match self {
            Claim::Wins(player, limit) => Some(Claim::Wins(player, limit.checked_sub(1)?)),
            Claim::Cannot(player, Some(limit)) => Some(Claim::Cannot(player, Some(limit.checked_sub(1)?))),
            Claim::Cannot(_, None) => Some(self),
            Claim::Weak(_) => None,
        }
    }
}

impl Prover<'_> {
    /// The rest to prove of a claim `wins` or `cannot` after the next move from a position in which the game goes on.
    ///
    /// # Errors
    /// When the control ends the work.
    pub fn expand(&mut self, position: &Position, claim: Claim) -> Proved<Expansion> {
        let prover = claim.prover();
        if position.side() != prover {
            return match self.replies_to_answer(position, claim, &[]) {
                Ok(replies) => Ok(Expansion::Each(replies)),
                Err(ProofError::Open) => Ok(Expansion::False),
                Err(error) => Err(error),
            };
        }
        let lines = Player::BOTH.map(|player| self.lines(position, player)).concat();
        let number = |cell: Cell| cell.index(position.rules().shape());
        let through = |cell: Cell| lines.iter().filter(move |line| line.contains(number(cell)));
        let weight = |cell: Cell| -> u64 { through(cell).map(Cells::weight).sum() };
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{CellSet, Rules};
    use crate::search::proof::certificate::prover::tests::Kept;
    use crate::search::{Control, Solver, Stream, below, generator};

    #[test]
    fn moves_of_the_prover_come_in_the_order_of_their_lines() {
        let mut random = generator(1, Stream::Sample);
        let (mut dead, mut last) = (0, 0);
        for (size, connect, reverse) in [(3, 3, false), (3, 3, true), (5, 4, false), (5, 4, true)] {
            let rules = Rules::new(size, connect, reverse).expect("rules");
            let mut solver = Solver::within_bytes(rules, 1 << 16);
            let control = Control::unlimited();
            for _ in 0..100 {
                let mut position = Position::start(rules);
                while position.outcome().is_none() {
                    let claim = Claim::Cannot(!position.side(), None);
                    let found = Prover::new(&mut solver, &control, &mut Kept::default()).expand(&position, claim);
                    let moves: Vec<Cell> = position.moves().collect();
                    let end = |cell: Cell| position.after(cell).outcome();
                    // The plain rule: a line of a player weighs 2^(its stones - its length) as long as the other has no
                    // stone in it.
                    let weight = |cell: Cell| -> u64 {
                        let lines = rules.lines().into_iter().filter(|line| line.contains(cell));
                        let lines = lines.flat_map(|line| Player::BOTH.map(|player| (line, player)));
                        let stones = |line: &CellSet, player| {
                            line.iter().filter(|&cell| position.stones(player).contains(cell)).count()
                        };
                        lines
                            .filter(|(line, player)| stones(line, !*player) == 0)
                            .map(|(line, player)| 1 << stones(&line, player))
                            .sum()
                    };
                    let proves = |&&cell: &&Cell| {
                        matches!(end(cell), Some(Outcome::Draw)) || end(cell) == Some(Outcome::Win(position.side()))
                    };
                    match found.expect("an expansion") {
                        Expansion::One(found) if moves.iter().any(|cell| proves(&cell)) => {
                            assert!(found.len() == 1 && proves(&&found[0]), "{position:?} {found:?}");
                            last += 1;
                        }
                        Expansion::One(found) => {
                            let weights: Vec<u64> = found.iter().map(|&cell| weight(cell)).collect();
                            assert!(found.iter().all(|&cell| moves.contains(&cell) && end(cell).is_none()));
                            match reverse {
                                false => assert!(weights.is_sorted_by(|one, two| one >= two), "{weights:?}"),
                                true => assert!(weights.is_sorted(), "{weights:?}"),
                            }
                            dead += usize::from(weights.contains(&0));
                        }
                        Expansion::False => assert!(moves.iter().all(|&cell| end(cell).is_some() && !proves(&&cell))),
                        each => panic!("{each:?} where the prover moves"),
                    }
                    position = position.after(moves[below(&mut random, moves.len() as u32) as usize]);
                }
            }
        }
        assert!(dead > 100 && last > 100, "{dead} {last}");
    }
}
