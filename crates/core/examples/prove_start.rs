//! Looks for the value of an empty board by search, first move by first move, within a limit of time.
//!
//! ```sh
//! cargo run --release -p noughts-core --example prove_start -- 7 5 reverse 1024 1800
//! ```
//!
//! The arguments are the size of the board, the stones in a row, the rule (normal or reverse), the memory in MiB, and the
//! limit in seconds. Stored pairings and published theorems are not used. Of first moves that are the same up to turns and
//! mirror images, one is searched, those near the centre first. For each, only what the static rules leave open about the
//! board is asked: does X win, does X hold the draw. Each question gets an equal share of the time that is left. The
//! first round takes a quarter of the time; in each round that follows, first moves that are still open get twice as long,
//! and go on from what the tables hold.

use std::collections::HashSet;
use std::time::Duration;

use noughts_core::game::{Bounds, Cell, Position, Rules, Shape, Value};
use noughts_core::search::{Control, Solver, Technique};

/// Nodes for the static rules on the empty board.
const STATIC_NODES: u64 = 100;

/// The first round takes this part of the time.
const FIRST_ROUND_PART: u32 = 4;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((rules, mebibytes, seconds)) = read(&arguments) else {
        eprintln!("usage: prove_start SIZE CONNECT normal|reverse MEBIBYTES SECONDS");
        std::process::exit(2);
    };
    let mut solver = Solver::new(rules, mebibytes).without(&[Technique::Theorem]);
    let time = Duration::from_secs(seconds);
    let control = Control::unlimited().with_time(time);
    let mut bounds = solver.bounds(&Position::start(rules), &Control::nodes_only(STATIC_NODES));
    println!("{rules}: {} by static rules", words(bounds));
    let plies = rules.cells() as u16;
    if bounds.at_most > Value::Draw {
        let asks_again = bounds.at_least < Value::Draw;
        let share = control.clone().with_share_of_time(if asks_again { 0.5 } else { 1.0 });
        match ask(&mut solver, "wins", Value::Win(plies), time, &share) {
            Some(true) => bounds.at_least = Value::Win(plies),
            Some(false) => bounds.at_most = Value::Draw,
            None => {}
        }
    }
    if bounds.at_least < Value::Draw {
        match ask(&mut solver, "holds the draw", Value::Draw, time, &control) {
            Some(true) => bounds.at_least = Value::Draw,
            Some(false) => bounds.at_most = Value::Loss(plies),
            None => {}
        }
    }
    println!("{rules}: {}, {} nodes", words(bounds), solver.nodes());
}

/// True if some first move has this value at least; `None` if that stays open. `time` is that of the whole run.
fn ask(solver: &mut Solver, question: &str, value: Value, time: Duration, control: &Control) -> Option<bool> {
    let rules = solver.rules();
    let mut open = first_moves(rules);
    let count = open.len();
    let mut limit = time / FIRST_ROUND_PART / count as u32;
    while !open.is_empty() && control.check().is_ok() {
        for cell in std::mem::take(&mut open) {
            let (before, begin) = (solver.nodes(), control.now());
            let found = solver.keeping_moves(&Position::start(rules), &[cell], value, &control.clone().within(limit));
            let keeps = found.first().map(|&(_, keeps)| keeps);
            let answer = keeps.map_or("open", |keeps| if keeps { "yes" } else { "no" });
            let (nodes, seconds) = (solver.nodes() - before, (control.now() - begin).as_secs_f64());
            println!("{rules} {cell}: {question}: {answer}, {nodes} nodes, {seconds:.1} s");
            match keeps {
                Some(true) => return Some(true),
                Some(false) => {}
                None => open.push(cell),
            }
        }
        limit *= 2;
    }
    println!("{rules}: {question}: {} of {count} first moves refuted", count - open.len());
    open.is_empty().then_some(false)
}

fn read(arguments: &[String]) -> Option<(Rules, u32, u64)> {
    let [size, connect, rule, mebibytes, seconds] = arguments else { return None };
    let reverse = match rule.as_str() {
        "normal" => false,
        "reverse" => true,
        _ => return None,
    };
    let rules = Rules::new(size.parse::<Shape>().ok()?, connect.parse().ok()?, reverse).ok()?;
    Some((rules, mebibytes.parse().ok()?, seconds.parse().ok()?))
}

/// One first move of each class, those near the centre first.
fn first_moves(rules: Rules) -> Vec<Cell> {
    let distance = |index: u8, side: u8| (2 * index).abs_diff(side - 1);
    let Shape { rows, columns } = rules.shape();
    let mut moves: Vec<Cell> = Cell::all(rules.shape()).collect();
    moves.sort_by_key(|cell| {
        let (rows, columns) = (distance(cell.row(), rows), distance(cell.column(), columns));
        (rows.max(columns), rows + columns)
    });
    let mut seen = HashSet::new();
    moves.retain(|&cell| seen.insert(Position::start(rules).after(cell).canonical()));
    moves
}

/// The proven bounds of the value, in words.
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
