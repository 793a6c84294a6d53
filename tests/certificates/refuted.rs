//! Claims that are false: the prover names a true claim that refutes them, and only them.

use super::common::random_games::any_move;
use noughts::certificate::Spool;
use noughts::game::{Player, Position, Rules, Value};
use noughts::search::certificate::{Claim, Prover};
use noughts::search::{Control, Solver, Stream, generator};

/// True if a claim is true of a position of this value.
fn is_true(claim: Claim, position: &Position, value: Value) -> bool {
    let winner_and_plies = match value {
        Value::Win(plies) => Some((position.side(), plies)),
        Value::Loss(plies) => Some((!position.side(), plies)),
        Value::Draw => None,
    };
    let wins_in = |player| winner_and_plies.filter(|&(winner, _)| winner == player).map(|(_, plies)| plies);
    match claim {
        Claim::Wins(player, limit) => wins_in(player).is_some_and(|plies| plies <= limit),
        Claim::Cannot(player, limit) => wins_in(player).is_none_or(|plies| limit.is_some_and(|limit| limit < plies)),
        Claim::Weak(_) => unreachable!("no claim of this test"),
    }
}

#[test]
fn a_claim_is_proved_or_refuted_by_a_true_claim() {
    let mut random = generator(1, Stream::Sample);
    let (mut proofs, mut refutations) = (0, 0);
    for (size, connect, reverse) in [(3, 3, false), (3, 3, true), (3, 2, true), (4, 3, false), (4, 3, true)] {
        let rules = Rules::new(size, connect, reverse).expect("rules");
        let mut solver = Solver::within_bytes(rules, 1 << 20);
        for _ in 0..6 {
            let mut position = Position::start(rules);
            while position.outcome().is_none() {
                let empty = position.empty_cells() as u16;
                let limits = if empty > 9 { 0..0 } else { 1..empty + 2 };
                let value = solver.bounds(&position, &Control::unlimited()).exact().expect("no limit");
                for player in Player::BOTH {
                    let limited =
                        limits.clone().map(|limit| [Claim::Wins(player, limit), Claim::Cannot(player, Some(limit))]);
                    for claim in limited.flatten().chain([Claim::Cannot(player, None)]) {
                        let mut spool = Spool::new(tempfile::tempfile().expect("a file"), size.into());
                        let control = Control::unlimited();
                        let mut prover = Prover::new(&mut solver, &control, &mut spool);
                        let is_proved = prover.prove(&position, claim).is_ok();
                        let refutation = prover.refutation(&position, claim).expect("no limit");
                        let text = format!("{rules} {} {claim}: {refutation:?}", position.diagram());
                        let expected = is_true(claim, &position, value);
                        assert_eq!((is_proved, refutation.is_none()), (expected, expected), "{text}");
                        assert!(refutation.is_none_or(|opposite| is_true(opposite, &position, value)), "{text}");
                        proofs += u32::from(is_proved);
                        refutations += u32::from(refutation.is_some());
                    }
                }
                position = position.after(any_move(&position, &mut random));
            }
        }
    }
    assert!(proofs > 500 && refutations > 500, "{proofs} {refutations}");
}
