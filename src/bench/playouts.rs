//! The speed of playouts, scores included, by each method.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use noughts_core::game::{Position, Rules};
use noughts_core::search::{Control, PlayoutMethod, Playouts, Stream, VectorWidth, generator};

use super::measure::{median_of, row, rules};

/// The number of measurements of each method. The median counts. Methods that are compared are measured in turn.
const RUNS: usize = 7;

/// The least time of a run. A shorter run is repeated with more playouts.
const LEAST: Duration = Duration::from_millis(15);

/// Size and number in a row; 0 for lines as long as the board.
const BOARDS: [(u8, u16); 12] =
    [(3, 0), (4, 0), (5, 0), (5, 4), (6, 4), (8, 5), (8, 0), (10, 5), (15, 5), (15, 0), (20, 5), (20, 0)];

/// The methods: the name, whether it plays one game at a time, and the width of its words.
const METHODS: [(&str, bool, VectorWidth); 4] = [
    ("scalar", true, VectorWidth::Portable),
    ("portable", false, VectorWidth::Portable),
    ("AVX2", false, VectorWidth::Avx2),
    ("AVX-512", false, VectorWidth::Avx512),
];

/// Measures all boards and writes the tables.
pub fn run(out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\nMonte Carlo, million playouts a second on one core, scores included")?;
    let names = METHODS.map(|(name, ..)| format!("{name:>11}")).concat();
    writeln!(out, "  {:<36}{names}", "")?;
    for (size, connect) in BOARDS {
        let rules = rules(size, connect, false);
        let figures = speeds(rules).map(|speed| speed.map_or(format!("{:>11}", "-"), |speed| format!("{speed:>11.2}")));
        writeln!(out, "  {:<36}{}", rules.to_string(), figures.concat())?;
    }
    writeln!(out, "\nMonte Carlo on two threads")?;
    for (size, connect) in [(3, 0), (8, 5), (15, 5)] {
        let rules = rules(size, connect, false);
        let ratio = median_of((0..RUNS).map(|_| on_threads(rules, 2) / on_threads(rules, 1)).collect());
        row(out, &rules.to_string(), &format!("{ratio:.2} times"), "")?;
    }
    Ok(())
}

/// Millions of playouts a second for each of [`METHODS`] that this processor has.
fn speeds(rules: Rules) -> [Option<f64>; METHODS.len()] {
    let start = Position::start(rules);
    let playouts = |scalar: bool, width: VectorWidth| {
        let mut playouts = Playouts::fastest(&start, &Control::unlimited(), 1);
        playouts.width = width;
        if scalar {
            playouts.method = PlayoutMethod::Scalar;
        }
        playouts
    };
    let mut measured = METHODS.map(|(_, scalar, width)| {
        width.is_available().then(|| {
            let playouts = playouts(scalar, width);
            let count = enough(&playouts, &start);
            (playouts, count, Vec::new())
        })
    });
    for run in 0..RUNS as u64 {
        for (playouts, count, figures) in measured.iter_mut().flatten() {
            figures.push(*count as f64 / time(playouts, &start, *count, run).as_secs_f64() / 1e6);
        }
    }
    measured.map(|method| method.map(|(_, _, figures)| median_of(figures)))
}

/// A number of playouts that takes at least [`LEAST`].
fn enough(playouts: &Playouts, start: &Position) -> u64 {
    let mut count = 1024;
    while time(playouts, start, count, 0) < LEAST {
        count *= 2;
    }
    count
}

fn time(playouts: &Playouts, start: &Position, count: u64, run: u64) -> Duration {
    let (control, mut generator) = (Control::playouts_only(count), generator(1, Stream::Go(run)));
    let begin = Instant::now();
    let _ = playouts.play(start, &mut generator, &control, &mut |_| {});
    begin.elapsed()
}

/// Playouts a second on this number of threads. The run is long enough to keep all threads busy for a while.
fn on_threads(rules: Rules, threads: usize) -> f64 {
    let start = Position::start(rules);
    let playouts = Playouts::fastest(&start, &Control::unlimited(), threads);
    let count = 8 * enough(&playouts, &start);
    count as f64 / time(&playouts, &start, count, 1).as_secs_f64()
}
