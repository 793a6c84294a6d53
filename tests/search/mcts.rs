//! Monte Carlo tree search: what it must never do, whatever the playouts say.

use std::num::NonZeroU64;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::common::program::join_in_time;
use crate::common::{Conversation, is_within, positions_by_ply, rules, without_times};
use noughts::engine::{Engine, GoRequest, GoResult, Options, PlayerKind};
use noughts::game::{Bounds, Cell, Position, Rules, Score, Value};
use noughts::search::{Control, Limits, Note, Solver, Stream, ValueTable, below, generator};

fn think(engine: &mut Engine, position: Position, limits: Limits, lines: usize, seed: u64) -> GoResult {
    let options = Options { rules: position.rules(), player: PlayerKind::Mcts, ..Options::default() };
    let task = GoRequest { lines, ..GoRequest::new(position, options, limits, generator(seed, Stream::Go(1))) };
    engine.think(task, Arc::default(), &mut |_| {})
}

fn trials(number: u64) -> Limits {
    Limits { trials: NonZeroU64::new(number), ..Limits::default() }
}

fn move_time(milliseconds: u64) -> Limits {
    Limits { move_time: Some(milliseconds), ..Limits::default() }
}

/// A position from a game played at random, with so many empty cells, or an earlier one where the game ends before.
fn random_position(rules: Rules, empty: usize, number: u64) -> Position {
    let mut random = generator(20, Stream::Opening(number));
    let mut position = Position::start(rules);
    while position.empty_cells() > empty {
        let moves: Vec<_> = position.moves().collect();
        let next = position.after(moves[below(&mut random, moves.len() as u32) as usize]);
        if next.outcome().is_some() {
            break;
        }
        position = next;
    }
    position
}

/// Boards of all kinds, under both rules.
fn games() -> impl Iterator<Item = Rules> {
    let boards =
        [(1, 0), (2, 0), (3, 0), (3, 1), (3, 2), (3, 4), (4, 3), (5, 4), (6, 4), (8, 5), (9, 9), (13, 5), (20, 6)];
    boards.into_iter().flat_map(|(size, connect)| [false, true].map(|reverse| rules(size, connect, reverse)))
}

/// What the end of the game, one ply or two away, says about a move.
fn value_in_sight(position: &Position, cell: Cell) -> Option<Value> {
    let after = position.after(cell);
    let wins_at_once = |cell| after.after(cell).final_value() == Some(Value::Loss(0));
    match after.final_value() {
        Some(value) => Some(value.before_move()),
        None => after.moves().any(wins_at_once).then_some(Value::Loss(2)),
    }
}

#[test]
fn the_answer_is_legal_takes_a_win_and_avoids_an_immediate_loss() {
    for rules in games() {
        let mut engine = Engine::new();
        for number in 0..20 {
            let empty = 1 + (number as usize * 7 + 3) % rules.cells();
            let position = random_position(rules, empty, number);
            if position.outcome().is_some() {
                continue;
            }
            let values: Vec<_> = position.moves().map(|cell| (cell, value_in_sight(&position, cell))).collect();
            let can_win = values.iter().any(|(_, value)| *value == Some(Value::Win(1)));
            let can_go_on = values.iter().any(|(_, value)| *value != Some(Value::Loss(1)));
            let can_hold = values.iter().any(|(_, value)| !matches!(value, Some(Value::Loss(_))));
            for limits in [trials(1), trials(9), trials(150), move_time(0), move_time(1)] {
                let thought = think(&mut engine, position, limits, 3, number);
                let chosen = thought.result.lines[0].first_move();
                let value = values.iter().find(|(cell, _)| *cell == chosen).expect("a legal move").1;
                let context = || format!("{rules}: {}: {limits:?}: {thought:?}", position.diagram());
                assert!(!can_win || value == Some(Value::Win(1)), "{}", context());
                assert!(!can_go_on || value != Some(Value::Loss(1)), "{}", context());
                assert!(!can_hold || !matches!(value, Some(Value::Loss(_))), "{}", context());
                let mut lines: Vec<_> = thought.result.lines.iter().map(|line| line.first_move()).collect();
                assert_eq!(lines.len(), values.len().min(3), "{}", context());
                lines.sort_unstable();
                lines.dedup();
                assert_eq!(lines.len(), values.len().min(3), "{}", context());
                for line in &thought.result.lines {
                    line.principal_variation.iter().fold(position, |position, &cell| position.after(cell));
                }
                if let Some(playouts) = limits.playouts() {
                    assert!(thought.result.playouts.is_none_or(|results| results.count() <= playouts));
                }
            }
        }
    }
}

/// Holds what an answer claims against the truth, and says whether the value was claimed.
fn check(thought: &GoResult, position: &Position, mut truth: impl FnMut(&Position) -> Value) -> bool {
    let value = truth(position);
    let context = || format!("{}: {}: {value:?}: {thought:?}", position.rules(), position.diagram());
    for line in &thought.result.lines {
        let mut after = || truth(&position.after(line.first_move())).before_move();
        match line.score {
            Score::Exact(claimed) => assert_eq!(claimed, after(), "{}", context()),
            Score::Within(claimed) => assert!(is_within(after(), claimed), "{}", context()),
            Score::Estimate(_) => {}
        }
    }
    for note in &thought.notes {
        if let Note::Proved(Bounds { at_least, at_most }) = note {
            assert!(*at_least <= value && value <= *at_most, "{}", context());
        }
    }
    match thought.result.score {
        Score::Exact(claimed) => {
            let chosen = truth(&position.after(thought.result.lines[0].first_move())).before_move();
            assert_eq!((claimed, chosen), (value, value), "{}", context());
            true
        }
        Score::Within(claimed) => {
            let chosen = truth(&position.after(thought.result.lines[0].first_move())).before_move();
            assert!(is_within(value, claimed) && is_within(chosen, claimed), "{}", context());
            true
        }
        Score::Estimate(result) => {
            assert!((-1.0..=1.0).contains(&result), "{}", context());
            false
        }
    }
}

#[test]
fn ten_thousand_playouts_keep_the_value_of_every_3x3_position() {
    for reverse in [false, true] {
        let table = ValueTable::for_rules(rules(3, 0, reverse)).expect("a small board");
        let mut engine = Engine::new();
        for position in positions_by_ply(rules(3, 0, reverse)).concat() {
            if position.outcome().is_none() {
                let thought = think(&mut engine, position, trials(10_000), 9, 1);
                check(&thought, &position, |position| table.value(position));
                let chosen = table.value(&position.after(thought.result.lines[0].first_move())).before_move();
                assert_eq!(chosen, table.value(&position), "{}: {thought:?}", position.diagram());
            }
        }
    }
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
                claimed += u32::from(check(&thought, &position, truth));
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
            let options = Options { rules, player: PlayerKind::MonteCarlo, trials: 10_000, ..Options::default() };
            let generator = generator(number, Stream::Go(1));
            let task = GoRequest::new(position, options, Limits::default(), generator);
            other.think(task, Arc::default(), &mut |_| {}).result.lines[0].first_move()
        };
        position = position.after(cell);
    }
    assert_eq!(position.final_value(), Some(Value::Loss(0)), "{}", position.diagram());
}
