//! An engine on a thread of its own, for built-in players and hints.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;

use crate::engine::{Engine, EngineRequest, EngineResult, GoRequest, Options, SearchBackend, SearchPurpose};
use crate::session::{SearchEvent, SearchJob, start_job_thread};
use noughts_core::game::Position;
use noughts_core::search::{Control, Limits, Stream, generator};

use super::evaluation::Evaluation;
use super::player_answer::{AnswerHandler, LatestProgress, PlayerAnswer, PlayerReply};

/// The board's end of a thread that owns an engine and answers one request after the other. No call waits for a search.
/// Dropping it ends the running search and the thread.
pub struct EngineThread {
    requests: Sender<NumberedRequest>,
    /// Ends the latest search when it is set.
    stop: Arc<AtomicBool>,
    /// The findings of the running search so far.
    pub progress: LatestProgress,
    /// The seed of its random numbers.
    seed: u64,
    /// Searches so far: each takes the next stream of random numbers.
    searches: u64,
}

/// A request with its number, and what ends its search.
type NumberedRequest = (u64, GoRequest, Arc<AtomicBool>);

impl EngineThread {
    /// Starts the thread, with random numbers of this seed; its answers go to `handler`.
    ///
    /// # Errors
    /// When the system has no thread left.
    pub fn start(seed: u64, handler: AnswerHandler) -> io::Result<EngineThread> {
        let progress = LatestProgress::default();
        let shared = progress.clone();
        let mut idle: Option<Box<dyn SearchBackend>> = None;
        let requests = start_job_thread("player", move |(number, request, stop): NumberedRequest| {
            if stop.load(Ordering::Relaxed) {
                return;
            }
            let side = request.position.side();
            let backend = idle.take().unwrap_or_else(|| Box::new(Engine::new()));
            let control = Control::new(stop, None, None);
            let finished = SearchJob::new(backend, EngineRequest::go(request), control).run(&mut |event| {
                if let SearchEvent::Progress(result, _) = event {
                    shared.set(number, Evaluation::of_search(side, &result));
                }
            });
            idle = finished.backend;
            let result = match finished.result {
                Ok(EngineResult::Go(found)) => Ok(PlayerReply::Searched(Box::new(found.result))),
                // The search has panicked.
                _ => Err("failed in its search".to_owned()),
            };
            handler(PlayerAnswer { request: number, result });
        })?;
        Ok(EngineThread { requests, stop: Arc::default(), progress, seed, searches: 0 })
    }

    /// Stops the search before, if it still runs, and asks for a move or hints. The answer has the same number.
    pub fn ask(&mut self, number: u64, position: Position, options: Options, limits: Limits, purpose: SearchPurpose) {
        self.stop();
        self.stop = Arc::default();
        self.searches += 1;
        let generator = generator(self.seed, Stream::Go(self.searches));
        let request = GoRequest { purpose, ..GoRequest::new(position, options, limits, generator) };
        // The thread ends only after this end of the channel has gone.
        let _ = self.requests.send((number, request, Arc::clone(&self.stop)));
    }

    /// Ends the latest search. It may or may not be answered.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

impl Drop for EngineThread {
    fn drop(&mut self) {
        self.stop();
    }
}
