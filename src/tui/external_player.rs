//! Another program that plays: a client's child process, on a thread of its own.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use crate::client::{EngineSetup, Failure, Interrupt, OrphanKiller, ProgramError, ProgramPlayer};
use crate::protocol::{Info, PositionCommand};
use noughts_core::game::{Cell, Player, Rules};

use super::evaluation::Evaluation;
use super::player_answer::{AnswerHandler, LatestProgress, PlayerAnswer, PlayerError, PlayerReply};
use super::settings::PlaySettings;

/// How long a program may think about a move if the settings do not say it, in milliseconds.
const MOVE_TIME: u64 = 1000;

/// The board's end of a thread that runs a program. No call waits for the program. Dropping it ends the program.
pub struct ExternalPlayer {
    orders: Sender<PlayerOrder>,
    shared: Arc<PlayerState>,
}

/// What the program is asked to do.
struct PlayerOrder {
    number: u64,
    rules: Rules,
    /// The moves so far.
    moves: Vec<Cell>,
    /// How long it may think, in milliseconds.
    move_time: u64,
}

/// What the board and the thread share.
struct PlayerState {
    /// Ends every wait for the program. Once triggered, it is replaced together with the program.
    interrupt: Mutex<Option<Arc<Interrupt>>>,
    /// Requests up to this number need no answer any more.
    given_up: AtomicU64,
    /// The last thing that the program said of the position.
    progress: LatestProgress<Info>,
}

impl ExternalPlayer {
    /// Starts the thread. The program starts with the first request.
    ///
    /// # Errors
    /// When the system has no thread or process left.
    pub fn start(setup: Arc<EngineSetup>, handler: AnswerHandler) -> io::Result<ExternalPlayer> {
        let (orders, received) = channel();
        let (interrupt, given_up) = (Mutex::new(None), AtomicU64::new(0));
        let shared = Arc::new(PlayerState { interrupt, given_up, progress: LatestProgress::default() });
        let player = ProgramPlayer::new(setup, Arc::new(OrphanKiller::start()?));
        let runner = ProgramRunner { player, shared: Arc::clone(&shared) };
        thread::Builder::new().name("program".to_owned()).spawn(move || runner.run(received, &handler))?;
        Ok(ExternalPlayer { orders, shared })
    }

    /// Asks for a move after these; the answer has the same number.
    pub fn ask(&self, number: u64, moves: &[Cell], settings: &PlaySettings) {
        let (rules, moves) = (settings.rules, moves.to_vec());
        let move_time = settings.budget.time().unwrap_or(MOVE_TIME);
        // The thread ends only after this end of the channel has gone.
        let _ = self.orders.send(PlayerOrder { number, rules, moves, move_time });
    }

    /// What the program has said last of the position that this request is about.
    pub fn progress(&self, number: u64, side: Player) -> Option<Evaluation> {
        self.shared.progress.get(number).map(|info| Evaluation::of_info(side, &info))
    }

    /// Gives up the requests up to this number. A program that is thinking is ended, because it may not listen.
    pub fn give_up(&self, number: u64) {
        self.shared.given_up.fetch_max(number, Ordering::SeqCst);
        if let Some(interrupt) = &*self.shared.interrupt.lock().unwrap_or_else(PoisonError::into_inner) {
            interrupt.trigger();
        }
    }
}

impl Drop for ExternalPlayer {
    fn drop(&mut self) {
        self.give_up(u64::MAX);
    }
}

/// Whether an `info` line says what the position is worth or which moves are expected.
fn tells_of_position(info: &Info) -> bool {
    let tells = info.value.is_some() || info.score.is_some() || !info.pv.is_empty();
    tells && info.multipv.is_none_or(|rank| rank == 1)
}

/// The thread's end: it owns the program.
struct ProgramRunner {
    player: ProgramPlayer,
    shared: Arc<PlayerState>,
}

impl ProgramRunner {
    fn run(mut self, orders: Receiver<PlayerOrder>, handler: &AnswerHandler) {
        for order in orders {
            let result = self.answer(&order);
            if !self.is_given_up(&order) {
                handler(PlayerAnswer { request: order.number, result });
            }
        }
        self.player.quit();
    }

    fn is_given_up(&self, order: &PlayerOrder) -> bool {
        self.shared.given_up.load(Ordering::SeqCst) >= order.number
    }

    fn answer(&mut self, order: &PlayerOrder) -> Result<PlayerReply, PlayerError> {
        let interrupt = self.fresh_interrupt().map_err(PlayerError::Pipe)?;
        if self.is_given_up(order) {
            return Err(ProgramError::from(Failure::Interrupted).into());
        }
        let shared = &self.shared;
        let keep = |info: &Info| {
            if tells_of_position(info) {
                shared.progress.set(order.number, info.clone());
            }
        };
        let position = PositionCommand::after(&order.moves);
        let (best, info) = self.player.request_move(order.rules, &position, order.move_time, interrupt, keep)?;
        let side = if order.moves.len().is_multiple_of(2) { Player::X } else { Player::O };
        Ok(PlayerReply::Moved(best, Evaluation::of_info(side, &info)))
    }

    /// An interrupt that has not been triggered. The program that knew the last one goes with it.
    fn fresh_interrupt(&mut self) -> io::Result<Arc<Interrupt>> {
        let mut shared = self.shared.interrupt.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(interrupt) = shared.as_ref().filter(|interrupt| !interrupt.is_set()) {
            return Ok(Arc::clone(interrupt));
        }
        self.player.end();
        let fresh = Arc::new(Interrupt::new()?);
        *shared = Some(Arc::clone(&fresh));
        Ok(fresh)
    }
}
