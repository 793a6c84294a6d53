//! This program and this machine; what a process does before it becomes another program.

use std::ffi::OsStr;
use std::io;
use std::process::{Command, ExitStatus, Stdio};
use std::thread;

use crate::system::LaunchError;

use super::signals::CONTROL_C_EXIT;

/// The stack of the program, in bytes: as much as the first thread has on other systems. Here it would have an eighth.
const STACK: usize = 8 << 20;

/// Runs the whole program, on a thread with a large stack.
///
/// # Panics
/// When the system has no thread left, and when the program panics.
pub fn run_program<T: Send + 'static>(program: fn() -> T) -> T {
    let thread = thread::Builder::new().name("main".to_owned()).stack_size(STACK).spawn(program);
    match thread.expect("a second thread").join() {
        Ok(result) => result,
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

/// The name of this machine in its network.
pub fn host_name() -> String {
    std::env::var("COMPUTERNAME").unwrap_or_default()
}

/// Does nothing: a job object binds an engine to this process from outside.
///
/// # Errors
/// None.
pub fn end_with_parent(_: u32) -> Result<(), LaunchError> {
    Ok(())
}

/// Runs another program and ends as it does: a process of Windows cannot become another program. Returns only if the
/// program cannot be run.
pub fn become_program(program: &OsStr, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> io::Error {
    match Command::new(program).args(arguments).status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(error) => error,
    }
}

/// Starts the browser that the desktop prefers.
///
/// # Errors
/// When there is no program that does this.
pub fn open_in_browser(page: &str) -> io::Result<()> {
    let mut command = Command::new("explorer");
    command.arg(page).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().map(drop)
}

/// The exit of a process in words, such as "exit status: 1" or "exit status: 0xc0000005".
pub fn describe_exit(exit: ExitStatus) -> String {
    // Codes of the system, such as that of an invalid address, are known by their hexadecimal digits.
    match exit.code() {
        Some(code @ 0..) => format!("exit status: {code}"),
        Some(code) => format!("exit status: {code:#x}"),
        None => exit.to_string(),
    }
}

/// True if Ctrl-C, Ctrl-Break or the end of its console ended the process.
pub fn was_ended_by_others(exit: ExitStatus) -> bool {
    exit.code() == Some(CONTROL_C_EXIT)
}

/// Splits a command into words, as a shell does, but a backslash is a separator of paths like any other character; `None` if
/// its quotes do not match.
pub fn split_words(text: &str) -> Option<Vec<String>> {
    // Between single quotes a shell takes a backslash for itself.
    let mut quote = None;
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '\\' if quote != Some('\'') => escaped.push('\\'),
            '\'' | '"' if quote == Some(character) => quote = None,
            '\'' | '"' if quote.is_none() => quote = Some(character),
            _ => {}
        }
        escaped.push(character);
    }
    shell_words::split(&escaped).ok()
}
