//! The session as a state machine: time and searches are in the hands of its driver.

use std::time::{Duration, Instant};

use super::{SearchEvent, SearchJob, Session, SessionOutput};
use crate::protocol::{QueryAnswer, Reply};

/// Hands in a command, which is carried out at once.
fn tell(session: &mut Session, command: &str, now: Instant) {
    session.begin_round(now);
    session.receive(command.parse(), command.len(), now);
}

/// The replies that wait, and the search that waits to be run.
fn take(session: &mut Session) -> (Vec<Reply>, Option<SearchJob>) {
    let (mut replies, mut search) = (Vec::new(), None);
    while let Some(output) = session.next_output() {
        match output {
            SessionOutput::Reply(reply) => replies.push(reply),
            SessionOutput::Search(job) => assert!(search.replace(job).is_none(), "two searches at the same time"),
            SessionOutput::DebugLog(name) => panic!("a log file {name}"),
        }
    }
    (replies, search)
}

fn is_move(reply: &Reply) -> bool {
    matches!(reply, Reply::BestMove(Some(_)))
}

#[test]
fn a_search_that_its_driver_never_runs_is_answered_in_time() {
    let start = Instant::now();
    let mut session = Session::new(start);
    tell(&mut session, "setoption size 9", start);
    tell(&mut session, "go movetime 60000", start);
    let (replies, search) = take(&mut session);
    let search = search.expect("a search to be run");
    assert!(replies.is_empty() && !search.is_quick());
    let deadline = session.deadline().expect("a limit of time");
    assert!((start + Duration::from_secs(59)..start + Duration::from_secs(60)).contains(&deadline));
    session.proceed(deadline - Duration::from_millis(1));
    assert!(take(&mut session).0.is_empty());
    session.proceed(deadline);
    assert!(take(&mut session).0.iter().any(is_move));
    // The next search waits for the engine, which comes back with the end of the first.
    tell(&mut session, "go nodes 10", deadline);
    assert!(take(&mut session).1.is_none());
    let finished = search.run(&mut |_| {});
    session.take_event(SearchEvent::Finished(finished), deadline);
    let (replies, search) = take(&mut session);
    assert!(replies.is_empty(), "{replies:?}");
    let finished = search.expect("the next search").run(&mut |_| {});
    session.take_event(SearchEvent::Finished(finished), deadline);
    assert!(take(&mut session).0.iter().any(is_move));
}

#[test]
fn commands_behind_a_search_wait_and_proceed_carries_out_one() {
    let start = Instant::now();
    let mut session = Session::new(start);
    tell(&mut session, "go nodes 1", start);
    let search = take(&mut session).1.expect("a search to be run");
    for _ in 0..2 {
        tell(&mut session, "query p1turn", start);
    }
    assert!(take(&mut session).0.is_empty());
    let finished = search.run(&mut |_| {});
    session.take_event(SearchEvent::Finished(finished), start);
    assert!(take(&mut session).0.iter().any(is_move));
    for left in [true, false] {
        assert!(session.has_work());
        session.proceed(start);
        assert_eq!(take(&mut session).0, [Reply::Response(QueryAnswer::Flag(true))]);
        assert_eq!(session.has_work(), left);
    }
}

#[test]
fn untaken_replies_and_unread_bytes_pause_the_session() {
    let start = Instant::now();
    let mut session = Session::new(start);
    let mut told = 0;
    while session.wants_input() {
        tell(&mut session, "help", start);
        told += 1;
        assert!(told < 10_000, "output is not bounded");
    }
    let replies = take(&mut session).0;
    assert!(session.wants_input());
    assert_eq!(replies.len() % told, 0, "whole answers only");
    session.note_unread(session.limits().waiting);
    assert!(!session.wants_input());
    tell(&mut session, "d", start);
    assert!(take(&mut session).0.is_empty() && !session.has_work());
    session.note_unread(0);
    session.proceed(start);
    assert!(!take(&mut session).0.is_empty());
}
