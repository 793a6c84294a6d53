//! Boards of m x n against the plain oracle: rules, values, distances, all best moves, and the counts of playouts.

use std::sync::Arc;

use crate::common::oracle::{Judged, board_of, lines, outcome};
use crate::common::random_games::{Counts, final_boards};
use crate::common::{positions_by_ply, rules};
use noughts::engine::{Engine, GoRequest, Options, PlayerKind};
use noughts::game::{Bounds, Cell, Player, Position, Rules, Score, Shape, Value};
use noughts::search::{Control, ExactPlayouts, Limits, SearchResult, Solver, Stream, Textbook, below, generator};

/// MiB of the solver's tables.
const MEMORY: u32 = 16;

/// All boards with as many cells as these, higher ones and wider ones.
fn shapes(cells: std::ops::RangeInclusive<usize>) -> Vec<Shape> {
    let all = (1..=20).flat_map(|rows| (1..=20).map(move |columns| Shape { rows, columns }));
    all.filter(|shape| cells.contains(&shape.cells()) && !shape.is_square()).collect()
}

/// Every number in a row, one that does not fit among them, under both rules.
fn games(shape: Shape) -> impl Iterator<Item = Rules> {
    let numbers = 1..=u16::from(shape.longer_side()) + 1;
    numbers.flat_map(move |connect| [false, true].map(|reverse| rules(shape, connect, reverse)))
}

/// A position in which the game goes on, after so many random moves or fewer.
fn middle_game(rules: Rules, moves: usize, seed: u64) -> Position {
    let mut random = generator(seed, Stream::Sample);
    let mut position = Position::start(rules);
    for _ in 0..moves {
        let moves: Vec<Cell> = position.moves().collect();
        let after = position.after(moves[below(&mut random, moves.len() as u32) as usize]);
        if after.outcome().is_none() {
            position = after;
        }
    }
    position
}

#[test]
fn every_position_of_small_boards_has_the_plain_outcome() {
    for rules in shapes(2..=8).into_iter().flat_map(games).filter(|rules| rules.line_length() != Some(1)) {
        for position in positions_by_ply(rules).concat() {
            assert_eq!(position.outcome(), outcome(&board_of(&position)), "{rules}: {}", position.diagram());
        }
    }
}

#[test]
fn the_lines_of_all_boards_are_the_plain_ones() {
    for rules in shapes(2..=400).into_iter().filter(|shape| shape.rows % 3 == 1 || shape.columns < 8).flat_map(games) {
        let sorted = |mut lines: Vec<Vec<Cell>>| {
            lines.sort();
            lines.dedup();
            lines
        };
        let found = rules.lines().iter().map(|line| line.iter().collect()).collect();
        let plain = lines(rules).into_iter().map(|line| sorted(vec![line]).remove(0));
        let plain = plain.map(|mut line| {
            line.sort();
            line
        });
        assert_eq!(sorted(found), sorted(plain.collect()), "{rules}");
    }
}

/// The value, the distance and all best moves, by every exact player.
fn check_values(position: &Position, solver: &mut Solver) {
    let judged = Judged::new(*position);
    let name = format!("{}: {}", position.rules(), position.diagram());
    assert_eq!(solver.bounds(position, &Control::unlimited()), Bounds::exactly(judged.value), "{name}");
    assert_eq!(solver.best_moves(position, &Control::unlimited()), judged.best_moves(), "{name}");
}

#[test]
fn values_and_best_moves_of_boards_up_to_12_cells_are_the_plain_ones() {
    for rules in shapes(2..=12).into_iter().flat_map(games) {
        let mut solver = Solver::new(rules, MEMORY);
        for moves in 0..4 {
            check_values(&middle_game(rules, moves, 1), &mut solver);
        }
    }
}

#[test]
fn end_games_of_boards_up_to_20_cells_have_the_plain_values() {
    for rules in shapes(13..=20).into_iter().flat_map(games).step_by(3) {
        let mut solver = Solver::new(rules, MEMORY);
        for seed in 0..2 {
            let position = middle_game(rules, rules.cells() - 10, seed);
            if position.empty_cells() <= 12 {
                check_values(&position, &mut solver);
            }
        }
    }
}

#[test]
fn every_exact_player_plays_a_best_move_on_rectangles() {
    let textbooks = Textbook::ALL.map(PlayerKind::Textbook);
    let players = [&[PlayerKind::Perfect, PlayerKind::Auto][..], &textbooks].concat();
    let mut engine = Engine::new();
    for rules in
        [(2, 3), (3, 2), (1, 7), (2, 4), (4, 2), (1, 9), (9, 1)].into_iter().flat_map(|shape| games(shape.into()))
    {
        let position = Position::start(rules);
        let judged = Judged::new(position);
        for &player in &players {
            let options = Options { rules, player, seed: 1, ..Options::default() };
            let request = GoRequest::new(position, options, Limits::default(), generator(1, Stream::Go(1)));
            let SearchResult { lines, score, .. } = engine.think(request, Arc::default(), &mut |_| {}).result;
            // A search of textbooks says who wins. It says how soon only where two plies show it.
            let result = judged.value.result();
            let (expected, moves) = match (player, score) {
                (PlayerKind::Textbook(_), Score::Estimate(_)) => (Score::Estimate(result.into()), judged.sound_moves()),
                _ => (Score::Exact(judged.value), judged.best_moves()),
            };
            assert_eq!(score, expected, "{rules}, {player:?}");
            assert!(moves.contains(&lines[0].first_move()), "{rules}, {player:?}");
        }
    }
}

#[test]
fn a_board_that_is_turned_has_the_same_value_and_the_turned_best_moves() {
    let turn = |cell: Cell| Cell::new(cell.column(), cell.row());
    for rules in shapes(6..=20).into_iter().filter(|shape| shape.rows < shape.columns).flat_map(games).step_by(2) {
        let Shape { rows, columns } = rules.shape();
        let turned = Rules::new((columns, rows), rules.connect(), rules.reverse()).expect("the same game");
        let position = middle_game(rules, rules.cells().saturating_sub(9), 5);
        let moves_of = |player| position.stones(player).iter().map(turn).collect::<Vec<Cell>>();
        let [x, o] = Player::BOTH.map(moves_of);
        let mut image = Position::start(turned);
        for ply in 0..x.len() + o.len() {
            image = image.after(if ply % 2 == 0 { x[ply / 2] } else { o[ply / 2] });
        }
        let control = Control::unlimited();
        let best = |position: &Position| {
            let mut solver = Solver::new(position.rules(), MEMORY);
            (solver.bounds(position, &control), solver.best_moves(position, &control))
        };
        let (bounds, mut moves) = best(&position);
        moves.iter_mut().for_each(|cell| *cell = turn(*cell));
        moves.sort();
        assert_eq!(best(&image), (bounds, moves), "{rules}: {}", position.diagram());
    }
}

/// D. Friedman, "Tic-Tac-Toe on Rectangular Boards" (2020), and values known for long.
#[test]
fn published_values_of_rectangles_are_found() {
    for (shape, connect, reverse, value) in [
        ((2, 3), 2, false, Value::Win(3)),
        ((3, 4), 3, false, Value::Win(7)),
        ((3, 4), 3, true, Value::Loss(11)),
        ((3, 5), 3, false, Value::Win(7)),
        ((4, 5), 4, false, Value::Draw),
        ((5, 6), 4, false, Value::Win(11)),
        ((2, 9), 3, false, Value::Draw),
    ] {
        let (wide, high) = (rules(shape, connect, reverse), rules((shape.1, shape.0), connect, reverse));
        for rules in [wide, high] {
            let found = Solver::new(rules, 64).bounds(&Position::start(rules), &Control::unlimited());
            assert_eq!(found, Bounds::exactly(value), "{rules}");
        }
    }
}

#[test]
fn playouts_of_rectangles_are_exact_where_they_can_be_listed() {
    for rules in [(2, 3), (3, 2), (1, 9), (9, 1), (2, 4), (4, 2)].into_iter().flat_map(|shape| games(shape.into())) {
        let position = middle_game(rules, 1, 3);
        let exact = ExactPlayouts::of(&position).expect("a small board");
        let mut expected = vec![[0.0; 2]; rules.cells()];
        for (board, chance) in final_boards(&position) {
            let counts = Counts::of_game(&position, &board);
            for (sum, square) in expected.iter_mut().zip(&counts.squares) {
                sum.iter_mut().zip(square).for_each(|(sum, square)| *sum += chance * square);
            }
        }
        let counts = Counts::of(exact.every_order(), rules.shape());
        let orders: f64 = counts.results.iter().sum();
        for (found, expected) in counts.squares.iter().flatten().zip(expected.iter().flatten()) {
            assert!((found / orders - expected).abs() < 1e-9, "{rules}: {}", position.diagram());
        }
    }
}
