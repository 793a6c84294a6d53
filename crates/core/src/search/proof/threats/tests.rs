//! Laws of wins by threats.

use super::*;
use crate::game::{Bounds, Cell, Value};
use crate::search::{Generator, Solver, Stream, Technique, below, generator};

/// A position after up to so many moves, which are near other stones most of the time. `None` if the game is over.
fn played(rules: Rules, plies: u32, random: &mut Generator) -> Option<Position> {
    let mut position = Position::start(rules);
    for _ in 0..below(random, plies + 1) {
        let all: Vec<Cell> = position.moves().collect();
        let is_near = |cell: Cell, other: Cell| {
            cell.row().abs_diff(other.row()) <= 2 && cell.column().abs_diff(other.column()) <= 2
        };
        let has_near = |cell: Cell| {
            Cell::all(rules.shape()).any(|other| position.occupant(other).is_some() && is_near(cell, other))
        };
        let near: Vec<Cell> = all.iter().copied().filter(|&cell| has_near(cell)).collect();
        let from = if near.is_empty() || below(random, 8) == 0 { all } else { near };
        position = position.after(from[below(random, from.len() as u32) as usize]);
        if position.outcome().is_some() {
            return None;
        }
    }
    Some(position)
}

#[test]
fn no_win_by_threats_is_denied_by_the_plain_solver() {
    let mut random = generator(4, Stream::Go(1));
    let mut wins = 0;
    for (size, connect, plies) in
        [(3, 2, 3), (3, 3, 8), (4, 2, 3), (4, 3, 12), (4, 4, 14), (5, 3, 8), (5, 4, 18), (6, 4, 22)]
    {
        let rules = Rules::new(size, connect, false).unwrap();
        let mut search = ThreatSearch::new(rules, 32);
        let mut solver = Solver::new(rules, 16).without(&[Technique::Threats]);
        for _ in 0..200 {
            let Some(position) = played(rules, plies, &mut random) else { continue };
            let found =
                search.at(&position).search(position.side() as usize, Role::Attacker, 2_000, &Control::unlimited());
            let lost =
                search.at(&position).search(!position.side() as usize, Role::Defender, 2_000, &Control::unlimited());
            assert!(found.plies.is_none() || lost.plies.is_none());
            for (plies, claimed) in [(found.plies, Value::Win as fn(u16) -> Value), (lost.plies, Value::Loss)] {
                let Some(plies) = plies else { continue };
                let claimed = claimed(plies);
                // Three early positions would take minutes. There the bounds must not contradict the claim.
                let Bounds { at_least, at_most } = solver.bounds(&position, &Control::nodes_only(1_000_000));
                let fits = if at_least == at_most {
                    at_least.result() == claimed.result() && at_least.plies() <= Some(plies)
                } else {
                    [at_least, at_most].map(Value::result).contains(&claimed.result())
                };
                assert!(fits, "{rules}: {}: {at_least} to {at_most}, not within {plies}", position.diagram());
                wins += 1;
            }
        }
    }
    assert!(wins > 900, "{wins}");
}

#[test]
fn a_search_for_threats_keeps_its_bounds() {
    let rules = Rules::new(15, 5, false).unwrap();
    let mut random = generator(5, Stream::Go(1));
    for _ in 0..20 {
        let Some(position) = played(rules, 24, &mut random) else { continue };
        let mut search = ThreatSearch::new(rules, 32);
        for nodes in [0, 1, 10, 100] {
            let before = search.nodes();
            let found = search.find_win(&position, &Control::nodes_only(nodes));
            assert!(search.nodes() - before <= nodes, "{nodes}");
            let stopped = search.find_win(&position, &Control::nodes_only(nodes).stopping_after(0));
            assert!(stopped.is_none() || found.is_some());
            let again = ThreatSearch::new(rules, 32).find_win(&position, &Control::nodes_only(nodes));
            assert_eq!(found, again, "the result depends on nothing but the arguments");
        }
    }
}

#[test]
fn the_first_player_wins_by_threats_from_an_empty_board() {
    // Nothing threatens anything yet, so the first moves are quiet ones, and the right cells must be tried.
    for (size, connect) in [(3, 2), (4, 3), (5, 3), (6, 4), (7, 4)] {
        let position = Position::start(Rules::new(size, connect, false).unwrap());
        let found = ThreatSearch::new(position.rules(), 64).find_win(&position, &Control::nodes_only(60_000));
        let strategy = found.unwrap_or_else(|| panic!("no win on {size}x{size} connect {connect}"));
        assert!(usize::from(strategy.plies()) < position.empty_cells());
    }
}
