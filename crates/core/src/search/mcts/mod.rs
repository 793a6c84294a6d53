//! Monte Carlo tree search: strong play where no proof is in reach.
//!
//! The search repeats one iteration of four steps ([`search`]):
//!
//! 1. **Select** a leaf: from the root down, each time the child with the highest PUCT value.
//! 2. **Evaluate** it by a batch of random playouts and by the live lines of both players, or by a [`network`]
//!    ([`evaluation`]).
//! 3. **Expand** it: list its moves with their priors, which come from the lines or the network, and under reverse rules
//!    from the playouts too ([`prior`]). A child node is made when it is selected for the first time ([`tree`]).
//! 4. **Backpropagate** the value, and what is proven, to all nodes on the path.
//!
//! Proofs and estimates are kept apart. Every node has bounds on its exact value, distance to the end included. The end
//! of the game, forced replies and wins by threats ([`FourSearch`]) tighten the bounds of a leaf. The bounds of a parent
//! follow from those of its moves. A win is first proven *within* a number of plies; it is exact once all shorter wins
//! are excluded. (M. H. M. Winands, Y. Björnsson and J.-T. Saito, "Monte-Carlo Tree Search Solver", Computers and Games,
//! 2008, for wins and losses without distances.)
//!
//! The search uses one thread. Time decides only when it ends, so a seed and a number of playouts give the same answer.

mod evaluation;
mod near;
mod network;
mod prior;
mod root_stats;
mod search;
#[cfg(test)]
mod tests;
mod trace;
mod tree;

use crate::game::{Bounds, Cell, Position, Rules, Value};

use super::request::IntervalTimer;
use super::{Control, Generator, SearchRequest};

use super::line_board::LineBoard;
use super::proof::threats::FourSearch;
use network::Network;
use search::MctsSearch;
use tree::{NodeId, ROOT, Tree};

pub use root_stats::{Evaluations, MoveStats, RootStats};
pub use trace::{TreeMove, TreeResult};

/// Monte Carlo tree search. The tree is kept from one move of a game to the next.
pub struct Mcts {
    rules: Rules,
    board: LineBoard,
    network: Option<Network>,
    fours: FourSearch,
    tree: Tree,
    /// The position at the root of the tree; `None` when the next search must start with an empty tree.
    root: Option<Position>,
}

impl Mcts {
    /// An empty tree that may grow to `bytes`.
    pub fn new(rules: Rules, bytes: usize) -> Mcts {
        // The side to move can complete a line with this move at the soonest, its opponent with the next.
        let unknown = if rules.completer_wins() {
            Bounds { at_least: Value::Loss(2), at_most: Value::Win(1) }
        } else {
            Bounds { at_least: Value::Loss(1), at_most: Value::Win(2) }
        };
        Mcts {
            rules,
            board: LineBoard::new(rules),
            network: Network::new(rules),
            fours: FourSearch::new(),
            tree: Tree::new(bytes, unknown),
            root: None,
        }
    }

    /// The rules of its positions.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Drops the tree of earlier searches. The next result then depends on its request alone.
    pub fn forget(&mut self) {
        self.root = None;
        self.fours.forget();
    }

    /// Searches a position in which the game goes on, with at least one playout.
    ///
    /// `value` and `moves` hold what is proven about the position and its moves, and at least what a look of two plies
    /// proves. A win or a draw must come with a move that keeps it.
    ///
    /// Calls `progress` when `reporting` is due: a timer of the caller, which may search in several parts.
    ///
    /// A request with `root_moves` gets a tree of its own, because its root lists only a part of the moves.
    pub(super) fn search(
        &mut self,
        request: &SearchRequest,
        (value, moves): (Bounds, &[(Cell, Bounds)]),
        generator: &mut Generator,
        control: &Control,
        (reporting, progress): (&mut IntervalTimer, &mut dyn FnMut(&RootStats)),
    ) -> RootStats {
        let is_whole = request.root_moves.is_none();
        if !is_whole {
            self.forget();
        }
        let mut search = MctsSearch::new(self, request, generator, control);
        search.prepare_root(value, moves, request);
        search.run(reporting, progress);
        let root_stats = search.root_stats();
        if !is_whole {
            self.forget();
        }
        root_stats
    }

    /// Makes a position the root. The subtree of the position is kept if there is one and enough memory is left.
    fn make_root(&mut self, position: &Position) {
        self.board.set_up(position);
        let id = self.root.and_then(|root| self.find_node(ROOT, &root, position));
        if let Some(id) = id {
            self.tree.keep_subtree(id);
        }
        if id.is_none() || self.tree.is_crowded() {
            self.tree.reset();
        }
        self.root = Some(*position);
    }

    /// The node of `to`, if moves of the tree lead there from the node `id` of the position `from`.
    fn find_node(&self, id: NodeId, from: &Position, to: &Position) -> Option<NodeId> {
        if from == to {
            return Some(id);
        }
        if from.outcome().is_some() || from.empty_cells() <= to.empty_cells() {
            return None;
        }
        self.tree.children(id).find_map(|child| {
            let cell = self.board.cell(self.tree.node(child).cell);
            let is_on_the_way = to.occupant(cell) == Some(from.side());
            if is_on_the_way { self.find_node(child, &from.after(cell), to) } else { None }
        })
    }
}

/// Parameters that change the strength of the search, not its correctness. They were tuned in matches
/// (docs/search-notes.md).
#[derive(Clone, Copy, Debug)]
struct Tuning {
    /// The weight of the exploration term of PUCT.
    exploration: f64,
    /// The first play urgency (FPU) reduction: how much worse than its parent's mean an unvisited move is assumed to be.
    first_play_urgency_reduction: f64,
    /// The softmax temperature of the totals: the difference per playout that makes the larger total weigh e times as
    /// much.
    temperature: f64,
    /// The share of the lines in the prior, from 0 to 1. The totals have the rest.
    line_prior: f64,
    /// The weight of the opponent's lines through a cell in the prior. Those of the side to move have weight 1.
    other_lines: f64,
    /// The share of the network in the prior, where it fits. The lines have the rest.
    network_prior: f64,
    /// The factor for the prior of a move that is far from all stones, on a large board.
    far: f64,
    /// The share of the lines in the value of a leaf, from 0 to 1. The playouts have the rest.
    line_value: f64,
    /// The weight of the lines of the side to move in the value of a leaf. Those of its opponent have weight 1.
    tempo: f64,
    /// Added to the weight of all lines before an advantage is divided by it. So an advantage counts less where little is
    /// left to be won.
    at_stake: f64,
    /// The budget of the threat search at a leaf, in nodes.
    threat_nodes: u32,
    /// The playouts of a leaf where time is the limit. A search with a bound on its playouts plays at least a few at a leaf,
    /// and at most this many if that is more. Under normal rules more leaves are worth more than more playouts.
    batch: u64,
}

impl Tuning {
    /// Normal rules: lines predict the result better than playouts.
    const NORMAL: Tuning = Tuning {
        exploration: 1.0,
        first_play_urgency_reduction: 0.2,
        temperature: 0.1,
        line_prior: 1.0,
        other_lines: 1.0,
        network_prior: 0.98,
        far: 0.01,
        line_value: 0.9,
        tempo: 1.2,
        at_stake: 400.0,
        threat_nodes: 100,
        batch: 1,
    };

    /// Five in a row, where the network knows more of a position than its lines.
    const NETWORK: Tuning = Tuning { exploration: 1.4, first_play_urgency_reduction: 0.05, ..Tuning::NORMAL };

    /// Reverse rules: playouts predict the result better than lines, and there are no threats.
    const REVERSE: Tuning = Tuning {
        exploration: 1.0,
        line_prior: 0.5,
        far: 1.0,
        line_value: 0.0,
        threat_nodes: 0,
        batch: 512,
        ..Tuning::NORMAL
    };

    /// The parameters for these rules.
    fn for_rules(rules: Rules) -> &'static Tuning {
        match rules.completer_wins() {
            true if Network::fits(rules) => &Tuning::NETWORK,
            true => &Tuning::NORMAL,
            false => &Tuning::REVERSE,
        }
    }
}
