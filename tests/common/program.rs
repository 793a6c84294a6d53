//! The program itself, at the other end of pipes.

#![allow(dead_code)]

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Output, Stdio};
use std::sync::LazyLock;
use std::sync::mpsc::{Receiver, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The noughts program with pipes to it. Killed when dropped.
pub struct Program {
    pub child: Child,
    pub input: Option<ChildStdin>,
    lines: Receiver<String>,
}

/// Far longer than any answer takes, even on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// The program under test: that of this build, or another that does the same, such as the one for Windows behind a script.
pub static NOUGHTS: LazyLock<String> =
    LazyLock::new(|| std::env::var("NOUGHTS_UNDER_TEST").unwrap_or_else(|_| env!("CARGO_BIN_EXE_noughts").to_owned()));

/// The memory of the runner of the program under test, in KiB: the memory of Wine, for one.
fn memory_of_its_runner() -> u64 {
    std::env::var("NOUGHTS_UNDER_TEST_KIB").ok().and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// The program's words to people, as on Unix: it has another name on Windows.
pub fn in_words_of_unix(said: &str) -> String {
    said.replace("noughts.exe' match", "noughts match")
}

/// Engines of Unix end a moment after the program of Windows that stands for them.
pub fn let_engines_end() {
    if std::env::var_os("NOUGHTS_UNDER_TEST").is_some() {
        thread::sleep(Duration::from_secs(1));
    }
}

pub fn command() -> Command {
    Command::new(&*NOUGHTS)
}

/// Has programs that are started from now on take Ctrl-C. Where the tests run in the background of a script they have inherited
/// that it is ignored, and so would those programs. But a signal that is caught gets its default back in them. Here it ends the
/// tests, which is the default too.
#[cfg(unix)]
pub fn let_programs_take_ctrl_c() {
    use signal_hook::consts::SIGINT;
    let always = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
    signal_hook::flag::register_conditional_shutdown(SIGINT, 128 + SIGINT, always).expect("it can be caught");
}

/// Longer than any program runs that a test waits for, even on a busy machine.
pub const DEADLINE: Duration = Duration::from_secs(300);

/// Waits for the end of a process and takes what it says. A process that does not end is killed, and the test fails.
pub trait RunToEnd {
    fn run_to_end(self) -> Output;
}

impl RunToEnd for Child {
    fn run_to_end(mut self) -> Output {
        drop(self.stdin.take());
        let (output, errors) = (self.stdout.take().map(bytes_of), self.stderr.take().map(bytes_of));
        let start = Instant::now();
        let status = loop {
            if let Some(status) = self.try_wait().expect("the child can be waited for") {
                break status;
            }
            if start.elapsed() > DEADLINE {
                let _ = self.kill();
                panic!("the program does not end");
            }
            thread::sleep(Duration::from_millis(2));
        };
        let said = |reader: Option<JoinHandle<Vec<u8>>>| reader.map(join_in_time).unwrap_or_default();
        Output { status, stdout: said(output), stderr: said(errors) }
    }
}

impl RunToEnd for &mut Command {
    /// Without input, as [`Command::output`].
    fn run_to_end(self) -> Output {
        self.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        self.spawn().expect("the program starts").run_to_end()
    }
}

/// Reads to the end, in a thread.
pub fn bytes_of(mut from: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        from.read_to_end(&mut bytes).expect("a pipe can be read");
        bytes
    })
}

/// The result of a thread, which must end in time.
pub fn join_in_time<T>(thread: JoinHandle<T>) -> T {
    let start = Instant::now();
    while !thread.is_finished() {
        assert!(start.elapsed() < DEADLINE, "a thread does not end");
        thread::sleep(Duration::from_millis(1));
    }
    thread.join().expect("no panic")
}

/// The first line of an output, which must come in time.
pub fn first_line(output: impl Read + Send + 'static) -> String {
    let (sender, line) = channel();
    thread::spawn(move || {
        let mut line = String::new();
        // The receiver may have given up.
        let _ = sender.send(BufReader::new(output).read_line(&mut line).map(|_| line));
    });
    line.recv_timeout(PATIENCE).expect("a line in time").expect("a line of text")
}

impl Program {
    pub fn start() -> Program {
        let mut program = Program::start_unread();
        program.read();
        program
    }

    /// Starts without reading its output, until [`Program::read`] is called.
    pub fn start_unread() -> Program {
        Program::spawn(&mut command())
    }

    /// Starts the program with arguments; see [`command`].
    pub fn spawn(command: &mut Command) -> Program {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let input = child.stdin.take();
        Program { child, input, lines: channel().1 }
    }

    /// Begins to read the output.
    pub fn read(&mut self) {
        let (sender, lines) = channel();
        let mut output = BufReader::new(self.child.stdout.take().expect("not yet read"));
        thread::spawn(move || {
            let mut line = Vec::new();
            while output.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
                let text = String::from_utf8(std::mem::take(&mut line)).expect("output is text");
                if sender.send(text.trim_end_matches('\n').to_owned()).is_err() {
                    return;
                }
            }
        });
        self.lines = lines;
    }

    pub fn send(&mut self, text: impl AsRef<[u8]>) -> &mut Program {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(text.as_ref()).and_then(|()| input.flush()).expect("the program takes its input");
        self
    }

    /// Ends the input.
    pub fn close(&mut self) -> &mut Program {
        self.input = None;
        self
    }

    /// The next line of output.
    pub fn line(&mut self) -> String {
        self.line_within(PATIENCE).expect("a line of output")
    }

    pub fn line_within(&mut self, patience: Duration) -> Option<String> {
        self.lines.recv_timeout(patience).ok()
    }

    /// Lines up to and including the first that begins like this.
    pub fn until(&mut self, start: &str) -> Vec<String> {
        let (mut lines, begin) = (Vec::new(), Instant::now());
        loop {
            assert!(begin.elapsed() < DEADLINE, "{start} does not come, but {} other lines", lines.len());
            let line = self.line_within(PATIENCE);
            lines.push(line.unwrap_or_else(|| panic!("{start} did not come: {lines:?}")));
            if lines.last().is_some_and(|line| line.starts_with(start)) {
                return lines;
            }
        }
    }

    /// Everything that is still said until the output ends.
    pub fn rest(&mut self) -> Vec<String> {
        let begin = Instant::now();
        let next = || {
            assert!(begin.elapsed() < DEADLINE, "the output does not end");
            self.line_within(PATIENCE)
        };
        std::iter::from_fn(next).collect()
    }

    /// Waits for the end of the process.
    pub fn exit(&mut self) -> (ExitStatus, Duration) {
        self.exit_within(PATIENCE)
    }

    pub fn exit_within(&mut self, patience: Duration) -> (ExitStatus, Duration) {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("the child can be waited for") {
                return (status, start.elapsed());
            }
            assert!(start.elapsed() < patience, "the program does not end");
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Answers `isready` soon, so it lives.
    pub fn assert_alive(&mut self) {
        self.send("isready\n").until("readyok");
    }

    pub fn stderr(&mut self) -> String {
        String::from_utf8(join_in_time(bytes_of(self.child.stderr.take().expect("not yet read")))).expect("text")
    }

    /// The memory that the process has, in KiB.
    #[cfg(target_os = "linux")]
    pub fn memory(&self) -> u64 {
        memory_of(self.child.id(), "VmRSS")
    }

    /// The most memory that the process ever had, in KiB, with that of its runner.
    #[cfg(target_os = "linux")]
    pub fn peak(&self) -> u64 {
        memory_of(self.child.id(), "VmHWM")
    }

    /// Its peak of memory without that of its runner, to hold it against a mark.
    #[cfg(target_os = "linux")]
    pub fn own_peak(&self) -> u64 {
        own_peak_of(self.child.id())
    }
}

/// The most memory that a process ever had, in KiB, without that of its runner.
pub fn own_peak_of(process: u32) -> u64 {
    memory_of(process, "VmHWM").saturating_sub(memory_of_its_runner())
}

/// A number of kibibytes from the status of a process: `VmHWM` is the most memory it ever had, `VmRSS` what it has.
fn memory_of(process: u32, key: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with(key)).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).unwrap_or(0)
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
