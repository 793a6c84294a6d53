//! Looks for the value of an empty board by search, first move by first move, within a limit of time.
//!
//! ```sh
//! cargo run --release -p noughts-core --example prove_start -- 7 5 reverse 1024 1800
//! ```
//!
//! The arguments are the size of the board, the stones in a row, the rule (normal or reverse), the memory in MiB, and the
//! limit in seconds. Stored pairings and published theorems are not used. Of first moves that are the same up to turns and
//! mirror images, one is searched, those near the centre first. For each, only what the static rules leave open about the
//! board is asked: does X win, does X hold the draw. Each question gets an equal share of the time that is left.

use std::time::Duration;

use noughts_core::game::{Bounds, Cell, Position, Rules, Symmetry, Value};
use noughts_core::search::{Control, Solver, Technique};

/// Nodes for the static rules on the empty board.
const STATIC_NODES: u64 = 100;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((rules, mebibytes, seconds)) = read(&arguments) else {
        eprintln!("usage: prove_start SIZE CONNECT normal|reverse MEBIBYTES SECONDS");
        std::process::exit(2);
    };
    let mut solver = Solver::new(rules, mebibytes).without(&[Technique::Theorem]);
    let control = Control::unlimited().with_time(Duration::from_secs(seconds));
    let start = Position::start(rules);
    let mut bounds = solver.bounds(&start, &Control::nodes_only(STATIC_NODES));
    println!("{rules}: {} by static rules", words(bounds));
    let moves = first_moves(rules);
    let longest_win = Value::Win(rules.cells() as u16);
    for (question, value) in [("wins", longest_win), ("holds the draw", Value::Draw)] {
        let is_open = if value == Value::Draw { bounds.at_least < Value::Draw } else { bounds.at_most > Value::Draw };
        if !is_open {
            continue;
        }
        let mut refuted = 0;
        let parts = if question == "wins" && bounds.at_least < Value::Draw { 0.5 } else { 1.0 };
        let control = control.clone().with_share_of_time(parts);
        for (place, &cell) in moves.iter().enumerate() {
            let (before, begin) = (solver.nodes(), control.now());
            let share = control.clone().with_share_of_time(1.0 / (moves.len() - place) as f64);
            let found = solver.keeping_moves(&start, &[cell], value, &share);
            let answer = match found[..] {
                [(_, true)] => "yes",
                [(_, false)] => "no",
                _ => "open",
            };
            let (nodes, time) = (solver.nodes() - before, (control.now() - begin).as_secs_f64());
            println!("{rules} {cell}: {question}: {answer}, {nodes} nodes, {time:.1} s");
            refuted += usize::from(answer == "no");
            if answer == "yes" {
                bounds.at_least = bounds.at_least.max(value);
                break;
            }
        }
        if refuted == moves.len() {
            let at_most = if value == Value::Draw { Value::Loss(rules.cells() as u16) } else { Value::Draw };
            bounds.at_most = bounds.at_most.min(at_most);
        }
        println!("{rules}: {question}: {refuted} of {} first moves refuted", moves.len());
    }
    println!("{rules}: {}, {} nodes", words(bounds), solver.nodes());
}

fn read(arguments: &[String]) -> Option<(Rules, u32, u64)> {
    let [size, connect, rule, mebibytes, seconds] = arguments else { return None };
    let reverse = match rule.as_str() {
        "normal" => false,
        "reverse" => true,
        _ => return None,
    };
    let rules = Rules::new(size.parse().ok()?, connect.parse().ok()?, reverse).ok()?;
    Some((rules, mebibytes.parse().ok()?, seconds.parse().ok()?))
}

/// One first move of each class, those near the centre first.
fn first_moves(rules: Rules) -> Vec<Cell> {
    let size = rules.size();
    let is_first = |cell: &Cell| Symmetry::all().all(|symmetry| symmetry.apply(*cell, size) >= *cell);
    let from_centre = |cell: &Cell| {
        let distance = |index: u8| (2 * index).abs_diff(size - 1);
        (distance(cell.row()).max(distance(cell.column())), distance(cell.row()) + distance(cell.column()))
    };
    let mut moves: Vec<Cell> = Cell::all(size).filter(is_first).collect();
    moves.sort_by_key(from_centre);
    moves
}

/// What is proven about the value.
fn words(bounds: Bounds) -> &'static str {
    match (bounds.at_least.result(), bounds.at_most.result()) {
        (1, _) => "X wins",
        (_, -1) => "X loses",
        (0, 0) => "a draw",
        (0, _) => "X does not lose",
        (_, 0) => "X does not win",
        _ => "open",
    }
}
