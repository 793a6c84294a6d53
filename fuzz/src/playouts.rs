//! Playouts: kernels agree with each other to the bit, and with plain counting of all games within chance.

use noughts::game::{Cell, Outcome, Position, Shape};
use noughts::search::{
    Control, ExactPlayouts, PlayoutMethod, Playouts, Stream, Tally, VectorWidth, Weights, generator, trace_playouts,
};
use noughts_oracle::Board;

use super::input::Input;
use super::oracle;
use super::random_games::{CURRENT, Counts, OTHER, final_boards};

/// The most empty cells for which all games are counted.
const MOST_EMPTY: usize = 6;

/// The number of standard errors that is no chance any more: one in 10^15 by the normal law, and a slack for its tails.
const MOST_ERRORS: f64 = 8.0;
const SLACK: f64 = 40.0;

/// A position, and playouts of it by every kernel.
pub fn law(data: &[u8]) {
    let mut input = Input::new(data);
    let largest = *input.choose(&[3, 4, 6, 20]);
    let rules = input.rules(largest);
    let (seed, number) = (u64::from(input.byte()), 1 + input.below(if largest > 6 { 800 } else { 3000 }) as u64);
    let threads = 1 + input.below(8) / 7;
    let empties = 1 + if input.is_below(128) { input.below(400) } else { input.below(MOST_EMPTY) };
    let mut plain = oracle::empty_board(rules);
    input.play_on(&mut plain, empties);
    let position = oracle::position_of(&plain, rules).expect("played by the rules");
    let control = Control::playouts_only(number);
    let play = |playouts: Playouts| {
        let tally = playouts.play(&position, &mut generator(seed, Stream::Go(1)), &control, &mut |_| {});
        assert_eq!(tally.results().count(), number);
        tally
    };
    let scalar = play(Playouts { method: PlayoutMethod::Scalar, threads: 1, width: VectorWidth::Portable });
    let mut tallies = vec![scalar];
    // One width after the other, and as many threads: the counts are the same to the last one.
    let fastest = || Playouts::fastest(&position, &control, threads);
    let first = play(Playouts { width: VectorWidth::Portable, threads: 1, ..fastest() });
    for width in VectorWidth::ALL.into_iter().filter(|width| width.is_available()) {
        assert_eq!(play(Playouts { width, ..fastest() }), first, "{width:?} {plain:?}");
    }
    tallies.push(first);
    if plain.empties().len() <= MOST_EMPTY {
        let expected = all_games(&position);
        if let Some(exact) = ExactPlayouts::of(&position) {
            for (index, scores) in expected.squares.iter().enumerate() {
                for (weights, score) in [CURRENT, OTHER].into_iter().zip(scores) {
                    let said = exact.total(oracle::cell(&plain, index), weights);
                    assert!((said - score).abs() < 1e-9, "{said} {score} {plain:?}");
                }
            }
        }
        tallies.iter().for_each(|tally| is_by_chance(tally, &expected, number as f64, &plain));
    }
    tallies.iter().for_each(|tally| is_possible(tally, &plain));
    traced(&position, seed, number.min(20));
}

/// The expected results of one uniformly random game, and its expected scores of each square.
fn all_games(position: &Position) -> Counts {
    let nothing = Counts { results: [0.0; 3], squares: vec![[0.0; 2]; position.rules().cells()] };
    final_boards(position).into_iter().fold(nothing, |mut sum, (board, chance)| {
        let game = Counts::of_game(position, &board);
        let squares = sum.squares.iter_mut().flatten().zip(game.squares.into_iter().flatten());
        for (sum, part) in sum.results.iter_mut().zip(game.results).chain(squares) {
            *sum += chance * part;
        }
        sum
    })
}

fn shape(plain: &Board) -> Shape {
    Shape { rows: plain.rows as u8, columns: plain.columns as u8 }
}

/// What the counts are off is chance, and what cannot happen has not happened.
fn is_by_chance(tally: &Tally, expected: &Counts, games: f64, plain: &Board) {
    let found = Counts::of(tally, shape(plain));
    for (found, &chance) in found.results.into_iter().zip(&expected.results) {
        assert!(chance > 0.0 || found == 0.0, "{found} games of a kind that cannot be: {plain:?}");
        near(found, games, chance, (chance * (1.0 - chance)).max(0.0), plain);
    }
    for (found, &score) in found.squares.iter().flatten().zip(expected.squares.iter().flatten()) {
        near(*found, games, score, 1.0, plain);
    }
}

fn near(found: f64, games: f64, mean: f64, variance: f64, plain: &Board) {
    let off = (found - games * mean).abs();
    assert!(off <= MOST_ERRORS * (games * variance).sqrt() + SLACK, "{found} is {off} off {mean}: {plain:?}");
}

/// No square has more points than there are decided games, and a stone that is there from the beginning has all of them.
fn is_possible(tally: &Tally, plain: &Board) {
    let results = tally.results();
    let decided = (results.wins + results.losses) as f64;
    let won = results.wins as f64 - results.losses as f64;
    for cell in Cell::all(shape(plain)) {
        let total = tally.total(cell, Weights::default());
        assert!(total.abs() <= decided, "{total} of {decided}: {plain:?}");
        if let Some(owner) = plain.stones[cell.index(shape(plain))] {
            assert_eq!(total, if owner == plain.side { won } else { -won }, "{plain:?}");
        }
    }
}

/// Each game that is shown is legal, and ends where the rules end it.
fn traced(position: &Position, seed: u64, number: u64) {
    let mut games = 0;
    let mut take = |result: i8, moves: &[Cell]| {
        let mut plain = oracle::board_of(position);
        for (ply, cell) in moves.iter().enumerate() {
            assert_eq!(plain.outcome(), None, "after {ply} plies");
            plain.play(cell.index(shape(&plain)));
        }
        let expected = match oracle::outcome(&plain).expect("the end of a game") {
            Outcome::Draw => 0,
            Outcome::Win(winner) if winner == position.side() => 1,
            Outcome::Win(_) => -1,
        };
        assert_eq!(result, expected, "{plain:?}");
        games += 1;
    };
    trace_playouts(position, &mut generator(seed, Stream::Trace(1)), &Control::playouts_only(number), &mut take);
    assert_eq!(games, number);
}
