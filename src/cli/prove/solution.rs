//! Semi-strong solutions: all best moves of the player who wins, along every reply of the other. `docs/certificates.md` has the
//! format.

use std::collections::BTreeSet;
use std::sync::Arc;

use anyhow::{Result, bail};

use noughts::certificate::Header;
use noughts::game::{Cell, CellSet, Geometry, Player, Position, Rules, Value};
use noughts::search::certificate::Claim;
use noughts::search::{Control, Solver};

use super::super::arguments::UsageError;

/// The most cells of a board: a position is two numbers of 64 bits.
const MOST_CELLS: usize = 64;

/// The empty cells of a position, in reading order.
const LETTERS: &[u8; MOST_CELLS] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-";

/// The stones of X and of O, each the sum of 2^cell. Of all images of a position that with the least numbers.
type Stones = [u64; 2];

/// The text of the solution of a position, and how many positions it has.
pub fn solution(solver: &mut Solver, position: &Position, control: &Control) -> Result<(String, usize)> {
    let rules = position.rules();
    if rules.cells() > MOST_CELLS {
        bail!(UsageError::new(format_args!("--solution needs a board of at most {MOST_CELLS} cells")));
    }
    let (winner, plies) = match solver.bounds(position, control).exact() {
        Some(Value::Win(plies)) => (position.side(), plies),
        Some(Value::Loss(plies)) => (!position.side(), plies),
        Some(Value::Draw) => bail!("the value is a draw, so no player has a win to follow; nothing was written"),
        None => bail!("the search has not settled the value within its limits; nothing was written"),
    };
    let mut text = Vec::new();
    Header { position: *position, claims: vec![Claim::Wins(winner, plies)] }.write(&mut text)?;
    let mut lines = vec![String::from_utf8(text)?.replacen("certificate", "solution", 1).trim_end().to_owned()];
    let game = Game::new(rules, winner);
    let stones = Player::BOTH.map(|player| position.stones(player).iter().map(|cell| game.bit(cell)).sum());
    let mut level = if position.side() == winner { game.unfinished(stones) } else { game.replies(stones) };
    while !level.is_empty() {
        let mut next = BTreeSet::new();
        for stones in level {
            let (line, replies) = game.solve(stones, solver, control)?;
            lines.push(line);
            next.extend(replies);
        }
        level = next;
    }
    // The header is one string of four lines.
    let positions = lines.len() - 1;
    lines.push(format!("end {}\n", positions + 5));
    Ok((lines.join("\n"), positions))
}

struct Game {
    rules: Rules,
    geometry: Arc<Geometry>,
    lines: Vec<u64>,
    winner: Player,
}

impl Game {
    fn new(rules: Rules, winner: Player) -> Game {
        let geometry = rules.geometry();
        let lines = geometry.lines().map(|line| line.iter().map(|cell| 1 << cell).sum()).collect();
        Game { rules, geometry, lines, winner }
    }

    fn bit(&self, cell: Cell) -> u64 {
        1 << self.geometry.number(cell)
    }

    /// The empty cells of a position.
    fn empty(&self, [x, o]: Stones) -> impl Iterator<Item = u16> + use<> {
        (0..self.geometry.cells() as u16).filter(move |cell| (x | o) >> cell & 1 == 0)
    }

    /// The cells on which a player completes a line.
    fn completing(&self, stones: Stones, player: Player) -> u64 {
        let (own, other) = (stones[player as usize], stones[!player as usize]);
        let needed = self.lines.iter().filter(|&line| line & other == 0).map(|line| line & !own);
        needed.filter(|needed| needed.is_power_of_two()).fold(0, |set, cell| set | cell)
    }

    /// The positions to be written of one that the winner is to move in: none if it completes a line.
    fn unfinished(&self, stones: Stones) -> BTreeSet<Stones> {
        let is_over = self.rules.completer_wins() && self.completing(stones, self.winner) != 0;
        let image = |images: &Vec<u16>| {
            stones.map(|set| images.iter().zip(0..).map(|(to, cell)| (set >> cell & 1) << to).sum())
        };
        (!is_over).then(|| self.geometry.images().iter().map(image).min()).flatten().into_iter().collect()
    }

    /// The positions to be written after each reply of the other player.
    fn replies(&self, stones: Stones) -> BTreeSet<Stones> {
        let loser = !self.winner;
        let completing = self.completing(stones, loser);
        let after = |cell: u16| {
            let mut after = stones;
            after[loser as usize] |= 1 << cell;
            self.unfinished(after)
        };
        self.empty(stones).filter(|cell| completing >> cell & 1 == 0).flat_map(after).collect()
    }

    /// The line of a position, and the positions that follow its best moves.
    fn solve(&self, stones: Stones, solver: &mut Solver, control: &Control) -> Result<(String, BTreeSet<Stones>)> {
        let set = |set: u64| -> CellSet {
            (0..self.geometry.cells() as u16)
                .filter(|cell| set >> cell & 1 == 1)
                .map(|cell| self.geometry.cell(cell))
                .collect()
        };
        let position = Position::of_stones(self.rules, stones.map(set), Some(self.winner))?;
        let value = solver.bounds(&position, control).exact();
        let moves: Vec<Cell> = position.moves().collect();
        let decided = value.map_or_else(Vec::new, |value| solver.keeping_moves(&position, &moves, value, control));
        let (Some(Value::Win(plies)), true) = (value, decided.len() == moves.len()) else {
            bail!("the search has not found all best moves within its limits; nothing was written");
        };
        let mut line = format!("{plies} ");
        let mut replies = BTreeSet::new();
        // Both are in reading order.
        for (&(cell, _), &letter) in decided.iter().zip(LETTERS).filter(|((_, is_best), _)| *is_best) {
            line.push(letter.into());
            let mut after = stones;
            after[self.winner as usize] |= self.bit(cell);
            replies.extend(self.replies(after));
        }
        Ok((line, replies))
    }
}
