//! One search: iterations of select, evaluate and expand, backpropagate.

use std::time::Duration;

use crate::game::{Bounds, Cell, Position, Value};
use crate::search::line_board::LineBoard;
use crate::search::playout::PlayoutBoard;
use crate::search::proof::threats::FourSearch;
use crate::search::request::{IntervalTimer, PUBLISH_INTERVAL};
use crate::search::{Control, Generator, SearchRequest, TraceEvent, below};

use super::network::Network;
use super::tree::{Candidate, NodeId, ROOT, Tree};
use super::{Evaluations, Mcts, Tuning};

/// The smallest batch, playouts of one leaf, of a search with a bound on its playouts.
const SMALLEST_BATCH: u64 = 8;

/// A search with a bound on its playouts divides them into at least this many batches, if none gets too small.
const BATCHES: u64 = 256;

/// Where the network fits and time is the limit, one leaf of this many is played out.
const LEAVES_FOR_A_PLAYOUT: u32 = 16;

/// Iterations between two checks whether the search may end early.
const ITERATIONS_BETWEEN_CHECKS: u32 = 64;

/// The budget of the threat search at the root, in nodes. The root is searched once, so it may cost more than a leaf.
const ROOT_THREAT_NODES: u32 = 1_000;

/// A search in progress.
pub struct MctsSearch<'a> {
    pub board: &'a mut LineBoard,
    pub network: Option<&'a Network>,
    pub fours: &'a mut FourSearch,
    pub tree: &'a mut Tree,
    pub generator: &'a mut Generator,
    pub control: &'a Control,
    /// Plays the games of the leaves, where they are few.
    pub playouts: PlayoutBoard,
    /// The position at the root.
    pub position: Position,
    /// How the leaves were evaluated.
    pub evaluations: Evaluations,
    pub tuning: &'static Tuning,
    /// Playouts of a leaf.
    batch: u64,
    /// Playouts so far, plus one for every iteration without playouts.
    spent: u64,
    /// The path from the root to the position on the board.
    shown: Vec<NodeId>,
    /// Plies down to the deepest leaf so far.
    pub depth: u16,
    /// The lower bound that the caller announces for the position.
    pub announced: Value,
    /// Gets every step, if the search is traced.
    pub watcher: Option<&'a mut dyn FnMut(TraceEvent)>,
    /// The iterations so far.
    pub iterations: u32,
}

impl<'a> MctsSearch<'a> {
    /// A search that makes the position of a request the root of the tree.
    pub fn new(
        mcts: &'a mut Mcts,
        request: &SearchRequest,
        generator: &'a mut Generator,
        control: &'a Control,
    ) -> MctsSearch<'a> {
        let position = request.position;
        mcts.make_root(&position);
        let Mcts { board, network, fours, tree, .. } = mcts;
        let tuning = Tuning::for_rules(position.rules());
        let largest = tuning.batch;
        let batch = control.playouts.map_or(largest, |playouts| (playouts / BATCHES).min(largest).max(SMALLEST_BATCH));
        let announced = tree.unknown.at_least;
        MctsSearch {
            board,
            network: network.as_ref(),
            fours,
            tree,
            generator,
            control,
            playouts: PlayoutBoard::new(&position),
            position,
            evaluations: Evaluations::default(),
            tuning,
            batch,
            spent: 0,
            shown: vec![ROOT],
            depth: 1,
            announced,
            watcher: None,
            iterations: 0,
        }
    }

    /// Expands the root with all moves of the request, and adds what is proven about the position and its moves.
    pub fn prepare_root(&mut self, value: Bounds, moves: &[(Cell, Bounds)], request: &SearchRequest) {
        self.announced = value.at_least;
        let mut of_root = 0.0;
        let mut all: Vec<u16> = request.moves().map(|cell| self.board.number(cell)).collect();
        // Of equal moves, none is more likely than another to be visited first.
        for place in 1..all.len() {
            all.swap(place, below(self.generator, place as u32 + 1) as usize);
        }
        if !self.tree.node(ROOT).is_expanded {
            let position = self.position;
            let value = self.play_and_expand(ROOT, &position, self.batch.min(self.max_playouts()), all.clone());
            self.spent += self.evaluations.results.count();
            let node = self.tree.node_mut(ROOT);
            node.visits += 1;
            node.sum -= value;
            of_root = value;
        }
        self.list_moves(&all);
        let threats = self.win_by_threats();
        for (cell, bounds) in moves.iter().copied().chain(threats) {
            self.add_proven_move(self.board.number(cell), bounds);
        }
        // The static evaluation of a leaf can prove a win without naming the move. At the root, a win counts only with a
        // move that is known to win.
        let unknown = self.tree.unknown;
        let node = self.tree.node_mut(ROOT);
        node.bounds =
            Bounds { at_least: unknown.at_least.max(value.at_least.min(Value::Draw)), ..node.bounds.and(value) };
        self.tree.update_bounds(ROOT);
        if self.watcher.is_some() {
            self.tell_root(of_root);
        }
    }

    /// Adds the moves that the root does not list yet. As a leaf, it listed only those that were worth a visit.
    fn list_moves(&mut self, all: &[u16]) {
        let mut listed = vec![false; self.position.rules().cells()];
        self.tree.children(ROOT).for_each(|child| listed[usize::from(self.tree.node(child).cell)] = true);
        self.tree.node(ROOT).candidates.iter().for_each(|candidate| listed[usize::from(candidate.cell)] = true);
        let missing = all.iter().filter(|&&cell| !listed[usize::from(cell)]);
        // The best candidate comes last.
        let mut candidates: Vec<Candidate> = missing.rev().map(|&cell| Candidate { cell, prior: 0.0 }).collect();
        candidates.extend_from_slice(&self.tree.node(ROOT).candidates);
        self.tree.expand(ROOT, candidates, None);
    }

    /// The first move of a win by threats, if one is found. Normal rules only.
    fn win_by_threats(&mut self) -> Option<(Cell, Bounds)> {
        if !self.position.rules().completer_wins() {
            return None;
        }
        let sequence = self.fours.find(self.board, self.position.side() as usize, &mut { ROOT_THREAT_NODES })?;
        let bounds = Bounds { at_least: Value::Win(sequence.plies()), ..Bounds::UNKNOWN };
        Some((self.board.cell(sequence.first()), bounds))
    }

    /// Tightens the bounds of a move of the root, if the root lists it.
    fn add_proven_move(&mut self, cell: u16, bounds: Bounds) {
        let child = self.tree.child(ROOT, cell).or_else(|| {
            // A move that is not decided gets a node when it is selected.
            let is_decided = bounds.at_most < Value::Draw || bounds.at_least >= Value::Draw;
            let number = self.tree.node(ROOT).candidates.iter().position(|candidate| candidate.cell == cell)?;
            if is_decided { self.tree.add_nth_child(ROOT, number) } else { None }
        });
        if let Some(child) = child {
            let node = self.tree.node_mut(child);
            let found = bounds.after_move();
            // The bounds of a new node assume that the game goes on, which is false where `found` is exact.
            node.bounds = if found.exact().is_some() { found } else { node.bounds.and(found) };
        }
    }

    /// The bound on the playouts.
    fn max_playouts(&self) -> u64 {
        self.control.playouts.unwrap_or(u64::MAX)
    }

    /// Iterates until a win or a loss is proven, no live line is left, the playouts are spent, or `control` ends it. Reports
    /// progress when `reporting` is due.
    pub fn run(&mut self, reporting: &mut IntervalTimer, progress: &mut dyn FnMut(&super::RootStats)) {
        let has_lines = self.has_lines();
        let start = self.control.now();
        let mut publishing = self.control.timer(PUBLISH_INTERVAL);
        while has_lines
            && !self.is_spent_or_proven()
            && self.control.check().is_ok()
            && !(self.iterations.is_multiple_of(ITERATIONS_BETWEEN_CHECKS) && self.is_decided(start))
        {
            self.iterations += 1;
            let before = self.evaluations.results.count();
            self.iterate(if self.plays_out() { self.batch.min(self.max_playouts() - self.spent) } else { 0 });
            // A proven leaf takes no playouts. It still costs one, or the search might never end.
            self.spent += (self.evaluations.results.count() - before).max(1);
            if publishing.is_due() {
                self.publish();
            }
            if reporting.is_due() {
                progress(&self.root_stats());
            }
        }
        self.show(&[ROOT]);
    }

    /// True if the next leaf is played out. Where the network fits, the value of a leaf takes no playouts, and a few of them
    /// are enough for the shares of wins, draws and losses that a result has. A bound on the playouts is a budget: then all
    /// leaves are played out.
    fn plays_out(&self) -> bool {
        let all = self.network.is_none() || self.control.playouts.is_some();
        all || self.iterations.is_multiple_of(LEAVES_FOR_A_PLAYOUT)
    }

    fn has_lines(&self) -> bool {
        self.board.has_live_line(0) || self.board.has_live_line(1)
    }

    fn is_spent_or_proven(&self) -> bool {
        self.spent >= self.max_playouts() || self.tree.node(ROOT).result().is_some()
    }

    /// True if the search has come to its end, and was not ended by `control`.
    pub fn is_complete(&self) -> bool {
        !self.has_lines() || self.is_spent_or_proven()
    }

    /// True if time can be saved for later moves, and no other move can get more visits than the leader in the time
    /// that is left. The iterations began at `start`.
    fn is_decided(&self, start: Duration) -> bool {
        let Some(left) = self.control.time_to_save().filter(|_| self.iterations > 0) else { return false };
        let to_come = f64::from(self.iterations) * left.as_secs_f64()
            / self.control.now().saturating_sub(start).as_secs_f64().max(1e-9);
        let [mut most, mut second] = [0, 0];
        for child in self.tree.children(ROOT) {
            let visits = self.tree.node(child).visits;
            if visits > most {
                (most, second) = (visits, most);
            } else {
                second = second.max(visits);
            }
        }
        f64::from(most - second) > to_come
    }

    /// One iteration: selects a leaf, evaluates and expands it, backpropagates its value.
    fn iterate(&mut self, playouts: u64) {
        let (path, position) = self.select();
        self.show(&path);
        let leaf = path[path.len() - 1];
        self.depth = self.depth.max(path.len() as u16 - 1);
        let before = self.tree.node(leaf).bounds;
        let results = self.evaluations.results;
        let value = self.evaluate(leaf, &position, playouts);
        let has_news = self.tree.node(leaf).bounds != before;
        if self.watcher.is_some() {
            self.tell_leaf(&path, value, results);
        }
        self.backpropagate(&path, value, has_news);
        if self.watcher.is_some() {
            self.tell_backup(&path);
        }
    }

    /// Goes from the root to a leaf: the nodes on the path, and the position at the leaf.
    fn select(&mut self) -> (Vec<NodeId>, Position) {
        let mut path = vec![ROOT];
        let mut position = self.position;
        loop {
            let id = path[path.len() - 1];
            let node = self.tree.node(id);
            let child = if node.is_expanded && node.result().is_none() { self.select_child(id) } else { None };
            let Some(child) = child else { return (path, position) };
            position = position.after(self.board.cell(self.tree.node(child).cell));
            path.push(child);
        }
    }

    /// The child with the highest PUCT value: its mean value plus an exploration term. That term grows with the prior of
    /// the child and falls with its visits. Children that are proven to be won or lost are left out; `None` when there are
    /// no others.
    ///
    /// An unvisited move gets the value of its parent less the first play urgency (FPU) reduction. The reduction grows
    /// with the priors of the siblings that have been visited.
    ///
    /// (C. D. Rosin, "Multi-armed bandits with episode context", Annals of Mathematics and Artificial
    /// Intelligence 61, 2011; in the form of D. Silver et al., "Mastering the game of Go without human knowledge", Nature
    /// 550, 2017.)
    fn select_child(&mut self, id: NodeId) -> Option<NodeId> {
        let node = self.tree.node(id);
        let exploration = self.tuning.exploration * f64::from(node.visits.max(1)).sqrt();
        let mut best: Option<(f64, NodeId)> = None;
        let mut visited = 0.0;
        for child in self.tree.children(id) {
            let node = self.tree.node(child);
            visited += f64::from(node.prior);
            if node.result().is_some() {
                continue;
            }
            let puct = node.mean() + exploration * f64::from(node.prior) / f64::from(1 + node.visits);
            if best.is_none_or(|(highest, _)| puct > highest) {
                best = Some((puct, child));
            }
        }
        let unvisited = node.next_candidate().map(|candidate| {
            let value = -node.mean() - self.tuning.first_play_urgency_reduction * visited.sqrt();
            value + exploration * f64::from(candidate.prior)
        });
        let prefers_unvisited = unvisited.is_some_and(|puct| best.is_none_or(|(highest, _)| puct > highest));
        let added = if prefers_unvisited { self.tree.add_child(id) } else { None };
        added.or(best.map(|(_, child)| child))
    }

    /// Changes the board to the end of a path. Only the stones in which it differs from the last one are moved.
    fn show(&mut self, path: &[NodeId]) {
        let common = self.shown.iter().zip(path).take_while(|(shown, id)| shown == id).count();
        let side = |ply: usize| (self.position.side() as usize + ply + 1) % 2;
        for (ply, id) in self.shown.drain(common..).enumerate().rev() {
            self.board.take(self.tree.node(id).cell, side(common + ply));
        }
        for (ply, &id) in path.iter().enumerate().skip(common) {
            self.board.put(self.tree.node(id).cell, side(ply));
        }
        self.shown.extend(&path[common..]);
    }

    /// Adds the value of a leaf to all nodes on its path. Their bounds are updated as far up as they change. Once a win or a
    /// loss is proven, the visits before the proof count as that result too, here and in all nodes above.
    fn backpropagate(&mut self, path: &[NodeId], mut value: f64, mut has_news: bool) {
        // What the proof changes in a sum beyond the value of this visit.
        let mut correction = 0.0;
        for (height, &id) in path.iter().rev().enumerate() {
            if height > 0 {
                has_news = has_news && self.tree.update_bounds(id);
            }
            let node = self.tree.node_mut(id);
            if let Some(result) = node.result() {
                value = f64::from(result);
                correction = -value * f64::from(node.visits) - node.sum;
            }
            node.visits += 1;
            node.sum += correction - value;
            (value, correction) = (-value, -correction);
        }
    }
}
