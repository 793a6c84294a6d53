//! Searches: how one begins, where it runs, and what becomes of its answer.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::engine::{PlayerKind, Task, Thought};
use crate::excerpt::Excerpt;
use crate::protocol::{GoCommand, Reply};
use crate::search::{Limits, Question, Stream, Tiebreak, generator};

use super::{Ending, Session, drawing, report, worker};

/// A search under way.
pub struct Job {
    /// How many commands had been received before the one that asked for it.
    pub number: u64,
    pub kind: JobKind,
    /// The answer is held back until `stop`.
    pub endless: bool,
    /// Nothing but `stop` ends it in any time that somebody would wait.
    pub unbounded: bool,
    pub stop: Arc<AtomicBool>,
    /// The answer of an endless search that has ended before it was stopped.
    pub held: Option<Result<Thought, String>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JobKind {
    Go,
    Eval,
}

/// Random streams of one seed.
pub struct Streams {
    seed: u64,
    go_commands: u64,
    eval_commands: u64,
}

impl Streams {
    pub fn new(seed: u32) -> Streams {
        let seed = if seed == 0 { rand::random() } else { u64::from(seed) };
        Streams { seed, go_commands: 0, eval_commands: 0 }
    }

    fn next(&mut self, kind: JobKind) -> Stream {
        let count = match kind {
            JobKind::Go => &mut self.go_commands,
            JobKind::Eval => &mut self.eval_commands,
        };
        *count += 1;
        match kind {
            JobKind::Go => Stream::Go(*count),
            JobKind::Eval => Stream::Eval(*count),
        }
    }
}

impl Session {
    pub(super) fn go(&mut self, number: u64, command: &GoCommand) {
        if self.is_adrift("go") {
            return;
        }
        if !command.ignored.is_empty() {
            let words = Excerpt::of(&command.ignored.join(" "));
            self.say(&Reply::Note(format!("go: {words} means nothing here and is left out of account")));
        }
        self.start(number, JobKind::Go, command.limits);
    }

    pub(super) fn eval(&mut self, number: u64) {
        if !self.is_adrift("eval") {
            self.start(number, JobKind::Eval, Limits::default());
        }
    }

    /// Refuses a search when the position on the board is not the one that the client believes to be there.
    fn is_adrift(&mut self, command: &str) -> bool {
        if self.adrift {
            self.say_error(format_args!(
                "{command}: refused, for a position, newgame or setoption before it was refused; \
                 send a position or newgame first"
            ));
        }
        self.adrift
    }

    /// Begins a search, and ends it too when it is quick.
    fn start(&mut self, number: u64, kind: JobKind, limits: Limits) {
        let mut options = self.options;
        if kind == JobKind::Eval {
            options.tiebreak = Tiebreak::First;
            // What the drawing shows is exact wherever that is known, unless Monte Carlo was asked for.
            if !matches!(options.player, PlayerKind::MonteCarlo | PlayerKind::Perfect) {
                options.player = PlayerKind::Auto;
            }
        }
        let lines = match kind {
            JobKind::Go => options.multi_pv as usize,
            JobKind::Eval => Question::EVERY_MOVE,
        };
        let generator = generator(self.streams.seed, self.streams.next(kind));
        let task = Task { position: self.position, options, limits, lines, generator };

        let stopped = number < self.stopped_before || (limits.infinite && self.ending != Ending::Open);
        let stop = Arc::new(AtomicBool::new(stopped));
        let endless = limits.infinite && !stopped;
        let unbounded = task.is_unbounded() && !stopped;
        self.current = Some(Job { number, kind, endless, unbounded, stop: Arc::clone(&stop), held: None });

        let Some(mut engine) = self.engine.take() else {
            return self.finish(Err("the engine is missing".to_owned()));
        };
        if !stopped && !engine.is_quick(&task) {
            if let Err((engine, error)) = self.worker.search(engine, task, stop) {
                self.engine = Some(engine);
                self.finish(Err(error));
            }
            return;
        }
        match catch_unwind(AssertUnwindSafe(|| engine.think(task, stop, &mut |_| {}))) {
            Ok(thought) => {
                self.engine = Some(engine);
                self.finish(Ok(thought));
            }
            Err(panic) => self.finish(Err(worker::panic_text(panic.as_ref()))),
        }
    }

    /// Takes the answer of the current job: says it, or holds it back until `stop`.
    pub(super) fn finish(&mut self, answer: Result<Thought, String>) {
        let Some(mut job) = self.current.take() else { return };
        if job.endless {
            job.held = Some(answer);
            self.current = Some(job);
            return;
        }
        let thought = answer.unwrap_or_else(|problem| {
            self.say_error(format_args!("the search failed ({problem}); the first legal move is played"));
            self.engine.get_or_insert_with(self.make_engine);
            report::emergency(&self.position)
        });
        match job.kind {
            JobKind::Go => {
                report::answer(&thought, &self.options, self.dialect).iter().for_each(|reply| self.say(reply));
            }
            JobKind::Eval => self.say_text(&drawing::evaluate(&self.position, &thought)),
        }
        self.pay_ready();
    }
}
