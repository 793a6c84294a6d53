//! Verdicts, the reports of parts, and the explanation of a record.

use std::collections::BTreeSet;
use std::fmt::{self, Display};

use crate::board::{Board, NAMES};
use crate::cells::union;
use crate::reader::Record;
use crate::{Claim, Kind, Node};

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
        let field = |key: &str| text.lines().find_map(|line| line.strip_prefix(key)).map(str::trim_start);
        let numbers = |text: &str| text.split_whitespace().map(|word| word.parse().ok()).collect::<Option<_>>();
        let (part, parts) = field("shard ")?.split_once('/')?;
        let report = Self {
            part: (part.parse().ok()?, parts.parse().ok()?),
            file: field("file ")?.into(),
            blocks: field("blocks ")?.parse().ok()?,
            assumed: numbers(field("assumed")?)?,
            theorems: field("theorems")?.split_whitespace().map(String::from).collect(),
            statement: field("statement ")?.into(),
        };
        // The text is longer than the list of blocks that it proves. That bounds the work with wrong numbers.
        let sound = (1..=report.part.1).contains(&report.part.0)
            && report.blocks / report.part.1 <= text.len() as u64
            && report.assumed.iter().all(|&block| (1..=report.blocks).contains(&block) && !report.owns(block))
            && report.theorems.iter().all(|name| ["hsu", "strategy-stealing", "zetters"].contains(&name.as_str()))
            && text.bytes().all(|byte| (b' '..=b'~').contains(&byte) || byte == b'\n');
        (sound && report.to_string() == text).then_some(report)
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
        let report = Report::read(text);
        let about = |report: &Report| (report.part.1, report.file.clone(), report.blocks, report.statement.clone());
        let wrong = match &report {
            None if text.contains("\nverdict not checked: ") => text.trim_end().lines().last().unwrap_or_default(),
            None => "expected the report of a part, found another text",
            Some(new) if reports.iter().any(|old| about(old) != about(new)) => "it is about another file or division",
            Some(new) if reports.iter().any(|old| old.part == new.part) => "it is about a part that has a report",
            Some(new) if no_theorems && new.theorems.iter().any(|name| name != "strategy-stealing") => {
                "it uses a theorem"
            }
            Some(_) => "",
        };
        let wrong = format!("report {}: {}", index + 1, wrong.replace(|c: char| c.is_control(), "?"));
        reports.push(report.filter(|_| wrong.ends_with(": ")).ok_or(wrong)?);
    }
    // Every report has all blocks of its part, and assumes only blocks of other parts.
    let mut whole = reports.first().ok_or("expected reports, found none")?.clone();
    whole.theorems = reports.iter().flat_map(|report| report.theorems.clone()).collect();
    let complete = reports.iter().map(|report| report.own().count() as u64).sum::<u64>() == whole.blocks;
    if complete { Ok(whole) } else { Err("expected reports about all blocks, found too few".into()) }
}

/// A claim in words.
fn sentence(claim: Claim) -> String {
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
        let cannot = of(Kind::Cannot).max_by_key(|claim| claim.limit.unwrap_or(400));
        let Some(wins) = of(Kind::Wins).min_by_key(|claim| claim.limit) else { return cannot.map(sentence) };
        // The player who completes the last line fixes whether the number of plies of a win is odd or even.
        let odd = (attacker == to_move) != reverse;
        let most = wins.limit.map_or(0, |limit| limit - usize::from((limit % 2 == 1) != odd));
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

/// Draws the position of a record, and says what the record claims and by which rule.
pub(crate) fn explanation(board: &Board, node: &Node, record: &Record, moves: &[usize]) -> String {
    let weak = node.claim.kind == Kind::Weak;
    let [x, o] = node.stones;
    let marks = if weak { [(union(&node.lines), '+'); 2] } else { [(x, 'x'), (o, 'o')] };
    let letter = |cell: usize| marks.iter().find(|(cells, _)| cells.has(cell)).map_or('.', |mark| mark.1);
    let end = |cell: usize| if (cell + 1).is_multiple_of(board.size) { '\n' } else { ' ' };
    let rows: String = board.cells.iter().flat_map(|cell| [letter(cell), end(cell)]).collect();
    let more = if weak {
        format!("There are {} lines in the cells with +", node.lines.len())
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
