//! Boards up to 3x3 in two words, and every set of their cells.

use once_cell::sync::OnceCell;

use crate::game::{Cell, CellSet, Position, Rules, Value};

/// The largest board that is held in two words: its positions can be listed in a table.
pub(crate) const LARGEST: u8 = 3;

/// Sets of the cells of one board: 2^9.
const SETS: usize = 1 << (LARGEST * LARGEST);

/// Boards with up to 9 cells that are empty, mine or theirs: 3^9.
pub(crate) const BOARDS: usize = 19_683;

/// Values for the rules of boards up to 3x3, each built on first use and shared by the whole process. The indices are the
/// size, the line length (0: no lines) and the rule.
pub(crate) struct OncePerRules<T>([[[OnceCell<T>; 2]; LARGEST as usize + 1]; LARGEST as usize]);

impl<T> OncePerRules<T> {
    pub const fn new() -> OncePerRules<T> {
        OncePerRules([const { [const { [const { OnceCell::new() }; 2] }; LARGEST as usize + 1] }; LARGEST as usize])
    }

    /// The value for `rules`, built now if this is its first use; `None` if the board is too large.
    pub fn get(&self, rules: Rules, build: impl FnOnce() -> T) -> Option<&T> {
        let by_line_length = self.0.get(usize::from(rules.size()) - 1)?;
        let slot = &by_line_length[usize::from(rules.line_length().unwrap_or(0))][usize::from(rules.reverse())];
        Some(slot.get_or_init(build))
    }
}

/// A position as the side to move sees it. Cell `r,c` is bit `r * size + c`:
///
/// ```text
/// 0,0 0,1 0,2        0 1 2
/// 1,0 1,1 1,2   ->   3 4 5
/// 2,0 2,1 2,2        6 7 8
/// ```
///
/// The value does not depend on which of the two is X, so positions in which O began share the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SmallBoard {
    pub mine: u16,
    pub theirs: u16,
}

impl SmallBoard {
    pub fn of(position: &Position) -> SmallBoard {
        let stones = |player| bits(position.stones(player), position.rules().size());
        SmallBoard { mine: stones(position.side()), theirs: stones(!position.side()) }
    }

    /// The board seen by the opponent, after the side to move has played bit `cell`.
    pub fn after(self, cell: u16) -> SmallBoard {
        SmallBoard { mine: self.theirs, theirs: self.mine | cell }
    }

    /// The board as a number in base 3, a digit a cell: 0 empty, 1 mine, 2 theirs.
    pub fn index(self) -> usize {
        (TERNARY[usize::from(self.mine)] + 2 * TERNARY[usize::from(self.theirs)]) as usize
    }
}

/// A set of cells of a board with `size` rows as the bits of a [`SmallBoard`].
fn bits(cells: &CellSet, size: u8) -> u16 {
    cells.iter().fold(0, |set, cell| set | 1 << cell.index(size))
}

const TERNARY: [u32; SETS] = ternary();

/// For each set of bits, its bits read as the digits of a number in base 3.
pub(crate) const fn ternary<const SETS: usize>() -> [u32; SETS] {
    let mut table = [0; SETS];
    let mut set = 1;
    while set < SETS {
        table[set] = table[set & (set - 1)] + 3u32.pow(set.trailing_zeros());
        set += 1;
    }
    table
}

/// The board and its lines.
pub(crate) struct SmallGeometry {
    size: u8,
    /// All cells of the board.
    full: u16,
    /// For each set of stones: true if it holds a completed line.
    has_line: Box<[bool; SETS]>,
    /// The value of a completed line for the opponent of the player who completed it.
    after_line: Value,
}

impl SmallGeometry {
    pub fn new(rules: Rules) -> SmallGeometry {
        let size = rules.size();
        assert!(size <= LARGEST, "a table of a {size}x{size} board would be too large");
        let full = (1 << rules.cells()) - 1;
        let set = |line: &[u16]| line.iter().fold(0, |set, cell| set | 1 << cell);
        let lines: Vec<u16> = rules.geometry().lines().map(set).collect();
        let mut has_line = Box::new([false; SETS]);
        for set in 0..=full {
            has_line[usize::from(set)] = lines.iter().any(|line| set & line == *line);
        }
        SmallGeometry { size, full, has_line, after_line: rules.value_after_line() }
    }

    /// The value of a finished game to the side that would be to move. Only the opponent can just have moved.
    pub fn final_value(&self, board: SmallBoard) -> Option<Value> {
        if self.has_line[usize::from(board.theirs)] {
            Some(self.after_line)
        } else if board.mine | board.theirs == self.full {
            Some(Value::Draw)
        } else {
            None
        }
    }

    pub fn is_over(&self, board: SmallBoard) -> bool {
        self.final_value(board).is_some()
    }

    /// The empty cells in reading order, as one bit each.
    pub fn empty_cells(&self, board: SmallBoard) -> impl Iterator<Item = u16> + use<> {
        single_bits(self.full & !(board.mine | board.theirs))
    }

    /// The cells of a set of bits, in reading order.
    pub fn cells(&self, set: u16) -> impl Iterator<Item = Cell> {
        single_bits(set).map(|bit| self.cell(bit))
    }

    pub fn cell(&self, bit: u16) -> Cell {
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
