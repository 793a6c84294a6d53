//! What a leaf is worth.

use crate::game::{Bounds, Position, Value};
use crate::search::{Playouts, Tally};

use super::descent::Descent;
use super::prior;
use super::threats;
use super::tree::Place;

impl Descent<'_> {
    /// The value of a leaf for the side to move, from -1 to 1. Afterwards its moves are known, if there is room for them
    /// and it is not proven to be won or lost.
    pub fn look(&mut self, place: Place, position: &Position, playouts: u64) -> f64 {
        if let Some(value) = position.final_value() {
            self.tree.node_mut(place).bounds = Bounds::exactly(value);
            return f64::from(value.result());
        }
        if self.tree.node(place).is_expanded {
            // There is no room for another node.
            return self.estimate(position, playouts).0;
        }
        let (bounds, moves) = self.at_a_glance(position);
        self.prove(place, bounds);
        match self.tree.node(place).result() {
            Some(result) => f64::from(result),
            None => self.play_and_expand(place, position, playouts, moves),
        }
    }

    fn prove(&mut self, place: Place, bounds: Bounds) {
        let node = self.tree.node_mut(place);
        node.bounds = node.bounds.and(bounds);
    }

    /// The value of a position by playouts and lines, which also say what its moves promise.
    pub fn play_and_expand(&mut self, place: Place, position: &Position, playouts: u64, moves: Vec<u16>) -> f64 {
        let (value, tally) = self.estimate(position, playouts);
        if self.tree.has_room_for(moves.len()) {
            let defence = if moves.len() > 1 { self.defence(position) } else { Vec::new() };
            let candidates = prior::candidates(position, self.board, &moves, &tally, &defence, self.tuning);
            self.tree.expand(place, candidates);
        }
        value
    }

    fn estimate(&mut self, position: &Position, playouts: u64) -> (f64, Tally) {
        let tally = self.play(position, playouts);
        let mean = tally.results().mean();
        let share = self.tuning.line_value;
        ((1.0 - share) * mean + share * self.lead(position), tally)
    }

    /// Playouts from a position. This is where most of the time goes.
    fn play(&mut self, position: &Position, playouts: u64) -> Tally {
        let control = self.control.clone().with_playouts(Some(playouts));
        let tally = Playouts::fastest(position, &control, 1).play(position, self.generator, &control, &mut |_| {});
        let results = tally.results();
        let is_mine = position.side() == self.position.side();
        let (wins, losses) = if is_mine { (results.wins, results.losses) } else { (results.losses, results.wins) };
        self.results.wins += wins;
        self.results.draws += results.draws;
        self.results.losses += losses;
        tally
    }

    /// By how much the lines of the side to move outweigh those of its opponent, from -1 to 1.
    fn lead(&self, position: &Position) -> f64 {
        let (me, other) = (position.side() as usize, !position.side() as usize);
        let mine = self.board.total_weight(me) as f64 * self.tuning.tempo;
        let theirs = self.board.total_weight(other) as f64;
        (mine - theirs) / (mine + theirs + self.tuning.at_stake)
    }

    /// What is proven at a glance about a position in which the game goes on, and the moves worth listing: under normal
    /// rules forced replies, else one dead cell at most, for a move in any of them is a pass; under reverse rules none that
    /// loses at once.
    fn at_a_glance(&mut self, position: &Position) -> (Bounds, Vec<u16>) {
        let (me, other) = (position.side() as usize, !position.side() as usize);
        let reverse = position.rules().reverse();
        if reverse {
            let moves: Vec<u16> = self.board.empty_cells().filter(|&cell| !self.board.completes(me, cell)).collect();
            let bounds = if moves.is_empty() { Bounds::exactly(Value::Loss(1)) } else { self.by_live_lines(other, me) };
            return (bounds, moves);
        }
        if self.board.lines_lacking(me, 1) > 0 {
            return (Bounds::exactly(Value::Win(1)), Vec::new());
        }
        let gaps: Vec<u16> = self.board.completions(other).take(2).collect();
        if gaps.len() > 1 {
            return (Bounds::exactly(Value::Loss(2)), Vec::new());
        }
        let bounds = self.by_live_lines(me, other);
        if let Some(sequence) = threats::find(self.board, me, self.tuning.threat_stones) {
            return (Bounds { at_least: Value::Win(sequence.plies), ..bounds }, Vec::new());
        }
        if !gaps.is_empty() {
            return (bounds, gaps);
        }
        let is_dead = |cell: u16| self.board.weight(0, cell) + self.board.weight(1, cell) == 0;
        let mut has_dead = false;
        let is_listed = |cell: &u16| !is_dead(*cell) || !std::mem::replace(&mut has_dead, true);
        (bounds, self.board.empty_cells().filter(is_listed).collect())
    }

    /// The side to move cannot win when nothing is left of the lines that it wins by, nor lose without those that its
    /// opponent wins by.
    fn by_live_lines(&self, wins_by: usize, loses_by: usize) -> Bounds {
        Bounds {
            at_least: if self.board.has_live_line(loses_by) { Value::Loss(0) } else { Value::Draw },
            at_most: if self.board.has_live_line(wins_by) { Value::Win(0) } else { Value::Draw },
        }
    }

    /// The cells that have to do with a win by threats of the opponent, if it had one after a pass.
    fn defence(&mut self, position: &Position) -> Vec<u16> {
        if position.rules().reverse() {
            return Vec::new();
        }
        let other = !position.side() as usize;
        threats::find(self.board, other, self.tuning.threat_stones).map(|sequence| sequence.cells).unwrap_or_default()
    }
}
