//! The text of headers, boards and records.

use std::fmt::Write as _;
use std::io::{self, Write};

use noughts_core::game::{Cell, Player, Position, Shape};
use noughts_core::search::certificate::{Board, Claim, Record, TheoremName};

/// The lines before the blocks.
pub struct Header {
    /// The position that the claims are about.
    pub position: Position,
    /// The claims, in the order in which the blocks prove them.
    pub claims: Vec<Claim>,
}

impl Header {
    /// Writes the lines of the header.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let rules = self.position.rules();
        let rule = if rules.reverse() { "reverse" } else { "normal" };
        writeln!(out, "noughts certificate 1")?;
        let shape = rules.shape();
        let size = if shape.is_square() { shape.rows.to_string() } else { shape.to_string() };
        writeln!(out, "game {size} {} {rule}", rules.line_length().unwrap_or_default())?;
        writeln!(out, "position {}", self.position.diagram())?;
        self.claims.iter().try_for_each(|claim| writeln!(out, "claim {claim}"))
    }

    /// The number of these lines.
    pub fn lines(&self) -> u64 {
        3 + self.claims.len() as u64
    }
}

/// The board of a lemma and its player to move.
pub fn board_text(board: &Board, shape: Shape) -> String {
    let mut text = String::new();
    for row in 0..shape.rows {
        text.push_str(if row > 0 { "/" } else { "" });
        let mut empty = 0;
        for column in 0..shape.columns {
            let cell = Cell::new(row, column);
            let stone = Player::BOTH.into_iter().find(|&player| board.stones[player as usize].contains(cell));
            let sign = stone.map(Player::letter).or(board.zone.contains(cell).then_some('+'));
            match sign {
                None => empty += 1,
                Some(sign) => {
                    push_number(&mut text, empty);
                    text.push(sign);
                    empty = 0;
                }
            }
        }
        push_number(&mut text, empty);
    }
    text.push(' ');
    text.push(board.side.letter());
    text
}

fn push_number(text: &mut String, number: u32) {
    if number > 0 {
        // Writing to a string does not fail.
        let _ = write!(text, "{number}");
    }
}

/// A record on its line. For [`Record::Use`] the number of the lemma is that of its block.
pub fn record_text(record: &Record) -> String {
    let cells = |cells: &[Cell]| cells.iter().map(|cell| format!(" {cell}")).collect::<String>();
    let pairs = |pairs: &[(Cell, Cell)]| pairs.iter().map(|(one, two)| format!(" {one} {two}")).collect::<String>();
    let kept = |cells: &[Cell]| match cells {
        [] => "-".to_owned(),
        cells => cells.iter().map(Cell::to_string).collect::<Vec<_>>().join(";"),
    };
    match record {
        Record::Move(cell) => format!("move {cell}"),
        Record::All { fours } if fours.is_empty() => "all".to_owned(),
        Record::All { fours } => format!("all fours{}", cells(fours)),
        Record::Weak => "weak".to_owned(),
        Record::NoLine => "none".to_owned(),
        Record::Potential => "potential".to_owned(),
        Record::Pairs(first, list) => {
            format!("pairs {}{}", first.map_or("-".to_owned(), |cell| cell.to_string()), pairs(list))
        }
        Record::Survive(list, pairs_of) => format!("survive {}{}", kept(list), pairs(pairs_of)),
        Record::Parity(list, pairs_of) => format!("parity {}{}", kept(list), pairs(pairs_of)),
        Record::Mirror => "mirror".to_owned(),
        Record::Fours(list) => format!("fours{}", cells(list)),
        Record::Theorem(name) => format!("theorem {}", theorem_name(*name)),
        Record::Use(lemma, symmetry) => format!("use {lemma} {symmetry}"),
        Record::Equal(one, two) => format!("equal {one} {two}"),
        Record::Free(one, two) => format!("free {one} {two}"),
        Record::Zone(list) => format!("zone{}", cells(list)),
    }
}

fn theorem_name(name: TheoremName) -> &'static str {
    match name {
        TheoremName::StrategyStealing => "strategy-stealing",
        TheoremName::Zetters => "zetters",
        TheoremName::Hsu => "hsu",
    }
}
