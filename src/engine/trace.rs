//! Traces: searches that hand out their steps.

use noughts_core::game::{Cell, Position, Score};
use noughts_core::search::{
    Control, ExactPlayouts, Generator, Mcts, SearchRequest, Textbook, TextbookResult, TraceEvent, TraceKind, TreeMove,
    TreeResult, trace_playouts,
};

use super::options::{LARGEST_SPIN, Options, PlayerKind};

/// A search that can be traced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TraceSearch {
    /// A textbook search.
    Textbook(Textbook),
    /// Monte Carlo tree search.
    Mcts,
    /// Flat Monte Carlo.
    MonteCarlo,
}

impl TraceSearch {
    /// All of them.
    pub fn all() -> impl Iterator<Item = TraceSearch> {
        Textbook::ALL.map(TraceSearch::Textbook).into_iter().chain([TraceSearch::Mcts, TraceSearch::MonteCarlo])
    }

    /// The name, as the option `player` has it.
    pub fn name(self) -> &'static str {
        match self {
            TraceSearch::Textbook(search) => search.name(),
            TraceSearch::Mcts => "mcts",
            TraceSearch::MonteCarlo => "montecarlo",
        }
    }

    /// The kinds of its events.
    pub fn kinds(self) -> &'static [TraceKind] {
        match self {
            TraceSearch::Textbook(_) => &[TraceKind::Enter, TraceKind::Leave, TraceKind::Find],
            TraceSearch::Mcts => &[TraceKind::Iteration, TraceKind::Select, TraceKind::Evaluate, TraceKind::Backup],
            TraceSearch::MonteCarlo => &[TraceKind::Playout],
        }
    }
}

/// A number for each kind of events.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct TraceCounts(pub [u64; TraceKind::COUNT]);

impl TraceCounts {
    /// The number of a kind.
    pub fn of(&self, kind: TraceKind) -> u64 {
        self.0[kind as usize]
    }

    /// Counts an event.
    pub fn add(&mut self, kind: TraceKind) {
        self.0[kind as usize] += 1;
    }

    /// The number of all events.
    pub fn sum(&self) -> u64 {
        self.0.iter().sum()
    }
}

/// A request to trace a search.
#[derive(Clone, Debug)]
pub struct TraceRequest {
    /// The search.
    pub search: TraceSearch,
    /// The position; the game may be over.
    pub position: Position,
    /// The most events that are kept.
    pub events: usize,
    /// Playouts, where the search plays any; `None` for those of the option `trials`.
    pub trials: Option<u64>,
    /// The options at the time of the request.
    pub options: Options,
    /// The random numbers of this search.
    pub generator: Generator,
}

impl TraceRequest {
    /// The most events that a request may ask for.
    pub const MOST_EVENTS: usize = 100_000;

    /// The events of a request that names no number.
    pub const DEFAULT_EVENTS: usize = 1000;

    /// The playouts of the search: no more than the option `max_trials` allows.
    fn playouts(&self) -> u64 {
        let trials = self.trials.unwrap_or(self.options.trials().into());
        self.options.most_playouts().map_or(trials, |most| trials.min(most))
    }

    /// True if the search is effectively unbounded.
    pub fn is_unbounded(&self) -> bool {
        !matches!(self.search, TraceSearch::Textbook(_)) && self.playouts() > LARGEST_SPIN.into()
    }
}

/// The first events of a search, and the number of all.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct TraceLog {
    /// The first events.
    pub events: Vec<TraceEvent>,
    /// The number of all events.
    pub counts: TraceCounts,
    /// The most events that are kept.
    most: usize,
    /// The moves of all games.
    moves: usize,
}

impl TraceLog {
    /// The most moves of games that are kept, of two bytes each. Games of the largest board have up to 400.
    const MOST_MOVES: usize = 4_000_000;

    fn push(&mut self, event: TraceEvent) {
        self.counts.add(event.kind());
        if self.events.len() < self.most {
            self.events.push(event);
        }
    }

    fn push_playout(&mut self, result: i8, moves: &[Cell]) {
        self.moves += moves.len();
        if self.moves > TraceLog::MOST_MOVES {
            self.most = self.most.min(self.events.len());
        }
        // Most games of a long search are counted only: these need no list of their moves.
        let moves = if self.events.len() < self.most { moves } else { &[] };
        let number = self.counts.of(TraceKind::Playout) + 1;
        self.push(TraceEvent::Playout { number, result, moves: moves.into() });
    }
}

/// The result of a search for a move of the root. All is seen by the side that makes it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum MoveTotal {
    /// Flat Monte Carlo.
    Playouts {
        /// The move.
        cell: Cell,
        /// All playouts: each of them scores every square.
        playouts: u64,
        /// The score of the square.
        total: f64,
        /// The expected score per playout, where it is known.
        expected: Option<f64>,
    },
    /// The tree search.
    Tree(TreeMove),
}

/// The result of a trace.
#[derive(Clone, PartialEq, Debug)]
pub struct Trace {
    /// The search.
    pub search: TraceSearch,
    /// Its events.
    pub log: TraceLog,
    /// Nodes, or playouts.
    pub nodes: u64,
    /// The value of the position, seen by the side to move; `None` if it is not known.
    pub score: Option<Score>,
    /// The first of the best moves; `None` if none is known.
    pub best: Option<Cell>,
    /// False if the search was stopped, or has spent its nodes, before its end.
    pub is_finished: bool,
    /// The results of the search for every move; empty for a textbook search.
    pub totals: Vec<MoveTotal>,
}

impl Trace {
    /// The trace of a search that has not begun.
    pub fn empty(search: TraceSearch) -> Trace {
        let (log, totals) = (TraceLog::default(), Vec::new());
        Trace { search, log, nodes: 0, score: None, best: None, is_finished: false, totals }
    }

    /// Runs the search until it ends, or `control` ends it.
    pub(super) fn run(request: TraceRequest, control: &Control) -> Trace {
        if let Some(value) = request.position.final_value() {
            return Trace { score: Some(Score::Exact(value)), is_finished: true, ..Trace::empty(request.search) };
        }
        match request.search {
            TraceSearch::Textbook(search) => textbook(search, &request, control),
            TraceSearch::Mcts => tree(request, control),
            TraceSearch::MonteCarlo => playouts(request, control),
        }
    }
}

fn log_of(request: &TraceRequest) -> TraceLog {
    TraceLog { most: request.events, ..TraceLog::default() }
}

fn textbook(search: Textbook, request: &TraceRequest, control: &Control) -> Trace {
    let mut log = log_of(request);
    let mut take = |event| log.push(event);
    let control = control.clone().with_nodes(Some(Textbook::NODES));
    let found = search.trace(&SearchRequest::new(request.position), &control, request.options.hash, &mut take);
    let best = found.score.and_then(|_| found.best_move()).map(|(cell, _)| cell);
    let TextbookResult { nodes, score, .. } = found;
    let is_finished = score.is_some();
    Trace { log, nodes, score, best, is_finished, ..Trace::empty(request.search) }
}

fn tree(mut request: TraceRequest, control: &Control) -> Trace {
    let mut log = log_of(&request);
    let position = request.position;
    // As much as the player of this name gets.
    let mut tree = Mcts::new(position.rules(), request.options.tree_bytes_of(PlayerKind::Mcts));
    let control = control.clone().with_playouts(Some(request.playouts()));
    let mut take = |event| log.push(event);
    let found = tree.trace(&SearchRequest::new(position), &mut request.generator, &control, &mut take);
    let TreeResult { score, best, moves, playouts, is_finished } = found;
    let totals = moves.into_iter().map(MoveTotal::Tree).collect();
    let (score, best) = (Some(score), Some(best));
    Trace { search: request.search, log, nodes: playouts, score, best, is_finished, totals }
}

fn playouts(mut request: TraceRequest, control: &Control) -> Trace {
    let mut log = log_of(&request);
    let (position, weights, wanted) = (request.position, request.options.weights, request.playouts());
    let control = control.clone().with_playouts(Some(wanted));
    let mut take = |result: i8, moves: &[Cell]| log.push_playout(result, moves);
    let tally = trace_playouts(&position, &mut request.generator, &control, &mut take);
    let results = tally.results();
    let exact = ExactPlayouts::of(&position);
    let totals: Vec<(Cell, f64)> = position.moves().map(|cell| (cell, tally.total(cell, weights))).collect();
    let best = totals.iter().copied().reduce(|best, other| if other.1 > best.1 { other } else { best });
    let expected = |cell| exact.as_ref().map(|exact| exact.total(cell, weights));
    let playouts = results.count();
    let has_played = playouts > 0;
    Trace {
        search: request.search,
        log,
        nodes: playouts,
        score: has_played.then(|| Score::Estimate(results.mean())),
        best: best.filter(|_| has_played).map(|(cell, _)| cell),
        is_finished: playouts == wanted,
        totals: totals
            .into_iter()
            .map(|(cell, total)| MoveTotal::Playouts { cell, playouts, total, expected: expected(cell) })
            .collect(),
    }
}
