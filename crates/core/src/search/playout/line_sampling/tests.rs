use std::collections::HashMap;

use super::*;
use crate::game::{Outcome, Player, Rules};
use crate::search::playout::PlayoutBoard;
use crate::search::playout::scalar::PlayoutEnd;
use crate::search::{Stream, generator};

/// The stones of the side to move and of its opponent.
type StonesOfBoth = [CellSet; 2];

fn start(size: u8, connect: u16, reverse: bool) -> Position {
    Position::start(Rules::new(size, connect, reverse).unwrap())
}

/// The position after random moves, with `empties` empty cells; `None` when the game was over before.
fn random_position(start: Position, empties: usize, generator: &mut Generator) -> Option<Position> {
    let mut position = start;
    while position.empty_cells() > empties {
        let moves: Vec<Cell> = position.moves().collect();
        position = position.after(moves[below(generator, moves.len() as u32) as usize]);
        if position.outcome().is_some() {
            return None;
        }
    }
    Some(position)
}

/// A sampler for a random position with `empties` empty cells.
fn random_sampler(start: Position, empties: usize, generator: &mut Generator) -> (Position, LineSampler) {
    let mut positions = std::iter::from_fn(|| Some(random_position(start, empties, generator))).flatten();
    positions.find_map(|position| Some((position, LineSampler::new(&position)?))).unwrap()
}

/// The probability of every final board of a decided game when all moves are uniformly random, from the rules alone.
fn decided_board_probabilities(
    position: Position,
    player: Player,
    chance: f64,
    boards: &mut HashMap<StonesOfBoth, f64>,
) {
    if matches!(position.outcome(), Some(Outcome::Win(_))) {
        *boards.entry([*position.stones(player), *position.stones(!player)]).or_default() += chance;
    }
    let moves = position.moves().count() as f64;
    position.moves().for_each(|cell| decided_board_probabilities(position.after(cell), player, chance / moves, boards));
}

/// The chi-square statistic of counts, and its degrees of freedom. Rare boards and draws count as one class.
fn chi_square(found: &HashMap<StonesOfBoth, f64>, expected: &HashMap<StonesOfBoth, f64>, playouts: f64) -> (f64, f64) {
    let mut rest = (playouts, playouts);
    let (mut deviation, mut freedom) = (0.0, 0.0);
    for (board, &expected) in expected {
        if expected >= 8.0 {
            let found = found.get(board).copied().unwrap_or(0.0);
            deviation += (found - expected).powi(2) / expected;
            freedom += 1.0;
            rest = (rest.0 - found, rest.1 - expected);
        }
    }
    // Draws and rare boards.
    if rest.1 >= 8.0 {
        deviation += (rest.0 - rest.1).powi(2) / rest.1;
    } else {
        freedom -= 1.0;
    }
    (deviation, freedom)
}

#[test]
fn final_boards_come_as_often_as_the_rules_say() {
    const PLAYOUTS: u64 = 40_000;
    let mut generator = generator(5, Stream::Go(1));
    let (mut all_deviation, mut all_freedom, mut positions) = (0.0, 0.0, 0);
    for (size, connect, most) in
        [(3, 3, 8), (3, 2, 4), (3, 1, 1), (4, 4, 8), (4, 3, 6), (5, 4, 8), (6, 4, 7), (9, 5, 7), (12, 5, 6)]
    {
        for number in 0..160 {
            let empties = 1 + number % most;
            let game = start(size, connect, number % 3 == 0);
            let Some(position) = random_position(game, empties, &mut generator) else { continue };
            let Some(sampler) = LineSampler::new(&position) else { continue };
            let mut expected = HashMap::new();
            decided_board_probabilities(position, position.side(), PLAYOUTS as f64, &mut expected);
            let mut found: HashMap<StonesOfBoth, f64> = HashMap::new();
            for (_, new) in sampler.sampler.decided_games(PLAYOUTS, &mut generator) {
                let old = [position.side(), !position.side()].map(|player| *position.stones(player));
                *found.entry([old[0] | new[0], old[1] | new[1]]).or_default() += 1.0;
            }
            assert!(
                found.keys().all(|board| expected.contains_key(board)),
                "an impossible board: {}",
                position.diagram()
            );
            let (deviation, freedom) = chi_square(&found, &expected, PLAYOUTS as f64);
            // Mean plus five standard deviations of the chi-square distribution, and more where it is far from normal.
            assert!(
                deviation < freedom + 5.0 * (2.0 * freedom).sqrt() + 12.0,
                "{deviation} at {freedom}: {} {}",
                position.rules(),
                position.diagram()
            );
            (all_deviation, all_freedom) = (all_deviation + deviation, all_freedom + freedom);
            positions += 1;
        }
    }
    let bound = 4.0 * (2.0f64 * all_freedom).sqrt();
    assert!((all_deviation - all_freedom).abs() < bound, "{all_deviation} at {all_freedom}");
    assert!(positions > 150, "{positions} positions");
}

/// Sizes, line lengths and empty cells with lines that are rare enough, for sets of every width.
const BOARDS: [(u8, u16, usize); 15] = [
    (4, 4, 16),
    (4, 4, 11),
    (5, 5, 25),
    (5, 5, 20),
    (5, 4, 13),
    (6, 6, 36),
    (6, 5, 21),
    (7, 6, 48),
    (8, 8, 64),
    (8, 7, 64),
    (8, 7, 61),
    (9, 8, 80),
    (12, 9, 131),
    (15, 11, 224),
    (18, 12, 320),
];

/// For lost and for won games: how often each cell had a stone of the side to move, and of its opponent. Then the number of
/// lost and of won games.
type SquareCounts = Vec<f64>;

fn count(counts: &mut SquareCounts, size: u8, won: bool, stones: StonesOfBoth) {
    let cells = usize::from(size) * usize::from(size);
    counts.resize(4 * cells + 2, 0.0);
    counts[4 * cells + usize::from(won)] += 1.0;
    for (player, set) in stones.iter().enumerate() {
        set.iter().for_each(|cell| counts[(2 * usize::from(won) + player) * cells + cell.index(size)] += 1.0);
    }
}

#[test]
fn outcomes_and_squares_come_as_often_as_ply_by_ply() {
    const PLAYOUTS: u64 = 40_000;
    let mut generator = generator(6, Stream::Go(2));
    let (mut squares, mut number) = (0.0, 0.0);
    for (size, connect, empties) in BOARDS {
        for (fewer, reverse) in [(0, false), (1, true)] {
            let game = start(size, connect, reverse);
            let (position, sampler) = random_sampler(game, empties - fewer, &mut generator);
            let mut counts = [SquareCounts::new(), SquareCounts::new()];
            for (completer, stones) in sampler.sampler.decided_games(PLAYOUTS, &mut generator) {
                count(&mut counts[0], size, (completer == 0) != reverse, stones);
            }
            let mut board = PlayoutBoard::new(&position);
            for _ in 0..PLAYOUTS {
                if let PlayoutEnd::Line { plies } = board.play_out(&mut generator) {
                    let stones =
                        [board.played(plies).step_by(2).collect(), board.played(plies).skip(1).step_by(2).collect()];
                    count(&mut counts[1], size, (plies % 2 == 1) != reverse, stones);
                }
            }
            let [sampled, played] = counts;
            assert_eq!(sampled.len(), played.len());
            let playouts = PLAYOUTS as f64;
            for (one, other) in sampled.iter().zip(&played).filter(|(one, other)| *one + *other > 20.0) {
                let mean = (one + other) / 2.0;
                let variance = 2.0 * mean * (1.0 - mean / playouts);
                let deviation = (one - other) / variance.sqrt();
                assert!(deviation.abs() < 5.0, "{one} and {other}: {} {}", position.rules(), position.diagram());
                (squares, number) = (squares + deviation * deviation, number + 1.0);
            }
        }
    }
    assert!((0.8..1.2).contains(&(squares / number)), "{}", squares / number);
}

#[test]
fn a_tally_holds_exactly_the_games_that_were_drawn() {
    for (size, connect, empties) in BOARDS {
        for (seed, reverse, playouts) in [(1, false, 1), (2, true, 12_345), (3, false, 200_000)] {
            let game = start(size, connect, reverse);
            let (_, sampler) = random_sampler(game, empties, &mut generator(seed, Stream::Go(3)));
            let mut expected = Tally::new(size);
            let games = sampler.sampler.decided_games(playouts, &mut generator(seed, Stream::Go(4)));
            expected.add_draws(playouts - games.len() as u64);
            for (completer, [current, other]) in games {
                expected.add_decided((completer == 0) != reverse, current.iter(), other.iter());
            }
            for _ in 0..2 {
                let mut tally = Tally::new(size);
                sampler.play(playouts, &mut generator(seed, Stream::Go(4)), &mut tally);
                assert_eq!(tally, expected);
                assert_eq!(tally.results().count(), playouts);
            }
        }
    }
}

#[test]
fn games_without_a_line_are_drawn_at_once() {
    for position in [start(3, 4, false), start(20, 21, true)] {
        let sampler = LineSampler::new(&position).unwrap();
        assert_eq!(sampler.rate(), 0.0);
        let mut tally = Tally::new(position.rules().size());
        sampler.play(u64::MAX, &mut generator(1, Stream::Go(1)), &mut tally);
        assert_eq!(tally.results().draws, u64::MAX);
    }
}

#[test]
fn the_rate_is_the_expected_number_of_lines() {
    let rate = |size, connect| LineSampler::new(&start(size, connect, false)).map(|sampler| sampler.rate());
    for (size, expected) in [(4, 10.0 * 2.0 * 70.0 / 1820.0), (8, 0.08555), (15, 0.001188), (20, 4.861e-5)] {
        assert!((rate(size, 0).unwrap() / expected - 1.0).abs() < 1e-3, "{size}");
    }
    for (size, connect) in [(3, 3), (2, 2), (4, 3), (8, 5), (15, 5), (20, 5)] {
        assert_eq!(rate(size, connect), None, "{size} {connect}");
    }
    // One empty cell left: it completes a line for certain.
    assert_eq!(rate(1, 1), Some(1.0));
}
