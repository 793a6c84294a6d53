//! Verdicts, the reports of parts and how they are joined.

use std::collections::BTreeSet;
use std::fmt::{self, Display};

use crate::Options;
use crate::claim::{Claim, Kind, NAMES, plies};
use crate::header::Header;
use crate::reader::{Reader, Rejection, number};
use crate::rules::THEOREMS;

/// The first line of the report of a part. Reports before this version began with the part.
pub const REPORT: &str = "noughts-check report 2";

/// The result of a check. Its text is the report of a part.
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
        let (subject, statement) = (header.subject.clone(), statement(header));
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
    fn read(mut text: &[u8], options: &Options) -> Result<Self, Rejection> {
        let mut reader = Reader::new(&mut text);
        let record = reader.record()?;
        let old = "a report of version 2, for the checksum of older ones can be forged: check the part again";
        record.demand(!record.text.starts_with("shard "), old)?;
        record.demand(record.text == REPORT, &format!("{REPORT:?}"))?;
        let part = reader.value("shard ", "\"shard I/N\"", |part| {
            let (part, of) = part.split_once('/')?;
            let of = number(of, 1, u64::MAX)?;
            Some((number(part, 1, of)?, of))
        })?;
        let mut lines = String::new();
        let header = Header::read(&mut reader, &options.expected, &mut lines)?;
        let mut report = Self::begin(&header, lines, part);
        report.file = reader.value("file ", "\"file BYTES SHA-256\"", |file| {
            let (bytes, sum) = file.split_once(' ')?;
            let is_sum = sum.len() == 64 && sum.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
            number(bytes, 1, u64::MAX).filter(|_| is_sum).map(|_| file.to_owned())
        })?;
        let least = header.claims.len() as u64;
        let expected = "\"blocks NUMBER\", at least one for each claim";
        report.blocks = reader.value("blocks ", expected, |blocks| number(blocks, least, u64::MAX))?;
        let record = reader.record()?;
        let is_known = |name: &&str| THEOREMS.iter().any(|theorem| theorem.0 == *name);
        report.theorems = record.words().into_iter().filter(is_known).map(str::to_owned).collect();
        let are_names = record.text == report.theorem_line();
        record.demand(are_names, "\"theorems\" and their names in the order of the alphabet")?;
        let allowed = report.theorems.iter().all(|name| options.allow(name));
        record.demand(allowed, "no theorem but strategy-stealing")?;
        reader.value("verdict checked", "\"verdict checked\"", |more| more.is_empty().then_some(()))?;
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
    let (mut joined, mut parts): (Option<Report>, _) = (None, BTreeSet::new());
    for (index, text) in texts.iter().enumerate() {
        let wrong = |wrong: String| {
            let wrong = wrong.replace(|letter: char| !letter.is_ascii_graphic() && letter != ' ', "?");
            format!("report {}: {wrong}", index + 1)
        };
        let demand = |holds: bool, reason: &str| holds.then_some(()).ok_or_else(|| wrong(reason.to_owned()));
        let last = text.lines().last().unwrap_or_default();
        demand(!last.starts_with("verdict not checked: "), last)?;
        let new = Report::read(text.as_bytes(), options).map_err(|rejection| wrong(rejection.to_string()))?;
        let whole = joined.get_or_insert_with(|| new.clone());
        let (part, of) = new.part;
        let same = (of, new.blocks, &new.file, &new.header) == (whole.part.1, whole.blocks, &whole.file, &whole.header);
        demand(same, "it is about another file or division than report 1")?;
        demand(parts.insert(part), &format!("it is about part {part}/{of}, which has a report"))?;
        whole.theorems.extend(new.theorems);
    }
    let whole = joined.ok_or("expected reports, found none")?;
    // A report is about all blocks of its part. Parts behind the last block have none.
    let of = whole.part.1;
    match (1..=of.min(whole.blocks)).find(|part| !parts.contains(part)) {
        Some(part) => Err(format!("expected reports about all blocks, found none about part {part}/{of}")),
        None => Ok(whole),
    }
}

/// The statement of all claims of a header together.
fn statement(header: &Header) -> String {
    let about = |attacker: usize| {
        let of = |kind| header.claims.iter().filter(move |claim| (claim.attacker, claim.kind) == (attacker, kind));
        let wins = of(Kind::Wins).min_by_key(|claim| claim.limit);
        let cannot = of(Kind::Cannot).max_by_key(|claim| claim.limit);
        // The player who completes the last line fixes whether the number of plies of a win is odd or even.
        let odd = (attacker == header.start.to_move) != header.board.reverse;
        let most = wins.map_or(0, |Claim { limit, .. }| limit - usize::from((limit % 2 == 1) != odd));
        if cannot.is_some_and(|claim| claim.limit < most && most <= claim.limit + 2) {
            return vec![format!("{} wins in exactly {}", NAMES[attacker], plies(most))];
        }
        wins.into_iter().chain(cannot).map(Claim::to_string).collect()
    };
    let parts = [about(0), about(1)].concat();
    if parts == ["x cannot force a win", "o cannot force a win"] {
        return "neither player can force a win: a draw".into();
    }
    parts.join("; ")
}
