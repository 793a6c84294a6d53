//! Stones and boards as the protocol tells of them.

use std::collections::BTreeMap;

use crate::text::Excerpt;
use noughts_core::game::{Diagram, DiagramRow, Player};

/// The stones of the engine; those of its opponent are the others. Positions name who moves, so it does not matter who
/// began.
pub const OWN: Player = Player::X;

/// A cell as the protocol writes it: column and row, from 0 at the top left.
pub type Place = (u32, u32);

/// Stones in the order in which they were told.
pub type Stones = Vec<(Place, Player)>;

/// The most stones that any board has room for.
const MOST_STONES: usize = 400;

/// A board as it is told, stone by stone.
#[derive(Default)]
pub struct Block {
    pub stones: Stones,
    /// What is wrong with the first line that is wrong.
    pub error: Option<String>,
}

impl Block {
    /// A line `x,y,field`.
    pub fn hear(&mut self, text: &str) {
        let field = text.rsplit_once(',').and_then(|(at, field)| {
            let player = match field.trim() {
                "1" => OWN,
                "2" => !OWN,
                _ => return None,
            };
            Some((place(at)?, player))
        });
        match field {
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

    /// The whole board is refused for a line that is wrong, with the first reason.
    pub fn refuse(&mut self, problem: String) {
        self.error.get_or_insert(problem);
    }
}

/// `x,y`.
pub fn place(text: &str) -> Option<Place> {
    let (x, y) = text.trim().split_once(',')?;
    Some((x.trim().parse().ok()?, y.trim().parse().ok()?))
}

/// The board with these stones on it, the engine to move.
pub fn diagram(size: u32, stones: &Stones) -> Result<Diagram, String> {
    let mut board = BTreeMap::new();
    for &((column, row), player) in stones {
        if column >= size || row >= size {
            return Err(format!("{column},{row} is off the {size}x{size} board"));
        }
        if board.insert((row, column), player).is_some() {
            return Err(format!("{column},{row} is taken"));
        }
    }
    let row = |row| {
        let mut text = DiagramRow::default();
        for column in 0..size {
            match board.get(&(row, column)) {
                Some(&player) => text.push_stone(player),
                None => text.push_empty(1),
            }
        }
        text
    };
    Ok(Diagram { rows: (0..size).map(row).collect(), side: Some(OWN) })
}
