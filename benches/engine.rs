//! The engine's hot paths under criterion, for comparing two versions of the code on one machine.
//!
//! `cargo bench --bench engine -- --save-baseline before`, change something, and
//! `cargo bench --bench engine -- --baseline before`.

#![allow(missing_docs)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use noughts::bench::{HardPosition, hard_positions};
use noughts::game::{Position, Rules};
use noughts::protocol::{Command, InputLine};
use noughts::search::{Control, MonteCarlo, Solver, Stream, ValueTable, generator};
use noughts::session::{Conversation, SearchThread, Session};

fn rules(size: u8, connect: u16, reverse: bool) -> Rules {
    Rules::new(size, connect, reverse).expect("rules within range")
}

fn table(criterion: &mut Criterion) {
    for reverse in [false, true] {
        let rules = rules(3, 0, reverse);
        criterion
            .bench_function(&format!("table {rules}"), |bencher| bencher.iter(|| ValueTable::build(black_box(rules))));
    }
}

fn playouts(criterion: &mut Criterion) {
    const PLAYOUTS: u64 = 1000;
    let mut group = criterion.benchmark_group("playouts");
    group.throughput(Throughput::Elements(PLAYOUTS));
    for (size, connect) in [(3, 0), (8, 5), (15, 5), (15, 0)] {
        let start = Position::start(rules(size, connect, false));
        let player = MonteCarlo::default();
        let control = Control::playouts_only(PLAYOUTS);
        group.bench_function(start.rules().to_string(), |bencher| {
            bencher.iter_batched(
                || generator(1, Stream::Go(1)),
                |mut generator| player.sample(black_box(&start), &mut generator, &control, &mut |_| {}),
                BatchSize::SmallInput,
            );
        });
    }
}

fn lines(criterion: &mut Criterion) {
    let position = "position startpos moves 1,1 0,0 2,2";
    criterion.bench_function("parse position", |bencher| bencher.iter(|| black_box(position).parse::<Command>()));
    let mut conversation = Conversation::new(Session::default(), SearchThread::new(|| {}));
    let script = [position, "go"].map(|line| InputLine::Text(line.to_owned()));
    criterion.bench_function("session position + go", |bencher| {
        bencher.iter(|| {
            conversation.begin_round(Instant::now());
            script.iter().for_each(|line| conversation.receive(line.clone(), Instant::now()));
            conversation.output().clear();
        });
    });
}

/// The result of a `go`, by a new solver each time.
fn value_and_best_moves(position: &Position) {
    let mut solver = Solver::new(position.rules(), 64);
    black_box(solver.bounds(black_box(position), &Control::unlimited()));
    black_box(solver.best_moves(position, &Control::unlimited()));
}

fn proofs(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("proof");
    group.sample_size(10).measurement_time(Duration::from_secs(3));
    for reverse in [false, true] {
        let start = Position::start(rules(4, 0, reverse));
        let name = format!("{} start", start.rules());
        group.bench_function(name, |bencher| bencher.iter(|| value_and_best_moves(&start)));
    }
    for rules in [rules(4, 0, false), rules(4, 0, true), rules(5, 0, true), rules(6, 0, true)] {
        let of_rules = |hard: &HardPosition| hard.position.rules() == rules;
        let hardest = hard_positions().filter(of_rules).max_by_key(|hard| hard.nodes);
        let position = hardest.expect("there are hard positions of these boards").position;
        group.bench_function(format!("{rules} hardest"), |bencher| bencher.iter(|| value_and_best_moves(&position)));
    }
    for (size, connect) in [(6, 4), (5, 4)] {
        let start = Position::start(rules(size, connect, false));
        group.bench_function(format!("{} start", start.rules()), |bencher| {
            bencher.iter(|| Solver::new(start.rules(), 64).bounds(black_box(&start), &Control::unlimited()));
        });
    }
    group.finish();
}

criterion_group!(benches, table, playouts, lines, proofs);
criterion_main!(benches);
