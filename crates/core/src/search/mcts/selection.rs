//! Selection: which child an iteration goes to.

use super::search::MctsSearch;
use super::tree::NodeId;

impl MctsSearch<'_> {
    /// The child with the highest PUCT value: its mean value plus an exploration term. That term grows with the prior of
    /// the child and falls with its visits. Children that are proven to be won or lost are left out; `None` when there are
    /// no others.
    ///
    /// An unvisited move gets the value of its parent less the first play urgency (FPU) reduction. The reduction grows
    /// with the priors of the siblings that have been visited.
    ///
    /// (C. D. Rosin, "Multi-armed bandits with episode context", Annals of Mathematics and Artificial
    /// Intelligence 61, 2011; in the form of D. Silver et al., "Mastering the game of Go without human knowledge", Nature
    /// 550, 2017.)
    pub fn select_child(&mut self, id: NodeId) -> Option<NodeId> {
        let node = self.tree.node(id);
        let exploration = self.tuning.exploration * f64::from(node.visits.max(1)).sqrt();
        let mut best: Option<(f64, NodeId)> = None;
        let mut visited = 0.0;
        for child in self.tree.children(id) {
            let node = self.tree.node(child);
            visited += f64::from(node.prior);
            if node.result().is_some() {
                continue;
            }
            let puct = node.mean() + exploration * f64::from(node.prior) / f64::from(1 + node.visits);
            if best.is_none_or(|(highest, _)| puct > highest) {
                best = Some((puct, child));
            }
        }
        let unvisited = node.next_candidate().map(|candidate| {
            let value = -node.mean() - self.tuning.first_play_urgency_reduction * visited.sqrt();
            value + exploration * f64::from(candidate.prior)
        });
        let prefers_unvisited = unvisited.is_some_and(|puct| best.is_none_or(|(highest, _)| puct > highest));
        let added = if prefers_unvisited { self.tree.add_child(id) } else { None };
        added.or(best.map(|(_, child)| child))
    }
}
