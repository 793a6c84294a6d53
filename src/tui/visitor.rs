//! Another program at the table, a client's child process, on a thread of its own.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::client::{Client, EngineSetup, Failure, Guard, Interrupt, Question, Surroundings, go_line};
use crate::protocol::Command;
use noughts_core::game::Rules;
use noughts_core::search::Limits;

use super::answer::{Aloud, Answer, Post, Said};

/// How long a program may think about a move, in milliseconds.
const MOVE_TIME: u64 = 1000;

/// How much longer it may take before it is given up.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long it may take to start.
const START_LIMIT: Duration = Duration::from_secs(10);

/// The near end of a program that plays. It never keeps anybody waiting; when it is dropped, the program ends.
pub struct Visitor {
    asks: Sender<Ask>,
    shared: Arc<Shared>,
}

/// A question: its number, the game, and the position to move in; without one, to start and to be ready is enough.
struct Ask {
    ticket: u64,
    rules: Rules,
    position: Option<Command>,
}

/// What both ends see.
struct Shared {
    /// Ends every wait for the program when it rings. It falls silent only with the program.
    bell: Mutex<Option<Arc<Interrupt>>>,
    /// Questions up to this one need no answer any more.
    settled: AtomicU64,
    aloud: Aloud,
}

impl Visitor {
    /// Prepares to start a program, as soon as it is asked something.
    ///
    /// # Errors
    /// When the system has no thread or process left.
    pub fn start(setup: Arc<EngineSetup>, post: Post) -> io::Result<Visitor> {
        let (asks, received) = channel();
        let shared = Arc::new(Shared { bell: Mutex::new(None), settled: AtomicU64::new(0), aloud: Aloud::default() });
        let guard = Arc::new(Guard::start()?);
        let host = Host { setup, guard, shared: Arc::clone(&shared), client: None };
        thread::Builder::new().name("program".to_owned()).spawn(move || host.run(received, &post))?;
        Ok(Visitor { asks, shared })
    }

    /// Asks for a move; the answer comes with the same ticket.
    pub fn ask(&self, ticket: u64, rules: Rules, position: Command) {
        self.send(Ask { ticket, rules, position: Some(position) });
    }

    /// Has a program that has been asked nothing yet started and made ready; an answer without a move comes.
    pub fn welcome(&self, rules: Rules) {
        self.send(Ask { ticket: 1, rules, position: None });
    }

    fn send(&self, ask: Ask) {
        // The thread ends only after this end has gone.
        let _ = self.asks.send(ask);
    }

    /// What is said before the answer.
    pub fn aloud(&self) -> &Aloud {
        &self.shared.aloud
    }

    /// Gives up what has been asked up to this ticket. The program is ended if it is thinking: there is no waiting for
    /// one that may not listen.
    pub fn give_up(&self, ticket: u64) {
        self.shared.settled.fetch_max(ticket, Ordering::SeqCst);
        if let Some(bell) = &*self.shared.bell.lock().unwrap_or_else(PoisonError::into_inner) {
            bell.ring();
        }
    }
}

impl Drop for Visitor {
    fn drop(&mut self) {
        self.give_up(u64::MAX);
    }
}

/// The far end.
struct Host {
    setup: Arc<EngineSetup>,
    guard: Arc<Guard>,
    shared: Arc<Shared>,
    client: Option<(Client, Rules)>,
}

impl Host {
    fn run(mut self, asks: Receiver<Ask>, post: &Post) {
        for ask in asks {
            let answer = self.answer(&ask);
            if answer.is_err() {
                self.client = None;
            }
            if !self.is_settled(&ask) {
                post(Answer { ticket: ask.ticket, said: answer });
            }
        }
        Client::quit(self.client.map(|(client, _)| client));
    }

    fn is_settled(&self, ask: &Ask) -> bool {
        self.shared.settled.load(Ordering::SeqCst) >= ask.ticket
    }

    fn answer(&mut self, ask: &Ask) -> Result<Said, String> {
        let bell = self.bell().map_err(|error| format!("there is no pipe to be had: {error}"))?;
        if self.is_settled(ask) {
            return Err(Failure::Interrupted.to_string());
        }
        if self.client.as_ref().is_none_or(|(_, rules)| *rules != ask.rules) {
            self.client = None;
            let guard = Arc::clone(&self.guard);
            let surroundings = Surroundings { interrupt: bell, guard, log: None, start_limit: START_LIMIT };
            let client = Client::start(&self.setup, ask.rules, &surroundings).map_err(|error| error.to_string())?;
            self.client = Some((client, ask.rules));
        }
        let Some((client, _)) = &mut self.client else { return Err("is missing".to_owned()) };
        let Some(position) = &ask.position else { return Ok(Said::default()) };
        let limits = Limits { move_time: Some(MOVE_TIME), ..Limits::default() };
        let (position, go) = (position.to_string(), go_line(limits));
        let limit = Duration::from_millis(MOVE_TIME) + PATIENCE;
        let question = Question { position: &position, go: &go, limit, seed: None };
        let answer = client.ask_aloud(question, |line| self.shared.aloud.say(ask.ticket, line));
        let answer = answer.map_err(|failure| failure.to_string())?;
        match answer.best_move() {
            Some(best) => Ok(Said { best: Some(best), summary: answer.info(), lines: Vec::new() }),
            None => Err(format!("gave no move: {}", answer.excerpt())),
        }
    }

    /// A bell that has not been rung; the program that knew the last one goes with it.
    fn bell(&mut self) -> io::Result<Arc<Interrupt>> {
        let mut bell = self.shared.bell.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bell) = bell.as_ref().filter(|bell| !bell.has_rung()) {
            return Ok(Arc::clone(bell));
        }
        self.client = None;
        let new = Arc::new(Interrupt::new()?);
        *bell = Some(Arc::clone(&new));
        Ok(new)
    }
}
