//! Checks certificates: files that say what is true of a position in tic-tac-toe of any size, and prove it.
//!
//! The page `docs/certificates.md` is the specification. The modules follow it: `reader` has the lines of the file,
//! `board` the board, `rules` the rules for nodes and leaves, `weak` the weak game, `report` verdicts and parts.
//! Every record is checked when it is read. Memory holds the path to the record and the open lemmas.

mod board;
mod cells;
mod reader;
mod report;
mod rules;
mod show;
mod weak;

use std::collections::HashMap;
use std::io::{self, Read};

use board::{Board, NAMES, Position};
use cells::Cells;
use reader::{Reader, Record, number};
pub use {reader::Fault, report::Report, report::join};

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
    limit: Option<u32>,
}

/// A position and a claim about it.
#[derive(Clone, Copy)]
struct Node<const W: usize> {
    position: Position<W>,
    claim: Claim,
}

/// A node that is proved, the zone if its claim is weak, and the block of the file that proves it.
#[derive(Clone, Copy)]
struct Lemma<const W: usize>(Node<W>, Cells<W>, u64);

type Shown = Option<String>; // the text for --show

struct Checker<'a, const W: usize, R> {
    reader: Reader<R>,
    board: Board<W>,
    options: &'a Options,
    shown: &'a mut Shown,
    lemmas: HashMap<u64, Lemma<W>>,
    report: Report,
}

/// Checks a certificate. Gives the report, and the text about the record of `show` if that belongs to a node.
pub fn check(input: impl Read + Send, options: &Options) -> (Result<Report, Fault>, Option<String>) {
    let mut shown = None;
    // The proof of a node calls itself for its children, at most about a thousand times deep: every record but `weak`,
    // and `move` in the weak game, leaves fewer empty cells or fewer lines, and these two never follow each other twice.
    let result = std::thread::scope(|scope| {
        let start = || start(Reader::new(input), options, &mut shown);
        let thread = std::thread::Builder::new().stack_size(64 << 20).spawn_scoped(scope, start);
        let panic = |_| Err(Fault::Unreadable(io::Error::other("the checker stopped")));
        thread.map_err(Fault::Unreadable)?.join().unwrap_or_else(panic)
    });
    (result, shown)
}

/// Reads the first two lines and chooses sets of cells that are large enough.
fn start<R: Read>(mut reader: Reader<R>, options: &Options, shown: &mut Shown) -> Result<Report, Fault> {
    let record = reader.record()?;
    record.demand(record.text == "noughts certificate 1", "\"noughts certificate 1\"")?;
    let record = reader.record()?;
    let (size, connect, reverse) = match record.words()[..] {
        ["game", size, connect, "normal"] => (number(size, 1, 20), number(connect, 1, 20), false),
        ["game", size, connect, "reverse"] => (number(size, 1, 20), number(connect, 1, 20), true),
        _ => (None, None, false),
    };
    let sizes = size.zip(connect).filter(|(size, connect)| connect <= size);
    let (size, connect) = record.need(sizes, "\"game SIZE CONNECT normal|reverse\"", &record.text)?;
    match size * size {
        0..=64 => Checker::<1, R>::run(reader, Board::new(size, connect, reverse), options, shown),
        65..=256 => Checker::<4, R>::run(reader, Board::new(size, connect, reverse), options, shown),
        _ => Checker::<7, R>::run(reader, Board::new(size, connect, reverse), options, shown),
    }
}

impl<'a, const W: usize, R: Read> Checker<'a, W, R> {
    /// Checks the file from the third line on.
    fn run(reader: Reader<R>, board: Board<W>, options: &'a Options, shown: &'a mut Shown) -> Result<Report, Fault> {
        let report = Report { part: options.shard.unwrap_or((1, 1)), ..Report::default() };
        let mut checker = Self { reader, board, options, shown, lemmas: HashMap::new(), report };
        let record = checker.reader.record()?;
        let (position, _) = match record.words()[..] {
            ["position", board, to_move] => checker.position(&record, board, to_move, false)?,
            _ => return record.need(None, "\"position BOARD x|o\"", &record.text),
        };
        checker.no_line(&record, &position, &[0, 1])?;
        let [own, other] = [position.to_move, 1 - position.to_move].map(|player| position.stones[player].count());
        record.demand(other == own || other == own + 1, "numbers of stones that fit the player to move")?;
        let (mut claims, mut open, mut lemmas) = (Vec::new(), Vec::new(), 0);
        let mut record = checker.reader.record()?;
        while let ["claim", words @ ..] = &record.words()[..] {
            let claim = checker.claim(&record, words, &position)?;
            record.demand(claim.kind != Kind::Weak && !claims.contains(&claim), "a new claim, `wins` or `cannot`")?;
            claims.push(claim);
            open.push(true);
            record = checker.reader.record()?;
        }
        record.demand(!claims.is_empty(), "a claim")?;
        loop {
            let words = record.words();
            let (node, zone) = match words[..] {
                ["lemma", name, board, to_move, ref claim @ ..] => {
                    lemmas += 1;
                    record.need(number(name, lemmas, lemmas), "the number of the next lemma", name)?;
                    let weak = claim.first() == Some(&"weak");
                    record.demand(!weak || !checker.board.reverse, "a claim of the reverse rule")?;
                    let (position, zone) = checker.position(&record, board, to_move, weak)?;
                    let claim = checker.claim(&record, claim, &position)?;
                    // In the weak game the lines of Breaker count for nothing.
                    let players = if weak { vec![claim.attacker] } else { vec![0, 1] };
                    checker.no_line(&record, &position, &players)?;
                    (Node { position, claim }, zone)
                }
                ["prove", name] => {
                    let claim = number(name, 1, claims.len()).filter(|claim| std::mem::take(&mut open[claim - 1]));
                    let claim = claims[record.need(claim, "the number of a claim that is not proved yet", name)? - 1];
                    (Node { position, claim }, Cells::NONE)
                }
                ["end", lines] if !open.contains(&true) => {
                    record.need(number(lines, record.number, record.number), "the number of this line", lines)?;
                    break;
                }
                _ => return record.need(None, "a lemma, a claim to prove, or the end after all claims", &record.text),
            };
            checker.report.blocks += 1;
            let block = checker.report.blocks;
            let next = if !checker.report.owns(block) {
                checker.skip()?
            } else {
                let found = checker.prove(&node)?;
                record.demand(found.within(zone), "a zone that contains the zone of the proof")?;
                checker.reader.record()?
            };
            if words[0] == "lemma" {
                checker.lemmas.insert(lemmas, Lemma(node, zone, block));
            }
            record = next;
        }
        if let Some(record) = checker.reader.next()? {
            return record.need(None, "the end of the file", &record.text);
        }
        checker.report.file = format!("{} {:016x}", checker.reader.bytes, checker.reader.checksum);
        checker.report.statement = report::statement(&claims, position.to_move, checker.board.reverse);
        Ok(checker.report)
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

    /// A position of the file, and the zone of a weak lemma.
    fn position(
        &self,
        record: &Record,
        text: &str,
        to_move: &str,
        weak: bool,
    ) -> Result<(Position<W>, Cells<W>), Fault> {
        let board = self.board.read(text).filter(|found| weak || found[2] == Cells::NONE);
        let [x, o, zone] = record.need(board, "a board", text)?;
        let to_move = record.need(NAMES.iter().position(|&name| name == to_move), "x or o", to_move)?;
        let position = Position { stones: [x, o], to_move };
        record.demand(self.board.empty(&position) != Cells::NONE, "an empty cell")?;
        Ok((position, zone))
    }

    fn no_line(&self, record: &Record, position: &Position<W>, players: &[usize]) -> Result<(), Fault> {
        let line = |&player| self.board.live(position, player).any(|line| line == Cells::NONE);
        record.demand(!players.iter().any(line), "no completed line")
    }

    fn claim(&self, record: &Record, words: &[&str], position: &Position<W>) -> Result<Claim, Fault> {
        let text = words.join(" ");
        let (kind, player, limit) = match *words {
            ["wins", player, "within", limit] => (Kind::Wins, player, Some(limit)),
            ["cannot", player] => (Kind::Cannot, player, None),
            ["cannot", player, "within", limit] => (Kind::Cannot, player, Some(limit)),
            ["weak", player] => (Kind::Weak, player, None),
            _ => return record.need(None, "a claim", &text),
        };
        let attacker = record.need(NAMES.iter().position(|&name| name == player), "x or o", player)?;
        let limit =
            limit.map(|limit| record.need(number(limit, 1, 400), "a limit from 1 to 400", limit)).transpose()?;
        let limit = limit.filter(|&limit| kind == Kind::Wins || limit < self.board.empty(position).count());
        Ok(Claim { kind, attacker, limit })
    }
}
