//! A search: visit after visit, each from the root down to a leaf and back.

use std::time::Instant;

use crate::game::{Bounds, Cell, Position, Value};
use crate::search::request::{PUBLISH_INTERVAL, Pace, REPORT_INTERVAL};
use crate::search::{Control, Generator, PlayoutResults, SearchRequest};

use super::lines::LineBoard;
use super::threats;
use super::tree::{Candidate, Place, Tree};
use super::tuning::Tuning;

/// The least playouts of a batch.
const SMALLEST_BATCH: u64 = 8;

/// Batches that a number of playouts is divided into, at least, where that leaves enough for each.
const BATCHES: u64 = 256;

/// Visits between two looks at whether the search may end before its time.
const VISITS_BETWEEN_LOOKS: u32 = 64;

/// Stones that the search for a win by threats may put at the root, which is searched once.
const ROOT_THREAT_STONES: u32 = 1_000;

/// A search under way.
pub struct Descent<'a> {
    pub board: &'a mut LineBoard,
    pub tree: &'a mut Tree,
    pub generator: &'a mut Generator,
    pub control: &'a Control,
    /// The position at the root.
    pub position: Position,
    /// How all playouts ended, seen by the side to move at the root.
    pub results: PlayoutResults,
    pub tuning: &'static Tuning,
    /// Playouts of a leaf.
    batch: u64,
    /// Playouts, and visits that took none.
    spent: u64,
    /// Plies down to the deepest leaf so far.
    pub depth: u16,
    /// What is announced of the position at the least.
    pub announced: Value,
}

impl<'a> Descent<'a> {
    /// A search of the tree, the root of which is this position. The board shows it.
    pub fn new(
        board: &'a mut LineBoard,
        tree: &'a mut Tree,
        generator: &'a mut Generator,
        control: &'a Control,
        position: Position,
    ) -> Descent<'a> {
        let tuning = Tuning::for_rules(position.rules());
        let largest = tuning.batch;
        let batch = control.playouts().map_or(largest, |playouts| (playouts / BATCHES).clamp(SMALLEST_BATCH, largest));
        let results = PlayoutResults::default();
        let announced = tree.unknown().at_least;
        Descent { board, tree, generator, control, position, results, tuning, batch, spent: 0, depth: 1, announced }
    }

    /// Makes sure that the root lists all moves to choose from, and takes into account what is proven about it and them.
    pub fn begin(&mut self, value: Bounds, moves: &[(Cell, Bounds)], request: &SearchRequest) {
        self.announced = value.at_least;
        let root = self.tree.root();
        let all: Vec<u16> = request.moves().map(|cell| self.board.number(cell)).collect();
        if !self.tree.node(root).is_expanded {
            let position = self.position;
            let value = self.play_and_expand(root, &position, self.batch.min(self.most()), all.clone());
            self.spent += self.results.count();
            let node = self.tree.node_mut(root);
            node.visits += 1;
            node.sum -= value;
        }
        self.list_moves(&all);
        let threats = self.win_by_threats();
        for (cell, bounds) in self.seen_at_once().into_iter().chain(threats).chain(moves.iter().copied()) {
            self.learn(self.board.number(cell), bounds);
        }
        // What was seen of the position when it was a leaf says that it is won, but not by which move: so a win counts only
        // if a move is known that wins.
        let unknown = self.tree.unknown();
        let node = self.tree.node_mut(root);
        node.bounds =
            Bounds { at_least: unknown.at_least.max(value.at_least.min(Value::Draw)), ..node.bounds.and(value) };
        self.tree.conclude(root);
    }

    /// Adds the moves that were not worth listing while the root was a node among others.
    fn list_moves(&mut self, all: &[u16]) {
        let root = self.tree.root();
        let mut listed = vec![false; self.position.rules().cells()];
        self.tree.children(root).for_each(|child| listed[usize::from(self.tree.node(child).cell)] = true);
        self.tree.node(root).candidates().iter().for_each(|candidate| listed[usize::from(candidate.cell)] = true);
        let missing: Vec<u16> = all.iter().copied().filter(|&cell| !listed[usize::from(cell)]).collect();
        if !missing.is_empty() {
            // The best candidate comes last.
            let mut candidates: Vec<Candidate> =
                missing.into_iter().rev().map(|cell| Candidate { cell, prior: 0.0 }).collect();
            candidates.extend_from_slice(self.tree.node(root).candidates());
            self.tree.expand(root, candidates);
        }
    }

    /// Normal rules: the move with which a win by threats begins, if one is found.
    fn win_by_threats(&mut self) -> Option<(Cell, Bounds)> {
        if self.position.rules().reverse() {
            return None;
        }
        let sequence = threats::find(self.board, self.position.side() as usize, ROOT_THREAT_STONES)?;
        let bounds = Bounds { at_least: Value::Win(sequence.plies), ..Bounds::UNKNOWN };
        Some((self.board.cell(sequence.cells[0]), bounds))
    }

    /// Normal rules: the moves that leave the opponent a line to complete, where the side to move has none itself.
    fn seen_at_once(&self) -> Vec<(Cell, Bounds)> {
        let (me, other) = (self.position.side() as usize, !self.position.side() as usize);
        if self.position.rules().reverse() || self.board.lines_lacking(me, 1) > 0 {
            return Vec::new();
        }
        let gaps: Vec<u16> = self.board.completions(other).take(2).collect();
        let loses = |cell: &u16| gaps.len() > 1 || !gaps.contains(cell);
        let lost = self.board.empty_cells().filter(|cell| !gaps.is_empty() && loses(cell));
        lost.map(|cell| (self.board.cell(cell), Bounds::exactly(Value::Loss(2)))).collect()
    }

    /// Takes into account what is proven about a move of the root, if it is one to choose from.
    fn learn(&mut self, cell: u16, bounds: Bounds) {
        let root = self.tree.root();
        let child = self.tree.child(root, cell).or_else(|| {
            // Others will be looked at when their turn comes.
            let is_decided = bounds.at_most < Value::Draw || bounds.at_least >= Value::Draw;
            let number = self.tree.node(root).candidates().iter().position(|candidate| candidate.cell == cell)?;
            if is_decided { self.tree.open_nth(root, number) } else { None }
        });
        if let Some(child) = child {
            let node = self.tree.node_mut(child);
            let found = bounds.after_move();
            // What is supposed of a new node does not hold when the game is over there.
            node.bounds = if found.exact().is_some() { found } else { node.bounds.and(found) };
        }
    }

    /// The most playouts.
    fn most(&self) -> u64 {
        self.control.playouts().unwrap_or(u64::MAX)
    }

    /// Visits until a win or a loss is proven, nothing is left to be won or lost, the playouts are spent, or it is time to
    /// stop.
    pub fn go_on(&mut self, progress: &mut dyn FnMut(&super::Harvest)) {
        let root = self.tree.root();
        let has_lines = self.board.has_live_line(0) || self.board.has_live_line(1);
        let start = Instant::now();
        let (mut publishing, mut reporting) = (Pace::new(PUBLISH_INTERVAL), Pace::new(REPORT_INTERVAL));
        let mut visits: u32 = 0;
        while has_lines
            && self.spent < self.most()
            && self.tree.node(root).result().is_none()
            && self.control.check().is_ok()
            && !(visits.is_multiple_of(VISITS_BETWEEN_LOOKS) && self.is_decided(visits, start))
        {
            visits += 1;
            let before = self.results.count();
            self.visit(self.batch.min(self.most() - self.spent));
            // A leaf that is proven takes no playouts, but it must not be for nothing, or there might be no end.
            self.spent += (self.results.count() - before).max(1);
            if publishing.is_due() {
                self.publish();
            }
            if reporting.is_due() {
                progress(&self.harvest());
            }
        }
    }

    /// Whether the move with the most visits keeps that place, however the visits go that there is time for, and that time
    /// is of use later. `visits` is their number since `start`.
    fn is_decided(&self, visits: u32, start: Instant) -> bool {
        let Some(left) = self.control.time_to_save().filter(|_| visits > 0) else { return false };
        let to_come = f64::from(visits) * left.as_secs_f64() / start.elapsed().as_secs_f64().max(1e-9);
        let [mut most, mut second] = [0, 0];
        for child in self.tree.children(self.tree.root()) {
            let visits = self.tree.node(child).visits;
            if visits > most {
                (most, second) = (visits, most);
            } else {
                second = second.max(visits);
            }
        }
        f64::from(most - second) > to_come
    }

    /// Goes down the tree, looks at a leaf, and takes what it says back up.
    fn visit(&mut self, playouts: u64) {
        let mut path = vec![self.tree.root()];
        let mut position = self.position;
        let leaf = loop {
            let place = path[path.len() - 1];
            let node = self.tree.node(place);
            let child = if node.is_expanded && node.result().is_none() { self.choose(place) } else { None };
            let Some(child) = child else { break place };
            let cell = self.tree.node(child).cell;
            self.board.put(cell, position.side() as usize);
            position = position.after(self.board.cell(cell));
            path.push(child);
        };
        self.depth = self.depth.max(path.len() as u16 - 1);
        let before = self.tree.node(leaf).bounds;
        let value = self.look(leaf, &position, playouts);
        let has_news = self.tree.node(leaf).bounds != before;
        self.back_up(&path, value, has_news);
        let mut side = position.side();
        for &place in path[1..].iter().rev() {
            side = !side;
            let cell = self.tree.node(place).cell;
            self.board.take(cell, side as usize);
        }
    }

    /// Adds the value of a leaf to all nodes that led to it; and, as far as it changes anything there, what is proven.
    fn back_up(&mut self, path: &[Place], mut value: f64, mut has_news: bool) {
        for (height, &place) in path.iter().rev().enumerate() {
            if height > 0 {
                has_news = has_news && self.tree.conclude(place);
            }
            let node = self.tree.node_mut(place);
            if let Some(result) = node.result() {
                value = f64::from(result);
            }
            node.visits += 1;
            node.sum -= value;
            value = -value;
        }
    }
}
