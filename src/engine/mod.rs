//! The engine: options, the choice of a searcher, and thinking.
//!
//! An [`Engine`] answers one [`GoRequest`] at a time; the caller owns the engine while a search runs. It reads no input and
//! writes no output.
//!
//! | file | what it holds |
//! |---|---|
//! | `engine.rs` | the engine and its memory |
//! | `engine/options.rs` | options, what they accept, their values |
//! | `engine/task.rs` | what an engine is asked, and what it answers |
//! | `engine/plan.rs` | who answers a task, within which bounds |
//! | `engine/clock.rs` | how long a move may take |

mod clock;
mod options;
mod plan;
mod request;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use noughts_core::game::Rules;
use noughts_core::search::{
    Control, Explanation, Generator, HybridSearcher, Mcts, MonteCarlo, Note, Report, SearchRequest, SearchResult,
    Searcher, Solver, Strategy, SystemClock,
};

pub use clock::{MoveTime, time_for_move};
pub use options::{Changed, DEBUG_LOG_FILE, OPTIONS, OptionError, OptionKind, OptionSpec, Options, PlayerKind};
pub use plan::{AUTO_PROOF_NODES, Budget, DEFAULT_PROOF_NODES};
pub use request::{EngineRequest, EngineResult, ExplainRequest, GoRequest, GoResult};

use plan::{Answerer, Plan};

/// Positions that an explanation looks at, at most; see [`EXPLANATION_WORK`].
pub const EXPLANATION_NODES: u64 = 1_000_000;

/// Positions of an explanation times the cells of the board, at most: on a large board each position takes longer.
pub const EXPLANATION_WORK: u64 = 20_000_000;

/// The stack of a thread that an engine searches on, in bytes: room for all 400 plies of the largest board.
pub const SEARCH_STACK_BYTES: usize = 16 << 20;

/// Thinks about one task at a time.
///
/// What it remembers takes no more memory than the option `Hash` allows: under `player perfect` all of it is for proofs,
/// under any other player half is for proofs and half for the tree. Commands with the same options find what the ones
/// before them have found out.
#[derive(Default)]
pub struct Engine {
    given: Option<Box<dyn Searcher + Send>>,
    /// The solver of the last proof, with the bytes that it may take.
    solver: Option<Box<(Solver, usize)>>,
    /// The tree of the last search that grew one, with the bytes that it may take.
    tree: Option<Box<(Mcts, usize)>>,
}

impl Engine {
    /// An engine that plays by the option `player`.
    pub fn new() -> Engine {
        Engine::default()
    }

    /// An engine that leaves every answer to `searcher`, whatever the option `player` says.
    pub fn playing_by(searcher: Box<dyn Searcher + Send>) -> Engine {
        Engine { given: Some(searcher), solver: None, tree: None }
    }

    /// Whether the answer will come within about a millisecond, so that it needs no thread of its own.
    pub fn is_quick(&self, assignment: &EngineRequest) -> bool {
        match assignment {
            EngineRequest::Go(task) if task.position.outcome().is_some() => true,
            EngineRequest::Go(task) => {
                let plan = Plan::new(task);
                match &self.given {
                    Some(given) => given.is_quick(&task.position, plan.playouts),
                    None => plan.is_quick(),
                }
            }
            EngineRequest::Explain(topic) => topic.position.outcome().is_some(),
        }
    }

    /// Does what it is asked to do. Setting `stop` ends it soon, with the best that was found until then.
    pub fn answer(&mut self, assignment: EngineRequest, stop: Arc<AtomicBool>, report: Report<'_>) -> EngineResult {
        match assignment {
            EngineRequest::Go(task) => EngineResult::Go(self.think(*task, stop, report)),
            EngineRequest::Explain(topic) => EngineResult::Explanation(Box::new(self.explain(topic, stop))),
        }
    }

    /// Explains a position or a move by looking at no more than [`EXPLANATION_NODES`] positions, nor than
    /// [`EXPLANATION_WORK`] allows. The same topic has the same explanation, unless `stop` is set before it is complete.
    pub fn explain(&mut self, topic: ExplainRequest, stop: Arc<AtomicBool>) -> Explanation {
        let rules = topic.position.rules();
        let nodes = EXPLANATION_NODES.min(EXPLANATION_WORK / rules.cells() as u64);
        let control = Control::new(stop, None, None).with_nodes(Some(nodes));
        if control.check().is_err() {
            return Explanation::without_search(&topic.position, topic.cell);
        }
        let solver = self.solver_for(rules, &topic.options);
        solver.forget();
        Explanation::find(solver, &topic.position, topic.cell, &control)
    }

    /// Answers a task. Setting `stop` ends it soon, with the best that was found until then.
    pub fn think(&mut self, task: GoRequest, stop: Arc<AtomicBool>, report: Report<'_>) -> GoResult {
        self.think_within(task, Control::new(stop, None, None), report)
    }

    /// The same; what ends `control` ends the search, too. Its deadline and its numbers are those of the task.
    pub fn think_within(&mut self, task: GoRequest, control: Control, report: Report<'_>) -> GoResult {
        if let Some(result) = SearchResult::on_finished_game(&task.position) {
            return GoResult { result, notes: Vec::new(), elapsed: task.since.elapsed() };
        }
        let is_stopped = control.check().is_err();
        let plan = if is_stopped { Plan::without_search(&task) } else { Plan::new(&task) };
        let deadline = plan.time.and_then(|time| task.since.checked_add(time.most));
        let control = control
            .with_deadline(deadline.map(SystemClock::time_of))
            .publishing(task.best.clone())
            .saving_time(plan.time.is_some_and(|time| time.saves))
            .with_playouts(plan.playouts)
            .with_nodes(plan.nodes);
        // Hundreds of lines about a position that was not searched say nothing, and cost time.
        let lines = if is_stopped && task.lines != SearchRequest::EVERY_MOVE { 1 } else { task.lines.max(1) };
        let (position, root_moves) = (task.position, task.root_moves);
        let question = SearchRequest { position, tiebreak: task.options.tiebreak, lines, root_moves };
        let mut generator = task.generator.clone();
        let (result, notes) = match (&mut self.given, plan.answerer) {
            (Some(given), _) => (given.search(&question, &mut generator, &control, report), Vec::new()),
            (None, Answerer::Searcher(mut searcher)) => {
                (searcher.search(&question, &mut generator, &control, report), Vec::new())
            }
            (None, Answerer::Substitute(mut searcher, note)) => {
                (searcher.search(&question, &mut generator, &control, report), vec![note])
            }
            (None, Answerer::Textbook(mut search)) => {
                // It takes as much memory as all others together.
                (self.solver, self.tree) = (None, None);
                (search.search(&question, &mut generator, &control, report), Vec::new())
            }
            (None, Answerer::Table(table)) => {
                let (result, note) = table.answer(&question, &mut generator);
                (result, note.into_iter().collect())
            }
            (None, Answerer::Proof(aim, monte_carlo)) => {
                let control = control.with_depth(plan.depth);
                let search = ProofSearch { aim, monte_carlo, options: &task.options, is_fresh: plan.ends_by_itself };
                self.prove_or_guess(search, &question, &mut generator, &control, report)
            }
        };
        GoResult { result, notes, elapsed: task.since.elapsed() }
    }

    fn prove_or_guess(
        &mut self,
        search: ProofSearch<'_>,
        question: &SearchRequest,
        generator: &mut Generator,
        control: &Control,
        report: Report<'_>,
    ) -> (SearchResult, Vec<Note>) {
        let ProofSearch { aim, monte_carlo, options, is_fresh } = search;
        let rules = question.position.rules();
        // The value of every move takes flat playouts, which score them all.
        let guesses_by_tree =
            aim == Strategy::Explore || aim == Strategy::Play && question.lines != SearchRequest::EVERY_MOVE;
        if guesses_by_tree {
            self.make_tree_for(rules, options);
        }
        self.solver_for(rules, options);
        let solver = &mut self.solver.as_mut().expect("there is one now").0;
        // Nothing that was found out before may change an answer that ends by itself.
        if is_fresh {
            solver.forget();
        } else {
            solver.recall();
        }
        let mut perfect = HybridSearcher::new(solver, monte_carlo, aim);
        if let Some(tree) = self.tree.as_mut().filter(|_| guesses_by_tree) {
            if is_fresh {
                tree.0.forget();
            }
            perfect = perfect.with_tree(&mut tree.0);
        }
        perfect.search(question, generator, control, report)
    }

    /// A solver for these rules, with as much memory as the options allow.
    fn solver_for(&mut self, rules: Rules, options: &Options) -> &mut Solver {
        let bytes = options.proof_bytes();
        if options.tree_bytes() == 0 {
            self.tree = None;
        }
        let kept = self.solver.take().filter(|kept| kept.0.rules() == rules && kept.1 == bytes);
        let fresh = || Box::new((Solver::within_bytes(rules, bytes), bytes));
        &mut self.solver.insert(kept.unwrap_or_else(fresh)).0
    }

    /// Sees to it that there is a tree for these rules, with as much memory as the options allow.
    fn make_tree_for(&mut self, rules: Rules, options: &Options) {
        let bytes = options.tree_bytes();
        // A larger solver of before would leave no room for it.
        self.solver = self.solver.take().filter(|kept| kept.1 == options.proof_bytes());
        let kept = self.tree.take().filter(|kept| kept.0.rules() == rules && kept.1 == bytes);
        let fresh = || Box::new((Mcts::new(rules, bytes), bytes));
        self.tree = Some(kept.unwrap_or_else(fresh));
    }
}

/// How a position is to be proven, or guessed where no proof fits.
struct ProofSearch<'a> {
    aim: Strategy,
    monte_carlo: MonteCarlo,
    options: &'a Options,
    /// Nothing that was found out before counts.
    is_fresh: bool,
}
