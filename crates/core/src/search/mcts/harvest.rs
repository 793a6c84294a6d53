//! What a search of the tree has found.

use std::cmp::Ordering;

use crate::game::{Bounds, Cell, Value};
use crate::search::PlayoutResults;

use super::descent::Descent;
use super::tree::Place;

/// What the tree says about a move of its root.
#[derive(Clone, Debug)]
pub struct Judged {
    /// What is proven about the move, seen by the side that moves.
    pub bounds: Bounds,
    /// Visits to the move and what follows from it.
    pub visits: u32,
    /// The mean value of the visits, seen by the side that moves; that of the position without a visit.
    pub mean: f64,
    /// The move and what is expected to follow.
    pub variation: Vec<Cell>,
}

impl Judged {
    /// The move.
    pub fn cell(&self) -> Cell {
        self.variation[0]
    }

    /// Proven wins, the sooner the better, come before moves that may be worth anything, and proven losses, the later the
    /// better, last.
    fn class(&self) -> Value {
        let Bounds { at_least, at_most } = self.bounds;
        if at_least > Value::Draw { at_least } else { at_most.min(Value::Draw) }
    }

    /// The best comes first: of moves of the same class the one with the most visits, for many visits are a surer sign
    /// than a high mean of few.
    fn order(&self, other: &Judged) -> Ordering {
        let by_visits = || other.visits.cmp(&self.visits).then(other.mean.total_cmp(&self.mean));
        other.class().cmp(&self.class()).then_with(by_visits)
    }
}

/// What a search of the tree has found.
#[derive(Clone, Debug)]
pub struct Harvest {
    /// What is proven about the position.
    pub bounds: Bounds,
    /// All moves, the best first.
    pub moves: Vec<Judged>,
    /// How many of the first moves are equally good.
    pub ties: usize,
    /// How all playouts ended.
    pub results: PlayoutResults,
    /// Plies down to the deepest leaf that was looked at.
    pub depth: u16,
}

impl Harvest {
    /// Puts the moves that may be played before all others, which otherwise stay in order.
    pub fn prefer(&mut self, may_be_played: impl Fn(&Judged) -> bool) {
        self.moves.sort_by_key(|judged| !may_be_played(judged));
        self.ties = ties(&self.moves);
        let allowed = self.moves.iter().take_while(|judged| may_be_played(judged)).count();
        self.ties = self.ties.min(allowed.max(1));
    }
}

/// How many of the first moves are equally good.
fn ties(moves: &[Judged]) -> usize {
    let is_tied = |judged: &&Judged| judged.visits > 0 && judged.order(&moves[0]).is_eq();
    moves.iter().take_while(is_tied).count().max(1)
}

impl Descent<'_> {
    /// What has been found so far.
    pub fn harvest(&self) -> Harvest {
        let root = self.tree.root();
        let visited = self.tree.children(root).map(|child| {
            let mut judged = self.judged(child);
            judged.variation.extend(self.variation(child));
            judged
        });
        let mut moves: Vec<Judged> = visited.collect();
        moves.sort_by_key(Judged::cell);
        let node = self.tree.node(root);
        moves.extend(node.candidates().iter().rev().map(|candidate| {
            let variation = vec![self.board.cell(candidate.cell)];
            Judged { bounds: Bounds::UNKNOWN, visits: 0, mean: -node.mean(), variation }
        }));
        // A stable sort: what is equal stays in reading order, and unvisited moves in that of their priors.
        moves.sort_by(Judged::order);
        let is_worse_than_a_draw = |judged: &Judged| judged.mean < 0.0 && judged.bounds.at_least < Value::Draw;
        let draw =
            moves.iter().position(|judged| judged.class() == Value::Draw && judged.bounds.at_least == Value::Draw);
        if let Some(place) = draw.filter(|_| moves[0].class() == Value::Draw && is_worse_than_a_draw(&moves[0])) {
            moves[..=place].rotate_right(1);
        }
        Harvest { bounds: node.bounds, ties: ties(&moves), results: self.results, depth: self.depth, moves }
    }

    /// Tells the caller of the search the move that would be played now. Where a draw is announced, that is one that keeps
    /// it.
    pub fn publish(&self) {
        let visited = self.tree.children(self.tree.root()).map(|child| self.judged(child));
        let keeps = |judged: &Judged| self.announced < Value::Draw || judged.bounds.at_least >= Value::Draw;
        if let Some(best) = visited.filter(keeps).min_by(Judged::order) {
            self.control.publish(best.cell(), self.depth, best.mean);
        }
    }

    /// A visited move of the root, without what is expected to follow: finding that takes longer.
    fn judged(&self, child: Place) -> Judged {
        let node = self.tree.node(child);
        let variation = vec![self.board.cell(node.cell)];
        Judged { bounds: node.bounds.before_move(), visits: node.visits, mean: node.mean(), variation }
    }

    /// The moves that are expected after a node.
    fn variation(&self, place: Place) -> Vec<Cell> {
        let best = |place: &Place| {
            let visited = self.tree.children(*place).filter(|&child| self.tree.node(child).visits > 0);
            visited.max_by_key(|&child| {
                let node = self.tree.node(child);
                (std::cmp::Reverse(node.bounds.at_most.min(Value::Draw)), node.visits)
            })
        };
        std::iter::successors(best(&place), best).map(|place| self.board.cell(self.tree.node(place).cell)).collect()
    }
}
