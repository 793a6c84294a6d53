//! Evaluation and expansion of a leaf.

use crate::game::{Bounds, Position, Value};
use crate::search::proof::threats::replies_to_fours;
use crate::search::{Playouts, Tally};

use super::prior::{self, Estimate};
use super::search::MctsSearch;
use super::tree::{NodeId, ROOT};

/// Where the network fits, a node below the root lists the moves with at least this prior. A move with less would get its first
/// visit after about a hundred thousand visits to its siblings. Lists of all moves would fill the memory several times as soon.
const LEAST_PRIOR: f32 = 3e-4;

impl MctsSearch<'_> {
    /// The value of a leaf for the side to move, from -1 to 1. Also expands the leaf, unless it is proven to be won or
    /// lost or the memory is full.
    pub fn evaluate(&mut self, id: NodeId, position: &Position, playouts: u64) -> f64 {
        if let Some(value) = position.final_value() {
            self.tree.node_mut(id).bounds = Bounds::exactly(value);
            return f64::from(value.result());
        }
        if self.tree.node(id).is_expanded {
            // All listed moves are decided, or there is no room for another node.
            let estimate = self.estimate(position, playouts);
            if self.tree.is_listed_in_part(id) {
                self.list_rest(id, position, &estimate);
            }
            return estimate.value;
        }
        let (bounds, moves) = self.static_bounds(position);
        let node = self.tree.node_mut(id);
        node.bounds = node.bounds.and(bounds);
        match node.result() {
            Some(result) => f64::from(result),
            None => self.play_and_expand(id, position, playouts, moves),
        }
    }

    /// The estimated value of a position. Expands its node with its moves and their priors, if there is memory for them.
    pub fn play_and_expand(&mut self, id: NodeId, position: &Position, playouts: u64, mut moves: Vec<u16>) -> f64 {
        let estimate = self.estimate(position, playouts);
        if self.tree.has_room_for(moves.len()) {
            let mut left_out = if moves.len() > 1 { self.leave_out(position, &mut moves) } else { None };
            let mut candidates = prior::candidates(position, self.board, &moves, &estimate, self.tuning);
            if id != ROOT && estimate.assessment.is_some() && left_out.is_none() {
                // The best comes last.
                let unlikely = candidates.partition_point(|candidate| candidate.prior < LEAST_PRIOR);
                candidates = candidates.split_off(unlikely);
                left_out = (unlikely > 0).then_some(self.tree.unknown);
            }
            self.tree.expand(id, candidates, left_out);
        }
        estimate.value
    }

    /// Lists the moves of a node that were left out because they are unlikely, if all others have a node and there is memory.
    fn list_rest(&mut self, id: NodeId, position: &Position, estimate: &Estimate) {
        if !self.tree.node(id).candidates.is_empty() || !self.tree.has_room_for(position.empty_cells()) {
            return;
        }
        let (_, mut moves) = self.static_bounds(position);
        moves.retain(|&cell| self.tree.child(id, cell).is_none());
        let candidates = prior::candidates(position, self.board, &moves, estimate, self.tuning);
        self.tree.expand(id, candidates, None);
    }

    /// Estimates a position: by the network, or by playouts and lines.
    fn estimate(&mut self, position: &Position, playouts: u64) -> Estimate {
        let tally = (playouts > 0).then(|| self.play(position, playouts));
        let assessment = self.network.map(|network| network.assess(position, self.board));
        self.evaluations.judged += u64::from(tally.is_none());
        let value = if let Some(assessment) = &assessment {
            assessment.value
        } else {
            let mean = tally.as_ref().map_or(0.0, |tally| tally.results().mean());
            let share = self.tuning.line_value;
            (1.0 - share) * mean + share * self.lead(position)
        };
        Estimate { value, tally, assessment }
    }

    /// Playouts from a position. Without a network, most of the time of a search is spent here.
    fn play(&mut self, position: &Position, playouts: u64) -> Tally {
        let tally = if position.rules().completer_wins() {
            self.playouts.play_few(position, playouts, self.generator, self.control)
        } else {
            let control = self.control.clone().with_playouts(Some(playouts));
            Playouts::fastest(position, &control, 1).play(position, self.generator, &control, &mut |_| {})
        };
        let results = tally.results();
        self.evaluations.results += if position.side() == self.position.side() { results } else { results.turned() };
        tally
    }

    /// The advantage of the side to move in live lines, from -1 to 1.
    fn lead(&self, position: &Position) -> f64 {
        let (me, other) = (position.side() as usize, !position.side() as usize);
        let mine = self.board.total_weight(me) as f64 * self.tuning.tempo;
        let theirs = self.board.total_weight(other) as f64;
        (mine - theirs) / (mine + theirs + self.tuning.at_stake)
    }

    /// The bounds of a position in which the game goes on, proven without a search, and the moves worth listing.
    ///
    /// Normal rules: only the forced reply, if there is one. Otherwise all moves, but of the cells without a live line
    /// only the first: a move on any of them is a pass. Reverse rules: all moves that do not lose at once.
    fn static_bounds(&mut self, position: &Position) -> (Bounds, Vec<u16>) {
        let (me, other) = (position.side() as usize, !position.side() as usize);
        if !position.rules().completer_wins() {
            let moves: Vec<u16> = self.board.empty_cells().filter(|&cell| !self.board.completes(me, cell)).collect();
            let bounds =
                if moves.is_empty() { Bounds::exactly(Value::Loss(1)) } else { self.bounds_by_live_lines(other, me) };
            return (bounds, moves);
        }
        if self.board.lines_lacking(me, 1) > 0 {
            return (Bounds::exactly(Value::Win(1)), Vec::new());
        }
        let gaps = self.board.completions(other);
        if gaps.len() > 1 {
            return (Bounds::exactly(Value::Loss(2)), Vec::new());
        }
        let bounds = self.bounds_by_live_lines(me, other);
        if let Some(sequence) = self.fours.find(self.board, me, &mut { self.tuning.threat_nodes }) {
            return (Bounds { at_least: Value::Win(sequence.plies()), ..bounds }, Vec::new());
        }
        if !gaps.is_empty() {
            return (bounds, gaps);
        }
        let is_dead = |cell: u16| self.board.weight(0, cell) + self.board.weight(1, cell) == 0;
        let mut has_dead = false;
        let is_listed = |cell: &u16| !is_dead(*cell) || !std::mem::replace(&mut has_dead, true);
        (bounds, self.board.empty_cells().filter(is_listed).collect())
    }

    /// Bounds from live lines. The side to move cannot win if player `wins_by` has no live line, and it cannot lose if
    /// player `loses_by` has none.
    fn bounds_by_live_lines(&self, wins_by: usize, loses_by: usize) -> Bounds {
        Bounds {
            at_least: if self.board.has_live_line(loses_by) { Value::Loss(0) } else { Value::Draw },
            at_most: if self.board.has_live_line(wins_by) { Value::Win(0) } else { Value::Draw },
        }
    }

    /// Leaves out the moves after which the opponent wins by fours that it has already, and returns the bounds of the
    /// positions after them. `None` if there are no such fours.
    fn leave_out(&mut self, position: &Position, moves: &mut Vec<u16>) -> Option<Bounds> {
        if !position.rules().completer_wins() {
            return None;
        }
        let other = !position.side() as usize;
        let fours = self.fours.find(self.board, other, &mut { self.tuning.threat_nodes })?;
        let replies = replies_to_fours(self.board, other, &fours);
        moves.retain(|cell| replies.contains(cell));
        Some(Bounds { at_least: Value::Win(fours.plies()), at_most: Value::Win(1) })
    }
}
