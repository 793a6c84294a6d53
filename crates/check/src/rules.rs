//! The rules for nodes and leaves of the real game, in the order of the page.

use std::io::Read;

use crate::board::Position;
use crate::cells::Cells;
use crate::reader::{Fault, Record, number};
use crate::{Checker, Kind, Lemma, Node};

/// Cells and pairs of cells that a record names.
type PairsResult<const W: usize> = Result<(Cells<W>, Vec<Cells<W>>), Fault>;

impl<const W: usize> Node<W> {
    /// The node after a move, with a limit that is one less.
    fn after(mut self, cell: usize) -> Self {
        self.position = self.position.after(cell);
        self.claim.limit = self.claim.limit.map(|limit| limit.saturating_sub(1));
        self
    }
}

impl<const W: usize, R: Read> Checker<'_, W, R> {
    /// Checks the next record and all below it, which have to prove the claim of the node. A weak claim has a zone.
    pub fn prove(&mut self, node: &Node<W>) -> Result<Cells<W>, Fault> {
        if node.claim.kind == Kind::Weak {
            return self.prove_weak(&self.weak(node));
        }
        let record = self.reader.record()?;
        let children = self.children(node, &record);
        if self.options.show == Some(record.number) {
            let [x, o] = node.position.stones;
            let cells = self.board.names(*children.as_ref().unwrap_or(&Cells::NONE));
            self.show(node, &record, [(x, 'x'), (o, 'o')], &format!("Children after moves to: {cells}"));
        }
        let children = children?;
        if record.text == "weak" {
            return self.prove_weak(&self.weak(node)).map(|_| Cells::NONE);
        }
        children.iter().try_for_each(|cell| self.prove(&node.after(cell)).map(drop)).map(|()| Cells::NONE)
    }

    /// Applies a rule. Gives the moves after which the claim is still to be proved.
    fn children(&mut self, node: &Node<W>, record: &Record) -> Result<Cells<W>, Fault> {
        let (claim, here, empty) = (node.claim, &node.position, self.board.empty(&node.position));
        let (normal, cannot, limit) = (!self.board.reverse, claim.kind == Kind::Cannot, claim.limit);
        let (attacker, defender) = (claim.attacker, 1 - claim.attacker);
        let prover = if cannot { defender } else { attacker };
        let words = record.words();
        match (words[0], &words[1..]) {
            ("move", [cell]) => {
                let cell = self.cells(record, &[cell], empty)?[0];
                record.demand(here.to_move == prover, "a rule for the opponent of the prover, who is to move")?;
                record.demand(limit != Some(0), "a limit of at least 1")?;
                let (completes, full) = (self.board.completes(here, cell), empty.count() == 1);
                record.demand(!completes || normal, "a move that completes no line")?;
                record.demand(completes || !full || cannot, "a move that does not end in a draw")?;
                return Ok(if completes || full { Cells::NONE } else { Cells::NONE.with(cell) });
            }
            ("all", fours) => {
                record.demand(here.to_move != prover, "a rule for the prover, who is to move")?;
                record.demand(limit != Some(0), "a limit of at least 1")?;
                let fits = fours.is_empty() || (normal && fours.len() > 1 && fours[0] == "fours");
                record.demand(fits, "`all`, or `all fours` with cells under the normal rule")?;
                let fours = self.cells(record, fours.get(1..).unwrap_or_default(), self.board.cells)?;
                return self.opponent_moves(node, record, &fours);
            }
            ("weak", []) => {
                record.demand(normal && cannot && limit.is_none(), "the normal rule and `cannot` without a limit")?;
            }
            ("none", []) => record.demand(cannot && self.in_time(node).count() == 0, "`cannot` and no line in time")?,
            // Normal: the defender takes the heaviest cell, and the sum never grows to the weight of a completed line.
            // Reverse: it takes the lightest cell, and only the last stone of the board can make the sum grow.
            ("potential", []) => {
                let last = (empty.count() % 2 == 1) == (here.to_move == defender);
                let light = if normal {
                    self.light(self.in_time(node), here.to_move == attacker)
                } else {
                    self.light(self.board.live(here, defender), last)
                };
                record.demand(cannot && light, "`cannot` and lines of less weight")?;
            }
            // The defender takes the first cell and then one cell of every pair, so it gets one of every line.
            ("pairs", [first, pairs @ ..]) => {
                record.demand(normal && cannot, "the normal rule and `cannot`")?;
                let (first, pairs) = self.pairs(record, first, pairs, empty)?;
                let fits = first.count() <= u32::from(here.to_move == defender);
                record.demand(fits, "at most one first cell, and only if the defender is to move")?;
                record.demand(self.in_time(node).all(|line| covers(line, first, &pairs)), "a pair in every line")?;
            }
            // The prover never takes a kept cell, and takes one cell of every pair. When the rest is full, the opponent
            // is to move and has to take a kept cell.
            (rule @ ("survive" | "parity"), [kept, pairs @ ..]) => {
                record.demand(!normal && cannot == (rule == "survive"), "the reverse rule and a claim of this rule")?;
                let (kept, pairs) = self.pairs(record, kept, pairs, empty)?;
                let rest = empty.minus(kept).count();
                record.demand((rest % 2 == 1) == (here.to_move == prover), "one more cell in the rest, or one less")?;
                let covered = self.board.live(here, prover).all(|line| covers(line, kept, &pairs));
                if cannot {
                    record.demand(covered, "a kept cell or a pair in every line")?;
                    // With one kept cell at most, the game ends before the defender would have to take one.
                    let fits = rest + 1 >= empty.count() || limit.is_some_and(|limit| limit <= rest + 1);
                    record.demand(fits, "a limit that the rest outlasts")?;
                    return Ok(Cells::NONE);
                }
                let poison = kept != Cells::NONE && kept.within(self.board.completing(here, defender));
                record.demand(poison, "kept cells on which the defender completes a line")?;
                // Without pairs the attacker takes the lightest cell of the rest, as in `potential`.
                let lines = self.board.live(here, attacker).filter(|line| !line.meets(kept));
                let safe = covered || (pairs.is_empty() && self.light(lines, true));
                record.demand(safe, "a kept cell or a pair in every line, or lines of less weight")?;
                record.demand(limit > Some(rest), "a limit above the number of cells in the rest")?;
            }
            ("mirror", []) => record.demand(self.mirrors(node), "a position and a claim of this rule")?,
            ("fours", cells) if normal && !cannot && !cells.is_empty() => {
                record.demand(here.to_move == attacker, "a rule for the defender, who is to move")?;
                let plies = self.fours(here, &self.cells(record, cells, self.board.cells)?);
                record.demand(plies.is_some() && plies <= limit, "cells with which the attacker wins in time")?;
            }
            ("theorem", [name]) => {
                let (size, connect) = (self.board.size, self.board.connect);
                let hypotheses = match *name {
                    "strategy-stealing" => attacker == 1,
                    "zetters" => attacker == 0 && connect >= 8,
                    "hsu" => attacker == 0 && connect == 5 && (size == 7 || size == 8),
                    _ => return record.need(None, "the name of a theorem", name),
                };
                let start = normal && cannot && here.to_move == 0 && empty == self.board.cells;
                record.demand(hypotheses && start, "an empty board and a claim of this theorem")?;
                let allowed = !self.options.no_theorems || *name == "strategy-stealing";
                record.demand(allowed, "a proof without this theorem")?;
                self.report.theorems.insert(name.to_string());
            }
            // Normal: the prover has all its lines or shorter ones, the opponent no others or longer ones, and cells in no
            // line only serve to pass, which never helps. Reverse: it is the same game.
            ("use" | "last", [lemma, symmetry]) => {
                let Lemma(lemma, ..) = self.lemma(node, record, lemma, symmetry)?;
                let (there, most) = (&lemma.position, lemma.claim.limit);
                let within = most.is_none_or(|most| limit.is_some_and(|limit| limit <= most));
                record.demand(if cannot { within } else { most <= limit }, "a lemma with a limit that fits")?;
                let part = |small: &Cells<W>, large: &Cells<W>| small.within(*large);
                let holds = if normal {
                    self.board.each(here, there, 1 - prover, part) && self.board.each(there, here, prover, part)
                } else {
                    let same = |a, b| self.board.each(a, b, 0, Cells::eq) && self.board.each(a, b, 1, Cells::eq);
                    empty.count() == self.board.empty(there).count() && same(here, there) && same(there, here)
                };
                record.demand(holds, "a lemma about these lines")?;
            }
            _ => return record.need(None, "a record that fits the claim and the rule of the game", &record.text),
        }
        Ok(Cells::NONE)
    }

    /// `all`: the moves of the opponent that need a child.
    fn opponent_moves(&self, node: &Node<W>, record: &Record, fours: &[usize]) -> Result<Cells<W>, Fault> {
        let (here, empty, cannot) = (&node.position, self.board.empty(&node.position), node.claim.kind == Kind::Cannot);
        // For each cell the cells that are in all of its live lines. A dead cell has no such line: it keeps all cells.
        let mut shared = vec![Cells::ALL; self.board.size * self.board.size];
        let mut alive = Cells::NONE;
        for line in self.board.live(here, 0).chain(self.board.live(here, 1)) {
            alive = alive.or(line);
            line.iter().for_each(|cell| shared[cell] = shared[cell].and(line));
        }
        let mut children = Cells::NONE;
        for cell in empty.iter() {
            if self.board.completes(here, cell) {
                record.demand(self.board.reverse, "a position in which the opponent cannot complete a line")?;
                continue;
            }
            if empty.count() == 1 {
                record.demand(cannot, "a position in which the opponent cannot reach a draw")?;
                continue;
            }
            // A stone more never hurts under the normal rule, so this pass is no better than a move that is not one.
            let dead = !self.board.reverse && !alive.has(cell) && alive != Cells::NONE;
            // Cells in the same live lines can be exchanged without a change of the game.
            let equal = |other: usize| shared[cell].has(other) && shared[other].has(cell);
            if dead || empty.iter().take_while(|&other| other < cell).any(equal) {
                continue;
            }
            let child = node.after(cell);
            let wins = self.fours(&child.position, fours);
            if wins.is_none() || (!cannot && wins > child.claim.limit) {
                children = children.with(cell);
            }
        }
        Ok(children)
    }

    /// `fours`: the plies in which the player to move wins with these cells. Every stone but the last threatens to
    /// complete a line, and the opponent, who threatens nothing, has only one answer.
    fn fours(&self, position: &Position<W>, cells: &[usize]) -> Option<u32> {
        let (mut position, mut plies, mut left) = (*position, 1, cells.len());
        for &cell in cells {
            left -= 1;
            if !self.board.empty(&position).has(cell) {
                return None;
            }
            if self.board.completes(&position, cell) {
                return (left == 0).then_some(plies);
            }
            position = position.after(cell);
            let gaps = self.board.completing(&position, 1 - position.to_move);
            let gap = gaps.first().filter(|_| self.board.completing(&position, position.to_move) == Cells::NONE)?;
            plies += 2;
            if gaps.count() > 1 {
                return (left == 0).then_some(plies);
            }
            position = position.after(gap);
        }
        None
    }

    /// `mirror`: the prover takes the image of every cell that the opponent takes. It completes no line with a cell and
    /// its image in it, and the image of any other line has been completed by the opponent before.
    fn mirrors(&self, node: &Node<W>) -> bool {
        let (size, connect, here) = (self.board.size, self.board.connect, &node.position);
        let defender = 1 - node.claim.attacker;
        let centre = if size % 2 == 1 { Cells::NONE.with(size * size / 2) } else { Cells::NONE };
        let [x, o] = here.stones.map(|stones| stones.minus(centre));
        let held = if here.to_move == defender { self.board.empty(here) } else { here.stones[defender] };
        // Two cells of a 2x2 block are a line of 2: a player has one stone in each block at most.
        let stones = (size * size / 4 + 1).saturating_sub(here.stones[defender].count() as usize) as u32;
        let fits = match (node.claim.kind, size % 2) {
            (Kind::Cannot, 0) => here.to_move != defender,
            (Kind::Cannot, _) => 2 * connect >= size + 3 && centre.within(held),
            _ => connect == 2 && size % 2 == 0 && here.to_move == defender && node.claim.limit >= Some(2 * stones - 1),
        };
        self.board.reverse && fits && self.board.image(x, 3) == o
    }

    /// Cells that the record names. They have to be among the allowed ones.
    pub fn cells(&self, record: &Record, words: &[&str], allowed: Cells<W>) -> Result<Vec<usize>, Fault> {
        let expected = if allowed == self.board.cells { "a cell of the board" } else { "an empty cell" };
        let read = |word: &&str| {
            let (row, column) = word.split_once(',')?;
            Some(number(row, 0, self.board.size - 1)? * self.board.size + number(column, 0, self.board.size - 1)?)
        };
        let cell = |word| record.need(read(word).filter(|&cell| allowed.has(cell)), expected, word);
        words.iter().map(cell).collect()
    }

    /// The cells that stand before pairs, and the pairs: all different and among the allowed cells.
    pub fn pairs(&self, record: &Record, first: &str, pairs: &[&str], allowed: Cells<W>) -> PairsResult<W> {
        let first = if first == "-" { Vec::new() } else { first.split(';').collect() };
        let cells = self.cells(record, &[&first, pairs].concat(), allowed)?;
        let different = cells.iter().copied().collect::<Cells<W>>().count() as usize == cells.len();
        record.demand(different && pairs.len().is_multiple_of(2), "pairs of cells that are all different")?;
        let (first, pairs) = cells.split_at(first.len());
        Ok((first.iter().copied().collect(), pairs.chunks(2).map(|pair| pair.iter().copied().collect()).collect()))
    }

    /// The live lines of the player who completes lines that lack no more stones than this player may still place.
    fn in_time(&self, node: &Node<W>) -> impl Iterator<Item = Cells<W>> {
        let player = if self.board.reverse { 1 - node.claim.attacker } else { node.claim.attacker };
        let extra = u32::from(node.position.to_move == player);
        let most = node.claim.limit.map_or(u32::MAX, |limit| (limit + extra) / 2);
        self.board.live(&node.position, player).filter(move |line| line.count() <= most)
    }

    /// True if the sum of 2^(connect - lacking) over the lines, or twice the sum, is below 2^connect.
    pub fn light(&self, lines: impl Iterator<Item = Cells<W>>, twice: bool) -> bool {
        let sum: u64 = lines.map(|line| 1 << (self.board.connect - line.count() as usize)).sum();
        sum << u32::from(twice) < 1 << self.board.connect
    }

    /// The lemma that a record names, as the symmetry places it here. It must fit the node but for lines and limit.
    pub fn lemma(&mut self, node: &Node<W>, record: &Record, name: &str, symmetry: &str) -> Result<Lemma<W>, Fault> {
        let key = number(name, 1, u64::MAX).unwrap_or(0);
        let found =
            if record.text.starts_with("last") { self.lemmas.remove(&key) } else { self.lemmas.get(&key).copied() };
        let Lemma(mut lemma, zone, block) =
            record.need(found, "a lemma before this block that may still be used", name)?;
        let symmetry = record.need(number(symmetry, 0, 7), "a symmetry from 0 to 7", symmetry)?;
        let about = |node: &Node<W>| (node.claim.kind, node.claim.attacker, node.position.to_move);
        record.demand(about(&lemma) == about(node), "a lemma with this claim, player and player to move")?;
        if !self.report.owns(block) {
            self.report.assumed.insert(block);
        }
        lemma.position.stones = lemma.position.stones.map(|stones| self.board.image(stones, symmetry));
        Ok(Lemma(lemma, self.board.image(zone, symmetry), block))
    }
}

/// True if the line contains one of the cells or both cells of a pair.
pub fn covers<const W: usize>(line: Cells<W>, cells: Cells<W>, pairs: &[Cells<W>]) -> bool {
    line.meets(cells) || pairs.iter().any(|pair| pair.within(line))
}
