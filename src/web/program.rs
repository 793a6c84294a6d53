//! A program of the user's that plays on the page: one process for each WebSocket, which ends with it.
//!
//! The WebSocket speaks the lines of the protocol that a game needs. A thread of its own waits for the program.

use std::io;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use axum::extract::ws::{Message, WebSocket};
use thiserror::Error;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, sleep_until, timeout};

use crate::client::{EngineSetup, Interrupt, OrphanKiller, ProgramError, ProgramPlayer};
use crate::engine::{OptionError, Options};
use crate::protocol::{Command, GoCommand, InputLine, LineReader, ParseError, PositionCommand, Reply};
use crate::text::Excerpt;
use noughts_core::game::{MoveError, Position, ReachError};
use noughts_core::search::Limits;

use super::ServeSettings;

/// The most lines of a WebSocket that wait for the program.
const MAX_WAITING: usize = 64;

/// The options that a line can set: those of the game.
const GAME_OPTIONS: [&str; 3] = ["size", "connect", "reverse"];

/// The program that a server offers as a player.
pub struct SeatedProgram {
    setup: Arc<EngineSetup>,
    orphan_killer: Arc<OrphanKiller>,
    places: Arc<Semaphore>,
}

impl SeatedProgram {
    /// Offers a program to as many pages as the server has sessions. It is started with the first move.
    ///
    /// # Errors
    /// When the process that ends programs with this one cannot be started.
    pub fn new(setup: Arc<EngineSetup>, settings: &ServeSettings) -> io::Result<SeatedProgram> {
        let places = Arc::new(Semaphore::new(settings.max_sessions));
        Ok(SeatedProgram { setup, orphan_killer: Arc::new(OrphanKiller::start()?), places })
    }

    /// The name under which it plays.
    pub fn name(&self) -> &str {
        &self.setup.name
    }

    /// A place for one more process; `None` if all are taken.
    pub fn admit(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.places).try_acquire_owned().ok()
    }

    /// Serves one WebSocket until it is closed, is idle for too long, or does not take its lines. The program ends then.
    pub async fn serve(
        self: Arc<SeatedProgram>,
        socket: WebSocket,
        settings: ServeSettings,
        place: OwnedSemaphorePermit,
    ) {
        let Ok(interrupt) = Interrupt::new().map(Arc::new) else { return };
        let ((lines, received), (answers, replies)) = (channel(MAX_WAITING), channel(MAX_WAITING));
        let player = ProgramPlayer::new(Arc::clone(&self.setup), Arc::clone(&self.orphan_killer));
        let longest = settings.limits.move_time.unwrap_or(Duration::MAX);
        let interrupted = Arc::clone(&interrupt);
        let game = ProgramGame::new(player, interrupted, longest);
        let runner = move || {
            game.run(received, &answers);
            // The next program may start when this one has ended.
            drop(place);
        };
        if thread::Builder::new().name("program".to_owned()).spawn(runner).is_ok() {
            carry(socket, &lines, replies, settings).await;
        }
        interrupt.trigger();
    }
}

/// Carries lines between a WebSocket and the thread of its program.
async fn carry(
    mut socket: WebSocket,
    lines: &Sender<InputLine>,
    mut replies: Receiver<String>,
    settings: ServeSettings,
) {
    let mut heard = Instant::now();
    loop {
        let outgoing = tokio::select! {
            () = sleep_until(heard + settings.idle) => return,
            reply = replies.recv() => reply.map(|reply| vec![reply]),
            message = socket.recv() => match message {
                Some(Ok(message @ (Message::Text(_) | Message::Binary(_)))) => {
                    heard = Instant::now();
                    Some(pass_on(&message.into_data(), lines))
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                Some(Ok(Message::Close(_)) | Err(_)) | None => None,
            },
        };
        let Some(outgoing) = outgoing else { return };
        for line in outgoing {
            if !matches!(timeout(settings.patience, socket.send(Message::Text(line.into()))).await, Ok(Ok(()))) {
                return;
            }
        }
    }
}

/// Hands the lines of a frame to the thread. Returns an error line for each that has no room.
fn pass_on(mut frame: &[u8], lines: &Sender<InputLine>) -> Vec<String> {
    let mut reader = LineReader::default();
    // The end of the frame ends a line.
    let frame_lines = std::iter::from_fn(|| reader.take(&mut frame).or_else(|| reader.last()));
    let refused = frame_lines.filter_map(|line| lines.try_send(line).err());
    refused.map(|_| error_line(&LineError::TooMany)).collect()
}

/// The reason why a line is not carried out. Each is a sentence without its full stop.
#[derive(Error, Debug)]
enum LineError {
    #[error(transparent)]
    Parse(#[from] ParseError),
    #[error("this line is not for a program: {}", TAKEN)]
    Command,
    #[error("{TAKEN}, not the option {0}")]
    Option(Excerpt),
    #[error("setoption: {0}")]
    Value(#[from] OptionError),
    #[error("position: {0}; send another one before go")]
    Position(#[from] ReachError),
    #[error("the last position was refused; send another one before go")]
    NoPosition,
    #[error("more than {MAX_WAITING} lines wait; this one is ignored")]
    TooMany,
    #[error("the game is over")]
    Over,
    #[error("{0} {1}")]
    Program(String, ProgramError),
    #[error("{0} played {1}: {2}")]
    Illegal(String, String, MoveError),
}

/// The error for any other line.
const TAKEN: &str = "expected setoption size, connect or reverse, newgame, position, or go movetime";

fn error_line(error: &LineError) -> String {
    format!("error {error}")
}

/// The game of one WebSocket, and the program that plays in it.
struct ProgramGame {
    player: ProgramPlayer,
    interrupt: Arc<Interrupt>,
    /// The longest time for a move.
    longest: Duration,
    options: Options,
    /// The position as it was written, and what it is; `None` after one that was refused.
    position: Option<(PositionCommand, Position)>,
}

impl ProgramGame {
    fn new(player: ProgramPlayer, interrupt: Arc<Interrupt>, longest: Duration) -> ProgramGame {
        let options = Options::default();
        let position = Some((PositionCommand::after(&[]), Position::start(options.rules)));
        ProgramGame { player, interrupt, longest, options, position }
    }

    /// Carries out lines until no more can come.
    fn run(mut self, mut lines: Receiver<InputLine>, answers: &Sender<String>) {
        while let Some(line) = lines.blocking_recv() {
            let done = line.command().map_or(Ok(None), |command| self.carry_out(command?));
            let reply = done.unwrap_or_else(|error| Some(error_line(&error)));
            if reply.is_some_and(|reply| answers.blocking_send(reply).is_err()) {
                break;
            }
        }
        self.player.quit();
    }

    /// Carries out a command, and returns the line that answers it, if one does.
    fn carry_out(&mut self, command: Command) -> Result<Option<String>, LineError> {
        match command {
            Command::SetOption { name, value } => {
                if !GAME_OPTIONS.iter().any(|known| known.eq_ignore_ascii_case(&name)) {
                    return Err(LineError::Option(Excerpt::of(&name)));
                }
                self.options.set(&name, &value)?;
                self.set_up(PositionCommand::after(&[]))?;
            }
            Command::NewGame => {
                self.player.begin_game();
                self.set_up(PositionCommand::after(&[]))?;
            }
            Command::Position(command) => self.set_up(command)?,
            Command::Go(go) => return self.go(&go).map(Some),
            _ => return Err(LineError::Command),
        }
        Ok(None)
    }

    fn set_up(&mut self, command: PositionCommand) -> Result<(), LineError> {
        self.position = None;
        let position = Position::reach(self.options.rules, command.diagram.as_ref(), &command.moves)?;
        self.position = Some((command, position));
        Ok(())
    }

    fn go(&mut self, go: &GoCommand) -> Result<String, LineError> {
        let only_time = GoCommand::from(Limits { move_time: go.limits.move_time, ..Limits::default() });
        let Some(time) = go.limits.move_time.filter(|_| *go == only_time) else { return Err(LineError::Command) };
        let (command, position) = self.position.as_ref().ok_or(LineError::NoPosition)?;
        if position.outcome().is_some() {
            return Err(LineError::Over);
        }
        let time = time.min(u64::try_from(self.longest.as_millis()).unwrap_or(u64::MAX));
        let name = self.player.name().to_owned();
        let interrupt = Arc::clone(&self.interrupt);
        let asked = self.player.request_move(self.options.rules, command, time, interrupt, |_| {});
        let (best, _) = asked.map_err(|error| LineError::Program(name.clone(), error))?;
        match position.legal_move(best) {
            Ok(cell) => Ok(Reply::BestMove(Some(cell.into())).to_string()),
            Err(error) => {
                // It starts anew with the next move.
                self.player.end();
                Err(LineError::Illegal(name, best.to_string(), error))
            }
        }
    }
}
