//! The session: commands in, replies out, one search at a time.
//!
//! A [`Session`] is a state machine. It has no input, no output, no thread, no clock and no file of its own, so the same code
//! serves standard input, a browser and a test in memory. Its driver hands in commands, the time, and what searches tell; it
//! takes away [`SessionOutput`]s: replies, searches to be run, and the name of a log file to open. Only the session writes
//! replies.
//!
//! | file | what it holds |
//! |---|---|
//! | `mod.rs` | the state, and how the driver moves it on |
//! | `command_queue.rs` | commands that wait for their turn |
//! | `at_once.rs` | commands that are acted on when they arrive |
//! | `commands.rs` | commands that are carried out in their turn |
//! | `searches.rs` | how a search begins, and what becomes of its result |
//! | `search_job.rs` | a search as it is handed out, and what comes back |
//! | `report.rs` | results as replies |
//! | `trace.rs` | the lines of a trace, said in pieces |
//! | `limits.rs` | what a client may ask for at most |
//!
//! The edge, where text becomes commands and replies become text:
//!
//! | file | what it holds |
//! |---|---|
//! | `conversation.rs` | a session and the lines of its client |
//! | `adapted_client.rs` | a client that speaks another protocol |
//! | `debug_log.rs` | every line in and out, written down |
//!
//! The native drivers: `search_thread.rs` runs searches, `stdio.rs` a conversation on standard input and output.
//!
//! How a command travels: [`Session::receive`] acts at once on `stop`, `ponderhit`, `isready` and `quit`. Every other
//! command is carried out in its turn, in the order of arrival. `go`, `eval`, `explain` and `trace` hand out a [`SearchJob`],
//! which holds the engine until the search is over. Commands that come meanwhile wait. [`Session::proceed`] carries out one
//! command that waits. A driver works in rounds of about a millisecond, so that no pile of commands can keep it from seeing
//! a `stop`.

mod adapted_client;
mod at_once;
mod command_queue;
mod commands;
mod conversation;
mod debug_log;
mod limits;
mod report;
mod search_job;
#[cfg(not(target_family = "wasm"))]
mod search_thread;
mod searches;
#[cfg(not(target_family = "wasm"))]
pub mod stdio;
#[cfg(test)]
mod tests;
mod trace;

use std::collections::VecDeque;
use std::sync::atomic::Ordering;
use std::time::Duration;

use crate::engine::{Engine, GoResult, Options, SearchBackend};
use crate::protocol::{Command, Handshake, ParseError, Reply};
use noughts_core::game::Position;
use noughts_core::search::{Instant, SHORTAGE};

pub use conversation::Conversation;
pub use limits::SessionLimits;
pub use search_job::{FinishedSearch, SearchEvent, SearchExecutor, SearchJob, panic_message};
#[cfg(not(target_family = "wasm"))]
pub use search_thread::SearchThread;

use command_queue::{CommandQueue, QueuedCommand};
use searches::{CurrentSearch, RandomStreams, SearchKind};
use trace::TraceTelling;

/// How long commands are carried out before the driver looks for new input.
const ROUND: Duration = Duration::from_millis(1);

/// Outputs that wait in a session, at most, before no more commands are carried out. A command has at most a few more
/// replies than the largest board has cells.
const MAX_OUTPUTS: usize = 4096;

/// One client's game, options and searches.
pub struct Session {
    limits: SessionLimits,
    options: Options,
    position: Position,
    handshake: Handshake,
    streams: RandomStreams,
    /// Set when a `position`, `newgame` or `setoption` was refused. Searches are refused until the client sends a new
    /// position.
    out_of_sync: bool,

    make_backend: fn() -> Box<dyn SearchBackend>,
    /// The engine; `None` while a search holds it.
    backend: Option<Box<dyn SearchBackend>>,
    current: Option<CurrentSearch>,
    /// The trace that is being said. Its search is the current one until the last line.
    telling: Option<TraceTelling>,
    queue: CommandQueue,

    /// Commands received so far.
    received: u64,
    /// The searches among the first so many commands are to stop.
    stopped_before: u64,
    /// `go ponder` commands among the first so many have had their `ponderhit`.
    hit_before: u64,
    /// Replies to `isready` that wait for searches: for those among the first so many commands, so many replies.
    ready_owed: VecDeque<(u64, usize)>,
    phase: SessionPhase,
    /// Set when a `wait` has come: the client is a script that wants everything it has asked for.
    waited: bool,
    /// The time that the driver has handed in last.
    now: Instant,
    /// When the round began. What comes in during a round was read when it began.
    round_start: Instant,
    /// When the time of the current command began: when it was read, or when its turn came if it had to wait.
    since: Instant,
    /// Set while a search holds the engine though its `go` has been answered: what becomes of the engine when it comes back.
    overdue_engine: Option<OverdueEngine>,
    outputs: VecDeque<SessionOutput>,
    /// The only output that waits is a line of progress.
    only_progress: bool,
    /// Bytes of earlier replies that the client has not read.
    unread: usize,
}

/// What a session hands out.
pub enum SessionOutput {
    /// Something for the client.
    Reply(Reply),
    /// A search to be run. Its events are to be handed to [`Session::take_event`].
    Search(SearchJob),
    /// From now on every line in and out is to be written to the file of this name; to none if the name is empty.
    DebugLog(String),
}

/// What becomes of an engine whose `go` has been answered without it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum OverdueEngine {
    /// It is used again.
    Kept,
    /// A new game has begun meanwhile: a new engine takes its place.
    Replaced,
}

/// Whether the session goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SessionPhase {
    /// Commands are taken.
    Open,
    /// No more commands will come: what has a limit is finished.
    InputEnded,
    /// A `quit` has come that a `wait` holds back: what waits is finished, and no command but `stop` and `isready` counts.
    QuitHeld,
    /// Only stopped searches are answered, then the session is over.
    Quit,
}

impl Session {
    /// A session at its beginning.
    pub fn new(now: Instant) -> Session {
        Session::with_backend(|| Box::new(Engine::new()), now)
    }

    /// A session that searches by the backends that `make_backend` makes: one to begin with, a new one for each new game,
    /// and one in place of any that panicked.
    pub fn with_backend(make_backend: fn() -> Box<dyn SearchBackend>, now: Instant) -> Session {
        let options = Options::default();
        Session {
            limits: SessionLimits::NONE,
            options,
            position: Position::start(options.rules),
            handshake: Handshake::default(),
            streams: RandomStreams::new(options.seed),
            out_of_sync: false,
            make_backend,
            backend: Some(make_backend()),
            current: None,
            telling: None,
            queue: CommandQueue::default(),
            received: 0,
            stopped_before: 0,
            hit_before: 0,
            ready_owed: VecDeque::new(),
            phase: SessionPhase::Open,
            waited: false,
            now,
            round_start: now,
            since: now,
            overdue_engine: None,
            outputs: VecDeque::new(),
            only_progress: false,
            unread: 0,
        }
    }

    /// The same session with these limits.
    pub fn limited_to(mut self, limits: SessionLimits) -> Session {
        limits.apply(&mut self.options);
        self.limits = limits;
        self
    }

    /// The limits of the session.
    pub fn limits(&self) -> &SessionLimits {
        &self.limits
    }

    /// Begins a round: for about a millisecond from now, commands are carried out when they arrive, if none waits.
    pub fn begin_round(&mut self, now: Instant) {
        (self.now, self.round_start) = (now, now);
    }

    /// True if it is time for the driver to look for new input.
    pub fn is_round_over(&self, now: Instant) -> bool {
        now.saturating_duration_since(self.round_start) >= ROUND || self.is_output_full()
    }

    /// Takes a command, or why a line is not one. `line_bytes` is the length of the line, or 0 if there was no line.
    pub fn receive(&mut self, command: Result<Command, ParseError>, line_bytes: usize, now: Instant) {
        self.now = now;
        let number = self.received;
        self.received += 1;
        self.waited |= matches!(command, Ok(Command::Wait));
        match (self.phase, command) {
            (SessionPhase::Open | SessionPhase::QuitHeld, Ok(Command::Stop)) => self.stop(),
            (SessionPhase::Open | SessionPhase::QuitHeld, Ok(Command::PonderHit)) => self.ponder_hit(),
            (SessionPhase::Open | SessionPhase::QuitHeld, Ok(Command::IsReady)) => self.answer_ready(),
            (SessionPhase::Open, Ok(Command::Quit)) => self.quit(),
            (SessionPhase::Open, command) if self.is_queue_full() && self.is_behind_unbounded_search() => {
                self.refuse(&command);
            }
            (SessionPhase::Open, command) => {
                if self.current.is_none() && self.queue.is_empty() && !self.is_round_over(now) {
                    self.since = self.round_start;
                    self.carry_out(number, command);
                } else {
                    self.queue.push(QueuedCommand::new(number, command, line_bytes));
                }
            }
            (SessionPhase::InputEnded | SessionPhase::QuitHeld | SessionPhase::Quit, _) => {}
        }
    }

    /// Notes that no more commands will come: what waits is carried out, endless searches end.
    pub fn end_of_input(&mut self) {
        if self.phase == SessionPhase::Open {
            self.phase = SessionPhase::InputEnded;
            if self.is_behind_endless_search() {
                self.stop_current();
            }
        }
    }

    /// Notes how many bytes of earlier replies the client has not read. While there are some, no progress is reported; while
    /// there are as many as may wait, no command is carried out.
    pub fn note_unread(&mut self, bytes: usize) {
        self.unread = bytes;
    }

    /// Takes what a search tells.
    pub fn take_event(&mut self, event: SearchEvent, now: Instant) {
        self.now = now;
        match event {
            // A late engine has nothing more to say.
            SearchEvent::Progress(..) if self.overdue_engine.is_some() => {}
            SearchEvent::Progress(result, elapsed) => {
                let is_go = self.current.as_ref().is_some_and(|search| search.kind == SearchKind::Go);
                if is_go && self.outputs.is_empty() && self.unread == 0 {
                    let progress = GoResult { result, notes: Vec::new(), elapsed };
                    self.say(Reply::Info(report::summary(&progress, &self.options, self.handshake)));
                    self.only_progress = true;
                }
            }
            SearchEvent::Finished(FinishedSearch { backend, result }) => match self.overdue_engine.take() {
                None => {
                    self.backend = backend;
                    self.tell_shortage();
                    self.finish(result);
                }
                Some(late) => {
                    let kept = backend.filter(|_| late == OverdueEngine::Kept);
                    self.take_back(kept.unwrap_or_else(self.make_backend));
                }
            },
        }
    }

    /// Ends or answers a search that has had its time, and carries out one command that waits, or says the
    /// next lines of a trace.
    pub fn proceed(&mut self, now: Instant) {
        self.now = now;
        if self.stops_at().is_some_and(|deadline| deadline <= now) {
            // The answer of an infinite search is held back as ever.
            self.current.iter().for_each(|search| search.stop.store(true, Ordering::Relaxed));
        }
        self.answer_in_time();
        if self.telling.is_some() {
            if self.has_work() {
                self.tell_trace();
            }
        } else if self.has_work()
            && let Some(queued) = self.queue.pop()
        {
            self.since = now;
            self.carry_out(queued.number, queued.command);
            self.out_of_sync |= queued.loses_sync;
        }
        self.answer_owed_ready();
    }

    /// When [`Session::proceed`] is to be called at the latest, to end a search that has had its time.
    pub fn deadline(&self) -> Option<Instant> {
        self.stops_at().into_iter().chain(self.current.as_ref().and_then(CurrentSearch::reply_deadline)).min()
    }

    /// When the current search is to be stopped.
    fn stops_at(&self) -> Option<Instant> {
        let is_running = |search: &&CurrentSearch| search.held.is_none() && !search.stop.load(Ordering::Relaxed);
        let search = self.current.as_ref().filter(is_running)?;
        let limit = self.limits.move_time.and_then(|time| search.since.checked_add(time));
        limit.into_iter().chain(search.deadline).min()
    }

    /// Takes the next output away.
    pub fn next_output(&mut self) -> Option<SessionOutput> {
        self.only_progress = false;
        self.outputs.pop_front()
    }

    /// True if the only output that waits is a line of progress, which may be dropped if the client does not take it.
    pub fn has_only_progress(&self) -> bool {
        self.only_progress
    }

    /// True if a `wait` has come: the client is a script that wants everything it has asked for.
    pub fn has_been_asked_to_wait(&self) -> bool {
        self.waited
    }

    /// True if a command may be handed in now. Otherwise reading pauses until something has been done or taken.
    pub fn wants_input(&self) -> bool {
        let open = matches!(self.phase, SessionPhase::Open | SessionPhase::QuitHeld);
        let room = !self.is_queue_full() || self.is_behind_unbounded_search();
        open && room && !self.is_output_full()
    }

    /// True if [`Session::proceed`] has a command to carry out or a trace to say, without waiting for a search.
    pub fn has_work(&self) -> bool {
        let waits = self.telling.is_some() || self.current.is_none() && !self.queue.is_empty();
        waits && !self.is_output_full()
    }

    /// Whether the session goes on, and if not, how it ended.
    pub fn phase(&self) -> SessionPhase {
        self.phase
    }

    /// True if the session is over and only output may be left to be taken away.
    pub fn is_over(&self) -> bool {
        self.phase != SessionPhase::Open && self.current.is_none() && self.queue.is_empty()
    }

    /// True if a search is under way, or has not given its engine back.
    pub fn is_searching(&self) -> bool {
        self.current.is_some() || self.overdue_engine.is_some()
    }

    /// True if a search is under way that will answer by itself.
    pub fn awaits_answer(&self) -> bool {
        self.current.as_ref().is_some_and(|search| !search.endless)
    }

    fn is_queue_full(&self) -> bool {
        self.queue.is_full(self.limits.waiting)
    }

    fn is_output_full(&self) -> bool {
        self.unread >= self.limits.waiting || self.outputs.len() >= MAX_OUTPUTS
    }

    fn output(&mut self, output: SessionOutput) {
        self.only_progress = false;
        self.outputs.push_back(output);
    }

    fn say(&mut self, reply: Reply) {
        self.output(SessionOutput::Reply(reply));
    }

    /// Says if the search that has ended had less memory than it was to have.
    fn tell_shortage(&mut self) {
        if self.backend.as_mut().is_some_and(|backend| backend.take_shortage()) {
            self.say_error(SHORTAGE);
        }
    }

    fn say_error(&mut self, text: impl std::fmt::Display) {
        self.say(Reply::Error(text.to_string()));
    }

    /// Says a text of several lines, and an empty line to end it.
    fn say_text(&mut self, text: &str) {
        text.lines().chain([""]).for_each(|line| self.say(Reply::Text(line.to_owned())));
    }
}

/// A search does not outlive the session that asked for it.
impl Drop for Session {
    fn drop(&mut self) {
        if let Some(search) = &self.current {
            search.stop.store(true, Ordering::Relaxed);
        }
    }
}
