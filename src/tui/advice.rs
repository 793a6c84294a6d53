//! What every empty square is worth, as the engine says it.

use std::collections::HashMap;
use std::fmt;

use crate::protocol::Info;
use crate::text::decimal;
use noughts_core::game::Cell;

use super::answer::Said;

/// What a move is worth to the side that makes it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Worth {
    /// It wins in so many moves of both sides, this one counted. Proven.
    Win(u64),
    /// It draws. Proven.
    Draw,
    /// It loses in so many moves of both sides, this one counted. Proven.
    Loss(u64),
    /// Its total in Monte Carlo: the more, the better.
    Total(f64),
}

/// `W3`, `D`, `L4`, or the total.
impl fmt::Display for Worth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Worth::Win(plies) => write!(f, "W{plies}"),
            Worth::Draw => f.write_str("D"),
            Worth::Loss(plies) => write!(f, "L{plies}"),
            Worth::Total(total) => f.write_str(&decimal(total.round())),
        }
    }
}

impl Worth {
    fn proven(info: &Info) -> Option<Worth> {
        let plies = info.plies.unwrap_or(0);
        match (info.proven?, info.value?) {
            (false, _) => None,
            (true, value) if value > 0.0 => Some(Worth::Win(plies)),
            (true, value) if value < 0.0 => Some(Worth::Loss(plies)),
            (true, _) => Some(Worth::Draw),
        }
    }
}

/// What is known of the moves of a position.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Advice {
    values: HashMap<Cell, Worth>,
    /// Whether the values of all moves are proven.
    is_decided: bool,
    /// What was said of the position as a whole.
    pub summary: Info,
}

impl Advice {
    /// What an answer to `go` with a line for every move has proven on a board of this size.
    pub fn proven(said: &Said, size: u8) -> Advice {
        let values = said.lines.iter().filter_map(|info| Some((first_cell(info, size)?, Worth::proven(info)?)));
        let values: HashMap<Cell, Worth> = values.collect();
        Advice { is_decided: values.len() == said.lines.len(), values, summary: said.summary.clone() }
    }

    /// Whether the values of all moves are proven. One best move is enough to know what the position is worth.
    pub fn is_decided(&self) -> bool {
        self.is_decided
    }

    /// The totals of Monte Carlo added for the moves of which nothing is proven.
    pub fn and_totals(mut self, said: &Said, size: u8) -> Advice {
        for info in &said.lines {
            if let (Some(cell), Some(total)) = (first_cell(info, size), info.total) {
                self.values.entry(cell).or_insert(Worth::Total(total));
            }
        }
        if self.summary.proven != Some(true) {
            self.summary = said.summary.clone();
        }
        self
    }

    /// What a move is worth, if anything is known of it.
    pub fn worth(&self, cell: Cell) -> Option<Worth> {
        self.values.get(&cell).copied()
    }

    /// What all the moves are worth of which anything is known.
    pub fn worths(&self) -> impl Iterator<Item = Worth> {
        self.values.values().copied()
    }

    /// How good a move is among those that have totals: from 0, the least, to 1, the most.
    pub fn heat(&self, cell: Cell) -> Option<f64> {
        let total = |worth: &Worth| if let Worth::Total(total) = worth { Some(*total) } else { None };
        let own = self.values.get(&cell).and_then(total)?;
        let all = || self.values.values().filter_map(total);
        let (least, most) = (all().fold(own, f64::min), all().fold(own, f64::max));
        Some(if most > least { (own - least) / (most - least) } else { 1.0 })
    }
}

fn first_cell(info: &Info, size: u8) -> Option<Cell> {
    info.pv.first()?.on_board(size).ok()
}
