//! Monte Carlo tree search: strong play where no proof is in reach.
//!
//! A visit goes down the tree to a leaf, by the rule of [`selection`]; looks at it; and takes what it finds back up. What
//! a leaf is worth is told by a batch of random playouts and by the lines that both players have in it ([`leaf`]). The
//! same playouts and lines say which of its moves are promising ([`prior`]): the squares that won games, as the flat
//! player counts them, and the lines through a cell, by the stones that they lack.
//!
//! What is proven is kept apart from what is estimated. Every node has bounds on its exact value, distance included; the
//! end of the game, forced replies and wins by threats ([`threats`]) tighten them, and a parent is worth what its best move
//! is worth. So a value is called exact only if it is: a win that is found is one *within* so many plies,
//! until all shorter ones are excluded. (M. H. M. Winands, Y. Björnsson and J.-T. Saito, "Monte-Carlo Tree Search Solver",
//! Computers and Games, 2008, for wins and losses without distances.)
//!
//! One thread; no choice depends on time, but when to stop; so a seed and a number of playouts give the same answer.

mod descent;
mod harvest;
mod leaf;
mod lines;
mod prior;
mod selection;
#[cfg(test)]
mod tests;
mod threats;
mod tree;
mod tuning;

use crate::game::{Bounds, Cell, Position, Rules, Value};

use super::{Control, Generator, SearchRequest};

use descent::Descent;
use lines::LineBoard;
use tree::{Place, Tree};

pub use harvest::{Harvest, Judged};
pub(super) use lines::weight_of_line;

/// The tree of a game, from move to move.
pub struct Mcts {
    rules: Rules,
    board: LineBoard,
    tree: Tree,
    /// The position at the root of the tree; `None` when the tree is to begin anew.
    root: Option<Position>,
}

impl Mcts {
    /// No tree yet, in at most so many bytes.
    pub fn new(rules: Rules, bytes: usize) -> Mcts {
        // Who is to move completes a line with this move at the soonest, its opponent with the next.
        let unknown = if rules.value_after_line() == Value::Loss(0) {
            Bounds { at_least: Value::Loss(2), at_most: Value::Win(1) }
        } else {
            Bounds { at_least: Value::Loss(1), at_most: Value::Win(2) }
        };
        Mcts { rules, board: LineBoard::new(rules), tree: Tree::new(bytes, unknown), root: None }
    }

    /// The rules of its positions.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Leaves everything out of account that earlier searches have left behind, so that the next one depends on nothing
    /// but what it is asked.
    pub fn forget(&mut self) {
        self.root = None;
    }

    /// Searches a position in which the game goes on, of which `value` and `moves` say what is proven: a win or a draw only
    /// together with a move that keeps it. There is at least one playout.
    ///
    /// Where the moves to choose from are listed, the tree is made anew and given up afterwards: its root stands for a part
    /// of the moves.
    pub(super) fn search(
        &mut self,
        request: &SearchRequest,
        (value, moves): (Bounds, &[(Cell, Bounds)]),
        generator: &mut Generator,
        control: &Control,
        progress: &mut dyn FnMut(&Harvest),
    ) -> Harvest {
        let is_whole = request.root_moves.is_none();
        if !is_whole {
            self.forget();
        }
        self.make_root(&request.position);
        let mut descent = Descent::new(&mut self.board, &mut self.tree, generator, control, request.position);
        descent.begin(value, moves, request);
        descent.go_on(progress);
        let harvest = descent.harvest();
        if !is_whole {
            self.forget();
        }
        harvest
    }

    /// Makes a position the root: by cutting the tree down, where it holds the position and room is left, or with a new
    /// tree.
    fn make_root(&mut self, position: &Position) {
        self.board.set_up(position);
        let place = self.root.and_then(|root| self.follow(self.tree.root(), &root, position));
        if let Some(place) = place {
            self.tree.cut_down_to(place);
        }
        if place.is_none() || self.tree.is_crowded() {
            self.tree.plant();
        }
        self.root = Some(*position);
    }

    /// The node of a position that follows from another one by moves of the tree.
    fn follow(&self, place: Place, from: &Position, to: &Position) -> Option<Place> {
        if from == to {
            return Some(place);
        }
        if from.outcome().is_some() || from.empty_cells() <= to.empty_cells() {
            return None;
        }
        self.tree.children(place).find_map(|child| {
            let cell = self.board.cell(self.tree.node(child).cell);
            let is_on_the_way = to.occupant(cell) == Some(from.side());
            if is_on_the_way { self.follow(child, &from.after(cell), to) } else { None }
        })
    }
}
