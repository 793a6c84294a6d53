//! The proof-number search for wins by threats.
//!
//! The nodes are kept in memory, one for each position and side to move, so that positions that are reached in several
//! ways are searched once. Each node has two numbers: how hard it seems to be to prove, and to disprove. The search always
//! goes on at the node that decides both. (L. V. Allis, M. van der Meulen and H. J. van den Herik, "Proof-Number Search",
//! Artificial Intelligence 66, 1994; with the limits of A. Nagai, "Df-pn Algorithm for Searching AND/OR Trees and Its
//! Applications", 2002, so that it stays below a node as long as that node decides.)
//!
//! **Shared children.** The graph has no cycles, because every move adds a stone, but it is no tree. A sum over the
//! children would count a shared child twice. So the number of a node is the largest of its children, plus one for each
//! further child that is open. (T. Ueda, T. Hashimoto, J. Hashimoto and H. Iida, "Weak Proof-Number Search",
//! Computers and Games, 2008.)
//!
//! **Replies with one answer.** Most replies to a threat lose to some win by fours. Once one of them is answered by such a
//! win, every other reply that cannot spoil it has the same answer, and is not searched (`ThreatTree::answer_alike`).
//!
//! "Disproved" means only that no win was found by the moves that are tried. It says nothing about the game.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::search::line_board::{Key, LineBoard};
use crate::search::memory::GrowingMemory;
use crate::search::proof::Role;
use crate::search::{Control, Stopped};

use super::four_search::{FourSearch, FourSequence};
use super::replies::{cells_that_matter, order_by_weight, replies_to_fours, weight_for};

/// The index of a node.
pub type NodeId = u32;

/// Stands for a node that has not been visited.
const UNVISITED: NodeId = NodeId::MAX;

/// Stands for every node that was disproved when it was visited.
const DISPROVED: NodeId = NodeId::MAX - 1;

/// The number of a node that cannot be proven, or cannot be disproved.
const INFINITE: u32 = u32::MAX / 4;

/// The budget of the search for fours at one node, in fours.
const FOURS_PER_NODE: u32 = 50;

/// The proof number of an unvisited move is the effort of the position, times the weight of the heaviest move, over its own
/// weight. Light moves have to wait. The effort is
///
/// `EFFORT` * (`THEIRS` + lines of the defender that lack two stones) / (`MINE` + lines of the attacker that lack three).
///
/// Lines of the attacker make threats, and lines of the defender answer them with fours. (Found by measuring, like all
/// numbers here: docs/search-notes.md.)
const EFFORT: i64 = 64;
const THEIRS: u16 = 3;
const MINE: u16 = 16;

/// The largest number of an unvisited move.
const MOST_PRIOR: i64 = 60;

/// What the number of a quiet move has more than that of the move before it.
const QUIET_STEP: i64 = 4;

/// Fours that take as long as one node.
const FOURS_AS_ONE_NODE: u32 = 2;

/// So many moves of the attacker are listed at a time. Of the moves of a node, most are never visited.
const MOVES_AT_A_TIME: usize = 4;

/// The nodes between two looks at the clock.
const NODES_BETWEEN_CHECKS: u64 = 32;

/// One position of the search.
pub struct Node {
    /// The estimated effort of a proof that the attacker wins; 0 if it is proven.
    proof: u32,
    /// The estimated effort of a disproof; 0 if it is disproven.
    disproof: u32,
    /// The moves worth trying, best first. Moves of the attacker that are disproved are taken off the list.
    pub edges: Vec<Edge>,
    /// The moves of the attacker that are not yet listed. While there are some, an unvisited one is listed before them.
    unlisted: u16,
    /// A win by fours: with the attacker to move, of this position; with the defender to move, of this position if the
    /// defender passes.
    pub fours: Option<Box<FourSequence>>,
    /// The quiet moves that the attacker may make after this node.
    quiet_moves: u8,
    /// With the defender to move: true if the attacker's last move was quiet, so that every reply is listed.
    pub lists_all: bool,
}

/// A move, and the node that it leads to.
#[derive(Clone, Copy)]
pub struct Edge {
    pub cell: u16,
    /// The number of the node until it is visited: the proof number of a move of the attacker, the disproof number of a
    /// reply.
    prior: u8,
    pub node: NodeId,
}

impl Node {
    fn proven(fours: Option<FourSequence>) -> Node {
        let fours = fours.map(Box::new);
        Node { proof: 0, disproof: INFINITE, fours, ..Node::with_edges(Vec::new(), 0) }
    }

    fn open(cells: Vec<u16>, fours: Option<FourSequence>, quiet_moves: u8) -> Node {
        let edges = cells.into_iter().map(|cell| Edge { cell, prior: 1, node: UNVISITED }).collect();
        Node { fours: fours.map(Box::new), ..Node::with_edges(edges, quiet_moves) }
    }

    fn with_edges(edges: Vec<Edge>, quiet_moves: u8) -> Node {
        Node { proof: 1, disproof: 1, edges, unlisted: 0, fours: None, quiet_moves, lists_all: false }
    }

    /// The memory of the node and of its entry in the index. Both lists may have room for twice as many.
    fn bytes(&self) -> usize {
        let fours = self.fours.as_ref().map_or(0, |fours| size_of::<FourSequence>() + 4 * fours.moves.len());
        2 * (size_of::<Node>() + size_of::<(Key, NodeId)>()) + self.edges.capacity() * size_of::<Edge>() + fours
    }
}

/// Hashes a key by its lower half: a key is random already.
#[derive(Default)]
pub struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u128(byte.into()));
    }

    fn write_u128(&mut self, key: u128) {
        self.0 = self.0.rotate_left(8) ^ key as u64;
    }
}

/// A search for a win by threats, and its nodes.
pub struct ThreatTree<'a> {
    pub board: &'a mut LineBoard,
    /// 0 for X, 1 for O.
    pub attacker: usize,
    fours: &'a mut FourSearch,
    control: &'a Control,
    pub nodes: Vec<Node>,
    /// Nodes by the stones on the board, plus the quiet moves that are left. (The stones tell who is to move.)
    index: HashMap<Key, NodeId, BuildHasherDefault<KeyHasher>>,
    /// The bytes of nodes and index, as an estimate.
    bytes: usize,
    memory: GrowingMemory,
    /// Nodes visited so far. Fours are counted with [`FOURS_AS_ONE_NODE`].
    pub visited: u64,
    most_nodes: u64,
    /// The nodes at which the search looks at the clock next.
    next_check: u64,
}

impl<'a> ThreatTree<'a> {
    /// A search from the position on the board that visits at most `most_nodes` and takes about `most_bytes`.
    pub fn new(
        board: &'a mut LineBoard,
        attacker: usize,
        fours: &'a mut FourSearch,
        control: &'a Control,
        (most_nodes, most_bytes): (u64, usize),
    ) -> ThreatTree<'a> {
        let (nodes, index) = (Vec::new(), HashMap::default());
        let memory = GrowingMemory::doubling(most_bytes);
        ThreatTree {
            board,
            attacker,
            fours,
            control,
            nodes,
            index,
            bytes: 0,
            memory,
            visited: 0,
            most_nodes,
            next_check: 0,
        }
    }

    /// Looks for a proof that the attacker wins; `None` if none is found. At most `quiet_moves` moves of the attacker may
    /// be no threats.
    pub fn prove(&mut self, to_move: Role, quiet_moves: u8) -> Option<NodeId> {
        let root = self.visit(to_move, quiet_moves);
        let is_open = |(proof, disproof): (u32, u32)| proof > 0 && disproof > 0;
        while is_open(self.numbers(root)) && self.search(root, to_move, INFINITE, INFINITE).is_ok() {}
        self.is_proven(root).then_some(root)
    }

    /// True if the attacker is proven to win at a node.
    pub fn is_proven(&self, id: NodeId) -> bool {
        self.numbers(id).0 == 0
    }

    /// Searches below a node until one of its numbers reaches its limit.
    fn search(&mut self, id: NodeId, to_move: Role, proof_limit: u32, disproof_limit: u32) -> Result<(), Stopped> {
        loop {
            let (proof, disproof) = self.update(id, to_move);
            if proof == 0 || disproof == 0 || proof >= proof_limit || disproof >= disproof_limit {
                return Ok(());
            }
            if self.visited >= self.most_nodes || !self.memory.may_have(self.bytes + 1) {
                return Err(Stopped);
            }
            if self.visited >= self.next_check {
                self.control.check()?;
                self.next_check = self.visited + NODES_BETWEEN_CHECKS;
            }
            let (place, second, further) = self.select(id, to_move);
            // A little more than the second best child, so that the search does not change its mind all the time.
            let above_second = second + 1 + second / 16;
            let (child_proof, child_disproof) = match to_move {
                Role::Attacker => (proof_limit.min(above_second), disproof_limit - further),
                Role::Defender => (proof_limit - further, disproof_limit.min(above_second)),
            };
            let (player, next) = match to_move {
                Role::Attacker => (self.attacker, Role::Defender),
                Role::Defender => (1 - self.attacker, Role::Attacker),
            };
            let Node { edges, quiet_moves, .. } = &self.nodes[id as usize];
            let (edge, quiet_moves) = (edges[place], *quiet_moves);
            self.board.put(edge.cell, player);
            let (node, result) = match edge.node {
                UNVISITED => (self.visit(next, quiet_moves), Ok(())),
                node => (node, self.search(node, next, child_proof, child_disproof)),
            };
            self.board.take(edge.cell, player);
            result?;
            if edge.node == UNVISITED {
                self.nodes[id as usize].edges[place].node = node;
                match to_move {
                    Role::Attacker => self.list_more(id),
                    Role::Defender => self.answer_alike(id, node),
                }
            }
        }
    }

    /// If the attacker has answered a reply with a win by fours, the same win answers every other reply that cannot spoil it.
    ///
    /// **Soundness.** The sequence was found with a stone of the defender on the board that is now off. Without it, the fours
    /// leave the same gaps, and the defender has no line that it had not with it. So the sequence also wins if the defender
    /// passes, and [`cells_that_matter`] says which replies may spoil it.
    fn answer_alike(&mut self, id: NodeId, answer: NodeId) {
        let is_open = |edge: &Edge| edge.node == UNVISITED;
        let Some(fours) = self.nodes.get(answer as usize).and_then(|node| node.fours.as_ref()) else { return };
        if self.nodes[id as usize].edges.iter().any(is_open) {
            let cells = cells_that_matter(self.board, self.attacker, fours);
            let edges = self.nodes[id as usize].edges.iter_mut();
            edges.filter(|edge| is_open(edge) && !cells.contains(&edge.cell)).for_each(|edge| edge.node = answer);
        }
    }

    /// The proof number and the disproof number of a node.
    fn numbers(&self, id: NodeId) -> (u32, u32) {
        match id {
            DISPROVED => (INFINITE, 0),
            _ => (self.nodes[id as usize].proof, self.nodes[id as usize].disproof),
        }
    }

    /// The numbers of a child as the side to move sees them: first the one of which the least counts, then the one of which
    /// the largest counts.
    fn numbers_of_child(&self, edge: &Edge, to_move: Role) -> (u32, u32) {
        match (edge.node, to_move) {
            (UNVISITED, _) => (edge.prior.into(), 1),
            (id, Role::Attacker) => self.numbers(id),
            (id, Role::Defender) => {
                let (proof, disproof) = self.numbers(id);
                (disproof, proof)
            }
        }
    }

    /// The open child to search next: its index in the list of the node, the number of the second best child, and the amount
    /// that the further children add to the largest number.
    fn select(&self, id: NodeId, to_move: Role) -> (usize, u32, u32) {
        let node = &self.nodes[id as usize];
        let mut best = (0, INFINITE);
        let mut second = INFINITE;
        let mut open = u32::from(node.unlisted);
        for (place, edge) in node.edges.iter().enumerate() {
            let (number, sum) = self.numbers_of_child(edge, to_move);
            if sum == 0 {
                continue;
            }
            open += 1;
            if number < best.1 {
                second = best.1;
                best = (place, number);
            } else {
                second = second.min(number);
            }
        }
        (best.0, second, further_children(node, open))
    }

    /// Computes the numbers of a node from those of its children.
    fn update(&mut self, id: NodeId, to_move: Role) -> (u32, u32) {
        let (proof, disproof) = self.numbers(id);
        if proof == 0 || disproof == 0 {
            return (proof, disproof);
        }
        let node = &self.nodes[id as usize];
        let (mut least, mut most, mut open) = (INFINITE, 0, u32::from(node.unlisted));
        let mut has_refuted = false;
        for edge in &node.edges {
            let (number, sum) = self.numbers_of_child(edge, to_move);
            least = least.min(number);
            most = most.max(sum);
            open += u32::from(sum > 0);
            has_refuted |= number == INFINITE;
        }
        if has_refuted && to_move == Role::Attacker {
            let mut edges = std::mem::take(&mut self.nodes[id as usize].edges);
            edges.retain(|edge| self.numbers_of_child(edge, to_move).0 < INFINITE);
            self.nodes[id as usize].edges = edges;
        }
        let node = &mut self.nodes[id as usize];
        let sum = if most == 0 || most == INFINITE { most } else { most + further_children(node, open) };
        (node.proof, node.disproof) = if to_move == Role::Attacker { (least, sum) } else { (sum, least) };
        if node.disproof == 0 {
            self.bytes -= node.edges.capacity() * size_of::<Edge>();
            node.edges = Vec::new();
        }
        (node.proof, node.disproof)
    }

    /// The node of the position on the board. It is made if there is none.
    fn visit(&mut self, to_move: Role, quiet_moves: u8) -> NodeId {
        let key = self.board.key().wrapping_add(quiet_moves.into());
        if let Some(&id) = self.index.get(&key) {
            return id;
        }
        self.visited += 1;
        let node = match to_move {
            Role::Attacker => self.attacker_node(quiet_moves),
            Role::Defender => self.defender_node(quiet_moves),
        };
        // Most nodes are disproved at once. They are not worth their place in the index.
        let Some(node) = node else { return DISPROVED };
        let id = self.nodes.len() as NodeId;
        self.bytes += node.bytes();
        self.nodes.push(node);
        self.index.insert(key, id);
        id
    }

    fn find_fours(&mut self) -> Option<FourSequence> {
        let mut left = FOURS_PER_NODE;
        let found = self.fours.find(self.board, self.attacker, &mut left);
        self.visited += u64::from((FOURS_PER_NODE - left) / FOURS_AS_ONE_NODE);
        found
    }

    /// A new node with the attacker to move; `None` if it is disproved.
    ///
    /// Without a quiet move, the attacker tries the cells of its lines that lack two or three stones: no other move can be a
    /// threat. If the defender has a gap, the attacker must fill it.
    fn attacker_node(&mut self, quiet_moves: u8) -> Option<Node> {
        if let Some(fours) = self.find_fours() {
            return Some(Node::proven(Some(fours)));
        }
        match self.board.two_completions(1 - self.attacker) {
            [Some(_), Some(_)] => return None,
            [Some(gap), None] => return Some(Node::open(vec![gap], None, quiet_moves)),
            _ => {}
        }
        let mut edges = self.moves(quiet_moves);
        let unlisted = edges.len().saturating_sub(MOVES_AT_A_TIME);
        edges.truncate(MOVES_AT_A_TIME);
        edges.shrink_to_fit();
        (!edges.is_empty()).then(|| Node { unlisted: unlisted as u16, ..Node::with_edges(edges, quiet_moves) })
    }

    /// The moves that the attacker may try in the position on the board, if it need not fill a gap: best first, so that no
    /// number is lower than one before it.
    fn moves(&mut self, quiet_moves: u8) -> Vec<Edge> {
        let mut cells: Vec<u16> = if quiet_moves > 0 {
            self.board.empty_cells().filter(|&cell| self.board.weight(self.attacker, cell) > 0).collect()
        } else {
            [2, 3].into_iter().flat_map(|lacking| self.board.cells_of_listed(self.attacker, lacking)).collect()
        };
        order_by_weight(self.board, self.attacker, &mut cells);
        let weight = |cell| weight_for(self.board, self.attacker, cell);
        let most = cells.first().map_or(0, |&cell| i64::from(weight(cell)));
        let mine = i64::from(MINE + self.board.lines_lacking(self.attacker, 3));
        let theirs = i64::from(THEIRS + self.board.lines_lacking(1 - self.attacker, 2));
        let edge = |(place, cell)| {
            // Quiet moves often weigh the same. So they are tried one after the other, from the centre.
            let place = if quiet_moves > 0 { QUIET_STEP * place as i64 } else { 0 };
            let number = EFFORT * theirs * most / (mine * i64::from(weight(cell).max(1)));
            let prior = (number + place).clamp(1, MOST_PRIOR);
            Edge { cell, prior: prior as u8, node: UNVISITED }
        };
        cells.into_iter().enumerate().map(edge).collect()
    }

    /// Lists the next moves of the attacker at a node whose position is on the board, once all that are listed are visited.
    fn list_more(&mut self, id: NodeId) {
        let Node { edges, unlisted, quiet_moves, .. } = &self.nodes[id as usize];
        let (unlisted, before) = (usize::from(*unlisted), edges.capacity());
        if unlisted == 0 || edges.iter().any(|edge| edge.node == UNVISITED) {
            return;
        }
        let moves = self.moves(*quiet_moves);
        let first = moves.len() - unlisted;
        // Twice as many each time, so that few lists are made.
        let more = unlisted.min(first);
        let node = &mut self.nodes[id as usize];
        node.edges.reserve_exact(more);
        node.edges.extend(&moves[first..first + more]);
        node.unlisted -= more as u16;
        self.bytes += (node.edges.capacity() - before) * size_of::<Edge>();
    }

    /// A new node with the defender to move; `None` if it is disproved.
    fn defender_node(&mut self, quiet_moves: u8) -> Option<Node> {
        if self.board.lines_lacking(1 - self.attacker, 1) > 0 {
            return None;
        }
        match self.board.two_completions(self.attacker) {
            [Some(_), Some(_)] => return Some(Node::proven(None)),
            [Some(gap), None] => return Some(Node::open(vec![gap], None, quiet_moves)),
            _ => {}
        }
        if let Some(fours) = self.find_fours() {
            let replies = replies_to_fours(self.board, self.attacker, &fours);
            return Some(Node::open(replies, Some(fours), quiet_moves));
        }
        let quiet_moves = quiet_moves.checked_sub(1)?;
        let mut replies: Vec<u16> = self.board.empty_cells().collect();
        if replies.is_empty() {
            // The board is full: a draw.
            return None;
        }
        order_by_weight(self.board, self.attacker, &mut replies);
        Some(Node { lists_all: true, ..Node::open(replies, None, quiet_moves) })
    }
}

/// The amount that the open children of a node add to the largest number of them. After a quiet move all replies are listed,
/// and most of them are refuted in the same way, so they add nothing.
fn further_children(node: &Node, open: u32) -> u32 {
    if node.lists_all { 0 } else { open.saturating_sub(1) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Cell, Position, Rules};

    #[test]
    fn the_estimated_memory_covers_nodes_moves_and_index() {
        let rules = Rules::new(15, 5, false).expect("rules");
        let position = [(7, 7), (7, 8), (6, 6), (8, 8), (5, 8), (9, 9)]
            .into_iter()
            .fold(Position::start(rules), |position, (row, column)| position.after(Cell::new(row, column)));
        let mut board = LineBoard::new(rules);
        board.set_up(&position);
        let (mut fours, control) = (FourSearch::new(), Control::unlimited());
        for most_nodes in [100, 1000, 10_000, 40_000] {
            let limits = (most_nodes, 1 << 30);
            let mut tree = ThreatTree::new(&mut board, position.side() as usize, &mut fours, &control, limits);
            tree.prove(Role::Attacker, 3);
            let of_node = |node: &Node| {
                let fours = node.fours.as_ref().map_or(0, |fours| 4 * fours.moves.len());
                node.edges.capacity() * size_of::<Edge>() + fours
            };
            let nodes = tree.nodes.capacity() * size_of::<Node>() + tree.nodes.iter().map(of_node).sum::<usize>();
            let has_open = |node: &Node| node.edges.iter().any(|edge| edge.node == UNVISITED);
            assert!(tree.nodes.iter().all(|node| node.unlisted == 0 || has_open(node)));
            let held = nodes + tree.index.capacity() * size_of::<(Key, NodeId)>();
            assert!(held <= tree.bytes + (4 << 10), "{held} bytes are held, {} counted", tree.bytes);
            assert!(tree.bytes <= 3 * held, "{held} bytes are held, {} counted", tree.bytes);
        }
    }
}
