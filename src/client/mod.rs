//! An engine as its client sees it: a child process that speaks the protocol, with time limits.
//!
//! A [`Client`] starts the program, learns its options, and asks it for moves. It never waits without a limit, keeps
//! what it reads in bounded memory, and leaves no process behind when it is dropped. Every move is asked for in one
//! write, `isready`, `position` and `go`: what comes before `readyok` belongs to an earlier question and is never
//! taken for the answer. An engine whose protocol has no `isready` is asked for a move alone, after everything that it
//! has said by then has been read.
//!
//! | file | what it holds |
//! |---|---|
//! | `spec.rs` | how an engine is started and set up, as people write it |
//! | `start.rs`, `set_up.rs` | from a program to an engine that is ready: introduction, options and the game |
//! | `variant.rs` | the game for engines that know games by name |
//! | `answer.rs` | what an engine is asked, and what it answers |
//! | `process.rs` | the child process: pipes that never block, and an end that leaves nothing behind |
//! | `launch.rs` | what the child does before it becomes the engine |
//! | `series.rs` | many questions in one write |
//! | `guard.rs` | that no engine outlives a match that is killed |
//! | `debug_log.rs`, `interrupt.rs` | what all clients of a match share |
//! | `placement.rs` | which core a client and its engine run on |

mod answer;
mod debug_log;
mod guard;
mod interrupt;
mod launch;
pub mod placement;
mod process;
mod series;
mod set_up;
mod spec;
mod start;
mod variant;

use std::collections::VecDeque;
use std::fmt;
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::protocol::adapters::{ClientAdapter, Confirmation};
use crate::protocol::{Command, GoCommand, Line, OptionType};
use crate::text::Excerpt;

pub use answer::{Answer, Question};
pub use debug_log::DebugLog;
pub use guard::{Guard, guard};
pub use interrupt::Interrupt;
pub use launch::{LaunchError, launch};
pub use series::{Order, SeriesFailure};
pub use set_up::{Lack, OptionProblem};
pub use spec::{EngineSetup, EngineSpec, SpecError};
pub use start::StartError;

pub use crate::protocol::adapters::EngineProtocol;

use process::Process;

/// How long an engine that has overstepped its time is waited for after a `stop`.
const GRACE: Duration = Duration::from_millis(500);

/// How long an engine may take to end after `quit`.
const QUIT_PATIENCE: Duration = Duration::from_secs(1);

/// How long `readyok` may take between moves, unless less is allowed for the start.
const READY_PATIENCE: Duration = Duration::from_secs(5);

/// How long an engine without `isready` is told nothing after its move. Brains of the Gomocup tournaments have been seen
/// to drop a command that came a few milliseconds after their move. No clock runs meanwhile.
const PAUSE: Duration = Duration::from_millis(20);

/// What all clients of one run share.
#[derive(Clone)]
pub struct Surroundings {
    /// Ends every wait when it is raised.
    pub interrupt: Arc<Interrupt>,
    /// Ends engines that would outlive the run.
    pub guard: Arc<Guard>,
    /// Where every line of every engine is written down, if anywhere.
    pub log: Option<Arc<DebugLog>>,
    /// How long an engine may take until it has introduced itself and is ready.
    pub start_limit: Duration,
}

impl Surroundings {
    /// How long `readyok` may take between moves.
    pub fn ready_patience(&self) -> Duration {
        READY_PATIENCE.min(self.start_limit)
    }
}

/// Why an engine does not answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// The process has ended, or it lives and has closed its output.
    Gone {
        /// How it ended; `None` when it only closed its output.
        exit: Option<ExitStatus>,
        /// The last line on its standard error.
        last_words: Option<Excerpt>,
    },
    /// The engine has said more than anybody would read, and no answer.
    Flood,
    /// There were more answers than questions, where that makes it unsure which answers which.
    Unasked,
    /// The engine did not do in time what has to come before a question.
    NotReady(Preparation),
    /// There was no answer in time.
    Late {
        /// When the answer came after all, if it came within the grace that follows the end of the time.
        answered: Option<Duration>,
        /// Whether the engine was told to stop; not every protocol has a command for that.
        stopped: bool,
    },
    /// The run was interrupted.
    Interrupted,
    /// Waiting or writing failed.
    System(String),
}

/// What an engine has to do before it can be asked for a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Preparation {
    /// Read what the client writes.
    Reading,
    /// Say `readyok`.
    ReadyOk,
    /// Confirm the beginning of a game, in a protocol without `isready`.
    Confirmation(Confirmation),
}

/// A sentence about an engine that did not do it.
impl fmt::Display for Preparation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Preparation::Reading => "did not read what it was told",
            Preparation::ReadyOk => "did not say readyok",
            Preparation::Confirmation(Confirmation::Start) => "did not answer START with OK",
            Preparation::Confirmation(Confirmation::Restart) => {
                "did not answer RESTART with OK (restart=on starts an engine anew for each game)"
            }
        })
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Gone { exit, last_words } => {
                match exit {
                    Some(exit) => write!(f, "ended ({exit})")?,
                    None => f.write_str("closed its output")?,
                }
                last_words.iter().try_for_each(|words| write!(f, ", its last words: {words}"))
            }
            Failure::Flood => f.write_str("said too much without an answer"),
            Failure::Unasked => f.write_str("gave more answers than it was asked for"),
            Failure::NotReady(missing) => write!(f, "{missing}"),
            Failure::Late { answered: Some(after), .. } => write!(f, "answered after {} ms", after.as_millis()),
            Failure::Late { answered: None, stopped: true } => f.write_str("did not answer, not even to stop"),
            Failure::Late { answered: None, stopped: false } => f.write_str("did not answer in time"),
            Failure::Interrupted => f.write_str("was interrupted"),
            Failure::System(error) => write!(f, "cannot be talked to: {error}"),
        }
    }
}

impl std::error::Error for Failure {}

/// An engine that has introduced itself.
pub struct Client {
    setup: Arc<EngineSetup>,
    process: Process,
    surroundings: Surroundings,
    /// For an engine that speaks another protocol than ours.
    adapter: Option<ClientAdapter>,
    /// What the engine said it is.
    title: Option<String>,
    declared: Vec<(String, OptionType)>,
    /// Lines that are to go out in front of the next question.
    pending: String,
    /// Lines that came while others were written, as the engine said them.
    arrived: VecDeque<Line>,
    /// Lines of the adapter that nobody has asked for yet.
    replies: VecDeque<Line>,
    /// Says `readyok` while it thinks.
    overtakes: bool,
    /// When an engine without `isready` made its last move, until the pause after it is over.
    moved: Option<Instant>,
}

impl Client {
    /// The name under which the engine plays.
    pub fn name(&self) -> &str {
        &self.setup.name
    }

    /// What the engine said it is, with its version.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// The type of an option, if the engine declares it.
    pub fn option_type(&self, option: &str) -> Option<&OptionType> {
        self.declared.iter().find(|(name, _)| name.eq_ignore_ascii_case(option)).map(|(_, kind)| kind)
    }

    /// Sets an option in front of the next question.
    pub fn set_option(&mut self, name: &str, value: &str) {
        self.queue(&Command::SetOption { name: name.to_owned(), value: value.to_owned() });
    }

    /// Tells of a new game in front of the next question, with random numbers of its own if the engine has a seed
    /// that nobody has set.
    pub fn begin_game(&mut self, seed: u32) {
        self.queue(&Command::NewGame);
        if self.takes_seed() {
            self.set_option("seed", &seed.to_string());
        }
    }

    /// Whether the runner is to choose the engine's seeds: it takes any from 1 to 2147483647, and nobody has set one.
    pub fn takes_seed(&self) -> bool {
        let any = |kind: &OptionType| matches!(kind, OptionType::Spin { min, max, .. } if *min <= 1 && *max >= i64::from(i32::MAX));
        self.option_type("seed").is_some_and(any) && !self.setup.sets("seed")
    }

    /// Waits until everything that was queued has been carried out.
    ///
    /// # Errors
    /// When the engine is not ready as soon as it should be.
    pub fn get_ready(&mut self) -> Result<(), Failure> {
        let deadline = Instant::now() + self.patience();
        self.synchronise(deadline).map(drop)
    }

    /// How long the engine may take to be ready for a question. Without `isready` it may be setting itself up for a new
    /// game, as it does at its start.
    fn patience(&self) -> Duration {
        if self.has_isready() { self.surroundings.ready_patience() } else { self.surroundings.start_limit }
    }

    /// Whether the engine can be asked if it is ready.
    fn has_isready(&self) -> bool {
        self.adapter.as_ref().is_none_or(ClientAdapter::has_isready)
    }

    /// Whether a series is asked one question at a time, so that the time of each answer is known.
    pub fn asks_one_at_a_time(&self) -> bool {
        self.adapter.is_some()
    }

    /// The same until a deadline. Returns the last complaint of the engine.
    fn synchronise(&mut self, deadline: Instant) -> Result<Option<String>, Failure> {
        if !self.has_isready() {
            return self.settle(deadline);
        }
        self.queue(&Command::IsReady);
        self.flush(deadline)?;
        let mut complaint = None;
        loop {
            let Some(line) = self.next_line(deadline)? else { return Err(Failure::NotReady(Preparation::ReadyOk)) };
            match word_of(&line) {
                "readyok" => return Ok(complaint),
                "info" => complaint = complaint_of(&line).or(complaint),
                _ => {}
            }
        }
    }

    /// For an engine without `isready`: tells it what is pending, waits until it has confirmed the beginning of a game if
    /// that was among it, and hears all that it has said by then. Returns its complaint.
    fn settle(&mut self, deadline: Instant) -> Result<Option<String>, Failure> {
        if let Some(moved) = self.moved.take() {
            while self.next_line(moved + PAUSE)?.is_some() {}
        }
        self.hear_arrived()?;
        self.flush(deadline)?;
        while let Some(awaited) = self.adapter.as_ref().and_then(ClientAdapter::awaited) {
            let missing = Failure::NotReady(Preparation::Confirmation(awaited));
            let Some(line) = self.next_line(deadline)? else { return Err(missing) };
            match complaint_of(&line) {
                None => {}
                Some(_) if awaited == Confirmation::Restart => return Err(missing),
                complaint => return Ok(complaint),
            }
        }
        self.hear_arrived()
    }

    /// Has the adapter hear all that has arrived, or as much of an endless talk as comes within a pause. Returns the
    /// last complaint among it.
    fn hear_arrived(&mut self) -> Result<Option<String>, Failure> {
        let deadline = Instant::now() + PAUSE;
        let mut complaint = None;
        let Some(adapter) = &mut self.adapter else { return Ok(complaint) };
        self.replies.clear();
        loop {
            let line = match self.arrived.pop_front() {
                Some(line) => line,
                None => match self.process.arrived_line()? {
                    Some(line) => line,
                    None => return Ok(complaint),
                },
            };
            adapter.read_line(line, &mut self.replies);
            complaint = self.replies.drain(..).filter_map(|line| complaint_of(&line)).next_back().or(complaint);
            if Instant::now() > deadline {
                return Ok(complaint);
            }
        }
    }

    /// Asks for a move.
    ///
    /// # Errors
    /// When there is no answer in time. After [`Failure::Late`] with an answer the engine can be used again.
    pub fn ask(&mut self, question: Question<'_>) -> Result<Answer, Failure> {
        self.ask_aloud(question, |_| {})
    }

    /// The same; what the engine says of its search is handed to `hear` as it comes, line by line.
    ///
    /// # Errors
    /// As for [`Client::ask`].
    pub fn ask_aloud(&mut self, question: Question<'_>, mut hear: impl FnMut(&str)) -> Result<Answer, Failure> {
        let mut ready = !self.has_isready();
        if ready {
            self.queue_foreign(question.seed, question.position);
            self.settle(Instant::now() + self.patience())?;
            self.queue_foreign(None, question.go);
        } else {
            self.queue(&Command::IsReady);
            self.queue_question(question);
        }
        let start = Instant::now();
        let deadline = start + question.limit;
        match self.flush(deadline) {
            // Its time has begun with the question, whether it reads that or not.
            Err(Failure::NotReady(_)) if ready => return Err(Failure::Late { answered: None, stopped: false }),
            flushed => flushed?,
        }
        let mut answer = Answer::default();
        let ready_deadline = deadline.min(start + self.surroundings.ready_patience());
        loop {
            let Some(line) = self.next_line(if ready { deadline } else { ready_deadline })? else {
                if Instant::now() < deadline {
                    return Err(Failure::NotReady(Preparation::ReadyOk));
                }
                return match self.adapter.as_mut().and_then(ClientAdapter::last_resort) {
                    Some(line) => Ok(Answer { line, elapsed: start.elapsed(), ..answer }),
                    None => Err(self.overtime(start, ready)),
                };
            };
            match word_of(&line) {
                "readyok" => ready = true,
                "bestmove" if !ready => answer.stale += 1,
                "bestmove" => {
                    let elapsed = start.elapsed();
                    answer.stale += self.take_stale();
                    self.moved = (!self.has_isready()).then(Instant::now);
                    let in_time = elapsed <= question.limit;
                    let late = Failure::Late { answered: Some(elapsed), stopped: false };
                    return if in_time { Ok(Answer { line, elapsed, ..answer }) } else { Err(late) };
                }
                "info" if ready => match complaint_of(&line) {
                    None if is_string(&line) => {}
                    None => {
                        if let Line::Text(text) = &line {
                            hear(text);
                        }
                        answer.info = Some(line);
                    }
                    complaint => answer.complaint = complaint,
                },
                _ => {}
            }
        }
    }

    /// Asks engines to end, and sees to it that they do.
    pub fn quit(clients: impl IntoIterator<Item = Client>) {
        let mut clients: Vec<Client> = clients.into_iter().collect();
        for client in &mut clients {
            client.queue(&Command::Quit);
            // Whether it hears this or not, its input ends, and it is ended below.
            let _ = client.flush(Instant::now());
            client.process.close();
        }
        let deadline = Instant::now() + QUIT_PATIENCE;
        clients.into_iter().for_each(|client| client.process.end(deadline));
    }

    /// How many moves of an engine of another protocol were no answers since this was asked last.
    fn take_stale(&mut self) -> u32 {
        self.adapter.as_mut().map_or(0, ClientAdapter::take_stale)
    }

    /// After the time is up: `stop`, if there is such a command, and a short wait for the answer.
    fn overtime(&mut self, start: Instant, mut ready: bool) -> Failure {
        let deadline = Instant::now() + GRACE;
        self.queue(&Command::Stop);
        let stopped = !self.pending.is_empty();
        let mut answered = None;
        if self.flush(deadline).is_ok() {
            while let Ok(Some(line)) = self.next_line(deadline) {
                match word_of(&line) {
                    "readyok" => ready = true,
                    "bestmove" if ready => {
                        answered = Some(start.elapsed());
                        self.moved = (!self.has_isready()).then(Instant::now);
                        break;
                    }
                    _ => {}
                }
            }
        }
        if ready { Failure::Late { answered, stopped } } else { Failure::NotReady(Preparation::ReadyOk) }
    }

    fn queue_question(&mut self, question: Question<'_>) {
        if self.adapter.is_some() {
            self.queue_foreign(question.seed, question.position);
            return self.queue_foreign(None, question.go);
        }
        if let Some(seed) = question.seed {
            let seed = seed.to_string();
            self.pending.extend(["setoption name seed value ", &seed, "\n"]);
        }
        self.pending.extend([question.position, "\n", question.go, "\n"]);
    }

    /// Queues a line of a question in the words of another protocol, behind a seed if there is one.
    fn queue_foreign(&mut self, seed: Option<u32>, line: &str) {
        if let Some(seed) = seed {
            self.set_option("seed", &seed.to_string());
        }
        // The runner writes nothing that cannot be read.
        if let Ok(command) = line.parse() {
            self.queue(&command);
        }
    }

    fn queue(&mut self, command: &Command) {
        match (&mut self.adapter, command) {
            (Some(adapter), command) => adapter.write_command(command, &mut self.pending),
            (None, Command::IsReady) => self.pending.push_str("isready\n"),
            (None, command) => self.pending.push_str(&format!("{command}\n")),
        }
    }

    /// Writes what is pending.
    fn flush(&mut self, deadline: Instant) -> Result<(), Failure> {
        if let Some(log) = &self.surroundings.log {
            self.pending.lines().for_each(|line| log.write(&self.setup.name, '>', line.as_bytes()));
        }
        let mut bytes = self.pending.as_bytes();
        while !bytes.is_empty() {
            self.process.write(&mut bytes, deadline, &mut self.arrived)?;
        }
        self.pending.clear();
        Ok(())
    }

    /// The next line of the engine, or `None` when the time is up: whoever talks until then has not answered in time.
    fn next_line(&mut self, deadline: Instant) -> Result<Option<Line>, Failure> {
        let Some(adapter) = &mut self.adapter else {
            return self.arrived.pop_front().map_or_else(|| self.process.next_line(deadline), |line| Ok(Some(line)));
        };
        loop {
            if let Some(line) = self.replies.pop_front() {
                return Ok(Some(line));
            }
            let arrived = self.arrived.pop_front();
            match arrived.map_or_else(|| self.process.next_line(deadline), |line| Ok(Some(line)))? {
                Some(line) => adapter.read_line(line, &mut self.replies),
                None => return Ok(None),
            }
        }
    }
}

/// A `go` line.
pub fn go_line(limits: noughts_core::search::Limits) -> String {
    Command::Go(GoCommand::from(limits)).to_string()
}

/// The first word of a line.
fn word_of(line: &Line) -> &str {
    match line {
        Line::Text(text) => text.split([' ', '\t']).next().unwrap_or_default(),
        // An answer that is no text is an answer nevertheless, and a wrong one.
        Line::NotText(start) | Line::TooLong(start) if start.begins_with("bestmove ") => "bestmove",
        Line::NotText(_) | Line::TooLong(_) => "",
    }
}

fn is_string(line: &Line) -> bool {
    matches!(line, Line::Text(text) if text.starts_with("info string"))
}

/// The text of an error line.
fn complaint_of(line: &Line) -> Option<String> {
    let Line::Text(text) = line else { return None };
    text.strip_prefix("info string error: ").map(str::to_owned)
}
