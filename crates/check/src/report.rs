//! Verdicts, the reports of parts and how they are joined, and the explanation of a record.

use std::collections::BTreeSet;
use std::fmt::{self, Display};

use crate::board::{Board, NAMES};
use crate::cells::union;
use crate::header::Header;
use crate::reader::{Reader, Record, Rejection, number};
use crate::{Claim, Kind, Node, Options};

/// The first line of the report of a part. Reports before this version began with the part.
pub const REPORT: &str = "noughts-check report 2";

const THEOREMS: [&str; 3] = ["hsu", "strategy-stealing", "zetters"];

/// What a check has shown. Its text is the report of a part.
#[derive(Clone, Debug)]
pub struct Report {
    part: (u64, u64),        // which of how many
    header: String,          // the lines of the game, the position and the claims
    subject: String,         // the same game and position in words
    statement: String,       // what the claims say together
    pub(crate) file: String, // the number of bytes and the checksum
    pub(crate) blocks: u64,
    pub(crate) theorems: BTreeSet<String>,
}

impl Report {
    /// A report about a file of which the header was read.
    pub(crate) fn begin(header: &Header, lines: String, part: (u64, u64)) -> Self {
        let statement = statement(&header.claims, header.start.to_move, header.board.reverse);
        let subject = header.subject.clone();
        Self { part, header: lines, subject, statement, file: String::new(), blocks: 0, theorems: BTreeSet::new() }
    }
    /// True if this part checks the block.
    pub(crate) fn owns(&self, block: u64) -> bool {
        block % self.part.1 == self.part.0 % self.part.1
    }
    /// The line for a certificate that is checked.
    pub fn verdict(&self) -> String {
        let names: Vec<&str> = self.theorems.iter().map(String::as_str).collect();
        let resting = if names.is_empty() { String::new() } else { format!(", resting on {}", names.join(", ")) };
        format!("{}: checked{resting}: {}", self.subject, self.statement)
    }
    /// Reads the report of a part without errors.
    fn read(text: &str, options: &Options) -> Result<Self, Rejection> {
        let mut reader = Reader::new(text.as_bytes());
        let record = reader.record()?;
        let old = "a report of version 2, for the checksum of older ones can be forged: check the part again";
        record.demand(!record.text.starts_with("shard "), old)?;
        record.demand(record.text == REPORT, &format!("{REPORT:?}"))?;
        let record = reader.record()?;
        let numbers = |(part, of)| {
            let of = number(of, 1, u64::MAX)?;
            Some((number(part, 1, of)?, of))
        };
        let part = match record.words()[..] {
            ["shard", part] => part.split_once('/').and_then(numbers),
            _ => None,
        };
        let part = record.need(part, "\"shard I/N\"", &record.text)?;
        let mut lines = String::new();
        let (header, record) = Header::read(&mut reader, &options.expected, &mut lines)?;
        let mut report = Self::begin(&header, lines, part);
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        report.file = match record.words()[..] {
            ["file", bytes, sum]
                if number(bytes, 1, u64::MAX).is_some() && sum.len() == 64 && sum.bytes().all(is_digit) =>
            {
                format!("{bytes} {sum}")
            }
            _ => return record.need(None, "\"file BYTES SHA-256\"", &record.text),
        };
        let record = reader.record()?;
        let blocks =
            record.text.strip_prefix("blocks ").and_then(|blocks| number(blocks, header.claims.len() as u64, u64::MAX));
        report.blocks = record.need(blocks, "\"blocks NUMBER\", at least one for each claim", &record.text)?;
        let record = reader.record()?;
        report.theorems = record.words()[1..].iter().map(|name| name.to_string()).collect();
        let known = report.theorems.iter().all(|name| THEOREMS.contains(&name.as_str()));
        let sorted = record.text == report.theorem_line();
        record.demand(known && sorted, "\"theorems\" and their names in the order of the alphabet")?;
        let allowed = |name: &String| !options.no_theorems || name == "strategy-stealing";
        record.demand(report.theorems.iter().all(allowed), "no theorem but strategy-stealing")?;
        let record = reader.record()?;
        record.demand(record.text == "verdict checked", "\"verdict checked\"")?;
        reader.end()?;
        Ok(report)
    }
    fn theorem_line(&self) -> String {
        self.theorems.iter().fold("theorems".into(), |line, name| line + " " + name)
    }
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { part: (part, of), header, file, blocks, .. } = self;
        let theorems = self.theorem_line();
        writeln!(f, "{REPORT}\nshard {part}/{of}\n{header}file {file}\nblocks {blocks}\n{theorems}\nverdict checked")
    }
}

/// Joins the texts of the reports about all parts of one file. Gives a report about the whole file, or what is wrong.
///
/// # Errors
/// When a text is no report of a part without errors, or they are not about all blocks of one file.
pub fn join(texts: &[String], options: &Options) -> Result<Report, String> {
    let mut reports: Vec<Report> = Vec::new();
    for (index, text) in texts.iter().enumerate() {
        let wrong = |wrong: &str| {
            let printable = |letter: char| if letter.is_ascii_graphic() || letter == ' ' { letter } else { '?' };
            format!("report {}: {}", index + 1, wrong.chars().map(printable).collect::<String>())
        };
        if let Some(line) = text.lines().last().filter(|line| line.starts_with("verdict not checked: ")) {
            return Err(wrong(line));
        }
        let new = Report::read(text, options).map_err(|rejection| wrong(&rejection.to_string()))?;
        let about = |report: &Report| (report.part.1, report.blocks, report.file.clone(), report.header.clone());
        if reports.first().is_some_and(|first| about(first) != about(&new)) {
            return Err(wrong("it is about another file or division than report 1"));
        }
        if reports.iter().any(|old| old.part == new.part) {
            return Err(wrong(&format!("it is about part {}/{}, which has a report", new.part.0, new.part.1)));
        }
        reports.push(new);
    }
    let mut whole = reports.first().ok_or("expected reports, found none")?.clone();
    // A report is about all blocks of its part. Parts behind the last block have none.
    let of = whole.part.1;
    let missing = (1..=of.min(whole.blocks)).find(|&part| reports.iter().all(|report| report.part.0 != part));
    if let Some(part) = missing {
        return Err(format!("expected reports about all blocks, found none about part {part}/{of}"));
    }
    whole.theorems = reports.into_iter().flat_map(|report| report.theorems).collect();
    Ok(whole)
}

/// A claim in words.
fn sentence(claim: Claim) -> String {
    let verb = match claim.kind {
        Kind::Wins => "wins",
        Kind::Cannot => "cannot force a win",
        Kind::Weak => "as Maker loses the weak game",
    };
    let limit = claim.limit.map_or(String::new(), |limit| format!(" within {}", plies(limit)));
    format!("{} {verb}{limit}", NAMES[claim.attacker])
}

/// What the claims of a header say together.
fn statement(claims: &[Claim], to_move: usize, reverse: bool) -> String {
    let about = |attacker: usize| {
        let of = |kind| claims.iter().copied().filter(move |claim| (claim.attacker, claim.kind) == (attacker, kind));
        let wins = of(Kind::Wins).min_by_key(|claim| claim.limit);
        let cannot = of(Kind::Cannot).max_by_key(|claim| claim.limit.unwrap_or(400));
        // The player who completes the last line fixes whether the number of plies of a win is odd or even.
        let odd = (attacker == to_move) != reverse;
        let most = wins.and_then(|claim| claim.limit).map_or(0, |limit| limit - usize::from((limit % 2 == 1) != odd));
        if cannot.and_then(|claim| claim.limit).is_some_and(|limit| limit < most && most <= limit + 2) {
            return vec![format!("{} wins in exactly {}", NAMES[attacker], plies(most))];
        }
        wins.into_iter().chain(cannot).map(sentence).collect()
    };
    let parts = [about(0), about(1)].concat();
    if parts == ["x cannot force a win", "o cannot force a win"] {
        return "neither player can force a win: a draw".into();
    }
    parts.join("; ")
}

fn plies(number: usize) -> String {
    format!("{number} {}", if number == 1 { "ply" } else { "plies" })
}

/// Draws the position of a record, and says what the record claims and by which rule.
pub(crate) fn explanation(board: &Board, node: &Node, record: &Record, moves: &[usize]) -> String {
    let weak = node.claim.kind == Kind::Weak;
    let [x, o] = node.stones;
    let marks = if weak { [(union(&node.lines), '+'); 2] } else { [(x, 'x'), (o, 'o')] };
    let letter = |cell: usize| marks.iter().find(|(cells, _)| cells.has(cell)).map_or('.', |mark| mark.1);
    let end = |cell: usize| if (cell + 1).is_multiple_of(board.size) { '\n' } else { ' ' };
    let rows: String = board.cells.iter().flat_map(|cell| [letter(cell), end(cell)]).collect();
    let more = if weak {
        format!("Lines in the cells with +: {}", node.lines.len())
    } else {
        format!("Children after moves to: {}", board.names(moves.iter().copied().collect()))
    };
    let prover = if node.claim.kind == Kind::Wins { node.claim.attacker } else { 1 - node.claim.attacker };
    let rule = match record.words()[0] {
        "move" => "P plays this cell.",
        "all" => "Q may play any cell. Moves without a child end the game, are dead or equal, or P answers by fours.",
        "weak" => "P even wins the weak game, which follows.",
        "none" => "No line can be completed in time.",
        "potential" => "The lines weigh so little that P can always take a cell that keeps the sum low.",
        "pairs" => "P takes the first cell, if there is one, and then the partner of every cell that Q takes.",
        "survive" | "parity" => "P leaves out the kept cells, which stand first, and answers inside the pairs.",
        "mirror" => "P takes the image through the centre of every cell that Q takes.",
        "fours" => "P takes these cells, and each but the last leaves Q one answer.",
        "theorem" => "A published theorem says so.",
        "use" | "last" => "The lemma says so, placed here by the symmetry.",
        "equal" => "The cells are in the same lines: P answers one with the other. A child follows without the lines.",
        "free" => "Q may take the first cell at once, and P has to take the second. A child follows after both.",
        "zone" => "A child follows for each of these moves of Q. All others are excluded or dominated.",
        _ => "There is no such rule.",
    };
    let (rule, claim) = (rule.replace('P', NAMES[prover]).replace('Q', NAMES[1 - prover]), sentence(node.claim));
    let text = format!("record {}: {}\n{rows}", record.number, record.text.escape_default());
    format!("{text}{} is to move. The claim: {claim}.\n{rule}\n{more}\n", NAMES[node.to_move])
}
