//! Static rules for attacks under the reverse rules.
//!
//! The attacker wants the defender to complete a line of its own; the defender wants to avoid that to the end. A stone can
//! only harm its owner, so no move may be left out: a cell in no live line is a move that costs nothing, and the parity of
//! the number of such cells decides games.
//!
//! A cell is *poison* for a player when a stone there completes a line of its own.

use crate::search::line_stones::LONGEST;
use crate::search::proof::Role;
use crate::search::proof::known_values::{most_without_neighbours, pairs_force_a_line};

use super::Technique;
use super::attack_result::{AttackResult, NEVER, StaticReason, StaticResult};
use super::attack_search::AttackSearch;

impl AttackSearch<'_> {
    /// The simple facts: no live line, nothing but poison, and potentials.
    ///
    /// **Potential.** Weigh each live line of the defender with 2^-lacking. The defender always takes the cell of least
    /// weight. Its stone raises the sum by no more than the attacker's next stone lowers it: the defender could have
    /// taken that cell too, and its weight can only have grown since. So two such moves never raise the sum. If it is
    /// below 1 and the attacker makes the last move of the board, no line is completed. If the defender makes the last
    /// move, that stone may double the weight of its lines, so the sum must be below 1/2. (After Hefetz, Krivelevich
    /// and Szabó, "Avoider-Enforcer Games", 2007.)
    ///
    /// **Mirror.** Suppose that the attacker is to move, and the defender's stones mirror the attacker's through the
    /// centre. Then the defender goes on mirroring. It never completes a line that contains a cell and its image. It
    /// completes any other line only after the attacker has completed the image of that line. On boards of odd size the
    /// defender must have the centre, or take it now, and every line through the centre must contain a cell and its
    /// image. This is so if twice the line length is at least the size plus 3: then no line ends in the centre. (Golomb
    /// and Hales, "Hypercube Tic-Tac-Toe", 2002.)
    ///
    /// **Mirror win.** Two in a row on a board of even size, the defender to move, and the stones mirror each other. The
    /// attacker goes on mirroring, so it never completes a line first. Of the four cells of a 2x2 block any two are a line.
    /// So the defender completes one with its (size²/4 + 1)-th stone at the latest. (Golomb and Hales, the same.)
    pub(super) fn static_reverse(&self, to_move: Role, depth: u16) -> StaticResult {
        let (attacker, defender) = (self.attacker, 1 - self.attacker);
        let live = &self.live;
        let potential = live.potential(defender, LONGEST);
        if potential == 0 {
            return StaticResult::Decided(AttackResult::Fails(NEVER), StaticReason::NoLine);
        }
        let defender_moves = to_move == Role::Defender;
        let unit = 1u64 << self.geometry.line_length();
        let defender_is_last = (live.empty() % 2 == 1) == defender_moves;
        let bound = if defender_is_last { unit / 2 } else { unit };
        if self.uses(Technique::Potential) && potential < bound {
            return StaticResult::Decided(AttackResult::Fails(NEVER), StaticReason::Potential);
        }
        let mover = if defender_moves { defender } else { attacker };
        if live.lines_lacking(mover, 1) > 0 && live.empty_cells().all(|cell| self.is_poison(mover, cell)) {
            return StaticResult::Decided(
                match (defender_moves, depth) {
                    (false, _) => AttackResult::Fails(NEVER),
                    (true, 0) => AttackResult::Fails(0),
                    (true, _) => AttackResult::Succeeds(1),
                },
                StaticReason::Plies,
            );
        }
        if depth < if defender_moves { 3 } else { 2 } {
            // The defender has a move that completes nothing.
            return StaticResult::Decided(AttackResult::fails(depth, live.empty()), StaticReason::Plies);
        }
        if self.uses(Technique::Mirror) && self.is_mirrored(to_move) {
            return StaticResult::Decided(AttackResult::Fails(NEVER), StaticReason::Mirror);
        }
        if defender_moves && self.uses(Technique::Mirror) && self.mirror_wins() {
            let stones = (self.geometry.cells() as u16 - live.empty()) / 2;
            let plies = 2 * (most_without_neighbours(self.geometry.shape()) + 1 - stones) - 1;
            if plies <= depth {
                return StaticResult::Decided(AttackResult::Succeeds(plies), StaticReason::MirrorWin);
            }
        }
        StaticResult::Open
    }

    /// The first move of the rules of this file, where they favour the side to move.
    ///
    /// A strategy of pairs begins with a cell of no pair that is not kept, if there is one. A strategy of least weight
    /// begins with the lightest cell; lines through kept cells do not count.
    pub(super) fn named_move_reverse(&self, to_move: Role, reason: StaticReason) -> Option<u16> {
        // The player that avoids its own lines: the attacker in a win by parity, else the defender.
        let player = if to_move == Role::Attacker { self.attacker } else { 1 - self.attacker };
        let mut empty = self.live.empty_cells();
        let kept = |cell: &u16| self.pairing.kept.contains(cell);
        match reason {
            StaticReason::NoLine => empty.next(),
            StaticReason::Plies => empty.find(|&cell| !self.is_poison(player, cell)),
            StaticReason::Potential => empty.min_by_key(|&cell| self.live.weight(self.geometry, player, cell)),
            StaticReason::Mirror => {
                let last = self.geometry.cells() as u16 - 1;
                last.is_multiple_of(2).then_some(last / 2)
            }
            // It favours the attacker, and the defender is to move.
            StaticReason::MirrorWin => None,
            StaticReason::Parity if self.pairing.pairs.is_empty() => {
                let avoids = |line: &u16| !self.geometry.line(*line).iter().any(kept);
                let weight = |cell: u16| -> u64 {
                    let lines = self.geometry.through(cell).iter().copied();
                    let lines = lines.filter(|&line| self.live.is_live(player, line)).filter(avoids);
                    lines.map(|line| 1u64 << self.live.stones(player, line)).sum()
                };
                empty.filter(|cell| !kept(cell)).min_by_key(|&cell| weight(cell))
            }
            StaticReason::Pairing | StaticReason::Parity | StaticReason::Exchange => {
                let is_paired = |cell: u16| self.pairing.pairs.iter().any(|&(one, two)| one == cell || two == cell);
                let unpaired = empty.find(|&cell| !kept(&cell) && !is_paired(cell));
                // Where the defender has to absorb a cell, that is the partner of the one it takes.
                unpaired.or_else(|| self.pairing.pairs.last().map(|&(_, second)| second))
            }
        }
    }

    /// True if a stone of `player` on an empty cell completes a line.
    pub(super) fn is_poison(&self, player: usize, cell: u16) -> bool {
        let live = &self.live;
        let lacks_one = |line: u16| usize::from(live.stones(player, line)) + 1 == self.geometry.line_length();
        self.geometry.through(cell).iter().any(|&line| live.is_live(player, line) && lacks_one(line))
    }

    fn is_mirrored(&self, to_move: Role) -> bool {
        let last = self.geometry.cells() as u16 - 1;
        let centre = last.is_multiple_of(2).then_some(last / 2);
        let defender = 1 - self.attacker;
        let may_begin = match (centre, to_move) {
            (None, _) => to_move == Role::Attacker,
            (Some(_), _) if 2 * self.geometry.line_length() < usize::from(self.geometry.shape().longer_side()) + 3 => {
                false
            }
            (Some(centre), Role::Attacker) => self.live.owner(centre) == Some(defender),
            // The defender takes the centre.
            (Some(centre), Role::Defender) => self.live.is_empty(centre),
        };
        may_begin && self.stones_mirror()
    }

    /// True if the attacker, whose opponent is to move, wins by mirror images.
    fn mirror_wins(&self) -> bool {
        self.geometry.line_length() == 2 && pairs_force_a_line(self.geometry.shape()) && self.stones_mirror()
    }

    /// True if the stones of the players mirror each other through the centre. The centre itself does not count.
    fn stones_mirror(&self) -> bool {
        let last = self.geometry.cells() as u16 - 1;
        (0..=last / 2).filter(|&cell| 2 * cell != last).all(|cell| {
            let image = self.live.owner(last - cell);
            self.live.owner(cell) == image.map(|player| 1 - player)
        })
    }

    /// Wins and survival by parity.
    ///
    /// **Win.** Let `kept` be some of the defender's poison cells, at least one, and `rest` the other empty cells.
    /// Their number is even with the defender to move, and odd with the attacker to move, who then begins with a cell
    /// of no pair. The attacker never plays a kept cell and answers each move in the rest with its partner. It never
    /// completes a line if all its live lines that avoid the kept cells contain a pair. (A potential of these lines
    /// below 1/2 serves instead of pairs.) When the rest is full, or before, the defender has to take poison. So the
    /// attacker wins within one ply more than the rest has cells.
    ///
    /// **Survival.** Let `kept` be cells that the defender refuses to play, all its poison among them, and `rest` the
    /// other empty cells. Their number is even with the attacker to move, and odd with the defender to move, who then
    /// begins with a cell of no pair. If every live line of the defender that avoids the kept cells contains a pair,
    /// the defender answers inside pairs. If the attacker takes a kept cell, the defender takes any cell of the rest,
    /// and the partner of that cell becomes a kept cell. So when the rest is full, the attacker has to take a kept cell
    /// before the defender has to: the defender survives one ply more than the rest has cells. With at most one kept
    /// cell it survives for ever. This is the pairing strategy, with a cell that the attacker has to absorb. It survives
    /// for ever, too, if all kept cells are poison for the attacker.
    ///
    /// **Exchange.** In both strategies one player avoids its own lines. For it, cells that are poison for it alone are
    /// paired with cells that are poison for the opponent alone. If the opponent takes the first cell of such a pair, the
    /// player takes the second. If the opponent takes the second, it completes a line. The player itself begins in no pair.
    /// So it never gets a first cell, and lines through first cells need no pair. The position after all exchanges has the
    /// live lines that are left, so the strategies are looked for there. The attacker exchanges all of its poison, but for
    /// cells that it keeps.
    ///
    /// Where exchanges lead to nothing, a strategy without them may still serve: one that goes by weight, or keeps poison that
    /// could be exchanged. The second look pays where every line has two cells, so that poison is on most of the board.
    pub(super) fn parity_reverse(&mut self, to_move: Role, depth: u16) -> Option<(AttackResult, StaticReason)> {
        let poison = [self.attacker, 1 - self.attacker].map(|player| self.poison(player));
        let [attacker_poison, defender_poison] = &poison;
        let exchanges = self.exchanges(attacker_poison, defender_poison);
        let found = self.parity_after(&exchanges, &poison, to_move, depth);
        if found.is_some() || exchanges.is_empty() || self.geometry.line_length() > 2 {
            return found;
        }
        self.parity_after(&[], &poison, to_move, depth)
    }

    /// Wins and survival by parity in the position after `exchanges`. `poison` is that of the attacker and of the defender,
    /// before the exchanges.
    fn parity_after(
        &mut self,
        exchanges: &[(u16, u16)],
        [attacker_poison, defender_poison]: &[Vec<u16>; 2],
        to_move: Role,
        depth: u16,
    ) -> Option<(AttackResult, StaticReason)> {
        let empty = self.live.empty();
        let (attacker, defender) = (self.attacker, 1 - self.attacker);
        for &(cell, answer) in exchanges {
            self.live.put(self.geometry, cell, attacker);
            self.live.put(self.geometry, answer, defender);
        }
        let is_left = |cell: &u16| self.live.is_empty(*cell);
        let defender_poison: Vec<u16> = defender_poison.iter().copied().filter(is_left).collect();
        let may_win = attacker_poison.iter().all(|cell| !is_left(cell) || defender_poison.contains(cell));
        let mut found = self.survival(to_move, depth, empty, attacker_poison);
        if found.is_none() && may_win {
            found = self.parity_win(to_move, depth, empty, &defender_poison, exchanges.is_empty());
        }
        for &(cell, answer) in exchanges.iter().rev() {
            self.live.take(self.geometry, answer, defender);
            self.live.take(self.geometry, cell, attacker);
        }
        let result = found?;
        let kept = self.pairing.kept.len();
        let reason = match result {
            _ if !exchanges.is_empty() => StaticReason::Exchange,
            AttackResult::Fails(NEVER) if kept < 2 => StaticReason::Pairing,
            AttackResult::Fails(NEVER) => StaticReason::Exchange,
            _ => StaticReason::Parity,
        };
        let wins = matches!(result, AttackResult::Succeeds(_));
        let ordered = exchanges.iter().map(|&(cell, answer)| if wins { (answer, cell) } else { (cell, answer) });
        self.pairing.pairs.extend(ordered);
        Some((result, reason))
    }

    /// The poison of a player.
    fn poison(&self, player: usize) -> Vec<u16> {
        if self.live.lines_lacking(player, 1) == 0 {
            return Vec::new();
        }
        let mut cells: Vec<u16> = self.gaps(player).collect();
        cells.sort_unstable();
        cells.dedup();
        cells
    }

    /// Pairs of a cell that is poison for the defender alone and one that is poison for the attacker alone. The other player
    /// gets it in the exchange. If there are more of a kind, those are chosen that harm their new owner least.
    fn exchanges(&self, attacker_poison: &[u16], defender_poison: &[u16]) -> Vec<(u16, u16)> {
        let alone = |one: &[u16], other: &[u16], owner: usize| {
            let mut cells: Vec<u16> = one.iter().copied().filter(|cell| !other.contains(cell)).collect();
            cells.sort_by_key(|&cell| self.live.weight(self.geometry, owner, cell));
            cells
        };
        if attacker_poison.is_empty() || defender_poison.is_empty() || !self.uses(Technique::Exchange) {
            return Vec::new();
        }
        let cells = alone(defender_poison, attacker_poison, self.attacker);
        cells.into_iter().zip(alone(attacker_poison, defender_poison, 1 - self.attacker)).collect()
    }

    /// `empty` is the number of empty cells, those of exchanges among them, and `attacker_poison` the poison of the attacker.
    fn survival(&mut self, to_move: Role, depth: u16, empty: u16, attacker_poison: &[u16]) -> Option<AttackResult> {
        if !self.uses(Technique::Pairing) {
            return None;
        }
        let defender = 1 - self.attacker;
        let most_kept = if self.uses(Technique::Parity) { (empty + 1).saturating_sub(depth).max(1) } else { 1 };
        let wrong_parity = |kept: u16| ((empty - kept) % 2 == 1) != (to_move == Role::Defender);
        // The attacker has to take its own poison when the rest is full.
        let absorbs = self.uses(Technique::Exchange);
        let survives = |kept: &[u16]| {
            absorbs && !wrong_parity(kept.len() as u16) && kept.iter().all(|cell| attacker_poison.contains(cell))
        };
        self.pairing.clear_kept();
        self.poison(defender).into_iter().for_each(|cell| self.pairing.keep(cell));
        loop {
            let kept = self.pairing.kept.len() as u16;
            if kept > most_kept && !survives(&self.pairing.kept) {
                return None;
            }
            match self.pairing.find(self.geometry, &self.live, defender, self.geometry.line_length()) {
                Ok(()) => break,
                Err(_) if kept >= most_kept => return None,
                Err(line) => {
                    let weight = |cell: &u16| self.live.weight(self.geometry, defender, *cell);
                    let empty = self.geometry.line(line).iter().copied().filter(|&cell| self.live.is_empty(cell));
                    self.pairing.keep(empty.max_by_key(weight)?);
                }
            }
        }
        if survives(&self.pairing.kept) {
            return Some(AttackResult::Fails(NEVER));
        }
        let kept = self.pairing.kept.len() as u16;
        let kept = kept + u16::from(wrong_parity(kept));
        (kept <= most_kept).then(|| AttackResult::fails(empty - kept + 1, empty))
    }

    /// `empty` is as in [`AttackSearch::survival`], and `poison` the poison of the defender that is not exchanged.
    fn parity_win(
        &mut self,
        to_move: Role,
        depth: u16,
        empty: u16,
        poison: &[u16],
        may_weigh: bool,
    ) -> Option<AttackResult> {
        if !self.uses(Technique::Parity) {
            return None;
        }
        self.pairing.clear_kept();
        poison.iter().for_each(|&cell| self.pairing.keep(cell));
        let rest_is_odd = to_move == Role::Attacker;
        let spare = ((empty - poison.len() as u16) % 2 == 1) != rest_is_odd;
        let kept = (poison.len() as u16).saturating_sub(u16::from(spare));
        let plies = empty - kept + 1;
        if kept == 0 || plies > depth {
            return None;
        }
        if !spare {
            return self.attacker_stays_clear(may_weigh).then_some(AttackResult::Succeeds(plies));
        }
        // One poison cell goes to the rest: any will do.
        for &cell in poison {
            self.pairing.release(cell);
            if self.attacker_stays_clear(may_weigh) {
                return Some(AttackResult::Succeeds(plies));
            }
            self.pairing.keep(cell);
        }
        None
    }

    /// True if the attacker can avoid its own lines in the cells that are not kept: by their weight, if the caller allows
    /// that, or by pairs. A strategy of least weight has no pairs, so it does not go together with exchanges.
    fn attacker_stays_clear(&mut self, may_weigh: bool) -> bool {
        let attacker = self.attacker;
        if may_weigh && self.uses(Technique::Potential) {
            let kept = &self.pairing.kept;
            let avoids = |line: &u16| self.geometry.line(*line).iter().all(|cell| !kept.contains(cell));
            let lines = self.live.lines(self.geometry, attacker).filter(avoids);
            let potential: u64 = lines.map(|line| 1u64 << self.live.stones(attacker, line)).sum();
            if potential < 1 << (self.geometry.line_length() - 1) {
                self.pairing.pairs.clear();
                return true;
            }
        }
        self.pairing.find(self.geometry, &self.live, attacker, self.geometry.line_length()).is_ok()
    }
}
