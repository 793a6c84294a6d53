//! Medians, and the lines of the tables, for all measurements.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use noughts_core::game::Rules;

/// The number of measurements of each thing. The median is shown.
pub const RUNS: usize = 15;

/// Rules that are known to be within range.
pub fn rules(size: u8, connect: u16, reverse: bool) -> Rules {
    Rules::new(size, connect, reverse).expect("the rules of the benchmark are within range")
}

/// Writes a line of a table.
pub fn row(out: &mut dyn Write, name: &str, figure: &str, ratio: &str) -> io::Result<()> {
    writeln!(out, "{}", format!("  {name:<36}{figure:>18}{ratio:>18}").trim_end())
}

/// A time in microseconds.
pub fn microseconds(time: Duration) -> String {
    format!("{:.2} us", time.as_secs_f64() * 1e6)
}

/// The median time of one call, over [`RUNS`] runs of `calls` calls each, after one run to warm up.
pub fn median(calls: u32, mut call: impl FnMut()) -> Duration {
    let times = (0..=RUNS)
        .map(|_| {
            let start = Instant::now();
            (0..calls).for_each(|_| call());
            start.elapsed() / calls
        })
        .skip(1);
    median_of(times.collect())
}

/// The median of some figures, none of which is NaN.
pub fn median_of<T: PartialOrd + Copy>(mut figures: Vec<T>) -> T {
    figures.sort_unstable_by(|a, b| a.partial_cmp(b).expect("figures are no NaN"));
    figures[figures.len() / 2]
}
