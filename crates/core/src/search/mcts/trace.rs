//! The steps of a tree search, for people who watch it.

use crate::game::{Bounds, Cell, Score};
use crate::search::request::REPORT_INTERVAL;
use crate::search::{Control, Generator, PlayoutResults, SearchRequest, TraceEvent, two_plies};

use super::Mcts;
use super::search::MctsSearch;
use super::tree::{NodeId, ROOT};

/// The result of a tree search that was traced.
#[derive(Clone, PartialEq, Debug)]
pub struct TreeResult {
    /// The value of the position, seen by the side to move.
    pub score: Score,
    /// The move that the search would play.
    pub best: Cell,
    /// All moves in reading order.
    pub moves: Vec<TreeMove>,
    /// All playouts.
    pub playouts: u64,
    /// False if `control` has ended the search before its playouts were spent.
    pub is_finished: bool,
}

/// A move of the root. All is seen by the side that makes it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TreeMove {
    /// The move.
    pub cell: Cell,
    /// Its visits.
    pub visits: u32,
    /// The sum of the values of its visits.
    pub total: f64,
    /// Its prior.
    pub prior: f32,
    /// The proven part of its value. The move itself counts as a ply.
    pub proven: Option<Score>,
}

impl TreeMove {
    /// The mean value of its visits; 0 without a visit.
    pub fn mean(&self) -> f64 {
        self.total / f64::from(self.visits.max(1))
    }
}

impl Mcts {
    /// Searches a position in which the game goes on, in an empty tree and with what a look of two plies proves. Hands every
    /// step to `take`. There are events for every node of the tree.
    #[doc(hidden)]
    pub fn trace(
        &mut self,
        request: &SearchRequest,
        generator: &mut Generator,
        control: &Control,
        take: &mut dyn FnMut(TraceEvent),
    ) -> TreeResult {
        self.forget();
        let mut search = MctsSearch::new(self, request, generator, control);
        search.watcher = Some(take);
        search.prepare_root(Bounds::UNKNOWN, &two_plies::bounds_of_moves(request), request);
        search.run(&mut control.timer(REPORT_INTERVAL), &mut |_| {});
        let result = search.traced_result(request);
        self.forget();
        result
    }
}

impl MctsSearch<'_> {
    fn emit(&mut self, event: TraceEvent) {
        if let Some(watcher) = &mut self.watcher {
            watcher(event);
        }
    }

    /// Tells what comes before the first iteration: the value of the root, and its children.
    pub fn tell_root(&mut self, value: f64) {
        let children: Vec<NodeId> = self.tree.children(ROOT).collect();
        self.emit(TraceEvent::Iteration(0));
        self.emit(TraceEvent::Evaluate { ply: 0, value, results: self.evaluations.results, proven: None });
        for &child in children.iter().rev() {
            self.tell_selected(1, child);
            self.tell_updated(1, child);
        }
        self.tell_updated(0, ROOT);
    }

    /// Tells the way to a leaf, and its value. `before` are the results of all playouts before it was evaluated.
    pub fn tell_leaf(&mut self, path: &[NodeId], value: f64, before: PlayoutResults) {
        self.emit(TraceEvent::Iteration(self.iterations.into()));
        for (ply, &id) in (0..).zip(path).skip(1) {
            self.tell_selected(ply, id);
        }
        let ply = path.len() as u16 - 1;
        let PlayoutResults { wins, draws, losses } = self.evaluations.results;
        let (wins, draws, losses) = (wins - before.wins, draws - before.draws, losses - before.losses);
        // These are seen by the side to move at the root.
        let of_root = PlayoutResults { wins, draws, losses };
        let results = if ply.is_multiple_of(2) { of_root } else { of_root.turned() };
        let proven = Score::proven_by(self.tree.node(path[usize::from(ply)]).bounds);
        self.emit(TraceEvent::Evaluate { ply, value, results, proven });
    }

    /// Tells the update of the nodes of a path, from the leaf to the root.
    pub fn tell_backup(&mut self, path: &[NodeId]) {
        for (ply, &id) in path.iter().enumerate().rev() {
            self.tell_updated(ply as u16, id);
        }
    }

    fn tell_selected(&mut self, ply: u16, id: NodeId) {
        let node = self.tree.node(id);
        let (visits, mean, prior) = (node.visits, node.mean(), node.prior);
        self.emit(TraceEvent::Select { ply, cell: self.board.cell(self.tree.node(id).cell), visits, mean, prior });
    }

    fn tell_updated(&mut self, ply: u16, id: NodeId) {
        let node = self.tree.node(id);
        let Bounds { at_least, at_most } = node.bounds;
        let (visits, total) = (node.visits, node.sum);
        let proven = Score::proven_by(Bounds { at_least: -at_most, at_most: -at_least });
        self.emit(TraceEvent::Backup { ply, visits, total, proven });
    }

    fn traced_result(&self, request: &SearchRequest) -> TreeResult {
        let stats = self.root_stats();
        let best = &stats.moves[0];
        let estimate = || Score::Estimate(stats.bounds.limit(best.mean));
        let unvisited = &self.tree.node(ROOT).candidates;
        let of_move = |cell: Cell| {
            let number = self.board.number(cell);
            match self.tree.child(ROOT, number).map(|id| self.tree.node(id)) {
                Some(node) => {
                    let proven = Score::proven_by(node.bounds.before_move());
                    TreeMove { cell, visits: node.visits, total: node.sum, prior: node.prior, proven }
                }
                None => {
                    let prior = unvisited.iter().find(|candidate| candidate.cell == number);
                    let prior = prior.map_or(0.0, |candidate| candidate.prior);
                    TreeMove { cell, visits: 0, total: 0.0, prior, proven: None }
                }
            }
        };
        TreeResult {
            score: Score::proven_by(stats.bounds).unwrap_or_else(estimate),
            best: best.cell(),
            moves: request.moves().map(of_move).collect(),
            playouts: self.evaluations.results.count(),
            is_finished: self.is_complete(),
        }
    }
}
