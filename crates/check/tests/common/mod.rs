//! A slow game that knows nothing of the checker: the oracle of the tests.
#![allow(dead_code)]

use std::collections::HashMap;

use noughts_check::{Options, Rejection, check};

/// A small generator of random numbers (xorshift).
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) as usize % end
    }
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

/// The game: cells are bits, row by row. Players are 0 (X) and 1 (O).
#[derive(Clone)]
pub struct Game {
    pub size: usize,
    pub connect: usize,
    pub reverse: bool,
    pub lines: Vec<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    pub stones: [u32; 2],
    pub to_move: usize,
}

impl Game {
    pub fn new(size: usize, connect: usize, reverse: bool) -> Self {
        let mut lines = Vec::new();
        for row in 0..size as i32 {
            for column in 0..size as i32 {
                for (dr, dc) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                    let cells: Vec<(i32, i32)> = (0..connect as i32).map(|i| (row + i * dr, column + i * dc)).collect();
                    if cells.iter().all(|&(r, c)| r < size as i32 && (0..size as i32).contains(&c)) {
                        lines.push(cells.iter().fold(0, |line, &(r, c)| line | 1 << (r * size as i32 + c)));
                    }
                }
            }
        }
        lines.sort();
        lines.dedup();
        Self { size, connect, reverse, lines }
    }
    pub fn all(&self) -> u32 {
        (1 << (self.size * self.size)) - 1
    }
    pub fn empty(&self, place: &Place) -> u32 {
        self.all() & !place.stones[0] & !place.stones[1]
    }
    pub fn has_line(&self, stones: u32) -> bool {
        self.lines.iter().any(|line| line & !stones == 0)
    }
    pub fn live(&self, place: &Place, player: usize) -> Vec<u32> {
        let live = self.lines.iter().filter(|&line| line & place.stones[1 - player] == 0);
        live.map(|line| line & !place.stones[player]).collect()
    }
    pub fn after(&self, place: &Place, cell: usize) -> Place {
        let mut after = *place;
        after.stones[place.to_move] |= 1 << cell;
        after.to_move = 1 - place.to_move;
        after
    }
    /// The number of plies in which the attacker can force a win; 1000 if it cannot.
    pub fn plies(&self, place: &Place, attacker: usize, memory: &mut HashMap<Place, u32>) -> u32 {
        if let Some(&known) = memory.get(place) {
            return known;
        }
        let mut values = Vec::new();
        for cell in cells(self.empty(place)) {
            let after = self.after(place, cell);
            values.push(if self.has_line(after.stones[place.to_move]) {
                if (place.to_move == attacker) != self.reverse { 1 } else { 1000 }
            } else if self.empty(&after) == 0 {
                1000
            } else {
                (1 + self.plies(&after, attacker, memory)).min(1000)
            });
        }
        let value = *if place.to_move == attacker { values.iter().min() } else { values.iter().max() }.unwrap();
        memory.insert(*place, value);
        value
    }
    /// A random position without a line and with at least one empty cell.
    pub fn random_place(&self, random: &mut Random, most_empty: usize) -> Place {
        for most_empty in (0..).map(|tries: usize| most_empty + tries / 20) {
            let mut order: Vec<usize> = (0..self.size * self.size).collect();
            random.shuffle(&mut order);
            let empty = 1 + random.below(most_empty.min(order.len()));
            let mut place = Place { stones: [0, 0], to_move: random.below(2) };
            for &cell in &order[empty..] {
                // Leave out stones that complete a line, as long as there are few empty cells.
                for player in if random.chance(50) { [0, 1] } else { [1, 0] } {
                    if !self.has_line(place.stones[player] | 1 << cell) {
                        place.stones[player] |= 1 << cell;
                        break;
                    }
                }
            }
            if self.empty(&place).count_ones() as usize <= most_empty {
                return place;
            }
        }
        unreachable!()
    }
    pub fn name(&self, cell: usize) -> String {
        format!("{},{}", cell / self.size, cell % self.size)
    }
    pub fn names(&self, cells: &[usize], separator: &str) -> String {
        cells.iter().map(|&cell| self.name(cell)).collect::<Vec<_>>().join(separator)
    }
    /// The board of a file, with the zone if there is one.
    pub fn board(&self, place: &Place, zone: u32) -> String {
        let mut rows = Vec::new();
        for row in 0..self.size {
            let (mut text, mut number) = (String::new(), 0);
            for bit in (row * self.size..(row + 1) * self.size).map(|cell| 1 << cell) {
                let letter = if place.stones[0] & bit != 0 {
                    "x"
                } else if place.stones[1] & bit != 0 {
                    "o"
                } else if zone & bit != 0 {
                    "+"
                } else {
                    number += 1;
                    continue;
                };
                if number > 0 {
                    text += &std::mem::take(&mut number).to_string();
                }
                text += letter;
            }
            if number > 0 {
                text += &number.to_string();
            }
            rows.push(text);
        }
        format!("{} {}", rows.join("/"), ["x", "o"][place.to_move])
    }
    /// The start of a file whose blocks are only lemmas.
    pub fn start(&self) -> String {
        let rule = if self.reverse { "reverse" } else { "normal" };
        let empty = vec![self.size.to_string(); self.size].join("/");
        let (size, connect) = (self.size, self.connect);
        format!("noughts certificate 1\ngame {size} {connect} {rule}\nposition {empty} x\nclaim cannot o within 1\n")
    }
    /// True if the checker accepts the proof of a lemma about the position.
    pub fn accepts(&self, place: &Place, zone: u32, claim: &str, proof: &[String]) -> bool {
        let text = format!("{}lemma 1 {} {claim}\n{}\nstop\n", self.start(), self.board(place, zone), proof.join("\n"));
        let expected = text.lines().count() as u64;
        match fault(&text, &Options::default()) {
            Some((record, said)) => record == expected && said.starts_with("expected a lemma"),
            None => panic!("a file without an end is accepted: {text}"),
        }
    }
    /// True if Breaker wins the weak game.
    pub fn breaker_wins(&self, lines: &[u32], maker_to_move: bool) -> bool {
        if lines.is_empty() {
            return true;
        }
        if lines.contains(&0) {
            return false;
        }
        let mut moves = cells(lines.iter().fold(0, |all, line| all | line));
        if maker_to_move {
            moves.all(|cell| self.breaker_wins(&taken(lines, cell), false))
        } else {
            moves.any(|cell| self.breaker_wins(&without(lines, cell), true))
        }
    }
}

pub fn cells(set: u32) -> impl Iterator<Item = usize> {
    (0..32).filter(move |cell| set >> cell & 1 == 1)
}

/// The minimal lines after Maker has taken a cell.
pub fn taken(lines: &[u32], cell: usize) -> Vec<u32> {
    minimal(lines.iter().map(|line| line & !(1 << cell)).collect())
}

/// The lines that are left after Breaker has taken a cell.
pub fn without(lines: &[u32], cell: usize) -> Vec<u32> {
    lines.iter().copied().filter(|line| line >> cell & 1 == 0).collect()
}

pub fn minimal(mut lines: Vec<u32>) -> Vec<u32> {
    lines.sort();
    lines.dedup();
    let all = lines.clone();
    lines.retain(|&line| !all.iter().any(|&part| part != line && part & !line == 0));
    lines
}

/// The number of the first wrong record, and what is said about it.
pub fn fault(text: &str, options: &Options) -> Option<(u64, String)> {
    match check(text.as_bytes(), options).0 {
        Ok(_) => None,
        Err(Rejection::Wrong(record, expected, found)) => Some((record, format!("expected {expected}, found {found}"))),
        Err(Rejection::Unreadable(error)) => panic!("{error} in {text}"),
    }
}
