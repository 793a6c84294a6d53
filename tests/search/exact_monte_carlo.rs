//! The limit of flat Monte Carlo: what the engine says of it, and how often it is wrong, against the rules alone.

use std::collections::HashMap;
use std::process::Command;
use std::sync::Arc;

use crate::common::oracle::Judged;
use crate::common::program::RunToEnd;
use crate::common::{Conversation, positions_by_ply, rules, value_of};
use noughts::engine::{Engine, GoRequest, GoResult, Options, PlayerKind};
use noughts::game::{Cell, Outcome, Position, Rules, Value};
use noughts::search::{ExactPlayouts, Limits, Note, Stream, Tiebreak, Weights, generator};
use noughts::text::decimal;
use serde_json::Value as Json;

/// The sum over all orders of the empty squares on each square of a 3x3 board, with 1 and 1 points. For these
/// the two sides see the same: a winner's squares gain what a loser's lose.
type Totals = HashMap<Position, [i64; 9]>;

fn totals(position: Position, known: &mut Totals) -> [i64; 9] {
    if let Some(&totals) = known.get(&position) {
        return totals;
    }
    let mut totals = [0; 9];
    if let Some(Outcome::Win(winner)) = position.outcome() {
        let orders: i64 = (1..=position.empty_cells() as i64).product();
        for (total, cell) in totals.iter_mut().zip(Cell::all(3)) {
            let sign = position.occupant(cell).map_or(0, |player| if player == winner { 1 } else { -1 });
            *total = orders * sign;
        }
    }
    for cell in position.moves() {
        let after = self::totals(position.after(cell), known);
        totals.iter_mut().zip(after).for_each(|(total, after)| *total += after);
    }
    known.insert(position, totals);
    totals
}

/// Every position in which the game goes on.
fn questions(rules: Rules) -> impl Iterator<Item = Position> {
    positions_by_ply(rules).concat().into_iter().filter(|position| position.outcome().is_none())
}

/// The moves with the highest total.
fn best_moves(position: &Position, known: &mut Totals) -> Vec<Cell> {
    let totals = totals(*position, known);
    let best = position.moves().map(|cell| totals[cell.index(3)]).max();
    position.moves().filter(|cell| Some(totals[cell.index(3)]) == best).collect()
}

/// The answers that give value away when each position is answered by one of `moves`, all of them equally likely.
fn given_away(reverse: bool, mut moves: impl FnMut(&Position) -> Vec<Cell>) -> f64 {
    let away = |position: Position| {
        let (moves, known) = (moves(&position), Judged::new(position));
        let is_worse = |(cell, value): &&(Cell, Value)| moves.contains(cell) && value.result() < known.value.result();
        known.moves.iter().filter(is_worse).count() as f64 / moves.len() as f64
    };
    questions(rules(3, 0, reverse)).map(away).sum()
}

/// The figures of both exams of a player, equally good moves in equal parts.
fn exam(player: &str) -> [Json; 2] {
    let engine = format!("cmd=noughts option.player={player}");
    let arguments = ["exam", "--ties", "--format", "json", "--engine", &engine];
    let output = Command::new(env!("CARGO_BIN_EXE_noughts")).args(arguments).run_to_end();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let report: Json = serde_json::from_slice(&output.stdout).expect("one object");
    [0, 1].map(|game| report["exams"][game]["all"].clone())
}

fn think(position: Position, options: Options, number: u64) -> GoResult {
    let generator = generator(7, Stream::Go(number));
    let options = Options { multi_pv: 9, ..options };
    let task = GoRequest::new(position, options, Limits::default(), generator);
    Engine::new().think(task, Arc::default(), &mut |_| {})
}

fn limit_of(rules: Rules) -> Options {
    Options { rules, player: PlayerKind::MonteCarloLimit, ..Options::default() }
}

#[test]
fn an_exam_with_ties_finds_the_exact_faults_of_limit_and_random() {
    let [limit, random] = [exam("montecarlolimit"), exam("random")];
    for (game, reverse) in [(0, false), (1, true)] {
        let mut known = Totals::new();
        let expected = [
            given_away(reverse, |position| best_moves(position, &mut known)),
            given_away(reverse, |position| position.moves().collect()),
        ];
        for (all, expected) in [&limit[game], &random[game]].into_iter().zip(expected) {
            let found = all["given_away"].as_f64().expect("a number");
            assert!((found - expected).abs() < 1e-9, "reverse {reverse}: {found} {expected}");
        }
        let rate = |all: &Json| all["rate_where_possible"].as_f64().expect("a number");
        let (limit, random) = (rate(&limit[game]), rate(&random[game]));
        let known = if reverse { [0.0154, 0.5635] } else { [0.0295, 0.5954] };
        assert!((limit - known[0]).abs() < 5e-5 && (random - known[1]).abs() < 5e-5, "{limit} {random}");
    }
}

#[test]
fn the_limit_plays_and_shows_the_highest_expected_total() {
    for reverse in [false, true] {
        let rules = rules(3, 0, reverse);
        let mut known = Totals::new();
        for position in questions(rules) {
            let best = best_moves(&position, &mut known);
            let totals = totals(position, &mut known);
            let orders: f64 = (1..=position.empty_cells()).product::<usize>() as f64;
            let law = ExactPlayouts::of(&position).expect("a small board");
            assert_eq!(law.best_moves(Weights::default()), best, "{}", position.diagram());
            let verdict = think(position, Options { tiebreak: Tiebreak::First, ..limit_of(rules) }, 1).result;
            assert_eq!(verdict.lines[0].first_move(), best[0]);
            for line in &verdict.lines {
                let total = totals[line.first_move().index(3)] as f64 / orders;
                assert!(line.total.is_some_and(|shown| (shown - total).abs() < 1e-12), "{}", position.diagram());
            }
            // Four decimals are enough for an exam to tell which moves share an answer.
            let shown = |cell: Cell| decimal(law.total(cell, Weights::default()));
            let alike: Vec<Cell> = position.moves().filter(|&cell| shown(cell) == shown(best[0])).collect();
            assert_eq!(alike, best, "{}", position.diagram());
        }
    }
}

#[test]
fn weights_decide_the_move_of_the_limit_and_totals_stay_finite() {
    let rules = rules(3, 0, false);
    let position = Position::start(rules).after(Cell::new(0, 0)).after(Cell::new(0, 2));
    let played = |current, other| {
        let weights = Weights { current, other };
        let verdict = think(position, Options { weights, tiebreak: Tiebreak::First, ..limit_of(rules) }, 1).result;
        assert!(verdict.lines.iter().all(|line| line.total.is_some_and(f64::is_finite)));
        verdict.lines[0].first_move()
    };
    for weight in [1e-300, 0.5, 3.0, 1e300] {
        assert_eq!(played(weight, weight), Cell::new(1, 1), "{weight}");
    }
    assert_eq!(played(f64::MAX, f64::MAX), played(1.0, 1.0));
    // Nothing to tell the squares apart: the first in reading order.
    assert_eq!(played(0.0, 0.0), Cell::new(0, 1));
    assert_ne!(played(0.0, 1.0), played(0.0, 0.0));
}

#[test]
fn equal_squares_are_drawn_uniformly_and_no_answer_is_proven() {
    let rules = rules(3, 0, true);
    let start = Position::start(rules);
    let mut counts: HashMap<Cell, f64> = HashMap::new();
    for number in 0..2000 {
        let thought = think(start, limit_of(rules), number);
        assert!(thought.result.notes.is_empty());
        *counts.entry(thought.result.lines[0].first_move()).or_default() += 1.0;
    }
    // The four edges, all of which lose.
    assert!(counts.keys().all(|cell| (cell.row() + cell.column()) % 2 == 1) && counts.len() == 4, "{counts:?}");
    assert!(counts.values().map(|count| (count - 500.0).powi(2) / 500.0).sum::<f64>() < 25.0, "{counts:?}");

    let mut conversation = Conversation::new();
    conversation.send("setoption player montecarlolimit\ngo\ngo trials 5\ngo movetime 0\n");
    let lines = conversation.until_idle();
    let infos: Vec<&String> = lines.iter().filter(|line| line.starts_with("info")).collect();
    assert_eq!(infos.len(), 3);
    for line in infos {
        assert_eq!(value_of(line, "proven"), Some("false"));
        assert_eq!((value_of(line, "trials"), value_of(line, "wdl")), (None, Some("585")), "{line}");
        assert_eq!((value_of(line, "value"), value_of(line, "nodes")), (Some("0.2968"), Some("5478")), "{line}");
    }
}

#[test]
fn the_limit_player_is_plain_monte_carlo_on_larger_boards() {
    let answers = |player: &str| {
        let mut conversation = Conversation::new();
        conversation.send(&format!("setoption size 4\nsetoption seed 3\nsetoption player {player}\n"));
        conversation.send("go trials 50\nsetoption trials 70\ngo\nposition fen xxxx/ooo1/4/4\ngo\n");
        conversation.until_idle().iter().map(|line| crate::common::without_times(line)).collect::<Vec<_>>()
    };
    let (notes, rest): (Vec<String>, Vec<String>) =
        answers("montecarlolimit").into_iter().partition(|line| line.starts_with("info string"));
    assert_eq!(rest, answers("montecarlo"));
    assert_eq!(notes, vec![format!("info string {}", Note::NoExactPlayouts); 2]);
}
