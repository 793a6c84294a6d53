//! `trace`: its search, and its lines, which are said in pieces while the client reads.

use crate::engine::{EngineRequest, Options, Trace, TraceCounts, TraceRequest, TraceSearch};
use crate::protocol::{Reply, TraceCommand, end_line, event_line, total_line};
use noughts_core::search::generator;

use super::searches::{CurrentSearch, SearchKind};
use super::{Session, SessionPhase};

/// Lines that are said at once.
const PIECE: usize = 64;

/// A trace that is being said.
pub struct TraceTelling {
    trace: Box<Trace>,
    /// Lines of events so far.
    sent: TraceCounts,
    /// Lines of totals so far.
    totals: usize,
    /// Set by a `stop`: no more events are said.
    pub is_cut: bool,
}

impl TraceTelling {
    pub fn new(trace: Box<Trace>) -> TraceTelling {
        TraceTelling { trace, sent: TraceCounts::default(), totals: 0, is_cut: false }
    }

    /// The next line before the end.
    fn next_line(&mut self, options: &Options) -> Option<String> {
        if let Some(event) = self.trace.log.events.get(self.sent.sum() as usize).filter(|_| !self.is_cut) {
            self.sent.add(event.kind());
            return Some(event_line(event, options));
        }
        let total = self.trace.totals.get(self.totals)?;
        self.totals += 1;
        Some(total_line(total, options))
    }
}

impl Session {
    pub(super) fn trace(&mut self, number: u64, command: &TraceCommand) {
        if self.is_out_of_sync("trace") {
            return;
        }
        if command.trials.is_some() && matches!(command.search, TraceSearch::Textbook(_)) {
            let note = "trace: \"trials\" means nothing for a textbook search and is left out of account";
            self.say(Reply::Note(note.to_owned()));
        }
        let request = TraceRequest {
            search: command.search,
            position: self.position,
            events: command.events.map_or(TraceRequest::DEFAULT_EVENTS, |events| events as usize),
            trials: command.trials.map(Into::into),
            options: self.options,
            generator: generator(self.streams.seed, self.streams.next_trace()),
        };
        self.begin(number, SearchKind::Trace(command.search), EngineRequest::Trace(Box::new(request)), None);
    }

    /// Begins to say the result of a search. It stays the current one until all is said.
    pub(super) fn begin_telling(&mut self, search: CurrentSearch, trace: Box<Trace>) {
        self.current = Some(search);
        self.telling = Some(TraceTelling::new(trace));
        self.tell_trace();
    }

    /// Says the next lines of a trace. Its search is over after the last one.
    pub(super) fn tell_trace(&mut self) {
        let Some(mut telling) = self.telling.take() else { return };
        // A client that quits may read no more.
        telling.is_cut |= self.phase == SessionPhase::Quit;
        for _ in 0..PIECE {
            let Some(line) = telling.next_line(&self.options) else {
                self.say(Reply::Text(end_line(&telling.trace, &telling.sent, &self.options)));
                self.current = None;
                return self.answer_owed_ready();
            };
            self.say(Reply::Text(line));
        }
        self.telling = Some(telling);
    }
}
