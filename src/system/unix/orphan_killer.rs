//! A second process that ends every engine when the match ends, also when the match is killed.
//!
//! An engine may be a script that starts another program. When the match is killed, the system ends the process that the
//! match started, but not the program that this process started. So a second process of this program holds the other
//! end of a pipe and a list of the engines' process groups. The pipe is closed when the match ends, by itself or by
//! force. Then the second process ends every group that is still on the list.

use std::collections::HashSet;
use std::io::{self, BufRead, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Mutex, PoisonError};

use super::process::{ProcessGroup, lead_group, this_program};

/// The match's end of the pipe.
#[derive(Default)]
pub struct OrphanKiller {
    /// `None` where no engine is a process.
    process: Option<Child>,
    pipe: Option<Mutex<ChildStdin>>,
}

impl OrphanKiller {
    /// Starts the process, in a group of its own so that no terminal interrupts it.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn start() -> io::Result<OrphanKiller> {
        let mut command = Command::new(this_program()?);
        lead_group(&mut command).arg("guard").stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut process = command.spawn()?;
        let pipe = process.stdin.take().map(Mutex::new);
        Ok(OrphanKiller { process: Some(process), pipe })
    }

    /// No orphan killer: for clients whose engines are no processes.
    pub fn none() -> OrphanKiller {
        OrphanKiller::default()
    }

    /// Puts the group of an engine on the list.
    pub(super) fn add(&self, group: ProcessGroup) {
        self.tell('+', group);
    }

    /// Takes the group of an engine off the list, once the engine has been waited for.
    pub(super) fn remove(&self, group: ProcessGroup) {
        self.tell('-', group);
    }

    fn tell(&self, sign: char, group: ProcessGroup) {
        if let Some(pipe) = &self.pipe {
            let mut pipe = pipe.lock().unwrap_or_else(PoisonError::into_inner);
            // If the orphan killer has ended, the match goes on without it.
            let _ = pipe.write_all(format!("{sign}{}\n", group.number()).as_bytes());
        }
    }
}

impl Drop for OrphanKiller {
    fn drop(&mut self) {
        self.pipe = None;
        // Nothing depends on how it ends.
        let _ = self.process.as_mut().map(Child::wait);
    }
}

/// The second process: reads the list until the pipe is closed, then ends every group that is still on it.
pub fn kill_orphans(list: impl BufRead) {
    let mut groups = HashSet::new();
    for line in list.lines().map_while(Result::ok) {
        let number = line.get(1..).and_then(|digits| digits.parse().ok());
        match (line.as_bytes().first(), number.and_then(ProcessGroup::from_number)) {
            (Some(b'+'), Some(group)) => drop(groups.insert(group)),
            (Some(b'-'), Some(group)) => drop(groups.remove(&group)),
            _ => {}
        }
    }
    for group in groups {
        group.kill();
    }
}
