//! Another program that plays: a client's child process, on a thread of its own.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::client::{Client, EngineSetup, Failure, Guard, Interrupt, MoveRequest, RunContext, go_line};
use crate::protocol::{Info, PositionCommand};
use noughts_core::game::{Cell, Player, Rules};
use noughts_core::search::Limits;

use super::evaluation::Evaluation;
use super::player_answer::{AnswerHandler, LatestProgress, PlayerAnswer, PlayerError, PlayerReply};
use super::settings::PlaySettings;

/// How long a program may think about a move if the settings do not say it, in milliseconds.
const MOVE_TIME: u64 = 1000;

/// How much longer than that the board waits for a move.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long a program may take to start.
const START_LIMIT: Duration = Duration::from_secs(10);

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
        let guard = Arc::new(Guard::start()?);
        let runner = ProgramRunner { setup, guard, shared: Arc::clone(&shared), client: None };
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

/// The thread's end: it owns the client of the program.
struct ProgramRunner {
    setup: Arc<EngineSetup>,
    guard: Arc<Guard>,
    shared: Arc<PlayerState>,
    /// The running program, and the rules that it was started for.
    client: Option<(Client, Rules)>,
}

impl ProgramRunner {
    fn run(mut self, orders: Receiver<PlayerOrder>, handler: &AnswerHandler) {
        for order in orders {
            let result = self.answer(&order);
            if result.is_err() {
                self.client = None;
            }
            if !self.is_given_up(&order) {
                handler(PlayerAnswer { request: order.number, result });
            }
        }
        Client::quit(self.client.map(|(client, _)| client));
    }

    fn is_given_up(&self, order: &PlayerOrder) -> bool {
        self.shared.given_up.load(Ordering::SeqCst) >= order.number
    }

    fn answer(&mut self, order: &PlayerOrder) -> Result<PlayerReply, PlayerError> {
        let interrupt = self.fresh_interrupt().map_err(PlayerError::Pipe)?;
        if self.is_given_up(order) {
            return Err(Failure::Interrupted.into());
        }
        let shared = Arc::clone(&self.shared);
        let client = self.client_for(order.rules, interrupt)?;
        let moves = &order.moves;
        let side = if moves.len().is_multiple_of(2) { Player::X } else { Player::O };
        let limits = Limits { move_time: Some(order.move_time), ..Limits::default() };
        let position = PositionCommand::after(moves).to_string();
        let (go, limit) = (go_line(limits), Duration::from_millis(order.move_time) + PATIENCE);
        let request = MoveRequest { position: &position, go: &go, limit, wants_info: true };
        let keep = |info: &Info| {
            if tells_of_position(info) {
                shared.progress.set(order.number, info.clone());
            }
        };
        let answer = client.request_move_with(request, keep)?;
        match answer.best_move {
            Some(best) => Ok(PlayerReply::Moved(best, Evaluation::of_info(side, &answer.info.unwrap_or_default()))),
            None => Err(PlayerError::NoMove(answer.excerpt())),
        }
    }

    /// The running program, or a new one when none runs or it was started for other rules.
    fn client_for(&mut self, rules: Rules, interrupt: Arc<Interrupt>) -> Result<&mut Client, PlayerError> {
        let client = match self.client.take().filter(|(_, known)| *known == rules) {
            Some((client, _)) => client,
            None => {
                let guard = Arc::clone(&self.guard);
                let context = RunContext { interrupt, guard, log: None, start_limit: START_LIMIT };
                Client::start(&self.setup, rules, &context)?
            }
        };
        Ok(&mut self.client.insert((client, rules)).0)
    }

    /// An interrupt that has not been triggered. The program that knew the last one goes with it.
    fn fresh_interrupt(&mut self) -> io::Result<Arc<Interrupt>> {
        let mut shared = self.shared.interrupt.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(interrupt) = shared.as_ref().filter(|interrupt| !interrupt.is_set()) {
            return Ok(Arc::clone(interrupt));
        }
        self.client = None;
        let fresh = Arc::new(Interrupt::new()?);
        *shared = Some(Arc::clone(&fresh));
        Ok(fresh)
    }
}
