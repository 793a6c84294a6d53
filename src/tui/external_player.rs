//! Another program that plays: a client's child process, on a thread of its own.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use crate::client::{EngineSetup, Interrupt, OrphanKiller, ProgramPlayer};
use crate::protocol::{Info, PositionCommand};
use noughts_core::game::{Cell, Player, Rules};

use super::evaluation::Evaluation;
use super::player_answer::{AnswerHandler, LatestProgress, PlayerAnswer, PlayerReply};
use super::settings::PlaySettings;

/// The time for which a program may think about a move if the settings have no time, in milliseconds.
const MOVE_TIME: u64 = 1000;

/// The board's end of a thread that runs a program. No call waits for the program. Dropping it ends the program.
pub struct ExternalPlayer {
    orders: Sender<PlayerOrder>,
    handler: AnswerHandler,
    /// Ends every wait for the program. Once triggered, it is replaced together with the program.
    interrupt: Option<Arc<Interrupt>>,
    /// The last thing that the program said of the position.
    pub progress: LatestProgress,
}

/// A request to the program.
struct PlayerOrder {
    number: u64,
    rules: Rules,
    /// The moves so far.
    moves: Vec<Cell>,
    /// The time for which it may think, in milliseconds.
    move_time: u64,
    /// Ends the wait for the answer, which is not needed any more then.
    interrupt: Arc<Interrupt>,
    /// True if the program is to be started anew, because it knows another interrupt.
    starts_anew: bool,
}

impl ExternalPlayer {
    /// Starts the thread. The program starts with the first request.
    ///
    /// # Errors
    /// When the system has no thread or process left.
    pub fn start(setup: Arc<EngineSetup>, handler: AnswerHandler) -> io::Result<ExternalPlayer> {
        let (orders, received) = channel();
        let progress = LatestProgress::default();
        let player = ProgramPlayer::new(setup, Arc::new(OrphanKiller::start()?));
        let (answers, shared) = (AnswerHandler::clone(&handler), progress.clone());
        thread::Builder::new().name("program".to_owned()).spawn(move || run(player, received, &answers, &shared))?;
        Ok(ExternalPlayer { orders, handler, interrupt: None, progress })
    }

    /// Asks for a move after these; the answer has the same number.
    pub fn ask(&mut self, number: u64, moves: &[Cell], settings: &PlaySettings) {
        let known = self.interrupt.take().filter(|interrupt| !interrupt.is_set());
        let starts_anew = known.is_none();
        let interrupt = match known.map_or_else(|| Interrupt::new().map(Arc::new), Ok) {
            Ok(interrupt) => interrupt,
            Err(error) => {
                let result = Err(format!("there is no pipe to be had: {error}"));
                return (self.handler)(PlayerAnswer { request: number, result });
            }
        };
        self.interrupt = Some(Arc::clone(&interrupt));
        let (rules, moves) = (settings.rules, moves.to_vec());
        let move_time = settings.budget.time().unwrap_or(MOVE_TIME);
        // The thread ends only after this end of the channel has gone.
        let _ = self.orders.send(PlayerOrder { number, rules, moves, move_time, interrupt, starts_anew });
    }

    /// Gives up the request. A program that is thinking is ended, because it may not listen.
    pub fn give_up(&self) {
        self.interrupt.iter().for_each(|interrupt| interrupt.trigger());
    }
}

impl Drop for ExternalPlayer {
    fn drop(&mut self) {
        self.give_up();
    }
}

/// True if an `info` line has a value of the position or the expected moves.
fn tells_of_position(info: &Info) -> bool {
    let tells = info.value.is_some() || info.score.is_some() || !info.pv.is_empty();
    tells && info.multipv.is_none_or(|rank| rank == 1)
}

/// The thread: it owns the program.
fn run(mut player: ProgramPlayer, orders: Receiver<PlayerOrder>, handler: &AnswerHandler, progress: &LatestProgress) {
    for PlayerOrder { number, rules, moves, move_time, interrupt, starts_anew } in orders {
        if starts_anew {
            player.end();
        }
        if interrupt.is_set() {
            continue;
        }
        let side = if moves.len().is_multiple_of(2) { Player::X } else { Player::O };
        let keep = |info: &Info| {
            if tells_of_position(info) {
                progress.set(number, Evaluation::of_info(side, info));
            }
        };
        let position = PositionCommand::after(&moves);
        let answer = player.request_move(rules, &position, move_time, Arc::clone(&interrupt), keep);
        if !interrupt.is_set() {
            let result = answer.map(|(best, info)| PlayerReply::Moved(best, Evaluation::of_info(side, &info)));
            handler(PlayerAnswer { request: number, result });
        }
    }
    player.quit();
}
