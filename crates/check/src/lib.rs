//! Checks certificates: files that claim something of a position in tic-tac-toe of any size, and prove it.
//!
//! The page `docs/certificates.md` is the specification. The modules follow it: `reader` has the lines of the file,
//! `sha256` their checksum, `board` and `cells` the board, `claim` what is said of a position, `header` the game, the
//! position and the claims, `rules` the rules for nodes and leaves, `report` verdicts and the reports of parts, `shard` which
//! part is checked, `show` the explanation of a record. Every record is checked when it is read. Memory holds the path to the
//! record and the open lemmas.

#![cfg_attr(not(test), deny(clippy::too_many_lines))]

mod board;
mod cells;
mod claim;
mod header;
mod reader;
mod report;
mod rules;
mod sha256;
mod shard;
mod show;

use std::collections::HashMap;
use std::io::{self, Read};

use cells::{Cells, union};
use claim::Claim;
use header::Header;
use reader::{Reader, Record, number};
pub use report::{REPORT, Report, join};
use rules::{Step, shared};
pub use {header::Expected, reader::Rejection, shard::shard};

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

impl Options {
    fn allow(&self, theorem: &str) -> bool {
        !self.no_theorems || theorem == "strategy-stealing"
    }
}

/// A position and a claim about it.
#[derive(Clone)]
struct Node {
    stones: [Cells; 2],
    to_move: usize,
    claim: Claim,
    /// The lines of the weak game, of which none contains another one. Empty if the claim is another one.
    lines: Vec<Cells>,
}

/// The lemmas that are proved and not closed, by number, with their zones.
type Lemmas = HashMap<u64, (Node, Cells)>;

struct Checker<'a> {
    reader: Reader<'a>,
    header: Header,
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
        let title = "noughts certificate 1";
        reader.value(title, &format!("{title:?}"), |more| more.is_empty().then_some(()))?;
        let header = Header::read(&mut reader, &options.expected, &mut notes.header)?;
        let report = Report::begin(&header, notes.header.clone(), options.shard.unwrap_or((1, 1)));
        let (mut open, mut lemmas) = (vec![true; header.claims.len()], 0);
        let mut checker = Self { reader, header, options, notes, lemmas: HashMap::new(), report };
        loop {
            let record = checker.reader.record()?;
            let words = record.words();
            let (node, zone) = match words[..] {
                ["lemma", name, board, to_move, ref claim @ ..] => {
                    lemmas += 1;
                    record.need(number(name, lemmas, lemmas), "the number of the next lemma", name)?;
                    checker.header.board.node(&record, board, to_move, claim)?
                }
                ["prove", name] => {
                    let claim = number(name, 1, open.len()).filter(|claim| std::mem::take(&mut open[claim - 1]));
                    let claim = record.need(claim, "the number of a claim that is not proved yet", name)?;
                    (Node { claim: checker.header.claims[claim - 1], ..checker.header.start.clone() }, Cells::NONE)
                }
                ["end", lines] if !open.contains(&true) => {
                    record.need(number(lines, record.number, record.number), "the number of this line", lines)?;
                    checker.report.file = checker.reader.end()?;
                    return Ok(checker.report);
                }
                _ => return record.need(None, "a lemma, a claim to prove, or the end after all claims", &record.text),
            };
            checker.report.blocks += 1;
            if checker.report.owns(checker.report.blocks) {
                record.demand(checker.prove(&node)?.within(zone), "a zone that contains the zone of the proof")?;
            } else {
                checker.skip()?;
            }
            if words[0] == "lemma" {
                checker.lemmas.insert(lemmas, (Node { lines: Vec::new(), ..node }, zone));
            }
        }
    }

    /// Checks the next record and all below it, which have to prove the claim of the node. Gives the zone of a weak claim.
    fn prove(&mut self, node: &Node) -> Result<Cells, Rejection> {
        let record = self.reader.record()?;
        let words = record.words();
        let found = rules::apply(&self.header.board, &self.lemmas, node, &record, &words);
        self.notes.nodes.get_or_insert((record.number, 0)).1 = record.number;
        if self.options.show == Some(record.number) {
            let moves = found.as_ref().map_or(&[][..], |step| &step.moves);
            self.notes.shown = Some(show::explanation(&self.header.board, node, &record, moves));
        }
        let Step { mut zone, moves, other } = found?;
        self.close(&record);
        if words[0] == "theorem" {
            record.demand(self.options.allow(words[1]), "a proof without this theorem")?;
            self.report.theorems.insert(words[1].to_owned());
        }
        let mut common = Cells::ALL;
        for child in moves.iter().map(|&cell| node.after(cell)).chain(other) {
            let found = self.prove(&child)?;
            (zone, common) = (zone.or(found), common.and(found));
        }
        let cells = union(&node.lines);
        if words[0] == "zone" {
            // A move outside of the zone after another move loses like that one. A move to a cell is no better than one to
            // another cell that is in all lines of the first. That cell belongs to the zone then.
            let settled = cells.minus(common).or(moves.into_iter().collect());
            let shared = shared(&node.lines);
            for cell in cells.minus(settled).iter() {
                let better = shared[cell].and(settled).iter().next();
                let name = self.header.board.names(Cells::of(cell));
                zone = zone.with(record.need(better, "every other cell to be excluded or dominated", &name)?);
            }
        }
        Ok(zone.and(cells)) // Cells in no line of the weak game do not matter, and the real game has no zones.
    }

    /// Reads over the records of a block that another part checks.
    fn skip(&mut self) -> Result<(), Rejection> {
        let mut record = self.reader.record()?;
        while !["lemma", "prove", "end"].contains(&record.words()[0]) {
            self.close(&record);
            record = self.reader.record()?;
        }
        self.reader.ahead = Some(record);
        Ok(())
    }

    /// Drops the lemma of a record `last`.
    fn close(&mut self, record: &Record) {
        let words = record.text.strip_prefix("last ").map(|words| words.split(' '));
        let lemma = words.and_then(|mut words| number(words.next()?, 1, u64::MAX));
        lemma.and_then(|lemma| self.lemmas.remove(&lemma));
    }
}
