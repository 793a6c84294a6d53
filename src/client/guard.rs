//! A process that sees to it that no engine outlives a match, however that ends.
//!
//! An engine may be a script that starts another program: when the match is killed, the system ends the process that the
//! match started, and what that one has started lives on. So a second process of this program holds the other end of
//! a pipe and a list of the engines' process groups. The pipe is closed when the match ends, by itself or by force, and
//! then every group that is still on the list is ended.

use std::collections::HashSet;
use std::io::{self, BufRead, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Mutex, PoisonError};

use rustix::process::{Pid, Signal, kill_process_group};

/// The match's end of the pipe.
pub struct Guard {
    process: Child,
    pipe: Option<Mutex<ChildStdin>>,
}

impl Guard {
    /// Starts the process. It is of no group that a terminal could interrupt.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn start() -> io::Result<Guard> {
        let mut command = Command::new(super::process::this_program()?);
        command.arg("guard").process_group(0).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut process = command.spawn()?;
        let pipe = process.stdin.take().map(Mutex::new);
        Ok(Guard { process, pipe })
    }

    /// Puts the group of an engine on the list.
    pub(super) fn add(&self, group: Pid) {
        self.tell('+', group);
    }

    /// Takes it off: the engine has been waited for.
    pub(super) fn remove(&self, group: Pid) {
        self.tell('-', group);
    }

    fn tell(&self, sign: char, group: Pid) {
        if let Some(pipe) = &self.pipe {
            let mut pipe = pipe.lock().unwrap_or_else(PoisonError::into_inner);
            // A guard that has gone guards no more; the match goes on.
            let _ = pipe.write_all(format!("{sign}{}\n", group.as_raw_nonzero()).as_bytes());
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.pipe = None;
        // Nothing depends on how it ends.
        let _ = self.process.wait();
    }
}

/// Reads the list until the other end has gone, and then ends every group that is still on it.
pub fn guard(list: impl BufRead) {
    let mut groups = HashSet::new();
    for line in list.lines().map_while(Result::ok) {
        let number = line.get(1..).and_then(|digits| digits.parse().ok());
        match (line.as_bytes().first(), number.and_then(Pid::from_raw)) {
            (Some(b'+'), Some(group)) => drop(groups.insert(group)),
            (Some(b'-'), Some(group)) => drop(groups.remove(&group)),
            _ => {}
        }
    }
    for group in groups {
        // A group that has ended by itself is none the worse for it.
        let _ = kill_process_group(group, Signal::KILL);
    }
}
