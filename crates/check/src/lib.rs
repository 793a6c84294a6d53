//! Checks certificates: files that say what is true of a position in tic-tac-toe of any size, and prove it.
//!
//! The page `docs/certificates.md` is the specification. The modules follow it: `reader` has the lines of the file,
//! `board` the board, `rules` the rules for nodes and leaves, `report` verdicts and explanations, `shard` which part is
//! checked. Every record is checked when it is read. Memory holds the path to the record and the open lemmas.

mod board;
mod cells;
mod reader;
mod report;
mod rules;
mod shard;

use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Read};

use board::{Board, NAMES};
use cells::Cells;
use reader::{Reader, Record, number};
pub use {reader::Fault, report::Report, report::join, shard::shard};

/// What to check, and how.
#[derive(Clone, Copy, Default)]
pub struct Options {
    /// Refuse all theorems but strategy stealing.
    pub no_theorems: bool,
    /// Check only every Nth block from the Ith on: `(I, N)` with 1 <= I <= N.
    pub shard: Option<(u64, u64)>,
    /// The number of a record to explain.
    pub show: Option<u64>,
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

/// A node that is proved, the zone if its claim is weak, and the block of the file that proves it.
struct Lemma(Node, Cells, u64);

struct Checker<'a, R> {
    reader: Reader<R>,
    board: Board,
    options: &'a Options,
    shown: &'a mut Option<String>, // the text for --show
    lemmas: HashMap<u64, Lemma>,
    report: Report,
}

/// Checks a certificate. Gives the report, and the text about the record of `show` if that belongs to a node.
pub fn check(input: impl Read + Send, options: &Options) -> (Result<Report, Fault>, Option<String>) {
    let mut shown = None;
    // The proof of a node calls itself for its children, at most about a thousand times deep: every record but `weak`,
    // and `move` in the weak game, leaves fewer empty cells or fewer lines, and these two never follow each other twice.
    let result = std::thread::scope(|scope| {
        let start = || Checker::start(input, options, &mut shown)?.check();
        let thread = std::thread::Builder::new().stack_size(64 << 20).spawn_scoped(scope, start);
        let panic = |_| Err(Fault::Unreadable(io::Error::other("the checker stopped")));
        thread.map_err(Fault::Unreadable)?.join().unwrap_or_else(panic)
    });
    (result, shown)
}

impl<'a, R: Read> Checker<'a, R> {
    /// Reads the first two lines.
    fn start(input: R, options: &'a Options, shown: &'a mut Option<String>) -> Result<Self, Fault> {
        let input = BufReader::with_capacity(1 << 16, input);
        let mut reader = Reader { input, lines: 0, bytes: 0, checksum: 0xcbf2_9ce4_8422_2325 };
        let record = reader.record()?;
        record.demand(record.text == "noughts certificate 1", "\"noughts certificate 1\"")?;
        let record = reader.record()?;
        let game = match record.words()[..] {
            ["game", size, connect, rule @ ("normal" | "reverse")] => {
                let size = number(size, 1, 20);
                size.and_then(|size| Some(Board::new(size, number(connect, 1, size)?, rule == "reverse")))
            }
            _ => None,
        };
        let board = record.need(game, "\"game SIZE CONNECT normal|reverse\"", &record.text)?;
        let report = Report { part: options.shard.unwrap_or((1, 1)), ..Report::default() };
        Ok(Self { reader, board, options, shown, lemmas: HashMap::new(), report })
    }

    /// Checks the file from the third line on.
    fn check(mut self) -> Result<Report, Fault> {
        let record = self.reader.record()?;
        let (start, _) = match record.words()[..] {
            // No line is completed, which the claim does not say, so any claim does here.
            ["position", board, to_move] => self.node(&record, board, to_move, &["cannot", "x"])?,
            _ => return record.need(None, "\"position BOARD x|o\"", &record.text),
        };
        let [own, other] = [start.to_move, 1 - start.to_move].map(|player| start.stones[player].count());
        record.demand(other == own || other == own + 1, "numbers of stones that fit the player to move")?;
        let (mut claims, mut open, mut lemmas) = (Vec::new(), Vec::new(), 0);
        let mut record = self.reader.record()?;
        while let ["claim", words @ ..] = &record.words()[..] {
            let claim = self.claim(&record, words, &start.stones)?;
            record.demand(claim.kind != Kind::Weak && !claims.contains(&claim), "a new claim, `wins` or `cannot`")?;
            claims.push(claim);
            open.push(true);
            record = self.reader.record()?;
        }
        record.demand(!claims.is_empty(), "a claim")?;
        loop {
            let words = record.words();
            let (node, zone) = match words[..] {
                ["lemma", name, board, to_move, ref claim @ ..] => {
                    lemmas += 1;
                    record.need(number(name, lemmas, lemmas), "the number of the next lemma", name)?;
                    self.node(&record, board, to_move, claim)?
                }
                ["prove", name] => {
                    let claim = number(name, 1, claims.len()).filter(|claim| std::mem::take(&mut open[claim - 1]));
                    let claim = record.need(claim, "the number of a claim that is not proved yet", name)?;
                    (Node { claim: claims[claim - 1], ..start.clone() }, Cells::NONE)
                }
                ["end", lines] if !open.contains(&true) => {
                    record.need(number(lines, record.number, record.number), "the number of this line", lines)?;
                    break;
                }
                _ => return record.need(None, "a lemma, a claim to prove, or the end after all claims", &record.text),
            };
            self.report.blocks += 1;
            let block = self.report.blocks;
            let next = if self.report.owns(block) {
                record.demand(self.prove(&node)?.within(zone), "a zone that contains the zone of the proof")?;
                self.reader.record()?
            } else {
                self.skip()?
            };
            if words[0] == "lemma" {
                self.lemmas.insert(lemmas, Lemma(Node { lines: Vec::new(), ..node }, zone, block));
            }
            record = next;
        }
        if !self.reader.input.fill_buf().map_err(Fault::Unreadable)?.is_empty() {
            return Err(Fault::Wrong(self.reader.lines + 1, "the end of the file".into(), "more".into()));
        }
        self.report.file = format!("{} {:016x}", self.reader.bytes, self.reader.checksum);
        self.report.statement = report::statement(&claims, start.to_move, self.board.reverse);
        Ok(self.report)
    }

    /// Reads over the records of a block that another part checks. Lemmas are dropped at `last` as everywhere.
    fn skip(&mut self) -> Result<Record, Fault> {
        loop {
            let record = self.reader.record()?;
            match record.words()[..] {
                ["lemma" | "prove" | "end", ..] => return Ok(record),
                ["last", lemma, ..] => drop(number(lemma, 1, u64::MAX).and_then(|lemma| self.lemmas.remove(&lemma))),
                _ => {}
            }
        }
    }

    /// A position of the file with a claim, and the zone of a weak one.
    fn node(&self, record: &Record, text: &str, to_move: &str, claim: &[&str]) -> Result<(Node, Cells), Fault> {
        let weak = claim.first() == Some(&"weak");
        let board = self.board.read(text).filter(|found| weak || found[2] == Cells::NONE);
        let [x, o, zone] = record.need(board, "a board", text)?;
        let to_move = record.need(NAMES.iter().position(|&name| name == to_move), "x or o", to_move)?;
        let stones = [x, o];
        record.demand(x.or(o) != self.board.cells, "an empty cell")?;
        let claim = self.claim(record, claim, &stones)?;
        // In the weak game the lines of Breaker count for nothing.
        let line = |player| self.board.live(&stones, player).contains(&Cells::NONE);
        let line = (0..2).any(|player| (!weak || player == claim.attacker) && line(player));
        record.demand(!(line || weak && self.board.reverse), "no completed line, and no weak game in reverse")?;
        let node = Node { stones, to_move, claim, lines: Vec::new() };
        Ok((if weak { self.weak(&node) } else { node }, zone))
    }

    fn claim(&self, record: &Record, words: &[&str], stones: &[Cells; 2]) -> Result<Claim, Fault> {
        let (kind, player, limit) = match *words {
            ["wins", player, "within", limit] => (Kind::Wins, player, Some(limit)),
            ["cannot", player] => (Kind::Cannot, player, None),
            ["cannot", player, "within", limit] => (Kind::Cannot, player, Some(limit)),
            ["weak", player] => (Kind::Weak, player, None),
            _ => return record.need(None, "a claim", &words.join(" ")),
        };
        let attacker = record.need(NAMES.iter().position(|&name| name == player), "x or o", player)?;
        let read = |limit: &str| record.need(number(limit, 1, 400), "a limit from 1 to 400", limit);
        let empty = self.board.cells.count() - stones[0].or(stones[1]).count();
        let limit = limit.map(read).transpose()?.filter(|&limit| kind == Kind::Wins || limit < empty);
        Ok(Claim { kind, attacker, limit })
    }
}
