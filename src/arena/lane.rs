//! A lane: a thread that plays games one after the other, with engines of its own.

use std::collections::{HashSet, VecDeque};
use std::iter::Peekable;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::client::{Client, Failure, RunContext, StartError};
use crate::system::pinning::reserve_core;

use super::ledger::Ledger;
use super::{MatchFailure, Plan, Schedule, Terms, Verdict, batch, game};

/// What the lanes of a match share.
pub struct Shared {
    pub terms: Terms,
    surroundings: RunContext,
    pub ledger: Mutex<Ledger>,
    dispatch: Mutex<Dispatch>,
    stop: Mutex<Option<Stop>>,
    /// Games that were there before.
    pub resumed: u64,
}

/// Why no more games are played.
enum Stop {
    Decided,
    Failed(MatchFailure),
}

/// The games that are still to be played.
struct Dispatch {
    plans: Peekable<Box<dyn Iterator<Item = Plan> + Send>>,
    again: VecDeque<Plan>,
}

impl Dispatch {
    /// The next games of one pair of engines, at most so many; none when there are no more.
    fn next(&mut self, most: usize) -> Vec<Plan> {
        let mut plans: Vec<Plan> = self.again.pop_front().or_else(|| self.plans.next()).into_iter().collect();
        let Some(&first) = plans.first() else { return plans };
        let [x, o] = first.engines;
        while plans.len() < most {
            let same = |plan: &Plan| plan.engines == [x, o] || plan.engines == [o, x];
            match self.plans.next_if(same) {
                Some(plan) => plans.push(plan),
                None => break,
            }
        }
        plans
    }
}

impl Shared {
    pub fn new(
        terms: Terms,
        surroundings: RunContext,
        ledger: Ledger,
        schedule: &Schedule,
        played: HashSet<u64>,
    ) -> Shared {
        let plans = schedule.plans(terms.settings.interleave > 1);
        let plans: Box<dyn Iterator<Item = Plan> + Send> =
            Box::new(plans.filter(move |plan| !played.contains(&plan.number)));
        let resumed = ledger.tally.games();
        Shared {
            terms,
            surroundings,
            ledger: Mutex::new(ledger),
            dispatch: Mutex::new(Dispatch { plans: plans.peekable(), again: VecDeque::new() }),
            stop: Mutex::new(None),
            resumed,
        }
    }

    /// The files and totals. What a lane that panicked has left is whole: games are entered one at a time.
    pub fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stopped(&self) -> MutexGuard<'_, Option<Stop>> {
        self.stop.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the match, for the first reason that is given.
    fn stop(&self, reason: Stop) {
        self.stopped().get_or_insert(reason);
        self.surroundings.interrupt.trigger();
    }

    /// Why the match ended before its time.
    pub fn failure(&self) -> Option<MatchFailure> {
        match &*self.stopped() {
            Some(Stop::Failed(failure)) => Some(failure.clone()),
            Some(Stop::Decided) => None,
            None => self.surroundings.interrupt.is_set().then_some(MatchFailure::Interrupted),
        }
    }

    /// Ends the match before it begins, if the games that are there already decide it.
    pub fn stop_if_decided(&self) {
        let decided = self.ledger().is_decided();
        if decided {
            self.stop(Stop::Decided);
        }
    }

    /// Plays games until there are no more. A lane that breaks down ends the match, not the program: what was played is
    /// still told.
    pub fn lane(&self, number: usize) {
        if catch_unwind(AssertUnwindSafe(|| self.play_all(number))).is_err() {
            self.stop(Stop::Failed(MatchFailure::Panic));
        }
    }

    fn play_all(&self, number: usize) {
        let _core = self.terms.settings.pinned.then(|| reserve_core(number));
        let mut clients: Vec<Option<Client>> = self.terms.settings.engines.iter().map(|_| None).collect();
        while self.play_next(&mut clients).is_some() {}
        Client::quit(clients.into_iter().flatten());
    }

    /// Plays the next games; `None` when there are none, or the match is over.
    fn play_next(&self, clients: &mut [Option<Client>]) -> Option<()> {
        if self.stopped().is_some() || self.surroundings.interrupt.is_set() {
            return None;
        }
        let interleave = self.terms.settings.interleave;
        let plans = {
            let mut dispatch = self.dispatch.lock().unwrap_or_else(PoisonError::into_inner);
            dispatch.next(interleave)
        };
        let plan = *plans.first()?;
        let [x, o] = plan.engines;
        let mut of_x = self.ready(clients, x)?;
        let mut of_o = self.ready(clients, o)?;
        let broken = if interleave > 1 {
            let pair = if x < o { [&mut of_x, &mut of_o] } else { [&mut of_o, &mut of_x] };
            let leftover = batch::play(plans, pair, &self.terms, |verdict| self.enter(&verdict)).ok()?;
            let mut dispatch = self.dispatch.lock().unwrap_or_else(PoisonError::into_inner);
            dispatch.again.extend(leftover.abandoned);
            leftover.broken
        } else {
            let verdict = game::play(plan, [&mut of_x, &mut of_o], &self.terms).ok()?;
            self.enter(&verdict);
            verdict.broken
        };
        clients[x] = Some(of_x);
        clients[o] = Some(of_o);
        if let Some((engine, failure)) = broken {
            clients[engine] = None;
            self.handle_broken(engine, failure);
        }
        for engine in plan.engines {
            if self.terms.settings.engines[engine].restart {
                Client::quit(clients[engine].take());
            }
        }
        Some(())
    }

    /// The client of an engine, started now if it is not there.
    fn ready(&self, clients: &mut [Option<Client>], engine: usize) -> Option<Client> {
        if let Some(client) = clients[engine].take() {
            return Some(client);
        }
        let setup = &self.terms.settings.engines[engine];
        match Client::start(setup, self.terms.settings.rules, &self.surroundings) {
            Ok(client) => Some(client),
            Err(error) => {
                if !matches!(error, StartError::Introduction(Failure::Interrupted, _)) {
                    let (name, command) = (setup.name.clone(), setup.command.clone());
                    self.stop(Stop::Failed(MatchFailure::Start { name, command, error }));
                }
                None
            }
        }
    }

    fn enter(&self, verdict: &Verdict) {
        let mut ledger = self.ledger();
        // Games that end while the match is being stopped do not count: what decided it is the last.
        if self.stopped().is_some() {
            return;
        }
        // Still with the ledger in hand: the game that decides the match is its last.
        match ledger.enter(verdict) {
            Err(error) => self.stop(Stop::Failed(MatchFailure::Record(error))),
            Ok(()) if ledger.is_decided() => self.stop(Stop::Decided),
            Ok(()) => {}
        }
    }

    fn handle_broken(&self, engine: usize, failure: Failure) {
        let setup = &self.terms.settings.engines[engine];
        if self.terms.settings.recover {
            self.terms.warn(format!("{} {failure}; it is started again", setup.name));
        } else {
            let (name, command) = (setup.name.clone(), setup.command.clone());
            self.stop(Stop::Failed(MatchFailure::Broken { name, command, failure }));
        }
    }
}
