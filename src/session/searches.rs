//! Searches: how one begins, and what becomes of its result.

use std::num::NonZeroU64;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::engine::{
    Engine, EngineRequest, EngineResult, ExplainRequest, GoRequest, GoResult, Options, SearchBackend, SearchPlan,
    SearchPurpose, Trace, TraceSearch,
};
use crate::protocol::{GoCommand, Handshake, Reply};
use crate::text::{Excerpt, board, explanation};
use noughts_core::game::{Cell, CellSet, MoveError, MoveText};
use noughts_core::search::{
    BestSoFar, Control, ExactPlayouts, Explanation, Generator, Instant, Limits, Stream, generator,
};

use super::search_job::SearchJob;
use super::{OverdueEngine, Session, SessionOutput, SessionPhase, report};

/// The search under way.
pub struct CurrentSearch {
    /// How many commands had been received before the one that asked for it.
    pub number: u64,
    pub kind: SearchKind,
    pub since: Instant,
    /// True if the answer is held back until `stop`.
    pub endless: bool,
    /// True if the search is effectively unbounded: only a `stop` ends it within an hour.
    pub unbounded: bool,
    pub stop: Arc<AtomicBool>,
    /// The result of an endless search that has ended before it was stopped.
    pub held: Option<Result<EngineResult, String>>,
    /// What is to be searched as soon as a late engine has come back.
    pub waiting: Option<Box<EngineRequest>>,
    /// True if everything of the held result but the move has been said.
    pub told: bool,
    /// When it is to end, where the search itself does not know.
    pub deadline: Option<Instant>,
    /// What was asked for, if that was a move.
    pub request: Option<Arc<GoRequest>>,
    /// The best move so far.
    pub best: BestSoFar,
    /// When a `go` with a limit of time is answered at the latest, whether the search has come to its end or not.
    pub reply_deadline: Option<Instant>,
    /// For `go ponder`, what counts from `ponderhit` on.
    pub pondered: Option<Pondered>,
}

/// The limits of a `go ponder` that have not counted yet.
#[derive(Clone, Copy)]
pub struct Pondered {
    /// The time for the move.
    pub time: Option<Duration>,
    /// True if anything but `stop` ends the search.
    pub ends: bool,
    /// True if the search is effectively unbounded then.
    pub is_unbounded: bool,
}

impl CurrentSearch {
    /// The search as it is handed out.
    fn job(&self, backend: Box<dyn SearchBackend>, request: EngineRequest) -> SearchJob {
        let is_quick = backend.follows_plan() && request.plan().is_some_and(SearchPlan::is_quick);
        let control = Control::new(Arc::clone(&self.stop), None, None).publishing(self.best.clone());
        SearchJob { backend, request, control, is_quick: is_quick || self.stop.load(Ordering::Relaxed) }
    }

    /// [`CurrentSearch::reply_deadline`], unless the answer is held back.
    pub fn reply_deadline(&self) -> Option<Instant> {
        let is_open = !self.endless && self.held.is_none() && self.pondered.is_none();
        self.reply_deadline.filter(|_| is_open)
    }
}

/// When the session answers in place of a search that should have ended at `deadline`: a tenth of the overhead later,
/// and at least `LEAST_GRACE`, so that a search that ends in time can answer itself.
pub(super) fn reply_deadline(deadline: Instant, options: &Options) -> Instant {
    deadline + LEAST_GRACE.max(Duration::from_millis(options.move_overhead.into()) / 10)
}

/// The least time from the deadline of a search to an answer without it.
const LEAST_GRACE: Duration = Duration::from_millis(1);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchKind {
    Go,
    Eval,
    EvalExact,
    Explain(Option<Cell>),
    Trace(TraceSearch),
}

/// Random streams of one seed.
pub struct RandomStreams {
    pub seed: u64,
    go_commands: u64,
    eval_commands: u64,
    trace_commands: u64,
}

impl RandomStreams {
    pub fn new(seed: u32) -> RandomStreams {
        let seed = if seed == 0 { rand::random() } else { u64::from(seed) };
        RandomStreams { seed, go_commands: 0, eval_commands: 0, trace_commands: 0 }
    }

    fn next_go(&mut self) -> Stream {
        self.go_commands += 1;
        Stream::Go(self.go_commands)
    }

    fn next_eval(&mut self) -> Stream {
        self.eval_commands += 1;
        Stream::Eval(self.eval_commands)
    }

    pub fn next_trace(&mut self) -> Stream {
        self.trace_commands += 1;
        Stream::Trace(self.trace_commands)
    }
}

impl Session {
    pub(super) fn go(&mut self, number: u64, command: &GoCommand) {
        if self.is_out_of_sync("go") {
            return;
        }
        let root_moves = match self.legal_moves(&command.search_moves) {
            Ok(moves) => moves,
            Err(problem) => return self.say_error(format_args!("go: searchmoves: {problem}; the line is ignored")),
        };
        if !command.ignored.is_empty() {
            let words = Excerpt::of(&command.ignored.join(" "));
            self.say(Reply::Note(format!("go: {words} means nothing here and is left out of account")));
        }
        let mut limits = command.limits;
        limits.depth = limits.depth.into_iter().chain(command.mate.map(|length| self.plies_of_win(length))).min();
        let generator = generator(self.streams.seed, self.streams.next_go());
        let request = GoRequest { root_moves, ..self.request(SearchPurpose::Move, limits, generator) };
        if command.ponder && number >= self.hit_before {
            self.ponder(number, request);
        } else {
            self.begin(number, SearchKind::Go, EngineRequest::go(request), None);
        }
    }

    /// Searches without a limit of time until `ponderhit` or `stop`.
    fn ponder(&mut self, number: u64, request: GoRequest) {
        let limits = request.limits;
        let counted = limits.playouts().is_some();
        let after_hit = SearchPlan::new(&request);
        let time = after_hit.move_time();
        let ends = time.is_some() || counted || limits.depth.is_some();
        let pondered = Pondered { time, ends, is_unbounded: ends && after_hit.is_unbounded() };
        // Without a number of playouts, only `stop` or `ponderhit` ends it.
        let infinite = limits.infinite || !counted;
        let limits = Limits { move_time: None, clocks: Default::default(), infinite, ..limits };
        self.begin(number, SearchKind::Go, EngineRequest::go(GoRequest { limits, ..request }), Some(pondered));
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
        if self.is_out_of_sync("eval") {
            return;
        }
        self.evaluate(number, SearchKind::Eval, SearchPurpose::Values);
    }

    /// Samples as `montecarlo` does, whatever the option `player` says.
    pub(super) fn eval_exact(&mut self, number: u64) {
        if self.is_out_of_sync("eval") {
            return;
        }
        let (size, largest) = (self.position.rules().size(), ExactPlayouts::LARGEST);
        if size > largest {
            return self.say_error(format_args!(
                "eval: exact scores are known on boards up to {largest}x{largest}, not on {size}x{size}; \
                 nothing is drawn"
            ));
        }
        self.evaluate(number, SearchKind::EvalExact, SearchPurpose::PlayoutScores);
    }

    /// Begins a search for the value of every move.
    fn evaluate(&mut self, number: u64, kind: SearchKind, purpose: SearchPurpose) {
        let generator = generator(self.streams.seed, self.streams.next_eval());
        let request = self.request(purpose, Limits::default(), generator);
        self.begin(number, kind, EngineRequest::go(request), None);
    }

    /// A request about the position, the time of which began with the current command.
    fn request(&self, purpose: SearchPurpose, limits: Limits, generator: Generator) -> GoRequest {
        let Session { position, options, since, .. } = *self;
        GoRequest { position, options, limits, purpose, root_moves: None, generator, since }
    }

    pub(super) fn explain(&mut self, number: u64, written: Option<MoveText>) {
        if self.is_out_of_sync("explain") {
            return;
        }
        match written.map(|written| self.position.legal_move(written)).transpose() {
            Ok(cell) => {
                let request = ExplainRequest { position: self.position, cell, options: self.options };
                self.begin(number, SearchKind::Explain(cell), EngineRequest::Explain(Box::new(request)), None);
            }
            Err(error) => self.say_error(format_args!("explain: {error}; there is nothing to explain")),
        }
    }

    /// Refuses a search when the position on the board is not the one that the client believes to be there.
    pub(super) fn is_out_of_sync(&mut self, command: &str) -> bool {
        if self.out_of_sync {
            self.say_error(format_args!(
                "{command}: refused, for a position, newgame or setoption before it was refused; \
                 send a position or newgame first"
            ));
        }
        self.out_of_sync
    }

    /// Begins a search. The answer of a search that ponders is held back.
    pub(super) fn begin(&mut self, number: u64, kind: SearchKind, request: EngineRequest, pondered: Option<Pondered>) {
        let (go, plan) = match &request {
            EngineRequest::Go { request, plan } => (Some(Arc::clone(request)), Some(plan)),
            EngineRequest::Explain(_) | EngineRequest::Trace(_) => (None, None),
        };
        let infinite = plan.is_some_and(|plan| plan.is_infinite()) || pondered.is_some();
        let stopped = number < self.stopped_before || (infinite && self.phase != SessionPhase::Open);
        let reply_deadline = go.as_ref().filter(|_| kind == SearchKind::Go).and_then(|go| {
            let time = pondered.map_or(plan?.move_time(), |pondered| pondered.time)?;
            Some(reply_deadline(go.since.checked_add(time)?, &go.options))
        });
        self.current = Some(CurrentSearch {
            number,
            kind,
            since: self.now,
            endless: infinite && !stopped,
            unbounded: request.is_unbounded() && !stopped,
            stop: Arc::new(AtomicBool::new(stopped)),
            held: None,
            waiting: None,
            told: false,
            deadline: None,
            request: go,
            best: BestSoFar::default(),
            reply_deadline,
            pondered,
        });
        match (self.backend.take(), &mut self.current) {
            (Some(backend), Some(search)) => {
                let job = search.job(backend, request);
                self.output(SessionOutput::Search(job));
            }
            (None, Some(search)) if self.overdue_engine.is_some() => search.waiting = Some(Box::new(request)),
            _ => self.finish(Err("the engine is missing".to_owned())),
        }
    }

    /// Takes a late engine back, and gives it to the search that waits for it.
    pub(super) fn take_back(&mut self, backend: Box<dyn SearchBackend>) {
        if let Some(search) = &mut self.current
            && let Some(request) = search.waiting.take()
        {
            let job = search.job(backend, *request);
            self.output(SessionOutput::Search(job));
        } else {
            self.backend = Some(backend);
        }
    }

    /// Takes the result of the current search: says it, or holds the move back until `stop`.
    pub(super) fn finish(&mut self, result: Result<EngineResult, String>) {
        let Some(mut search) = self.current.take() else { return };
        if search.endless {
            if let (SearchKind::Go, Ok(EngineResult::Go(found))) = (search.kind, &result) {
                self.say_result(found, |reply| !matches!(reply, Reply::BestMove(_)));
                search.told = true;
            }
            search.held = Some(result);
            self.current = Some(search);
            return;
        }
        let request = search.request.take();
        let result = result.unwrap_or_else(|problem| self.fallback_result(search.kind, request, &problem));
        match (search.kind, result) {
            (_, EngineResult::Trace(trace)) => return self.begin_telling(search, trace),
            (SearchKind::Eval, EngineResult::Go(found)) => {
                self.say_text(&board::evaluate(&self.position, &found.result, &found.notes))
            }
            (SearchKind::EvalExact, EngineResult::Go(found)) => {
                self.say_text(&board::compare(&self.position, &found.result, &found.notes, self.options.weights));
            }
            (_, EngineResult::Go(found)) => {
                self.say_result(&found, |reply| !search.told || matches!(reply, Reply::BestMove(_)));
            }
            (_, EngineResult::Explanation(found)) => self.say_text(&explanation::explain(&found)),
        }
        self.answer_owed_ready();
    }

    /// Answers in place of a search that has not ended in time, with its best move so far. On a busy machine the search
    /// may have to wait for a core when its time is over. The driver, which has slept, gets a core sooner.
    pub(super) fn answer_in_time(&mut self) {
        let now = self.now;
        let is_late = |search: &mut CurrentSearch| search.reply_deadline().is_some_and(|by| by <= now);
        let Some(CurrentSearch { stop, request: Some(request), best, .. }) = self.current.take_if(is_late) else {
            return;
        };
        stop.store(true, Ordering::Relaxed);
        // If the search was still waiting for a late engine, nothing changes for that.
        self.overdue_engine.get_or_insert(OverdueEngine::Kept);
        let result = match best.get() {
            Some((cell, depth, result)) => {
                report::guess(cell, depth, result, now.saturating_duration_since(request.since))
            }
            None => without_search(&request),
        };
        self.say_result(&result, |_| true);
        self.answer_owed_ready();
    }

    /// Says those of the replies to a `go` that are wanted.
    fn say_result(&mut self, result: &GoResult, is_wanted: impl Fn(&Reply) -> bool) {
        self.only_progress = false;
        let outputs = &mut self.outputs;
        report::answer(result, &self.options, self.handshake, |reply| {
            if is_wanted(&reply) {
                outputs.push_back(SessionOutput::Reply(reply));
            }
        });
    }

    /// The answer when a search has failed. Makes a new engine if the old one is lost.
    fn fallback_result(&mut self, kind: SearchKind, request: Option<Arc<GoRequest>>, problem: &str) -> EngineResult {
        self.backend.get_or_insert_with(self.make_backend);
        match kind {
            SearchKind::Go | SearchKind::Eval | SearchKind::EvalExact => {
                self.say_error(format_args!("the search failed ({problem}); the answer is made without a search"));
                EngineResult::Go(without_search(&request.expect("a search for a move has a request")))
            }
            SearchKind::Explain(cell) => {
                self.say_error(format_args!("the search failed ({problem}); nothing is proved"));
                EngineResult::Explanation(Box::new(Explanation::without_search(&self.position, cell)))
            }
            SearchKind::Trace(search) => {
                self.say_error(format_args!("the search failed ({problem}); nothing is traced"));
                EngineResult::Trace(Box::new(Trace::empty(search)))
            }
        }
    }
}

/// The answer to a request that may not search.
fn without_search(request: &GoRequest) -> GoResult {
    Engine::new().think(request.clone(), Arc::new(AtomicBool::new(true)), &mut |_| {})
}
