//! A child process with pipes that never block, and one wait for all that can happen to it.

use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags};

use super::process::{self, ProcessGroup};
use super::{Interrupt, OrphanKiller};
use crate::system::ChildEvents;

/// A child process that leads a process group of its own, which ends with it.
pub struct PipedChild {
    orphan_killer: Arc<OrphanKiller>,
    child: Child,
    /// Readable when the process has ended. Its output may stay open longer, if others hold it.
    end: Option<OwnedFd>,
    input: Option<ChildStdin>,
    output: ChildStdout,
    errors: Option<ChildStderr>,
    /// True if the process has been waited for. From then on another process may have its number.
    reaped: bool,
}

impl PipedChild {
    /// Starts a program, in `folder` if there is one. It ends when this process does, however that happens.
    ///
    /// # Errors
    /// When the process cannot be started, or the system has no pipe left. A missing program shows as a child that ends.
    pub fn spawn(
        program: &Path,
        arguments: &[String],
        folder: Option<&Path>,
        orphan_killer: &Arc<OrphanKiller>,
    ) -> io::Result<PipedChild> {
        let mut command = Command::new(process::this_program()?);
        command.arg("launch").arg(std::process::id().to_string()).arg("--").arg(program).args(arguments);
        if let Some(folder) = folder {
            command.current_dir(folder);
        }
        process::lead_group(&mut command).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        orphan_killer.add(ProcessGroup::of(&child));
        let (Some(input), Some(output), Some(errors)) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(io::Error::other("a child without pipes"));
        };
        for pipe in [input.as_fd(), output.as_fd(), errors.as_fd()] {
            process::never_block(pipe)?;
        }
        Ok(PipedChild {
            orphan_killer: Arc::clone(orphan_killer),
            end: process::end_descriptor(&child),
            child,
            input: Some(input),
            output,
            errors: Some(errors),
            reaped: false,
        })
    }

    /// True if the child's input is open.
    pub fn has_input(&self) -> bool {
        self.input.is_some()
    }

    /// Writes some of these bytes to the child's input.
    ///
    /// # Errors
    /// [`ErrorKind::WouldBlock`] when there is no room, [`ErrorKind::BrokenPipe`] when the child has closed its input or
    /// [`PipedChild::close_input`] was called.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.input.as_mut().map_or_else(|| Err(ErrorKind::BrokenPipe.into()), |input| input.write(bytes))
    }

    /// Reads some of the child's output; 0 at its end.
    ///
    /// # Errors
    /// [`ErrorKind::WouldBlock`] when nothing has come yet.
    pub fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.output.read(bytes)
    }

    /// Reads some of the child's standard error; 0 at its end.
    ///
    /// # Errors
    /// [`ErrorKind::WouldBlock`] when nothing has come yet.
    pub fn read_errors(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let Some(errors) = &mut self.errors else { return Ok(0) };
        let read = errors.read(bytes);
        if !matches!(&read, Ok(1..)) && !read.as_ref().is_err_and(is_temporary) {
            self.errors = None;
        }
        read
    }

    /// Closes the child's input.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Waits until something can be read, there is room to write if `writes` is true, the child has ended, the interrupt is
    /// set, or this time has passed. It may end early without an event.
    ///
    /// # Errors
    /// When the system cannot wait.
    pub fn wait(&mut self, interrupt: &Interrupt, writes: bool, patience: Duration) -> io::Result<ChildEvents> {
        // What is not there, or not to be watched, is replaced by the interrupt, watched for nothing.
        let nothing = || PollFd::from_borrowed_fd(interrupt.readable(), PollFlags::empty());
        let mut watched = [
            PollFd::from_borrowed_fd(interrupt.readable(), PollFlags::IN),
            PollFd::new(&self.output, PollFlags::IN),
            self.errors.as_ref().map_or_else(nothing, |errors| PollFd::new(errors, PollFlags::IN)),
            self.input.as_ref().filter(|_| writes).map_or_else(nothing, |input| PollFd::new(input, PollFlags::OUT)),
            self.end.as_ref().map_or_else(nothing, |end| PollFd::new(end, PollFlags::IN)),
        ];
        process::wait_for(&mut watched, Some(patience))?;
        let [interrupted, readable, complains, writable, ended] = watched.map(|watched| !watched.revents().is_empty());
        Ok(ChildEvents { interrupted, readable, complains, writable, ended })
    }

    /// True if the process has ended; it still has to be waited for.
    pub fn has_ended(&mut self) -> bool {
        process::has_ended(&self.child)
    }

    /// Ends the process and its group for good, and returns how it ended.
    pub fn kill(&mut self) -> Option<ExitStatus> {
        if !self.reaped {
            ProcessGroup::of(&self.child).kill();
            // The process itself may have left its group.
            let _ = self.child.kill();
        }
        let exit = self.child.wait().ok();
        if !self.reaped {
            self.orphan_killer.remove(ProcessGroup::of(&self.child));
            self.reaped = true;
        }
        exit
    }
}

/// True if a read can be tried again: nothing has come yet, or a signal came.
fn is_temporary(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock)
}

impl Drop for PipedChild {
    fn drop(&mut self) {
        self.kill();
    }
}
