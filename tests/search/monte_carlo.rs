//! The flat Monte Carlo player: to the letter of the assignment, and to the law.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::common::random_games::position;
use crate::common::rules;
use noughts::game::{Cell, Player, Position, Rules};
use noughts::search::{
    BestSoFar, Control, MonteCarlo, ProofEffort, ProveThenEstimate, RandomMover, SearchRequest, SearchResult, Searcher,
    Solver, Stream, Tally, Tiebreak, Weights, generator,
};

fn totals(tally: &Tally, size: u8, weights: Weights) -> Vec<f64> {
    Cell::all(size).map(|cell| tally.total(cell, weights)).collect()
}

fn sample(position: &Position, playouts: u64, number: u64) -> Tally {
    let control = Control::playouts_only(playouts);
    MonteCarlo::default().sample(position, &mut generator(3, Stream::Go(number)), &control, &mut |_| {})
}

fn best_move(position: &Position, playouts: u64, number: u64) -> SearchResult {
    let question = SearchRequest::new(*position);
    let control = Control::playouts_only(playouts);
    MonteCarlo::default().search(&question, &mut generator(5, Stream::Go(number)), &control, &mut |_| {})
}

#[test]
fn the_published_score_grids_come_out() {
    let normal = rules(3, 0, false);
    let x_won = position(normal, "xxo/ox1/1xo");
    let weights = |current, other| Weights { current, other };
    let scored = |position: &Position, player, weights| {
        let mut tally = Tally::new(3);
        tally.add(position, player);
        totals(&tally, 3, weights)
    };
    assert_eq!(scored(&x_won, Player::X, weights(1.0, 1.0)), [1., 1., -1., -1., 1., 0., 0., 1., -1.]);
    assert_eq!(scored(&x_won, Player::O, weights(1.0, 1.0)), [1., 1., -1., -1., 1., 0., 0., 1., -1.]);
    assert_eq!(scored(&x_won, Player::O, weights(2.0, 1.0)), [1., 1., -2., -2., 1., 0., 0., 1., -2.]);
    assert_eq!(scored(&x_won, Player::X, weights(1.0, 2.0)), [1., 1., -2., -2., 1., 0., 0., 1., -2.]);
    let drawn = position(normal, "xox/xox/oxo");
    assert_eq!(scored(&drawn, Player::X, weights(1.0, 1.0)), [0.; 9]);
    // Reverse: the column of X makes O the winner.
    let o_won = position(rules(3, 0, true), "xxo/ox1/1xo");
    assert_eq!(scored(&o_won, Player::X, weights(1.0, 2.0)), [-1., -1., 2., 2., -1., 0., 0., -1., 2.]);
}

#[test]
fn wins_in_one_are_taken_and_losses_in_one_are_blocked() {
    let normal = rules(3, 0, false);
    for (text, expected) in [
        ("xxo/1xx/o1o o", (2, 1)),
        ("xxo/oxx/o1o o", (2, 1)),
        ("x2/oo1/1x1 x", (1, 2)),
        ("1x1/o1x/ox1 o", (0, 0)),
        ("x1o/1x1/2o x", (1, 2)),
    ] {
        for number in 0..20 {
            let best = best_move(&position(normal, text), 1000, number).lines[0].first_move();
            assert_eq!((best.row(), best.column()), expected, "{text}");
        }
    }
}

/// A board far beyond 64 cells: playouts, cells and totals have to agree there too.
#[test]
fn a_win_in_one_is_taken_on_a_large_board() {
    let rows = |last: &str| format!("{}x4o9/x4o9/x4o9/x4o9/{last}", "15/".repeat(10));
    let position = position(rules(15, 5, false), &format!("{} x", rows("15")));
    // Random games are long here; the two squares that win at once stand out all the same.
    let best = best_move(&position, 3000, 1).lines[0].first_move();
    assert!([(9, 0), (14, 0)].contains(&(best.row(), best.column())), "{best}");
}

#[test]
fn a_search_stopped_before_it_begins_still_has_an_answer() {
    let control = Control::new(Arc::new(AtomicBool::new(true)), None, Some(1000));
    let start = Position::start(Rules::default());
    let tally = MonteCarlo::default().sample(&start, &mut generator(3, Stream::Go(1)), &control, &mut |_| {});
    assert_eq!(tally.results().count(), 1);
}

#[test]
fn ties_break_uniformly_among_squares_with_the_highest_total() {
    // Longer than the board: every game is a draw, every total 0.
    let start = Position::start(rules(3, 4, false));
    let mut counts: HashMap<Cell, f64> = HashMap::new();
    for number in 0..9000 {
        *counts.entry(best_move(&start, 1, number).lines[0].first_move()).or_default() += 1.0;
    }
    assert_eq!(counts.len(), 9);
    assert!(counts.values().map(|count| (count - 1000.0).powi(2) / 1000.0).sum::<f64>() < 30.0, "{counts:?}");
}

#[test]
fn weights_of_any_size_keep_the_order_right() {
    let position = position(rules(3, 0, false), "x2/oo1/1x1 x");
    let tally = sample(&position, 5000, 0);
    let order = |weights| {
        let mut cells: Vec<Cell> = position.moves().collect();
        cells.sort_by(|&a, &b| tally.total(b, weights).total_cmp(&tally.total(a, weights)));
        cells
    };
    let plain = order(Weights { current: 1.0, other: 1.0 });
    for weight in [1e-300, 0.5, 1e10, 1e300] {
        assert_eq!(order(Weights { current: weight, other: weight }), plain, "{weight}");
    }
}

#[test]
fn the_random_player_is_uniform_even_with_tiebreak_first() {
    let position = position(rules(3, 0, false), "xo1/1x1/3 o");
    let mut counts: HashMap<Cell, f64> = HashMap::new();
    for number in 0..6000 {
        let question = SearchRequest { tiebreak: Tiebreak::First, lines: 9, ..SearchRequest::new(position) };
        let mut generator = generator(2, Stream::Go(number));
        let verdict = RandomMover.search(&question, &mut generator, &Control::unlimited(), &mut |_| {});
        assert_eq!(verdict.lines.len(), 6);
        *counts.entry(verdict.lines[0].first_move()).or_default() += 1.0;
    }
    assert_eq!(counts.len(), 6);
    assert!(counts.values().map(|count| (count - 1000.0).powi(2) / 1000.0).sum::<f64>() < 25.0, "{counts:?}");
}

/// The flaw that every number of trials keeps: the reason for `player auto`.
#[test]
fn the_known_flaw_of_flat_scoring_is_there() {
    let corner = position(rules(3, 0, false), "x1o/3/3 x");
    assert_eq!(best_move(&corner, 100_000, 1).lines[0].first_move(), Cell::new(1, 1));
    let reverse = Position::start(rules(3, 0, true));
    let edge = best_move(&reverse, 100_000, 1).lines[0].first_move();
    assert!((edge.row() + edge.column()) % 2 == 1, "{edge}");
}

#[test]
fn a_guess_of_few_playouts_is_published_before_the_proof() {
    let rules = rules(12, 6, false);
    let mut solver = Solver::new(rules, 16);
    for seed in 1..=5 {
        let best = BestSoFar::default();
        let control = Control::nodes_only(30_000).with_playouts(Some(30)).publishing(best.clone());
        let request = SearchRequest { tiebreak: Tiebreak::First, ..SearchRequest::new(Position::start(rules)) };
        let mut searcher = ProveThenEstimate::new(&mut solver, MonteCarlo::default(), ProofEffort::Proof);
        let result = searcher.search(&request, &mut generator(seed, Stream::Go(0)), &control, &mut |_| {});
        let published = best.get().map(|(cell, ..)| cell);
        assert_eq!(published, Some(result.lines[0].first_move()), "seed {seed}: {result:?}");
    }
}
