//! Signals, as far as a console has them: Ctrl-C, Ctrl-Break, and a console that is closed.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::Interrupt;
use crate::system::TerminalSignal;

/// The exit status of a program that Ctrl-C, Ctrl-Break or the end of its console has ended: `STATUS_CONTROL_C_EXIT`.
pub(super) const CONTROL_C_EXIT: i32 = 0xC000_013A_u32 as i32;

/// Has the first Ctrl-C trigger an interrupt; the second one ends the program.
///
/// # Errors
/// When there is a handler already, or the system refuses.
pub fn trigger_when_interrupted(interrupt: &Arc<Interrupt>) -> io::Result<()> {
    let interrupt = Arc::clone(interrupt);
    handle(move |is_first| {
        if !is_first {
            std::process::exit(1);
        }
        interrupt.trigger();
    })
}

/// Has the first Ctrl-C set a flag; the second one ends the program.
///
/// # Errors
/// When there is a handler already, or the system refuses.
pub fn set_when_interrupted(flag: &Arc<AtomicBool>) -> io::Result<()> {
    let flag = Arc::clone(flag);
    handle(move |_| {
        if flag.swap(true, Ordering::SeqCst) {
            std::process::exit(1);
        }
    })
}

/// Does nothing: this system has no limit on the size of files, and no signal for it.
///
/// # Errors
/// Never.
pub fn survive_limit_of_file_size() -> io::Result<()> {
    Ok(())
}

/// Hands every request to end the program to `handler`, on a thread of its own.
///
/// # Errors
/// When there is a handler already, or the system refuses.
pub fn forward_terminal_signals(handler: impl Fn(TerminalSignal) -> bool + Send + 'static) -> io::Result<()> {
    handle(move |_| {
        // There is no signal after this one that the handler could do without.
        let _ = handler(TerminalSignal::End(CONTROL_C_EXIT));
    })
}

/// Ends the program with this exit status.
///
/// # Errors
/// None.
pub fn do_by_default(status: i32) -> io::Result<()> {
    std::process::exit(status)
}

/// Does nothing: no shell of this system stops its programs.
///
/// # Errors
/// None.
pub fn stop_process_group() -> io::Result<()> {
    Ok(())
}

/// Calls `handler` for each Ctrl-C, Ctrl-Break and end of the console; the argument is true for the first.
fn handle(mut handler: impl FnMut(bool) + Send + 'static) -> io::Result<()> {
    let mut is_first = true;
    ctrlc::set_handler(move || handler(std::mem::take(&mut is_first))).map_err(io::Error::other)
}
