//! The rest of a game with few empty cells, solved: values, and what to expect against random moves.

use crate::game::{Cell, CellSet, Player, Position, Value};

use crate::search::proof::ternary;
use crate::search::{Control, Stopped};

/// The most empty cells: about 140,000 positions, each looked at once.
const LARGEST: usize = 12;

/// Sets of that many cells.
const SETS: usize = 1 << LARGEST;

/// Positions between two looks at the clock.
const POLL_INTERVAL: u64 = 1 << 10;

/// All positions that can follow one position, itself included.
pub struct Endgame {
    /// The empty cells in reading order: bit n of a set is the n-th of them.
    cells: Vec<Cell>,
    /// Whether a player who has taken these cells has completed a line.
    has_line: [Box<[bool]>; 2],
    after_line: Value,
    /// Where a position is in `expectations`, counted from 1; 0 for those not looked at yet. By [`TakenCells::index`].
    places: Vec<u32>,
    expectations: Vec<Expectation>,
}

/// What to expect from a position.
#[derive(Clone, Copy)]
struct Expectation {
    /// The value, seen by the side to move.
    value: Value,
    /// The expected result of the side to move when it keeps to the best moves and sets traps, and the opponent's
    /// moves are random.
    of_mover: f64,
    /// The expected result of the opponent when it does that, and the moves of the side to move are random.
    of_opponent: f64,
}

/// The cells that have been taken since the first position: by the side to move there, and by its opponent.
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
    /// Whether a position has few enough empty cells.
    pub fn fits(position: &Position) -> bool {
        position.empty_cells() <= LARGEST
    }

    /// The most positions that can follow one that [fits](Endgame::fits), itself included.
    pub fn positions(position: &Position) -> u64 {
        let cells = position.empty_cells() as u64;
        // Of so many stones, half are the opponent's, rounded down.
        (0..=cells).map(|stones| choose(cells, stones) * choose(stones, stones / 2)).sum()
    }

    /// The rest of the game from a position, not looked at yet.
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
        let places = vec![0; 3usize.pow(cells.len() as u32)];
        Endgame { cells, has_line, after_line: rules.value_after_line(), places, expectations: Vec::new() }
    }

    /// Looks at every position.
    ///
    /// # Errors
    /// When `control` ends it, by its time or its positions; then it knows nothing for certain.
    pub fn solve(&mut self, control: &Control) -> Result<(), Stopped> {
        self.explore(TakenCells([0; 2]), control).map(drop)
    }

    /// Positions looked at in which the game goes on.
    pub fn nodes(&self) -> u64 {
        self.expectations.len() as u64
    }

    /// The expected result of the player who has just moved, when it goes on to set traps and the moves of its opponent
    /// are random.
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
        let place = self.places[stones.index()].checked_sub(1)?;
        Some(self.expectations[place as usize])
    }

    /// The expectation of a position in which the game is over. Only the opponent can just have moved.
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
        self.places[stones.index()] = self.expectations.len() as u32;
        Ok(expectation)
    }
}

/// Of each line that `player` may still complete, the cells that it misses.
fn missing_cells(position: &Position, player: Player, lines: &[CellSet], cells: &[Cell]) -> Vec<u16> {
    let is_live = |line: &&CellSet| line.iter().all(|cell| !position.stones(!player).contains(cell));
    let missing =
        |line: &CellSet| (0..cells.len()).filter(|&bit| line.contains(cells[bit])).fold(0, |set, bit| set | 1 << bit);
    lines.iter().filter(is_live).map(missing).collect()
}

/// The number of ways to choose `taken` of `all`.
fn choose(all: u64, taken: u64) -> u64 {
    (0..taken).fold(1, |ways, place| ways * (all - place) / (place + 1))
}
