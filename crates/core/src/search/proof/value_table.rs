//! The exact values of all positions, for boards of up to 16 cells.
//!
//! The positions are solved by their number of stones, full boards first. So the values after all moves of a position are
//! known before its own. The table has a byte for each board, also for those that cannot arise: 3^16 bytes are 41 MiB.
//!
//! Tables of up to 9 cells are built on first use and shared by the whole process. The caller keeps larger ones.

use crate::game::{Cell, Position, Rules, Value};

use super::small_board::{OncePerRules, SmallBoard, SmallGeometry, digits, single_bits, subsets};

/// The value of every position under one set of rules.
pub struct ValueTable {
    /// By [`SmallBoard::index`]: the bytes of [`PackedValue`]. Positions that cannot arise are [`PackedValue::UNKNOWN`].
    entries: Box<[u8]>,
    pub(crate) geometry: SmallGeometry,
}

static TABLES: OncePerRules<ValueTable> = OncePerRules::new();

impl ValueTable {
    /// The cells of the largest board that has a table.
    pub const MOST_CELLS: usize = 16;

    /// The table for `rules`, built now if this is its first use; `None` if the board has more than 9 cells.
    pub fn for_rules(rules: Rules) -> Option<&'static ValueTable> {
        TABLES.get(rules, || ValueTable::build(rules))
    }

    /// Solves every position that can arise from the start position. A board of 16 cells takes some tenths of a second.
    ///
    /// # Panics
    /// When the board has more than [`ValueTable::MOST_CELLS`] cells.
    pub fn build(rules: Rules) -> ValueTable {
        let geometry = SmallGeometry::new(rules);
        let mut entries = vec![PackedValue::UNKNOWN.0; ValueTable::bytes(rules)].into_boxed_slice();
        (0..=rules.cells() as u32).rev().for_each(|stones| solve(stones, &geometry, &mut entries));
        ValueTable { entries, geometry }
    }

    /// The number of bytes of a table: 3 to the power of the cells.
    fn bytes(rules: Rules) -> usize {
        3usize.pow(rules.cells() as u32)
    }

    /// The value of a position under the rules of this table, seen by the side to move.
    pub fn value(&self, position: &Position) -> Value {
        match position.final_value() {
            Some(value) => value,
            None => self.lookup(SmallBoard::of(position)),
        }
    }

    /// The value of the position with these stones, seen by the side to move, which has those of `mine`. Cell `r,c` is bit
    /// `r * columns + c`.
    ///
    /// # Panics
    /// When the position cannot arise.
    pub fn value_of(&self, mine: u16, theirs: u16) -> Value {
        self.lookup(SmallBoard { mine, theirs })
    }

    /// The best moves of a position: see [`ValueTable::best_moves_of`].
    pub fn best_moves(&self, position: &Position) -> u16 {
        let SmallBoard { mine, theirs } = SmallBoard::of(position);
        self.best_moves_of(mine, theirs)
    }

    /// The moves with the best value of the position with these stones, a bit each: the fastest wins, or the draws, or the
    /// slowest losses. None when the game is over. The position must be one that can arise.
    pub fn best_moves_of(&self, mine: u16, theirs: u16) -> u16 {
        let board = SmallBoard { mine, theirs };
        if self.geometry.is_over(board) {
            return 0;
        }
        let after = digits(theirs) + 2 * digits(mine);
        let (mut best, mut value) = (0, u8::MAX);
        for cell in self.geometry.empty_cells(board) {
            // The best move leaves the opponent the worst value. Without branches, which would often be predicted wrongly.
            let left = self.entries[after + 2 * POWERS[cell.trailing_zeros() as usize]];
            let kept = if left < value { 0 } else { best };
            best = kept | if left <= value { cell } else { 0 };
            value = value.min(left);
        }
        best
    }

    /// The number of different positions in the table.
    pub fn positions(&self) -> usize {
        self.entries.iter().filter(|&&byte| byte != PackedValue::UNKNOWN.0).count()
    }

    fn lookup(&self, board: SmallBoard) -> Value {
        PackedValue(self.entries[board.index()]).value().expect("only positions that can arise are looked up")
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

/// Solves the positions with so many stones. Those with one stone more are solved.
///
/// A position without lines can arise from the start in any order of its moves. One with a line can arise if its opponent
/// may have completed it just now: without one of the opponent's stones there is no line.
fn solve(stones: u32, geometry: &SmallGeometry, entries: &mut [u8]) {
    let SmallGeometry { full, has_line, .. } = geometry;
    let is_quiet = |set: u16| !has_line[usize::from(set)];
    let (of_mover, of_opponent) = (stones / 2, stones - stones / 2);
    for theirs in subsets(*full, of_opponent) {
        if !is_quiet(theirs) && !single_bits(theirs).any(|cell| is_quiet(theirs ^ cell)) {
            continue;
        }
        let (free, digits_of_theirs) = (full & !theirs, digits(theirs));
        for mine in subsets(free, of_mover).filter(|&mine| is_quiet(mine)) {
            let digits_of_mine = digits(mine);
            let value = geometry.final_value(SmallBoard { mine, theirs }).map(PackedValue::of);
            let value = value.unwrap_or_else(|| best(free & !mine, digits_of_theirs + 2 * digits_of_mine, entries));
            entries[digits_of_mine + 2 * digits_of_theirs] = value.0;
        }
    }
}

/// The value of a position whose empty cells and whose index without the cell of the move are given: `after` is the index of
/// the board that the opponent would see if the move placed no stone.
fn best(empty: u16, after: usize, entries: &[u8]) -> PackedValue {
    // The best move leaves the opponent the worst value, and bytes are ordered as values.
    let values = single_bits(empty).map(|cell| entries[after + 2 * POWERS[cell.trailing_zeros() as usize]]);
    PackedValue(values.min().expect("a game that goes on has a move")).before_move()
}

/// The powers of 3: a stone of the opponent counts twice the power of its cell.
const POWERS: [usize; ValueTable::MOST_CELLS] = {
    let mut powers = [1; ValueTable::MOST_CELLS];
    let mut cell = 1;
    while cell < powers.len() {
        powers[cell] = 3 * powers[cell - 1];
        cell += 1;
    }
    powers
};

/// A value in one byte: 0 unknown, 1 + n loss in n plies, 128 draw, 255 - n win in n plies. So better values are larger bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct PackedValue(pub u8);

impl PackedValue {
    const UNKNOWN: PackedValue = PackedValue(0);
    const DRAW: PackedValue = PackedValue(128);

    pub fn of(value: Value) -> PackedValue {
        match value {
            Value::Loss(plies) => PackedValue(1 + plies as u8),
            Value::Draw => PackedValue::DRAW,
            Value::Win(plies) => PackedValue(255 - plies as u8),
        }
    }

    pub fn value(self) -> Option<Value> {
        match self.0 {
            0 => None,
            128 => Some(Value::Draw),
            loss if loss < 128 => Some(Value::Loss(u16::from(loss - 1))),
            win => Some(Value::Win(u16::from(255 - win))),
        }
    }

    /// [`Value::before_move`] of a known value.
    fn before_move(self) -> PackedValue {
        match self.0 {
            128 => PackedValue::DRAW,
            loss if loss < 128 => PackedValue(255 - loss),
            win => PackedValue(2 + (255 - win)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use super::*;
    use crate::search::{Control, Solver, oracle};

    fn rules((rows, columns, connect): (u8, u8, u16), reverse: bool) -> Rules {
        Rules::new((rows, columns), connect, reverse).unwrap()
    }

    /// Minimax by the rules alone, each position once.
    fn minimax(position: Position, known: &mut HashMap<Position, Value>) -> Value {
        if let Some(value) = position.final_value().or_else(|| known.get(&position).copied()) {
            return value;
        }
        let values = position.moves().map(|cell| minimax(position.after(cell), known).before_move());
        let value = values.max().unwrap();
        known.insert(position, value);
        value
    }

    /// Compares the value of a position, finished or not, and its best moves with those that are known.
    fn compare(table: &ValueTable, position: &Position, mut known: impl FnMut(&Position) -> Value) {
        let value = known(position);
        assert_eq!(table.value(position), value, "{}: {}", position.rules(), position.diagram());
        let SmallBoard { mine, theirs } = SmallBoard::of(position);
        assert_eq!(table.value_of(mine, theirs), value);
        let is_best = |cell: &Cell| known(&position.after(*cell)).before_move() == value;
        let best = position.moves().filter(is_best).map(|cell| 1 << cell.index(position.rules().shape()));
        assert_eq!(table.best_moves_of(mine, theirs), best.fold(0, |set: u16, bit: u16| set | bit));
    }

    #[test]
    fn every_position_has_the_value_and_the_best_moves_of_minimax() {
        let boards =
            [(1, 1, 0), (1, 2, 1), (2, 2, 0), (2, 2, 3), (3, 3, 0), (3, 3, 2), (1, 8, 3), (2, 4, 3), (9, 1, 4)];
        for board in boards.into_iter().chain([(2, 5, 3), (10, 1, 3), (1, 11, 4), (3, 4, 3), (6, 2, 2)]) {
            for reverse in [false, true] {
                let rules = rules(board, reverse);
                let (table, mut known) = (ValueTable::build(rules), HashMap::new());
                minimax(Position::start(rules), &mut known);
                let mut finished = HashSet::new();
                for position in known.keys() {
                    compare(&table, position, |position| position.final_value().unwrap_or_else(|| known[position]));
                    let after = position.moves().map(|cell| position.after(cell));
                    finished.extend(after.filter(|after| after.outcome().is_some()));
                }
                finished.iter().for_each(|position| compare(&table, position, |end| end.final_value().unwrap()));
                assert_eq!(table.positions(), known.len() + finished.len(), "{rules}");
            }
        }
    }

    #[test]
    fn positions_of_larger_boards_have_the_value_of_the_oracle_and_of_the_solver() {
        for board in [(4, 4, 4), (4, 4, 3), (3, 5, 3), (5, 3, 4), (2, 8, 3), (1, 16, 4), (13, 1, 3), (2, 7, 5)] {
            for reverse in [false, true] {
                let rules = rules(board, reverse);
                let table = ValueTable::build(rules);
                for position in oracle::endgames(rules, &[8, 7, 6, 5, 4, 3, 2, 1], 80) {
                    compare(&table, &position, oracle::value);
                }
                let mut solver = Solver::new(rules, 8);
                for position in oracle::endgames(rules, &[10, 9], 4) {
                    let value = table.value(&position);
                    let proven = solver.bounds(&position, &Control::unlimited()).exact();
                    assert_eq!(proven, Some(value), "{}", position.diagram());
                }
            }
        }
    }

    #[test]
    fn better_values_are_larger_bytes() {
        let losses = (0..=16).map(Value::Loss);
        let values: Vec<Value> = losses.chain([Value::Draw]).chain((0..=16).rev().map(Value::Win)).collect();
        assert!(values.is_sorted() && values.iter().map(|&value| PackedValue::of(value).0).is_sorted());
        for value in values {
            assert_eq!(PackedValue::of(value).value(), Some(value));
            assert_eq!(PackedValue::of(value).before_move().value(), Some(value.before_move()));
        }
    }

    #[test]
    fn the_subsets_of_a_set_are_all_there_once() {
        for set in [0u16, 1, 0b1011_0010, 0xffff, 0x8001, 0x8421] {
            for size in 0..=set.count_ones() {
                let expected: Vec<u16> =
                    (0..=set).filter(|subset| subset & !set == 0 && subset.count_ones() == size).collect();
                assert_eq!(subsets(set, size).collect::<Vec<_>>(), expected, "{size} of {set:#b}");
            }
        }
    }
}
