//! A plain reader of solutions, by `docs/certificates.md`. It believes the file: `noughts-check` is the one that does not.

#![allow(dead_code)]

use std::collections::BTreeSet;

use noughts_oracle::{Board, Player};

const LETTERS: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-";

/// The stones of X and of O, each the sum of 2^cell.
pub type Stones = [u64; 2];

/// A position of a solution.
pub struct Solved {
    pub stones: Stones,
    pub plies: usize,
    pub moves: Vec<usize>,
}

/// A solution with its positions.
pub struct Solution {
    pub start: Board,
    pub winner: Player,
    pub plies: usize,
    pub positions: Vec<Solved>,
    lines: Vec<u64>,
}

impl Solution {
    /// Reads a file that `noughts-check` accepts.
    pub fn read(text: &str) -> Solution {
        let mut lines = text.lines().skip(1);
        let mut words = || lines.next().expect("a line of the header").split(' ').collect::<Vec<_>>();
        let (game, position, claim) = (words(), words(), words());
        let side = |number: &str| number.parse().expect("a number");
        let [rows, columns] = game[1].split_once('x').map_or_else(|| [side(game[1]); 2], |(r, c)| [side(r), side(c)]);
        let mut start = Board::rectangle(rows, columns, side(game[2]), game[3] == "reverse");
        start.stones = stones_of(position[1]);
        start.side = player(position[2]);
        let sets = start.lines().into_iter().map(|line| line.into_iter().map(|cell| 1 << cell).sum()).collect();
        let (winner, plies) = (player(claim[2]), side(claim[4]));
        let mut solution = Solution { start, winner, plies, positions: Vec::new(), lines: sets };
        solution.positions = solution.read_positions(&mut lines);
        solution
    }

    fn read_positions<'a>(&self, lines: &mut impl Iterator<Item = &'a str>) -> Vec<Solved> {
        let set = |player| (0..self.start.stones.len()).filter(move |&cell| self.start.stones[cell] == Some(player));
        let stones = Player::BOTH.map(|player| set(player).map(|cell| 1 << cell).sum());
        let mut level = if self.start.side == self.winner { self.unfinished(stones) } else { self.replies(stones) };
        let mut positions = Vec::new();
        while !level.is_empty() {
            let mut next = BTreeSet::new();
            for stones in level {
                let (plies, letters) = lines.next().expect("a position").split_once(' ').expect("plies and moves");
                let empty = self.empty(stones);
                let moves: Vec<usize> = letters.chars().map(|of| empty[LETTERS.find(of).expect("a letter")]).collect();
                moves.iter().for_each(|&cell| next.extend(self.replies(with(stones, self.winner, cell))));
                positions.push(Solved { stones, plies: plies.parse().expect("a number"), moves });
            }
            level = next;
        }
        positions
    }

    /// The empty cells of a position.
    pub fn empty(&self, [x, o]: Stones) -> Vec<usize> {
        (0..self.start.stones.len()).filter(|cell| (x | o) >> cell & 1 == 0).collect()
    }

    fn completes(&self, stones: Stones, player: Player, cell: usize) -> bool {
        let own = with(stones, player, cell)[player as usize];
        self.lines.iter().any(|line| line >> cell & 1 == 1 && line & !own == 0)
    }

    /// The image of a position that has a line of its own, if it has one.
    fn unfinished(&self, stones: Stones) -> BTreeSet<Stones> {
        let wins = |cell: &usize| !self.start.reverse && self.completes(stones, self.winner, *cell);
        if self.empty(stones).iter().any(wins) {
            return BTreeSet::new();
        }
        let Board { rows, columns, .. } = self.start;
        let image = |symmetry: usize| {
            let to = |cell: usize| {
                let row = if symmetry & 2 == 2 { rows - 1 - cell / columns } else { cell / columns };
                let column = if symmetry & 1 == 1 { columns - 1 - cell % columns } else { cell % columns };
                if symmetry & 4 == 4 { column * columns + row } else { row * columns + column }
            };
            stones.map(|set| (0..rows * columns).map(|cell| (set >> cell & 1) << to(cell)).sum())
        };
        (0..if rows == columns { 8 } else { 4 }).map(image).min().into_iter().collect()
    }

    fn replies(&self, stones: Stones) -> BTreeSet<Stones> {
        let loser = !self.winner;
        let goes_on = self.empty(stones).into_iter().filter(|&cell| !self.completes(stones, loser, cell));
        goes_on.flat_map(|cell| self.unfinished(with(stones, loser, cell))).collect()
    }

    /// The board of a position in which the winner is to move.
    pub fn board(&self, [x, o]: Stones) -> Board {
        let stone = |cell| match (x >> cell & 1, o >> cell & 1) {
            (1, _) => Some(Player::X),
            (_, 1) => Some(Player::O),
            _ => None,
        };
        let stones = (0..self.start.stones.len()).map(stone).collect();
        Board { stones, side: self.winner, ..self.start }
    }
}

fn with(mut stones: Stones, player: Player, cell: usize) -> Stones {
    stones[player as usize] |= 1 << cell;
    stones
}

fn player(name: &str) -> Player {
    if name == "x" { Player::X } else { Player::O }
}

/// The stones of a board as it is written.
fn stones_of(text: &str) -> Vec<Option<Player>> {
    let mut stones = Vec::new();
    for row in text.split('/') {
        for part in row.as_bytes().chunk_by(|a, b| a.is_ascii_digit() && b.is_ascii_digit()) {
            match str::from_utf8(part).expect("ASCII") {
                name @ ("x" | "o") => stones.push(Some(player(name))),
                number => stones.extend(vec![None; number.parse().expect("a number")]),
            }
        }
    }
    stones
}
