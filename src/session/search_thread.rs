//! Native driver: a thread for searches. One runs those of a session; players and hints at the terminal have their own.

use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use super::search_job::{FinishedSearch, SearchEvent, SearchExecutor, SearchJob};

/// Starts a thread that runs one job after the other. It ends when the sender is dropped.
///
/// # Errors
/// When the system has no thread left.
pub fn start_job_thread<J: Send + 'static>(name: &str, run: impl FnMut(J) + Send + 'static) -> io::Result<Sender<J>> {
    let (sender, jobs) = channel();
    thread::Builder::new().name(name.to_owned()).spawn(move || jobs.into_iter().for_each(run))?;
    Ok(sender)
}

/// Called from the search thread when there is a new event.
type Wake = Box<dyn Fn() + Send>;

/// The session's end of its search thread. The thread starts with the first search that is not quick, and lives as long as
/// the session.
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
            let (event_sender, events) = channel();
            let mut send = move |event| {
                // When the session is gone, its stop flag ends the search.
                let _ = event_sender.send(event);
                wake();
            };
            let run = move |job: SearchJob| {
                let finished = job.run(&mut send);
                send(SearchEvent::Finished(finished));
            };
            let jobs = start_job_thread("search", run).map_err(|error| format!("no search thread: {error}"))?;
            self.channels = Some((jobs, events));
        }
        self.channels.as_ref().map(|(jobs, _)| jobs).ok_or_else(|| "no search thread".to_owned())
    }
}

impl SearchExecutor for SearchThread {
    /// A quick search runs on the calling thread.
    fn start(&mut self, job: SearchJob) -> Option<FinishedSearch> {
        if job.is_quick {
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
