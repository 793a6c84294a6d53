//! Playouts: kernels agree with each other to the bit, and with plain counting of all games within chance.

use std::collections::HashMap;

use noughts::game::{Cell, Outcome, Position};
use noughts::search::{
    Control, ExactPlayouts, Method, Playouts, Stream, Tally, Weights, Width, generator, trace_playouts,
};

use super::input::Input;
use super::plain::{PlainBoard, rules};

/// The most empty cells for which all games are counted.
const MOST_EMPTY: usize = 6;

/// How many standard errors are no chance any more: one in 10^15 by the normal law, and a slack for its tails.
const MOST_ERRORS: f64 = 8.0;
const SLACK: f64 = 40.0;

/// How all games from a board end for the side to move there: wins, draws and losses by their chance, and for each cell the
/// expected score of its square, with weights 1 for the side to move and its opponent.
type Law = ([f64; 3], Vec<f64>);

/// A position, and playouts of it by every kernel.
pub fn law(data: &[u8]) {
    let mut input = Input::new(data);
    let largest = *input.choose(&[3, 4, 6, 20]);
    let rules = rules(&mut input, largest);
    let (seed, number) = (u64::from(input.byte()), 1 + input.below(if largest > 6 { 800 } else { 3000 }) as u64);
    let threads = 1 + input.below(8) / 7;
    let empties = 1 + if input.is_below(128) { input.below(400) } else { input.below(MOST_EMPTY) };
    let mut plain = PlainBoard::empty(rules);
    plain.play_on(&mut input, empties);
    let position = plain.position(rules).expect("played by the rules");
    let control = Control::playouts_only(number);
    let play = |playouts: Playouts| {
        let tally = playouts.play(&position, &mut generator(seed, Stream::Go(1)), &control, &mut |_| {});
        assert_eq!(tally.results().count(), number);
        tally
    };
    let scalar = play(Playouts { method: Method::Scalar, threads: 1, width: Width::Portable });
    let mut tallies = vec![scalar];
    // One width after the other, and as many threads: the counts are the same to the last one.
    let fastest = || Playouts::fastest(&position, &control, threads);
    let first = play(Playouts { width: Width::Portable, threads: 1, ..fastest() });
    for width in Width::ALL.into_iter().filter(|width| width.is_available()) {
        assert_eq!(play(Playouts { width, ..fastest() }), first, "{width:?} {plain:?}");
    }
    tallies.push(first);
    if plain.empties().len() <= MOST_EMPTY {
        let expected = all_games(&plain, &mut HashMap::new());
        if let Some(exact) = ExactPlayouts::of(&position) {
            for (index, &score) in expected.1.iter().enumerate() {
                let said = exact.total(plain.cell(index), Weights::default());
                assert!((said - score).abs() < 1e-9, "{said} {score} {plain:?}");
            }
        }
        tallies.iter().for_each(|tally| is_by_chance(tally, &expected, number as f64, &plain));
    }
    tallies.iter().for_each(|tally| is_possible(tally, &plain));
    traced(&position, seed, number.min(20));
}

/// The law of uniformly random games.
fn all_games(board: &PlainBoard, known: &mut HashMap<PlainBoard, Law>) -> Law {
    if let Some(law) = known.get(board) {
        return law.clone();
    }
    let law = match board.outcome() {
        Some(Outcome::Draw) => ([0.0, 1.0, 0.0], vec![0.0; board.stones.len()]),
        Some(Outcome::Win(winner)) => {
            let points = |stone: &Option<_>| stone.map_or(0.0, |owner| if owner == winner { 1.0 } else { -1.0 });
            let is_won = winner == board.side;
            let ends = if is_won { [1.0, 0.0, 0.0] } else { [0.0, 0.0, 1.0] };
            (ends, board.stones.iter().map(points).collect())
        }
        None => {
            let moves = board.empties();
            let chance = 1.0 / moves.len() as f64;
            let mut sum = ([0.0; 3], vec![0.0; board.stones.len()]);
            for cell in moves {
                let ([wins, draws, losses], scores) = all_games(&board.after(cell), known);
                for (sum, part) in sum.0.iter_mut().zip([losses, draws, wins]) {
                    *sum += chance * part;
                }
                for (sum, part) in sum.1.iter_mut().zip(scores) {
                    *sum += chance * part;
                }
            }
            sum
        }
    };
    known.insert(board.clone(), law.clone());
    law
}

/// What the counts are off is chance, and what cannot happen has not happened.
fn is_by_chance(tally: &Tally, (ends, scores): &Law, games: f64, plain: &PlainBoard) {
    let found = tally.results();
    for (found, &chance) in [found.wins, found.draws, found.losses].into_iter().zip(ends) {
        assert!(chance > 0.0 || found == 0, "{found} games of a kind that cannot be: {plain:?}");
        near(found as f64, games, chance, chance * (1.0 - chance), plain);
    }
    for (index, &score) in scores.iter().enumerate() {
        near(tally.total(plain.cell(index), Weights::default()), games, score, 1.0, plain);
    }
}

fn near(found: f64, games: f64, mean: f64, variance: f64, plain: &PlainBoard) {
    let off = (found - games * mean).abs();
    assert!(off <= MOST_ERRORS * (games * variance).sqrt() + SLACK, "{found} is {off} off {mean}: {plain:?}");
}

/// No square has more points than there are decided games, and a stone that is there from the beginning has all of them.
fn is_possible(tally: &Tally, plain: &PlainBoard) {
    let results = tally.results();
    let decided = (results.wins + results.losses) as f64;
    let won = results.wins as f64 - results.losses as f64;
    for cell in Cell::all(plain.size as u8) {
        let total = tally.total(cell, Weights::default());
        assert!(total.abs() <= decided, "{total} of {decided}: {plain:?}");
        if let Some(owner) = plain.stones[cell.index(plain.size as u8)] {
            assert_eq!(total, if owner == plain.side { won } else { -won }, "{plain:?}");
        }
    }
}

/// Each game that is shown is legal, and ends where the rules end it.
fn traced(position: &Position, seed: u64, number: u64) {
    let mut games = 0;
    let mut take = |result: i8, moves: &[Cell]| {
        let mut plain = PlainBoard::of(position);
        for (ply, cell) in moves.iter().enumerate() {
            assert_eq!(plain.outcome(), None, "after {ply} plies");
            plain.play(cell.index(plain.size as u8));
        }
        let expected = match plain.outcome().expect("the end of a game") {
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
