//! A search as the session hands it out, and what comes back.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use crate::engine::{EngineRequest, EngineResult, SearchBackend};
use crate::text::Excerpt;
use noughts_core::search::{Control, Instant, SearchResult};

/// A search to be run. It holds the engine of the session, so that there cannot be a second search at the same time.
pub struct SearchJob {
    backend: Box<dyn SearchBackend>,
    request: EngineRequest,
    control: Control,
    /// True if the search is over within about a millisecond, so that it needs no thread of its own.
    pub is_quick: bool,
}

/// An event that a search sends to its session.
pub enum SearchEvent {
    /// The result of the running search so far, and the time since it began.
    Progress(SearchResult, Duration),
    /// The search has ended.
    Finished(FinishedSearch),
}

/// The result of a search, or the reason why there is none.
pub type SearchOutcome = Result<EngineResult, String>;

/// A search that has ended, with the engine that it held.
pub struct FinishedSearch {
    /// `None` if the engine panicked.
    pub(crate) backend: Option<Box<dyn SearchBackend>>,
    /// The result, or why there is none.
    pub(crate) result: SearchOutcome,
}

impl SearchJob {
    /// A search that has not begun. The stop flag of `control` ends it soon.
    pub fn new(backend: Box<dyn SearchBackend>, request: EngineRequest, control: Control) -> SearchJob {
        let is_planned_quick = matches!(&request, EngineRequest::Go { plan, .. } if plan.is_quick);
        let is_quick = (is_planned_quick && backend.follows_plan()) || control.check().is_err();
        SearchJob { backend, request, control, is_quick }
    }

    /// Runs the search.
    pub fn run(self, progress: &mut dyn FnMut(SearchEvent)) -> FinishedSearch {
        let SearchJob { mut backend, request, control, .. } = self;
        let start = Instant::now();
        let mut on_progress = |found: &SearchResult| progress(SearchEvent::Progress(found.clone(), start.elapsed()));
        match catch_unwind(AssertUnwindSafe(|| backend.answer(request, control, &mut on_progress))) {
            Ok(result) => FinishedSearch { backend: Some(backend), result: Ok(result) },
            Err(panic) => {
                FinishedSearch { backend: None, result: Err(Excerpt::of(panic_message(panic.as_ref())).to_string()) }
            }
        }
    }

    /// Gives the search up, for this reason.
    pub fn fail(self, reason: String) -> FinishedSearch {
        FinishedSearch { backend: Some(self.backend), result: Err(reason) }
    }
}

/// Runs the searches of a session, one at a time. The program that drives the session provides it.
pub trait SearchExecutor: Send {
    /// Starts a search. A search that ends here and now is returned.
    fn start(&mut self, job: SearchJob) -> Option<FinishedSearch>;

    /// The next event of the search that was started, if there is one.
    fn next_event(&mut self) -> Option<SearchEvent>;
}

/// The message of a panic, by what it carries.
pub fn panic_message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied().or(panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("no reason given")
}
