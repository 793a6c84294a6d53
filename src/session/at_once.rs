//! What is acted on when it arrives: `stop`, `ponderhit`, `isready`, `quit`, and commands for which there is no room.

use std::sync::atomic::Ordering;

use crate::protocol::{Command, ParseError, Reply};
use crate::text::Excerpt;

use super::{Session, SessionPhase, searches};

impl Session {
    pub(super) fn is_behind_endless_search(&self) -> bool {
        self.current.as_ref().is_some_and(|search| search.endless)
    }

    /// True if the current search is effectively unbounded: only a `stop` ends it within an hour.
    pub(super) fn is_behind_unbounded_search(&self) -> bool {
        self.current.as_ref().is_some_and(|search| search.unbounded)
    }

    /// Ends all searches asked for so far.
    pub(super) fn stop(&mut self) {
        self.stopped_before = self.received;
        self.stop_current();
    }

    /// The move that a search ponders on was played: its time begins.
    pub(super) fn ponder_hit(&mut self) {
        self.hit_before = self.received;
        let now = self.now;
        let Some(search) = &mut self.current else { return };
        let Some(pondered) = search.pondered.take() else { return };
        search.endless = false;
        search.unbounded = pondered.is_unbounded;
        search.deadline = pondered.time.and_then(|time| now.checked_add(time));
        if let (Some(request), Some(deadline)) = (&search.request, search.deadline) {
            search.reply_deadline = Some(searches::reply_deadline(deadline, &request.options));
        }
        if let Some(result) = search.held.take() {
            self.finish(result);
        } else if !pondered.ends {
            self.stop_current();
        }
    }

    /// Ends the running search. Its answer comes with the next event, or now if it was only held back.
    pub(super) fn stop_current(&mut self) {
        let Some(search) = &mut self.current else { return };
        search.stop.store(true, Ordering::Relaxed);
        search.endless = false;
        search.unbounded = false;
        if let Some(telling) = &mut self.telling {
            telling.is_cut = true;
        }
        if let Some(result) = search.held.take() {
            self.finish(result);
        }
    }

    /// Answers `isready`, or puts the answer off until all searches that have been stopped before it have answered.
    pub(super) fn answer_ready(&mut self) {
        match self.ready_owed.back_mut() {
            Some((before, replies)) if *before == self.stopped_before => *replies += 1,
            _ => self.ready_owed.push_back((self.stopped_before, 1)),
        }
        self.answer_owed_ready();
    }

    /// Gives the answers to `isready` that waited for nothing but searches that have answered.
    pub(super) fn answer_owed_ready(&mut self) {
        let first_search = self.current.as_ref().map(|search| search.number).or(self.queue.first_search());
        while let Some(&(before, replies)) = self.ready_owed.front() {
            if first_search.is_some_and(|number| number < before) {
                return;
            }
            (0..replies).for_each(|_| self.say(Reply::ReadyOk));
            self.ready_owed.pop_front();
        }
    }

    /// Ends the session. If a `wait` is queued and no endless search before it, the queue up to that `wait` is carried
    /// out first. Otherwise stops the running search, and drops all that came after the last `stop`.
    pub(super) fn quit(&mut self) {
        let behind_wait = self.queue.behind_wait(self.stopped_before);
        if let Some(place) = behind_wait.filter(|_| !self.is_behind_endless_search()) {
            self.phase = SessionPhase::QuitHeld;
            self.queue.truncate(place);
        } else {
            self.phase = SessionPhase::Quit;
            self.queue.drop_from(self.stopped_before);
            self.stop_current();
        }
    }

    /// Refuses a command for which there is no room.
    pub(super) fn refuse(&mut self, command: &Result<Command, ParseError>) {
        if let Ok(Command::Position(_) | Command::NewGame | Command::SetOption { .. }) = command {
            self.queue.lose_sync();
        }
        let name = match command {
            Ok(command) => Excerpt::of(&command.to_string()).to_string(),
            Err(error) => error.to_string(),
        };
        self.say_error(format_args!("too much waits behind an infinite search; refused until a stop: {name}"));
    }
}
