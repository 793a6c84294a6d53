//! A session: commands in, replies out. Only the session writes replies.

use std::collections::VecDeque;
use std::time::Duration;

use crate::engine::{Engine, GoResult, Options, SearchBackend};
use crate::protocol::{Handshake, Reply};
use noughts_core::search::{Instant, SHORTAGE, SearchResult};

use super::debug_log::DebugLog;
use super::game::Game;
use super::limits::SessionLimits;
use super::replies;
use super::running_search::{RunningSearch, SearchKind};
use super::search_job::{FinishedSearch, SearchJob};

/// Lines of a trace that are sent at once.
const TRACE_PIECE: usize = 64;

/// One client's game, options and searches.
pub struct Session {
    pub(super) limits: SessionLimits,
    pub(super) game: Game,
    pub(super) search: RunningSearch,
    /// The handshake of the client, which says how it counts the moves of a win.
    pub(super) handshake: Handshake,
    /// Every line in and out, where the client wants that.
    pub(super) debug_log: DebugLog,
    outputs: VecDeque<SessionOutput>,
}

/// An output of a session.
pub(super) enum SessionOutput {
    /// Something for the client.
    Reply(Reply),
    /// A search to be run.
    Search(SearchJob),
}

/// A session at its beginning.
impl Default for Session {
    fn default() -> Session {
        Session::with_backend(|| Box::new(Engine::new()))
    }
}

impl Session {
    /// A session that searches by the backends that `make_backend` makes: one to begin with, a new one for each new game,
    /// and one in place of any that panicked.
    pub fn with_backend(make_backend: fn() -> Box<dyn SearchBackend>) -> Session {
        Session {
            limits: SessionLimits::NONE,
            game: Game::new(Options::default()),
            search: RunningSearch::new(make_backend),
            handshake: Handshake::default(),
            debug_log: DebugLog::default(),
            outputs: VecDeque::new(),
        }
    }

    /// The session with these limits.
    pub fn limited_to(mut self, limits: SessionLimits) -> Session {
        let mut options = *self.game.options();
        options.hash = options.hash.min(limits.hash);
        options.threads = options.threads.min(limits.threads);
        self.game = Game::new(options);
        self.limits = limits;
        self
    }

    /// Takes what the running search has found so far, and after what time.
    pub(super) fn take_progress(&mut self, result: SearchResult, elapsed: Duration) {
        let is_go = self.search.search().is_some_and(|search| search.kind == SearchKind::Go);
        // An overdue search has been answered.
        if is_go && !self.search.is_overdue() {
            let progress = GoResult { result, elapsed };
            self.reply(Reply::Info(replies::summary(&progress, self.game.options(), self.handshake)));
        }
    }

    /// Takes a search that has ended.
    pub(super) fn take_finished(&mut self, finished: FinishedSearch) {
        let finished = self.search.finish(finished);
        if let Some((search, outcome)) = finished {
            if self.search.take_shortage() {
                self.reply_error(SHORTAGE);
            }
            self.finish(search, outcome);
        }
        self.start_queued();
    }

    /// Stops or answers a search that has had its time.
    pub(super) fn end_late_search(&mut self, now: Instant) {
        self.search.stop_in_time(self.limits.move_time, now);
        if let Some(search) = self.search.take_late(now) {
            self.answer_late(search, now);
        }
    }

    /// Sends the next lines of a trace.
    pub(super) fn send_trace(&mut self) {
        for _ in 0..TRACE_PIECE {
            let Some(line) = self.search.next_trace_line(self.game.options()) else { return };
            self.reply(line);
        }
    }

    /// Takes the next output away.
    pub(super) fn next_output(&mut self) -> Option<SessionOutput> {
        self.outputs.pop_front()
    }

    pub(super) fn output(&mut self, output: SessionOutput) {
        self.outputs.push_back(output);
    }

    pub(super) fn reply(&mut self, reply: Reply) {
        self.output(SessionOutput::Reply(reply));
    }

    pub(super) fn reply_error(&mut self, text: impl std::fmt::Display) {
        self.reply(Reply::Error(text.to_string()));
    }

    /// Sends those of the replies to a `go` that are wanted.
    pub(super) fn reply_result(&mut self, result: &GoResult, is_wanted: impl Fn(&Reply) -> bool) {
        let outputs = &mut self.outputs;
        replies::answer(result, self.game.options(), self.handshake, |reply| {
            if is_wanted(&reply) {
                outputs.push_back(SessionOutput::Reply(reply));
            }
        });
    }

    /// Replies with a text of several lines, and an empty line to end it.
    pub(super) fn reply_text(&mut self, text: &str) {
        text.lines().chain([""]).for_each(|line| self.reply(Reply::Text(line.to_owned())));
    }
}
