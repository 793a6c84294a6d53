//! The tables of perfect play, and single answers: inside this process, and through pipes, as a client has them.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::protocol::InputLine;
use crate::session::{Conversation, SearchThread, Session};
use crate::system::pinning;
use noughts_core::search::ValueTable;

use super::measure::{RUNS, median, median_of, microseconds, row, rules};

/// Measures how long the tables of perfect play on 3x3 take to build.
pub fn tables(out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\nperfect play, in this process")?;
    for (name, reverse) in [("3x3 table, all 5,478 positions", false), ("3x3 table, reverse rules", true)] {
        let rules = rules(3, 0, reverse);
        row(out, name, &microseconds(median(20, || drop(ValueTable::build(rules)))), "")?;
    }
    Ok(())
}

/// Measures single answers.
pub fn run(out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\none answer, in this process")?;
    row(out, "go, perfect, 3x3", &microseconds(session_time("setoption player perfect", "go")), "")?;
    let thousand = session_time("setoption player montecarlo", "go trials 1000");
    row(out, "go trials 1000, montecarlo, 3x3", &microseconds(thousand), "")
}

/// The time from a line to its answer in a session in memory.
fn session_time(setup: &str, line: &str) -> Duration {
    let mut conversation = Conversation::new(Session::default(), SearchThread::new(|| {}));
    conversation.receive(InputLine::Text(setup.to_owned()), Instant::now());
    let line = InputLine::Text(line.to_owned());
    median(200, || {
        let now = Instant::now();
        conversation.begin_round(now);
        conversation.receive(line.clone(), now);
        conversation.proceed(Instant::now);
        conversation.output().clear();
    })
}

/// Measures the program at the other end of two pipes, and beside it `cat` as the fastest possible partner: the bare ping-pong.
pub fn through_pipes(out: &mut (dyn Write + Send)) -> io::Result<()> {
    // A thread of its own, because it stays on one core and no other thread should.
    thread::scope(|scope| match scope.spawn(|| run_on_one_core(out)).join() {
        Ok(measured) => measured,
        Err(panic) => std::panic::resume_unwind(panic),
    })
}

fn run_on_one_core(out: &mut dyn Write) -> io::Result<()> {
    let noughts = std::env::current_exe()?;
    let pinned = pinning::cores().first().is_some_and(|&core| pinning::stay_on(core));
    let cores = if pinned { "both ends on one core" } else { "cores as the system likes" };
    writeln!(out, "\nthrough pipes, {cores} {:>30}", "to a bare ping-pong")?;

    let mut cat = Partner::start(Command::new("cat"))?;
    let bare = exchange(&mut cat, 500, "ping\n", "ping", 1)?;
    row(out, "ping-pong with cat", &microseconds(bare), "1.0")?;
    let ratio = |time: Duration| format!("{:.1}", time.as_secs_f64() / bare.as_secs_f64());

    let start = start_time(&noughts)?;
    row(out, "start to first readyok", &format!("{:.2} ms", start.as_secs_f64() * 1e3), "")?;
    let mut engine = Partner::start(Command::new(&noughts))?;
    let ready = exchange(&mut engine, 500, "isready\n", "readyok", 1)?;
    row(out, "isready", &microseconds(ready), &ratio(ready))?;
    let position = "position startpos moves 1,1 0,0 2,2\n";
    let perfect = exchange(&mut engine, 500, &format!("{position}go\n"), "bestmove", 1)?;
    row(out, "position + go, perfect, 3x3", &microseconds(perfect), &ratio(perfect))?;
    let batch = 200;
    let many = exchange(&mut engine, 5, &format!("{position}go\n").repeat(batch), "bestmove", batch)? / batch as u32;
    row(out, "the same, 200 in one write", &microseconds(many), &ratio(many))?;
    engine.send("setoption player montecarlo\n")?;
    let thousand = exchange(&mut engine, 500, &format!("{position}go trials 1000\n"), "bestmove", 1)?;
    row(out, "position + go trials 1000", &microseconds(thousand), &ratio(thousand))
}

/// A child process that reads and writes lines.
struct Partner {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    line: String,
}

impl Partner {
    fn start(mut command: Command) -> io::Result<Partner> {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("a child without pipes"));
        };
        Ok(Partner { child, input, output: BufReader::new(output), line: String::new() })
    }

    fn send(&mut self, text: &str) -> io::Result<()> {
        self.input.write_all(text.as_bytes())
    }

    /// Reads up to and including the line that begins with `start`.
    fn read_until(&mut self, start: &str) -> io::Result<()> {
        loop {
            self.line.clear();
            if self.output.read_line(&mut self.line)? == 0 {
                return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the other end has gone"));
            }
            if self.line.starts_with(start) {
                return Ok(());
            }
        }
    }
}

impl Drop for Partner {
    fn drop(&mut self) {
        // It does not matter how the process ends.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The median time from a write of questions to the last of so many answers, which begin with `answer`.
fn exchange(partner: &mut Partner, calls: u32, questions: &str, answer: &str, answers: usize) -> io::Result<Duration> {
    let mut result = Ok(());
    let time = median(calls, || {
        if result.is_ok() {
            result = partner.send(questions).and_then(|()| (0..answers).try_for_each(|_| partner.read_until(answer)));
        }
    });
    result.map(|()| time)
}

fn start_time(program: &std::path::Path) -> io::Result<Duration> {
    let mut times = Vec::new();
    for _ in 0..RUNS {
        let start = Instant::now();
        let mut partner = Partner::start(Command::new(program))?;
        partner.send("isready\n")?;
        partner.read_until("readyok")?;
        times.push(start.elapsed());
    }
    Ok(median_of(times))
}
