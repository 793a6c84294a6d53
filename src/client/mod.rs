//! An engine as its client sees it: usually a child process that speaks the protocol, with time limits.
//!
//! A [`Client`] starts the program, learns its options, and requests moves. It never waits without a limit, keeps what
//! it reads in bounded memory, and leaves no process behind when it is dropped. A request is one write: `isready`,
//! `position` and `go`. Lines before `readyok` belong to an earlier request and are never taken for the response.
//! An engine whose protocol has no `isready` gets its request only after the client has read everything that the engine
//! has sent by then.
//!
//! | file | content |
//! |---|---|
//! | `spec.rs` | the text form of an engine: its command and its settings |
//! | `start.rs`, `set_up.rs` | from a program to an engine that is ready: introduction, options and the game |
//! | `move_request.rs` | a request for a move, and the response |
//! | `program_player.rs` | a program that plays against people, started when it is needed |
//! | `series.rs` | many requests in one write |
//! | `failure.rs` | why an engine does not answer, or cannot take part |
//! | `connection.rs` | what carries the lines, for engines of every kind |
//! | `engine_process.rs` | the child process of an engine, its last words, its start and its end |
//! | `engine_log.rs` | a file with every line of every engine |

mod connection;
mod engine_log;
mod engine_process;
mod failure;
mod move_request;
mod program_player;
mod series;
mod set_up;
mod spec;
mod start;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::engine::OptionType;
use crate::protocol::adapters::{ForeignEngine, option_named};
use crate::protocol::{Command, EngineReply, GoCommand, InputLine, Reply};
use noughts_core::search::Limits;

pub use connection::{Connection, Connector};
pub use engine_log::EngineLog;
pub use engine_process::launch;
pub use failure::{Failure, StartError};
pub use move_request::{MoveRequest, MoveResponse};
pub use program_player::ProgramPlayer;
pub use series::{SeriesFailure, SeriesOrder};
pub use spec::{EngineSetup, EngineSpec, SpecError};

pub use crate::protocol::adapters::EngineProtocol;
pub use crate::system::{Interrupt, LaunchError, OrphanKiller, kill_orphans};

/// The time that an engine may take to end after `quit`.
const QUIT_PATIENCE: Duration = Duration::from_secs(1);

/// The time that the client writes nothing to an engine without `isready` after its move. Some engines of the Gomocup
/// tournaments drop a command that comes a few milliseconds after their move. No clock runs during the pause.
const PAUSE: Duration = Duration::from_millis(20);

/// The time that `readyok` may take between moves, unless the start limit is shorter.
const READY_PATIENCE: Duration = Duration::from_secs(5);

/// The context that all clients of one run share.
#[derive(Clone)]
pub struct RunContext {
    /// Ends every wait once it is set.
    pub interrupt: Arc<Interrupt>,
    /// Ends engines that would outlive the run.
    pub orphan_killer: Arc<OrphanKiller>,
    /// Where every line of every engine is written, if anywhere.
    pub log: Option<Arc<EngineLog>>,
    /// The time that an engine may take until it has introduced itself and is ready.
    pub start_limit: Duration,
}

impl RunContext {
    /// The time that `readyok` may take between moves.
    pub fn ready_patience(&self) -> Duration {
        READY_PATIENCE.min(self.start_limit)
    }
}

/// Receives the warnings and the progress of a match or an exam.
pub trait RunObserver: Send + Sync {
    /// Something went wrong that the user should know of. The run goes on.
    fn warn(&self, warning: &str);

    /// Takes the progress of the run. Called several times a second.
    fn progress(&self, progress: &RunProgress);
}

/// Ignores warnings and progress.
impl RunObserver for () {
    fn warn(&self, _: &str) {}

    fn progress(&self, _: &RunProgress) {}
}

/// The progress of a match or an exam.
#[derive(Clone, Debug)]
pub struct RunProgress {
    /// Games or answers so far; in a match that was resumed, the earlier games included.
    pub done: u64,
    /// Games or answers of the whole run.
    pub of: u64,
    /// Anything else to show of it; often empty.
    pub note: String,
}

/// An engine that has introduced itself.
pub struct Client {
    setup: Arc<EngineSetup>,
    connection: Box<dyn Connection>,
    context: RunContext,
    /// For an engine that speaks another protocol than ours.
    adapter: Option<Box<dyn ForeignEngine>>,
    /// Name and version as the engine sent them, on one line that can be printed.
    title: Option<String>,
    declared: Vec<(String, OptionType)>,
    /// Lines to write before the next request.
    pending: String,
    /// The number of their bytes that are written, after a write that failed.
    written: usize,
    /// Lines of the engine that came while the client wrote.
    arrived: VecDeque<InputLine>,
    /// Replies of the adapter that have not been taken yet.
    replies: VecDeque<EngineReply>,
    /// True if the current request wants the `info` of the engine.
    wants_info: bool,
    /// True if the engine sends `readyok` while it thinks.
    overtakes: bool,
    /// The time of the last move of an engine without `isready`; `None` once the pause after it is over.
    moved: Option<Instant>,
}

impl Client {
    /// The name under which the engine plays.
    pub fn name(&self) -> &str {
        &self.setup.name
    }

    /// Name and version as the engine sent them, on one line that can be printed.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// The type of an option, if the engine declares it.
    pub fn option_type(&self, option: &str) -> Option<&OptionType> {
        option_named(&self.declared, option).map(|(_, kind)| kind)
    }

    /// Sets an option before the next request.
    pub fn set_option(&mut self, name: &str, value: &str) {
        self.queue(&Command::SetOption { name: name.to_owned(), value: value.to_owned() });
    }

    /// Begins a new game before the next request. The game has a seed of its own, if the client chooses the seeds.
    pub fn begin_game(&mut self, seed: u32) {
        self.queue(&Command::NewGame);
        if self.takes_seed() {
            self.set_option("seed", &seed.to_string());
        }
    }

    /// True if the client chooses the engine's seeds: the engine takes any from 1 to 2147483647, and its set-up has none.
    pub fn takes_seed(&self) -> bool {
        let any = |kind: &OptionType| matches!(kind, OptionType::Spin { min, max, .. } if *min <= 1 && *max >= i64::from(i32::MAX));
        self.option_type("seed").is_some_and(any) && !self.setup.sets("seed")
    }

    /// Waits until the engine has carried out everything that was queued.
    ///
    /// # Errors
    /// When the engine is not ready in time.
    pub fn get_ready(&mut self) -> Result<(), Failure> {
        let deadline = Instant::now() + self.patience();
        self.synchronise(deadline).map(drop)
    }

    /// The time that the engine may take to be ready for a request. Without `isready` it may be setting itself up for a
    /// new game, as it does at its start.
    fn patience(&self) -> Duration {
        if self.has_isready() { self.context.ready_patience() } else { self.context.start_limit }
    }

    /// True if the engine knows `isready`.
    fn has_isready(&self) -> bool {
        self.adapter.as_ref().is_none_or(|adapter| adapter.has_isready())
    }

    /// The failure of an engine that did not send `readyok`.
    fn no_ready(&self) -> Failure {
        Failure::NotReady(self.adapter.as_ref().map_or("did not say readyok", |adapter| adapter.no_ready()))
    }

    /// Waits until the engine has carried out everything that was queued. Returns the last error of the engine.
    fn synchronise(&mut self, deadline: Instant) -> Result<Option<String>, Failure> {
        if !self.has_isready() {
            return self.synchronise_without_ready(deadline);
        }
        self.queue(&Command::IsReady);
        self.flush(deadline)?;
        let mut error = None;
        loop {
            match self.next_reply(deadline)?.ok_or_else(|| self.no_ready())? {
                EngineReply::Reply(Reply::ReadyOk) => return Ok(error),
                EngineReply::Reply(Reply::Error(text)) => error = Some(text),
                _ => {}
            }
        }
    }

    /// For an engine without `isready`: writes what is pending, waits for the confirmation of a new game if one began, and
    /// reads all that the engine has sent by then. Returns its error.
    fn synchronise_without_ready(&mut self, deadline: Instant) -> Result<Option<String>, Failure> {
        if let Some(moved) = self.moved.take() {
            while self.next_reply(moved + PAUSE)?.is_some() {}
        }
        self.read_arrived()?;
        self.flush(deadline)?;
        while let Some(awaited) = self.adapter.as_ref().and_then(|adapter| adapter.awaited()) {
            let missing = Failure::NotReady(awaited.missing);
            let Some(reply) = self.next_reply(deadline)? else { return Err(missing) };
            match reply.error() {
                None => {}
                Some(_) if !awaited.is_first => return Err(missing),
                Some(error) => return Ok(Some(error.to_owned())),
            }
        }
        self.read_arrived()
    }

    /// Reads all that has arrived, but stops after a pause if the engine keeps writing. Returns the last error.
    fn read_arrived(&mut self) -> Result<Option<String>, Failure> {
        let deadline = Instant::now() + PAUSE;
        let mut error = None;
        let Some(adapter) = &mut self.adapter else { return Ok(error) };
        self.replies.clear();
        loop {
            let line = match self.arrived.pop_front() {
                None => self.connection.arrived_line()?,
                line => line,
            };
            let Some(line) = line else { return Ok(error) };
            adapter.read_line(line, &mut self.replies);
            let mut errors = self.replies.drain(..).filter_map(|reply| reply.error().map(str::to_owned));
            error = errors.next_back().or(error);
            if Instant::now() > deadline {
                return Ok(error);
            }
        }
    }

    /// Sends engines `quit`, and ends those that do not obey.
    pub fn quit(clients: impl IntoIterator<Item = Client>) {
        let mut clients: Vec<Client> = clients.into_iter().collect();
        for client in &mut clients {
            client.queue(&Command::Quit);
            // If this fails, the engine sees the end of its input, and at last it is killed.
            let _ = client.flush(Instant::now());
            client.connection.close();
        }
        let deadline = Instant::now() + QUIT_PATIENCE;
        clients.into_iter().for_each(|client| client.connection.end(deadline));
    }

    /// Adds a command to the pending lines.
    fn queue(&mut self, command: &Command) {
        match (&mut self.adapter, command) {
            (Some(adapter), command) => adapter.write_command(command, &mut self.pending),
            (None, Command::IsReady) => self.pending.push_str("isready\n"),
            (None, command) => self.pending.push_str(&format!("{command}\n")),
        }
    }

    /// Writes the pending lines.
    fn flush(&mut self, deadline: Instant) -> Result<(), Failure> {
        if let Some(log) = &self.context.log {
            self.pending.lines().for_each(|line| log.write(&self.setup.name, '>', line.as_bytes()));
        }
        let mut bytes = &self.pending.as_bytes()[self.written..];
        while !bytes.is_empty() {
            let result = self.connection.write(&mut bytes, deadline, &mut self.arrived);
            self.written = self.pending.len() - bytes.len();
            result?;
        }
        self.pending.clear();
        self.written = 0;
        Ok(())
    }

    /// The next reply of the engine; `None` when the time is up, even if the engine keeps writing.
    fn next_reply(&mut self, deadline: Instant) -> Result<Option<EngineReply>, Failure> {
        loop {
            if let Some(reply) = self.replies.pop_front() {
                return Ok(Some(reply));
            }
            let arrived = self.arrived.pop_front();
            let Some(line) = arrived.map_or_else(|| self.connection.next_line(deadline), |line| Ok(Some(line)))? else {
                return Ok(None);
            };
            match &mut self.adapter {
                Some(adapter) => adapter.read_line(line, &mut self.replies),
                None => {
                    if let Some(reply) = EngineReply::read(line, self.wants_info) {
                        return Ok(Some(reply));
                    }
                }
            }
        }
    }
}

/// The `go` line with these limits.
pub fn go_line(limits: Limits) -> String {
    Command::Go(GoCommand::from(limits)).to_string()
}
