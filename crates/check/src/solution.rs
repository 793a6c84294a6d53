//! Semi-strong solutions: all best moves of one player, along every reply of the other. Nothing is searched here: the file
//! says the moves and how many plies they take, and its end shows that they do.

use std::collections::{BTreeMap, BTreeSet};

use crate::board::Cells;
use crate::node::Node;
use crate::reader::{Reader, Record, Rejection, number};
use crate::report::Report;

/// The most cells of a board.
const MOST_CELLS: usize = 64;

/// The empty cells of a position, in reading order.
const LETTERS: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-";

/// The numbers of the stones of X and of O: of all images of a position the least.
type Position = [u64; 2];

/// A move of the winner that the file has, and what can follow. The first one stands for the claim.
struct Move {
    record: u64,
    plies: usize,         // what the file says
    above: usize,         // the plies until the winner is to move again
    ended: Option<usize>, // the most plies of games whose end the checker sees itself
    next: Vec<Position>,  // positions that the file must have
}

/// Checks the records behind the header, of which this is the first.
pub fn check(reader: &mut Reader<'_>, report: &mut Report, mut record: Record) -> Result<(), Rejection> {
    let is_win = report.claims.len() == 1 && report.claims[0].wins;
    record.demand(is_win, "only one claim before it, `wins P within N`")?;
    let start = Node { claim: report.claims[0], ..report.start.clone() };
    record.demand(start.board.cells.count() <= MOST_CELLS, "a board of at most 64 cells")?;
    let mut moves = vec![start.first(&record)?];
    let mut positions = 0;
    while !moves.is_empty() {
        let level: BTreeSet<Position> = moves.iter().flat_map(|made| made.next.iter().copied()).collect();
        let (mut distances, mut further) = (BTreeMap::new(), Vec::new());
        for position in level {
            distances.insert(position, start.read_position(&record, position, &mut further)?);
            positions += 1;
            record = reader.record()?;
        }
        for Move { record, plies, above, ended, next } in moves {
            let longest = next.iter().map(|position| distances[position]).chain(ended).max();
            let found = longest.map_or(0, |longest| longest + above);
            if found != plies {
                return Err(Rejection::Wrong(record, format!("a distance of {found}"), plies.to_string()));
            }
        }
        moves = further;
    }
    report.solution = Some(positions);
    let lines = record.text.strip_prefix("end ").and_then(|lines| number(lines, record.number, record.number));
    record.need(lines.map(drop), "\"end\" and the number of this line", &record.text)
}

impl Node {
    /// The claim as a move.
    fn first(&self, record: &Record) -> Result<Move, Rejection> {
        let (number, plies) = (record.number - 1, self.claim.limit);
        if self.to_move != self.prover() {
            return self.replies(record, self.stones, plies).map(|made| Move { record: number, above: 1, ..made });
        }
        let ends = self.board.normal && self.completing_of(self.stones, self.prover()) != Cells::NONE;
        let (ended, next) = if ends { (Some(1), vec![]) } else { (None, vec![self.canonical(self.stones)]) };
        Ok(Move { record: number, plies, above: 0, ended, next })
    }

    /// Reads the record of a position: its distance. Its moves are put to the others.
    fn read_position(&self, record: &Record, position: Position, moves: &mut Vec<Move>) -> Result<usize, Rejection> {
        let stones = position.map(Cells::of_number);
        let empty: Vec<usize> = self.board.cells.minus(stones[0].or(stones[1])).iter().collect();
        let (plies, letters) = record.need(record.text.split_once(' '), "a distance and moves", &record.text)?;
        let plies = record.need(number(plies, 1, MOST_CELLS), "a distance", plies)?;
        let places: Option<Vec<usize>> = letters.chars().map(|letter| LETTERS.find(letter)).collect();
        let fits = |places: &Vec<usize>| places.is_sorted_by(|a, b| a < b) && places.last() < Some(&empty.len());
        let places =
            record.need(places.filter(|places| !places.is_empty() && fits(places)), "moves in order", letters)?;
        let own = self.prover();
        for cell in places.into_iter().map(|place| empty[place]) {
            let loses = !self.board.normal && self.completing_of(stones, own).has(cell);
            record.demand(!loses, "moves that complete no line")?;
            let mut after = stones;
            after[own] = after[own].with(cell);
            moves.push(self.replies(record, after, plies)?);
        }
        Ok(plies)
    }

    /// What can follow where the winner has moved: every reply of the other player.
    fn replies(&self, record: &Record, stones: [Cells; 2], plies: usize) -> Result<Move, Rejection> {
        let [own, other] = [self.prover(), self.opponent()];
        let completing = self.completing_of(stones, other);
        let normal = self.board.normal;
        record.demand(!normal || completing == Cells::NONE, "moves after which the other player completes no line")?;
        let gaps = if normal { self.completing_of(stones, own) } else { Cells::NONE };
        let mut made = Move { record: record.number, plies, above: 2, ended: None, next: Vec::new() };
        let empty = self.board.cells.minus(stones[0].or(stones[1]));
        for cell in empty.iter() {
            if completing.has(cell) {
                made.ended = made.ended.max(Some(0));
            } else if gaps.without(cell) != Cells::NONE {
                made.ended = Some(1);
            } else {
                let mut after = stones;
                after[other] = after[other].with(cell);
                made.next.push(self.canonical(after));
            }
        }
        let is_draw = empty == Cells::NONE || (empty.count() == 1 && !made.next.is_empty());
        record.demand(!is_draw, "moves that do not end in a draw")?;
        Ok(made)
    }

    fn completing_of(&self, stones: [Cells; 2], player: usize) -> Cells {
        self.board.completing(stones[player], stones[1 - player])
    }

    /// The least of the images.
    fn canonical(&self, stones: [Cells; 2]) -> Position {
        let images = 0..if self.board.is_square() { 8 } else { 4 };
        let image = |symmetry| stones.map(|cells| self.board.image(cells, symmetry).number());
        images.map(image).min().unwrap_or_default()
    }
}
