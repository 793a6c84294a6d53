//! A program of the user's that plays on the page: one process for each WebSocket, which ends with it.
//!
//! The WebSocket speaks the lines of the protocol that a game needs. A thread of its own waits for the program.

use std::io;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use axum::extract::ws::{Message, WebSocket};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, sleep_until, timeout};

use crate::client::{EngineSetup, Interrupt, OrphanKiller, ProgramPlayer};
use crate::engine::Options;
use crate::protocol::{Command, GoCommand, InputLine, LineReader, PositionCommand, Reply};
use crate::text::Excerpt;
use noughts_core::game::Position;
use noughts_core::search::Limits;

use super::ServeSettings;

/// The most lines of a WebSocket that wait for the program.
const MAX_WAITING: usize = 64;

/// The options that a line can set: those of the game.
const GAME_OPTIONS: [&str; 4] = ["size", "columns", "connect", "reverse"];

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
    refused.map(|_| format!("error more than {MAX_WAITING} lines wait; this one is ignored")).collect()
}

/// The lines that a program takes. The error for any other line has this.
const TAKEN: &str = "expected setoption size, columns, connect or reverse, newgame, position, or go movetime";

/// The error for a command that is not for a program.
fn no_command() -> String {
    format!("this line is not for a program: {TAKEN}")
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
            let done = match line.command() {
                None => Ok(None),
                Some(Ok(command)) => self.carry_out(command),
                Some(Err(error)) => Err(error.to_string()),
            };
            let reply = done.unwrap_or_else(|error| Some(format!("error {error}")));
            if reply.is_some_and(|reply| answers.blocking_send(reply).is_err()) {
                break;
            }
        }
        self.player.quit();
    }

    /// Carries out a command, and returns the line that answers it, if one does; a sentence without its full stop if it is
    /// not carried out.
    fn carry_out(&mut self, command: Command) -> Result<Option<String>, String> {
        match command {
            Command::SetOption { name, value } => {
                if !GAME_OPTIONS.iter().any(|known| known.eq_ignore_ascii_case(&name)) {
                    return Err(format!("{TAKEN}, not the option {}", Excerpt::of(&name)));
                }
                self.options.set(&name, &value).map_err(|error| format!("setoption: {error}"))?;
                self.set_up(PositionCommand::after(&[]))?;
            }
            Command::NewGame => {
                self.player.begin_game();
                self.set_up(PositionCommand::after(&[]))?;
            }
            Command::Position(command) => self.set_up(command)?,
            Command::Go(go) => return self.go(&go).map(Some),
            _ => return Err(no_command()),
        }
        Ok(None)
    }

    fn set_up(&mut self, command: PositionCommand) -> Result<(), String> {
        self.position = None;
        let position = Position::reach(self.options.rules, command.diagram.as_ref(), &command.moves)
            .map_err(|error| format!("position: {error}; send another one before go"))?;
        self.position = Some((command, position));
        Ok(())
    }

    fn go(&mut self, go: &GoCommand) -> Result<String, String> {
        let only_time = GoCommand::from(Limits { move_time: go.limits.move_time, ..Limits::default() });
        let time = go.limits.move_time.filter(|_| *go == only_time).ok_or_else(no_command)?;
        let refused = "the last position was refused; send another one before go";
        let (command, position) = self.position.as_ref().ok_or(refused)?;
        if position.outcome().is_some() {
            return Err("the game is over".to_owned());
        }
        let time = time.min(u64::try_from(self.longest.as_millis()).unwrap_or(u64::MAX));
        let name = self.player.name().to_owned();
        let interrupt = Arc::clone(&self.interrupt);
        let asked = self.player.request_move(self.options.rules, command, time, interrupt, |_| {});
        let (best, _) = asked.map_err(|error| format!("{name} {error}"))?;
        match position.legal_move(best) {
            Ok(cell) => Ok(Reply::BestMove(Some(cell.into())).to_string()),
            Err(error) => {
                // It starts anew with the next move.
                self.player.end();
                Err(format!("{name} played {best}: {error}"))
            }
        }
    }
}
