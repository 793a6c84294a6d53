//! Positions from biased play: mistakes on purpose, so that wins, draws and losses all come up.
//!
//! Random play leads to draws almost always, and so does good play. Here each side plays a game in a manner of its
//! own: after its own lines or away from them, into the other's lines or away from them, now and then at random.
//! No player completes a line, so every game gets as far as it is wanted.

use std::collections::HashSet;

use noughts::game::{Position, Rules};
use noughts::search::{Generator, Stream, below, generator};
use noughts_oracle::Player;

use super::oracle::{self, Judged};

/// Makes positions of one game.
pub struct BiasedPlay {
    rules: Rules,
    /// The length of a line.
    length: usize,
    lines: usize,
    /// The lines through each cell in reading order.
    through: Vec<Vec<usize>>,
    generator: Generator,
}

/// The aim of a side: -1 away from, 0 regardless of, 1 after.
#[derive(Clone, Copy)]
struct Manner {
    own_lines: f64,
    other_lines: f64,
    /// Of eight moves, so many are made at random.
    random: u32,
}

impl BiasedPlay {
    pub fn new(rules: Rules, seed: u64) -> BiasedPlay {
        let lines = oracle::lines(rules);
        let mut through = vec![Vec::new(); rules.cells()];
        for (number, line) in lines.iter().enumerate() {
            line.iter().for_each(|cell| through[cell.index(rules.shape())].push(number));
        }
        let length = lines.first().map_or(0, Vec::len);
        BiasedPlay { rules, length, lines: lines.len(), through, generator: generator(seed, Stream::Opening(0)) }
    }

    /// A number below `bound`.
    pub fn draw(&mut self, bound: usize) -> usize {
        below(&mut self.generator, bound as u32) as usize
    }

    /// A game that goes on, with so many empty cells; `None` when a side ran out of moves that complete no line.
    pub fn position(&mut self, empties: usize) -> Option<Position> {
        let manners = [self.manner(), self.manner()];
        let mut board = oracle::empty_board(self.rules);
        // The stones of X and of O on each line.
        let mut stones = vec![[0; 2]; self.lines];
        for _ in empties..self.rules.cells() {
            let side = board.side;
            let cell = self.choose(&board.stones, &stones, side, manners[side as usize])?;
            board.play(cell);
            self.through[cell].iter().for_each(|&line| stones[line][side as usize] += 1);
        }
        let position = oracle::position_of(&board, self.rules).expect("played by the rules");
        // Games in which O began are games as well.
        let position = if self.draw(4) == 0 { oracle::exchanged(&position) } else { position };
        position.outcome().is_none().then_some(position)
    }

    fn manner(&mut self) -> Manner {
        let mut bias = || self.draw(3) as f64 - 1.0;
        Manner { own_lines: bias(), other_lines: bias(), random: self.draw(6) as u32 }
    }

    fn choose(
        &mut self,
        board: &[Option<Player>],
        stones: &[[usize; 2]],
        side: Player,
        manner: Manner,
    ) -> Option<usize> {
        let random = self.draw(8) < manner.random as usize;
        let mut best = None;
        for cell in (0..board.len()).filter(|&cell| board[cell].is_none()) {
            let mut score = self.draw(1000) as f64 / 1000.0;
            let mut completes = false;
            for &line in &self.through[cell] {
                let (own, other) = (stones[line][side as usize], stones[line][!side as usize]);
                completes |= own + 1 == self.length;
                let power = |stones| (1u64 << (2 * stones)) as f64;
                if !random && other == 0 {
                    score += manner.own_lines * power(own);
                }
                if !random && own == 0 {
                    score += manner.other_lines * power(other);
                }
            }
            if !completes && best.is_none_or(|(_, known)| score > known) {
                best = Some((cell, score));
            }
        }
        best.map(|(cell, _)| cell)
    }

    /// A position that differs from this one by a stone moved, two stones exchanged, or a stone of each side added or
    /// taken away; `None` when the change led to none in which the game goes on.
    pub fn mutated(&mut self, position: &Position) -> Option<Position> {
        let mut plain = oracle::board_of(position);
        let board = &mut plain.stones;
        let change = self.draw(6);
        let mut some = |stone: Option<Player>, board: &[Option<Player>]| {
            let cells: Vec<usize> = (0..board.len()).filter(|&cell| board[cell] == stone).collect();
            (!cells.is_empty()).then(|| cells[self.draw(cells.len())])
        };
        let (x, o) = (Some(Player::X), Some(Player::O));
        match change {
            0 | 1 => {
                let stone = if change == 0 { x } else { o };
                let (from, to) = (some(stone, board)?, some(None, board)?);
                board.swap(from, to);
            }
            2 | 3 => {
                let (one, other) = (some(x, board)?, some(o, board)?);
                board.swap(one, other);
            }
            4 => {
                for stone in [x, o] {
                    let cell = some(None, board)?;
                    board[cell] = stone;
                }
            }
            _ => {
                for stone in [x, o] {
                    let cell = some(stone, board)?;
                    board[cell] = None;
                }
            }
        }
        let found = oracle::position_of(&plain, self.rules)?;
        found.outcome().is_none().then_some(found)
    }
}

/// Different endgames, a third each won, drawn and lost for the side to move, with so many empty cells.
///
/// Positions that end at once are easy: they make up a third of the wins and of the losses at most.
pub fn balanced(rules: Rules, each: usize, empties: &[usize], seed: u64) -> Vec<Judged> {
    let mut play = BiasedPlay::new(rules, seed);
    let mut seen = HashSet::new();
    let mut found: [Vec<Judged>; 3] = Default::default();
    let mut quick = [0; 3];
    let mut tries = 0;
    while found.iter().any(|some| some.len() < each) {
        tries += 1;
        assert!(
            tries < 400_000,
            "{rules}: {:?} of {each} won, drawn and lost endgames",
            found.each_ref().map(Vec::len)
        );
        let empties = empties[play.draw(empties.len())];
        // Won and lost endgames are rare on some boards: half of the candidates are neighbours of what was found.
        let rare = found.iter().min_by_key(|some| some.len()).expect("three kinds");
        let candidate = match rare.len() {
            0 => play.position(empties),
            _ if tries % 2 == 0 => play.position(empties),
            known => {
                let known = rare[play.draw(known)].position;
                play.mutated(&known).filter(|position| position.empty_cells() <= empties + 2)
            }
        };
        let Some(position) = candidate.filter(|position| seen.insert(*position)) else { continue };
        let value = oracle::value(&position);
        let kind = (1 - value.result()) as usize;
        let is_quick = value.plies().is_some_and(|plies| plies <= 2);
        if found[kind].len() < each && !(is_quick && quick[kind] >= each / 3) {
            quick[kind] += usize::from(is_quick);
            found[kind].push(Judged::new(position));
        }
    }
    found.into_iter().flatten().collect()
}
