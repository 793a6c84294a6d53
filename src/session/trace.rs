//! `trace`: its search, and its lines, which are said in pieces while the client reads.

use crate::engine::{
    EngineRequest, MoveTotal, Options, Trace, TraceCounts, TraceKind, TraceLog, TraceRequest, TraceSearch, TraceStep,
};
use crate::protocol::{ProvenResult, Reply, TraceCommand, TraceEnd, TraceLine, TraceResult, TraceValue};
use noughts_core::game::Score;
use noughts_core::search::{TraceEvent, TreeEvent, TreeMove, generator};

use super::searches::{CurrentSearch, SearchKind};
use super::{Session, SessionPhase};

/// Lines that are said at once.
const PIECE: usize = 64;

/// A trace that is being said.
pub struct TraceTelling {
    trace: Box<Trace>,
    /// Lines of events so far.
    sent: TraceCounts,
    /// Lines of totals so far.
    totals: usize,
    /// Set by a `stop`: no more events are said.
    pub is_cut: bool,
}

impl TraceTelling {
    pub fn new(trace: Box<Trace>) -> TraceTelling {
        TraceTelling { trace, sent: TraceCounts::default(), totals: 0, is_cut: false }
    }

    /// The next line. The end is the last.
    fn next_line(&mut self, options: &Options) -> TraceLine {
        let number = self.sent.sum() as usize;
        if let Some(step) = self.trace.log.steps.get(number).filter(|_| !self.is_cut) {
            self.sent.add(step.kind());
            return step_line(step, number, &self.trace.log, options);
        }
        if let Some(total) = self.trace.totals.get(self.totals) {
            self.totals += 1;
            return total_line(total, options);
        }
        self.end_line(options)
    }

    fn end_line(&self, options: &Options) -> TraceLine {
        let trace = &self.trace;
        let unsent = |&kind: &TraceKind| (kind, trace.log.counts.of(kind) - self.sent.of(kind));
        TraceLine::End(TraceEnd {
            search: trace.search,
            nodes: trace.nodes,
            value: trace.score.map(value),
            best: trace.best.map(|cell| options.write_move(cell)),
            is_finished: trace.is_finished,
            sent: self.sent.sum(),
            unsent: trace.search.kinds().iter().map(unsent).collect(),
        })
    }
}

impl Session {
    pub(super) fn trace(&mut self, number: u64, command: &TraceCommand) {
        if self.is_out_of_sync("trace") {
            return;
        }
        if command.trials.is_some() && matches!(command.search, TraceSearch::Textbook(_)) {
            let note = "trace: \"trials\" means nothing for a textbook search and is left out of account";
            self.say(Reply::Note(note.to_owned()));
        }
        let request = TraceRequest {
            search: command.search,
            position: self.position,
            events: command.events.map_or(TraceRequest::DEFAULT_EVENTS, |events| events as usize),
            trials: command.trials.map(Into::into),
            options: self.options,
            generator: generator(self.streams.seed, self.streams.next_trace()),
        };
        self.begin(number, SearchKind::Trace(command.search), EngineRequest::Trace(Box::new(request)), None);
    }

    /// Begins to say the result of a search. It stays the current one until all is said.
    pub(super) fn begin_telling(&mut self, search: CurrentSearch, trace: Box<Trace>) {
        self.current = Some(search);
        self.telling = Some(TraceTelling::new(trace));
        self.tell_trace();
    }

    /// Says the next lines of a trace. Its search is over after the last one.
    pub(super) fn tell_trace(&mut self) {
        let Some(mut telling) = self.telling.take() else { return };
        // A client that quits may read no more.
        telling.is_cut |= self.phase == SessionPhase::Quit;
        for _ in 0..PIECE {
            let line = telling.next_line(&self.options);
            let is_end = matches!(line, TraceLine::End(_));
            self.say(Reply::Trace(line));
            if is_end {
                self.current = None;
                return self.answer_owed_ready();
            }
        }
        self.telling = Some(telling);
    }
}

/// The line of an event with this index.
fn step_line(step: &TraceStep, index: usize, log: &TraceLog, options: &Options) -> TraceLine {
    match *step {
        TraceStep::Textbook(ply, event) => textbook_line(ply.into(), event, options),
        TraceStep::Tree(event) => tree_line(event, options),
        TraceStep::Playout { result, first, plies } => TraceLine::Playout {
            number: index as u64 + 1,
            result: TraceResult::of(result),
            moves: log.moves(first, plies).iter().map(|&cell| options.write_move(cell)).collect(),
        },
    }
}

fn textbook_line(ply: u64, event: TraceEvent, options: &Options) -> TraceLine {
    match event {
        TraceEvent::Enter { cell, window } => TraceLine::Enter {
            ply,
            written: cell.map(|cell| options.write_move(cell)),
            window: window.map(|(alpha, beta)| (alpha.into(), beta.into())),
        },
        TraceEvent::Leave { score, reason } => TraceLine::Leave { ply, value: value(score), reason },
        TraceEvent::Find { cell, score } => {
            TraceLine::Find { ply, written: options.write_move(cell), value: value(score) }
        }
    }
}

fn tree_line(event: TreeEvent, options: &Options) -> TraceLine {
    match event {
        TreeEvent::Iteration(number) => TraceLine::Iteration(number),
        TreeEvent::Select { ply, cell, visits, mean, prior } => TraceLine::Select {
            ply: ply.into(),
            written: options.write_move(cell),
            visits: visits.into(),
            value: mean,
            prior: prior.into(),
        },
        TreeEvent::Evaluate { ply, value, results, proven: score } => TraceLine::Evaluate {
            ply: ply.into(),
            value,
            results: (results.count() > 0).then_some([results.wins, results.draws, results.losses]),
            proven: score.and_then(proven),
        },
        TreeEvent::Backup { ply, visits, total, proven: score } => TraceLine::Backup {
            ply: ply.into(),
            visits: visits.into(),
            total,
            value: total / f64::from(visits.max(1)),
            proven: score.and_then(proven),
        },
    }
}

fn total_line(total: &MoveTotal, options: &Options) -> TraceLine {
    match *total {
        MoveTotal::Playouts { cell, playouts, total, expected } => {
            TraceLine::MonteCarloTotal { written: options.write_move(cell), playouts, total, expected }
        }
        MoveTotal::Tree(of_move @ TreeMove { cell, visits, total, prior, proven: score }) => TraceLine::TreeTotal {
            written: options.write_move(cell),
            visits: visits.into(),
            total,
            value: of_move.mean(),
            prior: prior.into(),
            proven: score.and_then(proven),
        },
    }
}

fn value(score: Score) -> TraceValue {
    TraceValue { value: score.expected_result(), plies: exact_plies(score) }
}

/// A proven score; `None` for an estimate.
fn proven(score: Score) -> Option<ProvenResult> {
    let result = TraceResult::of(score.proven()?.result());
    Some(ProvenResult { result, plies: exact_plies(score) })
}

/// The plies to the end of the game, where they are known.
fn exact_plies(score: Score) -> Option<u64> {
    match score {
        Score::Exact(value) => value.plies().map(u64::from),
        Score::Within(_) | Score::Estimate(_) => None,
    }
}
