//! Searches: how one begins, where it runs, and what becomes of its answer.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use crate::engine::{Answer, Assignment, Options, PlayerKind, Task, Thought, Topic};
use crate::excerpt::Excerpt;
use crate::game::{Cell, MoveText};
use crate::protocol::{GoCommand, Reply};
use crate::search::{Explanation, Level, Limits, PlayoutLaw, Question, Stream, Tiebreak, generator};

use super::{Ending, Session, drawing, explaining, report, worker};

/// A search under way.
pub struct Job {
    /// How many commands had been received before the one that asked for it.
    pub number: u64,
    pub kind: JobKind,
    pub since: Instant,
    /// The answer is held back until `stop`.
    pub endless: bool,
    /// Nothing but `stop` ends it in any time that somebody would wait.
    pub unbounded: bool,
    pub stop: Arc<AtomicBool>,
    /// The answer of an endless search that has ended before it was stopped.
    pub held: Option<Result<Answer, String>>,
    /// Of the held answer, everything but the move has been said.
    pub told: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JobKind {
    Go,
    Eval,
    EvalExact,
    Explain(Option<Cell>),
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

    fn next_go(&mut self) -> Stream {
        self.go_commands += 1;
        Stream::Go(self.go_commands)
    }

    fn next_eval(&mut self) -> Stream {
        self.eval_commands += 1;
        Stream::Eval(self.eval_commands)
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
        let generator = generator(self.streams.seed, self.streams.next_go());
        let (position, options, limits) = (self.position, self.options, command.limits);
        let lines = options.multi_pv as usize;
        self.start(number, JobKind::Go, Assignment::Think(Task { position, options, limits, lines, generator }));
    }

    pub(super) fn eval(&mut self, number: u64) {
        if self.is_adrift("eval") {
            return;
        }
        let mut options = self.options;
        options.tiebreak = Tiebreak::First;
        options.level = Level::FULL;
        // What the drawing shows is exact wherever that is known, unless Monte Carlo was asked for.
        if !matches!(options.player, PlayerKind::MonteCarlo | PlayerKind::MonteCarloLimit | PlayerKind::Perfect) {
            options.player = PlayerKind::Auto;
        }
        let generator = generator(self.streams.seed, self.streams.next_eval());
        let (position, limits, lines) = (self.position, Limits::default(), Question::EVERY_MOVE);
        self.start(number, JobKind::Eval, Assignment::Think(Task { position, options, limits, lines, generator }));
    }

    /// Samples as `montecarlo` does, whatever the option `player` says.
    pub(super) fn eval_exact(&mut self, number: u64) {
        if self.is_adrift("eval") {
            return;
        }
        let (size, largest) = (self.position.rules().size(), PlayoutLaw::LARGEST);
        if size > largest {
            return self.say_error(format_args!(
                "eval: exact scores are known on boards up to {largest}x{largest}, not on {size}x{size}; \
                 nothing is drawn"
            ));
        }
        let level = Level::FULL;
        let options = Options { player: PlayerKind::MonteCarlo, tiebreak: Tiebreak::First, level, ..self.options };
        let generator = generator(self.streams.seed, self.streams.next_eval());
        let (position, limits, lines) = (self.position, Limits::default(), Question::EVERY_MOVE);
        self.start(number, JobKind::EvalExact, Assignment::Think(Task { position, options, limits, lines, generator }));
    }

    pub(super) fn explain(&mut self, number: u64, written: Option<MoveText>) {
        if self.is_adrift("explain") {
            return;
        }
        let size = self.position.rules().size();
        let legal = |written: MoveText| {
            let cell = written.on_board(size)?;
            let mut after = self.position;
            after.play(cell).map(|()| cell)
        };
        match written.map(legal).transpose() {
            Ok(cell) => {
                let topic = Topic { position: self.position, cell, hash: self.options.hash };
                self.start(number, JobKind::Explain(cell), Assignment::Explain(topic));
            }
            Err(error) => self.say_error(format_args!("explain: {error}; there is nothing to explain")),
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
    fn start(&mut self, number: u64, kind: JobKind, assignment: Assignment) {
        let infinite = assignment.is_infinite();
        let stopped = number < self.stopped_before || (infinite && self.ending != Ending::Open);
        let stop = Arc::new(AtomicBool::new(stopped));
        let endless = infinite && !stopped;
        let unbounded = assignment.is_unbounded() && !stopped;
        self.current = Some(Job {
            number,
            kind,
            since: Instant::now(),
            endless,
            unbounded,
            stop: Arc::clone(&stop),
            held: None,
            told: false,
        });

        let Some(mut engine) = self.engine.take() else {
            return self.finish(Err("the engine is missing".to_owned()));
        };
        if !stopped && !engine.is_quick(&assignment) {
            if let Err((engine, error)) = self.worker.search(engine, assignment, stop) {
                self.engine = Some(engine);
                self.finish(Err(error));
            }
            return;
        }
        match catch_unwind(AssertUnwindSafe(|| engine.answer(assignment, stop, &mut |_| {}))) {
            Ok(answer) => {
                self.engine = Some(engine);
                self.finish(Ok(answer));
            }
            Err(panic) => self.finish(Err(worker::panic_text(panic.as_ref()))),
        }
    }

    /// Takes the answer of the current job: says it, or holds the move back until `stop`.
    pub(super) fn finish(&mut self, answer: Result<Answer, String>) {
        let Some(mut job) = self.current.take() else { return };
        if job.endless {
            if let (JobKind::Go, Ok(Answer::Thought(thought))) = (job.kind, &answer) {
                self.say_thought(thought, |reply| !matches!(reply, Reply::BestMove(_)));
                job.told = true;
            }
            job.held = Some(answer);
            self.current = Some(job);
            return;
        }
        let answer = answer.unwrap_or_else(|problem| self.emergency(job.kind, &problem));
        match (job.kind, &answer) {
            (JobKind::Eval, Answer::Thought(thought)) => self.say_text(&drawing::evaluate(&self.position, thought)),
            (JobKind::EvalExact, Answer::Thought(thought)) => {
                self.say_text(&drawing::compare(&self.position, thought, self.options.weights));
            }
            (_, Answer::Thought(thought)) => {
                self.say_thought(thought, |reply| !job.told || matches!(reply, Reply::BestMove(_)));
            }
            (_, Answer::Explanation(explanation)) => self.say_text(&explaining::explain(explanation)),
        }
        self.pay_ready();
    }

    /// Says those of the replies to a `go` that are wanted.
    fn say_thought(&mut self, thought: &Thought, is_wanted: impl Fn(&Reply) -> bool) {
        let replies = report::answer(thought, &self.options, self.handshake);
        replies.iter().filter(|reply| is_wanted(reply)).for_each(|reply| self.say(reply));
    }

    /// An answer when a search has failed; and an engine, should that be lost.
    fn emergency(&mut self, kind: JobKind, problem: &str) -> Answer {
        self.engine.get_or_insert_with(self.make_engine);
        match kind {
            JobKind::Go | JobKind::Eval | JobKind::EvalExact => {
                self.say_error(format_args!("the search failed ({problem}); the first legal move is played"));
                Answer::Thought(report::emergency(&self.position))
            }
            JobKind::Explain(cell) => {
                self.say_error(format_args!("the search failed ({problem}); nothing is proved"));
                Answer::Explanation(Box::new(Explanation::at_first_sight(&self.position, cell)))
            }
        }
    }
}
