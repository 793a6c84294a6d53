//! What the claims say together, and the reports of parts.

use std::collections::BTreeSet;
use std::fmt::{self, Display};

use crate::board::NAMES;
use crate::reader::number;
use crate::{Claim, Kind};

/// What a check has shown. Its text is the report of a part.
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub(crate) part: (u64, u64), // which of how many
    pub(crate) file: String,     // the number of bytes and the checksum
    pub(crate) blocks: u64,
    pub(crate) assumed: BTreeSet<u64>,
    pub(crate) theorems: BTreeSet<String>,
    pub(crate) statement: String,
}

impl Report {
    /// True if this part checks the block.
    pub(crate) fn owns(&self, block: u64) -> bool {
        block % self.part.1 == self.part.0 % self.part.1
    }
    /// The blocks that this part checks.
    fn own(&self) -> impl Iterator<Item = u64> {
        (self.part.0..=self.blocks).step_by(usize::try_from(self.part.1).unwrap_or(usize::MAX))
    }
    /// The line for a certificate that is checked.
    pub fn verdict(&self) -> String {
        let names: Vec<&str> = self.theorems.iter().map(String::as_str).collect();
        let resting = if names.is_empty() { String::new() } else { format!(", resting on {}", names.join(", ")) };
        format!("checked{resting}: {}", self.statement)
    }
    /// Reads the report of a part without errors. It has to be, letter by letter, one that a check can have printed.
    fn read(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let mut field = |key: &str| Some(lines.next()?.strip_prefix(key)?.trim_start_matches(' '));
        let count = |word: &str| number(word, 1, u64::MAX);
        let list = |text: &str| text.split_whitespace().map(count).collect::<Option<Vec<u64>>>();
        let (part, parts) = field("shard")?.split_once('/')?;
        let part = (count(part)?, count(parts)?);
        let (file, blocks) = (field("file")?.to_string(), count(field("blocks")?)?);
        let (proved, assumed) = (list(field("proved")?)?, list(field("assumed")?)?.into_iter().collect());
        let report = Self {
            part,
            file,
            blocks,
            assumed,
            theorems: field("theorems")?.split_whitespace().map(String::from).collect(),
            statement: field("statement")?.into(),
        };
        let (bytes, checksum) = report.file.split_once(' ')?;
        let hexadecimal = checksum.len() == 16 && checksum.bytes().all(|digit| b"0123456789abcdef".contains(&digit));
        let sound = part.0 <= part.1
            && hexadecimal
            && count(bytes).is_some()
            && report.own().eq(proved)
            && report.assumed.iter().all(|&block| block <= report.blocks && !report.owns(block))
            && report.theorems.iter().all(|name| ["hsu", "strategy-stealing", "zetters"].contains(&name.as_str()))
            && report.statement.bytes().all(|byte| (32..127).contains(&byte));
        (sound && !report.statement.is_empty() && report.to_string() == text).then_some(report)
    }
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "shard {}/{}\nfile {}\nblocks {}\nproved", self.part.0, self.part.1, self.file, self.blocks)?;
        self.own().try_for_each(|block| write!(f, " {block}"))?;
        write!(f, "\nassumed")?;
        self.assumed.iter().try_for_each(|block| write!(f, " {block}"))?;
        write!(f, "\ntheorems")?;
        self.theorems.iter().try_for_each(|name| write!(f, " {name}"))?;
        writeln!(f, "\nstatement {}\nverdict checked", self.statement)
    }
}

/// Joins the texts of the reports about all parts of one file. Gives a report about the whole file, or what is wrong.
pub fn join(texts: &[String], no_theorems: bool) -> Result<Report, String> {
    let mut reports: Vec<Report> = Vec::new();
    for (index, text) in texts.iter().enumerate() {
        let wrong = |what: &str| format!("report {}: {what}", index + 1);
        if let Some((_, fault)) = text.trim_end().rsplit_once("\nverdict not checked: ") {
            return Err(wrong(&fault.replace(|c: char| c.is_control(), "?")));
        }
        let report = Report::read(text).ok_or_else(|| wrong("expected the report of a part, found another text"))?;
        let about = |report: &Report| (report.part.1, report.file.clone(), report.blocks, report.statement.clone());
        if reports.first().is_some_and(|first| about(first) != about(&report)) {
            return Err(wrong("expected a part as in the first report, found another file or number of parts"));
        }
        if reports.iter().any(|other| other.part == report.part) {
            return Err(wrong("expected a part that has no report yet, found one twice"));
        }
        if no_theorems && report.theorems.iter().any(|name| name != "strategy-stealing") {
            return Err(wrong("expected a proof without theorems, found one"));
        }
        reports.push(report);
    }
    // Every report has all blocks of its part, and assumes only blocks of other parts.
    let mut whole = reports.first().ok_or("expected reports, found none")?.clone();
    whole.theorems = reports.iter().flat_map(|report| report.theorems.clone()).collect();
    let complete = reports.iter().map(|report| report.own().count()).sum::<usize>() as u64 == whole.blocks;
    if complete { Ok(whole) } else { Err("expected reports about all blocks, found too few".into()) }
}

/// A claim in words.
pub(crate) fn sentence(claim: Claim) -> String {
    let verb = match claim.kind {
        Kind::Wins => "wins",
        Kind::Cannot => "cannot force a win",
        Kind::Weak => "as Maker loses the weak game",
    };
    let limit = |plies| format!(" within {plies} {}", if plies == 1 { "ply" } else { "plies" });
    format!("{} {verb}{}", NAMES[claim.attacker], claim.limit.map_or(String::new(), limit))
}

/// What the claims of a header say together.
pub(crate) fn statement(claims: &[Claim], to_move: usize, reverse: bool) -> String {
    let about = |attacker: usize| {
        let of = |kind| claims.iter().copied().filter(move |claim| (claim.attacker, claim.kind) == (attacker, kind));
        let cannot = of(Kind::Cannot).max_by_key(|claim| claim.limit.unwrap_or(u32::MAX));
        let Some(wins) = of(Kind::Wins).min_by_key(|claim| claim.limit) else { return cannot.map(sentence) };
        // The player who completes the last line fixes whether the number of plies of a win is odd or even.
        let odd = (attacker == to_move) != reverse;
        let most = wins.limit.map_or(0, |limit| limit - u32::from((limit % 2 == 1) != odd));
        let exact = cannot.and_then(|claim| claim.limit).is_some_and(|limit| limit < most && most <= limit + 2);
        let exactly = || sentence(Claim { limit: Some(most), ..wins }).replace("within", "in exactly");
        Some(if exact { exactly() } else { sentence(wins) })
    };
    let draw = |attacker| claims.contains(&Claim { kind: Kind::Cannot, attacker, limit: None });
    if draw(0) && draw(1) {
        return "neither player can force a win: a draw".into();
    }
    [0, 1].into_iter().filter_map(about).collect::<Vec<_>>().join("; ")
}
