//! Which child a visit goes to.

use super::descent::Descent;
use super::tree::Place;

impl Descent<'_> {
    /// The child with the highest sum of its mean value and of what it may be worth exploring it: its prior, against the
    /// share of the visits that it has had. A move that was never visited is supposed to be somewhat worse than its
    /// siblings, the more so the larger the share of the priors is that they have. Children that are won or lost are left
    /// out. `None` when there are no others.
    ///
    /// The rule is PUCT. (C. D. Rosin, "Multi-armed bandits with episode context", Annals of Mathematics and Artificial
    /// Intelligence 61, 2011; in the form of D. Silver et al., "Mastering the game of Go without human knowledge", Nature
    /// 550, 2017.)
    pub fn choose(&mut self, place: Place) -> Option<Place> {
        let node = self.tree.node(place);
        let exploration = self.tuning.exploration * f64::from(node.visits.max(1)).sqrt();
        let mut best: Option<(f64, Place)> = None;
        let mut visited = 0.0;
        for child in self.tree.children(place) {
            let node = self.tree.node(child);
            visited += f64::from(node.prior);
            if node.result().is_some() {
                continue;
            }
            let worth = node.mean() + exploration * f64::from(node.prior) / f64::from(1 + node.visits);
            if best.is_none_or(|(most, _)| worth > most) {
                best = Some((worth, child));
            }
        }
        let unvisited = node.next_candidate().map(|candidate| {
            let value = -node.mean() - self.tuning.reluctance * visited.sqrt();
            value + exploration * f64::from(candidate.prior)
        });
        let prefers_unvisited = unvisited.is_some_and(|worth| best.is_none_or(|(most, _)| worth > most));
        let opened = if prefers_unvisited { self.tree.open(place) } else { None };
        opened.or(best.map(|(_, child)| child))
    }
}
