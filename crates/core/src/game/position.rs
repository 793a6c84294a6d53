//! A position: the stones on the board, whose turn it is, and whether the game is over.

use super::lines::DIRECTIONS;
use super::{Cell, CellSet, Diagram, DiagramRow, MoveText, Outcome, Player, Rules, Shape, Symmetry, Value};

/// A position of a game under given rules. It is small (about 130 bytes): copy it rather than undo a move.
///
/// Invariants: the numbers of stones differ by one at most; the side to move never has more; at most one side has
/// completed a line; [`Position::outcome`] follows from the stones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    rules: Rules,
    stones: [CellSet; 2],
    side: Player,
    outcome: Option<Outcome>,
}

impl Position {
    /// The start position: an empty board, X to move.
    pub fn start(rules: Rules) -> Position {
        Position { rules, stones: [CellSet::EMPTY; 2], side: Player::X, outcome: None }
    }

    /// The position of a diagram. If the diagram names no side, the player with fewer stones is to move, X if they have
    /// equally many.
    ///
    /// # Errors
    /// Says why the diagram is not a position under `rules`.
    pub fn set_up(rules: Rules, diagram: &Diagram) -> Result<Position, SetUpError> {
        let shape = rules.shape();
        if diagram.rows.len() != usize::from(shape.rows) {
            return Err(SetUpError::Rows { found: diagram.rows.len(), shape });
        }
        let mut stones = [CellSet::EMPTY; 2];
        for (row, text) in diagram.rows.iter().enumerate() {
            if text.width != u32::from(shape.columns) {
                return Err(SetUpError::Columns { row, found: text.width, shape });
            }
            for &(column, player) in &text.stones {
                stones[player as usize].insert(Cell::new(row as u8, column as u8));
            }
        }
        Position::of_stones(rules, stones, diagram.side)
    }

    /// The position with these stones of X and of O. Without a side to move, it is found as for [`Position::set_up`].
    ///
    /// # Errors
    /// Says why these are not the stones of a position under `rules`.
    #[doc(hidden)]
    pub fn of_stones(rules: Rules, stones: [CellSet; 2], side: Option<Player>) -> Result<Position, SetUpError> {
        let [x, o] = [stones[0].len(), stones[1].len()];
        if x.abs_diff(o) > 1 {
            return Err(SetUpError::StoneCounts { x, o });
        }
        let side = side.unwrap_or(if o < x { Player::O } else { Player::X });
        let mut position = Position { rules, stones, side, outcome: None };
        if position.stones(side).len() > position.stones(!side).len() {
            return Err(SetUpError::SideHasMore { side });
        }
        let completers: Vec<Player> =
            Player::BOTH.into_iter().filter(|&player| !position.lines_of(player).is_empty()).collect();
        position.outcome = match completers[..] {
            [] if position.empty_cells() == 0 => Some(Outcome::Draw),
            [] => None,
            [completer] => Some(rules.outcome_of_line(completer)),
            _ => return Err(SetUpError::BothCompleted),
        };
        Ok(position)
    }

    /// The rules of the game.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The side to move; in a finished game, the side that would be to move.
    pub fn side(&self) -> Player {
        self.side
    }

    /// The stones of a player.
    pub fn stones(&self, player: Player) -> &CellSet {
        &self.stones[player as usize]
    }

    /// The outcome of the game, or `None` while it goes on.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The value of the finished game for the side that would be to move, or `None` while the game goes on.
    #[doc(hidden)]
    pub fn final_value(&self) -> Option<Value> {
        self.outcome.map(|outcome| match outcome {
            Outcome::Draw => Value::Draw,
            Outcome::Win(winner) if winner == self.side => Value::Win(0),
            Outcome::Win(_) => Value::Loss(0),
        })
    }

    /// The number of empty cells, whether or not the game goes on.
    pub fn empty_cells(&self) -> usize {
        self.rules.cells() - self.stones[0].len() - self.stones[1].len()
    }

    /// The player who has a stone on `cell`.
    pub fn occupant(&self, cell: Cell) -> Option<Player> {
        Player::BOTH.into_iter().find(|&player| self.stones(player).contains(cell))
    }

    /// The legal moves in reading order; none when the game is over.
    pub fn moves(&self) -> impl Iterator<Item = Cell> {
        let shape = if self.outcome.is_none() { self.rules.shape() } else { 0.into() };
        let occupied = self.stones[0] | self.stones[1];
        Cell::all(shape).filter(move |&cell| !occupied.contains(cell))
    }

    /// The cell that a written move plays here.
    ///
    /// # Errors
    /// When the move is off the board or taken, or the game is over.
    #[doc(hidden)]
    pub fn legal_move(&self, written: MoveText) -> Result<Cell, MoveError> {
        let cell = written.on_board(self.rules.shape())?;
        let mut after = *self;
        after.play(cell).map(|()| cell)
    }

    /// Plays a move of the side to move.
    ///
    /// # Errors
    /// The position is unchanged when the move is off the board or taken, or the game is over.
    pub fn play(&mut self, cell: Cell) -> Result<(), MoveError> {
        if !self.rules.shape().contains(cell) {
            return Err(MoveError::OffBoard { written: cell.into(), shape: self.rules.shape() });
        }
        if self.outcome.is_some() {
            return Err(MoveError::GameOver { cell });
        }
        if self.occupant(cell).is_some() {
            return Err(MoveError::Occupied { cell });
        }
        self.stones[self.side as usize].insert(cell);
        self.outcome = if self.completes_line(self.side, cell) {
            Some(self.rules.outcome_of_line(self.side))
        } else if self.empty_cells() == 0 {
            Some(Outcome::Draw)
        } else {
            None
        };
        self.side = !self.side;
        Ok(())
    }

    /// The position after a legal move.
    ///
    /// # Panics
    /// When the move is not one of [`Position::moves`].
    pub fn after(mut self, cell: Cell) -> Position {
        match self.play(cell) {
            Ok(()) => self,
            Err(error) => panic!("{error}"),
        }
    }

    /// The empty cells on which a stone of `player` would complete a line, whether or not `player` is to move.
    pub(crate) fn completions(&self, player: Player) -> CellSet {
        self.moves().filter(|&cell| self.completes_line(player, cell)).collect()
    }

    /// True if a stone of `player` on `cell` stands in a completed line, or would stand in one if the cell is empty.
    fn completes_line(&self, player: Player, cell: Cell) -> bool {
        let Some(length) = self.rules.line_length() else { return false };
        let stones = self.stones(player);
        DIRECTIONS.into_iter().any(|direction| {
            let ahead = run_length(stones, cell, direction, 1);
            let behind = run_length(stones, cell, direction, -1);
            // The stone on `cell` was counted twice.
            ahead + behind > length
        })
    }

    /// The cells of every line that `player` has completed; empty when there is none.
    fn lines_of(&self, player: Player) -> CellSet {
        let mut lines = CellSet::EMPTY;
        let Some(length) = self.rules.line_length() else { return lines };
        let stones = self.stones(player);
        for cell in stones.iter() {
            for direction in DIRECTIONS {
                // A run is taken up at its first stone only.
                let starts_here = cell.step(direction, -1).is_none_or(|before| !stones.contains(before));
                let run = run_length(stones, cell, direction, 1);
                if starts_here && run >= length {
                    (0..run).filter_map(|steps| cell.step(direction, steps as i8)).for_each(|cell| lines.insert(cell));
                }
            }
        }
        lines
    }

    /// The cells of the completed line, or of all of them when one stone completed several; empty when there is none.
    #[doc(hidden)]
    pub fn completed_line(&self) -> CellSet {
        self.lines_of(Player::X) | self.lines_of(Player::O)
    }

    /// The text form of the position.
    pub fn diagram(&self) -> Diagram {
        let Shape { rows, columns } = self.rules.shape();
        let row_text = |row| {
            let mut text = DiagramRow::default();
            for column in 0..columns {
                match self.occupant(Cell::new(row, column)) {
                    Some(player) => text.push_stone(player),
                    None => text.push_empty(1),
                }
            }
            text
        };
        Diagram { rows: (0..rows).map(row_text).collect(), side: Some(self.side) }
    }

    /// The image of the position under a symmetry of the board.
    #[doc(hidden)]
    pub fn image(&self, symmetry: Symmetry) -> Position {
        let shape = self.rules.shape();
        let stones = self.stones.map(|set| set.iter().map(|cell| symmetry.apply(cell, shape)).collect());
        Position { stones, ..*self }
    }

    /// The smallest of the images: the same position for all of them.
    #[doc(hidden)]
    pub fn canonical(&self) -> Position {
        let images = Symmetry::all(self.rules.shape()).map(|symmetry| self.image(symmetry));
        images.min_by_key(|image| image.stones).expect("the identity is a symmetry")
    }
}

/// Stones in a row from `cell` on, itself included, in one sense of a direction.
fn run_length(stones: &CellSet, cell: Cell, direction: (i8, i8), sense: i8) -> u8 {
    let further = |&at: &Cell| at.step(direction, sense).filter(|&next| stones.contains(next));
    std::iter::successors(Some(cell), further).count() as u8
}

/// The reason why a diagram is not a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetUpError {
    /// The diagram has another number of rows than the board.
    #[error("the board has {} where option size asks for {}", counted(*found as u64, "row"), shape.rows)]
    Rows {
        /// Rows in the diagram.
        found: usize,
        /// The shape of the board.
        shape: Shape,
    },
    /// A row has another number of cells than the board has columns.
    #[error(
        "row {row} of the board has {} where option {} asks for {}",
        counted(u64::from(*found), "column"),
        if shape.is_square() { "size" } else { "columns" },
        shape.columns
    )]
    Columns {
        /// The row at fault, from 0.
        row: usize,
        /// Cells in that row.
        found: u32,
        /// The shape of the board.
        shape: Shape,
    },
    /// The stone counts differ by more than one.
    #[error(
        "X has {} and O has {}, the difference may be one at most",
        counted(*x as u64, "stone"),
        counted(*o as u64, "stone")
    )]
    StoneCounts {
        /// Stones of X.
        x: usize,
        /// Stones of O.
        o: usize,
    },
    /// The side to move has more stones than its opponent.
    #[error("{side} has more stones than {} and cannot be to move", !*side)]
    SideHasMore {
        /// The side to move.
        side: Player,
    },
    /// Both sides have completed a line.
    #[error("both sides have completed a line")]
    BothCompleted,
}

fn counted(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// The reason why a move cannot be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MoveError {
    /// The board has no such cell.
    #[error("{written} is off the {shape} board")]
    OffBoard {
        /// The move as it was written.
        written: MoveText,
        /// The shape of the board.
        shape: Shape,
    },
    /// The cell has a stone.
    #[error("{cell} is taken")]
    Occupied {
        /// The cell.
        cell: Cell,
    },
    /// The game is over.
    #[error("{cell} comes after the end of the game")]
    GameOver {
        /// The cell that was to be played.
        cell: Cell,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_diagram_is_told_what_it_has_and_what_was_asked() {
        let refused = [
            (SetUpError::Rows { found: 1, shape: 3.into() }, "the board has 1 row where option size asks for 3"),
            (SetUpError::Rows { found: 4, shape: 3.into() }, "the board has 4 rows where option size asks for 3"),
            (
                SetUpError::Columns { row: 2, found: 1, shape: 3.into() },
                "row 2 of the board has 1 column where option size asks for 3",
            ),
            (
                SetUpError::Columns { row: 0, found: 0, shape: 3.into() },
                "row 0 of the board has 0 columns where option size asks for 3",
            ),
            (
                SetUpError::StoneCounts { x: 3, o: 1 },
                "X has 3 stones and O has 1 stone, the difference may be one at most",
            ),
        ];
        for (error, told) in refused {
            assert_eq!(error.to_string(), told);
        }
    }
}
