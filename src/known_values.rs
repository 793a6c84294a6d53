//! The map of known values: empty boards under each rule, what is known of them, and why; as text and as JSON.
//!
//! Nothing is searched here. Boards with a certificate stand in `certificates/index.json`, which `scripts/known-values` writes
//! after both checkers have accepted it. The rest is the result of [`known_value`], or open. A board has the value of the same
//! board turned by a quarter, so the index has no rectangle that is higher than wide.

use std::fmt;
use std::io::{self, Write};

use once_cell::sync::Lazy;
use serde::{Deserialize, Serialize};

use crate::text::ReportTable;
use noughts_core::game::{Bounds, MAX_SIZE, Player, Rules, Shape, Value};
use noughts_core::search::known_values::{KnownReason, Theorem, known_value};

/// The certificates that the script has checked.
static INDEX: Lazy<Vec<Certificate>> = Lazy::new(|| {
    let rows = include_str!("../certificates/index.json");
    serde_json::from_str(rows).expect("the index is an array of such rows")
});

/// An empty board.
#[derive(Clone, PartialEq, Debug)]
pub struct Start {
    /// Its rules. A line fits on the board.
    pub rules: Rules,
    /// The known bounds of its value, seen by X.
    pub bounds: Bounds,
    /// The basis of these bounds.
    pub basis: Basis,
}

/// The basis of a value.
#[derive(Clone, PartialEq, Debug)]
pub enum Basis {
    /// A certificate that both checkers have accepted.
    Certificate(&'static Certificate),
    /// A pairing, or a reply and pairs.
    Pairing,
    /// A mirror strategy.
    Mirror,
    /// A theorem that no search here repeats.
    Theorem(Theorem),
    /// A theorem that is published, without a proof that could be checked here.
    Published(Theorem),
    /// Nothing is known.
    Open,
}

/// A row of the index.
#[derive(Clone, PartialEq, Default, Deserialize, Debug)]
#[serde(default)]
pub struct Certificate {
    size: String,
    connect: u8,
    rule: String,
    /// None if nothing was proved: there is no certificate then.
    claims: Vec<String>,
    /// The theorems that it names; often none.
    pub rests_on: Vec<String>,
    /// The command that makes it.
    pub command: String,
    /// Its name in the folder `certificates`; none if it is made in a moment, or too large to be kept there.
    pub file: Option<String>,
    /// Lines.
    pub lines: u64,
    /// Bytes.
    pub bytes: u64,
}

/// All squares, normal rule first, then the rectangles of the index.
pub fn starts() -> Vec<Start> {
    let squares: Vec<Shape> = (1..=MAX_SIZE).map(Shape::from).collect();
    let rectangles = INDEX.iter().filter(|row| !row.shape().is_square()).map(|row| start(row.rules()));
    starts_of(&squares).into_iter().chain(rectangles).collect()
}

/// The empty boards of these shapes with every number in a row that fits; normal rule first.
pub fn starts_of(shapes: &[Shape]) -> Vec<Start> {
    let rules = [false, true].into_iter().flat_map(|reverse| {
        let games = shapes.iter().flat_map(|&shape| (1..=shape.longer_side()).map(move |connect| (shape, connect)));
        games.map(move |(shape, connect)| Rules::new(shape, connect.into(), reverse).expect("a line fits on the board"))
    });
    rules.map(start).collect()
}

impl Certificate {
    fn shape(&self) -> Shape {
        self.size.parse().expect("the index has sizes such as 4x9")
    }

    fn rules(&self) -> Rules {
        Rules::new(self.shape(), self.connect.into(), self.rule == "reverse").expect("the index has rules of a game")
    }

    /// True if it is a certificate of this board, or of the same board turned by a quarter.
    fn is_of(&self, rules: Rules) -> bool {
        let Shape { rows, columns } = rules.shape();
        let turned = [Shape { rows, columns }, Shape { rows: columns, columns: rows }];
        let game = (Some(self.connect), self.rule.as_str());
        game == (rules.line_length(), rule_name(rules)) && turned.contains(&self.shape()) && !self.claims.is_empty()
    }
}

fn start(rules: Rules) -> Start {
    if let Some(certificate) = INDEX.iter().find(|row| row.is_of(rules)) {
        return Start { rules, bounds: bounds(&certificate.claims), basis: Basis::Certificate(certificate) };
    }
    let known = known_value(rules);
    let bounds = known.map_or(Bounds::UNKNOWN, |known| known.bounds());
    let basis = match known {
        None => Basis::Open,
        Some(known) => match (known.published_win, known.mover_cannot_force.or(known.opponent_cannot_force)) {
            (Some(theorem), _) => Basis::Published(theorem),
            (None, Some(KnownReason::Mirror)) => Basis::Mirror,
            (None, None) => Basis::Open,
            (None, Some(KnownReason::Theorem(theorem))) => Basis::Theorem(theorem),
            (None, Some(KnownReason::Pairing | KnownReason::OneReply | KnownReason::NoLine)) => Basis::Pairing,
        },
    };
    Start { rules, bounds, basis }
}

/// The bounds, seen by X, that the claims of a certificate give together.
fn bounds(claims: &[String]) -> Bounds {
    let mut bounds = Bounds::UNKNOWN;
    for claim in claims {
        let words: Vec<&str> = claim.split(' ').collect();
        let plies = || words.last().and_then(|plies| plies.parse().ok()).expect("a claim ends with its plies");
        match words[..] {
            ["wins", "x", "within", _] => bounds.at_least = Value::Win(plies()),
            ["wins", "o", "within", _] => bounds.at_most = Value::Loss(plies()),
            ["cannot", "x"] => bounds.at_most = Value::Draw,
            ["cannot", "o"] => bounds.at_least = Value::Draw,
            // The player moves with every other ply, so no win is a ply longer than this.
            ["cannot", "x", "within", _] => bounds.at_most = Value::Win(plies() + 1),
            ["cannot", "o", "within", _] => bounds.at_least = Value::Loss(plies() + 1),
            _ => unreachable!("the index has no claim {claim}"),
        }
    }
    bounds
}

fn rule_name(rules: Rules) -> &'static str {
    if rules.reverse() { "reverse" } else { "normal" }
}

impl Start {
    /// True if nothing says who wins, or that nobody does.
    pub fn is_open(&self) -> bool {
        let Bounds { at_least, at_most } = self.bounds;
        let is_won = at_least > Value::Draw || at_most < Value::Draw || matches!(self.basis, Basis::Published(_));
        !is_won && at_least != at_most
    }

    /// The known value, in a few words.
    pub fn value(&self) -> String {
        let wins = |player: Player| player.letter().to_ascii_uppercase();
        match (self.bounds.at_least, self.bounds.at_most) {
            (Value::Draw, Value::Draw) => "draw".to_owned(),
            (Value::Win(plies), at_most) if at_most == Value::Win(plies) => format!("{} in {plies}", wins(Player::X)),
            (Value::Win(plies), _) => format!("{} within {plies}", wins(Player::X)),
            (at_least, Value::Loss(plies)) if at_least == Value::Loss(plies) => {
                format!("{} in {plies}", wins(Player::O))
            }
            (_, Value::Loss(plies)) => format!("{} within {plies}", wins(Player::O)),
            _ if matches!(self.basis, Basis::Published(_)) => "X wins".to_owned(),
            (Value::Draw, _) => "X wins or draws".to_owned(),
            (_, Value::Draw) => "O wins or draws".to_owned(),
            _ => "open".to_owned(),
        }
    }
}

impl fmt::Display for Basis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Basis::Certificate(certificate) if certificate.rests_on.is_empty() => f.write_str("checked by certificate"),
            Basis::Certificate(certificate) => {
                write!(f, "checked by certificate, resting on {}", certificate.rests_on.join(", "))
            }
            Basis::Pairing => f.write_str("pairing"),
            Basis::Mirror => f.write_str("mirror"),
            Basis::Theorem(theorem) => write!(f, "theorem: {}", theorem.sentence()),
            Basis::Published(theorem) => write!(f, "published, not checked here: {}", theorem.sentence()),
            Basis::Open => f.write_str("open"),
        }
    }
}

/// From this number of bytes on, the size of a certificate stands beside the command that prints it.
const LARGE: u64 = 100_001;

/// A row for programs.
#[derive(Serialize)]
struct Row {
    rows: u8,
    columns: u8,
    /// Rows and columns of a square; rectangles have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<u8>,
    connect: u8,
    rule: &'static str,
    value: String,
    basis: String,
    /// The file of the certificate in the folder `certificates`; null if there is none, or it is not kept.
    certificate: Option<String>,
    /// The command that prints the certificate.
    command: Option<String>,
    lines: Option<u64>,
    bytes: Option<u64>,
}

fn row(start: &Start) -> Row {
    let certificate = match start.basis {
        Basis::Certificate(certificate) => Some(certificate),
        _ => None,
    };
    let shape = start.rules.shape();
    Row {
        rows: shape.rows,
        columns: shape.columns,
        size: shape.is_square().then_some(shape.rows),
        connect: start.rules.line_length().unwrap_or_default(),
        rule: rule_name(start.rules),
        value: start.value(),
        basis: start.basis.to_string(),
        certificate: certificate.and_then(|found| found.file.clone()),
        command: certificate.map(|found| found.command.clone()),
        lines: certificate.map(|found| found.lines),
        bytes: certificate.map(|found| found.bytes),
    }
}

/// Writes the map as a table, a row for each board.
///
/// # Errors
/// Those of `out`.
pub fn write_text(starts: &[Start], out: &mut dyn Write) -> io::Result<()> {
    let mut table = ReportTable::of_words(["board", "in a row", "rule", "value", "rests on", "certificate"]);
    for row in starts.iter().map(row) {
        let certificate = match (row.certificate, row.command, row.bytes) {
            (Some(file), _, _) => file,
            (None, Some(command), Some(bytes @ LARGE..)) => format!("{command}, {:.1} MB", bytes as f64 / 1e6),
            (None, command, _) => command.unwrap_or_default(),
        };
        let board = Shape::from((row.rows, row.columns)).to_string();
        table.push([board, row.connect.to_string(), row.rule.to_owned(), row.value, row.basis, certificate]);
    }
    writeln!(out, "{}", table.to_text())
}

/// Writes the map as a JSON array of objects, a line for each board.
///
/// # Errors
/// Those of `out`.
pub fn write_json(starts: &[Start], out: &mut dyn Write) -> io::Result<()> {
    for (index, start) in starts.iter().enumerate() {
        write!(out, "{}", if index == 0 { "[\n" } else { ",\n" })?;
        serde_json::to_writer(&mut *out, &row(start))?;
    }
    writeln!(out, "\n]")
}
