//! Static rules for attacks under the normal rules.
//!
//! The attacker wants to complete a line. The defender wants to prevent that, for example by a line of its own. An
//! additional stone never hurts, so dead cells can be left out: a move there is a pass.

use crate::search::line_stones::LONGEST;
use crate::search::proof::Role;

use super::Technique;
use super::attack_result::{AttackResult, NEVER, StaticReason, StaticResult};
use super::attack_search::AttackSearch;

impl AttackSearch<'_> {
    /// The simple facts: completed lines, threats, and potentials.
    ///
    /// **Potential.** Weigh each live line of the attacker with 2^-lacking. The attacker never completes a line if the
    /// sum is below 1/2 with the attacker to move, or below 1 with the defender to move. The defender always takes the
    /// cell with the largest weight. That lowers the sum at least as much as the attacker's next stone raises it. So
    /// the sum never reaches 1, the weight of a completed line. (Erdős and Selfridge, "On a Combinatorial Game", 1973.)
    ///
    /// **Short lines.** A line that lacks m stones needs 2m - 1 plies when the attacker is to move, 2m otherwise. The
    /// same sum over the lines that can be completed within the limit refutes the attack within the limit.
    pub(super) fn static_normal(&self, to_move: Role, depth: u16) -> StaticResult {
        let (attacker, defender) = (self.attacker, 1 - self.attacker);
        let live = &self.live;
        let attacker_moves = to_move == Role::Attacker;
        let threats = live.lines_lacking(attacker, 1);
        let defender_threats = live.lines_lacking(defender, 1);
        if attacker_moves && threats > 0 {
            return StaticResult::Decided(
                if depth >= 1 { AttackResult::Succeeds(1) } else { AttackResult::Fails(0) },
                StaticReason::Plies,
            );
        }
        if !attacker_moves && defender_threats > 0 {
            return StaticResult::Decided(AttackResult::Fails(NEVER), StaticReason::Plies);
        }
        let unit = 1u64 << self.geometry.line_length();
        let bound = if attacker_moves { unit / 2 } else { unit };
        let potential = live.potential(attacker, LONGEST);
        if potential == 0 {
            return StaticResult::Decided(AttackResult::Fails(NEVER), StaticReason::NoLine);
        }
        if self.uses(Technique::Potential) && potential < bound {
            return StaticResult::Decided(AttackResult::Fails(NEVER), StaticReason::Potential);
        }
        let reachable = self.reachable(to_move, depth);
        let none = AttackResult::fails(depth, live.empty());
        if reachable == 0 {
            return StaticResult::Decided(none, StaticReason::Plies);
        }
        if attacker_moves && defender_threats > 0 {
            return self.forced_by(defender, AttackResult::Fails(NEVER));
        }
        if !attacker_moves && threats > 0 {
            return self.forced_by(attacker, if depth >= 2 { AttackResult::Succeeds(2) } else { none });
        }
        if self.uses(Technique::ShortLines) && self.uses(Technique::Potential) {
            let short = live.potential(attacker, reachable);
            if short == 0 || short < bound {
                return StaticResult::Decided(none, StaticReason::Plies);
            }
        }
        StaticResult::Open
    }

    /// The first move of the rules above, where they favour the side to move.
    pub(super) fn named_move_normal(&self, to_move: Role, reason: StaticReason) -> Option<u16> {
        let (attacker, defender) = (self.attacker, 1 - self.attacker);
        let mut empty = self.live.empty_cells();
        match (reason, to_move) {
            (StaticReason::Plies, Role::Attacker) => self.gaps(attacker).next(),
            (StaticReason::Plies, Role::Defender) => self.gaps(defender).next(),
            (StaticReason::NoLine, _) => empty.next(),
            (StaticReason::Potential, _) => empty.max_by_key(|&cell| self.live.weight(self.geometry, attacker, cell)),
            // An additional stone never hurts the pairs. A partner in the stored pairing keeps that pairing whole, which
            // later positions profit from.
            (StaticReason::Pairing, _) => {
                let kept = self.pairing.kept.first().copied();
                kept.or_else(|| self.pairing.broken(&self.live, attacker)).or_else(|| empty.next())
            }
            (StaticReason::Parity | StaticReason::Exchange | StaticReason::Mirror | StaticReason::MirrorWin, _) => None,
        }
    }

    /// The cells on which a player completes a line, perhaps several times.
    pub(super) fn gaps(&self, player: usize) -> impl Iterator<Item = u16> {
        let lines = self.live.lines(self.geometry, player);
        let length = self.geometry.line_length();
        lines
            .filter(move |&line| usize::from(self.live.stones(player, line)) + 1 == length)
            .map(|line| self.live.gap(self.geometry, line))
    }

    /// The most stones a line may lack and be completed within `depth` plies.
    fn reachable(&self, to_move: Role, depth: u16) -> usize {
        let stones = if to_move == Role::Attacker { depth.div_ceil(2) } else { depth / 2 };
        usize::from(stones).min(self.geometry.line_length())
    }

    /// A player has lines that lack one stone. The other player has to fill the gap; two different gaps decide the attack.
    fn forced_by(&self, player: usize, two_gaps: AttackResult) -> StaticResult {
        let mut gaps = self.gaps(player);
        let first = gaps.next().expect("there is a line that lacks one stone");
        if gaps.any(|gap| gap != first) {
            StaticResult::Decided(two_gaps, StaticReason::Plies)
        } else {
            StaticResult::Forced(first)
        }
    }

    /// A pairing for the defender. It refutes the attack for good, or the lines that can be completed within `depth`.
    ///
    /// With the attacker to move, no line may lack only one stone. With the defender to move, the defender may first
    /// take one cell, and the lines through that cell need no pair.
    pub(super) fn pairing_normal(&mut self, to_move: Role, depth: u16) -> Option<(AttackResult, StaticReason)> {
        if !self.uses(Technique::Pairing) {
            return None;
        }
        let reachable = self.reachable(to_move, depth);
        if self.paired(to_move, self.geometry.line_length()) {
            return Some((AttackResult::Fails(NEVER), StaticReason::Pairing));
        }
        let shorter = reachable < self.geometry.line_length() && self.uses(Technique::ShortLines);
        (shorter && self.paired(to_move, reachable))
            .then(|| (AttackResult::fails(depth, self.live.empty()), StaticReason::Plies))
    }

    fn paired(&mut self, to_move: Role, lacking: usize) -> bool {
        self.pairing.clear_kept();
        match self.pairing.find(self.geometry, &self.live, self.attacker, lacking) {
            Ok(()) => true,
            Err(_) if to_move == Role::Attacker => false,
            Err(line) => {
                let weight = |cell: &u16| self.live.weight(self.geometry, self.attacker, *cell);
                let empty = self.geometry.line(line).iter().copied().filter(|&cell| self.live.is_empty(cell));
                let reply = self.pairing.broken(&self.live, self.attacker).or_else(|| empty.max_by_key(weight));
                let Some(cell) = reply else { return false };
                self.pairing.keep(cell);
                self.pairing.find(self.geometry, &self.live, self.attacker, lacking).is_ok()
            }
        }
    }
}
