//! Searches: how one begins, and how it is answered.

use std::num::NonZeroU64;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::engine::{
    Engine, EngineRequest, EngineResult, ExplainRequest, GoRequest, GoResult, SearchPlan, SearchPurpose, Trace,
    TraceRequest, TraceSearch,
};
use crate::protocol::{Analysis, GoCommand, Handshake, Reply, TraceCommand};
use crate::text::{Excerpt, board};
use noughts_core::game::MoveText;
use noughts_core::search::{ExactPlayouts, Explanation, Generator, Instant, Limits};

use super::inbox::Turn;
use super::replies;
use super::running_search::{PonderLimits, RunningSearch, Search, SearchKind};
use super::search_job::SearchOutcome;
use super::session::{Session, SessionOutput};

impl Session {
    pub(super) fn go(&mut self, turn: Turn, command: &GoCommand) {
        let root_moves = match self.game.legal_moves(&command.search_moves) {
            Ok(moves) => moves,
            Err(problem) => return self.reply_error(format_args!("go: searchmoves: {problem}; the line is ignored")),
        };
        if !command.ignored.is_empty() {
            let words = Excerpt::of(&command.ignored.join(" "));
            self.reply(Reply::Note(format!("go: {words} means nothing here and is left out of account")));
        }
        let mut limits = command.limits;
        limits.depth = limits.depth.into_iter().chain(command.mate.map(|length| self.plies_of_win(length))).min();
        let generator = self.game.next_go();
        let request = GoRequest { root_moves, ..self.request(turn, SearchPurpose::Move, limits, generator) };
        if command.ponder && !turn.is_hit {
            self.ponder(turn, request);
        } else {
            self.begin(turn, SearchKind::Go, EngineRequest::go(request), None);
        }
    }

    /// Searches without a limit of time until `ponderhit` or `stop`.
    fn ponder(&mut self, turn: Turn, request: GoRequest) {
        let limits = request.limits;
        let counted = limits.playouts().is_some();
        let after_hit = SearchPlan::new(&request);
        let time = after_hit.move_time();
        let ends = time.is_some() || counted || limits.depth.is_some();
        let pondered = PonderLimits { time, ends, is_unbounded: ends && after_hit.is_unbounded() };
        // Without a number of playouts, only `stop` or `ponderhit` ends it.
        let infinite = limits.infinite || !counted;
        let limits = Limits { move_time: None, clocks: Default::default(), infinite, ..limits };
        self.begin(turn, SearchKind::Go, EngineRequest::go(GoRequest { limits, ..request }), Some(pondered));
    }

    /// The plies of a win in so many moves, as the client counts them.
    fn plies_of_win(&self, length: NonZeroU64) -> NonZeroU64 {
        match self.handshake {
            Handshake::Ugi => length,
            Handshake::Uci => length.saturating_add(length.get() - 1),
        }
    }

    /// Samples as `montecarlo` does, whatever the option `player` says.
    pub(super) fn eval_exact(&mut self, turn: Turn) {
        let (rules, most) = (self.game.position().rules(), ExactPlayouts::MOST_CELLS);
        if rules.cells() > most {
            return self.reply_error(format_args!(
                "eval: exact scores are known on boards of up to {most} cells, not on {}; nothing is drawn",
                rules.shape()
            ));
        }
        self.evaluate(turn, SearchKind::EvalExact, SearchPurpose::PlayoutScores);
    }

    /// Begins a search for the value of every move.
    pub(super) fn evaluate(&mut self, turn: Turn, kind: SearchKind, purpose: SearchPurpose) {
        let generator = self.game.next_eval();
        let request = self.request(turn, purpose, Limits::default(), generator);
        self.begin(turn, kind, EngineRequest::go(request), None);
    }

    /// A request about the position.
    fn request(&self, turn: Turn, purpose: SearchPurpose, limits: Limits, generator: Generator) -> GoRequest {
        let (position, options) = (*self.game.position(), *self.game.options());
        GoRequest { position, options, limits, purpose, root_moves: None, generator, since: turn.since }
    }

    pub(super) fn explain(&mut self, turn: Turn, written: Option<MoveText>) {
        match written.map(|written| self.game.position().legal_move(written)).transpose() {
            Ok(cell) => {
                let (position, options) = (*self.game.position(), *self.game.options());
                let request = ExplainRequest { position, cell, options };
                self.begin(turn, SearchKind::Explain(cell), EngineRequest::Explain(Box::new(request)), None);
            }
            Err(error) => self.reply_error(format_args!("explain: {error}; there is nothing to explain")),
        }
    }

    pub(super) fn trace(&mut self, turn: Turn, command: &TraceCommand) {
        if command.trials.is_some() && matches!(command.search, TraceSearch::Textbook(_)) {
            let note = "trace: \"trials\" means nothing for a textbook search and is left out of account";
            self.reply(Reply::Note(note.to_owned()));
        }
        let request = TraceRequest {
            search: command.search,
            position: *self.game.position(),
            events: command.events.map_or(TraceRequest::DEFAULT_EVENTS, |events| events as usize),
            trials: command.trials.map(Into::into),
            options: *self.game.options(),
            generator: self.game.next_trace(),
        };
        self.begin(turn, SearchKind::Trace(command.search), EngineRequest::Trace(Box::new(request)), None);
    }

    fn begin(&mut self, turn: Turn, kind: SearchKind, request: EngineRequest, pondered: Option<PonderLimits>) {
        self.search.queue(Search::new(turn, kind, &request, pondered), request);
        self.start_queued();
    }

    /// Hands the search out that waits for the engine, if the engine is here.
    pub(super) fn start_queued(&mut self) {
        if let Some(job) = self.search.start_queued() {
            self.output(SessionOutput::Search(job));
        }
    }

    /// Lets the search that is under way end. Its answer comes with its end, or now if it was only held back: of a search for
    /// a move, everything but the move has been said.
    pub(super) fn end_search(&mut self, end: impl FnOnce(&mut RunningSearch) -> Option<(Search, SearchOutcome)>) {
        match end(&mut self.search) {
            Some((_, Ok(EngineResult::Go(found)))) => {
                self.reply_result(&found, |reply| matches!(reply, Reply::BestMove(_)));
            }
            Some((search, outcome)) => self.answer(search, outcome),
            None => {}
        }
    }

    /// Takes the result of a search: answers it, or holds the move back until `stop`.
    pub(super) fn finish(&mut self, search: Search, outcome: SearchOutcome) {
        if !search.is_endless {
            return self.answer(search, outcome);
        }
        if let Ok(EngineResult::Go(found)) = &outcome {
            self.reply_result(found, |reply| !matches!(reply, Reply::BestMove(_)));
        }
        self.search.hold(search, outcome);
    }

    fn answer(&mut self, search: Search, outcome: SearchOutcome) {
        let result = outcome.unwrap_or_else(|problem| self.fallback_result(&search, &problem));
        let (position, weights) = (self.game.position(), self.game.options().weights);
        match (search.kind, result) {
            (_, EngineResult::Trace(trace)) => {
                self.search.send_trace(search, trace);
                self.send_trace();
            }
            (SearchKind::Eval, EngineResult::Go(found)) => {
                let values = Analysis::Values(Box::new((*position, found.result)));
                self.reply(Reply::Analysis(values));
            }
            (SearchKind::EvalExact, EngineResult::Go(found)) => {
                self.reply_text(&board::compare(position, &found.result, weights));
            }
            (_, EngineResult::Go(found)) => self.reply_result(&found, |_| true),
            (_, EngineResult::Explanation(found)) => {
                self.reply(Reply::Analysis(Analysis::Explanation(found)));
            }
        }
    }

    /// Answers in place of a search that has not ended in time, with its best move so far. On a busy machine the search
    /// may have to wait for a core when its time is over. The driver, which has slept, gets a core sooner.
    pub(super) fn answer_late(&mut self, search: Search, now: Instant) {
        let Some(request) = search.request else { return };
        let result = match search.best.get() {
            Some((cell, depth, result)) => {
                replies::guess(cell, depth, result, now.saturating_duration_since(request.since))
            }
            None => without_search(&request),
        };
        self.reply_result(&result, |_| true);
    }

    /// The answer when a search has failed.
    fn fallback_result(&mut self, search: &Search, problem: &str) -> EngineResult {
        match search.kind {
            SearchKind::Go | SearchKind::Eval | SearchKind::EvalExact => {
                self.reply_error(format_args!("the search failed ({problem}); the answer is made without a search"));
                EngineResult::Go(without_search(search.request.as_ref().expect("a search for a move has a request")))
            }
            SearchKind::Explain(cell) => {
                self.reply_error(format_args!("the search failed ({problem}); nothing is proved"));
                EngineResult::Explanation(Box::new(Explanation::without_search(self.game.position(), cell)))
            }
            SearchKind::Trace(search) => {
                self.reply_error(format_args!("the search failed ({problem}); nothing is traced"));
                EngineResult::Trace(Box::new(Trace::empty(search)))
            }
        }
    }
}

/// The answer to a request that may not search.
fn without_search(request: &GoRequest) -> GoResult {
    Engine::new().think(request.clone(), Arc::new(AtomicBool::new(true)), &mut |_| {})
}
