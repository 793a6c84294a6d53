//! The statistics of the root and its moves: what a search of the tree has found.

use std::cmp::{Ordering, Reverse};

use crate::game::{Bounds, Cell, Value};
use crate::search::PlayoutResults;
use crate::search::proof::RootBounds;

use super::search::MctsSearch;
use super::tree::{Candidate, NodeId, ROOT};

/// The statistics of a move of the root.
#[derive(Clone, Debug)]
pub struct MoveStats {
    /// The proven bounds of the move, seen by the side that moves.
    pub bounds: Bounds,
    /// Visits to the move and what follows from it.
    pub visits: u32,
    /// The mean value of the visits, seen by the side that moves. Without a visit, the mean value of the root.
    pub mean: f64,
    /// The move and what is expected to follow.
    pub variation: Vec<Cell>,
}

impl MoveStats {
    /// The move.
    pub fn cell(&self) -> Cell {
        self.variation[0]
    }

    /// The best move comes first. Among moves of which the same is proven, that is the one with the most visits: the mean of
    /// few visits is unreliable.
    fn order(&self, other: &MoveStats) -> Ordering {
        let by_visits = || other.visits.cmp(&self.visits).then(other.mean.total_cmp(&self.mean));
        other.bounds.preference().cmp(&self.bounds.preference()).then_with(by_visits)
    }
}

/// How the leaves of a search were evaluated, but for those that are proven.
#[derive(Clone, Copy, Default, Debug)]
pub struct Evaluations {
    /// The results of all playouts, seen by the side to move at the root.
    pub results: PlayoutResults,
    /// The leaves that the network has judged without a playout.
    pub judged: u64,
}

impl Evaluations {
    /// Their number: it counts playouts and judged leaves.
    pub fn count(&self) -> u64 {
        self.results.count() + self.judged
    }
}

impl std::ops::AddAssign for Evaluations {
    fn add_assign(&mut self, other: Evaluations) {
        self.results += other.results;
        self.judged += other.judged;
    }
}

/// The statistics of the root.
#[derive(Clone, Debug)]
pub struct RootStats {
    /// The proven bounds of the position.
    pub bounds: Bounds,
    /// All moves, the best first.
    pub moves: Vec<MoveStats>,
    /// The number of first moves that are equally good.
    pub ties: usize,
    /// How the leaves were evaluated.
    pub evaluations: Evaluations,
    /// Plies from the root to the deepest leaf.
    pub depth: u16,
}

impl RootStats {
    /// Adds what else is proven about the moves. The moves that may then be played come first, within both groups sorted by
    /// what is proven; the order stays otherwise.
    pub fn tighten(&mut self, known: &RootBounds) {
        for (cell, bounds) in &known.moves {
            if let Some(stats) = self.moves.iter_mut().find(|stats| stats.cell() == *cell) {
                stats.bounds = stats.bounds.and(*bounds);
            }
        }
        self.moves.sort_by_key(|stats| (!known.allows(stats.bounds), Reverse(stats.bounds.preference())));
        let allowed = self.moves.iter().take_while(|stats| known.allows(stats.bounds)).count();
        self.ties = ties(&self.moves).min(allowed.max(1));
    }
}

/// The number of first moves that are equally good.
fn ties(moves: &[MoveStats]) -> usize {
    let is_tied = |stats: &&MoveStats| stats.visits > 0 && stats.order(&moves[0]).is_eq();
    moves.iter().take_while(is_tied).count().max(1)
}

impl MctsSearch<'_> {
    /// The statistics so far.
    pub fn root_stats(&self) -> RootStats {
        let visited = self.tree.children(ROOT).map(|child| {
            let mut stats = self.move_stats(child);
            stats.variation.extend(self.variation(child));
            stats
        });
        let mut moves: Vec<MoveStats> = visited.collect();
        moves.sort_by_key(MoveStats::cell);
        let node = self.tree.node(ROOT);
        moves.extend(node.candidates.iter().rev().map(|candidate| self.unvisited_stats(candidate)));
        // A stable sort: equal moves stay in reading order, unvisited moves in the order of their priors.
        moves.sort_by(MoveStats::order);
        let is_worse_than_a_draw = |stats: &MoveStats| stats.mean < 0.0 && stats.bounds.at_least < Value::Draw;
        let draw = moves.iter().position(|stats| stats.bounds.at_least == Value::Draw);
        if let Some(index) = draw.filter(|_| is_worse_than_a_draw(&moves[0])) {
            moves[..=index].rotate_right(1);
        }
        let MctsSearch { evaluations, depth, .. } = *self;
        RootStats { bounds: node.bounds, ties: ties(&moves), evaluations, depth, moves }
    }

    /// Publishes the move that would be played now. If a draw is announced, only a move that keeps it is published.
    pub fn publish(&self) {
        let visited = self.tree.children(ROOT).map(|child| self.move_stats(child));
        let unvisited = self.tree.node(ROOT).next_candidate().map(|candidate| self.unvisited_stats(&candidate));
        let keeps = |stats: &MoveStats| self.announced < Value::Draw || stats.bounds.at_least >= Value::Draw;
        if let Some(best) = visited.chain(unvisited).filter(keeps).min_by(MoveStats::order) {
            self.control.publish(best.cell(), self.depth, best.mean);
        }
    }

    /// The statistics of a visited move. The variation is the move alone, because finding the rest takes longer.
    fn move_stats(&self, child: NodeId) -> MoveStats {
        let node = self.tree.node(child);
        let variation = vec![self.board.cell(node.cell)];
        MoveStats { bounds: node.bounds.before_move(), visits: node.visits, mean: node.mean(), variation }
    }

    fn unvisited_stats(&self, candidate: &Candidate) -> MoveStats {
        let mean = -self.tree.node(ROOT).mean();
        MoveStats { bounds: Bounds::UNKNOWN, visits: 0, mean, variation: vec![self.board.cell(candidate.cell)] }
    }

    /// The moves that are expected after a node.
    fn variation(&self, id: NodeId) -> Vec<Cell> {
        let best = |id: &NodeId| {
            let visited = self.tree.children(*id).filter(|&child| self.tree.node(child).visits > 0);
            visited.max_by_key(|&child| {
                let node = self.tree.node(child);
                (Reverse(node.bounds.at_most.min(Value::Draw)), node.visits)
            })
        };
        std::iter::successors(best(&id), best).map(|id| self.board.cell(self.tree.node(id).cell)).collect()
    }
}
