//! The flat Monte Carlo player: to the letter of the assignment, and to the law.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::common::rules;
use noughts::game::{Cell, Player, Position, Rules};
use noughts::protocol::Command;
use noughts::search::{
    BestSoFar, Control, HybridSearcher, MonteCarlo, RandomMover, SearchRequest, SearchResult, Searcher, Solver,
    Strategy, Stream, Tally, Tiebreak, Weights, generator,
};

fn position(rules: Rules, text: &str) -> Position {
    let Ok(Command::Position(command)) = format!("position fen {text}").parse() else { panic!("{text}") };
    Position::set_up(rules, &command.diagram.expect("a board")).expect("a legal position")
}

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
fn exactly_as_many_playouts_are_finished_as_were_asked_for() {
    for (size, connect) in [(1, 0), (2, 0), (3, 0), (4, 3), (9, 5), (20, 0)] {
        let start = Position::start(rules(size, connect, false));
        for playouts in [1, 2, 63, 1000] {
            assert_eq!(sample(&start, playouts, 0).results().count(), playouts);
        }
    }
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
fn weights_of_any_size_keep_totals_finite_and_the_order_right() {
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
    for weights in [(f64::MAX, f64::MAX), (f64::MAX, 0.0), (0.0, f64::MIN_POSITIVE), (0.0, 0.0)] {
        let weights = Weights { current: weights.0, other: weights.1 };
        let question = SearchRequest { tiebreak: Tiebreak::First, lines: 9, ..SearchRequest::new(position) };
        let control = Control::playouts_only(1000);
        let verdict =
            MonteCarlo::new(weights).search(&question, &mut generator(1, Stream::Go(1)), &control, &mut |_| {});
        assert!(verdict.lines.iter().all(|line| line.total.is_some_and(f64::is_finite)), "{weights:?}");
    }
}

#[test]
fn the_random_player_is_uniform_even_with_tiebreak_first() {
    let position = position(rules(3, 0, false), "xo1/1x1/3 o");
    let mut counts: HashMap<Cell, f64> = HashMap::new();
    for number in 0..6000 {
        let question = SearchRequest { tiebreak: Tiebreak::First, lines: 9, ..SearchRequest::new(position) };
        let control = Control::playouts_only(1);
        let verdict = RandomMover.search(&question, &mut generator(2, Stream::Go(number)), &control, &mut |_| {});
        assert_eq!(verdict.lines.len(), 6);
        *counts.entry(verdict.lines[0].first_move()).or_default() += 1.0;
    }
    assert_eq!(counts.len(), 6);
    assert!(counts.values().map(|count| (count - 1000.0).powi(2) / 1000.0).sum::<f64>() < 25.0, "{counts:?}");
}

/// The chance of every final board when all moves are uniformly random, from the rules alone.
fn law_of_final_boards(position: Position, chance: f64, law: &mut HashMap<Position, f64>) {
    if position.outcome().is_some() {
        *law.entry(position).or_default() += chance;
        return;
    }
    let moves: Vec<Cell> = position.moves().collect();
    for &cell in &moves {
        law_of_final_boards(position.after(cell), chance / moves.len() as f64, law);
    }
}

/// The chance that one playout leaves each pair of counts on each square follows from the law of the final board;
/// the mean of every total is compared with it, in units of its standard error.
#[test]
fn totals_and_results_follow_the_exact_law_of_the_final_board() {
    for reverse in [false, true] {
        for text in ["3/3/3 x", "x2/3/3 o", "x2/1o1/3 x", "1x1/3/1o1 x", "xo1/1x1/1o1 x", "x1o/3/3 x"] {
            let position = position(rules(3, 0, reverse), text);
            let mut law = HashMap::new();
            law_of_final_boards(position, 1.0, &mut law);
            if text == "3/3/3 x" {
                assert_eq!(law.len(), 958);
            }
            let playouts = 200_000;
            let tally = sample(&position, playouts, 1);
            let weights = Weights { current: 1.5, other: 0.5 };

            let mut means = [0.0; 9];
            let mut squares = [0.0; 9];
            let mut chances = [0.0; 3];
            for (board, chance) in &law {
                let mut one = Tally::new(3);
                one.add(board, position.side());
                for (index, total) in totals(&one, 3, weights).into_iter().enumerate() {
                    means[index] += chance * total;
                    squares[index] += chance * total * total;
                }
                let results = one.results();
                for (sum, count) in chances.iter_mut().zip([results.wins, results.draws, results.losses]) {
                    *sum += chance * count as f64;
                }
            }
            let count = playouts as f64;
            for (index, total) in totals(&tally, 3, weights).into_iter().enumerate() {
                let error = ((squares[index] - means[index].powi(2)) / count).sqrt().max(1e-12);
                let off = (total / count - means[index]) / error;
                assert!(off.abs() < 4.5, "reverse {reverse}, {text}: square {index} is {off} standard errors off");
            }
            let results = tally.results();
            for (chance, found) in chances.into_iter().zip([results.wins, results.draws, results.losses]) {
                let error = (chance * (1.0 - chance) / count).sqrt().max(1e-12);
                assert!(((found as f64 / count - chance) / error).abs() < 4.5, "reverse {reverse}, {text}");
            }
        }
    }
}

/// The fast playouts against slow ones made of `Position` alone, on boards where no exact law is at hand.
#[test]
fn results_on_larger_boards_agree_with_plain_random_games() {
    for (size, connect, reverse) in [(4, 0, false), (4, 3, true), (5, 4, false), (5, 5, true), (6, 4, false)] {
        let mut begun = Position::start(rules(size, connect, reverse));
        begun = begun.after(Cell::new(1, 1)).after(Cell::new(2, 1)).after(Cell::new(0, 3));
        let games = 40_000;
        let mut random = generator(9, Stream::Eval(1));
        let mut plain = Tally::new(size);
        for _ in 0..games {
            let mut game = begun;
            while game.outcome().is_none() {
                let moves: Vec<Cell> = game.moves().collect();
                game = game.after(moves[noughts::search::below(&mut random, moves.len() as u32) as usize]);
            }
            plain.add(&game, begun.side());
        }
        let fast = sample(&begun, games, 2);
        let (a, b) = (fast.results(), plain.results());
        for (one, two) in [(a.wins, b.wins), (a.draws, b.draws), (a.losses, b.losses)] {
            let (one, two) = (one as f64, two as f64);
            let error = (one + two).sqrt().max(1.0);
            assert!((one - two).abs() / error < 4.5, "{size} {connect} {reverse}: {a:?} {b:?}");
        }
        for cell in Cell::all(size) {
            // A square adds at most one point a game to each tally.
            let difference = fast.total(cell, Weights::default()) - plain.total(cell, Weights::default());
            assert!(difference.abs() / (2.0 * games as f64).sqrt() < 4.5, "{size} {connect} {reverse}: {cell}");
        }
    }
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
        let searcher = HybridSearcher::new(&mut solver, MonteCarlo::default(), Strategy::Proof);
        let (result, _) = searcher.search(&request, &mut generator(seed, Stream::Go(0)), &control, &mut |_| {});
        let published = best.get().map(|(cell, ..)| cell);
        assert_eq!(published, Some(result.lines[0].first_move()), "seed {seed}: {result:?}");
    }
}
