//! Traps: the tie-break that chooses the best move with the highest expected score against a random opponent.
//!
//! A trap gives nothing away. All moves to choose from keep the value and the distance, and so do the later moves of the
//! player. A win counts 1, a draw 0, a loss -1. The moves of the opponent are uniformly random. This is the expectimax of
//! Michie, "Game-playing and game-learning automata", 1966. The expected score is exact in a won position and where few
//! cells are empty ([`Endgame`]). Elsewhere the move is drawn at random.

use crate::game::{Cell, CellSet, Player, Position, Value};

use crate::search::proof::ternary;
use crate::search::{Control, Generator, Note, Stopped, Tiebreak};

/// Expected results that differ by less count as equal, because sums in another order differ in their last bits.
const TOLERANCE: f64 = 1e-9;

/// A move chosen as a trap.
pub(crate) struct Trap {
    /// Its index among the moves to choose from.
    pub index: usize,
    /// The note that says how it was chosen; `None` when there was only one.
    pub note: Option<Note>,
    /// The number of positions that were visited.
    pub nodes: u64,
}

impl Trap {
    /// Chooses among `moves`, which all keep `value`, the value of the position.
    ///
    /// `control` bounds the positions and the time. If it leaves no room for an exact choice, the move is drawn at random.
    pub fn choose(
        position: &Position,
        value: Value,
        moves: &[Cell],
        generator: &mut Generator,
        control: &Control,
    ) -> Trap {
        // Every one of these moves wins against any opponent. Without a line on the board, all games are draws.
        if moves.len() == 1 || value > Value::Draw || position.rules().line_length().is_none() {
            return Trap::of_results(&vec![f64::from(value.result()); moves.len()]);
        }
        let has_room = || control.nodes.is_none_or(|nodes| nodes >= Endgame::positions(position));
        let mut nodes = 0;
        if Endgame::fits(position) && has_room() {
            let mut endgame = Endgame::new(position);
            let solved = endgame.solve(control);
            nodes = endgame.nodes();
            if solved.is_ok() {
                return Trap { nodes, ..Trap::in_endgame(&endgame, position, moves) };
            }
        }
        let note = Note::Trap { moves: moves.len(), result: None };
        Trap { index: Tiebreak::Trap.pick(moves.len(), generator), note: Some(note), nodes }
    }

    /// Chooses among the best moves of a position that belongs to an endgame.
    pub fn in_endgame(endgame: &Endgame, position: &Position, moves: &[Cell]) -> Trap {
        let results: Vec<f64> = moves.iter().map(|&cell| endgame.result_of_trap(&position.after(cell))).collect();
        Trap::of_results(&results)
    }

    /// The first move with the greatest expected result.
    fn of_results(results: &[f64]) -> Trap {
        let greatest = results.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let index = results.iter().position(|result| *result > greatest - TOLERANCE).unwrap_or(0);
        let note = Note::Trap { moves: results.len(), result: Some(results[index]) };
        Trap { index, note: (results.len() > 1).then_some(note), nodes: 0 }
    }
}

/// The number of sets of empty cells.
const SETS: usize = 1 << Endgame::LARGEST;

/// Positions between two checks of the control.
const POLL_INTERVAL: u64 = 1 << 10;

/// An endgame with few empty cells: all positions that can follow one position, itself included, each with its value and
/// the expected result against random moves.
pub(crate) struct Endgame {
    /// The empty cells in reading order. Bit n of a set is the cell at index n.
    cells: Vec<Cell>,
    /// By player and set: whether the player has completed a line with the cells of the set.
    has_line: [Box<[bool]>; 2],
    after_line: Value,
    /// By [`TakenCells::index`]: one more than the index in `expectations`, 0 before the position is visited.
    expectation_of: Vec<u32>,
    expectations: Vec<Expectation>,
}

/// The value and the expected results of a position.
#[derive(Clone, Copy)]
struct Expectation {
    /// The value, seen by the side to move.
    value: Value,
    /// The expected result of the side to move if it plays best moves and sets traps, and its opponent plays at random.
    of_mover: f64,
    /// The expected result of the opponent if it plays best moves and sets traps, and the side to move plays at random.
    of_opponent: f64,
}

/// The cells that were taken since the first position: by the side to move there, and by its opponent.
#[derive(Clone, Copy)]
struct TakenCells([u16; 2]);

impl TakenCells {
    /// Both sets as a number in base 3.
    fn index(self) -> usize {
        let [first, second] = self.0.map(|set| TERNARY[usize::from(set)]);
        (first + 2 * second) as usize
    }

    fn side(self) -> usize {
        (self.taken().count_ones() % 2) as usize
    }

    fn taken(self) -> u16 {
        self.0[0] | self.0[1]
    }

    fn after(mut self, bit: u16) -> TakenCells {
        self.0[self.side()] |= bit;
        self
    }
}

const TERNARY: [u32; SETS] = ternary();

impl Endgame {
    /// The most empty cells: about 140,000 positions, each visited once.
    pub const LARGEST: usize = 12;

    /// True if a position has few enough empty cells.
    pub fn fits(position: &Position) -> bool {
        position.empty_cells() <= Endgame::LARGEST
    }

    /// The most positions that can follow one that [fits](Endgame::fits), itself included.
    pub fn positions(position: &Position) -> u64 {
        let cells = position.empty_cells() as u64;
        // Half of the stones are the opponent's, rounded down.
        (0..=cells).map(|stones| choose(cells, stones) * choose(stones, stones / 2)).sum()
    }

    /// The endgame of a position, not solved yet.
    ///
    /// # Panics
    /// When it has too many empty cells.
    pub fn new(position: &Position) -> Endgame {
        assert!(Endgame::fits(position), "too many cells are empty");
        let rules = position.rules();
        let cells: Vec<Cell> = position.moves().collect();
        let lines = rules.lines();
        let sets = 1 << cells.len();
        let has_line = [position.side(), !position.side()].map(|player| {
            let missing = missing_cells(position, player, &lines, &cells);
            (0..sets).map(|set: u16| missing.iter().any(|line| line & set == *line)).collect()
        });
        let expectation_of = vec![0; 3usize.pow(cells.len() as u32)];
        Endgame { cells, has_line, after_line: rules.value_after_line(), expectation_of, expectations: Vec::new() }
    }

    /// Solves every position.
    ///
    /// # Errors
    /// When `control` ends it. Then the results must not be used.
    pub fn solve(&mut self, control: &Control) -> Result<(), Stopped> {
        self.explore(TakenCells([0; 2]), control).map(drop)
    }

    /// The number of solved positions in which the game goes on.
    pub fn nodes(&self) -> u64 {
        self.expectations.len() as u64
    }

    /// The expected result of the player who has just moved, if that player sets traps from now on and the opponent plays at
    /// random.
    ///
    /// # Panics
    /// When the position is not one of this endgame, or that has not been solved.
    pub fn result_of_trap(&self, position: &Position) -> f64 {
        let stones = self.stones(position);
        match self.final_expectation(stones) {
            Some(expectation) => expectation.of_opponent,
            None => self.known(stones).expect("the endgame is solved").of_opponent,
        }
    }

    fn stones(&self, position: &Position) -> TakenCells {
        let is_first = (self.cells.len() - position.empty_cells()).is_multiple_of(2);
        let first = if is_first { position.side() } else { !position.side() };
        let set = |player: Player| {
            let stones = position.stones(player);
            (0..self.cells.len()).filter(|&bit| stones.contains(self.cells[bit])).fold(0, |set, bit| set | 1 << bit)
        };
        TakenCells([set(first), set(!first)])
    }

    fn known(&self, stones: TakenCells) -> Option<Expectation> {
        let index = self.expectation_of[stones.index()].checked_sub(1)?;
        Some(self.expectations[index as usize])
    }

    /// The expectation of a position in which the game is over. The opponent of the side to move has made the last move.
    fn final_expectation(&self, stones: TakenCells) -> Option<Expectation> {
        let opponent = 1 - stones.side();
        let value = if self.has_line[opponent][usize::from(stones.0[opponent])] {
            self.after_line
        } else if stones.taken().count_ones() as usize == self.cells.len() {
            Value::Draw
        } else {
            return None;
        };
        let result = f64::from(value.result());
        Some(Expectation { value, of_mover: result, of_opponent: -result })
    }

    fn explore(&mut self, stones: TakenCells, control: &Control) -> Result<Expectation, Stopped> {
        if let Some(expectation) = self.final_expectation(stones).or_else(|| self.known(stones)) {
            return Ok(expectation);
        }
        let mut expectation = Expectation { value: Value::Loss(0), of_mover: -1.0, of_opponent: 0.0 };
        let mut moves = 0;
        for bit in (0..self.cells.len()).map(|bit| 1 << bit).filter(|bit| stones.taken() & bit == 0) {
            let after = self.explore(stones.after(bit), control)?;
            let value = after.value.before_move();
            if value > expectation.value {
                (expectation.value, expectation.of_mover) = (value, after.of_opponent);
            } else if value == expectation.value {
                expectation.of_mover = expectation.of_mover.max(after.of_opponent);
            }
            expectation.of_opponent += after.of_mover;
            moves += 1;
        }
        expectation.of_opponent /= f64::from(moves);
        if self.nodes().is_multiple_of(POLL_INTERVAL) {
            control.check()?;
        }
        self.expectations.push(expectation);
        self.expectation_of[stones.index()] = self.expectations.len() as u32;
        Ok(expectation)
    }
}

/// For each live line of `player`, its empty cells as a set.
fn missing_cells(position: &Position, player: Player, lines: &[CellSet], cells: &[Cell]) -> Vec<u16> {
    let is_live = |line: &&CellSet| line.iter().all(|cell| !position.stones(!player).contains(cell));
    let missing =
        |line: &CellSet| (0..cells.len()).filter(|&bit| line.contains(cells[bit])).fold(0, |set, bit| set | 1 << bit);
    lines.iter().filter(is_live).map(missing).collect()
}

/// The number of ways to choose `taken` of `all`.
fn choose(all: u64, taken: u64) -> u64 {
    (0..taken).fold(1, |ways, index| ways * (all - index) / (index + 1))
}
