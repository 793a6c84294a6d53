//! The solver against plain alpha-beta, at the end of games on small boards, in seconds. `tests/search` has the same laws for
//! whole boards and longer games.

use std::collections::HashMap;

use super::*;
use crate::search::oracle::{self, endgames, holds};
use crate::search::proof::Role;

/// The solver with all techniques, without any, and without each.
fn variants(rules: Rules) -> Vec<(String, Solver)> {
    let solver = || Solver::within_bytes(rules, 1 << 17);
    let mut variants = vec![("all".to_owned(), solver()), ("none".to_owned(), solver().without(&Technique::ALL))];
    variants.extend(Technique::ALL.map(|technique| (format!("without {technique:?}"), solver().without(&[technique]))));
    variants
}

fn boards() -> impl Iterator<Item = Rules> {
    let boards = [(3, 3), (3, 2), (4, 4), (4, 3), (5, 5), (5, 4), (6, 4), (4, 2)];
    let both = boards.into_iter().flat_map(|board| [(board, false), (board, true)]);
    both.map(|((size, connect), reverse)| Rules::new(size, connect, reverse).expect("rules"))
}

#[test]
fn endgames_equal_plain_alpha_beta_whatever_is_switched_off() {
    for rules in boards() {
        let known: Vec<_> = endgames(rules, &[9, 6, 8, 7], 16)
            .into_iter()
            .map(|position| (position, oracle::value(&position), oracle::move_values(&position)))
            .collect();
        for (name, mut solver) in variants(rules) {
            for (position, value, expected) in &known {
                let control = Control::unlimited();
                let at = || format!("{rules} {}, {name}", position.diagram());
                assert_eq!(solver.bounds(position, &control), Bounds::exactly(*value), "{}", at());
                let exactly: Vec<_> = expected.iter().map(|&(cell, value)| (cell, Bounds::exactly(value))).collect();
                assert_eq!(solver.move_bounds(position, &control), exactly, "{}", at());
                let keeps = |wanted: &Value| {
                    let best = expected.iter().filter(|(_, value)| value >= wanted);
                    best.map(|&(cell, _)| cell).collect::<Vec<_>>()
                };
                assert_eq!(solver.best_moves(position, &control), keeps(value), "{}", at());
                let best = solver.find_best_move(position, *value, &control).expect("a best move");
                assert!(keeps(value).contains(&best), "{}", at());
                let moves: Vec<Cell> = position.moves().collect();
                let decided = solver.keeping_moves(position, &moves, *value, &control);
                let kept = decided.iter().filter_map(|&(cell, kept)| kept.then_some(cell));
                assert_eq!((decided.len(), kept.collect()), (moves.len(), keeps(value)), "{}", at());
            }
        }
    }
}

#[test]
fn play_of_the_solver_keeps_the_value_to_the_end() {
    for rules in boards() {
        let mut solver = Solver::within_bytes(rules, 1 << 17);
        for start in endgames(rules, &[9, 8, 10], 12) {
            let (mut position, mut value) = (start, oracle::value(&start));
            let line = solver.principal_variation(&start, &Control::unlimited());
            assert_eq!(line.len(), value.plies().map_or(1, usize::from), "{rules} {}", start.diagram());
            for cell in line {
                position = position.after(cell);
                value = value.after_move();
                assert_eq!(oracle::value(&position), value, "{rules} {}", position.diagram());
            }
            assert_eq!(position.outcome().is_some(), value.plies() == Some(0) || position.empty_cells() == 0);
        }
    }
}

#[test]
fn a_search_that_is_cut_off_claims_only_what_is_true() {
    for rules in boards() {
        for position in endgames(rules, &[9, 8, 7], 8) {
            let value = oracle::value(&position);
            let values: HashMap<Cell, Value> = oracle::move_values(&position).into_iter().collect();
            for nodes in (1..30).chain((30..300).step_by(30)) {
                let mut solver = Solver::within_bytes(rules, 1 << 17);
                let control = Control::nodes_only(nodes);
                let at = || format!("{rules} {}, {nodes} nodes", position.diagram());
                let found = solver.solve(&position, &control, &mut |_, _, _| {});
                assert!(holds(found.bounds, value), "{}: {:?}", at(), found.bounds);
                if let (Some(best), true) = (found.best, found.bounds.at_least > Bounds::UNKNOWN.at_least) {
                    assert!(values[&best] >= found.bounds.at_least, "{}: {best:?}", at());
                }
                for (cell, bounds) in solver.move_bounds(&position, &control) {
                    assert!(holds(bounds, values[&cell]), "{}: {cell:?} {bounds:?}", at());
                }
            }
        }
    }
}

#[test]
fn a_win_whose_distance_is_open_comes_with_a_line_that_wins() {
    let rules = Rules::new(7, 4, false).expect("rules");
    let mut found = 0;
    for corner in [(0, 0), (0, 3), (1, 1), (2, 3), (6, 1)] {
        let position = Position::start(rules).after(Cell::new(3, 3)).after(Cell::new(corner.0, corner.1));
        let mut solver = Solver::within_bytes(rules, 1 << 20);
        let control = Control::unlimited().with_distance_nodes(Some(0));
        let Solution { bounds, best, winning_line } = solver.solve(&position, &control, &mut |_, _, _| {});
        let Value::Win(plies) = bounds.at_least else { panic!("no win after {corner:?}") };
        if bounds.exact().is_some() {
            continue;
        }
        found += 1;
        assert_eq!((winning_line.first(), winning_line.len()), (best.as_ref(), usize::from(plies)), "{corner:?}");
        let end = winning_line.into_iter().fold(position, |position, cell| position.after(cell));
        assert_eq!(end.final_value(), Some(Value::Loss(0)), "{corner:?}");
    }
    assert!(found > 0, "every distance is proven");
}

#[test]
fn every_technique_saves_nodes() {
    use Technique::{DeadPairs, Isomorphism, Pairing, Parity};
    let normal = [(3, 3), (4, 4), (4, 3), (5, 4), (6, 4), (6, 5)].map(|(size, connect)| (size, connect, false));
    let reverse = [(3, 3), (4, 2), (4, 3), (4, 4), (5, 3), (5, 4), (5, 5)].map(|(size, connect)| (size, connect, true));
    let boards = normal.into_iter().chain(reverse);
    let positions = boards.flat_map(|(size, connect, reverse)| {
        let rules = Rules::new(size, connect, reverse).expect("rules");
        let empty_cells: &[usize] = if size > 4 { &[14, 13, 16] } else { &[10, 12, 11] };
        endgames(rules, empty_cells, 6).into_iter().chain([Position::start(rules)])
    });
    let positions: Vec<Position> = positions.collect();
    let nodes = |off: &[Technique]| -> u64 {
        let of_position = |position: &Position| {
            let mut solver = Solver::within_bytes(position.rules(), 1 << 17).without(off);
            solver.bounds(position, &Control::nodes_only(6_000));
            solver.nodes()
        };
        positions.iter().map(of_position).sum()
    };
    let all = nodes(&[]);
    // These two join positions of long searches. There are none where pairs and parity decide.
    let (without_pairs, without_isomorphism) = (nodes(&[Pairing, Parity]), nodes(&[Pairing, Parity, Isomorphism]));
    let without_dead = nodes(&[Pairing, Parity, DeadPairs]);
    assert!(without_pairs < without_dead && without_dead < without_isomorphism);
    for technique in Technique::ALL.into_iter().filter(|technique| ![Isomorphism, DeadPairs].contains(technique)) {
        let without = nodes(&[technique]);
        assert!(all < without, "{technique:?}: {all} nodes with it, {without} without");
    }
}

#[test]
fn exchanges_take_no_proof_of_two_in_a_row_away() {
    let positions = [(4, [9, 10]), (5, [15, 17]), (6, [24, 26])]
        .into_iter()
        .flat_map(|(size, empty_cells)| endgames(Rules::new(size, 2, true).expect("rules"), &empty_cells, 200));
    let (mut with_and_without, mut only_with) = (0, 0);
    for (position, attacker) in positions.flat_map(|position| [Player::X, Player::O].map(|player| (position, player))) {
        let mut solvers = [&[][..], &[Technique::Exchange]]
            .map(|left_out| Solver::within_bytes(position.rules(), 1 << 12).without(left_out));
        let role = if position.side() == attacker { Role::Attacker } else { Role::Defender };
        for depth in 2..position.empty_cells() as u16 {
            let [with, without] = solvers.each_mut().map(|solver| {
                let (mut attack, _) = solver.attack_search(&position);
                attack.attacker = attacker as usize;
                let is_open = matches!(attack.try_static(role, depth), StaticResult::Open);
                is_open && attack.try_pairing(role, depth).is_some()
            });
            assert!(with || !without, "{} {role:?} {depth} plies", position.diagram());
            with_and_without += usize::from(without);
            only_with += usize::from(with && !without);
        }
    }
    assert!(with_and_without >= 100 && only_with >= 100, "{with_and_without} {only_with}");
}
