//! A child process with pipes that never block, and one wait for all that can happen to it.

use std::io::{self, ErrorKind};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use command_group::{CommandGroup, GroupChild};

use super::pipe_threads::{ReadAhead, Shared, Wake, WriteBehind, read_ahead, write_behind};
use super::{Interrupt, OrphanKiller};
use crate::system::ChildEvents;

/// `CREATE_NEW_PROCESS_GROUP`: Ctrl-C of the console does not reach the child.
const NEW_PROCESS_GROUP: u32 = 0x200;

/// The most bytes that wait for the writing thread: as much as a pipe of other systems holds.
const PIPE_BYTES: usize = 64 << 10;

/// The interval at which a wait looks whether the child has ended, if nothing else happens.
const LOOK: Duration = Duration::from_millis(100);

/// The time that the last bytes of a child that was ended may take to be read ahead.
const LAST_BYTES: Duration = Duration::from_millis(200);

/// The state that the threads share.
#[derive(Default)]
struct State {
    input: WriteBehind,
    output: ReadAhead,
    errors: ReadAhead,
}

/// A child process in a job object of its own. All processes of the job end with this value, and with this process.
pub struct PipedChild {
    shared: Arc<Shared<State>>,
    child: GroupChild,
    has_input: bool,
    /// True if the standard error has not been read to its end.
    has_errors: bool,
    /// The interrupt that ends the waits.
    interrupt: Option<u64>,
}

impl PipedChild {
    /// Starts a program, in `folder` if there is one. It is suspended until it belongs to its job.
    ///
    /// # Errors
    /// When there is no such program, or the system has no process, pipe or thread left.
    pub fn spawn(
        program: &Path,
        arguments: &[String],
        folder: Option<&Path>,
        _: &Arc<OrphanKiller>,
    ) -> io::Result<PipedChild> {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(folder) = folder {
            command.current_dir(folder);
        }
        let mut child = command.group().kill_on_drop(true).creation_flags(NEW_PROCESS_GROUP).spawn()?;
        let shared = Arc::new(Shared::<State>::default());
        let pipes = child.inner();
        let (Some(input), Some(output), Some(errors)) = (pipes.stdin.take(), pipes.stdout.take(), pipes.stderr.take())
        else {
            return Err(io::Error::other("a child without pipes"));
        };
        write_behind(&shared, input, |state| &mut state.input)?;
        read_ahead(&shared, output, |state| &mut state.output)?;
        read_ahead(&shared, errors, |state| &mut state.errors)?;
        Ok(PipedChild { shared, child, has_input: true, has_errors: true, interrupt: None })
    }

    /// True if the child's input is open.
    pub fn has_input(&self) -> bool {
        self.has_input
    }

    /// Hands some of these bytes over to be written to the child's input.
    ///
    /// # Errors
    /// [`ErrorKind::WouldBlock`] when there is no room, [`ErrorKind::BrokenPipe`] when the child has closed its input or
    /// [`PipedChild::close_input`] was called.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.has_input {
            return Err(ErrorKind::BrokenPipe.into());
        }
        self.shared.change(|state| {
            if let Some(error) = state.input.failure() {
                return Err(error.kind().into());
            }
            let room = PIPE_BYTES.saturating_sub(state.input.unwritten()).min(bytes.len());
            if room == 0 {
                return Err(ErrorKind::WouldBlock.into());
            }
            state.input.push(&bytes[..room]);
            Ok(room)
        })
    }

    /// Reads some of the child's output; 0 at its end.
    ///
    /// # Errors
    /// [`ErrorKind::WouldBlock`] when nothing has come yet.
    pub fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.shared.change(|state| state.output.read(bytes))
    }

    /// Reads some of the child's standard error; 0 at its end.
    ///
    /// # Errors
    /// [`ErrorKind::WouldBlock`] when nothing has come yet.
    pub fn read_errors(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.shared.change(|state| state.errors.read(bytes));
        self.has_errors &= !matches!(read, Ok(0));
        read
    }

    /// Closes the child's input when everything is written.
    pub fn close_input(&mut self) {
        self.has_input = false;
        self.shared.change(|state| state.input.close());
    }

    /// Waits until something can be read, there is room to write if `writes` is true, the child has ended, the interrupt is
    /// set, or this time has passed. It may end early without an event.
    ///
    /// # Errors
    /// None.
    pub fn wait(&mut self, interrupt: &Interrupt, writes: bool, patience: Duration) -> io::Result<ChildEvents> {
        let shared = Arc::clone(&self.shared);
        interrupt.watch(|| Arc::downgrade(&shared) as Weak<dyn Wake>, &mut self.interrupt);
        let has_errors = self.has_errors;
        let events = |state: &State| ChildEvents {
            interrupted: interrupt.is_set(),
            readable: state.output.is_readable(),
            complains: has_errors && state.errors.is_readable(),
            writable: writes && (state.input.unwritten() < PIPE_BYTES || state.input.failure().is_some()),
            ended: false,
        };
        let state = shared.lock();
        let seen = events(&state);
        if seen != ChildEvents::default() {
            return Ok(seen);
        }
        let (state, _) = shared.wait(state, Some(patience.min(LOOK)));
        let seen = events(&state);
        drop(state);
        // A child that has ended was quiet for a while: what it wrote before has arrived.
        let ended = seen == ChildEvents::default() && patience > LOOK && self.has_ended();
        Ok(ChildEvents { ended, ..seen })
    }

    /// True if the process has ended.
    pub fn has_ended(&mut self) -> bool {
        !matches!(self.child.inner().try_wait(), Ok(None))
    }

    /// Ends every process of the job for good, and returns how the child ended. Its standard error can be read then.
    pub fn kill(&mut self) -> Option<ExitStatus> {
        // These fail only if the processes have ended.
        let _ = self.child.kill();
        let _ = self.child.inner().kill();
        let exit = self.child.inner().wait().ok();
        let deadline = Instant::now() + LAST_BYTES;
        let mut state = self.shared.lock();
        while self.has_errors && !state.errors.is_complete() {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            state = self.shared.wait(state, Some(left)).0;
        }
        exit
    }
}

impl Drop for PipedChild {
    fn drop(&mut self) {
        self.kill();
        self.shared.change(|state| {
            state.input.close();
            state.output.abandon();
            state.errors.abandon();
        });
    }
}
