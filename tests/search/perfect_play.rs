//! Perfect play on boards up to 3x3 against a plain minimax.

use std::collections::HashMap;

use crate::common::{PlainGame, positions_by_ply, rank, rules};
use noughts::game::{Cell, Player, Position, Rules, Score, Value};
use noughts::search::{
    Control, SearchRequest, SearchResult, Searcher, Stream, TableSearcher, Tiebreak, ValueTable, generator,
};

fn verdict(position: &Position, tiebreak: Tiebreak, number: u64) -> SearchResult {
    let mut searcher = TableSearcher::for_rules(position.rules()).expect("a small board");
    let question = SearchRequest { tiebreak, lines: usize::MAX, ..SearchRequest::new(*position) };
    searcher.search(&question, &mut generator(1, Stream::Go(number)), &Control::playouts_only(1), &mut |_| {})
}

fn value((result, plies): (i32, u32)) -> Value {
    match result {
        1 => Value::Win(plies as u16),
        0 => Value::Draw,
        _ => Value::Loss(plies as u16),
    }
}

/// Positions of a game that X began and the same with colours exchanged, as if O had begun.
fn all_positions(rules: Rules) -> Vec<Position> {
    let x_began = positions_by_ply(rules).concat();
    let o_began = x_began.iter().map(|position| {
        let text = position.diagram().to_string();
        let swapped: String = text
            .chars()
            .map(|c| match c {
                'x' => 'o',
                'o' => 'x',
                c => c,
            })
            .collect();
        let line: noughts::protocol::Command = format!("position fen {swapped}").parse().expect("a position");
        let noughts::protocol::Command::Position(command) = line else { panic!("{line}") };
        Position::set_up(rules, &command.diagram.expect("a board")).expect("a legal position")
    });
    x_began.iter().copied().chain(o_began.collect::<Vec<_>>()).collect()
}

#[test]
fn values_distances_and_best_moves_equal_plain_minimax() {
    for (size, connect) in [(3u8, 0u16), (3, 1), (3, 2), (3, 9), (2, 0), (2, 1), (2, 3), (1, 0), (1, 5)] {
        for reverse in [false, true] {
            let rules = rules(size, connect, reverse);
            let table = ValueTable::for_rules(rules).expect("a small board");
            let mut plain = PlainGame::new(size.into(), connect.into(), reverse);
            for position in all_positions(rules) {
                let (board, side) = PlainGame::read(&position);
                let expected = value(plain.value(&board, side));
                assert_eq!(table.value(&position), expected, "{rules}: {}", position.diagram());
                if position.outcome().is_some() {
                    continue;
                }
                let verdict = verdict(&position, Tiebreak::First, 0);
                assert_eq!(verdict.score, Score::Exact(expected));
                let mut moves = plain.move_values(&board, side);
                moves.sort_by_key(|&(cell, value)| (-rank(value), cell));
                let expected: Vec<_> = moves.iter().map(|&(cell, v)| (cell, Score::Exact(value(v)))).collect();
                let found: Vec<_> =
                    verdict.lines.iter().map(|line| (line.first_move().index(size), line.score)).collect();
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
fn the_first_moves_are_worth_what_is_known() {
    let first_moves = |size, reverse| -> Vec<Score> {
        let start = Position::start(rules(size, 0, reverse));
        let mut lines = verdict(&start, Tiebreak::First, 0).lines;
        lines.sort_by_key(|line| line.first_move());
        lines.iter().map(|line| line.score).collect()
    };
    assert_eq!(first_moves(3, false), [Score::Exact(Value::Draw); 9]);
    let mut reverse = [Score::Exact(Value::Loss(9)); 9];
    reverse[4] = Score::Exact(Value::Draw);
    assert_eq!(first_moves(3, true), reverse);
    assert_eq!(first_moves(2, false), [Score::Exact(Value::Win(3)); 4]);
    assert_eq!(first_moves(2, true), [Score::Exact(Value::Loss(3)); 4]);
    assert_eq!(first_moves(1, false), [Score::Exact(Value::Win(1))]);
    assert_eq!(first_moves(1, true), [Score::Exact(Value::Loss(1))]);
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
fn values_do_not_change_under_symmetry() {
    for reverse in [false, true] {
        let table = ValueTable::for_rules(rules(3, 0, reverse)).expect("a small board");
        for position in positions_by_ply(rules(3, 0, reverse)).concat() {
            assert_eq!(table.value(&position), table.value(&position.canonical()));
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

/// The share of games won against a uniformly random opponent when ties are broken at random: exact, so it holds
/// the whole set of best moves of every position against published fractions.
#[test]
fn perfect_play_beats_a_random_opponent_at_the_known_rate() {
    fn wins(position: Position, me: Player, known: &mut HashMap<Position, f64>) -> f64 {
        if let Some(value) = position.final_value() {
            return if (value == Value::Win(0)) == (position.side() == me) && value != Value::Draw { 1.0 } else { 0.0 };
        }
        if let Some(&known) = known.get(&position) {
            return known;
        }
        let moves: Vec<Cell> = if position.side() == me {
            let lines = verdict(&position, Tiebreak::First, 0).lines;
            let best = lines[0].score;
            lines.iter().filter(|line| line.score == best).map(|line| line.first_move()).collect()
        } else {
            position.moves().collect()
        };
        let share = moves.iter().map(|&cell| wins(position.after(cell), me, known)).sum::<f64>() / moves.len() as f64;
        known.insert(position, share);
        share
    }
    for (reverse, me, expected, tolerance) in [
        (false, Player::X, 75_257.0 / 77_760.0, 1e-12),
        (false, Player::O, 2_645.0 / 3_402.0, 1e-12),
        (true, Player::X, 167.0 / 288.0, 1e-12),
        (true, Player::O, 0.99865, 5e-6),
    ] {
        let share = wins(Position::start(rules(3, 0, reverse)), me, &mut HashMap::new());
        assert!((share - expected).abs() <= tolerance, "reverse {reverse}, {me}: {share}");
    }
}
