//! The stones of a position in an order in which they can be put one by one.

use crate::protocol::PositionCommand;
use noughts_core::game::{Cell, DiagramRow, Player, Position, Rules};

/// The position of a command, and its stones in an order in which the players can put them by turns. First come those of
/// the diagram, from the top left, so that the last belongs to the player who has just moved. Then come those of the
/// moves. The first stone may be one of O: a diagram says who is to move. `None` if the position is not legal.
pub fn stones_in_turn(rules: Rules, command: &PositionCommand) -> Option<(Position, Vec<(Cell, Player)>)> {
    let mut position = Position::reach(rules, command.diagram.as_ref(), &[]).ok()?;
    let mut stones: Vec<(Cell, Player)> = Vec::new();
    let rows: &[DiagramRow] = command.diagram.as_ref().map_or(&[], |diagram| &diagram.rows);
    let on_board = |row: usize, &(column, player): &(u32, Player)| (Cell::new(row as u8, column as u8), player);
    let all = rows.iter().enumerate().flat_map(|(row, text)| text.stones.iter().map(move |stone| on_board(row, stone)));
    let (own, other): (Vec<_>, Vec<_>) = all.partition(|(_, player)| *player == position.side());
    // Both players have the same number of stones, or the other has one more.
    let first = other.len() - own.len();
    stones.extend(&other[..first]);
    stones.extend(own.iter().zip(&other[first..]).flat_map(|(own, other)| [own, other]));
    for written in &command.moves {
        let cell = written.on_board(rules.shape()).ok()?;
        stones.push((cell, position.side()));
        position.play(cell).ok()?;
    }
    Some((position, stones))
}
