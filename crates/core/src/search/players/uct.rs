//! Plain UCT: Monte Carlo tree search as textbooks have it, so that a lesson can show what playouts buy.
//!
//! The search repeats four steps:
//!
//! 1. **Select**: from the root down, the child with the highest upper confidence bound (UCB1), until a node has a child
//!    without a visit.
//! 2. **Expand**: one of the children without a visit is taken at random.
//! 3. **Play out**: the game goes on from there with uniformly random moves.
//! 4. **Backpropagate**: every node on the path counts the result.
//!
//! The move with the most visits is played. Nothing is proven, and no line is looked at: the tree search of strong play is
//! [`Mcts`](crate::search::Mcts). (L. Kocsis and C. Szepesvári, "Bandit based Monte-Carlo planning", ECML, 2006.)

use std::ops::Range;

use crate::game::{Cell, Position, Score};
use crate::search::request::{PUBLISH_INTERVAL, REPORT_INTERVAL};
use crate::search::{
    Generator, PlayoutResults, SearchContext, SearchRequest, SearchResult, Searcher, Variation, below,
};

/// The plain UCT player.
#[derive(Clone, Copy, Debug)]
pub struct Uct {
    exploration: f64,
    most_nodes: usize,
}

/// A node of the tree: the position after a move.
struct Node {
    cell: Cell,
    visits: u32,
    /// The results of its visits, for the player who made the move: 1 for a win, 1/2 for a draw, 0 for a loss.
    total: f64,
    /// The indices of its children; none while it is a leaf.
    children: Range<usize>,
}

impl Uct {
    /// The exploration constant of the original paper for results from 0 to 1, the square root of 2, shortened.
    pub const EXPLORATION: f64 = 1.4;

    /// A player with this exploration constant, at least 0. Its tree grows to `bytes` at most; then the playouts begin at
    /// its leaves.
    pub fn new(exploration: f64, bytes: usize) -> Uct {
        // A vector that grows may take twice the memory of what it holds.
        Uct { exploration, most_nodes: bytes / (2 * size_of::<Node>()) }
    }
}

/// Plays at least one playout.
impl Searcher for Uct {
    fn run(&mut self, SearchContext { request, generator, control, on_progress }: SearchContext<'_>) -> SearchResult {
        let mut search = UctSearch {
            uct: *self,
            request,
            generator,
            tree: Vec::new(),
            results: PlayoutResults::default(),
            depth: 1,
        };
        search.tree.push(Node::of(request.moves().next().expect("a game that goes on has a move")));
        search.expand(0, request.moves());
        let (mut publishing, mut reporting) = (control.timer(PUBLISH_INTERVAL), control.timer(REPORT_INTERVAL));
        while control.playouts.is_none_or(|most| search.results.count() < most)
            && (search.results.count() == 0 || control.check().is_ok())
        {
            search.iterate();
            if publishing.is_due() {
                let result = search.result(0);
                control.publish(result.lines[0].first_move(), result.depth, result.score.expected_result());
                if reporting.is_due() {
                    on_progress(&result);
                }
            }
        }
        let visits: Vec<u32> = search.tree[0].children.clone().map(|child| search.tree[child].visits).collect();
        let most = visits.iter().max();
        let ties = visits.iter().filter(|visits| Some(*visits) == most).count();
        let chosen = request.tiebreak.pick(ties, search.generator);
        search.result(chosen)
    }
}

impl Node {
    fn of(cell: Cell) -> Node {
        Node { cell, visits: 0, total: 0.0, children: 0..0 }
    }
}

/// A search in progress. The root is node 0.
struct UctSearch<'a> {
    uct: Uct,
    request: &'a SearchRequest,
    generator: &'a mut Generator,
    tree: Vec<Node>,
    /// The results of the playouts, seen by the side to move at the root.
    results: PlayoutResults,
    /// Plies down to the deepest leaf so far.
    depth: u16,
}

impl UctSearch<'_> {
    fn iterate(&mut self) {
        let mut path = vec![0];
        let mut position = self.request.position;
        loop {
            let id = path[path.len() - 1];
            if self.tree[id].children.is_empty() && self.tree[id].visits > 0 && position.outcome().is_none() {
                self.expand(id, position.moves());
            }
            let Some(child) = self.select(id) else { break };
            position = position.after(self.tree[child].cell);
            path.push(child);
        }
        self.depth = self.depth.max(path.len() as u16 - 1);
        let result = self.play_out(position);
        self.backpropagate(&path, result);
    }

    /// Gives a node its children, if the memory has room for them.
    fn expand(&mut self, id: usize, moves: impl Iterator<Item = Cell>) {
        let first = self.tree.len();
        if id == 0 || first < self.uct.most_nodes {
            self.tree.extend(moves.map(Node::of));
            self.tree[id].children = first..self.tree.len();
        }
    }

    /// The child to go to: one without a visit, at random, else the one with the highest UCB1. `None` at a leaf.
    fn select(&mut self, id: usize) -> Option<usize> {
        let (tree, generator) = (&self.tree, &mut *self.generator);
        let children = tree[id].children.clone();
        let new: Vec<usize> = children.clone().filter(|&child| tree[child].visits == 0).collect();
        if !new.is_empty() {
            return Some(new[below(generator, new.len() as u32) as usize]);
        }
        let log_visits = libm::log(f64::from(tree[id].visits));
        let bound = |child: usize| {
            let visits = f64::from(tree[child].visits);
            tree[child].total / visits + self.uct.exploration * (log_visits / visits).sqrt()
        };
        children.max_by(|&one, &two| bound(one).total_cmp(&bound(two)))
    }

    /// Plays a game to its end at random. Returns its result for the side to move at the root: 1, 1/2 or 0.
    fn play_out(&mut self, mut position: Position) -> f64 {
        let mut cells: Vec<Cell> = position.moves().collect();
        while position.outcome().is_none() {
            let chosen = below(self.generator, cells.len() as u32) as usize;
            position = position.after(cells.swap_remove(chosen));
        }
        let result = position.final_value().expect("the game is over").result();
        let result = if position.side() == self.request.position.side() { result } else { -result };
        match result {
            1.. => self.results.wins += 1,
            0 => self.results.draws += 1,
            ..0 => self.results.losses += 1,
        }
        f64::from(result + 1) / 2.0
    }

    /// Counts a result, seen by the side to move at the root, for every node on a path from the root.
    fn backpropagate(&mut self, path: &[usize], result: f64) {
        for (ply, &id) in path.iter().enumerate() {
            let node = &mut self.tree[id];
            node.visits += 1;
            // The moves of odd plies are those of the side to move at the root.
            node.total += if ply % 2 == 1 { result } else { 1.0 - result };
        }
    }

    /// The result so far. Of the moves with the most visits, the one at index `chosen` is played.
    fn result(&self, chosen: usize) -> SearchResult {
        let tree = &self.tree;
        let mut moves: Vec<usize> = tree[0].children.clone().collect();
        // A stable sort: moves with equal visits stay in reading order.
        moves.sort_by_key(|&child| std::cmp::Reverse(tree[child].visits));
        moves[..=chosen].rotate_right(1);
        let line = |first: usize| {
            let mut principal_variation = vec![tree[first].cell];
            let mut id = first;
            while let Some(next) = tree[id].children.clone().max_by_key(|&child| tree[child].visits) {
                if tree[next].visits == 0 {
                    break;
                }
                principal_variation.push(tree[next].cell);
                id = next;
            }
            let mean = tree[first].total / f64::from(tree[first].visits.max(1));
            let score = if tree[first].visits == 0 { 0.0 } else { 2.0 * mean - 1.0 };
            Variation { score: Score::Estimate(score), principal_variation, total: None }
        };
        let lines: Vec<Variation> = moves.into_iter().take(self.request.lines).map(line).collect();
        let result = SearchResult::new(lines[0].score, lines, self.depth, self.results.count());
        SearchResult { playouts: Some(self.results), ..result }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;
    use crate::search::{Control, Stream, ValueTable, generator};

    fn search(position: Position, playouts: u64, seed: u64) -> SearchResult {
        let request = SearchRequest::new(position);
        let control = Control::playouts_only(playouts);
        Uct::new(Uct::EXPLORATION, 1 << 20).search(&request, &mut generator(seed, Stream::Go(1)), &control, &mut |_| {})
    }

    /// Positions of 3x3 with two to four stones in which the game goes on.
    fn open_positions(reverse: bool, number: usize) -> Vec<Position> {
        let mut generator = generator(5, Stream::Opening(0));
        let start = Position::start(Rules::new(3, 3, reverse).expect("rules within range"));
        let walk = |_: usize| {
            let mut position = start;
            for _ in 0..2 + below(&mut generator, 3) {
                let moves: Vec<Cell> = position.moves().collect();
                position = position.after(moves[below(&mut generator, moves.len() as u32) as usize]);
            }
            position
        };
        (0..number).map(walk).collect()
    }

    #[test]
    fn more_playouts_keep_the_value_more_often() {
        for reverse in [false, true] {
            let positions = open_positions(reverse, 100);
            let table = ValueTable::for_rules(positions[0].rules()).expect("a small board");
            let mistakes = |playouts: u64| {
                let gives_value_away = |(number, position): &(usize, &Position)| {
                    let cell = search(**position, playouts, *number as u64).lines[0].first_move();
                    table.value(&position.after(cell)).before_move().result() != table.value(position).result()
                };
                positions.iter().enumerate().filter(gives_value_away).count()
            };
            let found = [10, 100, 5_000].map(mistakes);
            assert!(found[0] > found[1] && found[1] > found[2] && found[2] <= 1, "{found:?}");
        }
    }

    #[test]
    fn visits_and_results_add_up_in_a_tree_of_any_size() {
        let start = Position::start(Rules::new(4, 3, false).expect("rules within range"));
        for bytes in [0, 1 << 12, 1 << 20] {
            let request = SearchRequest { lines: SearchRequest::EVERY_MOVE, ..SearchRequest::new(start) };
            let control = Control::playouts_only(3_000);
            let mut uct = Uct::new(Uct::EXPLORATION, bytes);
            let result = uct.search(&request, &mut generator(1, Stream::Go(1)), &control, &mut |_| {});
            let playouts = result.playouts.expect("it plays out");
            assert_eq!((playouts.count(), result.nodes, result.lines.len()), (3_000, 3_000, 16));
            // The first player wins, and so do most of the playouts.
            assert!(result.score.expected_result() > 0.2 && playouts.mean() > 0.0, "{result:?}");
            assert_eq!(result.depth == 1, bytes == 0, "{}", result.depth);
        }
    }
}
