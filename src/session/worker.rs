//! The search thread: it lives as long as the session, and has the engine while it thinks.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::engine::{Engine, EngineRequest, EngineResult, SEARCH_STACK_BYTES};
use noughts_core::search::SearchResult;

/// What the search thread says.
pub enum Event {
    /// What the running search has found so far, after this time.
    Progress(SearchResult, Duration),
    /// The search has ended: the engine is back, unless it panicked.
    Finished(Option<Engine>, Result<EngineResult, String>),
}

struct Order {
    engine: Engine,
    assignment: EngineRequest,
    stop: Arc<AtomicBool>,
}

/// The session's end of the search thread, which is started when it is first needed.
pub struct Worker {
    /// Taken by the thread when it starts.
    wake: Option<Box<dyn Fn() + Send>>,
    channels: Option<(Sender<Order>, Receiver<Event>)>,
}

impl Worker {
    pub fn new(wake: Box<dyn Fn() + Send>) -> Worker {
        Worker { wake: Some(wake), channels: None }
    }

    /// The next event, if there is one.
    pub fn event(&self) -> Option<Event> {
        self.channels.as_ref().and_then(|(_, events)| events.try_recv().ok())
    }

    /// Starts a search. The engine comes back in the event that ends it.
    ///
    /// # Errors
    /// Gives the engine back with the reason when there is no thread to search on.
    pub fn search(
        &mut self,
        engine: Engine,
        assignment: EngineRequest,
        stop: Arc<AtomicBool>,
    ) -> Result<(), (Engine, String)> {
        let orders = match self.orders() {
            Ok(orders) => orders,
            Err(error) => return Err((engine, error)),
        };
        let order = Order { engine, assignment, stop };
        orders.send(order).map_err(|unsent| (unsent.0.engine, "the search thread has ended".to_owned()))
    }

    fn orders(&mut self) -> Result<&Sender<Order>, String> {
        if let Some(wake) = self.wake.take() {
            let (order_sender, orders) = channel();
            let (event_sender, events) = channel();
            thread::Builder::new()
                .name("search".to_owned())
                .stack_size(SEARCH_STACK_BYTES)
                .spawn(move || serve(&orders, &event_sender, wake.as_ref()))
                .map_err(|error| format!("no search thread: {error}"))?;
            self.channels = Some((order_sender, events));
        }
        self.channels.as_ref().map(|(orders, _)| orders).ok_or_else(|| "no search thread".to_owned())
    }
}

/// Carries out one search after the other until the session is gone.
fn serve(orders: &Receiver<Order>, events: &Sender<Event>, wake: &dyn Fn()) {
    for Order { mut engine, assignment, stop } in orders {
        let start = Instant::now();
        let mut report = |verdict: &SearchResult| {
            // When the session is gone, its stop flag ends the search.
            let _ = events.send(Event::Progress(verdict.clone(), start.elapsed()));
            wake();
        };
        let answer = catch_unwind(AssertUnwindSafe(|| engine.answer(assignment, stop, &mut report)));
        let event = match answer {
            Ok(answer) => Event::Finished(Some(engine), Ok(answer)),
            Err(panic) => Event::Finished(None, Err(panic_text(panic.as_ref()))),
        };
        if events.send(event).is_err() {
            return;
        }
        wake();
    }
}

/// What a panic said.
pub fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or(panic.downcast_ref::<String>().map(String::as_str));
    crate::text::Excerpt::of(text.unwrap_or("no reason given")).to_string()
}
