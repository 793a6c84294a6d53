//! Lines and boards by plain loops, apart from the library's.

use noughts::game::{Cell, Diagram, DiagramRow, Player, Position, Rules};

/// Every line of a board as its cells.
pub fn lines(rules: Rules) -> Vec<Vec<Cell>> {
    let size = i32::from(rules.size());
    let length = if rules.connect() == 0 { size } else { i32::from(rules.connect()) };
    let mut lines = Vec::new();
    for row in 0..size {
        for column in 0..size {
            for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                let (last_row, last_column) = (row + down * (length - 1), column + right * (length - 1));
                if last_row < size && (0..size).contains(&last_column) {
                    let cell = |step| Cell::new((row + down * step) as u8, (column + right * step) as u8);
                    lines.push((0..length).map(cell).collect());
                }
            }
        }
    }
    lines
}

/// The stones of a position in reading order.
pub fn board(position: &Position) -> Vec<Option<Player>> {
    Cell::all(position.rules().size()).map(|cell| position.occupant(cell)).collect()
}

/// The position of these stones in reading order, or `None` when they are not one.
pub fn position(rules: Rules, board: &[Option<Player>], side: Player) -> Option<Position> {
    let row = |stones: &[Option<Player>]| {
        let mut row = DiagramRow::default();
        for stone in stones {
            match stone {
                Some(player) => row.push_stone(*player),
                None => row.push_empty(1),
            }
        }
        row
    };
    let rows = board.chunks(usize::from(rules.size())).map(row).collect();
    Position::set_up(rules, &Diagram { rows, side: Some(side) }).ok()
}

/// The same with the colours exchanged.
pub fn exchanged(position: &Position) -> Position {
    let stones: Vec<_> = board(position).into_iter().map(|stone| stone.map(|player| !player)).collect();
    self::position(position.rules(), &stones, !position.side()).expect("as legal as before")
}
