//! An engine on a thread of its own.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use crate::engine::{Engine, GoRequest, Options, SearchPurpose};
use noughts_core::game::Position;
use noughts_core::search::{Limits, SearchResult, Stream, generator};

use super::player_answer::{AnswerHandler, LatestProgress, PlayerAnswer, PlayerError, PlayerReply};

/// The board's end of a thread that owns an engine and answers one request after the other. No call waits for a search.
/// Dropping it ends the running search and the thread.
pub struct EngineThread {
    requests: Sender<NumberedRequest>,
    /// Ends the latest search when it is set.
    stop: Arc<AtomicBool>,
    progress: LatestProgress<SearchResult>,
    /// The seed of its random numbers.
    seed: u64,
    /// Searches so far: each takes the next stream of random numbers.
    searches: u64,
}

struct NumberedRequest {
    number: u64,
    request: GoRequest,
    stop: Arc<AtomicBool>,
}

impl EngineThread {
    /// Starts the thread, with random numbers of this seed; its answers go to `handler`.
    ///
    /// # Errors
    /// When the system has no thread left.
    pub fn start(seed: u64, handler: AnswerHandler) -> io::Result<EngineThread> {
        let (requests, received) = channel();
        let progress = LatestProgress::default();
        let thread = thread::Builder::new().name("player".to_owned());
        let shared = progress.clone();
        thread.spawn(move || run(&received, &handler, &shared))?;
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
        let _ = self.requests.send(NumberedRequest { number, request, stop: Arc::clone(&self.stop) });
    }

    /// What the running search has found so far, if it is the one with this number.
    pub fn progress(&self, number: u64) -> Option<SearchResult> {
        self.progress.get(number)
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

fn run(requests: &Receiver<NumberedRequest>, handler: &AnswerHandler, progress: &LatestProgress<SearchResult>) {
    let mut engine = Engine::new();
    for NumberedRequest { number, request, stop } in requests {
        if stop.load(Ordering::Relaxed) {
            continue;
        }
        let mut report = |result: &SearchResult| progress.set(number, result.clone());
        let result = match catch_unwind(AssertUnwindSafe(|| engine.think(request, stop, &mut report))) {
            Ok(found) => Ok(PlayerReply::Searched(Box::new(found.result))),
            Err(_) => {
                engine = Engine::new();
                Err(PlayerError::Search)
            }
        };
        handler(PlayerAnswer { request: number, result });
    }
}
