//! The child process of an engine: pipes that never block, and an end that leaves nothing behind.

use std::collections::VecDeque;
use std::io;
use std::ops::Range;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use crate::protocol::{Line, LineReader};
use crate::text::Excerpt;

use super::{EngineSetup, Failure, Preparation, Surroundings};

/// What is read at once, in bytes.
const READ_BYTES: usize = 64 << 10;

/// Text of lines that came while others were written, beyond which an engine floods, in bytes.
const MAX_ARRIVED: usize = 4 << 20;

/// What is kept of the standard error, in bytes.
const LAST_WORDS: usize = 1024;

/// What is read of the standard error at once, in bytes.
const ERROR_BYTES: usize = 4096;

/// What a pipe holds, in bytes.
const PIPE_BYTES: usize = 64 << 10;

/// How long a process that has closed its output may take to end by itself.
const LAST_MOMENT: Duration = Duration::from_millis(250);

/// This program, also when its file has been replaced in the meantime.
pub fn this_program() -> io::Result<PathBuf> {
    if cfg!(target_os = "linux") { Ok(PathBuf::from("/proc/self/exe")) } else { std::env::current_exe() }
}

/// A descriptor that is readable when the process has ended, where the system has such a thing.
#[cfg(target_os = "linux")]
fn watch_end(child: &Child) -> Option<OwnedFd> {
    rustix::process::pidfd_open(Pid::from_child(child), rustix::process::PidfdFlags::empty()).ok()
}

/// Elsewhere the end of its output must do.
#[cfg(not(target_os = "linux"))]
fn watch_end(_: &Child) -> Option<OwnedFd> {
    None
}

/// A child process that is spoken to in lines. It leads a process group of its own, which ends with it.
pub struct Process {
    /// The name of the engine, for the log.
    name: String,
    surroundings: Surroundings,
    child: Child,
    /// Readable when the process has ended: its output may be held open by others.
    end: Option<OwnedFd>,
    input: Option<ChildStdin>,
    output: ChildStdout,
    errors: Option<ChildStderr>,
    reader: LineReader,
    /// Bytes that have been read, and which of them are no lines yet.
    bytes: Box<[u8]>,
    unread: Range<usize>,
    arrived_bytes: usize,
    last_words: VecDeque<u8>,
    /// Whether the process has been waited for: from then on its number may be another's.
    reaped: bool,
}

/// What a wait was for.
enum Ready {
    Readable,
    Writable,
    Ended,
    TimeUp,
}

impl Process {
    pub fn spawn(setup: &EngineSetup, surroundings: &Surroundings) -> io::Result<Process> {
        let mut command = Command::new(this_program()?);
        command.arg("launch").arg(std::process::id().to_string()).arg("--").arg(&setup.program).args(&setup.arguments);
        if let Some(folder) = &setup.folder {
            command.current_dir(folder);
        }
        command.process_group(0).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        surroundings.guard.add(Pid::from_child(&child));
        let (Some(input), Some(output), Some(errors)) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(io::Error::other("a child without pipes"));
        };
        for pipe in [input.as_fd(), output.as_fd(), errors.as_fd()] {
            rustix::io::ioctl_fionbio(pipe, true)?;
        }
        Ok(Process {
            name: setup.name.clone(),
            surroundings: surroundings.clone(),
            end: watch_end(&child),
            child,
            input: Some(input),
            output,
            errors: Some(errors),
            reader: LineReader::default(),
            bytes: vec![0; READ_BYTES].into_boxed_slice(),
            unread: 0..0,
            arrived_bytes: 0,
            last_words: VecDeque::new(),
            reaped: false,
        })
    }

    /// Writes some of `bytes` and takes them away. What the engine says in the meantime goes to `arrived`, so that
    /// two ends that both write cannot wait for each other.
    pub fn write(&mut self, bytes: &mut &[u8], deadline: Instant, arrived: &mut VecDeque<Line>) -> Result<(), Failure> {
        let Some(input) = &self.input else { return Err(self.departure()) };
        match rustix::io::write(input, bytes) {
            Ok(written) => *bytes = &bytes[written..],
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => match self.wait(deadline, true)? {
                Ready::TimeUp => return Err(Failure::NotReady(Preparation::Reading)),
                Ready::Writable => {}
                Ready::Ended => return Err(self.departure()),
                Ready::Readable => {
                    self.read()?;
                    while let Some(line) = self.buffered_line() {
                        self.arrived_bytes += line.bytes();
                        arrived.push_back(line);
                    }
                    if self.arrived_bytes > MAX_ARRIVED {
                        return Err(Failure::Flood);
                    }
                }
            },
            // What it said before it ended still counts: the end is met when that has been read.
            Err(Errno::PIPE) => *bytes = &[],
            Err(error) => return Err(Failure::System(error.to_string())),
        }
        Ok(())
    }

    /// The next line, or `None` when the time is up.
    pub fn next_line(&mut self, deadline: Instant) -> Result<Option<Line>, Failure> {
        self.arrived_bytes = 0;
        loop {
            if let Some(line) = self.buffered_line() {
                return Ok(Some(line));
            }
            match self.wait(deadline, false)? {
                Ready::TimeUp => return Ok(None),
                Ready::Ended => return Err(self.departure()),
                Ready::Readable | Ready::Writable => self.read()?,
            }
        }
    }

    /// A line that the engine has said by now, if there is one; nothing is waited for.
    pub fn arrived_line(&mut self) -> Result<Option<Line>, Failure> {
        loop {
            if let Some(line) = self.buffered_line() {
                return Ok(Some(line));
            }
            self.read()?;
            if self.unread.is_empty() {
                return Ok(None);
            }
        }
    }

    /// A line out of what has been read.
    fn buffered_line(&mut self) -> Option<Line> {
        while !self.unread.is_empty() {
            let mut bytes = &self.bytes[self.unread.clone()];
            let line = self.reader.take(&mut bytes);
            self.unread.start = self.unread.end - bytes.len();
            if let Some(line) = line {
                if let Some(log) = &self.surroundings.log {
                    log.write(&self.name, '<', line.to_string().as_bytes());
                }
                return Some(line);
            }
        }
        None
    }

    fn read(&mut self) -> Result<(), Failure> {
        match rustix::io::read(&self.output, &mut self.bytes[..]) {
            Ok(0) => Err(self.departure()),
            Ok(read) => {
                self.unread = 0..read;
                Ok(())
            }
            Err(Errno::INTR | Errno::AGAIN) => Ok(()),
            Err(error) => Err(Failure::System(error.to_string())),
        }
    }

    /// Waits until there is something to read, or room to write if that is wanted. Standard error is read on the way,
    /// for an engine that finds nobody to read it would stand still.
    fn wait(&mut self, deadline: Instant, writes: bool) -> Result<Ready, Failure> {
        loop {
            let patience = deadline.saturating_duration_since(Instant::now());
            if patience.is_zero() {
                return Ok(Ready::TimeUp);
            }
            let timeout = Timespec { tv_sec: patience.as_secs() as i64, tv_nsec: patience.subsec_nanos().into() };
            let output = self.output.as_fd();
            // Where there is nothing to watch, the output is watched once more, for nothing.
            let (errors, complaint) = match &self.errors {
                Some(errors) => (errors.as_fd(), PollFlags::IN),
                None => (output, PollFlags::empty()),
            };
            let (input, room) = match &self.input {
                Some(input) if writes => (input.as_fd(), PollFlags::OUT),
                _ => (output, PollFlags::empty()),
            };
            let (end, ending) = match &self.end {
                Some(end) => (end.as_fd(), PollFlags::IN),
                None => (output, PollFlags::empty()),
            };
            let mut watched = [
                PollFd::from_borrowed_fd(self.surroundings.interrupt.bell(), PollFlags::IN),
                PollFd::from_borrowed_fd(output, PollFlags::IN),
                PollFd::from_borrowed_fd(errors, complaint),
                PollFd::from_borrowed_fd(input, room),
                PollFd::from_borrowed_fd(end, ending),
            ];
            match poll(&mut watched, Some(&timeout)) {
                Ok(_) | Err(Errno::INTR) => {}
                Err(error) => return Err(Failure::System(error.to_string())),
            }
            let [rung, readable, complains, writable, ended] = watched.map(|watched| !watched.revents().is_empty());
            if rung {
                return Err(Failure::Interrupted);
            }
            if complains {
                self.read_errors();
            }
            if readable {
                return Ok(Ready::Readable);
            }
            // What it said before it ended has been read by now.
            if ended {
                return Ok(Ready::Ended);
            }
            if writes && writable {
                return Ok(Ready::Writable);
            }
        }
    }

    /// Reads some of the standard error, and keeps its end.
    fn read_errors(&mut self) {
        let Some(errors) = &self.errors else { return };
        let mut bytes = [0; ERROR_BYTES];
        match rustix::io::read(errors, &mut bytes) {
            Ok(0) => self.errors = None,
            Ok(read) => {
                if let Some(log) = &self.surroundings.log {
                    log.write(&self.name, '!', &bytes[..read]);
                }
                self.last_words.extend(&bytes[..read]);
                self.last_words.drain(..self.last_words.len().saturating_sub(LAST_WORDS));
            }
            Err(Errno::INTR | Errno::AGAIN) => {}
            Err(_) => self.errors = None,
        }
    }

    /// What became of an engine whose output has ended.
    fn departure(&mut self) -> Failure {
        let patience = Instant::now() + LAST_MOMENT;
        let ended = loop {
            let ended = self.has_ended();
            if ended || Instant::now() > patience {
                break ended;
            }
            thread::sleep(Duration::from_millis(1));
        };
        let exit = self.kill().filter(|_| ended);
        // No more than a pipe holds: somebody outside of the group may still write.
        for _ in 0..PIPE_BYTES / ERROR_BYTES {
            self.read_errors();
        }
        let words = self.last_words.make_contiguous();
        let last_line = words.trim_ascii().rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
        let last_words = Some(last_line.trim_ascii()).filter(|line| !line.is_empty()).map(Excerpt::of_bytes);
        Failure::Gone { exit, last_words }
    }

    /// Whether the process has ended; it still has to be waited for.
    fn has_ended(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        !matches!(waitid(WaitId::Pid(self.pid()), options), Ok(None))
    }

    fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    /// Ends the input: a well-behaved engine takes that for `quit`.
    pub fn close(&mut self) {
        self.input = None;
    }

    /// Waits for the process to end by itself, then ends it.
    pub fn end(self, deadline: Instant) {
        let mut pause = Duration::from_micros(50);
        while !self.has_ended() && Instant::now() < deadline {
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(20));
        }
    }

    /// Ends the process and its group for good, and returns how it ended.
    fn kill(&mut self) -> Option<ExitStatus> {
        if !self.reaped {
            // A group without a process any more is as good as ended; a process may have left it.
            let _ = kill_process_group(self.pid(), Signal::KILL);
            let _ = self.child.kill();
        }
        let exit = self.child.wait().ok();
        if !self.reaped {
            self.surroundings.guard.remove(self.pid());
            self.reaped = true;
        }
        exit
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}
