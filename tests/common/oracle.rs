//! The plain oracles of `noughts-oracle`, asked about positions of the library and answering in its types.

#![allow(dead_code)]

use std::sync::LazyLock;

use noughts::game::{Cell, Diagram, DiagramRow, Outcome, Player, Position, Rules, Shape, Value};
use noughts_oracle as plain;
use noughts_oracle::{Board, EndGame, Stones, Table};

/// The empty board.
pub fn empty_board(rules: Rules) -> Board {
    let Shape { rows, columns } = rules.shape();
    Board::rectangle(rows.into(), columns.into(), rules.connect().into(), rules.reverse())
}

/// The board of a position.
pub fn board_of(position: &Position) -> Board {
    let stones = Cell::all(position.rules().shape()).map(|cell| position.occupant(cell).map(plain_player)).collect();
    Board { stones, side: plain_player(position.side()), ..empty_board(position.rules()) }
}

/// The position of a board; `None` if the library refuses it.
pub fn position_of(board: &Board, rules: Rules) -> Option<Position> {
    let row = |stones: &[Option<plain::Player>]| {
        let mut row = DiagramRow::default();
        stones.iter().for_each(|stone| match stone {
            Some(owner) => row.push_stone(player(*owner)),
            None => row.push_empty(1),
        });
        row
    };
    let rows = board.stones.chunks(board.columns).map(row).collect();
    Position::set_up(rules, &Diagram { rows, side: Some(player(board.side)) }).ok()
}

pub fn player(player: plain::Player) -> Player {
    match player {
        plain::Player::X => Player::X,
        plain::Player::O => Player::O,
    }
}

fn plain_player(player: Player) -> plain::Player {
    match player {
        Player::X => plain::Player::X,
        Player::O => plain::Player::O,
    }
}

/// The cell with an index.
pub fn cell(board: &Board, index: usize) -> Cell {
    Cell::new((index / board.columns) as u8, (index % board.columns) as u8)
}

/// How the game on a board has ended, if it has.
pub fn outcome(board: &Board) -> Option<Outcome> {
    board.outcome().map(|outcome| match outcome {
        plain::Outcome::Win(winner) => Outcome::Win(player(winner)),
        plain::Outcome::Draw => Outcome::Draw,
    })
}

/// Every line of a board as its cells.
pub fn lines(rules: Rules) -> Vec<Vec<Cell>> {
    let board = empty_board(rules);
    let lines = board.lines().into_iter();
    lines.map(|line| line.into_iter().map(|index| cell(&board, index)).collect()).collect()
}

/// The same position with the colours exchanged.
pub fn exchanged(position: &Position) -> Position {
    position_of(&board_of(position).exchanged(), position.rules()).expect("as legal as before")
}

fn known_value(known: plain::Value) -> Value {
    match known {
        plain::Value::Win(plies) => Value::Win(plies),
        plain::Value::Draw => Value::Draw,
        plain::Value::Loss(plies) => Value::Loss(plies),
    }
}

/// The value of a position, finished or not, by plain alpha-beta.
pub fn value(position: &Position) -> Value {
    known_value(EndGame::value_of(&board_of(position)))
}

/// A position and what it is worth by plain alpha-beta.
#[derive(Debug)]
pub struct Judged {
    pub position: Position,
    pub value: Value,
    /// Every move in reading order, with its value for the side that moves.
    pub moves: Vec<(Cell, Value)>,
}

impl Judged {
    /// A position that goes on, judged by `value`.
    pub fn by(position: Position, mut value: impl FnMut(&Position) -> Value) -> Judged {
        let moves = position.moves().map(|cell| (cell, value(&position.after(cell)).before_move())).collect();
        Judged { position, value: value(&position), moves }
    }

    /// A position that goes on.
    pub fn new(position: Position) -> Judged {
        let board = board_of(&position);
        let mut end_game = EndGame::new(&board);
        let value = known_value(end_game.value_after(&[]));
        let moves = end_game.move_values().into_iter();
        Judged { position, value, moves: moves.map(|(index, of)| (cell(&board, index), known_value(of))).collect() }
    }

    /// The moves that are worth as much as the position.
    pub fn best_moves(&self) -> Vec<Cell> {
        self.moves.iter().filter(|(_, value)| *value == self.value).map(|(cell, _)| *cell).collect()
    }

    /// The moves with the result of the position, however soon.
    pub fn sound_moves(&self) -> Vec<Cell> {
        self.moves.iter().filter(|(_, value)| value.result() == self.value.result()).map(|(cell, _)| *cell).collect()
    }
}

/// The table of 4x4 with lines of four. It is made once for all tests of a program.
pub fn table_of_4x4(reverse: bool) -> &'static Table {
    static TABLES: [LazyLock<Table>; 2] =
        [LazyLock::new(|| Table::new(4, 4, false)), LazyLock::new(|| Table::new(4, 4, true))];
    &TABLES[usize::from(reverse)]
}

/// The stones of a position as a table has them.
pub fn stones(position: &Position) -> Stones {
    let size = position.rules().shape();
    let set = |player| position.stones(player).iter().fold(0, |set, cell| set | 1 << cell.index(size));
    set(Player::X) | set(Player::O) << 16
}

/// The value of stones by a table.
pub fn table_value(table: &Table, stones: Stones) -> Value {
    known_value(table.value(stones))
}
