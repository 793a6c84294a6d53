//! Traps against a plain expectimax, and against the exact shares of games won from a random opponent.

use std::collections::HashMap;
use std::num::NonZeroU64;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::common::oracle::{self, Judged};
use crate::common::random_games::late;
use crate::common::{Conversation, positions_by_ply, rules};
use noughts::engine::{Engine, GoRequest, GoResult, Options, PlayerKind};
use noughts::game::{Cell, Position, Score};
use noughts::search::{Limits, Note, Stream, Tiebreak, generator};

fn task(position: Position, player: PlayerKind, limits: Limits, number: u64) -> GoRequest {
    let options = Options { rules: position.rules(), player, tiebreak: Tiebreak::Trap, ..Options::default() };
    GoRequest::new(position, options, limits, generator(5, Stream::Go(number)))
}

fn nodes(number: u64) -> Limits {
    Limits { nodes: NonZeroU64::new(number), ..Limits::default() }
}

fn think(engine: &mut Engine, task: GoRequest) -> GoResult {
    engine.think(task, Arc::default(), &mut |_| {})
}

fn trap(engine: &mut Engine, position: &Position, player: PlayerKind) -> GoResult {
    think(engine, task(*position, player, Limits::default(), 1))
}

/// The moves to choose from, and the expected result; `None` in place of it where the move was drawn at random.
fn note(thought: &GoResult) -> Option<(usize, Option<f64>)> {
    thought.result.notes.iter().find_map(|note| match note {
        Note::Trap { moves, result } => Some((*moves, *result)),
        _ => None,
    })
}

/// Expectimax by the book: the player to move keeps to its best moves by plain alpha-beta and takes the one that expects most,
/// its opponent draws.
#[derive(Default)]
struct Plain {
    known: HashMap<Position, f64>,
}

impl Plain {
    /// The best moves in reading order, each with the expected result.
    fn best(&mut self, position: &Position) -> Vec<(Cell, f64)> {
        let best = Judged::new(*position).best_moves().into_iter();
        best.map(|cell| (cell, self.after(position, cell))).collect()
    }

    /// The expected result of the player to move when it has taken `cell` and its opponent draws.
    fn after(&mut self, position: &Position, cell: Cell) -> f64 {
        let after = position.after(cell);
        if after.outcome().is_some() {
            return -f64::from(oracle::value(&after).result());
        }
        let answers = after.moves().map(|answer| self.expected(&after.after(answer)));
        answers.sum::<f64>() / after.empty_cells() as f64
    }

    fn expected(&mut self, position: &Position) -> f64 {
        if position.outcome().is_some() {
            return f64::from(oracle::value(position).result());
        }
        if let Some(&known) = self.known.get(position) {
            return known;
        }
        let greatest = self.best(position).into_iter().map(|(_, result)| result).fold(f64::MIN, f64::max);
        self.known.insert(*position, greatest);
        greatest
    }
}

/// Holds the trap of a position against plain expectimax.
fn check(plain: &mut Plain, engine: &mut Engine, position: &Position, player: PlayerKind) {
    let best = plain.best(position);
    let greatest = best.iter().map(|&(_, result)| result).fold(f64::MIN, f64::max);
    let (first, _) = best.iter().find(|(_, result)| *result > greatest - 1e-9).expect("one is the best");
    let thought = trap(engine, position, player);
    let context = || format!("{}: {}: {best:?} {thought:?}", position.rules(), position.diagram());
    assert_eq!(thought.result.lines[0].first_move(), *first, "{}", context());
    match note(&thought) {
        None => assert_eq!(best.len(), 1, "{}", context()),
        Some((moves, result)) => {
            assert_eq!(moves, best.len(), "{}", context());
            let is_exact = result.is_some_and(|result| (result - greatest).abs() < 1e-12);
            assert!(best.len() > 1 && is_exact, "{}", context());
        }
    }
}

#[test]
fn every_trap_of_small_boards_is_that_of_plain_expectimax() {
    for (size, connect) in [(3, 0), (3, 2), (3, 9), (2, 0), (1, 0)] {
        for reverse in [false, true] {
            let rules = rules(size, connect, reverse);
            let (mut plain, mut engine) = (Plain::default(), Engine::new());
            for position in positions_by_ply(rules).concat() {
                if position.outcome().is_none() {
                    check(&mut plain, &mut engine, &position, PlayerKind::Perfect);
                }
            }
        }
    }
}

#[test]
fn traps_of_late_positions_on_larger_boards_equal_expectimax() {
    for (size, connect) in [(4, 0), (4, 3), (5, 0), (5, 4)] {
        for reverse in [false, true] {
            let rules = rules(size, connect, reverse);
            let (mut plain, mut engine) = (Plain::default(), Engine::new());
            for number in 0..12 {
                let position = late(rules, 4 + number as usize % 5, 31, number);
                let player = if number % 2 == 0 { PlayerKind::Perfect } else { PlayerKind::Auto };
                check(&mut plain, &mut engine, &position, player);
            }
        }
    }
    // The largest that are exact.
    for reverse in [false, true] {
        let rules = rules(4, 0, reverse);
        let position = late(rules, 12, 31, 3);
        check(&mut Plain::default(), &mut Engine::new(), &position, PlayerKind::Perfect);
    }
}

#[test]
fn a_trap_keeps_value_and_distance_whether_it_is_exact_or_drawn() {
    let mut drawn = 0;
    for reverse in [false, true] {
        let rules = rules(4, 0, reverse);
        let mut engine = Engine::new();
        for number in 0..40 {
            let position = late(rules, 6 + number as usize % 10, 31, number);
            for player in [PlayerKind::Perfect, PlayerKind::Auto] {
                let thought = trap(&mut engine, &position, player);
                let Score::Exact(value) = thought.result.score else { panic!("4x4 is proven: {thought:?}") };
                let after = position.after(thought.result.lines[0].first_move());
                let options =
                    Options { tiebreak: Tiebreak::First, ..task(after, player, Limits::default(), 1).options };
                let task = GoRequest { options, ..task(after, PlayerKind::Perfect, Limits::default(), 1) };
                let Score::Exact(reply) = think(&mut engine, task).result.score else { panic!("4x4 is proven") };
                assert_eq!(reply.before_move(), value, "{}", position.diagram());
                drawn += u32::from(note(&thought).is_some_and(|(_, result)| result.is_none()));
            }
        }
    }
    assert!(drawn > 5, "{drawn}");
}

#[test]
fn with_more_empty_cells_the_move_is_drawn_as_by_random_and_the_same_every_time() {
    const DRAWS: u64 = 800;
    let start = Position::start(rules(4, 0, false));
    let mut engine = Engine::new();
    let mut counts: HashMap<Cell, f64> = HashMap::new();
    for number in 0..DRAWS {
        let mut answer = || think(&mut engine, task(start, PlayerKind::Perfect, Limits::default(), number));
        let thought = answer();
        assert_eq!(note(&thought), Some((16, None)));
        let again = answer();
        assert_eq!((&again.result.lines, &again.result.notes), (&thought.result.lines, &thought.result.notes));
        *counts.entry(thought.result.lines[0].first_move()).or_default() += 1.0;
    }
    assert_eq!(counts.len(), 16);
    let expected = DRAWS as f64 / 16.0;
    let chi_square: f64 = counts.values().map(|count| (count - expected).powi(2) / expected).sum();
    // The mean of 15 and four standard deviations.
    assert!(chi_square < 15.0 + 4.0 * 30f64.sqrt(), "{chi_square}: {counts:?}");
}

#[test]
fn limits_are_kept_and_there_is_always_a_move() {
    for (size, connect) in [(4, 0), (20, 0), (20, 20), (6, 5)] {
        for reverse in [false, true] {
            let start = Position::start(rules(size, connect, reverse));
            let mut engine = Engine::new();
            let stopped = task(start, PlayerKind::Perfect, Limits::default(), 1);
            let begun = Instant::now();
            let thought = engine.think(stopped, Arc::new(AtomicBool::new(true)), &mut |_| {});
            assert!(start.moves().any(|cell| cell == thought.result.lines[0].first_move()));
            let limits = Limits { move_time: Some(60), ..Limits::default() };
            let thought = think(&mut engine, task(start, PlayerKind::Perfect, limits, 1));
            assert!(start.moves().any(|cell| cell == thought.result.lines[0].first_move()));
            assert!(begun.elapsed() < Duration::from_millis(600), "{size} {connect}: {:?}", begun.elapsed());
        }
    }
    // Far more positions than can be counted.
    let large = task(Position::start(rules(20, 20, false)), PlayerKind::Perfect, nodes(2_000), 1);
    assert!(note(&think(&mut Engine::new(), large)).is_some_and(|(moves, _)| moves > 1));
    // The positions of an exact choice count.
    let position = late(rules(4, 0, false), 12, 31, 3);
    let mut engine = Engine::new();
    let exact = trap(&mut engine, &position, PlayerKind::Perfect);
    assert!(note(&exact).is_some_and(|(_, result)| result.is_some()), "{exact:?}");
    assert!((10_000..200_000).contains(&exact.result.nodes), "{exact:?}");
    for nodes in [1, 100, 10_000, 100_000] {
        let thought = think(&mut engine, task(position, PlayerKind::Perfect, self::nodes(nodes), 1));
        assert!(note(&thought).is_none_or(|(_, result)| result.is_none()), "{thought:?}");
        let playouts = thought.result.playouts.map_or(0, |results| results.count());
        assert!(thought.result.nodes <= nodes + playouts, "{thought:?}");
    }
}

#[test]
fn a_note_says_what_the_trap_rests_on() {
    let mut conversation = Conversation::new();
    let mut said = |script: &str| conversation.send(script).until_line("bestmove")[0].clone();
    assert_eq!(
        said("setoption seed 1\nsetoption tiebreak trap\ngo\n"),
        "info string trap: one of 9 moves, expected result 0.9948 against random moves, exact"
    );
    assert_eq!(
        said("setoption size 4\ngo\n"),
        "info string trap: one of 16 moves, drawn at random; \
         expected results are computed up to 12 empty cells, within the limits"
    );
    // Nothing to choose from, and players without proofs.
    for script in ["setoption size 3\nposition fen xx1/oo1/3\ngo\n", "setoption player montecarlo\ngo trials 5\n"] {
        assert!(!said(script).contains("trap"), "{script}");
    }
}
