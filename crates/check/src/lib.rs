//! Checks certificates: files that claim something of a position in tic-tac-toe of any size, and prove it.
//!
//! The page `docs/certificates.md` is the specification. The modules follow it: `reader` has the lines of the file,
//! `sha256` their checksum, `board` the board and sets of its cells, `node` the positions and what is claimed of them, `rules`
//! the rules for nodes and leaves, `report` the header, verdicts and the reports of parts, `shard` which part is checked. Every
//! record is checked when it is read. Memory holds the path to the record and the open lemmas. `solution` checks the other kind
//! of file, solutions.

#![cfg_attr(not(test), deny(clippy::too_many_lines))]

mod board;
mod node;
mod reader;
mod report;
mod rules;
mod sha256;
mod shard;
mod solution;

use std::io::{self, Read};

use board::Cells;
use node::Node;
use reader::{Reader, number};
pub use report::{Expected, REPORT, Report, join};
use rules::{Lemmas, Step, shared};
pub use {reader::Rejection, shard::shard};

/// The settings of a check.
#[derive(Clone, Default)]
pub struct Options {
    /// Refuse all theorems but strategy stealing.
    pub no_theorems: bool,
    /// Check only every Nth block from the Ith on: `(I, N)` with 1 <= I <= N.
    pub shard: Option<(u64, u64)>,
    /// The number of a record to explain.
    pub show: Option<u64>,
    /// The game, the position and the claims that the reader expects.
    pub expected: Expected,
}

struct Checker<'a> {
    reader: Reader<'a>,
    options: &'a Options,
    notes: &'a mut Notes,
    lemmas: Lemmas,
    report: Report,
}

/// The findings of a check on its way, also if it ends with an error.
#[derive(Default)]
pub struct Notes {
    /// The lines of the header that are right: the game, the position and the claims.
    pub header: String,
    /// The text about the record of `show`, if that belongs to a node.
    pub shown: Option<String>,
    /// The first and the last record of the nodes that were checked.
    pub nodes: Option<(u64, u64)>,
}

/// Checks a certificate.
pub fn check(mut input: impl Read + Send, options: &Options) -> (Result<Report, Rejection>, Notes) {
    let mut notes = Notes::default();
    // The proof of a node calls itself for its children, at most about a thousand times deep. Every record but two leaves
    // fewer empty cells or fewer lines. These two, `weak` and `move` in the weak game, never follow each other twice.
    let result = std::thread::scope(|scope| {
        let start = || Checker::check(&mut input, options, &mut notes);
        let thread = std::thread::Builder::new().stack_size(64 << 20).spawn_scoped(scope, start);
        let panic = |_| Err(Rejection::Unreadable(io::Error::other("the checker stopped")));
        thread.map_err(Rejection::Unreadable)?.join().unwrap_or_else(panic)
    });
    (result, notes)
}

impl<'a> Checker<'a> {
    /// Reads the header and checks the blocks.
    fn check(input: &'a mut dyn Read, options: &'a Options, notes: &'a mut Notes) -> Result<Report, Rejection> {
        let mut reader = Reader::new(input);
        let title = reader.record()?;
        let is_solution = title.text == "noughts solution 1" && options.shard.is_none();
        title.demand(is_solution || title.text == "noughts certificate 1", "\"noughts certificate 1\"")?;
        let (mut report, mut record) = report::begin(&mut reader, &options.expected, &mut notes.header)?;
        if is_solution {
            solution::check(&mut reader, &mut report, record)?;
            return reader.end().map(|_| report);
        }
        report.part = options.shard.unwrap_or((1, 1));
        let (part, of) = report.part;
        let mut open: Vec<_> = report.claims.iter().copied().map(Some).collect();
        let mut lemmas = 0;
        let mut checker = Self { reader, options, notes, lemmas: Lemmas::new(), report };
        loop {
            let words = record.words();
            let (node, zone) = match words[..] {
                ["lemma", name, _, _, ..] => {
                    lemmas += 1;
                    record.need(number(name, lemmas, lemmas), "the number of the next lemma", name)?;
                    Node::read(&checker.report.start.board, &record, &words[2..])?
                }
                ["prove", name] => {
                    let claim = number(name, 1, open.len()).and_then(|claim| open[claim - 1].take());
                    let claim = record.need(claim, "the number of a claim that is not proved yet", name)?;
                    (Node { claim, ..checker.report.start.clone() }, Cells::NONE)
                }
                ["end", lines] if open.iter().all(Option::is_none) => {
                    record.need(number(lines, record.number, record.number), "the number of this line", lines)?;
                    checker.report.lines += &format!("file {}\n", checker.reader.end()?);
                    return Ok(checker.report);
                }
                _ => return record.need(None, "a lemma, a claim to prove, or the end after all claims", &record.text),
            };
            checker.report.blocks += 1;
            let is_mine = checker.report.blocks % of == part % of;
            if is_mine {
                record.demand(checker.prove(&node)?.within(zone), "a zone that contains the zone of the proof")?;
            }
            let mut next = checker.reader.record()?;
            while !is_mine && !["lemma", "prove", "end"].contains(&next.words()[0]) {
                checker.close(&next.words());
                next = checker.reader.record()?;
            }
            if words[0] == "lemma" {
                checker.lemmas.insert(lemmas, (Node { lines: Default::default(), ..node }, zone));
            }
            record = next;
        }
    }

    /// Checks the next record and all below it, which have to prove the claim of the node. Gives the zone of a weak claim.
    fn prove(&mut self, node: &Node) -> Result<Cells, Rejection> {
        let record = self.reader.record()?;
        let words = record.words();
        let found = node.apply(&record, &words, &self.lemmas);
        self.notes.nodes.get_or_insert((record.number, 0)).1 = record.number;
        if self.options.show == Some(record.number) {
            let moves = found.as_ref().map_or(&[][..], |step| &step.moves);
            self.notes.shown = Some(node.explanation(&record, moves));
        }
        let Step { mut zone, moves, other } = found?;
        self.close(&words);
        if words[0] == "theorem" {
            let allowed = !self.options.no_theorems || words[1] == "strategy-stealing";
            record.demand(allowed, "a proof without this theorem")?;
            self.report.theorems.insert(words[1].to_owned());
        }
        let mut common = Cells::ALL;
        for child in moves.iter().map(|&cell| node.after(cell)).chain(other) {
            let found = self.prove(&child)?;
            (zone, common) = (zone.or(found), common.and(found));
        }
        let cells = node.weak_cells();
        if words[0] == "zone" {
            // A move outside of the zone after another move loses like that one. A move to a cell is no better than one to
            // another cell that is in all lines of the first. That cell belongs to the zone then.
            let settled = cells.minus(common).or(Cells::of(moves));
            let shared = shared(&node.board, node.lines.iter().flatten());
            for cell in cells.minus(settled).iter() {
                let better = shared[cell].and(settled).iter().next();
                let name = node.board.names(Cells::of([cell]));
                zone = zone.with(record.need(better, "every other cell to be excluded or dominated", &name)?);
            }
        }
        Ok(zone.and(cells)) // Cells in no line of the weak game do not matter, and the real game has no zones.
    }

    /// Drops the lemma of a record `last`.
    fn close(&mut self, words: &[&str]) {
        if let ["last", lemma, ..] = *words {
            number(lemma, 1, u64::MAX).and_then(|lemma| self.lemmas.remove(&lemma));
        }
    }
}
