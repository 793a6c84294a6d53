//! The engine: its options, the plan of a request, and the search.
//!
//! An [`Engine`] answers one [`EngineRequest`] at a time; the caller owns the engine while a search runs. It reads no input
//! and writes no output.
//!
//! | file | what it holds |
//! |---|---|
//! | `mod.rs` | the engine and its memory |
//! | `options.rs` | the values of the options |
//! | `option_table.rs` | the table of the options, a line each; what an option is |
//! | `request.rs`, `go_request.rs` | requests and results |
//! | `search_plan.rs` | the searcher that answers a request, and its bounds |
//! | `time_management.rs` | the time for a move |
//! | `trace.rs` | searches that hand out their steps |

mod go_request;
mod option_table;
mod options;
mod request;
mod search_plan;
mod time_management;
mod trace;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use noughts_core::game::Rules;
use noughts_core::search::{
    Control, Explanation, Mcts, MonteCarlo, OnProgress, ProofEffort, ProveThenEstimate, SearchRequest, SearchResult,
    Searcher, Solver, SystemClock, take_shortage,
};

pub use go_request::{GoRequest, GoResult, SearchPurpose};
pub use option_table::{Changed, DEBUG_LOG, OPTIONS, OptionError, OptionRole, OptionSpec, OptionType};
pub use options::{Options, PlayerKind, Variant};
pub use request::{EngineRequest, EngineResult, ExplainRequest};
pub use search_plan::SearchPlan;
pub use trace::{MoveTotal, Trace, TraceCounts, TraceLog, TraceRequest, TraceSearch};

use search_plan::PlannedSearcher;

/// The most positions that an explanation visits; see [`EXPLANATION_WORK`].
pub const EXPLANATION_NODES: u64 = 1_000_000;

/// The most positions of an explanation times the cells of the board: on a large board each position takes longer.
pub const EXPLANATION_WORK: u64 = 20_000_000;

/// The part that answers the requests of a session: an [`Engine`], or a program's own search in its place.
pub trait SearchBackend: Send {
    /// True if a search is carried out as its plan says, so that it is as quick as its plan. Only the engine says so.
    fn follows_plan(&self) -> bool {
        false
    }

    /// Answers a request. The stop flag of `control` ends the search soon, with the best that it has found until then.
    fn answer(&mut self, request: EngineRequest, control: Control, on_progress: OnProgress<'_>) -> EngineResult;

    /// Says once whether the last search had less memory than it was to have, because the system has no more.
    fn take_shortage(&mut self) -> bool {
        false
    }
}

/// Answers one request at a time.
///
/// Its tables and its tree take no more memory than the option `Hash` allows: under `player perfect` all of it is for
/// proofs, under any other player half is for proofs and half for the tree. A request with the same options can use the
/// results of earlier requests.
#[derive(Default)]
pub struct Engine {
    /// The solver of the last proof, with the bytes that it may take.
    solver: Option<Box<(Solver, usize)>>,
    /// The tree of the last tree search, with the bytes that it may take.
    tree: Option<Box<(Mcts, usize)>>,
    /// True if the last search had less memory than it was to have.
    was_short: bool,
}

impl SearchBackend for Engine {
    fn follows_plan(&self) -> bool {
        true
    }

    fn answer(&mut self, request: EngineRequest, control: Control, on_progress: OnProgress<'_>) -> EngineResult {
        let result = match request {
            EngineRequest::Go { request, plan } => EngineResult::Go(self.search(&request, *plan, control, on_progress)),
            EngineRequest::Trace(request) => EngineResult::Trace(Box::new(self.trace(*request, &control))),
            EngineRequest::Explain(request) => EngineResult::Explanation(Box::new(self.explain(*request, control))),
        };
        self.was_short = take_shortage();
        result
    }

    fn take_shortage(&mut self) -> bool {
        std::mem::take(&mut self.was_short)
    }
}

impl Engine {
    /// An engine that remembers nothing.
    pub fn new() -> Engine {
        Engine::default()
    }

    /// Explains a position or a move. Visits no more positions than [`EXPLANATION_NODES`] and [`EXPLANATION_WORK`]
    /// allow. The same request has the same explanation, unless `control` ends it before it is complete.
    pub fn explain(&mut self, request: ExplainRequest, control: Control) -> Explanation {
        let rules = request.position.rules();
        let nodes = EXPLANATION_NODES.min(EXPLANATION_WORK / rules.cells() as u64);
        let control = control.with_nodes(Some(nodes));
        if control.check().is_err() {
            return Explanation::without_search(&request.position, request.cell);
        }
        let solver = self.solver_for(rules, &request.options);
        solver.forget();
        Explanation::find(solver, &request.position, request.cell, &control)
    }

    /// Traces a search. The same request has the same trace, unless `control` ends it before the search has ended.
    pub fn trace(&mut self, request: TraceRequest, control: &Control) -> Trace {
        if request.search != TraceSearch::MonteCarlo {
            // A textbook search or a tree takes as much memory as all others together.
            (self.solver, self.tree) = (None, None);
        }
        Trace::run(request, control)
    }

    /// Plans and answers a request. Setting `stop` ends the search soon, with the best that it has found until then.
    pub fn think(&mut self, request: GoRequest, stop: Arc<AtomicBool>, on_progress: OnProgress<'_>) -> GoResult {
        self.search(&request, SearchPlan::new(&request), Control::new(stop, None, None), on_progress)
    }

    /// Answers a request by its plan. The stop flag of `control` ends the search too; the plan replaces its deadline and
    /// its limits.
    pub fn search(
        &mut self,
        request: &GoRequest,
        plan: SearchPlan,
        control: Control,
        on_progress: OnProgress<'_>,
    ) -> GoResult {
        let GoRequest { position, root_moves, since, .. } = *request;
        if let Some(result) = SearchResult::on_finished_game(&position) {
            return GoResult { result, elapsed: since.elapsed() };
        }
        let mut plan = if control.check().is_err() { SearchPlan::without_search(request) } else { plan };
        let control = control
            .with_deadline(plan.deadline.map(SystemClock::time_of))
            .saving_time(plan.time.is_some_and(|time| time.saves))
            .with_playouts(plan.playouts)
            .with_nodes(plan.nodes)
            .with_depth(plan.depth);
        let mut generator = request.generator.clone();
        let request = SearchRequest { position, tiebreak: plan.options.tiebreak, lines: plan.lines, root_moves };
        let mut prover;
        let searcher: &mut dyn Searcher = match &mut plan.searcher {
            PlannedSearcher::Instant(searcher) => searcher,
            PlannedSearcher::Random(searcher) => searcher,
            PlannedSearcher::ExactMonteCarlo(searcher) => searcher,
            PlannedSearcher::MonteCarlo(searcher) => searcher,
            PlannedSearcher::Level(searcher) => searcher,
            PlannedSearcher::Table(searcher) => searcher,
            PlannedSearcher::Uct(searcher) => {
                // Its tree takes the memory of the other one.
                self.tree = None;
                searcher
            }
            PlannedSearcher::Textbook(searcher) => {
                // It takes as much memory as all others together.
                (self.solver, self.tree) = (None, None);
                searcher
            }
            PlannedSearcher::ProveThenEstimate(effort, monte_carlo) => {
                let (effort, monte_carlo) = (*effort, *monte_carlo);
                prover = self.prover(&plan, effort, monte_carlo, position.rules());
                &mut prover
            }
        };
        let mut result = searcher.search(&request, &mut generator, &control, on_progress);
        result.notes.extend(plan.note);
        GoResult { result, elapsed: since.elapsed() }
    }

    /// Proves, and estimates where no proof fits, with what earlier searches have left in memory.
    fn prover(
        &mut self,
        plan: &SearchPlan,
        effort: ProofEffort,
        monte_carlo: MonteCarlo,
        rules: Rules,
    ) -> ProveThenEstimate<'_> {
        if plan.guesses_by_tree {
            self.make_tree_for(rules, &plan.options);
        }
        self.solver_for(rules, &plan.options);
        let solver = &mut self.solver.as_mut().expect("there is one now").0;
        // A search that ends by itself must not depend on earlier searches.
        if plan.ends_by_itself {
            solver.forget();
        } else {
            solver.recall();
        }
        let searcher = ProveThenEstimate::new(solver, monte_carlo, effort);
        let Some(tree) = self.tree.as_mut().filter(|_| plan.guesses_by_tree) else { return searcher };
        if plan.ends_by_itself {
            tree.0.forget();
        }
        searcher.with_tree(&mut tree.0)
    }

    /// A solver for these rules, with as much memory as the options allow.
    fn solver_for(&mut self, rules: Rules, options: &Options) -> &mut Solver {
        let bytes = options.proof_bytes();
        // A larger tree of before would leave no room for it.
        self.tree = self.tree.take().filter(|kept| kept.1 == options.tree_bytes());
        let kept = self.solver.take().filter(|kept| kept.0.rules() == rules && kept.1 == bytes);
        let fresh = || Box::new((Solver::within_bytes(rules, bytes), bytes));
        &mut self.solver.insert(kept.unwrap_or_else(fresh)).0
    }

    /// Makes a tree for these rules, with as much memory as the options allow, unless there is one.
    fn make_tree_for(&mut self, rules: Rules, options: &Options) {
        let bytes = options.tree_bytes();
        // A larger solver of before would leave no room for it.
        self.solver = self.solver.take().filter(|kept| kept.1 == options.proof_bytes());
        let kept = self.tree.take().filter(|kept| kept.0.rules() == rules && kept.1 == bytes);
        let fresh = || Box::new((Mcts::new(rules, bytes), bytes));
        self.tree = Some(kept.unwrap_or_else(fresh));
    }
}
