//! The engine of a session, and the search that is under way.
//!
//! ```text
//!           begin           the engine is here             its result
//!   none ---------> Queued -------------------> Running ---------------> none
//!                                                  |  endless: held       ^
//!                                                  +---------------> Held + stop, ponderhit
//!                                                  |  a trace             |
//!                                                  +-----------> Tracing -+ its last line
//! ```
//!
//! A search whose time is over is answered without its result. Then there is none, and the engine is overdue until
//! its result comes. The next search is queued meanwhile.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::engine::{EngineRequest, GoRequest, Options, SearchBackend, Trace, TraceSearch};
use crate::protocol::Reply;
use noughts_core::game::Cell;
use noughts_core::search::{BestSoFar, Control, Instant};

use super::inbox::Turn;
use super::search_job::{FinishedSearch, SearchJob, SearchOutcome};
use super::trace::TraceOutput;

/// The engine, and the search that is under way.
pub struct RunningSearch {
    make_backend: fn() -> Box<dyn SearchBackend>,
    /// `None` while a search holds it.
    backend: Option<Box<dyn SearchBackend>>,
    current: Option<(Search, SearchState)>,
    /// Set while a search holds the engine though its `go` has been answered.
    overdue: Option<OverdueEngine>,
    /// True if the client reads no more than what it has to.
    is_quitting: bool,
}

enum SearchState {
    /// The search waits for the engine.
    Queued(EngineRequest),
    /// The search holds the engine.
    Running,
    /// The search has ended, and its answer is held back.
    Held(SearchOutcome),
    /// The search was a trace, whose lines are being sent.
    Tracing(TraceOutput),
}

/// The later use of an engine whose `go` has been answered without it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum OverdueEngine {
    /// It is used again.
    Kept,
    /// A new game has begun meanwhile: a new engine takes its place.
    Replaced,
}

/// A search that a client has asked for.
pub struct Search {
    /// The number of the line that asked for it.
    pub number: u64,
    pub kind: SearchKind,
    pub since: Instant,
    /// The request, if it was for a move.
    pub request: Option<Arc<GoRequest>>,
    /// The best move so far.
    pub best: BestSoFar,
    /// True if the answer is held back until `stop`.
    pub is_endless: bool,
    /// True if the search is effectively unbounded: only a `stop` ends it within an hour.
    pub is_unbounded: bool,
    stop: Arc<AtomicBool>,
    /// When the session ends the search, if the search itself does not know when.
    deadline: Option<Instant>,
    /// When a `go` with a limit of time is answered at the latest, whether the search has come to its end or not.
    reply_deadline: Option<Instant>,
    /// For `go ponder`, what counts from `ponderhit` on.
    pondered: Option<PonderLimits>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchKind {
    Go,
    Eval,
    EvalExact,
    Explain(Option<Cell>),
    Trace(TraceSearch),
}

/// The limits of a `go ponder` that have not counted yet.
#[derive(Clone, Copy)]
pub struct PonderLimits {
    /// The time for the move.
    pub time: Option<Duration>,
    /// True if anything but `stop` ends the search.
    pub ends: bool,
    /// True if the search is effectively unbounded then.
    pub is_unbounded: bool,
}

impl Search {
    /// A search that begins in this turn. The answer of a search that ponders is held back.
    pub fn new(turn: Turn, kind: SearchKind, request: &EngineRequest, pondered: Option<PonderLimits>) -> Search {
        let (go, plan) = match request {
            EngineRequest::Go { request, plan } => (Some(Arc::clone(request)), Some(plan)),
            EngineRequest::Explain(_) | EngineRequest::Trace(_) => (None, None),
        };
        let is_infinite = plan.is_some_and(|plan| plan.is_infinite) || pondered.is_some();
        let is_stopped = turn.is_stopped || (is_infinite && turn.is_input_over);
        let reply_deadline = go.as_ref().filter(|_| kind == SearchKind::Go).and_then(|go| {
            let time = pondered.map_or(plan?.move_time(), |pondered| pondered.time)?;
            Some(reply_deadline(turn.since.checked_add(time)?, &go.options))
        });
        Search {
            number: turn.number,
            kind,
            since: turn.since,
            request: go,
            best: BestSoFar::default(),
            is_endless: is_infinite && !is_stopped,
            is_unbounded: request.is_unbounded() && !is_stopped,
            stop: Arc::new(AtomicBool::new(is_stopped)),
            deadline: None,
            reply_deadline,
            pondered,
        }
    }
}

/// When the session answers in place of a search that should have ended at `deadline`: a tenth of the overhead later,
/// and at least `LEAST_GRACE`, so that a search that ends in time can answer itself.
fn reply_deadline(deadline: Instant, options: &Options) -> Instant {
    deadline + LEAST_GRACE.max(Duration::from_millis(options.move_overhead.into()) / 10)
}

/// The least time from the deadline of a search to an answer without it.
const LEAST_GRACE: Duration = Duration::from_millis(1);

impl RunningSearch {
    /// No search, and an engine of this kind.
    pub fn new(make_backend: fn() -> Box<dyn SearchBackend>) -> RunningSearch {
        let backend = Some(make_backend());
        RunningSearch { make_backend, backend, current: None, overdue: None, is_quitting: false }
    }

    /// The search that is under way.
    pub fn search(&self) -> Option<&Search> {
        self.current.as_ref().map(|(search, _)| search)
    }

    /// The search that is under way, if it has not ended.
    fn unfinished(&self) -> Option<&Search> {
        let is_unfinished = |state: &SearchState| matches!(state, SearchState::Queued(_) | SearchState::Running);
        self.current.as_ref().filter(|(_, state)| is_unfinished(state)).map(|(search, _)| search)
    }

    /// True if the engine is out, and its search has been answered without it.
    pub fn is_overdue(&self) -> bool {
        self.overdue.is_some()
    }

    /// True if a trace is being sent.
    pub fn is_tracing(&self) -> bool {
        matches!(self.current, Some((_, SearchState::Tracing(_))))
    }

    /// Queues a search. No other search is under way.
    pub fn queue(&mut self, search: Search, request: EngineRequest) {
        self.current = Some((search, SearchState::Queued(request)));
    }

    /// Gives the engine to the search that waits for it.
    pub fn start_queued(&mut self) -> Option<SearchJob> {
        let (search, state) = self.current.as_mut().filter(|(_, state)| matches!(state, SearchState::Queued(_)))?;
        let backend = self.backend.take()?;
        let SearchState::Queued(request) = std::mem::replace(state, SearchState::Running) else { return None };
        let control = Control::new(Arc::clone(&search.stop), None, None).publishing(search.best.clone());
        Some(SearchJob::new(backend, request, control))
    }

    /// Takes the engine back from a search that has ended. Returns the search with its result, unless it has been answered.
    pub fn finish(&mut self, finished: FinishedSearch) -> Option<(Search, SearchOutcome)> {
        let FinishedSearch { backend, result } = finished;
        let overdue = self.overdue.take();
        let kept = backend.filter(|_| overdue != Some(OverdueEngine::Replaced));
        self.backend = Some(kept.unwrap_or_else(self.make_backend));
        let (search, _) = self.current.take_if(|(_, state)| matches!(state, SearchState::Running))?;
        Some((search, result))
    }

    /// Says once whether the last search had less memory than it was to have.
    pub fn take_shortage(&mut self) -> bool {
        self.backend.as_mut().is_some_and(|backend| backend.take_shortage())
    }

    /// Holds a result back until the search is stopped.
    pub fn hold(&mut self, search: Search, outcome: SearchOutcome) {
        self.current = Some((search, SearchState::Held(outcome)));
    }

    fn take_held(&mut self) -> Option<(Search, SearchOutcome)> {
        match self.current.take_if(|(_, state)| matches!(state, SearchState::Held(_)))? {
            (search, SearchState::Held(outcome)) => Some((search, outcome)),
            _ => None,
        }
    }

    /// Ends the search. Returns it with its result if that was only held back; otherwise its answer comes with its end.
    pub fn stop(&mut self) -> Option<(Search, SearchOutcome)> {
        let (search, state) = self.current.as_mut()?;
        search.stop.store(true, Ordering::Relaxed);
        (search.is_endless, search.is_unbounded) = (false, false);
        if let SearchState::Tracing(output) = state {
            output.cut();
        }
        self.take_held()
    }

    /// Ends the search like [`RunningSearch::stop`]; from now on no more of a trace is sent than its end.
    pub fn quit(&mut self) -> Option<(Search, SearchOutcome)> {
        self.is_quitting = true;
        self.stop()
    }

    /// The move that the search ponders on was played: its time begins. Returns the search with its result if that was only
    /// held back.
    pub fn ponder_hit(&mut self, now: Instant) -> Option<(Search, SearchOutcome)> {
        let (search, _) = self.current.as_mut()?;
        let pondered = search.pondered.take()?;
        search.is_endless = false;
        search.is_unbounded = pondered.is_unbounded;
        search.deadline = pondered.time.and_then(|time| now.checked_add(time));
        if let (Some(request), Some(deadline)) = (&search.request, search.deadline) {
            search.reply_deadline = Some(reply_deadline(deadline, &request.options));
        }
        if pondered.ends { self.take_held() } else { self.stop() }
    }

    /// Replaces the engine by one that remembers nothing.
    pub fn renew_engine(&mut self) {
        match &mut self.overdue {
            Some(overdue) => *overdue = OverdueEngine::Replaced,
            None => self.backend = Some((self.make_backend)()),
        }
    }

    /// When the search is to be stopped, if no search may take longer than `longest`.
    fn stop_deadline(&self, longest: Option<Duration>) -> Option<Instant> {
        let search = self.unfinished()?;
        let limit = longest.and_then(|time| search.since.checked_add(time));
        limit.into_iter().chain(search.deadline).min().filter(|_| !search.stop.load(Ordering::Relaxed))
    }

    /// When the search is to be answered, whether it has ended or not. An answer that is held back has no such time.
    fn reply_deadline(&self) -> Option<Instant> {
        let is_open = |search: &&Search| !search.is_endless && search.pondered.is_none();
        self.unfinished().filter(is_open)?.reply_deadline
    }

    /// The next time at which the search is to be stopped or answered.
    pub fn deadline(&self, longest: Option<Duration>) -> Option<Instant> {
        self.stop_deadline(longest).into_iter().chain(self.reply_deadline()).min()
    }

    /// Stops the search if it has had its time. The answer of an infinite search is held back as ever.
    pub fn stop_in_time(&mut self, longest: Option<Duration>, now: Instant) {
        if self.stop_deadline(longest).is_some_and(|deadline| deadline <= now)
            && let Some(search) = self.search()
        {
            search.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Takes the search away if it has not ended in time. Its engine is overdue then. If the search was still waiting for an
    /// overdue engine, nothing changes for that.
    pub fn take_late(&mut self, now: Instant) -> Option<Search> {
        let is_late = self.reply_deadline().is_some_and(|deadline| deadline <= now);
        let (search, _) = self.current.take_if(|_| is_late)?;
        search.stop.store(true, Ordering::Relaxed);
        self.overdue.get_or_insert(OverdueEngine::Kept);
        Some(search)
    }

    /// Begins to send a trace. Its search is under way until the last line.
    pub fn send_trace(&mut self, search: Search, trace: Box<Trace>) {
        let mut output = TraceOutput::new(trace);
        if self.is_quitting {
            output.cut();
        }
        self.current = Some((search, SearchState::Tracing(output)));
    }

    /// The next line of the trace. The search is over after the last one.
    pub fn next_trace_line(&mut self, options: &Options) -> Option<Reply> {
        let Some((_, SearchState::Tracing(output))) = &mut self.current else { return None };
        let (line, is_last) = output.next_line(options);
        if is_last {
            self.current = None;
        }
        Some(line)
    }
}

/// A search does not outlive the session that asked for it.
impl Drop for RunningSearch {
    fn drop(&mut self) {
        if let Some(search) = self.search() {
            search.stop.store(true, Ordering::Relaxed);
        }
    }
}
