//! The law of flat Monte Carlo: whatever plays the playouts, and however many at once, samples are held against the
//! rules. Where all games can be listed the law is exact; elsewhere plain games are the other sample.
//!
//! Nothing is asked but [`MonteCarlo::sample`]. The bounds of the statistics are in `common/chance.rs`.

use std::collections::HashMap;

use crate::common::chance::{LONG_TAIL, Moments, assert_alike, assert_fits, assert_near};
use crate::common::random_games::{Counts, final_boards, plain_game, position, quiet_game};
use crate::common::rules;
use noughts::game::{Cell, Position, Rules, Shape};
use noughts::search::{Control, Generator, MonteCarlo, Stream, Tally, generator};

fn sample(position: &Position, trials: u64, random: &mut Generator) -> Tally {
    MonteCarlo::default().sample(position, random, &Control::playouts_only(trials), &mut |_| {})
}

fn counts(position: &Position, trials: u64, random: &mut Generator) -> Counts {
    let counts = Counts::of(&sample(position, trials, random), position.rules().shape());
    assert_eq!(counts.results.iter().sum::<f64>(), trials as f64, "{}", name(position));
    check_filled_squares(position, &counts);
    counts
}

/// Squares that were filled before are in every final board.
fn check_filled_squares(position: &Position, counts: &Counts) {
    let balance = counts.results[0] - counts.results[2];
    for (cell, found) in Cell::all(position.rules().shape()).zip(&counts.squares) {
        let expected = match position.occupant(cell) {
            Some(player) if player == position.side() => [balance, 0.0],
            Some(_) => [0.0, -balance],
            None => continue,
        };
        assert_eq!(*found, expected, "{}, {cell}", name(position));
    }
}

fn name(position: &Position) -> String {
    format!("{}, {}", position.rules(), position.diagram())
}

/// The exact law of one playout: of everything that a tally counts, and of all of it together.
struct Law {
    boards: Vec<(Vec<f64>, f64)>,
    /// For each count the probabilities of -1, 0 and 1.
    margins: Vec<[f64; 3]>,
}

impl Law {
    fn of(position: &Position) -> Law {
        let mut boards: Vec<(Vec<f64>, f64)> = Vec::new();
        let mut places = HashMap::new();
        for (board, chance) in final_boards(position) {
            let row: Vec<f64> = Counts::of_game(position, &board).row().collect();
            // Draws leave nothing on the squares and look alike.
            let place = *places.entry(key(&row)).or_insert(boards.len());
            if place == boards.len() {
                boards.push((row, 0.0));
            }
            boards[place].1 += chance;
        }
        let mut margins = vec![[0.0; 3]; boards[0].0.len()];
        for (row, chance) in &boards {
            for (margin, value) in margins.iter_mut().zip(row) {
                margin[(value + 1.0) as usize] += chance;
            }
        }
        Law { boards, margins }
    }

    /// Holds calls of so many trials each against the law: mean, variance and independence of every count, its whole
    /// distribution where that is not too long, and the distribution of final boards where a call is one game.
    fn check(&self, position: &Position, trials: u64, calls: &[Vec<f64>]) {
        for (index, margin) in self.margins.iter().enumerate() {
            let what = || format!("{}, {} calls of {trials}, count {index}", name(position), calls.len());
            let sums: Vec<f64> = calls.iter().map(|call| call[index]).collect();
            let law = [(-1.0, margin[0]), (0.0, margin[1]), (1.0, margin[2])];
            Moments::of(&law).assert_sums(&sums, trials as f64, what);
            if trials <= 100 {
                let mut found = vec![0.0; 2 * trials as usize + 1];
                sums.iter().for_each(|sum| found[(sum + trials as f64) as usize] += 1.0);
                assert_fits(&found, &law_of_sums(margin, trials), what);
            }
        }
        if trials == 1 {
            let places: HashMap<Vec<i8>, usize> =
                self.boards.iter().enumerate().map(|(place, (row, _))| (key(row), place)).collect();
            let mut found = vec![0.0; self.boards.len()];
            calls.iter().for_each(|call| found[places[&key(call)]] += 1.0);
            let chances: Vec<f64> = self.boards.iter().map(|(_, chance)| *chance).collect();
            assert_fits(&found, &chances, || format!("{}, final boards", name(position)));
        }
    }
}

fn key(row: &[f64]) -> Vec<i8> {
    row.iter().map(|&value| value as i8).collect()
}

/// The probabilities of the sums of so many independent cases, from the least sum to the greatest.
fn law_of_sums(margin: &[f64; 3], cases: u64) -> Vec<f64> {
    (0..cases).fold(vec![1.0], |sums, _| {
        let mut longer = vec![0.0; sums.len() + 2];
        for (place, chance) in sums.iter().enumerate() {
            longer[place..place + 3].iter_mut().zip(margin).for_each(|(sum, share)| *sum += chance * share);
        }
        // Chances that are nearly zero would make numbers that are slow to compute with.
        longer.iter_mut().filter(|chance| **chance < 1e-200).for_each(|chance| *chance = 0.0);
        longer
    })
}

/// Calls of so many trials each: the first half with a generator each, the second half with one that goes on.
fn calls(position: &Position, trials: u64, number: u64, seed: u64) -> Vec<Vec<f64>> {
    let mut going_on = generator(seed, Stream::Go(0));
    let call = |index| {
        let mut own = generator(seed, Stream::Go(index));
        let random = if index <= number / 2 { &mut own } else { &mut going_on };
        counts(position, trials, random).row().collect()
    };
    (1..=number).map(call).collect()
}

/// Positions of 3x3 with odd and even numbers of empty squares, lines that are dead, and one move before the end.
const BEGUN: [&str; 9] = [
    "3/3/3 x",
    "1o1/3/3 x",
    "x2/1o1/3 x",
    "x2/3/1o1 o",
    "xo1/1x1/3 o",
    "xo1/2x/1o1 x",
    "xox/1o1/1x1 o",
    "xox/xox/2o o",
    "x1o/oxx/xoo x",
];

/// Beginnings for boards where two in a row are a line.
const BEGUN_FOR_TWO: [&str; 7] =
    ["3/3/3 x", "1o1/3/3 x", "x2/3/1o1 o", "x1o/3/3 x", "1x1/3/1o1 x", "x1o/3/1x1 o", "x1o/3/o1x x"];

/// Numbers of trials, and how many calls of each.
const CALLS: [(u64, u64); 9] = [
    (1, 20_000),
    (7, 4000),
    (64, 4000),
    (100, 3000),
    (257, 1000),
    (513, 1000),
    (1000, 1000),
    (100_000, 6),
    (1_000_000, 2),
];

fn check_3x3(connect: u16, reverse: bool, positions: &[&str]) {
    for (number, text) in positions.iter().enumerate() {
        let position = position(rules(3, connect, reverse), text);
        assert_eq!(position.outcome(), None, "{text}");
        let law = Law::of(&position);
        for (round, (trials, number_of_calls)) in CALLS.into_iter().enumerate() {
            let seed = 1 + 100 * number as u64 + round as u64;
            law.check(&position, trials, &calls(&position, trials, number_of_calls, seed));
        }
    }
}

#[test]
fn samples_of_3x3_match_exact_mean_variance_and_shape() {
    check_3x3(0, false, &BEGUN);
}

#[test]
fn samples_of_reverse_3x3_match_exact_mean_variance_and_shape() {
    check_3x3(0, true, &BEGUN);
}

#[test]
fn samples_of_3x3_with_other_line_lengths_follow_the_exact_law() {
    check_3x3(2, false, &BEGUN_FOR_TWO);
    check_3x3(2, true, &BEGUN_FOR_TWO);
    check_3x3(4, false, &BEGUN[..2]);
}

/// A position of random play in which so many cells are empty, and the game goes on. Where lines are short there may be none.
fn late_position(rules: Rules, empty: usize, random: &mut Generator) -> Option<Position> {
    let moves = quiet_game(rules, empty, random);
    let position = moves.iter().fold(Position::start(rules), |position, &cell| position.after(cell));
    (position.empty_cells() <= empty).then_some(position)
}

#[test]
fn ends_of_games_on_boards_of_every_size_follow_the_exact_law() {
    let mut random = generator(1, Stream::Sample);
    let mut checked = [0; 7];
    for size in 1..=20u8 {
        for connect in [0, 2, 3, 4, 5, u16::from(size).saturating_sub(1), u16::from(size) + 1] {
            for reverse in [false, true] {
                // Few positions of large boards are enough, for a playout copies all of them.
                for empty in (1..=6).filter(|empty| size < 7 || empty % 3 == usize::from(size % 3)) {
                    let Some(position) = late_position(rules(size, connect, reverse), empty, &mut random) else {
                        continue;
                    };
                    let law = Law::of(&position);
                    checked[position.empty_cells()] += 1;
                    for (round, (trials, number)) in [(1, 400), (70, 40), (600, 10)].into_iter().enumerate() {
                        let seed = 10_000 * u64::from(size) + 100 * u64::from(connect) + round as u64;
                        law.check(&position, trials, &calls(&position, trials, number, seed));
                    }
                }
            }
        }
    }
    assert!(checked[1..].iter().all(|&positions| positions > 20), "{checked:?}");
}

#[test]
fn every_number_of_trials_is_counted_exactly_at_every_size() {
    for size in 1..=20u8 {
        let full = u16::from(size);
        let connects = [0, 1, 2, 3, 5, full.saturating_sub(1), full + 1];
        let mut random = generator(3, Stream::Go(full.into()));
        let mut begin = |connect, reverse, trials| {
            counts(&Position::start(rules(size, connect, reverse)), trials, &mut random);
        };
        for trials in 1..=700 {
            let place = trials as usize % connects.len();
            begin(connects[place], trials / 7 % 2 == 1, trials);
        }
        for trials in [1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 512, 513] {
            connects.into_iter().for_each(|connect| begin(connect, trials % 2 == 0, trials));
        }
        if size <= 8 {
            [1023, 1025, 4097, 10_007].into_iter().for_each(|trials| begin(0, false, trials));
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_tally_and_other_streams_differ() {
    for (size, connect) in [(3, 0), (4, 3), (8, 5), (8, 0), (15, 5), (15, 0), (20, 20)] {
        let position = race(rules(size, connect, false), 0, 2);
        for trials in [1, 50, 300, 3000] {
            let tally = |seed, number| sample(&position, trials, &mut generator(seed, Stream::Go(number)));
            assert_eq!(tally(1, 1), tally(1, 1), "{size} {connect} {trials}");
            let others: Vec<Tally> = (2..8).map(|number| tally(number % 2, number)).collect();
            assert!(trials < 300 || others.iter().all(|other| *other != tally(1, 1)), "{size} {connect} {trials}");
        }
    }
}

/// A position in which each side has begun a line of its own, all but `missing` cells of it, so that lines are completed
/// often, whatever the size of the board. By `kind`: X in a row, a column, a falling or a rising diagonal.
fn race(rules: Rules, kind: u8, missing: u8) -> Position {
    let last = rules.shape().rows - 1;
    let begun = rules.line_length().unwrap_or(last).saturating_sub(missing);
    (0..begun).fold(Position::start(rules), |game, step| {
        let (of_x, of_o) = match kind {
            0 => ((0, step), (last, last - step)),
            1 => ((step, 0), (step, last)),
            2 => ((step, step), (step, last)),
            _ => ((last - step, step), (step, 0)),
        };
        [of_x, of_o].into_iter().fold(game, |game, (row, column)| game.after(Cell::new(row, column)))
    })
}

/// Rows and columns in which both sides have stones, so that only diagonals and short lines are alive.
fn blocked(size: u8, connect: u16, reverse: bool) -> Position {
    let cells: Vec<Cell> = (0..size).map(|index| Cell::new(index, index)).collect();
    let others: Vec<Cell> = (0..size).map(|index| Cell::new(index, (index + 1) % size)).collect();
    let mut game = Position::start(rules(size, connect, reverse));
    for (number, (&one, &two)) in cells.iter().zip(&others).enumerate() {
        // Each side gets stones of both diagonals in turn, so that it completes neither.
        let pair = if number % 2 == 0 { [one, two] } else { [two, one] };
        for cell in pair {
            let after = game.after(cell);
            game = if after.outcome().is_none() { after } else { return game };
        }
    }
    game
}

/// Holds a large sample against plain games.
fn check_by_plain_games(position: &Position, games: u32, seed: u64) {
    let what = || format!("{}, seed {seed}", name(position));
    let mut random = generator(seed, Stream::Eval(1));
    let mut cells: Vec<Cell> = position.moves().collect();
    let (mut plain, mut cases) = (Vec::new(), Vec::new());
    for _ in 0..games {
        let finished = plain_game(position, &mut cells, &mut random);
        let row: Vec<f64> = Counts::of_game(position, &finished).row().collect();
        plain.resize(row.len(), 0.0);
        cases.resize(row.len(), 0.0);
        for ((sum, cases), value) in plain.iter_mut().zip(&mut cases).zip(row) {
            *sum += value;
            *cases += value.abs();
        }
    }
    let (few, many) = (f64::from(games), 8 * u64::from(games));
    let fast: Vec<f64> = counts(position, many, &mut generator(seed, Stream::Go(1))).row().collect();
    let many = many as f64;
    assert_alike(&fast[..3], &plain[..3], what);
    for index in 3..fast.len() {
        // Of rare cases the plain games may have seen too few to tell how rare they are.
        let rate = f64::max(cases[index] / few, fast[index].abs() / many) + 1.0 / few;
        let variance = rate * (1.0 / few + 1.0 / many);
        assert_near(fast[index] / many, plain[index] / few, variance, LONG_TAIL / few, || {
            format!("{}, count {index}", what())
        });
    }
}

/// Boards, and how many plain games they are held against.
fn check_large(boards: &[(u8, u16, u32)]) {
    for (number, &(size, connect, games)) in boards.iter().enumerate() {
        for reverse in [false, true] {
            let rules = rules(size, connect, reverse);
            let missing = rules.line_length().map_or(1, |length| 1 + length / 5);
            let race = |kind: usize| race(rules, kind as u8 % 4, missing);
            let begun = race(number + 1);
            let quiet = begun.moves().filter(|&cell| begun.after(cell).outcome().is_none()).last();
            let odd = begun.after(quiet.expect("a move that does not end the game"));
            for (place, position) in
                [Position::start(rules), race(number), odd, blocked(size, connect, reverse)].iter().enumerate()
            {
                assert_eq!(position.outcome(), None);
                let seed = 1 + 10 * number as u64 + 2 * place as u64 + u64::from(reverse);
                check_by_plain_games(position, games, seed);
            }
        }
    }
}

#[test]
fn samples_of_boards_up_to_5x5_agree_with_plain_games() {
    check_large(&[(4, 0, 30_000), (4, 3, 30_000), (5, 0, 20_000), (5, 4, 20_000), (5, 3, 20_000), (6, 6, 20_000)]);
}

#[test]
fn samples_of_boards_up_to_10x10_agree_with_plain_games() {
    check_large(&[(8, 0, 8000), (8, 5, 8000), (8, 3, 8000), (9, 9, 6000), (10, 0, 6000), (10, 5, 6000), (8, 7, 6000)]);
}

#[test]
fn samples_of_large_boards_agree_with_plain_games() {
    check_large(&[
        (15, 0, 3000),
        (15, 5, 3000),
        (15, 14, 3000),
        (20, 0, 1500),
        (20, 4, 1500),
        (12, 9, 3000),
        (18, 12, 1500),
    ]);
}

#[test]
fn full_board_lines_are_completed_as_often_as_in_plain_games() {
    for size in [8, 12, 15, 20] {
        for kind in 0..4 {
            for (missing, reverse) in [(1, kind % 2 == 0), (2, kind % 2 == 1), (4, kind < 2)] {
                let seed = [size, kind, missing].map(u64::from).into_iter().fold(0, |seed, part| 100 * seed + part);
                check_by_plain_games(&race(rules(size, 0, reverse), kind, missing), 2500, seed);
            }
        }
    }
}

#[test]
fn every_playout_is_a_draw_where_no_line_fits_on_the_board() {
    for (size, connect) in [(1, 2), (3, 4), (5, 6), (20, 21), (20, 400)] {
        let start = Position::start(rules(size, connect, true));
        for trials in [1, 1000] {
            let counts = counts(&start, trials, &mut generator(1, Stream::Go(1)));
            assert!(counts.results == [0.0, trials as f64, 0.0] && counts.squares.iter().all(|left| *left == [0.0; 2]));
        }
    }
}

/// Rectangles, the number in a row, and how many plain games they are held against.
const RECTANGLES: [((u8, u8), u16, u32); 9] = [
    ((3, 4), 3, 20_000),
    ((4, 9), 4, 8000),
    ((9, 4), 4, 8000),
    ((1, 20), 5, 8000),
    ((20, 1), 5, 8000),
    ((2, 13), 2, 8000),
    ((6, 7), 4, 8000),
    ((3, 20), 17, 3000),
    ((20, 19), 5, 1000),
];

#[test]
fn samples_of_rectangles_agree_with_plain_games() {
    for (number, (shape, connect, games)) in RECTANGLES.into_iter().enumerate() {
        for reverse in [false, true] {
            let start = Position::start(rules(shape, connect, reverse));
            let mut random = generator(number as u64, Stream::Sample);
            let quiet = quiet_game(start.rules(), start.empty_cells() / 2, &mut random);
            let half = quiet.iter().fold(start, |game, &cell| game.after(cell));
            for (place, position) in [start, half].iter().enumerate() {
                check_by_plain_games(position, games, 1 + 4 * number as u64 + 2 * place as u64 + u64::from(reverse));
            }
        }
    }
}

#[test]
fn ends_of_games_on_rectangles_follow_the_exact_law() {
    let mut random = generator(2, Stream::Sample);
    let mut checked = 0;
    for (shape, connect, _) in RECTANGLES {
        for (reverse, empty) in [(false, 4), (true, 5), (false, 6), (true, 6)] {
            let rules = rules(shape, connect, reverse);
            let Some(position) = late_position(rules, empty, &mut random) else { continue };
            let law = Law::of(&position);
            for (round, (trials, number)) in [(1, 400), (70, 40), (600, 10)].into_iter().enumerate() {
                let seed = 10_000 * rules.cells() as u64 + 100 * u64::from(connect) + round as u64;
                law.check(&position, trials, &calls(&position, trials, number, seed));
            }
            checked += 1;
        }
    }
    assert!(checked > 20, "{checked}");
}

#[test]
fn every_number_of_trials_is_counted_exactly_on_rectangles() {
    for (shape, connect, _) in RECTANGLES {
        let longest = u16::from(Shape::from(shape).longer_side());
        let mut random = generator(3, Stream::Go(longest.into()));
        for connect in [1, connect, longest, longest + 1] {
            for trials in (1..=130).chain([255, 256, 257, 511, 512, 513]) {
                counts(&Position::start(rules(shape, connect, trials % 2 == 0)), trials, &mut random);
            }
        }
    }
}
