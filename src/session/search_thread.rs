//! Native driver: a thread for the searches of one session. It lives as long as the session.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use super::search_job::{FinishedSearch, SearchEvent, SearchExecutor, SearchJob};

/// Called from the search thread when there is a new event.
type Wake = Box<dyn Fn() + Send>;

/// The session's end of the search thread. The thread starts with the first search that is not quick.
pub struct SearchThread {
    /// Taken by the thread when it starts.
    wake: Option<Wake>,
    channels: Option<(Sender<SearchJob>, Receiver<SearchEvent>)>,
}

impl SearchThread {
    /// `wake` is called from the search thread whenever there is a new event.
    pub fn new(wake: impl Fn() + Send + 'static) -> SearchThread {
        SearchThread { wake: Some(Box::new(wake)), channels: None }
    }

    fn jobs(&mut self) -> Result<&Sender<SearchJob>, String> {
        if let Some(wake) = self.wake.take() {
            let (job_sender, jobs) = channel();
            let (event_sender, events) = channel();
            thread::Builder::new()
                .name("search".to_owned())
                .spawn(move || serve(&jobs, &event_sender, wake.as_ref()))
                .map_err(|error| format!("no search thread: {error}"))?;
            self.channels = Some((job_sender, events));
        }
        self.channels.as_ref().map(|(jobs, _)| jobs).ok_or_else(|| "no search thread".to_owned())
    }
}

impl SearchExecutor for SearchThread {
    /// A quick search runs on the calling thread.
    fn start(&mut self, job: SearchJob) -> Option<FinishedSearch> {
        if job.is_quick() {
            return Some(job.run(&mut |_| {}));
        }
        match self.jobs() {
            Ok(jobs) => jobs.send(job).err().map(|unsent| unsent.0.fail("the search thread has ended".to_owned())),
            Err(reason) => Some(job.fail(reason)),
        }
    }

    fn next_event(&mut self) -> Option<SearchEvent> {
        self.channels.as_ref().and_then(|(_, events)| events.try_recv().ok())
    }
}

/// Runs one search after the other until the session is gone.
fn serve(jobs: &Receiver<SearchJob>, events: &Sender<SearchEvent>, wake: &dyn Fn()) {
    for job in jobs {
        let mut progress = |event| {
            // When the session is gone, its stop flag ends the search.
            let _ = events.send(event);
            wake();
        };
        let finished = job.run(&mut progress);
        if events.send(SearchEvent::Finished(finished)).is_err() {
            return;
        }
        wake();
    }
}
