//! Perfect play on boards up to 3x3 against plain alpha-beta.

use std::collections::HashMap;

use crate::common::oracle::{self, Judged, exchanged};
use crate::common::{positions_by_ply, rules};
use noughts::game::{Cell, Position, Rules, Score};
use noughts::search::{
    Control, SearchRequest, SearchResult, Searcher, Stream, TableSearcher, Tiebreak, ValueTable, generator,
};

fn verdict(position: &Position, tiebreak: Tiebreak, number: u64) -> SearchResult {
    let mut searcher = TableSearcher::for_rules(position.rules()).expect("a small board");
    let question = SearchRequest { tiebreak, lines: usize::MAX, ..SearchRequest::new(*position) };
    searcher.search(&question, &mut generator(1, Stream::Go(number)), &Control::unlimited(), &mut |_| {})
}

/// Positions of a game that X began and the same with colours exchanged, as if O had begun.
fn all_positions(rules: Rules) -> Vec<Position> {
    let x_began = positions_by_ply(rules).concat();
    let o_began: Vec<Position> = x_began.iter().map(exchanged).collect();
    [x_began, o_began].concat()
}

#[test]
fn values_distances_and_best_moves_equal_plain_alpha_beta() {
    for (size, connect) in [(3u8, 0u16), (3, 1), (3, 2), (3, 9), (2, 0), (2, 1), (2, 3), (1, 0), (1, 5)] {
        for reverse in [false, true] {
            let rules = rules(size, connect, reverse);
            let table = ValueTable::for_rules(rules).expect("a small board");
            for position in all_positions(rules) {
                assert_eq!(table.value(&position), oracle::value(&position), "{rules}: {}", position.diagram());
                if position.outcome().is_some() {
                    continue;
                }
                let mut known = Judged::new(position);
                let verdict = verdict(&position, Tiebreak::First, 0);
                assert_eq!(verdict.score, Score::Exact(known.value));
                known.moves.sort_by_key(|&(_, value)| std::cmp::Reverse(value));
                let found: Vec<_> = verdict.lines.iter().map(|line| (line.first_move(), line.score)).collect();
                let expected: Vec<_> = known.moves.iter().map(|&(cell, value)| (cell, Score::Exact(value))).collect();
                assert_eq!(found, expected, "{rules}: {}", position.diagram());
            }
        }
    }
}

#[test]
fn the_values_of_3x3_are_distributed_as_known() {
    for (reverse, expected) in [(false, [2836, 1052, 632]), (true, [2112, 964, 1444])] {
        let table = ValueTable::for_rules(rules(3, 0, reverse)).expect("a small board");
        assert_eq!(table.positions(), 5478);
        let mut counts = [0; 3];
        for position in positions_by_ply(rules(3, 0, reverse)).concat() {
            if position.outcome().is_none() {
                counts[(1 - table.value(&position).result()) as usize] += 1;
            }
        }
        assert_eq!(counts, expected, "reverse {reverse}");
    }
}

#[test]
fn every_line_is_legal_and_ends_as_and_when_its_value_says() {
    for reverse in [false, true] {
        for position in all_positions(rules(3, 0, reverse)) {
            if position.outcome().is_some() {
                continue;
            }
            for line in verdict(&position, Tiebreak::Random, 7).lines {
                let end = line.principal_variation.iter().fold(position, |position, &cell| position.after(cell));
                let Score::Exact(value) = line.score else { panic!("a table proves everything") };
                let plies = line.principal_variation.len() as u16;
                let seen_at_the_end = end.final_value().expect("the line runs to the end of the game");
                let seen_now = if plies % 2 == 1 { -seen_at_the_end } else { seen_at_the_end };
                assert_eq!(seen_now.result(), value.result());
                assert_eq!(value.plies().unwrap_or(position.empty_cells() as u16), plies);
            }
        }
    }
}

#[test]
fn ties_are_broken_uniformly_or_in_reading_order() {
    let start = Position::start(rules(3, 0, false));
    let mut counts: HashMap<Cell, u32> = HashMap::new();
    for number in 0..9000 {
        let lines = verdict(&start, Tiebreak::Random, number).lines;
        *counts.entry(lines[0].first_move()).or_default() += 1;
        // The others follow in reading order.
        assert!(lines[1..].is_sorted_by_key(|line| line.first_move()));
    }
    assert_eq!(counts.len(), 9);
    let chi_square: f64 = counts.values().map(|&count| (f64::from(count) - 1000.0).powi(2) / 1000.0).sum();
    assert!(chi_square < 30.0, "{counts:?}");
    assert_eq!(verdict(&start, Tiebreak::First, 5).lines[0].first_move(), Cell::new(0, 0));
}
