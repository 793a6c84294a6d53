//! How long an answer takes against its time limit on a busy machine.
//!
//! A thread spins on every core. For comparison, the table shows how long the system lets a thread sleep that only asks
//! to sleep for the limit.

use std::io::{self, Write};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::pipes::Partner;

/// Limits in milliseconds, each with its number of answers.
const LIMITS: [(u64, u32); 4] = [(5, 1000), (20, 1000), (50, 100), (200, 25)];

/// Players that use all of their time on the board below.
const PLAYERS: [&str; 3] = ["auto", "mcts", "montecarlo"];

/// The board: its size, and the number in a row.
const BOARD: (u64, u64) = (15, 5);

/// Measures answers of all players at every limit: `answers` of each, or the usual numbers.
pub fn run(answers: Option<u32>, out: &mut (dyn Write + Send)) -> io::Result<()> {
    let cores = thread::available_parallelism().map_or(1, |cores| cores.get());
    let (size, connect) = BOARD;
    writeln!(
        out,
        "\nanswers against the limit, {size}x{size} connect {connect}, {cores} spinning threads on {cores} cores"
    )?;
    row(out, "", ["answers", "p50", "p99", "worst", "too late"].map(str::to_owned))?;
    let over = AtomicBool::new(false);
    // The threads belong to this process: when it ends for any reason, they end.
    thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let measured = LIMITS
            .into_iter()
            .try_for_each(|(limit, usual)| measure(Duration::from_millis(limit), answers.unwrap_or(usual), out));
        over.store(true, Ordering::Relaxed);
        measured
    })
}

/// Measures every player at one limit, and a sleeping thread at the same time.
fn measure(limit: Duration, answers: u32, out: &mut dyn Write) -> io::Result<()> {
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        let sleeper = scope.spawn(|| {
            let mut times = Vec::new();
            while times.is_empty() || !over.load(Ordering::Relaxed) {
                let start = Instant::now();
                thread::sleep(limit);
                times.push(start.elapsed());
            }
            times
        });
        let measured = PLAYERS.into_iter().try_for_each(|player| {
            let times = times_of(player, limit, answers)?;
            let late = times.iter().filter(|&&time| time > limit).count();
            show(out, &format!("movetime {}, {player}", limit.as_millis()), times, &late.to_string())
        });
        over.store(true, Ordering::Relaxed);
        let times = sleeper.join().map_err(|_| io::Error::other("the sleeping thread has failed"))?;
        measured?;
        show(out, &format!("a sleep of {} ms", limit.as_millis()), times, "")
    })
}

/// The times from each `go` to its `bestmove`.
fn times_of(player: &str, limit: Duration, answers: u32) -> io::Result<Vec<Duration>> {
    let mut engine = Partner::start(Command::new(std::env::current_exe()?))?;
    let (size, connect) = BOARD;
    engine.send(&format!(
        "setoption size {size}\nsetoption connect {connect}\nsetoption player {player}\nsetoption seed 1\n"
    ))?;
    let question = format!("go movetime {}\n", limit.as_millis());
    (0..u64::from(answers))
        .map(|number| {
            // Each question has another opening of two stones that threaten nothing.
            let first = (number % size, number / size % size);
            let second = ((first.0 + size / 2) % size, (first.1 + size / 3) % size);
            engine.send(&format!(
                "newgame\nposition startpos moves {},{} {},{}\nisready\n",
                first.0, first.1, second.0, second.1
            ))?;
            engine.read_until("readyok")?;
            let start = Instant::now();
            engine.send(&question)?;
            engine.read_until("bestmove")?;
            Ok(start.elapsed())
        })
        .collect()
}

fn show(out: &mut dyn Write, name: &str, mut times: Vec<Duration>, late: &str) -> io::Result<()> {
    times.sort_unstable();
    let milliseconds = |place: usize| format!("{:.2} ms", times[place].as_secs_f64() * 1e3);
    let last = times.len() - 1;
    let p99 = (times.len() * 99).div_ceil(100) - 1;
    let cells =
        [times.len().to_string(), milliseconds(last / 2), milliseconds(p99), milliseconds(last), late.to_owned()];
    row(out, name, cells)
}

/// A line of the table.
fn row(out: &mut dyn Write, name: &str, [answers, p50, p99, worst, late]: [String; 5]) -> io::Result<()> {
    writeln!(out, "{}", format!("  {name:<28}{answers:>10}{p50:>13}{p99:>13}{worst:>13}{late:>11}").trim_end())
}
