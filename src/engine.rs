//! The engine: options, the choice of a searcher, and thinking.
//!
//! An [`Engine`] answers one [`Task`] at a time; whoever lets it think holds it. It reads no input and writes no
//! output.

mod options;

use std::fmt;
use std::num::NonZeroU64;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::game::{Position, Rules};
use crate::search::{
    Control, Generator, Limits, MonteCarlo, Question, RandomMover, Report, Searcher, TableSearcher, Textbook,
    TextbookSearcher, Verdict,
};

pub use options::{Changed, OPTIONS, OptionError, OptionKind, OptionSpec, Options, PlayerKind};

/// Time beyond which a limit is as good as none.
const LONGEST_WAIT: Duration = Duration::from_secs(60 * 60);

/// Playouts or nodes beyond which a limit is as good as none: more than the option `trials` can ask for.
const MOST_PLAYOUTS: u64 = options::LARGEST_SPIN as u64;

/// Everything that an answer depends on.
#[derive(Clone, Debug)]
pub struct Task {
    /// The position to think about; the game may be over.
    pub position: Position,
    /// The options at the time it was asked.
    pub options: Options,
    /// What bounds the search.
    pub limits: Limits,
    /// How many of the best moves to report, at least 1.
    pub lines: usize,
    /// The random numbers of this answer.
    pub generator: Generator,
}

impl Task {
    /// The playouts that a Monte Carlo search of this task may start: those the client named, or the option
    /// `trials` when nothing else would end the search.
    fn playouts(&self) -> Option<u64> {
        let by_option = || (self.time().is_none() && !self.limits.infinite).then_some(self.options.trials.into());
        self.limits.playouts().or_else(by_option)
    }

    /// The nodes that a search of this task may visit: those the client named, or [`Textbook::NODES`] when nothing
    /// else would end a search of the textbooks.
    fn nodes(&self) -> Option<u64> {
        let by_default =
            || (self.is_for_textbook() && self.time().is_none() && !self.limits.infinite).then_some(Textbook::NODES);
        self.limits.nodes.map(NonZeroU64::get).or_else(by_default)
    }

    fn is_for_textbook(&self) -> bool {
        matches!(self.options.player, PlayerKind::Textbook(_))
    }

    /// Whether nothing but `stop` ends a search of this task within any time that somebody would wait.
    pub fn is_unbounded(&self) -> bool {
        let long = self.time().is_none_or(|time| time > LONGEST_WAIT);
        let budget = if self.is_for_textbook() { self.nodes() } else { self.playouts() };
        let many = budget.is_none_or(|budget| budget > MOST_PLAYOUTS);
        self.limits.infinite || (long && many)
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
    /// Why another player answered than the one that was asked for.
    pub caveat: Option<Caveat>,
    /// How long it took.
    pub elapsed: Duration,
}

/// Why another player answered than the one that was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Caveat {
    /// `perfect` cannot prove anything under these rules yet.
    BeyondTable(Rules),
}

impl fmt::Display for Caveat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Caveat::BeyondTable(rules) => {
                let size = rules.size();
                write!(f, "player perfect knows boards up to 3x3, not {size}x{size}; montecarlo answers in its place")
            }
        }
    }
}

/// Thinks about one task at a time.
#[derive(Default)]
pub struct Engine {
    given: Option<Box<dyn Searcher + Send>>,
}

impl Engine {
    /// An engine that plays by the option `player`.
    pub fn new() -> Engine {
        Engine::default()
    }

    /// An engine that leaves every answer to `searcher`, whatever the option `player` says.
    pub fn playing_by(searcher: Box<dyn Searcher + Send>) -> Engine {
        Engine { given: Some(searcher) }
    }

    /// Whether the answer will come within about a millisecond, so that it needs no thread of its own.
    pub fn is_quick(&self, task: &Task) -> bool {
        if task.position.outcome().is_some() {
            return true;
        }
        match &self.given {
            Some(given) => given.is_quick(&task.position, task.playouts()),
            None => choose(&task.options, task.position.rules()).0.is_quick(&task.position, task.playouts()),
        }
    }

    /// Answers a task. Setting `stop` ends it soon, with the best that was found until then.
    pub fn think(&mut self, task: Task, stop: Arc<AtomicBool>, report: Report<'_>) -> Thought {
        let start = Instant::now();
        if let Some(verdict) = Verdict::on_finished_game(&task.position) {
            return Thought { verdict, caveat: None, elapsed: start.elapsed() };
        }
        let deadline = task.time().and_then(|time| start.checked_add(time));
        let control = Control::new(stop, deadline, task.playouts()).with_nodes(task.nodes());
        let question = Question { position: task.position, tiebreak: task.options.tiebreak, lines: task.lines.max(1) };
        let mut generator = task.generator;
        let (verdict, caveat) = match &mut self.given {
            Some(given) => (given.search(&question, &mut generator, &control, report), None),
            None => {
                let (mut searcher, caveat) = choose(&task.options, task.position.rules());
                (searcher.search(&question, &mut generator, &control, report), caveat)
            }
        };
        Thought { verdict, caveat, elapsed: start.elapsed() }
    }
}

/// The searcher that answers for a player, and why it is another than the player's own.
fn choose(options: &Options, rules: Rules) -> (Box<dyn Searcher>, Option<Caveat>) {
    let monte_carlo = Box::new(MonteCarlo::new(options.weights));
    match (options.player, TableSearcher::for_rules(rules)) {
        (PlayerKind::Textbook(search), _) => (Box::new(TextbookSearcher::new(search)), None),
        (PlayerKind::Random, _) => (Box::new(RandomMover), None),
        (PlayerKind::MonteCarlo, _) | (PlayerKind::Auto, None) => (monte_carlo, None),
        (PlayerKind::Perfect, None) => (monte_carlo, Some(Caveat::BeyondTable(rules))),
        (PlayerKind::Auto | PlayerKind::Perfect, Some(table)) => (Box::new(table), None),
    }
}
