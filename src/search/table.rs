//! Perfect play from a table of all positions, for boards up to 3x3.
//!
//! The table holds the value of every position that can arise, built by post-order search over the position
//! graph: each position is solved once, after all positions that follow it. There is one table for each size,
//! line length and rule, built on first use and shared by the whole process.

use once_cell::sync::OnceCell;

use crate::game::{Cell, CellSet, Position, Rules, Score, Value};

use super::trap::{Endgame, Trap};
use super::{Control, Generator, Line, Note, Question, Report, Searcher, Tiebreak, Verdict};

/// The largest board that has a table.
pub(super) const LARGEST: u8 = 3;

/// Sets of the cells of one board: 2^9.
const SETS: usize = 1 << (LARGEST * LARGEST);

/// Boards with up to 9 cells that are empty, mine or theirs: 3^9.
pub(super) const BOARDS: usize = 19_683;

/// The value of every position under one set of rules.
pub struct Table {
    /// By [`Board::index`]. Positions that cannot arise are [`Entry::UNKNOWN`].
    entries: Box<[Entry]>,
    geometry: Geometry,
    /// What to expect against random moves, once that has been asked.
    endgame: OnceCell<Endgame>,
}

/// Tables by size, line length (0: no lines) and rule.
static TABLES: [[[OnceCell<Table>; 2]; LARGEST as usize + 1]; LARGEST as usize] =
    [const { [const { [const { OnceCell::new() }; 2] }; LARGEST as usize + 1] }; LARGEST as usize];

impl Table {
    /// The table for `rules`, built now if it was not yet needed; `None` for boards that are too large.
    pub fn for_rules(rules: Rules) -> Option<&'static Table> {
        let by_line_length = TABLES.get(usize::from(rules.size()) - 1)?;
        let table = &by_line_length[usize::from(rules.line_length().unwrap_or(0))][usize::from(rules.reverse())];
        Some(table.get_or_init(|| Table::build(rules)))
    }

    /// Solves every position that can arise from the start position.
    ///
    /// # Panics
    /// When the board is larger than 3x3.
    pub fn build(rules: Rules) -> Table {
        let geometry = Geometry::new(rules);
        let mut entries = vec![Entry::UNKNOWN; BOARDS].into_boxed_slice();
        solve(Board { mine: 0, theirs: 0 }, &geometry, &mut entries);
        Table { entries, geometry, endgame: OnceCell::new() }
    }

    /// The value of a position under the rules of this table.
    pub fn value(&self, position: &Position) -> Value {
        match position.final_value() {
            Some(value) => value,
            None => self.lookup(Board::of(position)),
        }
    }

    /// The number of different positions in the table.
    pub fn positions(&self) -> usize {
        self.entries.iter().filter(|&&entry| entry != Entry::UNKNOWN).count()
    }

    fn lookup(&self, board: Board) -> Value {
        self.entries[board.index()].value().expect("every position in which the game goes on can arise")
    }

    /// The moves of a board in reading order, each with its value to the side that plays it.
    fn moves(&self, board: Board) -> impl Iterator<Item = (u16, Value)> {
        self.geometry.empty_cells(board).map(move |cell| (cell, self.lookup(board.after(cell)).before_move()))
    }

    /// The trap among the best moves of a position.
    fn trap(&self, position: &Position, moves: &[Cell]) -> Trap {
        let endgame = self.endgame.get_or_init(|| {
            let mut endgame = Endgame::new(&Position::start(position.rules()));
            endgame.solve(&Control::unlimited()).expect("nothing ends it");
            endgame
        });
        Trap::in_endgame(endgame, position, moves)
    }

    /// The moves of perfect play from `board` to the end of the game, the first of the best each time.
    fn best_line(&self, mut board: Board) -> Vec<Cell> {
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
fn solve(board: Board, geometry: &Geometry, entries: &mut [Entry]) -> Value {
    let index = board.index();
    if let Some(known) = entries[index].value() {
        return known;
    }
    let value = geometry.final_value(board).unwrap_or_else(|| {
        let values = geometry.empty_cells(board).map(|cell| solve(board.after(cell), geometry, entries).before_move());
        values.max().expect("a game that goes on has a move")
    });
    entries[index] = Entry::of(value);
    value
}

/// A position as the side to move sees it. Cell `r,c` is bit `r * size + c`:
///
/// ```text
/// 0,0 0,1 0,2        0 1 2
/// 1,0 1,1 1,2   ->   3 4 5
/// 2,0 2,1 2,2        6 7 8
/// ```
///
/// Who of the two is X does not matter to the value: positions in which O began share the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Board {
    pub mine: u16,
    pub theirs: u16,
}

impl Board {
    pub fn of(position: &Position) -> Board {
        let stones = |player| bits(position.stones(player), position.rules().size());
        Board { mine: stones(position.side()), theirs: stones(!position.side()) }
    }

    /// The board seen by the opponent, after the side to move has played bit `cell`.
    pub fn after(self, cell: u16) -> Board {
        Board { mine: self.theirs, theirs: self.mine | cell }
    }

    /// The board as a number in base 3, a digit a cell: 0 empty, 1 mine, 2 theirs.
    pub fn index(self) -> usize {
        (TERNARY[usize::from(self.mine)] + 2 * TERNARY[usize::from(self.theirs)]) as usize
    }
}

/// A set of cells of a board with `size` rows as the bits of a [`Board`].
fn bits(cells: &CellSet, size: u8) -> u16 {
    cells.iter().fold(0, |set, cell| set | 1 << cell.index(size))
}

const TERNARY: [u32; SETS] = ternary();

/// For each set of bits, its bits read as the digits of a number in base 3.
pub(super) const fn ternary<const SETS: usize>() -> [u32; SETS] {
    let mut table = [0; SETS];
    let mut set = 1;
    while set < SETS {
        table[set] = table[set & (set - 1)] + 3u32.pow(set.trailing_zeros());
        set += 1;
    }
    table
}

/// The board and its lines.
pub(super) struct Geometry {
    size: u8,
    /// All cells of the board.
    full: u16,
    /// Whether a set of stones holds a completed line.
    has_line: Box<[bool; SETS]>,
    /// What a completed line is worth to the opponent of the player who completed it.
    after_line: Value,
}

impl Geometry {
    pub fn new(rules: Rules) -> Geometry {
        let size = rules.size();
        assert!(size <= LARGEST, "a table of a {size}x{size} board would be too large");
        let full = (1 << rules.cells()) - 1;
        let lines: Vec<u16> = rules.lines().iter().map(|line| bits(line, size)).collect();
        let mut has_line = Box::new([false; SETS]);
        for set in 0..=full {
            has_line[usize::from(set)] = lines.iter().any(|line| set & line == *line);
        }
        Geometry { size, full, has_line, after_line: rules.value_after_line() }
    }

    /// The value of a finished game to the side that would be to move. Only the opponent can just have moved.
    pub fn final_value(&self, board: Board) -> Option<Value> {
        if self.has_line[usize::from(board.theirs)] {
            Some(self.after_line)
        } else if board.mine | board.theirs == self.full {
            Some(Value::Draw)
        } else {
            None
        }
    }

    pub fn is_over(&self, board: Board) -> bool {
        self.final_value(board).is_some()
    }

    /// The empty cells in reading order, as one bit each.
    pub fn empty_cells(&self, board: Board) -> impl Iterator<Item = u16> + use<> {
        single_bits(self.full & !(board.mine | board.theirs))
    }

    /// The cells of a set of bits, in reading order.
    pub fn cells(&self, set: u16) -> impl Iterator<Item = Cell> {
        single_bits(set).map(|bit| self.cell(bit))
    }

    fn cell(&self, bit: u16) -> Cell {
        let index = bit.trailing_zeros() as u8;
        Cell::new(index / self.size, index % self.size)
    }
}

/// The bits of a set one by one, the lowest first.
fn single_bits(mut set: u16) -> impl Iterator<Item = u16> {
    std::iter::from_fn(move || {
        let others = set & set.checked_sub(1)?;
        let lowest = set ^ others;
        set = others;
        Some(lowest)
    })
}

/// A value in one byte: 0 unknown, 1 draw, 2 + 2n win in n plies, 3 + 2n loss in n plies.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry(pub u8);

impl Entry {
    const UNKNOWN: Entry = Entry(0);

    pub fn of(value: Value) -> Entry {
        Entry(match value {
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

/// Plays from a [`Table`].
#[derive(Clone, Copy)]
pub struct TableSearcher {
    table: &'static Table,
}

impl TableSearcher {
    /// A searcher for positions of `rules`; `None` when their board is too large for a table.
    pub fn for_rules(rules: Rules) -> Option<TableSearcher> {
        Table::for_rules(rules).map(|table| TableSearcher { table })
    }
}

impl TableSearcher {
    /// The verdict on a position in which the game goes on, and how a trap was chosen if that was asked for.
    ///
    /// `nodes` counts the positions whose values were compared, whether or not the table had to be built.
    pub fn answer(&self, question: &Question, generator: &mut Generator) -> (Verdict, Option<Note>) {
        let board = Board::of(&question.position);
        let is_listed = |cell: Cell| question.root_moves.is_none_or(|listed| listed.contains(cell));
        let moves = self.table.moves(board).filter(|&(bit, _)| is_listed(self.table.geometry.cell(bit)));
        let mut moves: Vec<(u16, Value)> = moves.collect();
        let nodes = moves.len() as u64;
        // A stable sort: equally good moves stay in reading order.
        moves.sort_by(|(_, a), (_, b)| b.cmp(a));
        let best = moves[0].1;
        let ties = moves.iter().take_while(|(_, value)| *value == best).count();
        let (chosen, note) = match question.tiebreak {
            Tiebreak::Trap => {
                let ties: Vec<Cell> = moves[..ties].iter().map(|(cell, _)| self.table.geometry.cell(*cell)).collect();
                let trap = self.table.trap(&question.position, &ties);
                (trap.place, trap.note)
            }
            tiebreak => (tiebreak.pick(ties, generator), None),
        };
        moves[..=chosen].rotate_right(1);
        let line = |(cell, value): (u16, Value)| {
            let mut principal_variation = vec![self.table.geometry.cell(cell)];
            principal_variation.extend(self.table.best_line(board.after(cell)));
            Line { score: Score::Exact(value), principal_variation, total: None }
        };
        let lines = moves.into_iter().take(question.lines).map(line).collect();
        let depth = question.position.empty_cells() as u16;
        (Verdict { score: Score::Exact(best), lines, depth, nodes, playouts: None, law: None }, note)
    }
}

impl Searcher for TableSearcher {
    fn search(&mut self, question: &Question, generator: &mut Generator, _: &Control, _: Report<'_>) -> Verdict {
        self.answer(question, generator).0
    }

    fn is_quick(&self, _: &Position, _: Option<u64>) -> bool {
        true
    }
}
