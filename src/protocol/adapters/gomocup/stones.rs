//! For clients: stones and boards as the client sends them.

use std::collections::BTreeMap;

use crate::text::Excerpt;
use noughts_core::game::{Diagram, DiagramRow, Player};

use super::Coordinates;

/// The player for whom the engine's stones are put on the board. Every position names who moves, so it does not matter
/// which player began.
pub const OWN: Player = Player::X;

/// Stones in the order in which the client sent them.
pub type StoneList = Vec<(Coordinates, Player)>;

/// The most stones that a board has room for.
const MOST_STONES: usize = 400;

/// A board that is sent stone by stone: the lines between `BOARD` and `DONE`.
#[derive(Default)]
pub struct BoardBlock {
    pub stones: StoneList,
    /// The error in the first wrong line.
    pub error: Option<String>,
}

impl BoardBlock {
    /// Takes a line `x,y,field`.
    pub fn handle_line(&mut self, text: &str) {
        let stone = text.rsplit_once(',').and_then(|(at, field)| {
            let player = match field.trim() {
                "1" => OWN,
                "2" => !OWN,
                _ => return None,
            };
            Some((Coordinates::read(at)?, player))
        });
        match stone {
            Some(_) if self.stones.len() >= MOST_STONES => {
                self.refuse(format!("there are more than {MOST_STONES} stones"));
            }
            Some(stone) => self.stones.push(stone),
            None => self.refuse(format!(
                "expected x,y,1 for a stone of the engine, x,y,2 for one of its opponent, or DONE, found {}",
                Excerpt::of(text)
            )),
        }
    }

    /// Refuses the whole board for a wrong line. The first reason is kept.
    pub fn refuse(&mut self, problem: String) {
        self.error.get_or_insert(problem);
    }
}

/// The board with these stones on it, the engine to move.
///
/// # Errors
/// A sentence about the first stone that does not fit.
pub fn diagram(size: Coordinates, stones: &StoneList) -> Result<Diagram, String> {
    let Coordinates { column: width, row: height } = size;
    let mut board = BTreeMap::new();
    for &(at, player) in stones {
        let Coordinates { column, row } = at;
        if column >= width || row >= height {
            return Err(format!("{at} is off the {width}x{height} board"));
        }
        if board.insert((row, column), player).is_some() {
            return Err(format!("{at} is taken"));
        }
    }
    let row = |row| {
        let mut text = DiagramRow::default();
        for column in 0..width {
            match board.get(&(row, column)) {
                Some(&player) => text.push_stone(player),
                None => text.push_empty(1),
            }
        }
        text
    };
    Ok(Diagram { rows: (0..height).map(row).collect(), side: Some(OWN) })
}
