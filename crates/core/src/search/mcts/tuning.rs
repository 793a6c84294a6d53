//! The parameters of the search. They were tuned in matches against the flat Monte Carlo player.

use crate::game::Rules;

/// Parameters that change the strength of the search, not its correctness.
#[derive(Clone, Copy, Debug)]
pub struct Tuning {
    /// The weight of the exploration term of PUCT.
    pub exploration: f64,
    /// The first play urgency (FPU) reduction: how much worse than its parent's mean an unvisited move is assumed to be.
    pub first_play_urgency_reduction: f64,
    /// The softmax temperature of the totals: the difference per playout that makes the larger total weigh e times as
    /// much.
    pub temperature: f64,
    /// The share of the lines in the prior, from 0 to 1. The totals have the rest.
    pub line_prior: f64,
    /// The weight of the opponent's lines through a cell in the prior. Those of the side to move have weight 1.
    pub other_lines: f64,
    /// The factor for the prior of a move that is far from all stones, on a large board.
    pub far: f64,
    /// The share of the lines in the value of a leaf, from 0 to 1. The playouts have the rest.
    pub line_value: f64,
    /// The weight of the lines of the side to move in the value of a leaf. Those of its opponent have weight 1.
    pub tempo: f64,
    /// Added to the weight of all lines before an advantage is divided by it. So an advantage counts less where little is
    /// left to be won.
    pub at_stake: f64,
    /// The budget of the threat search at a leaf, in nodes.
    pub threat_nodes: u32,
    /// The most playouts of a leaf. Under normal rules more leaves were worth more than larger batches.
    pub batch: u64,
}

impl Tuning {
    /// Normal rules: lines predict the result better than playouts.
    pub const NORMAL: Tuning = Tuning {
        exploration: 1.0,
        first_play_urgency_reduction: 0.2,
        temperature: 0.1,
        line_prior: 0.9,
        other_lines: 1.0,
        far: 0.01,
        line_value: 0.7,
        tempo: 1.2,
        at_stake: 400.0,
        threat_nodes: 100,
        batch: 8,
    };

    /// Reverse rules: playouts predict the result better than lines, and there are no threats.
    pub const REVERSE: Tuning = Tuning {
        exploration: 1.0,
        line_prior: 0.5,
        far: 1.0,
        line_value: 0.0,
        threat_nodes: 0,
        batch: 512,
        ..Tuning::NORMAL
    };

    /// The parameters for these rules.
    pub fn for_rules(rules: Rules) -> &'static Tuning {
        if rules.completer_wins() { &Tuning::NORMAL } else { &Tuning::REVERSE }
    }
}
