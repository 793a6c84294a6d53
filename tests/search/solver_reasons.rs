//! The reasons of a proof can be checked without the solver.

use std::collections::HashSet;

use crate::common::biased::BiasedPlay;
use crate::common::reasons::assert_proof_holds;
use crate::common::rules;
use noughts::game::{Position, Rules};
use noughts::search::{Control, Proof, Solver};

/// The games whose reasons are checked.
fn games() -> Vec<Rules> {
    let games =
        [(3, 0), (4, 0), (5, 0), (6, 0), (8, 0), (12, 0), (4, 3), (5, 4), (6, 5), (7, 6), (13, 8), (20, 9), (4, 2)];
    games.into_iter().flat_map(|(size, connect)| [false, true].map(|reverse| rules(size, connect, reverse))).collect()
}

#[test]
fn every_reason_holds_before_a_plain_checker() {
    let mut seen = HashSet::new();
    for rules in games() {
        let mut play = BiasedPlay::new(rules, 11);
        let mut solver = Solver::new(rules, 16);
        let mut positions = vec![Position::start(rules)];
        let count = if rules.shape().rows > 8 { 60 } else { 300 };
        positions.extend((0..count).filter_map(|_| {
            let empties = 1 + play.draw(rules.cells());
            play.position(empties)
        }));
        for position in positions {
            solver.forget();
            let Proof { bounds, attack, defence } = solver.prove(&position, &Control::nodes_only(2_000));
            assert_proof_holds(&position, bounds, [&attack, &defence]);
            let reasons = [attack, defence].into_iter().flatten();
            seen.extend(reasons.map(|reason| (rules.reverse(), std::mem::discriminant(&reason))));
        }
    }
    // No line, potential, pairing, search and theorem under normal rules; parity and mirror, no theorem, in reverse.
    assert!(seen.len() >= 10, "{}", seen.len());
}
