//! The exact values of all positions, for boards of up to 9 cells.
//!
//! A post-order search over the graph of positions solves each position once, after all positions that follow it. There is
//! one table for each size, line length and rule. It is built on first use and shared by the whole process.

use crate::game::{Cell, Position, Rules, Value};

use super::small_board::{BOARDS, OncePerRules, SmallBoard, SmallGeometry};

/// The value of every position under one set of rules.
pub struct ValueTable {
    /// By [`SmallBoard::index`]. Positions that cannot arise are [`PackedValue::UNKNOWN`].
    entries: Box<[PackedValue]>,
    pub(crate) geometry: SmallGeometry,
}

static TABLES: OncePerRules<ValueTable> = OncePerRules::new();

impl ValueTable {
    /// The table for `rules`, built now if this is its first use; `None` if the board is larger than 3x3.
    pub fn for_rules(rules: Rules) -> Option<&'static ValueTable> {
        TABLES.get(rules, || ValueTable::build(rules))
    }

    /// Solves every position that can arise from the start position.
    ///
    /// # Panics
    /// When the board is larger than 3x3.
    pub fn build(rules: Rules) -> ValueTable {
        let geometry = SmallGeometry::new(rules);
        let mut entries = vec![PackedValue::UNKNOWN; BOARDS].into_boxed_slice();
        solve(SmallBoard { mine: 0, theirs: 0 }, &geometry, &mut entries);
        ValueTable { entries, geometry }
    }

    /// The value of a position under the rules of this table, seen by the side to move.
    pub fn value(&self, position: &Position) -> Value {
        match position.final_value() {
            Some(value) => value,
            None => self.lookup(SmallBoard::of(position)),
        }
    }

    /// The number of different positions in the table.
    pub fn positions(&self) -> usize {
        self.entries.iter().filter(|&&packed| packed != PackedValue::UNKNOWN).count()
    }

    fn lookup(&self, board: SmallBoard) -> Value {
        self.entries[board.index()].value().expect("every position in which the game goes on can arise")
    }

    /// The moves of a board in reading order, each with its value to the side that plays it.
    pub(crate) fn moves(&self, board: SmallBoard) -> impl Iterator<Item = (u16, Value)> {
        self.geometry.empty_cells(board).map(move |cell| (cell, self.lookup(board.after(cell)).before_move()))
    }

    /// The moves of perfect play from `board` to the end of the game, the first of the best each time.
    pub(crate) fn best_line(&self, mut board: SmallBoard) -> Vec<Cell> {
        let mut line = Vec::new();
        while !self.geometry.is_over(board) {
            let best = self.moves(board).reduce(|best, other| if other.1 > best.1 { other } else { best });
            let (cell, _) = best.expect("a game that goes on has a move");
            line.push(self.geometry.cell(cell));
            board = board.after(cell);
        }
        line
    }
}

/// Solves `board` and everything that follows it, each position once, and returns the value of `board`.
fn solve(board: SmallBoard, geometry: &SmallGeometry, entries: &mut [PackedValue]) -> Value {
    let index = board.index();
    if let Some(known) = entries[index].value() {
        return known;
    }
    let value = geometry.final_value(board).unwrap_or_else(|| {
        let values = geometry.empty_cells(board).map(|cell| solve(board.after(cell), geometry, entries).before_move());
        values.max().expect("a game that goes on has a move")
    });
    entries[index] = PackedValue::of(value);
    value
}

/// A value in one byte: 0 unknown, 1 draw, 2 + 2n win in n plies, 3 + 2n loss in n plies.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct PackedValue(pub u8);

impl PackedValue {
    const UNKNOWN: PackedValue = PackedValue(0);

    pub fn of(value: Value) -> PackedValue {
        PackedValue(match value {
            Value::Draw => 1,
            Value::Win(plies) => 2 + 2 * plies as u8,
            Value::Loss(plies) => 3 + 2 * plies as u8,
        })
    }

    pub fn value(self) -> Option<Value> {
        match self.0 {
            0 => None,
            1 => Some(Value::Draw),
            win if win % 2 == 0 => Some(Value::Win(u16::from(win / 2 - 1))),
            loss => Some(Value::Loss(u16::from(loss / 2 - 1))),
        }
    }
}
