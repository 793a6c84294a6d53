//! A conversation as a state machine: time and searches are in the hands of its driver.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::{Conversation, FinishedSearch, SearchEvent, SearchExecutor, SearchJob, Session};
use crate::protocol::InputLine;

/// Searches that run when the test says so.
#[derive(Clone, Default)]
struct HeldSearches {
    job: Arc<Mutex<Option<SearchJob>>>,
    finished: Arc<Mutex<Option<FinishedSearch>>>,
}

impl HeldSearches {
    fn take(&self) -> Option<SearchJob> {
        self.job.lock().expect("one thread").take()
    }

    /// Runs a search, whose result is the next event.
    fn run(&self, job: SearchJob) {
        *self.finished.lock().expect("one thread") = Some(job.run(&mut |_| {}));
    }
}

impl SearchExecutor for HeldSearches {
    fn start(&mut self, job: SearchJob) -> Option<FinishedSearch> {
        assert!(self.job.lock().expect("one thread").replace(job).is_none(), "two searches at the same time");
        None
    }

    fn next_event(&mut self) -> Option<SearchEvent> {
        self.finished.lock().expect("one thread").take().map(SearchEvent::Finished)
    }
}

fn conversation() -> (Conversation, HeldSearches) {
    let searches = HeldSearches::default();
    (Conversation::new(Session::default(), searches.clone()), searches)
}

/// Hands in a line, which has its turn at once if none waits.
fn send(conversation: &mut Conversation, line: &str, now: Instant) {
    conversation.begin_round(now);
    conversation.receive(InputLine::Text(line.to_owned()), now);
}

/// The text that the client has not read. Now it has.
fn read(conversation: &mut Conversation) -> String {
    let bytes = conversation.output().drain(..).collect();
    String::from_utf8(bytes).expect("output is text")
}

#[test]
fn a_search_that_its_driver_never_runs_is_answered_in_time() {
    let start = Instant::now();
    let (mut conversation, searches) = conversation();
    send(&mut conversation, "setoption size 9", start);
    send(&mut conversation, "go movetime 60000", start);
    let search = searches.take().expect("a search to be run");
    assert!(conversation.output().is_empty() && !search.is_quick);
    let deadline = conversation.deadline().expect("a limit of time");
    assert!((start + Duration::from_secs(59)..start + Duration::from_secs(60)).contains(&deadline));
    conversation.proceed(|| deadline - Duration::from_millis(1));
    assert!(conversation.output().is_empty());
    conversation.proceed(|| deadline);
    assert!(read(&mut conversation).contains("bestmove "));
    // The next search waits for the engine, which comes back with the end of the first.
    send(&mut conversation, "go nodes 10", deadline);
    assert!(searches.take().is_none());
    searches.run(search);
    conversation.proceed(|| deadline);
    assert_eq!(read(&mut conversation), "");
    searches.run(searches.take().expect("the next search"));
    conversation.proceed(|| deadline);
    assert!(read(&mut conversation).contains("bestmove "));
}

#[test]
fn lines_behind_a_search_wait_for_their_turn() {
    let start = Instant::now();
    let (mut conversation, searches) = conversation();
    send(&mut conversation, "go nodes 1", start);
    let search = searches.take().expect("a search to be run");
    for _ in 0..2 {
        send(&mut conversation, "query p1turn", start);
    }
    assert!(conversation.output().is_empty() && !conversation.has_work());
    searches.run(search);
    conversation.proceed(|| start);
    let replies = read(&mut conversation);
    assert_eq!(replies.lines().skip_while(|line| !line.starts_with("bestmove")).count(), 3, "{replies}");
}

#[test]
fn output_that_is_not_read_pauses_the_conversation() {
    let start = Instant::now();
    let (mut conversation, _) = conversation();
    let mut sent = 0;
    while conversation.wants_input() {
        send(&mut conversation, "help", start);
        sent += 1;
        assert!(sent < 1_000_000, "output is not bounded");
    }
    send(&mut conversation, "d", start);
    assert!(!conversation.has_work());
    let replies = read(&mut conversation);
    assert_eq!(replies.lines().count() % sent, 0, "whole answers only");
    assert!(conversation.wants_input() && conversation.has_work());
    conversation.proceed(|| start);
    assert!(!read(&mut conversation).is_empty() && !conversation.has_work());
}
