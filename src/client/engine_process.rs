//! The child process of an engine as its connection: pipes that never block, and an end that leaves nothing behind.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::ops::Range;
use std::thread;
use std::time::{Duration, Instant};

use crate::protocol::{InputLine, LineReader};
use crate::system::process::{become_program, end_with_parent, was_ended_by_others};
use crate::system::{LaunchError, PipedChild};
use crate::text::Excerpt;

use super::{Connection, EngineSetup, Failure, RunContext};

/// The most that is read at once, in bytes.
const READ_BYTES: usize = 64 << 10;

/// The most text that is kept while the client writes, in bytes. An engine that sends more floods.
const MAX_ARRIVED: usize = 4 << 20;

/// The length of the end of the standard error that is kept, in bytes.
const LAST_WORDS: usize = 1024;

/// The most that is read of the standard error at once, in bytes.
const ERROR_BYTES: usize = 4096;

/// The capacity of a pipe, in bytes.
const PIPE_BYTES: usize = 64 << 10;

/// The time that a process which has closed its output may take to end by itself.
const LAST_MOMENT: Duration = Duration::from_millis(250);

/// The time after which the run does not end any more for the reason for which its engine was ended.
const COMMON_END: Duration = Duration::from_millis(500);

/// A child process that reads and writes lines. It leads a process group of its own, which ends with it.
pub struct EngineProcess {
    /// The name of the engine, for the log.
    name: String,
    context: RunContext,
    child: PipedChild,
    reader: LineReader,
    /// Bytes that have been read, and the range of those that are not cut into lines yet.
    bytes: Box<[u8]>,
    unread: Range<usize>,
    arrived_bytes: usize,
    last_words: VecDeque<u8>,
}

/// The event that ends a wait.
enum Ready {
    Readable,
    Writable,
    Ended,
    TimeUp,
}

impl EngineProcess {
    pub fn spawn(setup: &EngineSetup, context: &RunContext) -> io::Result<EngineProcess> {
        let folder = setup.folder.as_deref();
        let child = PipedChild::spawn(&setup.program, &setup.arguments, folder, &context.orphan_killer)?;
        Ok(EngineProcess {
            name: setup.name.clone(),
            context: context.clone(),
            child,
            reader: LineReader::default(),
            bytes: vec![0; READ_BYTES].into_boxed_slice(),
            unread: 0..0,
            arrived_bytes: 0,
            last_words: VecDeque::new(),
        })
    }

    /// The next line of what has been read.
    fn buffered_line(&mut self) -> Option<InputLine> {
        while !self.unread.is_empty() {
            let mut bytes = &self.bytes[self.unread.clone()];
            let line = self.reader.take(&mut bytes);
            self.unread.start = self.unread.end - bytes.len();
            if let Some(line) = line {
                if let Some(log) = &self.context.log {
                    log.write(&self.name, '<', line.to_string().as_bytes());
                }
                return Some(line);
            }
        }
        None
    }

    fn read(&mut self) -> Result<(), Failure> {
        match self.child.read(&mut self.bytes) {
            Ok(0) => Err(self.departure()),
            Ok(read) => {
                self.unread = 0..read;
                Ok(())
            }
            Err(error) if is_temporary(&error) => Ok(()),
            Err(error) => Err(Failure::System(error.to_string())),
        }
    }

    /// Waits until there is something to read, or room to write if `writes` is true. It also reads the standard error:
    /// an engine that fills that pipe would stand still.
    fn wait(&mut self, deadline: Instant, writes: bool) -> Result<Ready, Failure> {
        loop {
            let patience = deadline.saturating_duration_since(Instant::now());
            if patience.is_zero() {
                return Ok(Ready::TimeUp);
            }
            let events = self.child.wait(&self.context.interrupt, writes, patience);
            let events = events.map_err(|error| Failure::System(error.to_string()))?;
            if events.interrupted {
                return Err(Failure::Interrupted);
            }
            if events.complains {
                self.read_errors();
            }
            if events.readable {
                return Ok(Ready::Readable);
            }
            // What the engine sent before it ended has been read by now.
            if events.ended {
                return Ok(Ready::Ended);
            }
            if events.writable {
                return Ok(Ready::Writable);
            }
        }
    }

    /// Reads some of the standard error, and keeps its end.
    fn read_errors(&mut self) {
        let mut bytes = [0; ERROR_BYTES];
        if let Ok(read @ 1..) = self.child.read_errors(&mut bytes) {
            if let Some(log) = &self.context.log {
                log.write(&self.name, '!', &bytes[..read]);
            }
            self.last_words.extend(&bytes[..read]);
            self.last_words.drain(..self.last_words.len().saturating_sub(LAST_WORDS));
        }
    }

    /// The failure of an engine whose output has ended.
    ///
    /// A machine that shuts down and a cluster that ends a job end all processes, an engine perhaps shortly before the run.
    /// Then the engine has not failed.
    fn departure(&mut self) -> Failure {
        let ended = wait_until(Instant::now() + LAST_MOMENT, || self.child.has_ended());
        let exit = self.child.kill().filter(|_| ended);
        let run_ends = || wait_until(Instant::now() + COMMON_END, || self.context.interrupt.is_set());
        if exit.is_some_and(was_ended_by_others) && run_ends() {
            return Failure::Interrupted;
        }
        // No more than a pipe holds: a process outside of the group may still write.
        for _ in 0..PIPE_BYTES / ERROR_BYTES {
            self.read_errors();
        }
        let words = self.last_words.make_contiguous();
        let last_line = words.trim_ascii().rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
        let last_words = Some(last_line.trim_ascii()).filter(|line| !line.is_empty()).map(Excerpt::of_end);
        Failure::Gone { exit, last_words }
    }
}

impl Connection for EngineProcess {
    fn write(
        &mut self,
        bytes: &mut &[u8],
        deadline: Instant,
        arrived: &mut VecDeque<InputLine>,
    ) -> Result<(), Failure> {
        if !self.child.has_input() {
            return Err(self.departure());
        }
        let error = match self.child.write(bytes) {
            Ok(written) => {
                *bytes = &bytes[written..];
                return Ok(());
            }
            Err(error) => error,
        };
        match error.kind() {
            ErrorKind::Interrupted => {}
            ErrorKind::WouldBlock => match self.wait(deadline, true)? {
                Ready::TimeUp => return Err(Failure::NOT_READING),
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
            // What the engine sent before it ended still counts. The end shows when that has been read.
            ErrorKind::BrokenPipe => *bytes = &[],
            _ => return Err(Failure::System(error.to_string())),
        }
        Ok(())
    }

    fn next_line(&mut self, deadline: Instant) -> Result<Option<InputLine>, Failure> {
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

    fn arrived_line(&mut self) -> Result<Option<InputLine>, Failure> {
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

    fn close(&mut self) {
        self.child.close_input();
    }

    fn end(mut self: Box<Self>, deadline: Instant) {
        wait_until(deadline, || self.child.has_ended());
    }
}

/// Waits until a condition holds, or the deadline has come. True if it holds.
fn wait_until(deadline: Instant, mut holds: impl FnMut() -> bool) -> bool {
    let mut pause = Duration::from_micros(50);
    while !holds() {
        if Instant::now() >= deadline {
            return false;
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
    true
}

/// True if a read can be tried again: nothing has come yet, or a signal came.
fn is_temporary(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock)
}

/// Turns this process into the program, bound to end when its parent does, however that happens.
///
/// The child itself must make the binding, between its start and the program's. A process of its own does that here and
/// then becomes the program. So no code runs between fork and exec.
///
/// The orphan killer alone is not enough: of 1,000 matches that were killed within 30 ms of their start, 14 left an engine
/// that it did not know yet. With this, none did.
///
/// # Errors
/// This returns only when it fails.
pub fn launch(parent: u32, program: OsString, arguments: Vec<OsString>) -> Result<Infallible, LaunchError> {
    end_with_parent(parent)?;
    let error = become_program(&program, arguments);
    Err(LaunchError::Run(program, error))
}
