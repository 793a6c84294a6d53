//! The engine: options, the choice of a searcher, and thinking.
//!
//! An [`Engine`] answers one [`Task`] at a time; whoever lets it think holds it. It reads no input and writes no
//! output.

mod options;

use std::num::NonZeroU64;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::game::{Cell, Position, Rules};
use crate::search::{
    Aim, Control, Explanation, Generator, Level, LevelSearcher, Limits, Mcts, MonteCarlo, MonteCarloLimit, Note,
    Perfect, Question, RandomMover, Report, Searcher, Solver, TableSearcher, Textbook, TextbookSearcher, Tiebreak,
    Verdict,
};

pub use options::{Changed, OPTIONS, OptionError, OptionKind, OptionSpec, Options, PlayerKind};

/// Time beyond which a limit is as good as none.
const LONGEST_WAIT: Duration = Duration::from_secs(60 * 60);

/// Playouts, or positions of a proof, beyond which a limit is as good as none: more than the option `trials` can ask
/// for.
const MOST_NODES: u64 = options::LARGEST_SPIN as u64;

/// Positions that a proof of `perfect` looks at without any limit, where lines are shorter than the board and the proof
/// may be out of reach; and for the values of all moves on every board.
pub const DEFAULT_PROOF_NODES: Budget = Budget { small: 10_000_000, large: 500_000 };

/// Positions that a proof of `auto` or `mcts` looks at, at most, before Monte Carlo plays and after it.
pub const AUTO_PROOF_NODES: Budget = Budget { small: 20_000, large: 2_000 };

/// A number of positions that depends on the board, for on larger boards each takes longer.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// On boards up to 8x8.
    pub small: u64,
    /// On larger ones.
    pub large: u64,
}

impl Budget {
    /// The number for a board.
    pub fn on(self, rules: Rules) -> u64 {
        if rules.size() <= 8 { self.small } else { self.large }
    }
}

/// Positions that an explanation looks at, at most; see [`EXPLANATION_WORK`].
pub const EXPLANATION_NODES: u64 = 1_000_000;

/// Positions of an explanation times the cells of the board, at most: on a large board each position takes longer.
pub const EXPLANATION_WORK: u64 = 20_000_000;

/// What an engine can be asked to do.
#[derive(Clone, Debug)]
pub enum Assignment {
    /// Judge the moves of a position.
    Think(Task),
    /// Say why a position is worth what it is, or what a move does to it.
    Explain(Topic),
}

impl Assignment {
    /// Whether the answer is to be held back until `stop`.
    pub fn is_infinite(&self) -> bool {
        matches!(self, Assignment::Think(task) if task.limits.infinite)
    }

    /// Whether nothing but `stop` ends the search within any time that somebody would wait.
    pub fn is_unbounded(&self) -> bool {
        matches!(self, Assignment::Think(task) if task.is_unbounded())
    }
}

/// What an engine comes back with.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    /// To [`Assignment::Think`].
    Thought(Thought),
    /// To [`Assignment::Explain`].
    Explanation(Box<Explanation>),
}

/// What is to be explained.
#[derive(Clone, Copy, Debug)]
pub struct Topic {
    /// The position; the game may be over.
    pub position: Position,
    /// A legal move of it, or `None` when the question is about the position itself.
    pub cell: Option<Cell>,
    /// The most memory for proofs, in MiB.
    pub hash: u32,
}

/// Everything that a judgement of moves depends on.
#[derive(Clone, Debug)]
pub struct Task {
    /// The position to think about; the game may be over.
    pub position: Position,
    /// The options at the time it was asked.
    pub options: Options,
    /// What bounds the search.
    pub limits: Limits,
    /// How many of the best moves to report, at least 1; [`Question::EVERY_MOVE`] for the value of every move.
    pub lines: usize,
    /// The random numbers of this answer.
    pub generator: Generator,
}

impl Task {
    /// The playouts that a search of this task may start: those the client named, or the option `trials` when nothing
    /// else would end the search. Of a proof that does not fit, `perfect` makes a guess by no more than `trials`.
    fn playouts(&self) -> Option<u64> {
        let trials = u64::from(self.options.trials);
        if self.aim() == Some(Aim::Proof) {
            return Some(self.limits.playouts().map_or(trials, |playouts| playouts.min(trials)));
        }
        let by_option = || (self.time().is_none() && !self.limits.infinite).then_some(trials);
        self.limits.playouts().or_else(by_option)
    }

    /// The positions that a proof of this task, or a search of the textbooks, may look at; `None` when nothing limits
    /// their number.
    fn nodes(&self) -> Option<u64> {
        let named = self.limits.nodes.map(NonZeroU64::get);
        let by_default = match (self.aim(), self.options.player) {
            (Some(Aim::Proof), _) => {
                let rules = self.position.rules();
                let is_hard = rules.line_length().is_some_and(|length| length < rules.size());
                let needs_limit = is_hard || self.lines == Question::EVERY_MOVE;
                needs_limit.then_some(DEFAULT_PROOF_NODES.on(rules))
            }
            (None, PlayerKind::Textbook(_)) => Some(Textbook::NODES),
            _ => return Some(named.unwrap_or(u64::MAX).min(AUTO_PROOF_NODES.on(self.position.rules()))),
        };
        named.or_else(|| by_default.filter(|_| self.ends_by_itself()))
    }

    /// Whether neither time nor `stop` is what ends the search: so its answer must not depend on anything but the task.
    fn ends_by_itself(&self) -> bool {
        self.time().is_none() && !self.limits.infinite
    }

    /// What a player that proves does with its limits; `None` for the others.
    fn aim(&self) -> Option<Aim> {
        match self.options.player {
            PlayerKind::Auto => Some(Aim::Play),
            PlayerKind::Perfect => Some(Aim::Proof),
            PlayerKind::Mcts => Some(Aim::Explore),
            PlayerKind::MonteCarlo | PlayerKind::MonteCarloLimit | PlayerKind::Random | PlayerKind::Textbook(_) => None,
        }
    }

    /// Whether nothing but `stop` ends a search of this task within any time that somebody would wait.
    pub fn is_unbounded(&self) -> bool {
        let long = self.time().is_none_or(|time| time > LONGEST_WAIT);
        let many = |nodes: Option<u64>| nodes.is_none_or(|nodes| nodes > MOST_NODES);
        let is_long = match self.options.player {
            PlayerKind::Textbook(_) => many(self.nodes()),
            PlayerKind::Perfect => many(self.nodes()) || many(self.playouts()),
            PlayerKind::Auto
            | PlayerKind::MonteCarlo
            | PlayerKind::MonteCarloLimit
            | PlayerKind::Mcts
            | PlayerKind::Random => many(self.playouts()),
        };
        self.limits.infinite || (long && is_long)
    }

    fn time(&self) -> Option<Duration> {
        let clock = self.limits.clocks[self.position.side() as usize];
        self.limits.time(clock, self.position.empty_cells())
    }
}

/// An answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Thought {
    /// What the search found.
    pub verdict: Verdict,
    /// What else there is to say.
    pub notes: Vec<Note>,
    /// How long it took.
    pub elapsed: Duration,
}

/// Thinks about one task at a time.
#[derive(Default)]
pub struct Engine {
    given: Option<Box<dyn Searcher + Send>>,
    /// The solver of the last proof, for as long as its rules and its memory are asked for.
    solver: Option<Box<(Solver, usize)>>,
    /// The tree of the last search that grew one, for as long as its rules and its memory are asked for.
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
    pub fn is_quick(&self, assignment: &Assignment) -> bool {
        let task = match assignment {
            Assignment::Think(task) => task,
            Assignment::Explain(topic) => return topic.position.outcome().is_some(),
        };
        let (position, playouts) = (&task.position, task.playouts());
        if position.outcome().is_some() {
            return true;
        }
        match (&self.given, choose(task)) {
            (Some(given), _) => given.is_quick(position, playouts),
            (None, Choice::Searcher(searcher) | Choice::Substitute(searcher, _)) => {
                searcher.is_quick(position, playouts)
            }
            (None, Choice::Table(table)) => table.is_quick(position, playouts),
            // What a trap takes has limits of its own.
            (None, Choice::Proof(..)) if task.options.tiebreak == Tiebreak::Trap => false,
            (None, Choice::Proof(_, monte_carlo)) => {
                Perfect::is_quick(position, task.nodes()) && monte_carlo.is_quick(position, playouts)
            }
        }
    }

    /// Does what it is asked to do. Setting `stop` ends it soon, with the best that was found until then.
    pub fn answer(&mut self, assignment: Assignment, stop: Arc<AtomicBool>, report: Report<'_>) -> Answer {
        match assignment {
            Assignment::Think(task) => Answer::Thought(self.think(task, stop, report)),
            Assignment::Explain(topic) => Answer::Explanation(Box::new(self.explain(topic, stop))),
        }
    }

    /// Explains a position or a move by looking at no more than [`EXPLANATION_NODES`] positions, nor than
    /// [`EXPLANATION_WORK`] allows. The same topic has the same explanation, unless `stop` is set before it is complete.
    pub fn explain(&mut self, topic: Topic, stop: Arc<AtomicBool>) -> Explanation {
        let nodes = EXPLANATION_NODES.min(EXPLANATION_WORK / topic.position.rules().cells() as u64);
        let control = Control::new(stop, None, None).with_nodes(Some(nodes));
        let solver = self.solver_for(topic.position.rules(), (topic.hash as usize) << 20);
        solver.forget();
        Explanation::find(solver, &topic.position, topic.cell, &control)
    }

    /// Answers a task. Setting `stop` ends it soon, with the best that was found until then.
    pub fn think(&mut self, task: Task, stop: Arc<AtomicBool>, report: Report<'_>) -> Thought {
        let start = Instant::now();
        if let Some(verdict) = Verdict::on_finished_game(&task.position) {
            return Thought { verdict, notes: Vec::new(), elapsed: start.elapsed() };
        }
        let deadline = task.time().and_then(|time| start.checked_add(time));
        let control = Control::new(stop, deadline, task.playouts()).with_nodes(task.nodes());
        let question = Question { position: task.position, tiebreak: task.options.tiebreak, lines: task.lines.max(1) };
        let mut generator = task.generator.clone();
        let (verdict, notes) = match (&mut self.given, choose(&task)) {
            (Some(given), _) => (given.search(&question, &mut generator, &control, report), Vec::new()),
            (None, Choice::Searcher(mut searcher)) => {
                (searcher.search(&question, &mut generator, &control, report), Vec::new())
            }
            (None, Choice::Substitute(mut searcher, note)) => {
                (searcher.search(&question, &mut generator, &control, report), vec![note])
            }
            (None, Choice::Table(table)) => {
                let (verdict, note) = table.answer(&question, &mut generator);
                (verdict, note.into_iter().collect())
            }
            (None, Choice::Proof(aim, monte_carlo)) => {
                let depth = task.limits.depth.map(|plies| u16::try_from(plies.get()).unwrap_or(u16::MAX));
                let control = control.with_depth(depth);
                let (rules, bytes) = (task.position.rules(), (task.options.hash as usize) << 20);
                // Nothing that was found out before may change an answer that ends by itself.
                let is_fresh = task.ends_by_itself();
                let remember = |solver: &mut Solver| if is_fresh { solver.forget() } else { solver.recall() };
                let guesses_by_tree = aim == Aim::Explore || aim == Aim::Play && task.lines != Question::EVERY_MOVE;
                let perfect = if guesses_by_tree {
                    let (solver, tree) = self.solver_and_tree_for(rules, bytes);
                    remember(solver);
                    if is_fresh {
                        tree.forget();
                    }
                    Perfect::new(solver, monte_carlo, aim).with_tree(tree)
                } else {
                    let solver = self.solver_for(rules, bytes);
                    remember(solver);
                    Perfect::new(solver, monte_carlo, aim)
                };
                perfect.search(&question, &mut generator, &control, report)
            }
        };
        Thought { verdict, notes, elapsed: start.elapsed() }
    }

    /// A solver for these rules, with tables of so many bytes.
    fn solver_for(&mut self, rules: Rules, bytes: usize) -> &mut Solver {
        let kept = self.solver.take().filter(|kept| kept.0.rules() == rules && kept.1 == bytes);
        let fresh = || Box::new((Solver::within_bytes(rules, bytes), bytes));
        &mut self.solver.insert(kept.unwrap_or_else(fresh)).0
    }

    /// A solver and a tree for these rules, which share so many bytes.
    fn solver_and_tree_for(&mut self, rules: Rules, bytes: usize) -> (&mut Solver, &mut Mcts) {
        let kept = self.tree.take().filter(|kept| kept.0.rules() == rules && kept.1 == bytes);
        let fresh = || Box::new((Mcts::new(rules, bytes / 2), bytes));
        let tree = kept.unwrap_or_else(fresh);
        self.solver_for(rules, bytes - bytes / 2);
        let solver = self.solver.as_mut().expect("there is one now");
        (&mut solver.0, &mut self.tree.insert(tree).0)
    }
}

/// Who answers.
enum Choice {
    Searcher(Box<dyn Searcher>),
    /// Another than was asked for, and why.
    Substitute(Box<dyn Searcher>, Note),
    /// A table of all positions.
    Table(TableSearcher),
    /// A proof, and the guess where it does not fit.
    Proof(Aim, MonteCarlo),
}

fn choose(task: &Task) -> Choice {
    let monte_carlo = MonteCarlo::new(task.options.weights).on_threads(task.options.threads as usize);
    let is_weakened =
        task.options.level < Level::FULL && (task.aim().is_some() || task.options.player == PlayerKind::MonteCarlo);
    if is_weakened {
        let searcher = LevelSearcher::new(task.options.level, task.position.rules(), monte_carlo);
        return Choice::Searcher(Box::new(searcher));
    }
    match (task.aim(), task.options.player) {
        (Some(Aim::Explore), _) => Choice::Proof(Aim::Explore, monte_carlo),
        (Some(aim), _) => match TableSearcher::for_rules(task.position.rules()) {
            Some(table) => Choice::Table(table),
            None => Choice::Proof(aim, monte_carlo),
        },
        (None, PlayerKind::Textbook(search)) => {
            Choice::Searcher(Box::new(TextbookSearcher::new(search).within(task.options.hash)))
        }
        (None, PlayerKind::MonteCarloLimit) => {
            match MonteCarloLimit::for_rules(task.position.rules(), task.options.weights) {
                Some(limit) => Choice::Searcher(Box::new(limit)),
                None => Choice::Substitute(Box::new(monte_carlo), Note::NoLimit),
            }
        }
        (None, PlayerKind::Random) => Choice::Searcher(Box::new(RandomMover)),
        (None, _) => Choice::Searcher(Box::new(monte_carlo)),
    }
}
