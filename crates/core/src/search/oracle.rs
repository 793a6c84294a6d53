//! The plain oracle of `noughts-oracle`, asked about positions of this crate by its unit tests.

use noughts_oracle as plain;
use noughts_oracle::{Board, EndGame};

use crate::game::{Bounds, Cell, Player, Position, Rules, Shape, Value};
use crate::search::{Stream, below, generator};

/// The board of a position.
pub fn board_of(position: &Position) -> Board {
    let rules = position.rules();
    let owner = |player| if player == Player::X { plain::Player::X } else { plain::Player::O };
    let stones = Cell::all(rules.shape()).map(|cell| position.occupant(cell).map(owner)).collect();
    let Shape { rows, columns } = rules.shape();
    let empty = Board::rectangle(rows.into(), columns.into(), rules.connect().into(), rules.reverse());
    Board { stones, side: owner(position.side()), ..empty }
}

/// A value of the oracle as one of this crate.
pub fn known_value(known: plain::Value) -> Value {
    match known {
        plain::Value::Win(plies) => Value::Win(plies),
        plain::Value::Draw => Value::Draw,
        plain::Value::Loss(plies) => Value::Loss(plies),
    }
}

/// The value of a position, finished or not.
pub fn value(position: &Position) -> Value {
    known_value(EndGame::value_of(&board_of(position)))
}

/// Every move of a position that goes on, in reading order, with its value for the player who makes it.
pub fn move_values(position: &Position) -> Vec<(Cell, Value)> {
    let board = board_of(position);
    let cell = |index| Cell::new((index / board.columns) as u8, (index % board.columns) as u8);
    let values = EndGame::new(&board).move_values().into_iter();
    values.map(|(index, value)| (cell(index), known_value(value))).collect()
}

/// True if a value is within bounds.
pub fn holds(Bounds { at_least, at_most }: Bounds, value: Value) -> bool {
    (at_least..=at_most).contains(&value)
}

/// Positions of random games in which the game goes on, with so many empty cells.
pub fn endgames(rules: Rules, empty_cells: &[usize], count: usize) -> Vec<Position> {
    let mut random = generator(7, Stream::Sample);
    let mut found = Vec::new();
    for _ in 0..200 * count {
        let mut position = Position::start(rules);
        let wanted = empty_cells[found.len() % empty_cells.len()];
        while position.outcome().is_none() && position.empty_cells() > wanted {
            let moves: Vec<Cell> = position.moves().collect();
            position = position.after(moves[below(&mut random, moves.len() as u32) as usize]);
        }
        if position.outcome().is_none() {
            found.push(position);
        }
        if found.len() == count {
            break;
        }
    }
    found
}
