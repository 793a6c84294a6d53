//! The engine for a page without a server: the session of `noughts`, compiled to WebAssembly.
//!
//! A Web Worker drives it as the other drivers do: lines in, lines out. There is one thread, so a search has to give way
//! to the lines that come meanwhile. Each poll of a search calls `browser::pause_when_due`. Once the search has run for
//! a few milliseconds, it is suspended there, and the worker hands in the lines. The build rewrites the code so that it can
//! be suspended (Asyncify, of Binaryen).
//!
//! | file | what it holds |
//! |---|---|
//! | `src/lib.rs` | the conversation, and the search that is under way |
//! | `src/browser.rs` | what the worker calls, and what it is called for: the only unsafe code |
//! | `files/engine.js` | the module and its slices of time, in a worker or in Node.js |
//! | `files/worker.js`, `files/transport.js` | the worker, and the page's end of it |
//! | `files/start.js`, `files/service-worker.js`, `files/manifest.webmanifest`, `files/icon.svg` | use without a network |

#![cfg(all(target_family = "wasm", target_os = "unknown"))]
#![cfg_attr(not(test), deny(clippy::too_many_lines))]

mod browser;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};

use noughts::protocol::{InputLine, LineReader};
use noughts::search::Instant;
use noughts::session::{Conversation, FinishedSearch, SearchEvent, SearchExecutor, SearchJob, Session, SessionLimits};

/// The limits of a session in a page. Memory once taken stays with the worker, so `Hash` is small enough for a phone.
const LIMITS: SessionLimits =
    SessionLimits { hash: 256, threads: 1, files: false, waiting: 4 << 20, ..SessionLimits::NONE };

/// The search that is handed over, and its events.
#[derive(Default)]
struct SearchSlot {
    job: Option<SearchJob>,
    events: VecDeque<SearchEvent>,
}

/// The searches of the conversation: the worker runs them, one at a time.
#[derive(Clone, Default)]
struct WorkerSearches(Arc<Mutex<SearchSlot>>);

impl WorkerSearches {
    fn slot(&self) -> MutexGuard<'_, SearchSlot> {
        self.0.lock().expect("one thread does not meet itself here")
    }

    /// Runs the search that waits, if there is one. Other calls may come before it is over, whenever it is suspended.
    fn run(&self) {
        let Some(job) = self.slot().job.take() else { return };
        let finished = job.run(&mut |event| self.slot().events.push_back(event));
        self.slot().events.push_back(SearchEvent::Finished(finished));
    }
}

impl SearchExecutor for WorkerSearches {
    fn start(&mut self, job: SearchJob) -> Option<FinishedSearch> {
        if job.is_quick {
            return Some(job.run(&mut |_| {}));
        }
        self.slot().job = Some(job);
        None
    }

    fn next_event(&mut self) -> Option<SearchEvent> {
        self.slot().events.pop_front()
    }
}

/// The conversation with the page.
struct Page {
    conversation: Conversation,
    searches: WorkerSearches,
    reader: LineReader,
    /// Lines that the session does not take yet.
    lines: VecDeque<InputLine>,
}

/// The next step of the worker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Next {
    /// Wait for a line.
    Wait = 0,
    /// Call again soon.
    Proceed = 1,
    /// Run the search that waits, or go on with the one that is suspended.
    Search = 2,
    /// The session is over.
    End = 3,
}

impl Page {
    fn open() -> Page {
        let searches = WorkerSearches::default();
        let session = Session::default().limited_to(LIMITS);
        let conversation = Conversation::in_own_protocol(session, searches.clone());
        Page { conversation, searches, reader: LineReader::default(), lines: VecDeque::new() }
    }

    /// Takes a line, without its end.
    fn receive(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while let Some(line) = self.reader.take(&mut rest) {
            self.lines.push_back(line);
        }
        self.lines.extend(self.reader.last());
    }

    /// Carries on for about a millisecond, hands the output to `say`, and returns the next step.
    fn proceed(&mut self, say: impl FnOnce(&[u8])) -> Next {
        self.conversation.begin_round(Instant::now());
        while self.conversation.wants_input()
            && let Some(line) = self.lines.pop_front()
        {
            self.conversation.receive(line, Instant::now());
        }
        self.conversation.proceed(Instant::now);
        let output = self.conversation.output();
        if !output.is_empty() {
            say(output.make_contiguous());
            let length = output.len();
            self.conversation.take(length);
        }
        if self.conversation.is_over() {
            return Next::End;
        }
        if self.searches.slot().job.is_some() {
            return Next::Search;
        }
        let takes_line = !self.lines.is_empty() && self.conversation.wants_input();
        if takes_line || self.conversation.has_work() { Next::Proceed } else { Next::Wait }
    }
}
