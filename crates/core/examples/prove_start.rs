//! Proves the value of an empty board by search, without theorems and stored pairings, within a limit of time.
//!
//! ```sh
//! cargo run --release -p noughts-core --example prove_start -- 8 5 1024 1800
//! ```
//!
//! The arguments are the size of the board, the stones in a row, the memory in MiB, and the limit in seconds.

use std::time::Duration;

use noughts_core::game::{Position, Rules};
use noughts_core::search::{Control, Solver, Technique};

fn main() {
    let numbers: Vec<u32> = std::env::args().skip(1).filter_map(|argument| argument.parse().ok()).collect();
    let [size, connect, mebibytes, seconds] = numbers[..] else {
        eprintln!("usage: prove_start SIZE CONNECT MEBIBYTES SECONDS");
        return;
    };
    let rules = Rules::new(size as u8, connect as u16, false).expect("a board of up to 20x20");
    let mut solver = Solver::new(rules, mebibytes).without(&[Technique::Theorem]);
    let control = Control::unlimited().with_time(Duration::from_secs(seconds.into()));
    let start = control.now();
    let bounds = solver.bounds(&Position::start(rules), &control);
    let time = (control.now() - start).as_secs_f64();
    let speed = solver.nodes() as f64 / time;
    println!("{rules}: {:?}, {} nodes, {time:.3} s, {speed:.0} nodes/s", bounds, solver.nodes());
}
