//! Settings as they are chosen: a draft that changes nothing until it is accepted.

use crate::game::Player;
use crate::play::participant::{Participant, Settings};
use crate::play::refusal::Refusal;
use crate::play::table::Table;

/// The rows of the panel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Row {
    /// Who plays a side.
    Side(Player),
    /// How strong the engine's players are.
    Level,
    /// Playouts of a move.
    Trials,
    /// Rows and columns.
    Size,
    /// How many in a row.
    Connect,
    /// Whether a completed line loses.
    Reverse,
}

const ROWS: [Row; 7] =
    [Row::Side(Player::X), Row::Side(Player::O), Row::Level, Row::Trials, Row::Size, Row::Connect, Row::Reverse];

/// Steps between numbers of playouts.
const TRIALS: [u32; 19] = [
    1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000,
];

/// Settings that are being chosen.
#[derive(Clone, Debug)]
pub struct Panel {
    sides: [Vec<Participant>; 2],
    chosen: [usize; 2],
    level: u8,
    trials: u32,
    size: u8,
    connect: u16,
    reverse: bool,
    row: usize,
}

impl Panel {
    /// A draft of what is so now.
    pub fn new(table: &Table) -> Panel {
        let settings = table.settings();
        let players = table.players();
        let sides = Player::BOTH.map(|player| {
            let mut all = vec![Participant::Person];
            all.extend(players.iter().cloned().map(Participant::Builtin));
            if !all.contains(table.side(player)) {
                all.push(table.side(player).clone());
            }
            all
        });
        let chosen = Player::BOTH.map(|player| {
            let all = &sides[usize::from(player == Player::O)];
            all.iter().position(|side| side == table.side(player)).unwrap_or(0)
        });
        let Settings { rules, level, trials, .. } = *settings;
        let (size, connect, reverse) = (rules.size(), rules.connect(), rules.reverse());
        Panel { sides, chosen, level, trials, size, connect, reverse, row: 0 }
    }

    /// The rows as text: what is chosen, and what it is now; and whether it is the row at hand.
    pub fn rows(&self) -> Vec<(String, String, bool)> {
        let row = |(number, row): (usize, &Row)| {
            let (name, value) = match row {
                Row::Side(player) => {
                    let index = usize::from(*player == Player::O);
                    let side = &self.sides[index][self.chosen[index]];
                    (format!("{player}"), if side.is_person() { "you".to_owned() } else { side.name().to_owned() })
                }
                Row::Level => ("Level".to_owned(), self.level.to_string()),
                Row::Trials => ("Playouts".to_owned(), self.trials.to_string()),
                Row::Size => ("Board".to_owned(), format!("{0}x{0}", self.size)),
                Row::Connect if self.connect == 0 => ("In a row".to_owned(), "all".to_owned()),
                Row::Connect => ("In a row".to_owned(), self.connect.to_string()),
                Row::Reverse => ("A line".to_owned(), if self.reverse { "loses" } else { "wins" }.to_owned()),
            };
            (name, value, number == self.row)
        };
        ROWS.iter().enumerate().map(row).collect()
    }

    /// Goes to the row above (-1) or below (1).
    pub fn go(&mut self, step: isize) {
        self.row = self.row.saturating_add_signed(step).min(ROWS.len() - 1);
    }

    /// Changes the row at hand by a step back (-1) or on (1).
    pub fn turn(&mut self, step: isize) {
        let on = step > 0;
        match ROWS[self.row] {
            Row::Side(player) => {
                let index = usize::from(player == Player::O);
                let count = self.sides[index].len() as isize;
                self.chosen[index] = (self.chosen[index] as isize + step).rem_euclid(count) as usize;
            }
            Row::Level => self.level = self.level.saturating_add_signed(step as i8).clamp(1, 10),
            Row::Trials => {
                let larger = TRIALS.into_iter().find(|&trials| trials > self.trials);
                let smaller = TRIALS.into_iter().rev().find(|&trials| trials < self.trials);
                self.trials = if on { larger } else { smaller }.unwrap_or(self.trials);
            }
            Row::Size => {
                self.size = self.size.saturating_add_signed(step as i8).clamp(1, 20);
                self.connect = if self.connect > u16::from(self.size) { 0 } else { self.connect };
            }
            Row::Connect => self.connect = self.connect.saturating_add_signed(step as i16).min(self.size.into()),
            Row::Reverse => self.reverse = !self.reverse,
        }
    }

    /// Makes it so. Another board, or another length of a line, begins a new game.
    pub fn accept(&self, table: &mut Table) -> Result<(), Refusal> {
        table.set_level(self.level.into())?;
        if table.settings().trials != self.trials {
            table.set_trials(self.trials.into())?;
        }
        for (index, player) in Player::BOTH.into_iter().enumerate() {
            let side = &self.sides[index][self.chosen[index]];
            if side != table.side(player) {
                table.seat(player, side.clone())?;
            }
        }
        let rules = table.settings().rules;
        if (rules.size(), rules.connect(), rules.reverse()) != (self.size, self.connect, self.reverse) {
            table.choose(self.size, self.connect, self.reverse)?;
        }
        Ok(())
    }
}
