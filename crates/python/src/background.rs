//! Work on a thread of its own, while the thread of Python waits without the interpreter's lock.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use noughts::search::SearchResult;
use noughts::session::panic_message;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// The time after which a waiting thread looks for signals, such as Ctrl-C, or for an interrupt of its run.
pub const PAUSE: Duration = Duration::from_millis(20);

/// Tells Python what a search has found so far.
pub type OnProgress<'a> = dyn for<'py> Fn(Python<'py>, &SearchResult, Duration) -> PyResult<()> + Sync + 'a;

/// What the work says to the thread that waits for it.
enum Event<T> {
    Progress(Box<SearchResult>, Duration),
    Done(Result<T, String>),
}

/// Does some work on a thread of its own, and waits for it. The work ends soon after a call of `stop`. If it panics, the
/// answer is the message of the panic.
///
/// # Errors
/// An exception of a signal or of `on_progress`. It stops the work, and is raised when that has ended.
pub fn run<T: Send>(
    py: Python<'_>,
    stop: impl Fn() + Sync,
    on_progress: Option<&OnProgress<'_>>,
    work: impl FnOnce(&mut dyn FnMut(&SearchResult)) -> T + Send,
) -> PyResult<Result<T, String>> {
    // Only the main thread of Python gets signals.
    let threading = py.import("threading")?;
    let is_main = threading.call_method0("current_thread")?.is(&threading.call_method0("main_thread")?);
    let patience = if is_main { PAUSE } else { Duration::MAX };
    py.detach(|| {
        thread::scope(|scope| {
            let (sender, events) = channel();
            let begun = Instant::now();
            let work = move || {
                let mut report = |found: &SearchResult| {
                    if on_progress.is_some() {
                        let _ = sender.send(Event::Progress(Box::new(found.clone()), begun.elapsed()));
                    }
                };
                let done = catch_unwind(AssertUnwindSafe(|| work(&mut report)));
                let _ = sender.send(Event::Done(done.map_err(|panic| panic_message(panic.as_ref()).to_owned())));
            };
            let started = thread::Builder::new().name("noughts".to_owned()).spawn_scoped(scope, work);
            started.map_err(|error| PyRuntimeError::new_err(format!("cannot start a thread: {error}")))?;
            wait(&events, patience, &stop, on_progress)
        })
    })
}

/// Waits for the end of the work.
fn wait<T>(
    events: &Receiver<Event<T>>,
    patience: Duration,
    stop: &impl Fn(),
    on_progress: Option<&OnProgress<'_>>,
) -> PyResult<Result<T, String>> {
    let mut raised = Ok(());
    loop {
        let outcome = match events.recv_timeout(patience) {
            Ok(Event::Done(done)) => return raised.map(|()| done),
            Ok(Event::Progress(found, elapsed)) if raised.is_ok() => {
                on_progress.map_or(Ok(()), |told| Python::attach(|py| told(py, &found, elapsed)))
            }
            Ok(Event::Progress(..)) => Ok(()),
            Err(RecvTimeoutError::Timeout) => Python::attach(|py| py.check_signals()),
            Err(RecvTimeoutError::Disconnected) => return raised.map(|()| Err("its thread has ended".to_owned())),
        };
        if raised.is_ok() && outcome.is_err() {
            raised = outcome;
            stop();
        }
    }
}
