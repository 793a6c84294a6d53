//! The event loop: lines in, replies out, one search at a time.
//!
//! A [`Session`] is a state machine without any input or output of its own: whoever drives it hands in lines and
//! takes away bytes, so the same code serves standard input, a test in memory and any other connection. It is
//! the only owner of protocol output and of the search thread.
//!
//! | file | what it holds |
//! |---|---|
//! | `mod.rs` | the state, the rounds, and what is acted on when it arrives |
//! | `agenda.rs` | what waits for its turn |
//! | `caps.rs` | what a client may ask for at most |
//! | `commands.rs` | what is carried out in its turn |
//! | `journal.rs` | lines written down with the time |
//! | `jobs.rs`, `worker.rs` | searches, and the thread they run on |
//! | `report.rs` | answers as replies |
//! | `conversation.rs` | a session, and the dialect that its client speaks |
//! | `stdio.rs` | a conversation on standard input and output |
//!
//! How a line travels: [`Session::receive`] acts at once on `stop`, `isready` and `quit`; everything else is
//! carried out when it is its turn, in the order of arrival. `go`, `eval` and `explain` are jobs: a quick one is
//! answered on the spot, any other goes to the search thread together with the engine, and both come back in one
//! event, so that there cannot be a second search. [`Session::proceed`] takes events in and carries out what waits.
//! Whoever drives a session works in rounds of about a millisecond, so that no pile of commands can keep it from
//! seeing a `stop`.

mod agenda;
mod caps;
mod commands;
mod conversation;
mod jobs;
mod journal;
mod report;
pub mod stdio;
mod worker;

use std::collections::VecDeque;
use std::fmt::Write;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crate::engine::{Engine, GoResult, Options};
use crate::protocol::{Command, Handshake, Line, ParseError, Reply};
use crate::text::Excerpt;
use noughts_core::game::Position;

pub use caps::Caps;
pub use conversation::Conversation;

use agenda::{Agenda, Entry};
use jobs::{Job, JobKind, Streams};
use journal::Journal;
use worker::{Event, Worker};

/// How long commands are carried out before new input gets a look.
const ROUND: Duration = Duration::from_millis(1);

/// One client's conversation with the engine.
pub struct Session {
    caps: Caps,
    options: Options,
    position: Position,
    handshake: Handshake,
    streams: Streams,
    /// A change of the game was refused: until a position is put up, an answer would be for a wrong one.
    adrift: bool,

    make_engine: fn() -> Engine,
    /// The engine; away while the search thread has it.
    engine: Option<Engine>,
    worker: Worker,
    current: Option<Job>,
    agenda: Agenda,

    /// Commands received so far.
    received: u64,
    /// Searches asked for before this many commands had been received are to stop.
    stopped_before: u64,
    /// `go ponder` commands among the first so many have had their `ponderhit`.
    hit_before: u64,
    /// Replies to `isready` that wait for searches to answer: for those before this many commands, so many replies.
    ready_owed: VecDeque<(u64, usize)>,
    ending: Ending,
    /// A `wait` has come: the client is a script that wants everything it has asked for.
    waited: bool,
    /// Where its driver writes lines down.
    journal: Journal,
    /// When the round began: what it takes in was read then.
    round_start: Instant,
    /// When the time of the command began that is carried out: when it was read, or when its turn came if it had to wait.
    since: Instant,
    /// Set while the engine is away though its `go` has been answered: what becomes of the engine when it comes back.
    late_engine: Option<LateEngine>,
    output: VecDeque<u8>,
    /// The line that is being said.
    line: String,
    /// The length of the output while it is nothing but a progress line, else 0.
    progress_bytes: usize,
}

/// What becomes of an engine whose `go` has been answered without it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum LateEngine {
    /// It is used again.
    Kept,
    /// A new game has begun meanwhile: a new engine takes its place.
    Replaced,
}

/// Whether the conversation goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// Lines are taken.
    Open,
    /// No more lines will come: what has a limit is finished.
    InputEnded,
    /// A `quit` has come that a `wait` holds back: what waits is finished, and no line but `stop` and `isready` counts.
    QuitHeld,
    /// Only stopped searches are answered, then it is over.
    Quit,
}

impl Session {
    /// A session at its beginning. `wake` is called from the search thread whenever [`Session::proceed`] has
    /// something new to do.
    pub fn new(wake: impl Fn() + Send + 'static) -> Session {
        Session::with_engine(Engine::new, wake)
    }

    /// A session that plays by the engines that `make_engine` makes: one to begin with, a new one for each new
    /// game, and one in place of any whose search panicked.
    pub fn with_engine(make_engine: fn() -> Engine, wake: impl Fn() + Send + 'static) -> Session {
        let options = Options::default();
        Session {
            caps: Caps::NONE,
            options,
            position: Position::start(options.rules),
            handshake: Handshake::default(),
            streams: Streams::new(options.seed),
            adrift: false,
            make_engine,
            engine: Some(make_engine()),
            worker: Worker::new(Box::new(wake)),
            current: None,
            agenda: Agenda::default(),
            received: 0,
            stopped_before: 0,
            hit_before: 0,
            ready_owed: VecDeque::new(),
            ending: Ending::Open,
            journal: Journal::default(),
            round_start: Instant::now(),
            since: Instant::now(),
            waited: false,
            late_engine: None,
            output: VecDeque::new(),
            line: String::new(),
            progress_bytes: 0,
        }
    }

    /// The same session for a client that may have no more than this.
    pub fn capped(mut self, caps: Caps) -> Session {
        self.options.hash = self.options.hash.min(caps.hash);
        self.options.threads = self.options.threads.min(caps.threads);
        self.caps = caps;
        self
    }

    /// When [`Session::proceed`] is to be called at the latest, to end a search that has had its time.
    pub fn deadline(&self) -> Option<Instant> {
        self.stops_at().into_iter().chain(self.current.as_ref().and_then(Job::answer_by)).min()
    }

    /// When the current search is to be stopped.
    fn stops_at(&self) -> Option<Instant> {
        let job = self.current.as_ref().filter(|job| job.held.is_none() && !job.stop.load(Ordering::Relaxed))?;
        let capped = self.caps.move_time.and_then(|time| job.since.checked_add(time));
        capped.into_iter().chain(job.deadline).min()
    }

    /// Output that waits to be taken away; whoever takes it removes it from the front.
    pub fn output(&mut self) -> &mut VecDeque<u8> {
        &mut self.output
    }

    /// Takes all output away, as lines: there are whole ones only, unless somebody has taken a part of one.
    pub fn take_lines(&mut self) -> Vec<String> {
        self.progress_bytes = 0;
        let said: Vec<u8> = self.output.drain(..).collect();
        String::from_utf8_lossy(&said).lines().map(str::to_owned).collect()
    }

    /// Drops a progress line that nobody has taken, so that it does not count as output that waits.
    pub fn drop_progress(&mut self) {
        // A line that has been written in part has to be finished.
        if self.output.len() == self.progress_bytes {
            self.output.clear();
        }
    }

    /// Whether a `wait` has come: the client is a script that wants everything it has asked for.
    pub fn has_been_asked_to_wait(&self) -> bool {
        self.waited
    }

    /// Whether a line may be handed in now. Otherwise reading pauses until something has been done or taken.
    pub fn wants_input(&self) -> bool {
        let open = matches!(self.ending, Ending::Open | Ending::QuitHeld);
        let room = !self.agenda.is_full(self.caps.waiting) || self.is_behind_unbounded_search();
        open && room && self.output.len() < self.caps.waiting
    }

    /// Whether [`Session::proceed`] has something to do without waiting for the search thread.
    pub fn has_work(&self) -> bool {
        self.current.is_none() && !self.agenda.is_empty() && self.output.len() < self.caps.waiting
    }

    /// Whether the conversation goes on, and if not, how it ended.
    pub fn ending(&self) -> Ending {
        self.ending
    }

    /// Whether the conversation is over and only output may be left to be taken away.
    pub fn is_over(&self) -> bool {
        self.ending != Ending::Open && self.current.is_none() && self.agenda.is_empty()
    }

    /// Whether a search is under way that will answer by itself.
    pub fn awaits_answer(&self) -> bool {
        self.current.as_ref().is_some_and(|job| !job.endless)
    }

    /// Takes a line.
    pub fn receive(&mut self, line: Line) {
        let Some(command) = line.command() else { return };
        let number = self.received;
        self.received += 1;
        self.waited |= matches!(command, Ok(Command::Wait));
        match (self.ending, command) {
            (Ending::Open | Ending::QuitHeld, Ok(Command::Stop)) => self.stop(),
            (Ending::Open | Ending::QuitHeld, Ok(Command::PonderHit)) => self.ponder_hit(),
            (Ending::Open | Ending::QuitHeld, Ok(Command::IsReady)) => self.answer_ready(),
            (Ending::Open, Ok(Command::Quit)) => self.quit(),
            (Ending::Open, command) if self.agenda.is_full(self.caps.waiting) && self.is_behind_unbounded_search() => {
                self.refuse(&command);
            }
            (Ending::Open, command) => {
                let now = self.current.is_none() && self.agenda.is_empty() && !self.round_is_over();
                if now {
                    self.since = self.round_start;
                    self.carry_out(number, command);
                } else {
                    self.agenda.push(Entry::new(number, line, &command));
                }
            }
            _ => {}
        }
    }

    /// Notes that no more lines will come: what waits is carried out, endless searches end.
    pub fn end_of_input(&mut self) {
        if self.ending == Ending::Open {
            self.ending = Ending::InputEnded;
            if self.is_behind_endless_search() {
                self.stop_current();
            }
        }
    }

    /// Begins a round: for about a millisecond from now, what comes in and what waits is carried out on the spot.
    pub fn begin_round(&mut self) {
        self.round_start = Instant::now();
    }

    /// Takes in what the search thread has sent, and carries out what waits until the round is over.
    pub fn proceed(&mut self) {
        if self.stops_at().is_some_and(|deadline| deadline <= Instant::now()) {
            // The answer of an infinite search is held back as ever.
            self.current.iter().for_each(|job| job.stop.store(true, Ordering::Relaxed));
        }
        while let Some(event) = self.worker.event() {
            match event {
                // A late engine has nothing more to say.
                Event::Progress(..) if self.late_engine.is_some() => {}
                Event::Progress(verdict, elapsed) => {
                    let is_go = self.current.as_ref().is_some_and(|job| job.kind == JobKind::Go);
                    if is_go && self.output.is_empty() {
                        let progress = GoResult { result: verdict, notes: Vec::new(), elapsed };
                        self.say(&Reply::Info(report::summary(&progress, &self.options, self.handshake)));
                        self.progress_bytes = self.output.len();
                    }
                }
                Event::Finished(engine, answer) => match self.late_engine.take() {
                    None => {
                        self.engine = engine;
                        self.finish(answer);
                    }
                    Some(late) => {
                        let kept = engine.filter(|_| late == LateEngine::Kept);
                        self.welcome(kept.unwrap_or_else(self.make_engine));
                    }
                },
            }
        }
        self.answer_in_time();
        while self.has_work() {
            if let Some(entry) = self.agenda.pop() {
                if let Some(command) = entry.line.command() {
                    self.since = Instant::now();
                    self.carry_out(entry.number, command);
                }
                self.adrift |= entry.spoiled;
            }
            if self.round_is_over() {
                break;
            }
        }
        self.pay_ready();
    }

    /// Whether it is time to look for new input.
    fn round_is_over(&self) -> bool {
        self.round_start.elapsed() >= ROUND || self.output.len() >= self.caps.waiting
    }

    fn say(&mut self, reply: &Reply) {
        self.progress_bytes = 0;
        // A queue takes one long piece faster than many short ones.
        self.line.clear();
        writeln!(self.line, "{reply}").expect("a string takes everything");
        self.output.extend(self.line.as_bytes());
    }

    fn say_error(&mut self, text: impl std::fmt::Display) {
        self.say(&Reply::Error(text.to_string()));
    }

    /// Says a text of several lines, and an empty line to end it.
    fn say_text(&mut self, text: &str) {
        text.lines().chain([""]).for_each(|line| self.say(&Reply::Text(line.to_owned())));
    }
}

/// What is acted on at once.
impl Session {
    fn is_behind_endless_search(&self) -> bool {
        self.current.as_ref().is_some_and(|job| job.endless)
    }

    /// Whether nothing but a `stop` will end the current search in any time that somebody would wait.
    fn is_behind_unbounded_search(&self) -> bool {
        self.current.as_ref().is_some_and(|job| job.unbounded)
    }

    fn stop(&mut self) {
        self.stopped_before = self.received;
        self.stop_current();
    }

    /// The move that a search ponders on was played: its time begins.
    fn ponder_hit(&mut self) {
        self.hit_before = self.received;
        let Some(job) = &mut self.current else { return };
        let Some(pondered) = job.pondered.take() else { return };
        job.endless = false;
        job.unbounded = pondered.is_unbounded;
        job.deadline = pondered.time.and_then(|time| Instant::now().checked_add(time));
        if let (Some((task, by)), Some(deadline)) = (&mut job.timed, job.deadline) {
            *by = jobs::answer_by(deadline, &task.options);
        }
        if let Some(answer) = job.held.take() {
            self.finish(answer);
        } else if !pondered.ends {
            self.stop_current();
        }
    }

    /// Ends the running search; its answer comes with the next event, or now if it was only held back.
    fn stop_current(&mut self) {
        let Some(job) = &mut self.current else { return };
        job.stop.store(true, Ordering::Relaxed);
        job.endless = false;
        job.unbounded = false;
        if let Some(answer) = job.held.take() {
            self.finish(answer);
        }
    }

    /// Answers `isready`, or puts the answer off until all searches that have been stopped before it have answered.
    fn answer_ready(&mut self) {
        match self.ready_owed.back_mut() {
            Some((before, replies)) if *before == self.stopped_before => *replies += 1,
            _ => self.ready_owed.push_back((self.stopped_before, 1)),
        }
        self.pay_ready();
    }

    /// Gives the answers to `isready` that waited for nothing but searches that have answered.
    fn pay_ready(&mut self) {
        let first_search = self.current.as_ref().map(|job| job.number).or(self.agenda.first_search());
        while let Some(&(before, replies)) = self.ready_owed.front() {
            if first_search.is_some_and(|number| number < before) {
                return;
            }
            (0..replies).for_each(|_| self.say(&Reply::ReadyOk));
            self.ready_owed.pop_front();
        }
    }

    /// Ends the conversation, dropping what waits: as soon as the running search has answered, or when the last
    /// `wait` has had its turn, unless an endless search stands before it.
    fn quit(&mut self) {
        let behind_wait = self.agenda.behind_wait(self.stopped_before);
        if let Some(place) = behind_wait.filter(|_| !self.is_behind_endless_search()) {
            self.ending = Ending::QuitHeld;
            self.agenda.truncate(place);
        } else {
            self.ending = Ending::Quit;
            self.agenda.drop_from(self.stopped_before);
            self.stop_current();
        }
    }

    /// Refuses a command for which there is no room.
    fn refuse(&mut self, command: &Result<Command, ParseError>) {
        if let Ok(Command::Position(_) | Command::NewGame | Command::SetOption { .. }) = command {
            self.agenda.spoil();
        }
        let name = match command {
            Ok(command) => Excerpt::of(&command.to_string()).to_string(),
            Err(error) => error.to_string(),
        };
        self.say_error(format_args!("too much waits behind an infinite search; refused until a stop: {name}"));
    }
}

/// A search must not outlive the session that asked for it.
impl Drop for Session {
    fn drop(&mut self) {
        if let Some(job) = &self.current {
            job.stop.store(true, Ordering::Relaxed);
        }
    }
}
