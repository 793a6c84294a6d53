//! Monte Carlo tree search: what it must never do, whatever the playouts say.

use std::num::NonZeroU64;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::common::claims::assert_claims_hold;
use crate::common::oracle::{Judged, lines};
use crate::common::part::Part;
use crate::common::program::join_in_time;
use crate::common::random_games::any_move;
use crate::common::{Conversation, positions_by_ply, rules, without_times};
use noughts::engine::{Engine, GoRequest, GoResult, Options, PlayerKind};
use noughts::game::{Cell, Player, Position, Rules, Value};
use noughts::search::{Control, Generator, Limits, Solver, Stream, ValueTable, below, generator};

fn think(engine: &mut Engine, position: Position, limits: Limits, multi_pv: u32, seed: u64) -> GoResult {
    let options = Options { rules: position.rules(), player: PlayerKind::Mcts, multi_pv, ..Options::default() };
    let task = GoRequest::new(position, options, limits, generator(seed, Stream::Go(1)));
    engine.think(task, Arc::default(), &mut |_| {})
}

fn trials(number: u64) -> Limits {
    Limits { trials: NonZeroU64::new(number), ..Limits::default() }
}

/// A position from a game played at random, with so many empty cells, or an earlier one where the game ends before.
fn random_position(rules: Rules, empty: usize, number: u64) -> Position {
    let mut random = generator(20, Stream::Opening(number));
    let mut position = Position::start(rules);
    while position.empty_cells() > empty {
        let next = position.after(any_move(&position, &mut random));
        if next.outcome().is_some() {
            break;
        }
        position = next;
    }
    position
}

fn ten_thousand_playouts_keep_the_value(part: Part) {
    for reverse in [false, true] {
        let table = ValueTable::for_rules(rules(3, 0, reverse)).expect("a small board");
        let mut engine = Engine::new();
        for position in part.of(positions_by_ply(rules(3, 0, reverse)).concat()) {
            if position.outcome().is_none() {
                let thought = think(&mut engine, position, trials(10_000), 9, 1);
                assert_claims_hold(&thought, &Judged::by(position, |position| table.value(position)));
                let chosen = table.value(&position.after(thought.result.lines[0].first_move())).before_move();
                assert_eq!(chosen, table.value(&position), "{}: {thought:?}", position.diagram());
            }
        }
    }
}

#[test]
fn ten_thousand_playouts_keep_the_value_of_a_fifth_of_3x3() {
    ten_thousand_playouts_keep_the_value(Part::Daily);
}

#[test]
fn every_seed_finds_the_centre_of_the_empty_reverse_board() {
    let start = Position::start(rules(3, 0, true));
    for seed in 0..60 {
        let thought = think(&mut Engine::new(), start, trials(10_000), 1, seed);
        assert_eq!(thought.result.lines[0].first_move(), Cell::new(1, 1), "{seed}");
    }
}

#[test]
fn what_is_claimed_is_what_the_solver_says() {
    let mut claimed = 0;
    for (size, connect, empty) in [(4, 0, 12), (4, 3, 11), (5, 4, 11), (5, 3, 11), (6, 4, 10)] {
        for reverse in [false, true] {
            let rules = rules(size, connect, reverse);
            let mut engine = Engine::new();
            let mut solver = Solver::new(rules, 16);
            for number in 0..12 {
                let position = random_position(rules, empty, number);
                let limits = Limits { nodes: NonZeroU64::new(40 + 100 * (number % 5)), ..Limits::default() };
                let thought = think(&mut engine, position, limits, 4, number);
                let truth = |position: &Position| {
                    solver.bounds(position, &Control::unlimited()).exact().expect("nothing ends the proof")
                };
                claimed += u32::from(assert_claims_hold(&thought, &Judged::by(position, truth)));
            }
        }
    }
    assert!(claimed > 40, "{claimed}");
}

#[test]
fn a_finished_search_does_not_depend_on_earlier_questions() {
    const ASKED: &str = "position startpos moves 4,4 4,5 5,5\ngo trials 3000";
    let script = |before: &str| {
        let script = format!(
            "setoption player mcts\nsetoption size 9\nsetoption connect 5\n{before}\nsetoption seed 5\n{ASKED}"
        );
        let lines = Conversation::new().send(&(script + "\n")).until_idle();
        lines[lines.len() - 2..].iter().map(|line| without_times(line)).collect::<Vec<_>>()
    };
    let alone = script("");
    assert!(alone[1].starts_with("bestmove"), "{alone:?}");
    for before in [
        "go trials 5000",
        "position startpos moves 4,4 4,5\ngo movetime 50",
        "position startpos moves 4,4 4,5 5,5\ngo movetime 30\ngo trials 100",
        "setoption player auto\ngo movetime 20\nsetoption player mcts",
    ] {
        assert_eq!(script(before), alone, "{before}");
    }
}

#[test]
fn a_search_ends_soon_when_it_is_told_to() {
    for (size, connect, reverse) in [(20, 5, false), (20, 20, false), (15, 5, true), (3, 0, true), (5, 4, false)] {
        let rules = rules(size, connect, reverse);
        let stop = Arc::new(AtomicBool::new(false));
        let position = Position::start(rules);
        let options = Options { rules, player: PlayerKind::Mcts, ..Options::default() };
        let limits = Limits { infinite: true, ..Limits::default() };
        let task = GoRequest::new(position, options, limits, generator(1, Stream::Go(1)));
        let seen = Arc::clone(&stop);
        let thread = std::thread::spawn(move || {
            let thought = Engine::new().think(task, seen, &mut |_| {});
            (thought, Instant::now())
        });
        std::thread::sleep(Duration::from_millis(120));
        let stopped = Instant::now();
        stop.store(true, Ordering::Relaxed);
        let (thought, ended) = join_in_time(thread);
        assert!(!thought.result.lines.is_empty());
        // A few milliseconds, and as many more as a busy machine takes.
        assert!(ended.saturating_duration_since(stopped) < Duration::from_millis(100), "{rules}");
    }
}

#[test]
fn the_first_player_wins_6x6_connect_4_against_flat_monte_carlo() {
    let rules = rules(6, 4, false);
    let mut position = Position::start(rules);
    let (mut engine, mut other) = (Engine::new(), Engine::new());
    for number in 0.. {
        if position.outcome().is_some() {
            break;
        }
        let cell = if number % 2 == 0 {
            think(&mut engine, position, trials(40_000), 1, number).result.lines[0].first_move()
        } else {
            let options = Options { rules, player: PlayerKind::MonteCarlo, trials: Some(10_000), ..Options::default() };
            let generator = generator(number, Stream::Go(1));
            let task = GoRequest::new(position, options, Limits::default(), generator);
            other.think(task, Arc::default(), &mut |_| {}).result.lines[0].first_move()
        };
        position = position.after(cell);
    }
    assert_eq!(position.final_value(), Some(Value::Loss(0)), "{}", position.diagram());
}

/// A position without a threat, after so many moves of alternating play within the middle nine rows and columns. No line
/// has three stones of a player and none of the other.
fn quiet_opening(rules: Rules, plies: usize, random: &mut Generator) -> Position {
    let lines = lines(rules);
    let first = rules.shape().rows / 2 - 4;
    loop {
        let mut position = Position::start(rules);
        while rules.cells() - position.empty_cells() < plies {
            let cell = Cell::new(first + below(random, 9) as u8, first + below(random, 9) as u8);
            if position.occupant(cell).is_none() {
                position = position.after(cell);
            }
        }
        let count = |line: &[Cell], player| line.iter().filter(|&&cell| position.stones(player).contains(cell)).count();
        let is_threat = |line: &Vec<Cell>| {
            let stones = Player::BOTH.map(|player| count(line, player));
            stones.contains(&0) && stones.iter().any(|&stones| stones >= 3)
        };
        if !lines.iter().any(is_threat) {
            return position;
        }
    }
}

fn most_moves_are_near(player: PlayerKind, positions: Range<usize>, limits: Limits) {
    let rules = rules(15, 5, false);
    let mut random = generator(43, Stream::Opening(positions.start as u64));
    let mut engine = Engine::new();
    let mut is_near = |number: usize| {
        let position = quiet_opening(rules, number % 9, &mut random);
        let options = Options { rules, player, ..Options::default() };
        let task = GoRequest::new(position, options, limits, generator(number as u64, Stream::Go(1)));
        let cell = engine.think(task, Arc::default(), &mut |_| {}).result.lines[0].first_move();
        let within = |stone: Cell, distance| {
            stone.row().abs_diff(cell.row()) <= distance && stone.column().abs_diff(cell.column()) <= distance
        };
        let mut stones = Player::BOTH.iter().flat_map(|&player| position.stones(player).iter());
        if number.is_multiple_of(9) { within(Cell::new(7, 7), 1) } else { stones.any(|stone| within(stone, 2)) }
    };
    let count = positions.len();
    let near = positions.filter(|&number| is_near(number)).count();
    assert!(near * 100 >= count * 95, "{near} of {count} moves are near: {limits:?}");
}

fn moves_are_near(positions: Range<usize>) {
    most_moves_are_near(PlayerKind::Auto, positions.clone(), Limits::default());
    most_moves_are_near(PlayerKind::Mcts, positions.clone(), trials(1000));
    most_moves_are_near(PlayerKind::Perfect, positions, Limits { nodes: NonZeroU64::new(2000), ..Limits::default() });
}

#[test]
fn moves_of_quiet_positions_are_near_the_stones() {
    moves_are_near(0..27);
}

#[test]
fn a_stone_at_the_edge_is_answered_in_the_middle() {
    let rules = rules(15, 5, false);
    for (row, column) in [(0, 0), (0, 14), (1, 7), (13, 2), (7, 0)] {
        let position = Position::start(rules).after(Cell::new(row, column));
        let cell = think(&mut Engine::new(), position, Limits::default(), 1, 1).result.lines[0].first_move();
        assert!(cell.row().abs_diff(7) <= 3 && cell.column().abs_diff(7) <= 3, "{row},{column}: {cell}");
    }
}

mod long {
    use super::*;

    /// As many playouts as a tenth of a second and a second buy, so that the answers do not depend on the machine.
    #[test]
    #[ignore = "long: scripts/check all"]
    fn moves_of_quiet_positions_are_near_with_many_playouts() {
        for (positions, playouts) in [(200, 50_000), (90, 500_000)] {
            most_moves_are_near(PlayerKind::Auto, 0..positions, trials(playouts));
        }
    }

    #[test]
    #[ignore = "long: scripts/check all"]
    fn moves_of_more_quiet_positions_are_near_the_stones() {
        moves_are_near(27..72);
    }

    #[test]
    #[ignore = "long: scripts/check all"]
    fn ten_thousand_playouts_keep_the_value_of_the_rest_of_3x3() {
        ten_thousand_playouts_keep_the_value(Part::Rest);
    }
}
