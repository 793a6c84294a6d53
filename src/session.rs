//! The event loop: lines in, replies out, one search at a time.
//!
//! A [`Session`] is a state machine without any input or output of its own: whoever drives it hands in lines and
//! takes away bytes, so the same code serves standard input, a test in memory and any other connection. It is
//! the only owner of protocol output and of the search thread.
//!
//! How a line travels: [`Session::receive`] acts at once on `stop`, `isready` and `quit`; everything else is
//! carried out when it is its turn, in the order of arrival. `go` and `eval` are jobs: a quick one is answered on
//! the spot, any other goes to the search thread together with the engine, and both come back in one event, so
//! that there cannot be a second search. [`Session::proceed`] takes events in and carries out what waits.
//! Whoever drives a session works in rounds of about a millisecond, so that no pile of commands can keep it from
//! seeing a `stop`.

mod agenda;
mod drawing;
mod report;
pub mod stdio;
mod worker;

use std::collections::VecDeque;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::engine::{Changed, Engine, OPTIONS, Options, PlayerKind, Task, Thought};
use crate::excerpt::Excerpt;
use crate::game::{Cell, Outcome, Player, Position};
use crate::protocol::{Command, Dialect, GoCommand, Line, ParseError, PositionCommand, Query, Reply};
use crate::search::{Limits, Stream, Tiebreak, generator};

use agenda::{Agenda, Entry};
use worker::{Event, Worker};

/// How long commands are carried out before new input gets a look.
const ROUND: Duration = Duration::from_millis(1);

/// Waiting output beyond which no further command is carried out and no further line is wanted, in bytes.
const MAX_OUTPUT: usize = 16 << 20;

/// Waiting output beyond which progress lines are dropped, in bytes.
const MAX_OUTPUT_FOR_PROGRESS: usize = 64 << 10;

/// One client's conversation with the engine.
pub struct Session {
    options: Options,
    position: Position,
    dialect: Dialect,
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
    /// Replies to `isready` that wait for stopped searches to answer.
    ready_owed: usize,
    ending: Ending,
    round_end: Instant,
    output: VecDeque<u8>,
}

/// Whether the conversation goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// Lines are taken.
    Open,
    /// No more lines will come: what has a limit is finished.
    InputEnded,
    /// Only stopped searches are answered, then it is over.
    Quit,
}

/// A search under way.
struct Job {
    /// How many commands had been received before the one that asked for it.
    number: u64,
    kind: JobKind,
    /// The answer is held back until `stop`.
    endless: bool,
    stop: Arc<AtomicBool>,
    /// The answer of an endless search that has ended before it was stopped.
    held: Option<Result<Thought, String>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum JobKind {
    Go,
    Eval,
}

/// Random streams of one seed.
struct Streams {
    seed: u64,
    go_commands: u64,
    eval_commands: u64,
}

impl Streams {
    fn new(seed: u32) -> Streams {
        let seed = if seed == 0 { rand::random() } else { u64::from(seed) };
        Streams { seed, go_commands: 0, eval_commands: 0 }
    }

    fn next(&mut self, kind: JobKind) -> Stream {
        let count = match kind {
            JobKind::Go => &mut self.go_commands,
            JobKind::Eval => &mut self.eval_commands,
        };
        *count += 1;
        match kind {
            JobKind::Go => Stream::Go(*count),
            JobKind::Eval => Stream::Eval(*count),
        }
    }
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
            options,
            position: Position::start(options.rules),
            dialect: Dialect::default(),
            streams: Streams::new(options.seed),
            adrift: false,
            make_engine,
            engine: Some(make_engine()),
            worker: Worker::new(Box::new(wake)),
            current: None,
            agenda: Agenda::default(),
            received: 0,
            stopped_before: 0,
            ready_owed: 0,
            ending: Ending::Open,
            round_end: Instant::now() + ROUND,
            output: VecDeque::new(),
        }
    }

    /// Output that waits to be taken away; whoever takes it removes it from the front.
    pub fn output(&mut self) -> &mut VecDeque<u8> {
        &mut self.output
    }

    /// Whether a line may be handed in now. Otherwise reading pauses until something has been done or taken.
    pub fn wants_input(&self) -> bool {
        let room = !self.agenda.is_full() || self.is_behind_endless_search();
        self.ending == Ending::Open && room && self.output.len() < MAX_OUTPUT
    }

    /// Whether [`Session::proceed`] has something to do without waiting for the search thread.
    pub fn has_work(&self) -> bool {
        self.current.is_none() && !self.agenda.is_empty() && self.output.len() < MAX_OUTPUT
    }

    /// Whether the conversation goes on, and if not, how it ended.
    pub fn ending(&self) -> Ending {
        self.ending
    }

    /// Whether the conversation is over and only output may be left to be taken away.
    pub fn is_over(&self) -> bool {
        self.ending != Ending::Open && self.current.is_none() && self.agenda.is_empty()
    }

    /// Takes a line.
    pub fn receive(&mut self, line: &Line) {
        let Some(command) = line.command() else { return };
        if self.ending != Ending::Open {
            return;
        }
        let number = self.received;
        self.received += 1;
        match command {
            Ok(Command::Stop) => self.stop(),
            Ok(Command::IsReady) => self.answer_ready(),
            Ok(Command::Quit) if self.quit_must_wait() => self.agenda.push_quit(number, self.stopped_before),
            Ok(Command::Quit) => self.quit(),
            command if self.agenda.is_full() && self.is_behind_endless_search() => self.refuse(&command),
            command => {
                let now = self.current.is_none() && self.agenda.is_empty() && !self.round_is_over();
                let entry = Entry { number, command, bytes: line.len(), spoiled: false };
                if now { self.carry_out(entry) } else { self.agenda.push(entry) }
            }
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

    /// Ends the conversation: the running search answers, what waits is dropped.
    pub fn quit(&mut self) {
        self.ending = Ending::Quit;
        self.agenda.drop_from(self.stopped_before);
        self.stop_current();
    }

    /// Begins a round: for about a millisecond from now, what comes in and what waits is carried out on the spot.
    pub fn begin_round(&mut self) {
        self.round_end = Instant::now() + ROUND;
    }

    /// Takes in what the search thread has sent, and carries out what waits until the round is over.
    pub fn proceed(&mut self) {
        while let Some(event) = self.worker.event() {
            match event {
                Event::Progress(verdict, elapsed) => {
                    if self.output.len() <= MAX_OUTPUT_FOR_PROGRESS {
                        let progress = Thought { verdict, caveat: None, elapsed };
                        self.say(&Reply::Info(report::summary(&progress, self.dialect)));
                    }
                }
                Event::Finished(engine, answer) => {
                    self.engine = engine;
                    self.finish(answer);
                }
            }
        }
        while self.has_work() {
            if let Some(entry) = self.agenda.pop() {
                self.carry_out(entry);
            }
            if self.round_is_over() {
                break;
            }
        }
        self.answer_stopped();
    }

    fn round_is_over(&self) -> bool {
        Instant::now() >= self.round_end || self.output.len() >= MAX_OUTPUT
    }

    fn say(&mut self, reply: &Reply) {
        writeln!(self.output, "{reply}").expect("a queue in memory takes everything");
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
        self.current.as_ref().is_some_and(|job| job.endless && job.number >= self.stopped_before)
    }

    fn stop(&mut self) {
        self.stopped_before = self.received;
        self.stop_current();
    }

    /// Ends the running search; its answer comes with the next event, or now if it was only held back.
    fn stop_current(&mut self) {
        let Some(job) = &mut self.current else { return };
        job.stop.store(true, Ordering::Relaxed);
        job.endless = false;
        if let Some(answer) = job.held.take() {
            self.finish(answer);
        }
    }

    /// Answers `isready`, or puts the answer off until all stopped searches have answered.
    fn answer_ready(&mut self) {
        self.ready_owed += 1;
        self.answer_stopped();
    }

    /// Gives the answers to `isready` that waited, once no stopped search is left to answer.
    fn answer_stopped(&mut self) {
        let current = self.current.as_ref().is_some_and(|job| job.number < self.stopped_before);
        if !current && !self.agenda.has_search_before(self.stopped_before) {
            (0..std::mem::take(&mut self.ready_owed)).for_each(|_| self.say(&Reply::ReadyOk));
        }
    }

    /// Whether a `wait` that has not had its turn holds a `quit` back. It does not behind an endless search.
    fn quit_must_wait(&self) -> bool {
        !self.is_behind_endless_search() && self.agenda.reaches_wait(self.stopped_before)
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

/// What is done in its turn.
impl Session {
    fn carry_out(&mut self, entry: Entry) {
        match entry.command {
            Ok(Command::Handshake(dialect)) => self.introduce(dialect),
            Ok(Command::NewGame) => {
                self.engine = Some((self.make_engine)());
                self.put_up(Position::start(self.options.rules));
            }
            Ok(Command::SetOption { name, value }) => self.set_option(&name, &value),
            Ok(Command::Position(command)) => self.set_position(&command),
            Ok(Command::Go(command)) => self.go(entry.number, &command),
            Ok(Command::Eval) => self.start(entry.number, JobKind::Eval, Limits::default()),
            Ok(Command::Query(query)) => self.answer_query(query),
            Ok(Command::Draw) => self.say_text(&drawing::describe(&self.position)),
            Ok(Command::Help) => self.say_text(report::HELP),
            Ok(Command::Quit) => {
                self.stopped_before = 0;
                self.quit();
            }
            // `stop` and `isready` are acted on when they arrive; `wait` has now held what it had to.
            Ok(Command::GameOver | Command::Wait | Command::Stop | Command::IsReady) => {}
            Err(error) => self.say_error(error),
        }
        self.adrift |= entry.spoiled;
    }

    fn introduce(&mut self, dialect: Dialect) {
        self.dialect = dialect;
        let id = |field: &str, text: String| Reply::Id { field: field.to_owned(), text };
        self.say(&id("name", format!("Noughts {}", env!("CARGO_PKG_VERSION"))));
        self.say(&id("author", "the Noughts authors".to_owned()));
        for option in OPTIONS {
            self.say(&report::declaration(option));
        }
        self.say(&Reply::HandshakeOk(dialect));
    }

    fn put_up(&mut self, position: Position) {
        self.position = position;
        self.adrift = false;
    }

    fn set_option(&mut self, name: &str, value: &str) {
        match self.options.set(name, value) {
            // Not `put_up`: an option does not show that the client knows what game is on the board.
            Ok(Changed::Rules) => self.position = Position::start(self.options.rules),
            Ok(Changed::Seed) => self.streams = Streams::new(self.options.seed),
            Ok(Changed::Other) => {}
            Err(error) => self.say_error(format_args!("setoption: {error}")),
        }
    }

    fn set_position(&mut self, command: &PositionCommand) {
        let rules = self.options.rules;
        let start = match &command.diagram {
            None => Ok(Position::start(rules)),
            Some(diagram) => Position::set_up(rules, diagram).map_err(|error| error.to_string()),
        };
        let end = start.and_then(|mut position| {
            for (index, written) in command.moves.iter().enumerate() {
                let played = written.on_board(rules.size()).and_then(|cell| position.play(cell));
                played.map_err(|error| format!("move {}: {error}", index + 1))?;
            }
            Ok(position)
        });
        match end {
            Ok(position) => self.put_up(position),
            Err(error) => self.say_error(format_args!("position: {error}; the position is unchanged")),
        }
    }

    fn answer_query(&mut self, query: Query) {
        let cells = |cells: Vec<Cell>| cells.iter().map(Cell::to_string).collect::<Vec<_>>().join(" ");
        let answer = match query {
            Query::P1Turn => (self.position.side() == Player::X).to_string(),
            Query::GameOver => self.position.outcome().is_some().to_string(),
            Query::Result => match self.position.outcome() {
                None => "none".to_owned(),
                Some(Outcome::Draw) => "draw".to_owned(),
                Some(Outcome::Win(Player::X)) => "p1win".to_owned(),
                Some(Outcome::Win(Player::O)) => "p2win".to_owned(),
            },
            Query::Position => self.position.diagram().to_string(),
            Query::Moves => cells(self.position.moves().collect()),
            Query::Line if self.position.completed_line().is_empty() => "none".to_owned(),
            Query::Line => cells(self.position.completed_line().iter().collect()),
        };
        self.say(&Reply::Response(answer));
    }

    fn go(&mut self, number: u64, command: &GoCommand) {
        if self.adrift {
            self.say_error(
                "go: refused, for a position, newgame or setoption before it was refused; \
                 send a position or newgame first",
            );
            return;
        }
        if !command.ignored.is_empty() {
            let words = Excerpt::of(&command.ignored.join(" "));
            self.say(&Reply::Note(format!("go: {words} means nothing here and is left out of account")));
        }
        self.start(number, JobKind::Go, command.limits);
    }

    /// Begins a search, and ends it too when it is quick.
    fn start(&mut self, number: u64, kind: JobKind, limits: Limits) {
        let mut options = self.options;
        if kind == JobKind::Eval {
            options.tiebreak = Tiebreak::First;
            // What the drawing shows is exact wherever that is known, unless Monte Carlo was asked for.
            if options.player != PlayerKind::MonteCarlo {
                options.player = PlayerKind::Auto;
            }
        }
        let lines = match kind {
            JobKind::Go => options.multi_pv as usize,
            JobKind::Eval => usize::MAX,
        };
        let generator = generator(self.streams.seed, self.streams.next(kind));
        let task = Task { position: self.position, options, limits, lines, generator };

        let stopped = number < self.stopped_before || (limits.infinite && self.ending != Ending::Open);
        let stop = Arc::new(AtomicBool::new(stopped));
        let endless = limits.infinite && !stopped;
        self.current = Some(Job { number, kind, endless, stop: Arc::clone(&stop), held: None });

        let Some(mut engine) = self.engine.take() else {
            return self.finish(Err("the engine is missing".to_owned()));
        };
        if !stopped && !engine.is_quick(&task) {
            if let Err((engine, error)) = self.worker.search(engine, task, stop) {
                self.engine = Some(engine);
                self.finish(Err(error));
            }
            return;
        }
        match catch_unwind(AssertUnwindSafe(|| engine.think(task, stop, &mut |_| {}))) {
            Ok(thought) => {
                self.engine = Some(engine);
                self.finish(Ok(thought));
            }
            Err(panic) => self.finish(Err(worker::panic_text(panic.as_ref()))),
        }
    }

    /// Takes the answer of the current job: says it, or holds it back until `stop`.
    fn finish(&mut self, answer: Result<Thought, String>) {
        let Some(mut job) = self.current.take() else { return };
        if job.endless {
            job.held = Some(answer);
            self.current = Some(job);
            return;
        }
        let thought = answer.unwrap_or_else(|problem| {
            self.say_error(format_args!("the search failed ({problem}); the first legal move is played"));
            self.engine.get_or_insert_with(self.make_engine);
            report::emergency(&self.position)
        });
        match job.kind {
            JobKind::Go => {
                report::answer(&thought, &self.options, self.dialect).iter().for_each(|reply| self.say(reply));
            }
            JobKind::Eval => self.say_text(&drawing::evaluate(&self.position, &thought.verdict)),
        }
        self.answer_stopped();
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
