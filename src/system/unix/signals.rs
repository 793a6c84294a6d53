//! Signals: how a run is ended from outside, and how a terminal is given back before the program ends or stops.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;

use rustix::process::{Signal, kill_current_process_group};
use signal_hook::consts::{SIGABRT, SIGALRM, SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGXFSZ};
use signal_hook::iterator::Signals;
use signal_hook::low_level;

use super::Interrupt;
use crate::system::TerminalSignal;

/// Has the first Ctrl-C, SIGTERM or SIGHUP trigger an interrupt; the second one ends the program.
///
/// # Errors
/// When a signal cannot be caught, or there is no descriptor left.
pub fn trigger_when_interrupted(interrupt: &Arc<Interrupt>) -> io::Result<()> {
    let is_interrupted = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        // This one acts only if the flag was set before, by an earlier signal.
        signal_hook::flag::register_conditional_shutdown(signal, 1, Arc::clone(&is_interrupted))?;
        signal_hook::flag::register(signal, Arc::clone(&is_interrupted))?;
        low_level::pipe::register(signal, interrupt.trigger_descriptor()?)?;
    }
    Ok(())
}

/// Has the first Ctrl-C, SIGTERM or SIGHUP set a flag; the second one ends the program.
///
/// # Errors
/// When a signal cannot be caught.
pub fn set_when_interrupted(flag: &Arc<AtomicBool>) -> io::Result<()> {
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        signal_hook::flag::register_conditional_shutdown(signal, 1, Arc::clone(flag))?;
        signal_hook::flag::register(signal, Arc::clone(flag))?;
    }
    Ok(())
}

/// Has a write beyond the limit on the size of files (`ulimit -f`) fail, with an error that says so. Otherwise a signal would
/// end the program.
///
/// # Errors
/// When the signal cannot be caught.
pub fn survive_limit_of_file_size() -> io::Result<()> {
    // A signal that is caught gets its default back in programs that this one starts. One that is ignored stays ignored.
    signal_hook::flag::register(SIGXFSZ, Arc::default()).map(drop)
}

/// Hands every signal that would end the program, and the one after which a stopped program goes on, to `handler`, on a
/// thread of its own, until `handler` returns false.
///
/// # Errors
/// When a signal cannot be caught, or there is no thread left.
pub fn forward_terminal_signals(handler: impl Fn(TerminalSignal) -> bool + Send + 'static) -> io::Result<()> {
    let ends = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGABRT, SIGALRM, SIGUSR1, SIGUSR2];
    let mut signals = Signals::new(ends.iter().chain(&[SIGCONT]))?;
    let forward = move || {
        for signal in signals.forever() {
            let told = if signal == SIGCONT { TerminalSignal::Continued } else { TerminalSignal::End(signal) };
            if !handler(told) {
                return;
            }
        }
    };
    thread::Builder::new().name("signals".to_owned()).spawn(forward).map(drop)
}

/// Does what a signal does by default, such as ending the program.
///
/// # Errors
/// When the signal has no default that can be emulated.
pub fn do_by_default(signal: i32) -> io::Result<()> {
    low_level::emulate_default_handler(signal)
}

/// Stops the process group, as Ctrl-Z does. Returns when the shell continues it, or at once where the system does not stop
/// such a group.
///
/// # Errors
/// When the group cannot be signalled.
pub fn stop_process_group() -> io::Result<()> {
    Ok(kill_current_process_group(Signal::TSTP)?)
}
