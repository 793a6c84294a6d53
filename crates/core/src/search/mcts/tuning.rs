//! The numbers of the search that were found by playing matches against the flat player.

use crate::game::Rules;

/// Numbers that decide about strength, not about what is right.
#[derive(Clone, Copy, Debug)]
pub struct Tuning {
    /// How much a move is visited for the sake of its prior.
    pub exploration: f64,
    /// How much worse than its siblings a move is supposed to be that was never visited.
    pub reluctance: f64,
    /// The difference of two totals, per playout, that makes the larger one weigh e times as much.
    pub temperature: f64,
    /// The share of the lines in the prior, the rest being that of the totals.
    pub line_prior: f64,
    /// What the opponent's lines through a cell count in the prior, where one's own count 1.
    pub other_lines: f64,
    /// The share of the lines in the value of a leaf, the rest being that of the playouts.
    pub line_value: f64,
    /// What the lines of the side to move count in the value of a leaf, where those of its opponent count 1.
    pub tempo: f64,
    /// The weight of lines in which nobody leads by much, added to those of both: where less is at stake, a lead counts less.
    /// So a position in which the lines of both are dead is worth less than one in which there is something to be won.
    pub at_stake: f64,
    /// Stones that the search for threats may put, at most.
    pub threat_stones: u32,
    /// The most playouts of a leaf. Small batches leave time for more leaves, which has turned out to be worth more.
    pub batch: u64,
}

impl Tuning {
    /// Normal rules: lines tell more than playouts.
    pub const NORMAL: Tuning = Tuning {
        exploration: 1.0,
        reluctance: 0.2,
        temperature: 0.1,
        line_prior: 0.9,
        other_lines: 1.0,
        line_value: 0.7,
        tempo: 1.2,
        at_stake: 400.0,
        threat_stones: 100,
        batch: 8,
    };

    /// Reverse rules: playouts tell more than lines, and there are no threats.
    pub const REVERSE: Tuning =
        Tuning { exploration: 1.0, line_prior: 0.5, line_value: 0.0, threat_stones: 0, batch: 512, ..Tuning::NORMAL };

    /// The numbers for a game.
    pub fn for_rules(rules: Rules) -> &'static Tuning {
        if rules.reverse() { &Tuning::REVERSE } else { &Tuning::NORMAL }
    }
}
