//! Proofs of `weak`: Breaker puts a stone into every line. Each proof comes with its zone.
//!
//! A proof walks through what the search of the weak game has found. The table has the reply of Breaker where he wins by a
//! move, and the zone of a pairing, in which it is found again at once. What the table has lost is searched again.

use std::cmp::Reverse;
use std::ops::Range;

use crate::game::{Cell, CellSet, Player, Position};
use crate::search::proof::Role;
use crate::search::proof::weak_game::{Bits, Pairing, ProofEntry, Reduction, WeakResult, WeakSearch, of_any_size};

use super::prover::{ProofError, Proved, Prover};
use super::record::{Board, Claim, Record};

/// Steps of the search for a pairing whose cells are known.
const KNOWN_STEPS: u32 = 1000;

/// Steps of the search for any pairing, for each node that the search of the position has taken. Each pairing that is found
/// where the table has a move saves a tree of moves.
const STEPS_PER_NODE: u64 = 100;

/// Steps where the table has lost the position.
const UNKNOWN_STEPS: u64 = 200;

/// The most nodes of a search whose proof is written with much effort in any case.
const FEW_NODES: u64 = 100_000;

/// The most lines of a position whose proof is always written with much effort. Where there are more, a search for a pairing
/// that fails within few steps mostly fails within many: with 104 lines (9x9, 6 in a row) much effort takes half as long again,
/// and the proof is as long.
const FEW_LINES: usize = 100;

/// The steps that the searches for pairings may take. More of them make a proof shorter, but take more time.
struct Effort {
    /// The most steps of the search for any pairing.
    most_steps: u64,
    /// Steps in which a pairing gets fewer of the moves that are left to refute. Each that it leaves out saves a move, or more.
    smaller_steps: u32,
}

impl Effort {
    const MUCH: Effort = Effort { most_steps: 2000, smaller_steps: 300 };
    const LITTLE: Effort = Effort { most_steps: 400, smaller_steps: 200 };

    /// The effort for a position with so many lines whose search took so many nodes.
    fn new(lines: usize, nodes: Option<u64>) -> Effort {
        let is_small = lines <= FEW_LINES || nodes.is_some_and(|nodes| nodes <= FEW_NODES);
        if is_small { Effort::MUCH } else { Effort::LITTLE }
    }
}

impl Prover<'_> {
    /// Proves `cannot` in the weak game. Says whether Breaker was found to win within so many nodes.
    pub(super) fn weak_from(
        &mut self,
        position: &Position,
        attacker: Player,
        to_move: Role,
        most_nodes: u64,
    ) -> Proved<bool> {
        let Some(mut game) = self.solver.weak_game.take() else { return Ok(false) };
        let proved = of_any_size!(&mut game, search => self.weak_in(search, position, attacker, to_move, most_nodes));
        self.solver.weak_game = Some(game);
        proved
    }

    fn weak_in<const C: usize, const L: usize>(
        &mut self,
        search: &mut WeakSearch<C, L>,
        position: &Position,
        attacker: Player,
        to_move: Role,
        most_nodes: u64,
    ) -> Proved<bool> {
        let lines: Vec<Bits<C>> =
            self.lines(position, attacker).into_iter().map(|line| line.iter().collect()).collect();
        let found = self
            .budget
            .within(most_nodes, |budget| search.solve(lines.iter().copied(), to_move, &mut || budget.spend()));
        match found {
            Ok(WeakResult::BreakerWins { .. }) => {}
            Err(_) if self.budget.is_over() => return Err(ProofError::Stopped),
            _ => return Ok(false),
        }
        let first = self.records.len();
        self.records.push(Record::Weak);
        let number = |cell: Cell| usize::from(self.board.number(cell));
        let stones = [attacker, !attacker].map(|player| position.stones(player).iter().map(number).collect());
        let settled = search.set_up(lines.iter().copied(), to_move).map(|(winner, _)| winner);
        let effort = Effort::new(lines.len(), search.known_nodes(0));
        match (WeakProof { prover: self, search, maker: attacker, effort }.prove(0, settled, None, stones, first + 1)) {
            Ok(_) => Ok(true),
            Err(ProofError::Open) => {
                self.give_up(first);
                Ok(false)
            }
            Err(error) => Err(error),
        }
    }
}

/// A move of Maker that is refuted.
struct Refuted<const C: usize> {
    cell: usize,
    /// The zone of the refutation.
    zone: Bits<C>,
    /// The place of its first record.
    first: usize,
}

/// The proof of a claim `weak`.
struct WeakProof<'p, 'a, const C: usize, const L: usize> {
    prover: &'p mut Prover<'a>,
    search: &'p mut WeakSearch<C, L>,
    maker: Player,
    effort: Effort,
}

impl<const C: usize, const L: usize> WeakProof<'_, '_, C, L> {
    /// Proves that Breaker wins the position of a frame, and returns the zone before the reductions. `stones` are those of
    /// Maker and of Breaker before the reductions. `inside` has the cells of a pairing if there was one before the last move of
    /// Breaker. `start` is the place of the first record since Maker had a choice.
    fn prove(
        &mut self,
        ply: usize,
        settled: Option<Role>,
        inside: Option<Bits<C>>,
        mut stones: [Bits<C>; 2],
        start: usize,
    ) -> Proved<Bits<C>> {
        self.prover.budget.spend()?;
        for place in 0..self.search.position(ply).reductions.len() {
            let reduction = self.search.position(ply).reductions[place];
            let (record, of_maker, of_breaker) = match reduction {
                Reduction::Reply(cell) => (Record::Move(self.cell(cell)), None, cell),
                // Breaker gets one of two equal cells, Maker the other: that removes the lines too.
                Reduction::Equal(one, two) => (Record::Equal(self.cell(one), self.cell(two)), Some(two), one),
                Reduction::Free(one, two) => (Record::Free(self.cell(one), self.cell(two)), Some(one), two),
            };
            self.prover.records.push(record);
            of_maker.into_iter().for_each(|cell| stones[0].insert(cell));
            stones[1].insert(of_breaker);
        }
        let zone = match settled {
            None => self.prove_reduced(ply, inside, stones, start)?,
            Some(Role::Attacker) => return Err(ProofError::Open),
            Some(Role::Defender) => {
                self.write_pairs(start, Pairing { first: None, pairs: Vec::new() });
                Bits::EMPTY
            }
        };
        Ok(zone.or(self.search.position(ply).breaker_zone))
    }

    /// Proves that Breaker wins the reduced position of a frame, and returns its zone.
    fn prove_reduced(
        &mut self,
        ply: usize,
        inside: Option<Bits<C>>,
        stones: [Bits<C>; 2],
        start: usize,
    ) -> Proved<Bits<C>> {
        let key = self.search.common_key(ply);
        if let Some((lemma, symmetry, zone)) = self.prover.lemmas.find_weak(key, self.maker) {
            self.prover.records.push(Record::Use(lemma, symmetry));
            return Ok(zone.iter().collect());
        }
        let entry = self.search.known_entry(ply);
        if let Some(zone) = self.pairing(ply, entry.as_ref(), inside, start) {
            return Ok(zone);
        }
        let budget = &mut self.prover.budget;
        let entry = match entry {
            Some(entry) => entry,
            None => self.search.search(ply, &mut || budget.spend())?,
        };
        if entry.proof != 0 {
            return Err(ProofError::Open);
        }
        let position = self.search.position(ply);
        let unit = 1 << 32;
        if position.potential() < if position.to_move == Role::Defender { unit } else { unit / 2 } {
            self.prover.records.push(Record::Potential);
            return Ok(position.cells());
        }
        let first = self.prover.records.len();
        let to_move = position.to_move;
        let zone = match to_move {
            Role::Defender => self.reply(ply, &entry, stones, start)?,
            Role::Attacker => self.refute_all(ply, stones)?,
        };
        let side = if to_move == Role::Attacker { self.maker } else { !self.maker };
        let [of_maker, of_breaker] = stones.map(|cells| self.cell_set(cells));
        let stones = if self.maker == Player::X { [of_maker, of_breaker] } else { [of_breaker, of_maker] };
        let board = Board { stones, zone: self.cell_set(zone), side };
        if let Some(lemma) = self.prover.make_lemma(first, Claim::Weak(self.maker), board)? {
            self.prover.lemmas.insert_weak(key, self.maker, lemma, zone.iter().collect());
        }
        Ok(zone)
    }

    /// Proves that Breaker wins by a pairing, and returns its cells, if one is found: in the zone of the table or of the
    /// position before, or anywhere.
    fn pairing(
        &mut self,
        ply: usize,
        entry: Option<&ProofEntry<C>>,
        inside: Option<Bits<C>>,
        start: usize,
    ) -> Option<Bits<C>> {
        let leaf = entry.filter(|entry| entry.candidates == Bits::EMPTY).map(|entry| entry.zone);
        let cells = leaf.or(inside.filter(|_| entry.is_none()));
        let known = cells.and_then(|cells| self.search.find_pairing_inside(ply, cells, KNOWN_STEPS));
        let Effort { most_steps, smaller_steps } = self.effort;
        let nodes = self.search.known_nodes(ply);
        let steps = nodes.map_or(UNKNOWN_STEPS, |nodes| most_steps.min(nodes.saturating_mul(STEPS_PER_NODE)));
        let new = self.search.find_pairing(ply, steps as u32, smaller_steps);
        let left = self.search.left(ply);
        let pairings = new.into_iter().chain(known);
        let (pairing, zone) = pairings.min_by_key(|(_, zone)| (zone.and(left).len(), zone.len()))?;
        self.write_pairs(start, pairing);
        Some(zone)
    }

    /// Writes a pairing. The reductions before it, and the move of Breaker, become pairs and the first cell.
    fn write_pairs(&mut self, start: usize, pairing: Pairing) {
        let mut first = pairing.first.map(|cell| self.cell(cell.into()));
        let mut pairs: Vec<(Cell, Cell)> =
            pairing.pairs.iter().map(|&(one, two)| (self.cell(one.into()), self.cell(two.into()))).collect();
        for record in self.prover.records.drain(start..) {
            match record {
                Record::Equal(one, two) | Record::Free(one, two) => pairs.push((one, two)),
                Record::Move(cell) => first = Some(cell),
                record => unreachable!("{record:?} between two choices of Maker"),
            }
        }
        let record = if pairs.is_empty() && first.is_none() { Record::NoLine } else { Record::Pairs(first, pairs) };
        self.prover.records.push(record);
    }

    /// Proves that Breaker wins by the reply of an entry.
    fn reply(
        &mut self,
        ply: usize,
        entry: &ProofEntry<C>,
        [of_maker, of_breaker]: [Bits<C>; 2],
        start: usize,
    ) -> Proved<Bits<C>> {
        // With pairs that are not found again any move wins.
        let cell = entry.candidates.first().unwrap_or_else(|| self.search.heaviest(ply));
        let reply = Bits::of(cell);
        self.prover.records.push(Record::Move(self.cell(cell)));
        let settled = self.search.play(ply, cell);
        let zone = self.prove(ply + 1, settled, Some(entry.zone), [of_maker, of_breaker.or(reply)], start)?;
        Ok(zone.or(reply))
    }

    /// Refutes moves of Maker until all others are excluded or dominated.
    fn refute_all(&mut self, ply: usize, [of_maker, of_breaker]: [Bits<C>; 2]) -> Proved<Bits<C>> {
        let place = self.prover.records.len();
        self.prover.records.push(Record::Zone(Vec::new()));
        let cells = self.search.position(ply).cells();
        let mut candidates: Vec<(usize, Option<Bits<C>>)> = Vec::new();
        for cell in cells.iter() {
            if self.search.position(ply).is_undominated(cell) {
                candidates.push((cell, self.search.known_zone(ply, cell)));
            }
        }
        let weights = self.search.weights(ply);
        let mut refuted: Vec<Refuted<C>> = Vec::new();
        let mut moves: Bits<C> = Bits::EMPTY;
        // The moves that no zone excludes.
        let mut left = cells;
        loop {
            let open = candidates.iter().filter(|(cell, _)| left.contains(*cell) && !moves.contains(*cell));
            // The move whose refutation is known to leave the fewest of the moves that are left; else the heaviest.
            let key = |&&(cell, known): &&(usize, Option<Bits<C>>)| match known {
                Some(zone) => (0, zone.and(left).len() as u64, cell),
                None => (1, u64::MAX - weights[cell], cell),
            };
            let Some(&(cell, _)) = open.min_by_key(key) else { break };
            moves.insert(cell);
            let others = candidates.iter().map(|(cell, _)| *cell);
            let others = others.filter(|&cell| left.contains(cell) && !moves.contains(cell));
            self.search.set_left(ply, others.collect::<Bits<C>>());
            let first = self.prover.records.len();
            let settled = self.search.play(ply, cell);
            let stones = [of_maker.or(Bits::of(cell)), of_breaker];
            let zone = self.prove(ply + 1, settled, None, stones, first)?;
            refuted.push(Refuted { cell, zone, first });
            left = left.and(zone);
        }
        let candidates: Bits<C> = candidates.into_iter().map(|(cell, _)| cell).collect();
        self.drop_needless(candidates, &mut refuted);
        let moves: Bits<C> = refuted.iter().map(|refuted| refuted.cell).collect();
        let left = refuted.iter().fold(cells, |left, refuted| left.and(refuted.zone));
        let mut zone = refuted.iter().fold(Bits::EMPTY, |zone, refuted| zone.or(refuted.zone));
        let position = self.search.position(ply);
        for cell in left.iter().filter(|&cell| !moves.contains(cell)) {
            let dominates = |&other: &usize| other != cell && (moves.contains(other) || !left.contains(other));
            zone.insert(position.common[cell].and(cells).iter().find(dominates).ok_or(ProofError::Open)?);
        }
        // The record stands before those of the moves.
        self.prover.records[place] = Record::Zone(refuted.iter().map(|refuted| self.cell(refuted.cell)).collect());
        Ok(zone)
    }

    /// Drops the refutations without which every candidate is still refuted or excluded: a later zone may exclude a move that
    /// was refuted before. Those with the most records go first.
    fn drop_needless(&mut self, candidates: Bits<C>, refuted: &mut Vec<Refuted<C>>) {
        let ends = refuted.iter().skip(1).map(|next| next.first).chain([self.prover.records.len()]);
        let mut spans: Vec<Range<usize>> = refuted.iter().zip(ends).map(|(refuted, end)| refuted.first..end).collect();
        spans.sort_by_key(|span| Reverse(span.len()));
        spans.retain(|span| {
            let others = || refuted.iter().filter(|refuted| refuted.first != span.start);
            let left = others().fold(candidates, |left, refuted| left.and(refuted.zone));
            let is_needless = left.is_subset(others().map(|refuted| refuted.cell).collect());
            if is_needless {
                refuted.retain(|refuted| refuted.first != span.start);
            }
            is_needless
        });
        spans.sort_by_key(|span| Reverse(span.start));
        spans.into_iter().for_each(|span| self.prover.drop_records(span));
    }

    fn cell(&self, number: usize) -> Cell {
        self.prover.board.cell(number as u16)
    }

    fn cell_set(&self, cells: Bits<C>) -> CellSet {
        cells.iter().map(|cell| self.cell(cell)).collect()
    }
}
