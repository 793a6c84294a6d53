//! Searches: how one begins, where it runs, and what becomes of its answer.

use std::num::NonZeroU64;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::engine::{
    Engine, EngineRequest, EngineResult, ExplainRequest, GoRequest, GoResult, Options, PlayerKind, time_for_move,
};
use crate::protocol::{GoCommand, Handshake, Reply};
use crate::text::Excerpt;
use noughts_core::game::{Cell, CellSet, MoveError, MoveText};
use noughts_core::search::{ExactPlayouts, Explanation, Level, Limits, SearchRequest, Stream, Tiebreak, generator};

use super::{Ending, LateEngine, Session, report, worker};
use crate::text::{board, explanation};

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
    pub held: Option<Result<EngineResult, String>>,
    /// What is to be searched as soon as a late engine has come back.
    pub waiting: Option<EngineRequest>,
    /// Of the held answer, everything but the move has been said.
    pub told: bool,
    /// When it is to end, where the search itself does not know.
    pub deadline: Option<Instant>,
    /// The task of a `go` with a limit of time, and when it is answered at the latest.
    pub timed: Option<(Box<GoRequest>, Instant)>,
    /// For `go ponder`, what counts from `ponderhit` on.
    pub pondered: Option<Pondered>,
}

/// The limits of a `go ponder` that have not counted yet.
#[derive(Clone, Copy)]
pub struct Pondered {
    /// The time for the move.
    pub time: Option<Duration>,
    /// Whether anything ends the search.
    pub ends: bool,
    /// Whether it is effectively unbounded then.
    pub is_unbounded: bool,
}

impl Job {
    /// When it is answered at the latest, whether the search has come to its end or not.
    pub fn answer_by(&self) -> Option<Instant> {
        let is_open = !self.endless && self.held.is_none() && self.pondered.is_none();
        self.timed.as_ref().filter(|_| is_open).map(|(_, by)| *by)
    }
}

/// When a search that was to end at `deadline` is answered without it: later, so that a search that ends in time is heard,
/// and with nearly all of the overhead left.
pub(super) fn answer_by(deadline: Instant, options: &Options) -> Instant {
    deadline + LEAST_GRACE.max(Duration::from_millis(options.move_overhead.into()) / 10)
}

/// The least time from the deadline of a search to an answer without it.
const LEAST_GRACE: Duration = Duration::from_millis(1);

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

/// The time for the move of a task.
fn plan_time(task: &GoRequest) -> Option<Duration> {
    time_for_move(&task.limits, &task.position, task.options.move_overhead).map(|time| time.most)
}

impl Session {
    pub(super) fn go(&mut self, number: u64, command: &GoCommand) {
        if self.is_adrift("go") {
            return;
        }
        let root_moves = match self.legal_moves(&command.search_moves) {
            Ok(moves) => moves,
            Err(problem) => return self.say_error(format_args!("go: searchmoves: {problem}; the line is ignored")),
        };
        if !command.ignored.is_empty() {
            let words = Excerpt::of(&command.ignored.join(" "));
            self.say(&Reply::Note(format!("go: {words} means nothing here and is left out of account")));
        }
        let mut limits = command.limits;
        limits.depth = limits.depth.into_iter().chain(command.mate.map(|length| self.plies_of_win(length))).min();
        let generator = generator(self.streams.seed, self.streams.next_go());
        let task = GoRequest {
            lines: self.options.multi_pv as usize,
            root_moves,
            since: self.since,
            ..GoRequest::new(self.position, self.options, limits, generator)
        };
        if command.ponder && number >= self.hit_before {
            self.ponder(number, task);
        } else {
            self.start(number, JobKind::Go, EngineRequest::Go(Box::new(task)));
        }
    }

    /// Searches without a limit of time until `ponderhit` or `stop`.
    fn ponder(&mut self, number: u64, task: GoRequest) {
        let time = plan_time(&task);
        let ends = time.is_some() || task.limits.playouts().is_some() || task.limits.depth.is_some();
        let pondered = Pondered { time, ends, is_unbounded: ends && task.is_unbounded() };
        // Without a number to fill, only `stop` or `ponderhit` ends it.
        let infinite = task.limits.infinite || task.limits.playouts().is_none();
        let limits = Limits { move_time: None, clocks: Default::default(), infinite, ..task.limits };
        self.begin(number, JobKind::Go, EngineRequest::Go(Box::new(GoRequest { limits, ..task })), Some(pondered));
    }

    /// The moves of a list as cells, if it is not empty and all of them are legal.
    fn legal_moves(&self, written: &[MoveText]) -> Result<Option<CellSet>, MoveError> {
        let cells: Result<CellSet, MoveError> =
            written.iter().map(|&written| self.position.legal_move(written)).collect();
        cells.map(|cells| Some(cells).filter(|cells| !cells.is_empty()))
    }

    /// The plies of a win in so many moves, as the client counts them.
    fn plies_of_win(&self, length: NonZeroU64) -> NonZeroU64 {
        match self.handshake {
            Handshake::Ugi => length,
            Handshake::Uci => length.saturating_add(length.get() - 1),
        }
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
        let task = GoRequest::new(self.position, options, Limits::default(), generator);
        self.start(
            number,
            JobKind::Eval,
            EngineRequest::Go(Box::new(GoRequest { lines: SearchRequest::EVERY_MOVE, ..task })),
        );
    }

    /// Samples as `montecarlo` does, whatever the option `player` says.
    pub(super) fn eval_exact(&mut self, number: u64) {
        if self.is_adrift("eval") {
            return;
        }
        let (size, largest) = (self.position.rules().size(), ExactPlayouts::LARGEST);
        if size > largest {
            return self.say_error(format_args!(
                "eval: exact scores are known on boards up to {largest}x{largest}, not on {size}x{size}; \
                 nothing is drawn"
            ));
        }
        let level = Level::FULL;
        let options = Options { player: PlayerKind::MonteCarlo, tiebreak: Tiebreak::First, level, ..self.options };
        let generator = generator(self.streams.seed, self.streams.next_eval());
        let task = GoRequest::new(self.position, options, Limits::default(), generator);
        self.start(
            number,
            JobKind::EvalExact,
            EngineRequest::Go(Box::new(GoRequest { lines: SearchRequest::EVERY_MOVE, ..task })),
        );
    }

    pub(super) fn explain(&mut self, number: u64, written: Option<MoveText>) {
        if self.is_adrift("explain") {
            return;
        }
        match written.map(|written| self.position.legal_move(written)).transpose() {
            Ok(cell) => {
                let topic = ExplainRequest { position: self.position, cell, options: self.options };
                self.start(number, JobKind::Explain(cell), EngineRequest::Explain(topic));
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
    fn start(&mut self, number: u64, kind: JobKind, assignment: EngineRequest) {
        self.begin(number, kind, assignment, None);
    }

    /// The same; the answer of a search that ponders is held back.
    fn begin(&mut self, number: u64, kind: JobKind, assignment: EngineRequest, pondered: Option<Pondered>) {
        let infinite = assignment.is_infinite() || pondered.is_some();
        let stopped = number < self.stopped_before || (infinite && self.ending != Ending::Open);
        let stop = Arc::new(AtomicBool::new(stopped));
        let endless = infinite && !stopped;
        let timed = match &assignment {
            EngineRequest::Go(task) if kind == JobKind::Go => {
                let time = pondered.map_or(plan_time(task), |pondered| pondered.time);
                let by = time.and_then(|time| Some(answer_by(task.since.checked_add(time)?, &task.options)));
                by.map(|by| (task.clone(), by))
            }
            _ => None,
        };
        let unbounded = assignment.is_unbounded() && !stopped;
        self.current = Some(Job {
            number,
            kind,
            since: Instant::now(),
            endless,
            unbounded,
            stop: Arc::clone(&stop),
            held: None,
            waiting: None,
            told: false,
            deadline: None,
            timed,
            pondered,
        });

        match (self.engine.take(), &mut self.current) {
            (Some(engine), _) => self.launch(engine, assignment, stop),
            (None, Some(job)) if self.late_engine.is_some() => job.waiting = Some(assignment),
            (None, _) => self.finish(Err("the engine is missing".to_owned())),
        }
    }

    /// Takes a late engine back, and gives it to the search that waits for it.
    pub(super) fn welcome(&mut self, engine: Engine) {
        let waiting = self.current.as_mut().and_then(|job| Some((job.waiting.take()?, Arc::clone(&job.stop))));
        match waiting {
            Some((assignment, stop)) => self.launch(engine, assignment, stop),
            None => self.engine = Some(engine),
        }
    }

    /// Has the engine search: here if that is quick, else on the search thread.
    fn launch(&mut self, mut engine: Engine, assignment: EngineRequest, stop: Arc<AtomicBool>) {
        if !stop.load(Ordering::Relaxed) && !engine.is_quick(&assignment) {
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
    pub(super) fn finish(&mut self, answer: Result<EngineResult, String>) {
        let Some(mut job) = self.current.take() else { return };
        if job.endless {
            if let (JobKind::Go, Ok(EngineResult::Go(thought))) = (job.kind, &answer) {
                self.say_thought(thought, |reply| !matches!(reply, Reply::BestMove(_)));
                job.told = true;
            }
            job.held = Some(answer);
            self.current = Some(job);
            return;
        }
        let answer = answer.unwrap_or_else(|problem| self.emergency(job.kind, &problem));
        match (job.kind, &answer) {
            (JobKind::Eval, EngineResult::Go(thought)) => {
                self.say_text(&board::evaluate(&self.position, &thought.result, &thought.notes))
            }
            (JobKind::EvalExact, EngineResult::Go(thought)) => {
                self.say_text(&board::compare(&self.position, &thought.result, &thought.notes, self.options.weights));
            }
            (_, EngineResult::Go(thought)) => {
                self.say_thought(thought, |reply| !job.told || matches!(reply, Reply::BestMove(_)));
            }
            (_, EngineResult::Explanation(found)) => self.say_text(&explanation::explain(found)),
        }
        self.pay_ready();
    }

    /// Answers in place of a search that has not come to its end in time, with the best move that it has found so far. On a
    /// busy machine the search thread may have to wait for a core when its time is over; this thread has slept, and is woken
    /// sooner.
    pub(super) fn answer_in_time(&mut self) {
        let is_late = |job: &mut Job| job.answer_by().is_some_and(|by| by <= Instant::now());
        let Some(Job { stop, timed: Some((task, _)), .. }) = self.current.take_if(is_late) else { return };
        stop.store(true, Ordering::Relaxed);
        // If it was still waiting for a late engine, nothing changes for that.
        self.late_engine.get_or_insert(LateEngine::Kept);
        let since = task.since;
        let thought = match task.best.get() {
            Some((cell, depth, result)) => report::guess(cell, depth, result, since.elapsed()),
            None => Engine::new().think(*task, stop, &mut |_| {}),
        };
        self.say_thought(&thought, |_| true);
        self.pay_ready();
    }

    /// Says those of the replies to a `go` that are wanted.
    fn say_thought(&mut self, thought: &GoResult, is_wanted: impl Fn(&Reply) -> bool) {
        let replies = report::answer(thought, &self.options, self.handshake);
        replies.iter().filter(|reply| is_wanted(reply)).for_each(|reply| self.say(reply));
    }

    /// An answer when a search has failed; and an engine, should that be lost.
    fn emergency(&mut self, kind: JobKind, problem: &str) -> EngineResult {
        self.engine.get_or_insert_with(self.make_engine);
        match kind {
            JobKind::Go | JobKind::Eval | JobKind::EvalExact => {
                self.say_error(format_args!("the search failed ({problem}); the first legal move is played"));
                EngineResult::Go(report::emergency(&self.position))
            }
            JobKind::Explain(cell) => {
                self.say_error(format_args!("the search failed ({problem}); nothing is proved"));
                EngineResult::Explanation(Box::new(Explanation::without_search(&self.position, cell)))
            }
        }
    }
}
