//! Child processes: groups, their end, pipes that never block, and waiting for several of them.

use std::ffi::OsStr;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use rustix::event::{PollFd, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use crate::system::{LaunchError, chosen_program, program_file};

/// The file of the program. It can be started even after the file was replaced, where the system allows that.
///
/// # Errors
/// When the system does not report the file.
pub(super) fn this_program() -> io::Result<PathBuf> {
    match chosen_program() {
        None if cfg!(target_os = "linux") => Ok(PathBuf::from("/proc/self/exe")),
        _ => program_file(),
    }
}

/// Runs the whole program: on this thread, whose stack the system makes large enough.
pub fn run_program<T>(program: fn() -> T) -> T {
    program()
}

/// The name of this machine in its network.
pub fn host_name() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

/// Has the child of this command lead a process group of its own. Signals of a terminal do not reach that group.
pub(super) fn lead_group(command: &mut Command) -> &mut Command {
    command.process_group(0)
}

/// The process group that a child leads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct ProcessGroup(Pid);

impl ProcessGroup {
    /// The group of a child that was started with [`lead_group`].
    pub fn of(child: &Child) -> ProcessGroup {
        ProcessGroup(Pid::from_child(child))
    }

    /// The group with this number; `None` if the number is not positive.
    pub fn from_number(number: i32) -> Option<ProcessGroup> {
        Pid::from_raw(number).map(ProcessGroup)
    }

    /// The number of the group, from 1.
    pub fn number(self) -> i32 {
        self.0.as_raw_nonzero().get()
    }

    /// Ends every process of the group at once.
    pub fn kill(self) {
        // This fails only if the group has no process any more.
        let _ = kill_process_group(self.0, Signal::KILL);
    }
}

/// A descriptor that becomes readable when the child ends; `None` where the system has no such thing.
#[cfg(target_os = "linux")]
pub(super) fn end_descriptor(child: &Child) -> Option<OwnedFd> {
    rustix::process::pidfd_open(Pid::from_child(child), rustix::process::PidfdFlags::empty()).ok()
}

/// A descriptor that becomes readable when the child ends; `None` where the system has no such thing.
#[cfg(not(target_os = "linux"))]
pub(super) fn end_descriptor(_: &Child) -> Option<OwnedFd> {
    None
}

/// True if the child has ended. It still has to be waited for.
pub(super) fn has_ended(child: &Child) -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    !matches!(waitid(WaitId::Pid(Pid::from_child(child)), options), Ok(None))
}

/// Has the system end this process when its parent ends, however that happens. `parent` is the number of the parent.
///
/// # Errors
/// When the parent has ended before, or the system refuses.
#[cfg(target_os = "linux")]
pub fn end_with_parent(parent: u32) -> Result<(), LaunchError> {
    use rustix::process::{getppid, set_parent_process_death_signal};
    set_parent_process_death_signal(Some(Signal::KILL)).map_err(|error| LaunchError::Bind(error.into()))?;
    // The parent may have ended before the system knew of this.
    let is_child = getppid().is_some_and(|pid| pid.as_raw_nonzero().get().unsigned_abs() == parent);
    if is_child { Ok(()) } else { Err(LaunchError::Orphan) }
}

/// Does nothing: this system cannot bind a process to its parent. Here an engine sees the end of its input.
///
/// # Errors
/// None.
#[cfg(not(target_os = "linux"))]
pub fn end_with_parent(_: u32) -> Result<(), LaunchError> {
    Ok(())
}

/// Turns this process into another program. Returns only if that fails.
pub fn become_program(program: &OsStr, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> io::Error {
    Command::new(program).args(arguments).exec()
}

/// Has reads and writes of a pipe return at once, with [`io::ErrorKind::WouldBlock`] if they would have to wait.
///
/// # Errors
/// When the system refuses.
pub(super) fn never_block(pipe: impl AsFd) -> io::Result<()> {
    Ok(rustix::io::ioctl_fionbio(pipe, true)?)
}

/// Waits until one of the descriptors is ready or the time is up, for ever without a time. A signal ends the wait, too.
///
/// # Errors
/// When the system cannot wait.
pub(super) fn wait_for(watched: &mut [PollFd<'_>], timeout: Option<Duration>) -> io::Result<()> {
    let timeout = timeout.map(|time| Timespec { tv_sec: time.as_secs() as i64, tv_nsec: time.subsec_nanos().into() });
    match poll(watched, timeout.as_ref()) {
        Ok(_) | Err(Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Starts the browser that the desktop prefers. Ctrl-C ends this program and not the browser.
///
/// # Errors
/// When there is no program that does this.
pub fn open_in_browser(page: &str) -> io::Result<()> {
    let mut command = Command::new(if cfg!(target_os = "macos") { "open" } else { "xdg-open" });
    command.arg(page).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    lead_group(&mut command).spawn().map(drop)
}

/// The exit of a process in words, such as "exit status: 1" or "signal: 11 (SIGSEGV)".
pub fn describe_exit(exit: ExitStatus) -> String {
    exit.to_string()
}

/// True if a signal ended the process that others send to end one. What a program does wrong ends it by another signal.
pub fn was_ended_by_others(exit: ExitStatus) -> bool {
    let ends = [Signal::TERM, Signal::KILL, Signal::HUP, Signal::INT];
    exit.signal().is_some_and(|signal| ends.iter().any(|end| end.as_raw() == signal))
}

/// Splits a command into words, as a shell does; `None` if its quotes do not match.
pub fn split_words(text: &str) -> Option<Vec<String>> {
    shell_words::split(text).ok()
}
