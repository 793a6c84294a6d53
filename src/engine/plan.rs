//! What the options and limits of a task come to: which searcher answers, within which bounds.
//!
//! A plan is made by one match over the player. The session and the engine ask it about a search before that runs: whether it
//! is quick, whether anything but `stop` ends it.

use std::num::NonZeroU64;
use std::time::Duration;

use noughts_core::game::{Position, Rules};
use noughts_core::search::{
    ExactMonteCarlo, HybridSearcher, Level, LevelSearcher, MonteCarlo, Note, RandomMover, SearchRequest, Searcher,
    StaticMover, Strategy, TableSearcher, Textbook, TextbookSearcher, Tiebreak,
};

use super::clock::{self, MoveTime};
use super::options::{self, Options, PlayerKind};
use super::request::GoRequest;

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

/// Who answers.
pub enum Answerer {
    /// A searcher that needs nothing of the engine.
    Searcher(Box<dyn Searcher>),
    /// Another than was asked for, and why.
    Substitute(Box<dyn Searcher>, Note),
    /// A search of the textbooks.
    Textbook(TextbookSearcher),
    /// A table of all positions.
    Table(TableSearcher),
    /// A proof, and the guess where it does not fit.
    Proof(Strategy, MonteCarlo),
}

/// What a task comes to.
pub struct Plan {
    /// Who answers.
    pub answerer: Answerer,
    /// The most playouts, if there is a limit.
    pub playouts: Option<u64>,
    /// The most positions that a proof or a search of the textbooks may look at, if there is a limit.
    pub nodes: Option<u64>,
    /// The most plies that a proof may look ahead, if there is a limit.
    pub depth: Option<u16>,
    /// The time for the move, if that is limited.
    pub time: Option<MoveTime>,
    /// Whether neither time nor `stop` is what ends the search: so its answer must not depend on anything but the task.
    pub ends_by_itself: bool,
    is_infinite: bool,
    position: Position,
    tiebreak: Tiebreak,
}

impl Plan {
    /// The plan of a task.
    pub fn new(task: &GoRequest) -> Plan {
        let time = clock::time_for_move(&task.limits, &task.position, task.options.move_overhead);
        let mut plan = Plan {
            answerer: Answerer::Searcher(Box::new(RandomMover)),
            playouts: None,
            nodes: task.limits.nodes.map(NonZeroU64::get),
            depth: task.limits.depth.map(|plies| u16::try_from(plies.get()).unwrap_or(u16::MAX)),
            ends_by_itself: time.is_none() && !task.limits.infinite,
            time,
            is_infinite: task.limits.infinite,
            position: task.position,
            tiebreak: task.options.tiebreak,
        };
        plan.playouts = plan.playouts_of_sampling(task);
        if plan.time.is_some_and(|time| time.is_nothing()) {
            return plan.at_once(&task.options);
        }
        plan.choose(task);
        plan
    }

    /// The plan of a task for which there is no time at all: the best that needs no search.
    pub fn without_search(task: &GoRequest) -> Plan {
        Plan::new(task).at_once(&task.options)
    }

    fn at_once(mut self, options: &Options) -> Plan {
        let rules = self.position.rules();
        let limit = ExactMonteCarlo::for_rules(rules, options.weights);
        let table = TableSearcher::for_rules(rules).filter(|_| options.player.proves());
        self.answerer = match (options.player, limit, table) {
            (PlayerKind::Random, _, _) => Answerer::Searcher(Box::new(RandomMover)),
            (PlayerKind::MonteCarloLimit, Some(limit), _) => Answerer::Searcher(Box::new(limit)),
            _ if is_weakened(options) => {
                self.playouts = Some(1);
                Answerer::Searcher(Box::new(weakened(options, rules)))
            }
            (_, _, Some(table)) => Answerer::Table(table),
            (_, _, None) => Answerer::Searcher(Box::new(StaticMover)),
        };
        self
    }

    /// Chooses who answers, and completes the limits: the only place where a player's name decides about its search.
    fn choose(&mut self, task: &GoRequest) {
        let (options, rules) = (&task.options, task.position.rules());
        let monte_carlo = monte_carlo(options);
        let table = || TableSearcher::for_rules(rules);
        if is_weakened(options) {
            self.answerer = Answerer::Searcher(Box::new(weakened(options, rules)));
            return;
        }
        self.answerer = match options.player {
            PlayerKind::Random => Answerer::Searcher(Box::new(RandomMover)),
            PlayerKind::MonteCarlo => Answerer::Searcher(Box::new(monte_carlo)),
            PlayerKind::MonteCarloLimit => match ExactMonteCarlo::for_rules(rules, options.weights) {
                Some(limit) => Answerer::Searcher(Box::new(limit)),
                None => Answerer::Substitute(Box::new(monte_carlo), Note::NoExactPlayouts),
            },
            PlayerKind::Textbook(search) => {
                self.nodes = self.nodes.or_else(|| Some(Textbook::NODES).filter(|_| self.ends_by_itself));
                Answerer::Textbook(TextbookSearcher::new(search).within(options.hash))
            }
            PlayerKind::Mcts => {
                self.limit_proof(AUTO_PROOF_NODES);
                Answerer::Proof(Strategy::Explore, monte_carlo)
            }
            PlayerKind::Auto => {
                self.limit_proof(AUTO_PROOF_NODES);
                table().map_or(Answerer::Proof(Strategy::Play, monte_carlo), Answerer::Table)
            }
            PlayerKind::Perfect => {
                // Of a proof that does not fit, the guess is by no more than `trials`.
                let trials = u64::from(options.trials);
                self.playouts = Some(self.playouts.map_or(trials, |playouts| playouts.min(trials)));
                let is_hard = rules.line_length().is_some_and(|length| length < rules.size());
                let needs_limit = self.ends_by_itself && (is_hard || task.lines == SearchRequest::EVERY_MOVE);
                self.nodes = self.nodes.or_else(|| needs_limit.then(|| DEFAULT_PROOF_NODES.on(rules)));
                table().map_or(Answerer::Proof(Strategy::Proof, monte_carlo), Answerer::Table)
            }
        };
    }

    /// The playouts of a search that samples: those the client named, or the option `trials` when nothing else would end
    /// the search; never more than the option `max_trials` allows. The only legal move takes one, where time is the limit.
    fn playouts_of_sampling(&self, task: &GoRequest) -> Option<u64> {
        let named = task.limits.playouts();
        let by_option = || self.ends_by_itself.then_some(u64::from(task.options.trials));
        let is_forced = self.time.is_some() && !self.is_infinite && self.position.empty_cells() == 1;
        let playouts = named.or_else(by_option).or_else(|| is_forced.then_some(1));
        let most = Some(u64::from(task.options.max_trials)).filter(|&most| most > 0);
        playouts.into_iter().chain(most).min()
    }

    fn limit_proof(&mut self, most: Budget) {
        let most = most.on(self.position.rules());
        self.nodes = Some(self.nodes.map_or(most, |nodes| nodes.min(most)));
    }

    /// True if the search is effectively unbounded: more than an hour, and more than 2^31 nodes.
    pub fn is_unbounded(&self) -> bool {
        let long = self.time.is_none_or(|time| time.most > LONGEST_WAIT);
        let many = |nodes: Option<u64>| nodes.is_none_or(|nodes| nodes > MOST_NODES);
        let is_long = match self.answerer {
            Answerer::Textbook(_) => many(self.nodes),
            Answerer::Proof(Strategy::Proof, _) => many(self.nodes) || many(self.playouts),
            _ => many(self.playouts),
        };
        self.is_infinite || (long && is_long)
    }

    /// Whether the answer will come within about a millisecond, so that it needs no thread of its own.
    pub fn is_quick(&self) -> bool {
        let (position, playouts) = (&self.position, self.playouts);
        match &self.answerer {
            Answerer::Searcher(searcher) | Answerer::Substitute(searcher, _) => searcher.is_quick(position, playouts),
            Answerer::Textbook(search) => search.is_quick(position, playouts),
            Answerer::Table(table) => table.is_quick(position, playouts),
            // What a trap takes has limits of its own.
            Answerer::Proof(..) if self.tiebreak == Tiebreak::Trap => false,
            Answerer::Proof(_, monte_carlo) => {
                HybridSearcher::is_quick(position, self.nodes) && monte_carlo.is_quick(position, playouts)
            }
        }
    }
}

fn monte_carlo(options: &Options) -> MonteCarlo {
    MonteCarlo::new(options.weights).on_threads(options.threads as usize)
}

/// Whether the option `level` makes the player weaker.
fn is_weakened(options: &Options) -> bool {
    options.level < Level::FULL && (options.player.proves() || options.player == PlayerKind::MonteCarlo)
}

fn weakened(options: &Options, rules: Rules) -> LevelSearcher {
    LevelSearcher::new(options.level, rules, monte_carlo(options))
}
