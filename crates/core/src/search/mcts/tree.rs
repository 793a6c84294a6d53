//! The tree: nodes in one block of memory of fixed size.
//!
//! A node is made when it is first visited. Until then the move is a [`Candidate`] of its parent, which takes 8 bytes. A node
//! may list only the likely moves at first: the lists take most of the memory. A parent always comes before its children in
//! memory.

use crate::game::Bounds;

use crate::search::memory::{GrowingMemory, granted, is_available};

/// The index of a node.
pub type NodeId = u32;

/// The root. It is made first, and stays there.
pub const ROOT: NodeId = 0;

/// Stands for no node.
const NO_NODE: NodeId = NodeId::MAX;

/// Bytes of a list of candidates beyond the candidates themselves.
const LIST_BYTES: usize = 16;

/// The nodes have this part of the memory, and the lists of candidates the rest.
const NODE_PART: usize = 4;

/// The least nodes of a tree: its root and a move.
const LEAST_NODES: usize = 2;

/// A move that has not been visited.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Candidate {
    /// The number of the cell.
    pub cell: u16,
    /// The share of the visits that the move is expected to deserve among its siblings, from 0 to 1.
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
    /// The proven bounds of the position, seen by the side to move in it.
    pub bounds: Bounds,
    /// True if its moves are listed.
    pub is_expanded: bool,
    /// The bounds of the positions after the moves that are left out of the list; `None` if it is complete.
    pub left_out: Option<Bounds>,
    /// Moves without a node yet, the best one last.
    pub candidates: Vec<Candidate>,
    first_child: NodeId,
    next: NodeId,
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
            left_out: None,
            candidates: Vec::new(),
            first_child: NO_NODE,
            next: NO_NODE,
        }
    }

    /// The mean value of its visits, seen by the player who moved here.
    pub fn mean(&self) -> f64 {
        self.sum / f64::from(self.visits.max(1))
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
    /// The memory of these lists.
    list_memory: GrowingMemory,
    /// The bounds of any position in which the game goes on.
    pub unknown: Bounds,
}

impl Tree {
    /// An empty tree that may grow to `bytes`. The memory is allocated by the first [`Tree::reset`].
    pub fn new(bytes: usize, unknown: Bounds) -> Tree {
        // `keep_subtree` needs a word for each node.
        let each = size_of::<Node>() + size_of::<NodeId>();
        Tree {
            nodes: Vec::new(),
            most_nodes: (bytes / NODE_PART / each).clamp(LEAST_NODES, NO_NODE as usize - 1),
            listed: 0,
            list_memory: GrowingMemory::in_blocks(bytes - bytes / NODE_PART),
            unknown,
        }
    }

    /// Drops all nodes and makes a new root about which nothing is known.
    pub fn reset(&mut self) {
        self.nodes.clear();
        if self.nodes.capacity() == 0 {
            self.allocate();
        }
        self.listed = 0;
        self.nodes.push(Node::new(Candidate { cell: 0, prior: 1.0 }, self.unknown));
    }

    /// Reserves memory for all nodes, or for fewer if the system has less.
    fn allocate(&mut self) {
        let bytes = |nodes: usize| nodes * size_of::<Node>();
        let mut has = |nodes| is_available(bytes(nodes)) && granted(self.nodes.try_reserve_exact(nodes).is_ok());
        while !has(self.most_nodes) && self.most_nodes > LEAST_NODES {
            self.most_nodes = (self.most_nodes / 2).max(LEAST_NODES);
        }
    }

    /// True if most of the memory is in use.
    pub fn is_crowded(&self) -> bool {
        self.nodes.len() > self.most_nodes / 2 || self.listed > self.list_memory.most / 2
    }

    /// Bytes in use.
    #[cfg(test)]
    pub fn bytes(&self) -> usize {
        self.nodes.len() * (size_of::<Node>() + size_of::<NodeId>()) + self.listed
    }

    /// A node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    /// A node, to be changed.
    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id as usize]
    }

    /// The children that have a node, the newest first.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        let there = |id: NodeId| Some(id).filter(|&id| id != NO_NODE);
        std::iter::successors(there(self.node(id).first_child), move |&child| there(self.node(child).next))
    }

    /// The child by a move, if it has a node.
    pub fn child(&self, id: NodeId, cell: u16) -> Option<NodeId> {
        self.children(id).find(|&child| self.node(child).cell == cell)
    }

    /// True if there is memory for a list of this many candidates, and for a node.
    pub fn has_room_for(&mut self, candidates: usize) -> bool {
        let bytes = candidates * size_of::<Candidate>() + LIST_BYTES;
        self.nodes.len() < self.most_nodes && self.list_memory.may_have(self.listed + bytes)
    }

    /// Expands a node: lists its moves, the best one last. `left_out` has the bounds of the positions after the others; `None` if
    /// the list is complete.
    pub fn expand(&mut self, id: NodeId, candidates: Vec<Candidate>, left_out: Option<Bounds>) {
        let node = &mut self.nodes[id as usize];
        self.listed -= bytes_of(&node.candidates);
        self.listed += bytes_of(&candidates);
        node.candidates = candidates;
        node.left_out = left_out;
        node.is_expanded = true;
    }

    /// True if the list of a node has only the likely moves: nothing is known about the positions after the others.
    pub fn is_listed_in_part(&self, id: NodeId) -> bool {
        self.node(id).left_out == Some(self.unknown)
    }

    /// Makes a node of the best candidate. `None` without a candidate or without memory.
    pub fn add_child(&mut self, id: NodeId) -> Option<NodeId> {
        let last = self.node(id).candidates.len().checked_sub(1)?;
        self.add_nth_child(id, last)
    }

    /// Makes a node of the candidate at an index.
    pub fn add_nth_child(&mut self, id: NodeId, number: usize) -> Option<NodeId> {
        if self.nodes.len() >= self.most_nodes {
            return None;
        }
        let child = self.nodes.len() as NodeId;
        let unknown = self.unknown;
        let parent = self.node_mut(id);
        let mut node = Node::new(parent.candidates.remove(number), unknown);
        node.next = parent.first_child;
        parent.first_child = child;
        self.nodes.push(node);
        Some(child)
    }

    /// Tightens the bounds of a node by those of its moves. True if that changes them.
    pub fn update_bounds(&mut self, id: NodeId) -> bool {
        let node = self.node(id);
        let others = (!node.candidates.is_empty()).then_some(self.unknown);
        let positions = self.children(id).map(|child| self.node(child).bounds).chain(others).chain(node.left_out);
        let better = |one: Bounds, two: Bounds| Bounds {
            at_least: one.at_least.max(two.at_least),
            at_most: one.at_most.max(two.at_most),
        };
        let Some(found) = positions.map(Bounds::before_move).reduce(better) else { return false };
        let before = node.bounds;
        let now = before.and(found);
        self.node_mut(id).bounds = now;
        now != before
    }

    /// Makes `root` the root of the tree, and drops all nodes that are not below it. Without memory for that, the new root
    /// is one about which nothing is known.
    pub fn keep_subtree(&mut self, root: NodeId) {
        if !is_available(self.nodes.len() * size_of::<NodeId>()) {
            return self.reset();
        }
        let mut new_ids: Vec<NodeId> = vec![NO_NODE; self.nodes.len()];
        new_ids[root as usize] = ROOT;
        let mut kept = 1;
        // Parents come before their children.
        for id in root as usize..self.nodes.len() {
            if new_ids[id] == NO_NODE {
                continue;
            }
            self.children(id as NodeId).for_each(|child| new_ids[child as usize] = 0);
        }
        for id in new_ids.iter_mut().skip(root as usize + 1).filter(|id| **id != NO_NODE) {
            *id = kept;
            kept += 1;
        }
        let new_id = |id: NodeId| if id == NO_NODE { NO_NODE } else { new_ids[id as usize] };
        self.nodes[root as usize].next = NO_NODE;
        let mut old = 0;
        self.nodes.retain_mut(|node| {
            let is_kept = new_ids[old] != NO_NODE;
            old += 1;
            if is_kept {
                node.first_child = new_id(node.first_child);
                node.next = new_id(node.next);
            }
            is_kept
        });
        self.listed = self.nodes.iter().map(|node| bytes_of(&node.candidates)).sum();
    }
}

/// Bytes of a list of candidates.
fn bytes_of(list: &Vec<Candidate>) -> usize {
    if list.capacity() == 0 { 0 } else { list.capacity() * size_of::<Candidate>() + LIST_BYTES }
}
