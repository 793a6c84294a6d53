//! The tree: nodes in one block of memory of fixed size.
//!
//! A node is made when it is first visited. Until then it is a [`Candidate`] of its parent, which takes a few bytes, so
//! that hundreds of moves cost little. A parent comes before its children in memory, and stays so when the tree is cut
//! down to what follows from one of its nodes.

use crate::game::Bounds;

/// A place in the tree.
pub type Place = u32;

/// No place.
const NOWHERE: Place = Place::MAX;

/// What a list of candidates takes beyond the candidates themselves.
const LIST_BYTES: usize = 16;

/// A move that has not been visited.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Candidate {
    /// The number of the cell.
    pub cell: u16,
    /// The share of its parent's visits that it is expected to deserve.
    pub prior: f32,
}

/// A position of the tree, reached by a move.
#[derive(Debug)]
pub struct Node {
    /// The number of the cell that was played last.
    pub cell: u16,
    /// The prior of that move.
    pub prior: f32,
    /// Visits to this node and what follows from it.
    pub visits: u32,
    /// The sum of their values, seen by the player who moved here.
    pub sum: f64,
    /// What is proven about the position, seen by the side to move in it.
    pub bounds: Bounds,
    /// Whether its moves are known.
    pub is_expanded: bool,
    /// Moves without a node yet, the best one last.
    candidates: Vec<Candidate>,
    first_child: Place,
    next: Place,
}

impl Node {
    fn new(candidate: Candidate, bounds: Bounds) -> Node {
        Node {
            cell: candidate.cell,
            prior: candidate.prior,
            visits: 0,
            sum: 0.0,
            bounds,
            is_expanded: false,
            candidates: Vec::new(),
            first_child: NOWHERE,
            next: NOWHERE,
        }
    }

    /// The mean value of its visits, seen by the player who moved here.
    pub fn mean(&self) -> f64 {
        self.sum / f64::from(self.visits.max(1))
    }

    /// Moves without a node yet.
    pub fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    /// The best move without a node yet.
    pub fn next_candidate(&self) -> Option<Candidate> {
        self.candidates.last().copied()
    }

    /// The result, once a win (1) or a loss (-1) of the side to move is proven.
    pub fn result(&self) -> Option<i8> {
        let (at_least, at_most) = (self.bounds.at_least.result(), self.bounds.at_most.result());
        (at_least == at_most && at_least != 0).then_some(at_least)
    }
}

/// Nodes, and the memory they may take.
pub struct Tree {
    nodes: Vec<Node>,
    most_nodes: usize,
    /// Bytes of all lists of candidates.
    listed: usize,
    most_listed: usize,
    root: Place,
    /// What is known of any position in which the game goes on.
    unknown: Bounds,
}

impl Tree {
    /// No tree yet, in at most so many bytes. Nothing is allocated before it is needed.
    pub fn new(bytes: usize, unknown: Bounds) -> Tree {
        // Cutting the tree down takes a word for each node.
        let each = size_of::<Node>() + size_of::<Place>();
        Tree {
            nodes: Vec::new(),
            most_nodes: (bytes / 2 / each).clamp(2, NOWHERE as usize - 1),
            listed: 0,
            most_listed: bytes / 2,
            root: 0,
            unknown,
        }
    }

    /// Begins anew, with a root about which nothing is known.
    pub fn plant(&mut self) {
        self.nodes.clear();
        if self.nodes.capacity() == 0 {
            while self.nodes.try_reserve_exact(self.most_nodes).is_err() && self.most_nodes > 2 {
                self.most_nodes /= 2;
            }
        }
        self.listed = 0;
        self.root = 0;
        self.nodes.push(Node::new(Candidate { cell: 0, prior: 1.0 }, self.unknown));
    }

    /// Whether most of the memory is in use.
    pub fn is_crowded(&self) -> bool {
        self.nodes.len() > self.most_nodes / 2 || self.listed > self.most_listed / 2
    }

    /// What is known of any position in which the game goes on.
    pub fn unknown(&self) -> Bounds {
        self.unknown
    }

    /// Bytes in use.
    #[cfg(test)]
    pub fn bytes(&self) -> usize {
        self.nodes.len() * (size_of::<Node>() + size_of::<Place>()) + self.listed
    }

    /// Where the tree begins.
    pub fn root(&self) -> Place {
        self.root
    }

    /// The node at a place.
    pub fn node(&self, place: Place) -> &Node {
        &self.nodes[place as usize]
    }

    /// The same, to be changed.
    pub fn node_mut(&mut self, place: Place) -> &mut Node {
        &mut self.nodes[place as usize]
    }

    /// The children that have been made, the last one first.
    pub fn children(&self, place: Place) -> impl Iterator<Item = Place> {
        let there = |place: Place| Some(place).filter(|&place| place != NOWHERE);
        std::iter::successors(there(self.node(place).first_child), move |&child| there(self.node(child).next))
    }

    /// The child by a move, if it has been made.
    pub fn child(&self, place: Place, cell: u16) -> Option<Place> {
        self.children(place).find(|&child| self.node(child).cell == cell)
    }

    /// Whether a list of so many candidates, and a node, still fit.
    pub fn has_room_for(&self, candidates: usize) -> bool {
        let bytes = candidates * size_of::<Candidate>() + LIST_BYTES;
        self.nodes.len() < self.most_nodes && self.listed + bytes <= self.most_listed
    }

    /// Lists the moves of a node, the best one last.
    pub fn expand(&mut self, place: Place, candidates: Vec<Candidate>) {
        let node = &mut self.nodes[place as usize];
        self.listed -= bytes_of(&node.candidates);
        self.listed += bytes_of(&candidates);
        node.candidates = candidates;
        node.is_expanded = true;
    }

    /// Makes a node of the best candidate; `None` when there is none, or no room.
    pub fn open(&mut self, place: Place) -> Option<Place> {
        let last = self.node(place).candidates.len().checked_sub(1)?;
        self.open_nth(place, last)
    }

    /// Makes a node of the candidate with a number.
    pub fn open_nth(&mut self, place: Place, number: usize) -> Option<Place> {
        if self.nodes.len() >= self.most_nodes {
            return None;
        }
        let child = self.nodes.len() as Place;
        let unknown = self.unknown;
        let parent = self.node_mut(place);
        let mut node = Node::new(parent.candidates.remove(number), unknown);
        node.next = parent.first_child;
        parent.first_child = child;
        self.nodes.push(node);
        Some(child)
    }

    /// Takes what the moves prove about a position into account. Says whether that has changed anything.
    pub fn conclude(&mut self, place: Place) -> bool {
        let node = self.node(place);
        let others = (!node.candidates.is_empty()).then_some(self.unknown);
        let positions = self.children(place).map(|child| self.node(child).bounds).chain(others);
        let better = |one: Bounds, two: Bounds| Bounds {
            at_least: one.at_least.max(two.at_least),
            at_most: one.at_most.max(two.at_most),
        };
        let Some(found) = positions.map(Bounds::before_move).reduce(better) else { return false };
        let before = node.bounds;
        let now = before.and(found);
        self.node_mut(place).bounds = now;
        now != before
    }

    /// Leaves nothing but what follows from `root`, and makes that the root.
    pub fn cut_down_to(&mut self, root: Place) {
        let mut places: Vec<Place> = vec![NOWHERE; self.nodes.len()];
        places[root as usize] = 0;
        let mut kept = 1;
        // Parents come before their children.
        for place in root as usize..self.nodes.len() {
            if places[place] == NOWHERE {
                continue;
            }
            self.children(place as Place).for_each(|child| places[child as usize] = 0);
        }
        for place in places.iter_mut().skip(root as usize + 1).filter(|place| **place != NOWHERE) {
            *place = kept;
            kept += 1;
        }
        let new_place = |place: Place| if place == NOWHERE { NOWHERE } else { places[place as usize] };
        self.nodes[root as usize].next = NOWHERE;
        let mut old = 0;
        self.nodes.retain_mut(|node| {
            let is_kept = places[old] != NOWHERE;
            old += 1;
            if is_kept {
                node.first_child = new_place(node.first_child);
                node.next = new_place(node.next);
            }
            is_kept
        });
        self.root = 0;
        self.listed = self.nodes.iter().map(|node| bytes_of(&node.candidates)).sum();
    }
}

/// What a list takes.
fn bytes_of(list: &Vec<Candidate>) -> usize {
    if list.capacity() == 0 { 0 } else { list.capacity() * size_of::<Candidate>() + LIST_BYTES }
}
