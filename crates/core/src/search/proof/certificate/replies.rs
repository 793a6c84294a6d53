//! The moves of the other side: which of them need a proof of their own, and which the prover answers by threats.

use crate::game::{Cell, Outcome, Player, Position};
use crate::search::proof::threats::FourSequence;

use super::prover::{ProofError, Proved, Prover};
use super::record::Claim;

impl Prover<'_> {
    /// A sequence of fours of a player from a position, as if that player were to move.
    pub(super) fn fours(&mut self, position: &Position, player: Player) -> Option<FourSequence> {
        self.board.set_up(position);
        if let Some(gap) = self.board.two_completions(player as usize)[0] {
            return Some(FourSequence { moves: Vec::new(), completions: vec![gap] });
        }
        self.solver.find_fours(position, player)
    }

    /// The moves of the player who makes the fours.
    pub(super) fn cells_of(&self, fours: &FourSequence) -> Vec<Cell> {
        if fours.moves.is_empty() {
            return vec![self.board.cell(fours.completions[0])];
        }
        fours.moves.iter().step_by(2).map(|&cell| self.board.cell(cell)).collect()
    }

    /// The moves of a win by fours that the prover would have if the opponent, who is to move, passed. Often there is none.
    pub(super) fn fours_after_pass(&mut self, position: &Position, prover: Player) -> Vec<Cell> {
        if !position.rules().completer_wins() {
            return Vec::new();
        }
        self.fours(position, prover).map(|fours| self.cells_of(&fours)).unwrap_or_default()
    }

    /// The moves of the opponent that a record of all moves leaves to be proved, in reading order.
    pub(super) fn replies_to_answer(&mut self, position: &Position, claim: Claim, fours: &[Cell]) -> Proved<Vec<Cell>> {
        let attacker = claim.attacker();
        let (is_win, limit) = match claim {
            Claim::Wins(_, limit) => (true, Some(limit - 1)),
            _ => (false, None),
        };
        let prover = if is_win { attacker } else { !attacker };
        let is_normal = position.rules().completer_wins();
        let signatures: Vec<(Cell, u64)> = {
            let (attack, _) = self.solver.attack_search(position);
            position.moves().map(|cell| (cell, attack.live.signature(attack.geometry.number(cell)))).collect()
        };
        let passes = is_normal && signatures.iter().any(|&(_, signature)| signature != 0);
        self.board.set_up(position);
        let mut replies = Vec::new();
        for (place, &(cell, signature)) in signatures.iter().enumerate() {
            match position.after(cell).outcome() {
                Some(Outcome::Win(winner)) if winner == prover => continue,
                Some(Outcome::Draw) if !is_win => continue,
                Some(_) => return Err(ProofError::Open),
                None => {}
            }
            let is_equal = signatures[..place].iter().any(|&(_, earlier)| earlier == signature);
            if (passes && signature == 0) || is_equal {
                continue;
            }
            let number = self.board.number(cell);
            self.board.put(number, !prover as usize);
            let is_won = self.fours_win(fours, prover as usize, limit);
            self.board.take(number, !prover as usize);
            if !is_won {
                replies.push(cell);
            }
        }
        Ok(replies)
    }

    /// True if a player, who is to move on the board, wins by these cells within a limit.
    fn fours_win(&mut self, cells: &[Cell], player: usize, limit: Option<u16>) -> bool {
        let other = 1 - player;
        let mut put = Vec::new();
        let mut is_won = false;
        for (place, &cell) in cells.iter().enumerate() {
            let cell = self.board.number(cell);
            let plies = 2 * place as u16 + 1;
            if !self.board.is_empty(cell) {
                break;
            }
            if self.board.completes(player, cell) {
                is_won = place + 1 == cells.len() && limit.is_none_or(|limit| plies <= limit);
                break;
            }
            self.board.put(cell, player);
            put.push((cell, player));
            if self.board.lines_lacking(other, 1) > 0 {
                break;
            }
            match self.board.two_completions(player) {
                [None, _] => break,
                [Some(_), Some(_)] => {
                    is_won = place + 1 == cells.len() && limit.is_none_or(|limit| plies + 2 <= limit);
                    break;
                }
                [Some(gap), None] => {
                    self.board.put(gap, other);
                    put.push((gap, other));
                }
            }
        }
        put.into_iter().rev().for_each(|(cell, player)| self.board.take(cell, player));
        is_won
    }
}
