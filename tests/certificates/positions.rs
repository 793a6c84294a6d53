//! A sample of positions is proven, and the checkers agree with the solver.

use noughts::game::{Bounds, Player, Position, Rules, Shape, Value};
use noughts::search::certificate::Claim;
use noughts::search::{Control, Solver};

use super::common::biased::BiasedPlay;
use super::common::part::Part;
use super::made::{certificate, certificate_of, python_verdict, verdict};

/// Nodes within which the solver decides a position of the sample.
const NODES: u64 = 20_000;

/// The end of the verdict for an exact value, seen by the side to move.
fn statement(value: Value, side: Player) -> String {
    match value {
        // There is no earlier ply in which a player could win.
        Value::Win(1) => format!("{} wins within 1 ply", side.letter()),
        Value::Loss(1) => format!("{} wins within 1 ply", (!side).letter()),
        Value::Draw => "neither player can force a win: a draw".to_owned(),
        Value::Win(distance) => format!("{} wins in exactly {distance} plies", side.letter()),
        Value::Loss(distance) => format!("{} wins in exactly {distance} plies", (!side).letter()),
    }
}

/// Decided positions of a game with their values.
fn decided(rules: Rules, solver: &mut Solver, count: usize, seed: u64) -> Vec<(Position, Value)> {
    let mut play = BiasedPlay::new(rules, seed);
    let mut found = Vec::new();
    let cells = rules.cells();
    let control = Control::nodes_only(NODES);
    let mut judge = |position: Position| solver.bounds(&position, &control).exact().map(|value| (position, value));
    found.extend(judge(Position::start(rules)));
    // With 1 in a row only the start goes on.
    for round in 0.. {
        if found.len() == count || rules.line_length() == Some(1) || round == 100 * count {
            break;
        }
        let empty = 1 + play.draw(cells);
        found.extend(play.position(empty).and_then(&mut judge));
    }
    found
}

/// Decided positions of each game, a fifth of them every day; one in so many is checked in Python as well.
fn decided_positions_get_certificates(part: Part) {
    // The two parts are drawn with seeds of their own. 1 in a row has one position, so the other games have more.
    let (count, seed, in_python, least) = match part {
        Part::Daily => (15, 1, 8, 200),
        Part::Rest => (57, 2, 32, 800),
    };
    let mut checked = 0;
    for shape in [(4, 4), (5, 5), (3, 5), (6, 2)].map(Shape::from) {
        let numbers = 1..=u16::from(shape.longer_side());
        for (connect, reverse) in numbers.flat_map(|connect| [(connect, false), (connect, true)]) {
            let rules = Rules::new(shape, connect, reverse).unwrap();
            let mut solver = Solver::new(rules, 16);
            for (place, (position, value)) in decided(rules, &mut solver, count, seed).into_iter().enumerate() {
                let text = certificate_of(&mut solver, &position, Bounds::exactly(value));
                let said = verdict(&text);
                let expected = statement(value, position.side());
                let is_right = said.as_ref().is_ok_and(|said| said.ends_with(&expected));
                assert!(is_right, "{rules}, {}: {said:?}, expected {expected}\n{text}", position.diagram());
                if place % in_python == 0 {
                    assert_eq!(python_verdict(&text), said, "{text}");
                }
                checked += 1;
            }
        }
    }
    println!("{checked} positions");
    assert!(checked >= least, "{checked}");
}

#[test]
fn decided_positions_get_a_certificate_that_is_checked() {
    decided_positions_get_certificates(Part::Daily);
}

/// Four times as many positions.
mod long {
    use super::*;

    #[test]
    #[ignore = "long: scripts/check all"]
    fn more_decided_positions_get_a_certificate_that_is_checked() {
        decided_positions_get_certificates(Part::Rest);
    }
}

/// Up to four claims that are true of a position with this value, no two the same.
fn true_claims(position: &Position, value: Value, play: &mut BiasedPlay) -> Vec<Claim> {
    let (side, empty) = (position.side(), position.empty_cells() as u16);
    let winner = match value {
        Value::Win(plies) => Some((side, plies)),
        Value::Loss(plies) => Some((!side, plies)),
        Value::Draw => None,
    };
    let mut claims = Vec::new();
    for _ in 0..1 + play.draw(4) {
        let player = Player::BOTH[play.draw(2)];
        let claim = match winner.filter(|winner| winner.0 == player) {
            Some((_, plies)) if play.draw(2) == 0 => Claim::Wins(player, plies + play.draw(4) as u16),
            Some((_, 1)) => continue,
            Some((_, plies)) => Claim::Cannot(player, Some(1 + play.draw(usize::from(plies) - 1) as u16)),
            None => Claim::Cannot(player, Some(1 + play.draw(12) as u16).filter(|&plies| plies < empty)),
        };
        if !claims.contains(&claim) {
            claims.push(claim);
        }
    }
    claims
}

#[test]
fn both_print_one_text_about_any_claims_that_are_true() {
    let (mut checked, mut not_exact) = (0, 0);
    for (size, connect, reverse) in [(2, 2, false), (3, 2, true), (3, 3, false), (3, 3, true), (4, 3, false)] {
        let rules = Rules::new(size, connect, reverse).unwrap();
        let mut solver = Solver::new(rules, 16);
        let mut play = BiasedPlay::new(rules, 5);
        for (position, value) in decided(rules, &mut solver, 16, 1) {
            let claims = true_claims(&position, value, &mut play);
            // The other tests have files with one claim.
            if claims.len() < 2 {
                continue;
            }
            // Some true claims have no proof that can be written down.
            let Ok(text) = certificate(&mut solver, &position, claims.clone()) else { continue };
            let said = verdict(&text);
            assert_eq!(python_verdict(&text), said, "{claims:?}\n{text}");
            let said = said.unwrap_or_else(|record| panic!("record {record} of {text}"));
            not_exact += u32::from(said.contains(" wins within ") && said.contains(" cannot force a win within "));
            checked += 1;
        }
    }
    println!("{checked} certificates, {not_exact} with a win that is not exact");
    assert!(checked >= 30 && not_exact >= 5, "{checked} certificates, {not_exact} with a win that is not exact");
}
