//! Checks certificates: files that say what is true of a position in tic-tac-toe of any size, and prove it.
//!
//! The page `docs/certificates.md` is the specification. The modules follow it: `reader` has the lines of the file,
//! `board` the board, `header` the game, the position and the claims, `rules` the rules for nodes and leaves, `report`
//! verdicts, the reports of parts and explanations, `sha256` their checksum, `shard` which part is checked. Every record is
//! checked when it is read. Memory holds the path to the record and the open lemmas.

#![cfg_attr(not(test), deny(clippy::too_many_lines))]

mod board;
mod cells;
mod header;
mod reader;
mod report;
mod rules;
mod sha256;
mod shard;

use std::collections::HashMap;
use std::io::{self, Read};

use board::Board;
use cells::Cells;
use header::Header;
use reader::{Reader, Record, number};
pub use report::{REPORT, Report, join};
pub use {header::Expected, reader::Rejection, shard::shard};

/// What to check, and how.
#[derive(Clone, Default)]
pub struct Options {
    /// Refuse all theorems but strategy stealing.
    pub no_theorems: bool,
    /// Check only every Nth block from the Ith on: `(I, N)` with 1 <= I <= N.
    pub shard: Option<(u64, u64)>,
    /// The number of a record to explain.
    pub show: Option<u64>,
    /// What the reader expects the file to be about.
    pub expected: Expected,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Wins,
    Cannot,
    Weak,
}

/// What is said of a position. A limit that is no limit is `None`.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Claim {
    kind: Kind,
    attacker: usize,
    limit: Option<usize>,
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

/// A node that is proved, and the zone if its claim is weak.
struct Lemma(Node, Cells);

struct Checker<'a, R> {
    reader: Reader<R>,
    board: Board,
    start: Node,
    claims: Vec<Claim>,
    options: &'a Options,
    shown: &'a mut Option<String>,
    nodes: &'a mut Option<(u64, u64)>,
    lemmas: HashMap<u64, Lemma>,
    report: Report,
}

/// What a check has found on its way, also if it ends with an error.
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
pub fn check(input: impl Read + Send, options: &Options) -> (Result<Report, Rejection>, Notes) {
    let mut notes = Notes::default();
    // The proof of a node calls itself for its children, at most about a thousand times deep: every record but `weak`,
    // and `move` in the weak game, leaves fewer empty cells or fewer lines, and these two never follow each other twice.
    let result = std::thread::scope(|scope| {
        let start = || Checker::start(input, options, &mut notes).and_then(|(checker, record)| checker.check(record));
        let thread = std::thread::Builder::new().stack_size(64 << 20).spawn_scoped(scope, start);
        let panic = |_| Err(Rejection::Unreadable(io::Error::other("the checker stopped")));
        thread.map_err(Rejection::Unreadable)?.join().unwrap_or_else(panic)
    });
    (result, notes)
}

impl<'a, R: Read> Checker<'a, R> {
    /// Reads the header and the record that follows it.
    fn start(input: R, options: &'a Options, notes: &'a mut Notes) -> Result<(Self, Record), Rejection> {
        let mut reader = Reader::new(input);
        let record = reader.record()?;
        record.demand(record.text == "noughts certificate 1", "\"noughts certificate 1\"")?;
        let (header, record) = Header::read(&mut reader, &options.expected, &mut notes.header)?;
        let report = Report::begin(&header, notes.header.clone(), options.shard.unwrap_or((1, 1)));
        let Header { board, start, claims, .. } = header;
        let (shown, nodes) = (&mut notes.shown, &mut notes.nodes);
        Ok((Self { reader, board, start, claims, options, shown, nodes, lemmas: HashMap::new(), report }, record))
    }

    /// Checks the blocks, from this record on.
    fn check(mut self, mut record: Record) -> Result<Report, Rejection> {
        let (mut open, mut lemmas) = (vec![true; self.claims.len()], 0);
        loop {
            let words = record.words();
            let (node, zone) = match words[..] {
                ["lemma", name, board, to_move, ref claim @ ..] => {
                    lemmas += 1;
                    record.need(number(name, lemmas, lemmas), "the number of the next lemma", name)?;
                    self.board.node(&record, board, to_move, claim)?
                }
                ["prove", name] => {
                    let claim = number(name, 1, open.len()).filter(|claim| std::mem::take(&mut open[claim - 1]));
                    let claim = record.need(claim, "the number of a claim that is not proved yet", name)?;
                    (Node { claim: self.claims[claim - 1], ..self.start.clone() }, Cells::NONE)
                }
                ["end", lines] if !open.contains(&true) => {
                    record.need(number(lines, record.number, record.number), "the number of this line", lines)?;
                    break;
                }
                _ => return record.need(None, "a lemma, a claim to prove, or the end after all claims", &record.text),
            };
            self.report.blocks += 1;
            let next = if self.report.owns(self.report.blocks) {
                record.demand(self.prove(&node)?.within(zone), "a zone that contains the zone of the proof")?;
                self.reader.record()?
            } else {
                self.skip()?
            };
            if words[0] == "lemma" {
                self.lemmas.insert(lemmas, Lemma(Node { lines: Vec::new(), ..node }, zone));
            }
            record = next;
        }
        let (bytes, checksum) = self.reader.end()?;
        self.report.file = format!("{bytes} {checksum}");
        Ok(self.report)
    }

    /// Reads over the records of a block that another part checks. Lemmas are dropped at `last` as everywhere.
    fn skip(&mut self) -> Result<Record, Rejection> {
        loop {
            let record = self.reader.record()?;
            match record.words()[..] {
                ["lemma" | "prove" | "end", ..] => return Ok(record),
                ["last", lemma, ..] => drop(number(lemma, 1, u64::MAX).and_then(|lemma| self.lemmas.remove(&lemma))),
                _ => {}
            }
        }
    }
}
