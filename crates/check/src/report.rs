//! What is said of a file: its header, what the reader expects there, verdicts, the reports of parts and how they are joined.

use std::collections::BTreeSet;
use std::fmt::{self, Display};
use std::sync::Arc;

use crate::Options;
use crate::board::{Board, Cells};
use crate::node::{Claim, NAMES, Node, plies};
use crate::reader::{Reader, Record, Rejection, number};
use crate::rules::THEOREMS;

/// The first line of the report of a part. Reports before this version began with the part.
pub const REPORT: &str = "noughts-check report 2";

/// The game, the position and the claims that the reader expects. A file about something else is refused.
#[derive(Clone, Default)]
pub struct Expected(Vec<Record>);

impl Expected {
    /// Reads `--game`, `--position` and `--claim`, each in the words that follow this word in a header. The position
    /// may also be `startpos`, the empty board with X to move.
    ///
    /// # Errors
    /// When no header can have such values. A position or a claim needs a game.
    pub fn new(game: Option<&str>, position: Option<&str>, claims: &[String]) -> Result<Self, String> {
        let record = |word: &str, words: &str| Record { number: 0, text: format!("{word} {words}") };
        let Some(game) = game.map(|game| record("game", game)) else {
            let alone = position.is_none() && claims.is_empty();
            return if alone { Ok(Self::default()) } else { Err("--position and --claim need --game".into()) };
        };
        let board = board(&game).map_err(|wrong| format!("--game: {wrong}"))?;
        let empty = format!("{} x", vec![board.columns.to_string(); board.rows].join("/"));
        let place = record("position", position.filter(|&text| text != "startpos").unwrap_or(&empty));
        let start = start(&board, &place).map_err(|wrong| format!("--position: {wrong}"))?;
        let claims: Vec<Record> = claims.iter().map(|words| record("claim", words)).collect();
        let read = claims.iter().try_for_each(|record| claim(&start, record).map(drop));
        read.map_err(|wrong| format!("--claim: {wrong}"))?;
        Ok(Self([game].into_iter().chain(position.and(Some(place))).chain(claims).collect()))
    }
}

/// The board of the record `game`.
fn board(record: &Record) -> Result<Arc<Board>, Rejection> {
    record.value("game ", "\"game SIZE CONNECT normal|reverse\"", |game| {
        let (size, rest) = game.split_once(' ')?;
        let (connect, rule) = rest.split_once(' ').filter(|rest| ["normal", "reverse"].contains(&rest.1))?;
        let (rows, columns) = size.split_once('x').filter(|(rows, columns)| rows != columns).unwrap_or((size, size));
        let size = [number(rows, 1, 20)?, number(columns, 1, 20)?];
        let connect = number(connect, 1, size[0].max(size[1]))?;
        Some(Arc::new(Board::new(size, connect, rule == "normal")))
    })
}

/// The position of the record `position`.
fn start(board: &Arc<Board>, record: &Record) -> Result<Node, Rejection> {
    // No line is completed, which the claim does not say, so any claim does here.
    let words = [&record.words()[..], &["cannot", "x"]].concat();
    record.demand(words[0] == "position" && words.len() == 5, "\"position BOARD x|o\"")?;
    let (start, _) = Node::read(board, record, &words[1..])?;
    let [own, other] = [start.to_move, 1 - start.to_move].map(|player| start.stones[player].count());
    record.demand(other == own || other == own + 1, "numbers of stones that fit the player to move")?;
    Ok(start)
}

/// The claim of a record `claim`.
fn claim(start: &Node, record: &Record) -> Result<Claim, Rejection> {
    let claim = Claim::read(record, &record.words()[1..], start.empty().count())?;
    record.demand(!claim.weak, "a claim, `wins` or `cannot`")?;
    Ok(claim)
}

/// The result of a check. Its text is the report of a part.
#[derive(Clone, Debug)]
pub struct Report {
    pub(crate) part: (u64, u64), // which of how many
    pub(crate) start: Node,      // its claim means nothing
    pub(crate) claims: Vec<Claim>,
    subject: String,          // which game and position this is
    pub(crate) lines: String, // the header, and which file it is: the same in all reports about it
    pub(crate) blocks: u64,
    pub(crate) theorems: BTreeSet<String>,
    pub(crate) solution: Option<u64>, // the positions of a solution; a certificate has none
}

/// Reads the header of a file, and the first record behind it. The lines that are right are put into `lines`.
pub fn begin(reader: &mut Reader, expected: &Expected, lines: &mut String) -> Result<(Report, Record), Rejection> {
    let mut keep = |record: &Record| {
        let word = record.words()[0];
        let named = expected.0.iter().find(|named| named.words()[0] == word && word != "claim").unwrap_or(record);
        record.demand(named.text == record.text, &format!("{} as in --{word}", named.text))?;
        lines.extend([&record.text, "\n"]);
        Ok(())
    };
    let game = reader.record()?;
    let board = board(&game)?;
    keep(&game)?;
    let position = reader.record()?;
    let start = start(&board, &position)?;
    keep(&position)?;
    let (game, text) = (game.words(), position.words()[1]);
    let place = if start.stones == [Cells::NONE; 2] { "empty board" } else { &format!("board {text}") };
    let to_move = NAMES[start.to_move];
    let (rows, columns) = (board.rows, board.columns);
    let subject = format!("{rows}x{columns}, {} in a row, {} rule, {place}, {to_move} to move", game[2], game[3]);
    let (mut claims, mut record) = (Vec::new(), reader.record()?);
    while record.words()[0] == "claim" {
        let claim = claim(&start, &record)?;
        record.demand(!claims.contains(&claim), "a new claim")?;
        claims.push(claim);
        keep(&record)?;
        record = reader.record()?;
    }
    record.demand(!claims.is_empty(), "a claim")?;
    for named in expected.0.iter().filter(|named| named.words()[0] == "claim") {
        let found = claim(&start, named).is_ok_and(|claim| claims.contains(&claim));
        record.demand(found, &format!("{} as in --claim", named.text))?;
    }
    let (lines, theorems) = (lines.clone(), BTreeSet::new());
    Ok((Report { part: (1, 1), start, claims, subject, lines, blocks: 0, theorems, solution: None }, record))
}

impl Report {
    /// The line for a file that is checked.
    pub fn verdict(&self) -> String {
        let Some(positions) = self.solution else { return self.verdict_of_claims() };
        let positions = if positions == 1 { "1 position".into() } else { format!("{positions} positions") };
        let listed = "every listed move wins within the listed plies; that no other move wins as soon is not shown";
        format!("{}; in {positions} {listed}", self.verdict_of_claims())
    }
    fn verdict_of_claims(&self) -> String {
        let names: Vec<&str> = self.theorems.iter().map(String::as_str).collect();
        let resting = if names.is_empty() { String::new() } else { format!(", resting on {}", names.join(", ")) };
        format!("{}: checked{resting}: {}", self.subject, self.statement())
    }
    /// The statement of all claims of the header together.
    fn statement(&self) -> String {
        let about = |attacker: usize| {
            let of = |wins| self.claims.iter().filter(move |claim| (claim.attacker, claim.wins) == (attacker, wins));
            let wins = of(true).min_by_key(|claim| claim.limit);
            let cannot = of(false).max_by_key(|claim| claim.limit);
            // The player who completes the last line fixes whether the number of plies of a win is odd or even.
            let odd = (attacker == self.start.to_move) == self.start.board.normal;
            let most = wins.map_or(0, |Claim { limit, .. }| limit - usize::from((limit % 2 == 1) != odd));
            if cannot.is_some_and(|claim| claim.limit < most && most <= claim.limit + 2) {
                return vec![format!("{} wins in exactly {}", NAMES[attacker], plies(most))];
            }
            wins.into_iter().chain(cannot).map(|claim| claim.text()).collect()
        };
        let parts = [about(0), about(1)].concat();
        let is_draw = parts == ["x cannot force a win", "o cannot force a win"];
        if is_draw { "neither player can force a win: a draw".into() } else { parts.join("; ") }
    }
    /// Reads the report of a part without errors.
    fn read(mut text: &[u8], options: &Options) -> Result<Self, Rejection> {
        let mut reader = Reader::new(&mut text);
        let record = reader.record()?;
        let old = "a report of version 2, for the checksum of older ones can be forged: check the part again";
        record.demand(!record.text.starts_with("shard "), old)?;
        record.demand(record.text == REPORT, &format!("{REPORT:?}"))?;
        let part = reader.record()?.value("shard ", "\"shard I/N\"", |part| {
            let (part, of) = part.split_once('/')?;
            let of = number(of, 1, u64::MAX)?;
            Some((number(part, 1, of)?, of))
        })?;
        let (mut report, record) = begin(&mut reader, &options.expected, &mut String::new())?;
        report.part = part;
        report.lines += &record.value("file ", "\"file BYTES SHA-256\"", |file| {
            let (bytes, sum) = file.split_once(' ')?;
            let is_sum = sum.len() == 64 && sum.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
            number(bytes, 1, u64::MAX).filter(|_| is_sum).map(|_| format!("file {file}\n"))
        })?;
        let least = report.claims.len() as u64;
        let expected = "\"blocks NUMBER\", at least one for each claim";
        report.blocks = reader.record()?.value("blocks ", expected, |blocks| number(blocks, least, u64::MAX))?;
        let record = reader.record()?;
        let is_known = |name: &&str| THEOREMS.iter().any(|theorem| theorem.0 == *name);
        report.theorems = record.words().into_iter().filter(is_known).map(str::to_owned).collect();
        let are_names = record.text == report.theorem_line();
        record.demand(are_names, "\"theorems\" and their names in the order of the alphabet")?;
        let allowed = !options.no_theorems || report.theorems.iter().all(|name| name == "strategy-stealing");
        record.demand(allowed, "no theorem but strategy-stealing")?;
        let verdict = reader.record()?;
        verdict.demand(verdict.text == "verdict checked", "\"verdict checked\"")?;
        reader.end()?;
        Ok(report)
    }
    fn theorem_line(&self) -> String {
        self.theorems.iter().fold("theorems".into(), |line, name| line + " " + name)
    }
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { part: (part, of), lines, blocks, .. } = self;
        let theorems = self.theorem_line();
        writeln!(f, "{REPORT}\nshard {part}/{of}\n{lines}blocks {blocks}\n{theorems}\nverdict checked")
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
        let same = (of, new.blocks, &new.lines) == (whole.part.1, whole.blocks, &whole.lines);
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
