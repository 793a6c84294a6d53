//! A winning strategy: one move of the attacker a node, and an answer to every reply.

use std::collections::HashMap;

use crate::game::Cell;
use crate::search::proof::Role;

use super::four_search::FourSequence;
use super::threat_tree::{NodeId, ThreatTree};

/// A strategy with which the attacker, who is to move, completes a line whatever the defender replies.
///
/// The nodes form a graph without cycles: positions that are reached in several ways share a node, and all children of a
/// node come after it. The first node belongs to the position for which the strategy was made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WinningStrategy {
    nodes: Vec<StrategyNode>,
}

/// The attacker's move in one position, and its continuation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StrategyNode {
    /// The move of the attacker.
    pub cell: Cell,
    /// Replies of the defender that have an answer of their own, each with the index of the node that answers it. If the
    /// answer to every other reply takes longer than theirs, one such reply is listed too.
    pub replies: Vec<(Cell, usize)>,
    /// The node that answers every other reply. `None` if every legal reply is listed, or if the move completes a line: then
    /// no reply is listed.
    pub otherwise: Option<usize>,
    /// The attacker completes a line within this many plies, the move of this node included.
    pub plies: u16,
}

/// A move of the attacker in a win by threats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ThreatStep {
    /// The move.
    pub cell: Cell,
    /// The attacker's next move if the defender does nothing against it. `None` for a move that completes a line or is
    /// quiet.
    pub threatens: Option<Cell>,
    /// The reply of the defender; `None` if the move completes a line.
    pub reply: Option<Cell>,
}

impl ThreatStep {
    /// The move, and the reply if there is one.
    pub fn moves(&self) -> impl Iterator<Item = Cell> {
        [Some(self.cell), self.reply].into_iter().flatten()
    }
}

impl WinningStrategy {
    /// The nodes. Children come after their parents.
    pub fn nodes(&self) -> &[StrategyNode] {
        &self.nodes
    }

    /// The first move of the attacker.
    pub fn first_move(&self) -> Cell {
        self.nodes[0].cell
    }

    /// Plies within which the attacker completes a line.
    pub fn plies(&self) -> u16 {
        self.nodes[0].plies
    }

    /// The nodes, without the check that they belong together.
    pub fn into_nodes(self) -> Vec<StrategyNode> {
        self.nodes
    }

    /// The moves of the attacker if the defender always chooses a reply against which the strategy takes longest.
    pub fn longest_steps(&self) -> Vec<ThreatStep> {
        let mut node = &self.nodes[0];
        let mut steps = Vec::new();
        loop {
            let longest = node.replies.iter().max_by_key(|(_, answer)| self.nodes[*answer].plies);
            steps.push(ThreatStep {
                cell: node.cell,
                threatens: node.otherwise.map(|answer| self.nodes[answer].cell),
                reply: longest.map(|(reply, _)| *reply),
            });
            match longest {
                Some((_, answer)) => node = &self.nodes[*answer],
                None => return steps,
            }
        }
    }

    /// The moves of both players in that case.
    pub fn longest_line(&self) -> Vec<Cell> {
        self.longest_steps().into_iter().flat_map(|step| [Some(step.cell), step.reply]).flatten().collect()
    }
}

/// Builds strategies from the proven nodes of a search.
pub struct StrategyBuilder<'t, 'b> {
    tree: &'t mut ThreatTree<'b>,
    /// The nodes, children before their parents.
    nodes: Vec<StrategyNode>,
    built: HashMap<NodeId, usize>,
}

impl<'t, 'b> StrategyBuilder<'t, 'b> {
    /// The plies within which the attacker wins from a proven node, and its strategy if it is to move. The board shows the
    /// position of the node.
    pub fn build(tree: &'t mut ThreatTree<'b>, root: NodeId, to_move: Role) -> (u16, Option<WinningStrategy>) {
        let mut builder = StrategyBuilder { tree, nodes: Vec::new(), built: HashMap::new() };
        if to_move == Role::Defender {
            let (replies, otherwise) = builder.defend(root);
            let answers = replies.into_iter().map(|(_, answer)| answer).chain(otherwise);
            return (1 + answers.map(|answer| builder.nodes[answer].plies).max().unwrap_or(0), None);
        }
        builder.attack(root);
        let mut nodes = builder.nodes;
        let last = nodes.len() - 1;
        nodes.reverse();
        for node in &mut nodes {
            node.replies.iter_mut().for_each(|(_, answer)| *answer = last - *answer);
            node.otherwise = node.otherwise.map(|answer| last - answer);
        }
        (nodes[0].plies, Some(WinningStrategy { nodes }))
    }

    fn add(&mut self, cell: u16, replies: Vec<(u16, usize)>, otherwise: Option<usize>) -> usize {
        let after = replies.iter().map(|&(_, next)| next).chain(otherwise);
        let plies = after.map(|next| self.nodes[next].plies + 2).max().unwrap_or(1);
        let board = &self.tree.board;
        let replies = replies.into_iter().map(|(reply, next)| (board.cell(reply), next)).collect();
        self.nodes.push(StrategyNode { cell: board.cell(cell), replies, otherwise, plies });
        self.nodes.len() - 1
    }

    /// Adds a proven node with the attacker to move.
    fn attack(&mut self, id: NodeId) -> usize {
        if let Some(&built) = self.built.get(&id) {
            return built;
        }
        let node = &self.tree.nodes[id as usize];
        let built = match node.fours.clone() {
            Some(fours) => self.add_fours(&fours),
            None => {
                let proven = node.edges.iter().find(|edge| self.tree.is_proven(edge.node));
                let edge = *proven.expect("a proven node has a proven move");
                self.tree.board.put(edge.cell, self.tree.attacker);
                let (mut replies, otherwise) = self.defend(edge.node);
                replies.extend(self.longest_other_reply(&replies, otherwise));
                self.tree.board.take(edge.cell, self.tree.attacker);
                self.add(edge.cell, replies, otherwise)
            }
        };
        self.built.insert(id, built);
        built
    }

    /// Adds the answers of a proven node with the defender to move: to each reply that is listed, and to all others.
    fn defend(&mut self, id: NodeId) -> (Vec<(u16, usize)>, Option<usize>) {
        if let [Some(one), Some(two)] = self.tree.board.two_completions(self.tree.attacker) {
            return (vec![(one, self.add_completion(two))], Some(self.add_completion(one)));
        }
        let node = &self.tree.nodes[id as usize];
        let edges = node.edges.clone();
        let otherwise = match (node.fours.clone(), node.lists_all) {
            (Some(fours), _) => Some(self.add_fours(&fours)),
            // The defender does not fill the only gap.
            (None, false) => Some(self.add_completion(edges[0].cell)),
            (None, true) => None,
        };
        let mut replies = Vec::new();
        for edge in edges {
            self.tree.board.put(edge.cell, 1 - self.tree.attacker);
            replies.push((edge.cell, self.attack(edge.node)));
            self.tree.board.take(edge.cell, 1 - self.tree.attacker);
        }
        (replies, otherwise)
    }

    /// A reply that is not listed, with its answer, if that takes longer than all others: the longest line has it.
    fn longest_other_reply(&self, replies: &[(u16, usize)], otherwise: Option<usize>) -> Option<(u16, usize)> {
        let plies = |answer: usize| self.nodes[answer].plies;
        let other = otherwise.filter(|&other| replies.iter().all(|&(_, answer)| plies(answer) < plies(other)))?;
        let is_listed = |cell: &u16| replies.iter().any(|(listed, _)| listed == cell);
        Some((self.tree.board.empty_cells().find(|cell| !is_listed(cell))?, other))
    }

    /// Adds a move that completes a line.
    fn add_completion(&mut self, cell: u16) -> usize {
        self.add(cell, Vec::new(), None)
    }

    /// Adds a sequence of fours.
    fn add_fours(&mut self, fours: &FourSequence) -> usize {
        let Some((&last, before)) = fours.moves.split_last() else { return self.add_completion(fours.completions[0]) };
        let [one, two] = [0, 1].map(|index| self.add_completion(fours.completions[index]));
        let mut next = self.add(last, vec![(fours.completions[0], two)], Some(one));
        for pair in before.chunks_exact(2).rev() {
            let &[four, gap] = pair else { continue };
            let completion = self.add_completion(gap);
            next = self.add(four, vec![(gap, next)], Some(completion));
        }
        next
    }
}
