//! Threads that read ahead from a pipe and write behind to one, and what they share with the thread that waits for them.
//!
//! Pipes of Windows can neither be polled nor be read without waiting. So each has a thread that waits in its place. All
//! pipes of one wait share a lock and a condition variable.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// The most bytes that are read at once, and that are read ahead before the thread stops reading: as much as a pipe of
/// other systems holds.
const READ_BYTES: usize = 64 << 10;

/// `ERROR_PIPE_NOT_CONNECTED`: the reader of a pipe has gone. The standard library has no kind for it.
const PIPE_NOT_CONNECTED: i32 = 233;

/// The part that threads share: a state, and the news that it has changed.
#[derive(Default)]
pub struct Shared<S> {
    state: Mutex<S>,
    changed: Condvar,
}

impl<S> Shared<S> {
    /// The state, locked.
    pub fn lock(&self) -> MutexGuard<'_, S> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the state and wakes every thread that waits for a change.
    pub fn change<T>(&self, change: impl FnOnce(&mut S) -> T) -> T {
        let result = change(&mut self.lock());
        self.changed.notify_all();
        result
    }

    /// Waits for a change, this time at the longest; for ever without a time. It may end early. Returns whether the time is
    /// up.
    pub fn wait<'a>(&self, state: MutexGuard<'a, S>, time: Option<Duration>) -> (MutexGuard<'a, S>, bool) {
        match time {
            None => (self.changed.wait(state).unwrap_or_else(PoisonError::into_inner), false),
            Some(time) => {
                let waited = self.changed.wait_timeout(state, time).unwrap_or_else(PoisonError::into_inner);
                (waited.0, waited.1.timed_out())
            }
        }
    }
}

/// A receiver of the news that something has happened.
pub trait Wake: Send + Sync {
    /// Ends a wait.
    fn wake(&self);
}

impl<S: Send> Wake for Shared<S> {
    fn wake(&self) {
        self.change(|_| ());
    }
}

/// Bytes that a thread has read ahead.
#[derive(Default)]
pub struct ReadAhead {
    bytes: VecDeque<u8>,
    /// True if there is nothing to read behind these bytes.
    has_ended: bool,
    /// True if the bytes are of no use any more.
    is_abandoned: bool,
}

impl ReadAhead {
    /// True if a read returns something: bytes, or the end.
    pub fn is_readable(&self) -> bool {
        !self.bytes.is_empty() || self.has_ended
    }

    /// True if the writer has gone; there may be bytes left to read.
    pub fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// True if nothing more is read ahead until bytes are taken: all has come, or there is no room.
    pub fn is_complete(&self) -> bool {
        self.has_ended || self.bytes.len() >= READ_BYTES
    }

    /// Takes bytes; 0 at the end.
    ///
    /// # Errors
    /// [`ErrorKind::WouldBlock`] when nothing has come yet.
    pub fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.is_readable() { self.bytes.read(bytes) } else { Err(ErrorKind::WouldBlock.into()) }
    }

    /// Has the thread end when it has read once more.
    pub fn abandon(&mut self) {
        self.is_abandoned = true;
    }
}

/// Bytes that a thread is to write.
#[derive(Default)]
pub struct WriteBehind {
    bytes: Vec<u8>,
    /// The number of bytes that the thread is writing.
    in_flight: usize,
    /// The reason why nothing can be written any more.
    failure: Option<io::Error>,
    is_closed: bool,
}

impl WriteBehind {
    /// Bytes that have been handed over and not been written.
    pub fn unwritten(&self) -> usize {
        self.bytes.len() + self.in_flight
    }

    /// The reason why nothing can be written any more.
    pub fn failure(&self) -> Option<&io::Error> {
        self.failure.as_ref()
    }

    /// Hands bytes over.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Has the thread close the pipe once everything is written.
    pub fn close(&mut self) {
        self.is_closed = true;
    }
}

/// Starts a thread that reads ahead from `source`.
///
/// # Errors
/// When the system has no thread left.
pub fn read_ahead<S: Send + 'static>(
    shared: &Arc<Shared<S>>,
    mut source: impl Read + Send + 'static,
    of: fn(&mut S) -> &mut ReadAhead,
) -> io::Result<()> {
    let shared = Arc::clone(shared);
    let run = move || {
        let mut chunk = vec![0; READ_BYTES].into_boxed_slice();
        loop {
            let read = match source.read(&mut chunk) {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                // Input that cannot be read any more has ended, like input that has been read to its end.
                read => read.unwrap_or(0),
            };
            shared.change(|state| {
                let ahead = of(state);
                ahead.bytes.extend(&chunk[..read]);
                ahead.has_ended = read == 0;
            });
            let mut state = shared.lock();
            while of(&mut state).bytes.len() >= READ_BYTES && read > 0 && !of(&mut state).is_abandoned {
                state = shared.wait(state, None).0;
            }
            if read == 0 || of(&mut state).is_abandoned {
                return;
            }
        }
    };
    thread::Builder::new().name("reader".to_owned()).spawn(run).map(drop)
}

/// Starts a thread that writes to `sink` what is handed over.
///
/// # Errors
/// When the system has no thread left.
pub fn write_behind<S: Send + 'static>(
    shared: &Arc<Shared<S>>,
    mut sink: impl Write + Send + 'static,
    of: fn(&mut S) -> &mut WriteBehind,
) -> io::Result<()> {
    let shared = Arc::clone(shared);
    let run = move || {
        loop {
            let mut state = shared.lock();
            while of(&mut state).bytes.is_empty() {
                if of(&mut state).is_closed {
                    return;
                }
                state = shared.wait(state, None).0;
            }
            let behind = of(&mut state);
            let bytes = std::mem::take(&mut behind.bytes);
            behind.in_flight = bytes.len();
            drop(state);
            let written = sink.write_all(&bytes).and_then(|()| sink.flush());
            let has_failed = written.is_err();
            shared.change(|state| {
                let behind = of(state);
                behind.in_flight = 0;
                behind.failure = written.err().map(|error| match error.raw_os_error() {
                    Some(PIPE_NOT_CONNECTED) => ErrorKind::BrokenPipe.into(),
                    _ => error,
                });
            });
            if has_failed {
                return;
            }
        }
    };
    thread::Builder::new().name("writer".to_owned()).spawn(run).map(drop)
}
