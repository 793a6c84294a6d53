//! The edge of a session: lines of text in, lines of text out.
//!
//! The first line of a client chooses its protocol, which turns lines into commands and replies into lines.

use std::collections::VecDeque;
use std::time::Duration;

use crate::protocol::adapters::{ClientProtocol, LineEffect, OwnProtocol, ProtocolOutput, protocol_for};
use crate::protocol::{Command, InputLine, Reply};
use noughts_core::search::{Instant, SearchResult};

use super::debug_log::Direction;
use super::inbox::{Inbox, SessionPhase, Turn};
use super::running_search::{RunningSearch, Search};
use super::search_job::{SearchEvent, SearchExecutor};
use super::session::{Session, SessionOutput};

/// The time for which lines have their turn before the driver looks for new input.
const ROUND: Duration = Duration::from_millis(1);

/// One client's conversation. Its driver hands in lines and the time, and takes bytes away.
pub struct Conversation {
    session: Session,
    searches: Box<dyn SearchExecutor>,
    protocol: Box<dyn ClientProtocol>,
    /// True until the first line has come, which chooses the protocol.
    is_protocol_open: bool,
    inbox: Inbox,
    /// When the round began. What comes in during a round was read when it began.
    round_start: Option<Instant>,
    /// Lines that the client has not read.
    output: VecDeque<u8>,
    /// The length of the output while it is nothing but progress, else 0.
    progress_bytes: usize,
    /// The output of the protocol; empty between two calls, so that its memory is used again.
    emitted: ProtocolOutput,
}

impl Conversation {
    /// A conversation with a client that chooses its protocol with its first line.
    pub fn new(session: Session, searches: impl SearchExecutor + 'static) -> Conversation {
        Conversation {
            session,
            searches: Box::new(searches),
            protocol: Box::new(OwnProtocol),
            is_protocol_open: true,
            inbox: Inbox::default(),
            round_start: None,
            output: VecDeque::new(),
            progress_bytes: 0,
            emitted: ProtocolOutput::default(),
        }
    }

    /// A conversation with a client that speaks our own protocol, whatever its first line is.
    pub fn in_own_protocol(session: Session, searches: impl SearchExecutor + 'static) -> Conversation {
        Conversation { is_protocol_open: false, ..Conversation::new(session, searches) }
    }

    /// The conversation with a client that speaks this protocol, whatever its first line is.
    pub fn speaking(self, protocol: Box<dyn ClientProtocol>) -> Conversation {
        Conversation { protocol, is_protocol_open: false, ..self }
    }

    /// Sets an option before the client has said anything.
    ///
    /// # Errors
    /// When the option does not accept the value: the words of the error line that a client would get.
    pub fn preset(&mut self, name: &str, value: &str) -> Result<(), String> {
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        self.session.set_option(&name, value.trim()).map_err(|problem| format!("setoption: {problem}"))
    }

    /// Begins a round: for about a millisecond from now, lines have their turn when they arrive, if none waits.
    pub fn begin_round(&mut self, now: Instant) {
        self.round_start = Some(now);
    }

    fn is_round_over(&self, now: Instant) -> bool {
        self.round_start.is_none_or(|start| now.saturating_duration_since(start) >= ROUND)
    }

    /// Takes a line.
    pub fn receive(&mut self, line: InputLine, now: Instant) {
        if !matches!(self.phase(), SessionPhase::Open | SessionPhase::QuitHeld) {
            return;
        }
        if line.is_silent() {
            if line.is_interrupt() {
                self.protocol.interrupt(&mut self.emitted);
                self.deliver(now);
            }
            return;
        }
        if std::mem::take(&mut self.is_protocol_open) {
            self.protocol = protocol_for(&line);
        }
        self.inbox.count_line();
        let is_open = self.phase() == SessionPhase::Open;
        let is_next = self.inbox.is_empty() && self.can_take_line();
        if is_open && is_next && !self.is_round_over(now) {
            let turn = self.inbox.turn_now(self.round_start.unwrap_or(now));
            return self.take_turn(&line, turn);
        }
        let effect = self.protocol.handle_at_once(&line, &mut self.emitted);
        if let Some(effect) = effect.filter(|_| is_open) {
            self.keep(line, effect);
        }
        self.deliver(now);
    }

    /// Lets a line wait for its turn, or refuses it if it might wait for ever.
    fn keep(&mut self, line: InputLine, effect: LineEffect) {
        if self.has_inbox_room() || !self.is_behind(|search| search.is_unbounded) {
            return self.inbox.push(line, effect);
        }
        if effect == LineEffect::Change {
            self.inbox.lose_sync();
        }
        self.protocol.refuse_line(&line, &mut self.emitted);
    }

    /// Notes that no more lines will come: what waits has its turn, endless searches end.
    pub fn end_of_input(&mut self, now: Instant) {
        self.session.debug_log.end_of_input();
        if self.inbox.end() && self.is_behind(|search| search.is_endless) {
            self.session.end_search(RunningSearch::stop);
        }
        self.deliver(now);
    }

    /// Takes in what searches find, and lets lines that wait have their turn until the round is over. `clock` tells the time.
    pub fn proceed(&mut self, clock: impl Fn() -> Instant) {
        // Short answers are so fast that a step less counts.
        if !self.has_work() && !self.is_searching() {
            return;
        }
        let mut now = clock();
        loop {
            self.step(now);
            if !self.has_work() {
                return;
            }
            now = clock();
            if self.is_round_over(now) {
                return;
            }
        }
    }

    /// Takes in what searches find. Then one line has its turn, or the next lines of a trace are sent.
    fn step(&mut self, now: Instant) {
        while let Some(event) = self.searches.next_event() {
            match event {
                SearchEvent::Progress(result, elapsed) => self.take_progress(result, elapsed, now),
                SearchEvent::Finished(finished) => self.session.take_finished(finished),
            }
            self.deliver(now);
        }
        self.session.end_late_search(now);
        self.deliver(now);
        if !self.session.search.is_tracing() {
            self.take_next_line(now);
        } else if self.has_output_room() {
            self.session.send_trace();
            self.deliver(now);
        }
    }

    /// Takes in what a search has found so far. A client that does not read gets no progress.
    fn take_progress(&mut self, result: SearchResult, elapsed: Duration, now: Instant) {
        if self.output.is_empty() {
            self.session.take_progress(result, elapsed);
            self.deliver(now);
            self.progress_bytes = self.output.len();
        }
    }

    /// Lets the next line have its turn, if it can be taken. A protocol that is busy looks for a line that ends its search.
    fn take_next_line(&mut self, now: Instant) {
        while !self.can_take_line() {
            let Some(line) = self.inbox.first().filter(|_| self.protocol.is_busy()) else { return };
            let is_done = self.protocol.handle_at_once(line, &mut self.emitted).is_none();
            let has_commands = !self.emitted.commands.is_empty();
            self.deliver(now);
            if is_done {
                self.inbox.pop(now);
            } else if !has_commands {
                return;
            }
        }
        if let Some((line, turn, loses_sync)) = self.inbox.pop(now) {
            self.take_turn(&line, turn);
            if loses_sync {
                self.session.game.lose_sync();
            }
        }
    }

    fn take_turn(&mut self, line: &InputLine, turn: Turn) {
        self.protocol.handle_line(line, &mut self.emitted);
        self.emit(turn);
        self.deliver(turn.since);
    }

    /// Takes what the protocol has put out: text goes to the client, commands are carried out.
    fn emit(&mut self, turn: Turn) {
        self.write_text();
        let mut commands = std::mem::take(&mut self.emitted.commands);
        commands.drain(..).for_each(|command| self.carry_out(command, turn));
        self.emitted.commands = commands;
    }

    fn write_text(&mut self) {
        if !self.emitted.text.is_empty() {
            self.output.extend(self.emitted.text.as_bytes());
            self.emitted.text.clear();
            self.progress_bytes = 0;
        }
    }

    fn carry_out(&mut self, command: Command, turn: Turn) {
        match command {
            Command::Stop => {
                self.inbox.stop();
                self.session.end_search(RunningSearch::stop);
            }
            Command::PonderHit => {
                self.inbox.ponder_hit();
                self.session.end_search(|search| search.ponder_hit(turn.since));
            }
            Command::IsReady => self.inbox.owe_ready(),
            Command::Wait => self.inbox.wait(),
            Command::Quit => {
                if self.inbox.quit(self.is_behind(|search| search.is_endless)) {
                    self.session.end_search(RunningSearch::quit);
                }
            }
            command => self.session.carry_out(command, turn),
        }
    }

    /// Delivers what protocol and session have put out, until there is nothing more. The time of a command counts from
    /// `since` on.
    fn deliver(&mut self, since: Instant) {
        loop {
            self.emit(self.inbox.turn_now(since));
            match self.session.next_output() {
                Some(SessionOutput::Reply(reply)) => self.protocol.handle_reply(reply, &mut self.emitted),
                Some(SessionOutput::Search(job)) => {
                    if let Some(finished) = self.searches.start(job) {
                        self.session.take_finished(finished);
                    }
                }
                None if self.answer_ready() || self.end_protocol() => {}
                None => return,
            }
        }
    }

    /// Answers an `isready` that has nothing left to wait for. Returns false if there is none.
    fn answer_ready(&mut self) -> bool {
        let searching = self.session.search.search().map(|search| search.number);
        let is_due = self.inbox.take_ready(searching);
        if is_due {
            self.protocol.handle_reply(Reply::ReadyOk, &mut self.emitted);
        }
        is_due
    }

    /// Tells the protocol that no more lines will come. Returns false if it has nothing to do for that.
    fn end_protocol(&mut self) -> bool {
        if self.phase() == SessionPhase::InputEnded && self.inbox.is_empty() {
            self.protocol.end_of_input(&mut self.emitted);
        }
        !self.emitted.commands.is_empty()
    }

    /// Writes input to the debug log, if the client wants one.
    pub fn note_input(&mut self, bytes: &[u8]) {
        let noted = self.session.debug_log.pass(Direction::In, bytes);
        self.report_log(noted);
    }

    /// Takes so many bytes of output away, which the client has read.
    pub fn take(&mut self, bytes: usize) {
        let is_noted = self.session.debug_log.is_open();
        let taken = self.output.drain(..bytes);
        if is_noted {
            let taken: Vec<u8> = taken.collect();
            let noted = self.session.debug_log.pass(Direction::Out, &taken);
            self.report_log(noted);
        }
    }

    /// Tells the client that the debug log has ended. A log that cannot be written does not stop the engine.
    fn report_log(&mut self, noted: Result<(), String>) {
        if let Err(problem) = noted {
            self.protocol.handle_reply(Reply::Error(problem), &mut self.emitted);
            self.write_text();
        }
    }

    /// Output that the client has not read. The driver removes from the front what the client takes.
    pub fn output(&mut self) -> &mut VecDeque<u8> {
        &mut self.output
    }

    /// Drops progress that the client has not taken, so that it does not count as output that waits.
    pub fn drop_progress(&mut self) {
        // A line that has been written in part has to be finished.
        if self.output.len() == self.progress_bytes {
            self.output.clear();
        }
    }

    /// True if a line may be handed in now. Otherwise reading pauses until something has been done or taken.
    pub fn wants_input(&self) -> bool {
        let is_open = matches!(self.phase(), SessionPhase::Open | SessionPhase::QuitHeld);
        is_open && self.has_output_room() && (self.has_inbox_room() || self.is_behind(|search| search.is_unbounded))
    }

    /// True if [`Conversation::proceed`] has something to do without waiting for a search.
    pub fn has_work(&self) -> bool {
        let has_line = !self.inbox.is_empty() && self.can_take_line();
        self.has_output_room() && (has_line || self.session.search.is_tracing())
    }

    /// True if a line can have its turn.
    fn can_take_line(&self) -> bool {
        self.has_output_room() && self.session.search.search().is_none() && !self.protocol.is_busy()
    }

    fn has_output_room(&self) -> bool {
        self.output.len() < self.session.limits.waiting
    }

    fn has_inbox_room(&self) -> bool {
        !self.inbox.is_full(self.session.limits.waiting)
    }

    /// True if there is such a search under way.
    fn is_behind(&self, is_such: impl Fn(&Search) -> bool) -> bool {
        self.session.search.search().is_some_and(is_such)
    }

    /// The phase of the conversation: open, or how it ends.
    pub fn phase(&self) -> SessionPhase {
        self.inbox.phase()
    }

    /// True if the conversation is over and only output may be left to be taken away.
    pub fn is_over(&self) -> bool {
        self.phase() != SessionPhase::Open && self.inbox.is_empty() && self.session.search.search().is_none()
    }

    /// True if a search is under way, or has not given the engine back.
    fn is_searching(&self) -> bool {
        self.session.search.search().is_some() || self.session.search.is_overdue()
    }

    /// When [`Conversation::proceed`] is to be called at the latest, to stop or answer a search in time.
    pub fn deadline(&self) -> Option<Instant> {
        self.session.search.deadline(self.session.limits.move_time)
    }

    /// True if a search is under way that will answer by itself.
    pub fn awaits_answer(&self) -> bool {
        self.is_behind(|search| !search.is_endless)
    }

    /// True if a `wait` has come: the client is a script that wants everything it has asked for.
    pub fn has_been_asked_to_wait(&self) -> bool {
        self.inbox.has_wait()
    }
}
