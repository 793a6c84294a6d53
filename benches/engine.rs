//! The engine's hot paths under criterion, for comparing two versions of the code on one machine.
//!
//! `cargo bench --bench engine -- --save-baseline before`, change something, and
//! `cargo bench --bench engine -- --baseline before`.

#![allow(missing_docs)]

use std::hint::black_box;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use noughts::game::{Position, Rules};
use noughts::protocol::{Command, Line};
use noughts::search::{Control, MonteCarlo, Stream, Table, generator};
use noughts::session::Session;

fn rules(size: u8, connect: u16, reverse: bool) -> Rules {
    Rules::new(size, connect, reverse).expect("rules within range")
}

fn table(criterion: &mut Criterion) {
    for reverse in [false, true] {
        let rules = rules(3, 0, reverse);
        criterion.bench_function(&format!("table {rules}"), |bencher| bencher.iter(|| Table::build(black_box(rules))));
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
    let mut session = Session::new(|| {});
    let script = [position, "go"].map(|line| Line::Text(line.to_owned()));
    criterion.bench_function("session position + go", |bencher| {
        bencher.iter(|| {
            session.begin_round();
            script.iter().for_each(|line| session.receive(line.clone()));
            session.output().clear();
        });
    });
}

criterion_group!(benches, table, playouts, lines);
criterion_main!(benches);
