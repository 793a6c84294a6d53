//! Boards of up to 16 cells in two words, and every set of their cells.

use once_cell::sync::OnceCell;

use crate::game::{Cell, CellSet, Position, Rules, Shape, Value};

/// The most cells of a board that is held in two words.
const MOST_CELLS_OF_WORDS: usize = 16;

/// The most cells of a board whose positions take so little time and memory that the process keeps them for all rules.
pub(crate) const MOST_CELLS: usize = 9;

/// Sets of 9 cells: 2^9.
const SETS: usize = 1 << MOST_CELLS;

/// Boards with up to 9 cells that are empty, mine or theirs: 3^9.
pub(crate) const BOARDS: usize = 19_683;

/// For each number of rows, where its shapes begin in the list of all 23 shapes of at most 9 cells.
const FIRST_SHAPE: [usize; MOST_CELLS] = [0, 9, 13, 16, 18, 19, 20, 21, 22];

/// Values for the rules of boards of up to 9 cells, each built on first use and shared by the whole process. The indices are the
/// shape, the line length (0: no lines) and the rule.
pub(crate) struct OncePerRules<T>([[[OnceCell<T>; 2]; MOST_CELLS + 1]; 23]);

impl<T> OncePerRules<T> {
    pub const fn new() -> OncePerRules<T> {
        OncePerRules([const { [const { [const { OnceCell::new() }; 2] }; MOST_CELLS + 1] }; 23])
    }

    /// The value for `rules`, built now if this is its first use; `None` if the board is too large.
    pub fn get(&self, rules: Rules, build: impl FnOnce() -> T) -> Option<&T> {
        let Shape { rows, columns } = rules.shape();
        let number =
            (rules.cells() <= MOST_CELLS).then(|| FIRST_SHAPE[usize::from(rows) - 1] + usize::from(columns) - 1)?;
        let by_line_length = &self.0[number];
        let slot = &by_line_length[usize::from(rules.line_length().unwrap_or(0))][usize::from(rules.reverse())];
        Some(slot.get_or_init(build))
    }
}

/// A position as the side to move sees it. Cell `r,c` is bit `r * columns + c`:
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
        let stones = |player| bits(position.stones(player), position.rules().shape());
        SmallBoard { mine: stones(position.side()), theirs: stones(!position.side()) }
    }

    /// The board seen by the opponent, after the side to move has played bit `cell`.
    pub fn after(self, cell: u16) -> SmallBoard {
        SmallBoard { mine: self.theirs, theirs: self.mine | cell }
    }

    /// The board as a number in base 3, a digit a cell: 0 empty, 1 mine, 2 theirs.
    pub fn index(self) -> usize {
        digits(self.mine) + 2 * digits(self.theirs)
    }
}

/// The bits of a set, read as the digits of a number in base 3.
pub fn digits(set: u16) -> usize {
    let [low, high] = [usize::from(set) % SETS, usize::from(set) / SETS];
    TERNARY[low] as usize + BOARDS * TERNARY[high] as usize
}

/// A set of cells of a board as the bits of a [`SmallBoard`].
fn bits(cells: &CellSet, shape: Shape) -> u16 {
    cells.iter().fold(0, |set, cell| set | 1 << cell.index(shape))
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
    columns: u8,
    /// All cells of the board.
    pub full: u16,
    /// For each set of stones: true if it holds a completed line.
    pub has_line: Box<[bool]>,
    /// The value of a completed line for the opponent of the player who completed it.
    after_line: Value,
}

impl SmallGeometry {
    pub fn new(rules: Rules) -> SmallGeometry {
        let shape = rules.shape();
        assert!(rules.cells() <= MOST_CELLS_OF_WORDS, "a table of a {shape} board would be too large");
        let full = ((1u32 << rules.cells()) - 1) as u16;
        let has_line = rules.geometry().sets_with_line();
        SmallGeometry { columns: rules.shape().columns, full, has_line, after_line: rules.value_after_line() }
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
        Cell::new(index / self.columns, index % self.columns)
    }
}

/// The bits of a set one by one, the lowest first.
pub(crate) fn single_bits(mut set: u16) -> impl Iterator<Item = u16> {
    std::iter::from_fn(move || {
        let others = set & set.checked_sub(1)?;
        let lowest = set ^ others;
        set = others;
        Some(lowest)
    })
}

/// The sets of so many bits of a set, which has them.
pub(crate) fn subsets(set: u16, size: u32) -> impl Iterator<Item = u16> {
    // The lowest bits of the set, 0 to all of them.
    let mut lowest = [0; 17];
    for (count, bit) in single_bits(set).enumerate() {
        lowest[count + 1] = lowest[count] | bit;
    }
    std::iter::successors(Some(lowest[size as usize]), move |&subset| {
        // The lowest run of bits moves its last bit on; the others return to the lowest places.
        let carried = (subset | !set).wrapping_add(subset & subset.wrapping_neg()) & set;
        (carried != 0).then(|| carried | lowest[(size - carried.count_ones()) as usize])
    })
}
