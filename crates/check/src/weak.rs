//! The weak game: Maker wants all cells of one line, Breaker one cell of every line. Every proof has a zone: a set of
//! cells such that Breaker wins even if Maker has all other cells.

use std::io::Read;

use crate::cells::Cells;
use crate::reader::Fault;
use crate::rules::covers;
use crate::{Checker, Claim, Kind, Lemma, Node};

/// A position of the weak game. The node says whose lines they are and who is to move. No line contains another one.
pub struct Weak<const W: usize> {
    node: Node<W>,
    lines: Vec<Cells<W>>,
}

impl<const W: usize> Weak<W> {
    /// All cells of all lines.
    fn cells(&self) -> Cells<W> {
        self.lines.iter().copied().fold(Cells::NONE, Cells::or)
    }
    /// The cells that are in every line that contains the cell.
    fn shared(&self, cell: usize) -> Cells<W> {
        self.lines.iter().copied().filter(|line| line.has(cell)).fold(Cells::ALL, Cells::and)
    }
    /// The position with other lines and another player to move.
    fn with(&self, lines: Vec<Cells<W>>, to_move: usize) -> Self {
        let mut node = self.node;
        node.position.to_move = to_move;
        Self { node, lines }
    }
    /// Without the lines that contain the cell, which Breaker stops.
    fn without(&self, cell: usize, to_move: usize) -> Self {
        self.with(self.lines.iter().copied().filter(|line| !line.has(cell)).collect(), to_move)
    }
    /// After Maker has taken the cell. Of the lines left, only those that did not contain it can contain others.
    fn taken(&self, cell: usize) -> Self {
        let one = Cells::NONE.with(cell);
        let (with, without): (Vec<_>, Vec<_>) = self.lines.iter().copied().partition(|line| line.has(cell));
        let mut lines: Vec<_> = with.into_iter().map(|line| line.minus(one)).collect();
        let count = lines.len();
        lines.extend(without);
        let kept = |index: usize| index < count || !lines[..count].iter().any(|part| part.within(lines[index]));
        self.with(
            (0..lines.len()).filter(|&index| kept(index)).map(|index| lines[index]).collect(),
            1 - self.node.claim.attacker,
        )
    }
}

impl<const W: usize, R: Read> Checker<'_, W, R> {
    /// The weak game of a node, with the lines that are live for the attacker.
    pub fn weak(&self, node: &Node<W>) -> Weak<W> {
        let mut live: Vec<_> = self.board.live(&node.position, node.claim.attacker).collect();
        live.sort_by_key(|line| line.count());
        let mut lines: Vec<Cells<W>> = Vec::new();
        for line in live {
            if !lines.iter().any(|part| part.within(line)) {
                lines.push(line);
            }
        }
        let claim = Claim { kind: Kind::Weak, ..node.claim };
        Weak { node: Node { claim, ..*node }, lines }
    }

    /// Checks the next record and all below it, which have to prove that Breaker wins. Gives the zone. Cells in no line do
    /// not matter, so they are left out.
    pub fn prove_weak(&mut self, weak: &Weak<W>) -> Result<Cells<W>, Fault> {
        Ok(self.zone(weak)?.and(weak.cells()))
    }

    /// Applies a rule to the next record. Gives the zone as the table of the page has it.
    fn zone(&mut self, weak: &Weak<W>) -> Result<Cells<W>, Fault> {
        let record = self.reader.record()?;
        if self.options.show == Some(record.number) {
            let more = format!("There are {} lines in the cells with +", weak.lines.len());
            self.show(&weak.node, &record, [(weak.cells(), '+'), (Cells::NONE, '+')], &more);
        }
        let (maker, to_move, board) = (weak.node.claim.attacker, weak.node.position.to_move, self.board.cells);
        let words = record.words();
        match (words[0], &words[1..]) {
            ("none", []) => record.demand(weak.lines.is_empty(), "a position without lines").map(|()| Cells::NONE),
            // Breaker takes the heaviest cell, as in the real game.
            ("potential", []) => {
                let light = self.light(weak.lines.iter().copied(), to_move == maker);
                record.demand(light, "lines of less weight").map(|()| weak.cells())
            }
            ("pairs", [first, pairs @ ..]) => {
                let (first, pairs) = self.pairs(&record, first, pairs, board)?;
                let fits = first.count() <= u32::from(to_move != maker);
                record.demand(fits, "at most one first cell, and only if Breaker is to move")?;
                record.demand(weak.lines.iter().all(|&line| covers(line, first, &pairs)), "a pair in every line")?;
                Ok(pairs.into_iter().fold(first, Cells::or))
            }
            // Lines that are longer, or fewer, are no better for Maker.
            ("use" | "last", [lemma, symmetry]) => {
                let Lemma(lemma, zone, _) = self.lemma(&weak.node, &record, lemma, symmetry)?;
                let lines: Vec<_> = self.board.live(&lemma.position, maker).collect();
                let holds = weak.lines.iter().all(|line| lines.iter().any(|part| part.within(*line)));
                record.demand(holds, "a lemma about these lines").map(|()| zone)
            }
            ("move", [cell]) if to_move != maker => {
                let cell = self.cells(&record, &[cell], board)?[0];
                Ok(self.prove_weak(&weak.without(cell, maker))?.with(cell))
            }
            (rule @ ("equal" | "free"), [_, _]) => {
                let cells = self.cells(&record, &words[1..], board)?;
                let (a, b) = (cells[0], cells[1]);
                let pair = Cells::NONE.with(a).with(b);
                let child = if rule == "equal" {
                    // Breaker answers one of the two cells with the other.
                    let equal = weak.cells().has(a) && weak.shared(a).has(b) && weak.shared(b).has(a);
                    record.demand(a != b && equal, "two different cells in the same lines")?;
                    weak.without(a, to_move)
                } else {
                    // Breaker has to answer Maker at A with B, which is good for nothing else. So Maker loses nothing.
                    let free = to_move == maker && weak.lines.contains(&pair) && weak.shared(b) == pair;
                    record.demand(
                        a != b && free,
                        "Maker to move, and a line of two cells, one of them in no other line",
                    )?;
                    weak.taken(a).without(b, maker)
                };
                Ok(self.prove_weak(&child)?.or(pair))
            }
            ("zone", words @ [_, ..]) if to_move == maker => {
                let cells = self.cells(&record, words, board)?;
                let listed: Cells<W> = cells.iter().copied().collect();
                let fits = listed.count() as usize == cells.len() && listed.within(weak.cells());
                record.demand(fits, "different cells that are in lines")?;
                let wins = |line: &Cells<W>| line.count() == 1 && line.within(listed);
                record.demand(!weak.lines.iter().any(wins), "cells with which Maker completes no line")?;
                let (mut union, mut common) = (Cells::NONE, Cells::ALL);
                for cell in cells {
                    let zone = self.prove_weak(&weak.taken(cell))?;
                    (union, common) = (union.or(zone), common.and(zone));
                }
                // A move outside of the zone after another move loses like that one. A move to a cell is no better than
                // one to another cell that is in all lines of the first. That cell belongs to the zone then.
                let settled = listed.or(weak.cells().minus(common));
                for cell in weak.cells().minus(settled).iter() {
                    let better = weak.shared(cell).and(settled).first();
                    let name = self.board.names(Cells::NONE.with(cell));
                    union = union.with(record.need(better, "every other cell to be excluded or dominated", &name)?);
                }
                Ok(union)
            }
            _ => record.need(None, "a record of the weak game for the player to move", &record.text),
        }
    }
}
