//! A worker: a thread that plays games of a match one after the other, with engine processes of its own.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::client::{Client, Failure, StartError};
use crate::system::pinning::reserve_core;
use crate::text::on_one_line;

use super::game;
use super::match_run::{MatchFailure, MatchRun};

/// Plays games of the match as worker `number` until there are no more. A panic ends the match, not the program, so
/// that the results so far are still printed.
pub fn work(run: &MatchRun, number: usize) {
    if catch_unwind(AssertUnwindSafe(|| play_all(run, number))).is_err() {
        let problem = "this program broke down, which is a fault of its own";
        run.fail(MatchFailure::Run(problem.to_owned()));
    }
}

fn play_all(run: &MatchRun, number: usize) {
    let _core = run.context.settings.pinned.then(|| reserve_core(number));
    let clients = run.context.settings.engines.iter().map(|_| None).collect();
    let mut worker = MatchWorker { run, clients };
    while worker.play_next().is_some() {}
    Client::quit(worker.clients.into_iter().flatten());
}

/// The state of a worker.
struct MatchWorker<'a> {
    run: &'a MatchRun,
    /// The process of each engine of the match, if this worker has one that runs.
    clients: Vec<Option<Client>>,
}

impl MatchWorker<'_> {
    /// Plays the next game; `None` when there are none, or the match is over.
    fn play_next(&mut self) -> Option<()> {
        let run = self.run;
        if run.is_over() {
            return None;
        }
        let settings = &run.context.settings;
        let scheduled = run.next_game()?;
        let [x, o] = scheduled.engines;
        let mut client_x = self.take_client(x)?;
        let mut client_o = self.take_client(o)?;
        let finished = game::play(scheduled, [&mut client_x, &mut client_o], &run.context)?;
        run.enter(&finished);
        self.clients[x] = Some(client_x);
        self.clients[o] = Some(client_o);
        if let Some((engine, failure)) = finished.broken {
            self.clients[engine] = None;
            run.handle_broken(engine, failure);
        }
        for engine in scheduled.engines {
            if settings.engines[engine].restart {
                Client::quit(self.clients[engine].take());
            }
        }
        Some(())
    }

    /// Takes the client of an engine, and starts the engine if it does not run. `None` when it does not start: then the
    /// match is over.
    fn take_client(&mut self, engine: usize) -> Option<Client> {
        if let Some(client) = self.clients[engine].take() {
            return Some(client);
        }
        let context = &self.run.context;
        let setup = &context.settings.engines[engine];
        match Client::start(setup, context.settings.rules, &self.run.run_context) {
            Ok(client) => Some(client),
            Err(error) => {
                if !matches!(error, StartError::Introduction(Failure::Interrupted, _)) {
                    let engine = on_one_line(&setup.name_and_command());
                    self.run.fail(MatchFailure::Start(format!("engine {engine} {error}")));
                }
                None
            }
        }
    }
}
