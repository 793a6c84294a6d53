//! The plan of a search: which searcher answers a request, and within which bounds.
//!
//! The session makes one [`SearchPlan`] per request, by one match over the player. It asks the plan what it has to know before
//! the search runs (is it quick? does anything but `stop` end it? what is the deadline?), and hands it to the engine.

use std::num::NonZeroU64;
use std::time::Duration;

use noughts_core::game::{Position, Rules};
use noughts_core::search::{
    ExactMonteCarlo, Instant, InstantMover, Level, LevelSearcher, MonteCarlo, Note, ProofEffort, RandomMover,
    SearchRequest, TableSearcher, Textbook, TextbookSearcher, Tiebreak, Uct,
};

use super::go_request::{GoRequest, SearchPurpose};
use super::option_table::MOST_MOVES;
use super::options::{LARGEST_SPIN, Options, PlayerKind};
use super::time_management::{self, MoveTime};

/// A longer time counts as no limit.
const LONGEST_WAIT: Duration = Duration::from_secs(60 * 60);

/// A limit of more playouts, or of more positions of a proof, counts as none. The option `trials` cannot ask for more.
const MOST_NODES: u64 = LARGEST_SPIN as u64;

/// Positions that a proof of `perfect` visits when nothing else limits it: where lines are shorter than the board, so
/// that the proof may be out of reach, and for the values of all moves on every board.
const DEFAULT_PROOF_NODES: [u64; 2] = [10_000_000, 500_000];

/// The most positions that a proof of `auto` or `mcts` visits, before and after Monte Carlo.
const AUTO_PROOF_NODES: [u64; 2] = [20_000, 2_000];

/// The most cells that the playouts of a quick search may fill: 2,000 playouts from the empty 3x3 board, a few tenths of a
/// millisecond.
const QUICK_CELLS: u64 = 18_000;

/// Positions times cells up to which a proof ends within about a millisecond.
const QUICK_WORK: u64 = 10_000;

/// The one of two numbers of positions that counts on a board: the first up to 64 cells, the second on larger boards,
/// where each position takes longer.
fn on_board([small, large]: [u64; 2], rules: Rules) -> u64 {
    if rules.cells() <= 64 { small } else { large }
}

/// The searcher of a plan.
pub(super) enum PlannedSearcher {
    /// No search: the best answer by a look of two plies and the live lines.
    Instant(InstantMover),
    Random(RandomMover),
    ExactMonteCarlo(ExactMonteCarlo),
    MonteCarlo(MonteCarlo),
    Uct(Uct),
    /// A player below full strength.
    Level(LevelSearcher),
    Textbook(TextbookSearcher),
    /// A table of all positions.
    Table(TableSearcher),
    /// A proof; the playouts are for positions where it does not fit.
    ProveThenEstimate(ProofEffort, MonteCarlo),
}

/// The searcher that answers a request, and the bounds of the search.
pub struct SearchPlan {
    /// The options that count for the purpose of the request.
    pub(super) options: Options,
    /// The number of the best moves to report.
    pub(super) lines: usize,
    pub(super) searcher: PlannedSearcher,
    /// True if a tree search answers where nothing is proven.
    pub(super) guesses_by_tree: bool,
    /// Why another searcher answers than the player names.
    pub(super) note: Option<Note>,
    /// The most playouts, if there is a limit.
    pub(super) playouts: Option<u64>,
    /// The most positions that a proof or a textbook search may visit, if there is a limit.
    pub(super) nodes: Option<u64>,
    /// The most plies that a proof may look ahead, if there is a limit.
    pub(super) depth: Option<u16>,
    /// The time for the move, if it is limited.
    pub(super) time: Option<MoveTime>,
    /// When the search ends at the latest, if its time is limited.
    pub deadline: Option<Instant>,
    /// True if the answer is held back until `stop`.
    pub is_infinite: bool,
    /// True if neither time nor `stop` ends the search. Then the answer must depend on the request alone.
    pub(super) ends_by_itself: bool,
    /// True if the answer comes within about a millisecond, so that the search needs no thread of its own.
    pub is_quick: bool,
}

impl SearchPlan {
    /// The plan of a request.
    pub fn new(request: &GoRequest) -> SearchPlan {
        SearchPlan::make(request, true)
    }

    /// The plan of a request that must be answered now: the best answer that needs no search.
    pub fn without_search(request: &GoRequest) -> SearchPlan {
        let mut plan = SearchPlan::make(request, false);
        if !request.purpose.is_values() {
            // Hundreds of lines about a position that was not searched say nothing, and cost time.
            plan.lines = 1;
        }
        plan
    }

    /// The plan of a request that may search, if its time allows that.
    fn make(request: &GoRequest, may_search: bool) -> SearchPlan {
        let limits = request.limits;
        let time = time_management::time_for_move(&limits, &request.position, request.options.move_overhead);
        let may_search = may_search && !time.is_some_and(|time| time.most.is_zero());
        let ends_by_itself = time.is_none() && !limits.infinite;
        let options = options_for(request.purpose, request.options);
        let guesses_by_tree = guesses_by_tree(request, options.player);
        let usual = usual_playouts(&options, guesses_by_tree);
        let mut plan = SearchPlan {
            options,
            lines: if request.purpose.is_values() { SearchRequest::EVERY_MOVE } else { options.multi_pv as usize },
            guesses_by_tree,
            searcher: PlannedSearcher::Instant(InstantMover),
            note: None,
            playouts: sampling_playouts(request, usual, time.is_some(), ends_by_itself),
            nodes: limits.nodes.map(NonZeroU64::get),
            depth: limits.depth.map(|plies| u16::try_from(plies.get()).unwrap_or(u16::MAX)),
            ends_by_itself,
            time,
            deadline: time.and_then(|time| request.since.checked_add(time.most)),
            is_infinite: limits.infinite,
            is_quick: false,
        };
        plan.searcher = plan.choose(request, may_search);
        plan.is_quick = plan.ends_soon(&request.position);
        plan
    }

    /// Chooses the searcher and completes the bounds: the only place where the name of a player decides about its search.
    /// `ProveThenEstimate` decides between proof and playouts while it runs.
    fn choose(&mut self, request: &GoRequest, may_search: bool) -> PlannedSearcher {
        use PlannedSearcher::{ProveThenEstimate, Table};

        let (options, rules) = (self.options, request.position.rules());
        let monte_carlo = MonteCarlo::new(options.weights).on_threads(options.threads as usize);
        if is_weakened(&options) {
            if !may_search {
                self.playouts = Some(1);
            }
            return PlannedSearcher::Level(LevelSearcher::new(options.level, rules, monte_carlo));
        }
        let table = || TableSearcher::for_rules(rules);
        let instant = PlannedSearcher::Instant(InstantMover);
        match options.player {
            PlayerKind::Random => PlannedSearcher::Random(RandomMover),
            PlayerKind::MonteCarloLimit => match ExactMonteCarlo::for_rules(rules, options.weights) {
                Some(exact) => PlannedSearcher::ExactMonteCarlo(exact),
                None if may_search => {
                    self.note = Some(Note::NoExactPlayouts);
                    PlannedSearcher::MonteCarlo(monte_carlo)
                }
                None => instant,
            },
            PlayerKind::MonteCarlo | PlayerKind::Uct | PlayerKind::Textbook(_) if !may_search => instant,
            PlayerKind::MonteCarlo => PlannedSearcher::MonteCarlo(monte_carlo),
            PlayerKind::Uct => PlannedSearcher::Uct(Uct::new(options.exploration, options.tree_bytes())),
            PlayerKind::Textbook(search) => {
                self.nodes = self.nodes.or_else(|| Some(Textbook::NODES).filter(|_| self.ends_by_itself));
                PlannedSearcher::Textbook(TextbookSearcher::new(search).within(options.hash))
            }
            PlayerKind::Auto | PlayerKind::Perfect | PlayerKind::Mcts if !may_search => table().map_or(instant, Table),
            PlayerKind::Mcts => {
                self.limit_proof(on_board(AUTO_PROOF_NODES, rules));
                ProveThenEstimate(ProofEffort::Explore, monte_carlo)
            }
            PlayerKind::Auto => {
                self.limit_proof(on_board(AUTO_PROOF_NODES, rules));
                table().map_or(ProveThenEstimate(ProofEffort::Play, monte_carlo), Table)
            }
            PlayerKind::Perfect => {
                if !self.guesses_by_tree || self.time.is_none() {
                    // Nothing else would end the guess before the proof.
                    let trials = usual_playouts(&options, self.guesses_by_tree);
                    self.playouts = Some(self.playouts.map_or(trials, |playouts| playouts.min(trials)));
                }
                let is_hard = rules.line_length().is_some_and(|length| length < rules.shape().longer_side());
                let needs_limit = self.ends_by_itself && (is_hard || request.purpose.is_values());
                self.nodes = self.nodes.or_else(|| needs_limit.then(|| on_board(DEFAULT_PROOF_NODES, rules)));
                table().map_or(ProveThenEstimate(ProofEffort::Proof, monte_carlo), Table)
            }
        }
    }

    fn limit_proof(&mut self, most: u64) {
        self.nodes = Some(self.nodes.map_or(most, |nodes| nodes.min(most)));
    }

    /// The time for the move, if it is limited.
    pub fn move_time(&self) -> Option<Duration> {
        self.time.map(|time| time.most)
    }

    /// True if the search is effectively unbounded: more than an hour, and more than 2^31 nodes.
    pub fn is_unbounded(&self) -> bool {
        let long = self.time.is_none_or(|time| time.most > LONGEST_WAIT);
        let many = |nodes: Option<u64>| nodes.is_none_or(|nodes| nodes > MOST_NODES);
        let is_long = match self.searcher {
            PlannedSearcher::Textbook(_) => many(self.nodes),
            PlannedSearcher::ProveThenEstimate(ProofEffort::Proof, _) => many(self.nodes) || many(self.playouts),
            _ => many(self.playouts),
        };
        self.is_infinite || (long && is_long)
    }

    fn ends_soon(&self, position: &Position) -> bool {
        let (empty_cells, cells) = (position.empty_cells() as u64, position.rules().cells() as u64);
        let is_few = |playouts: u64| playouts.saturating_mul(empty_cells) <= QUICK_CELLS;
        let is_short = |nodes: u64| nodes.saturating_add(cells).saturating_mul(cells) <= QUICK_WORK;
        let (is_few, is_short) = (self.playouts.is_some_and(is_few), self.nodes.is_some_and(is_short));
        let is_quick = match &self.searcher {
            PlannedSearcher::Instant(_) | PlannedSearcher::Random(_) => true,
            PlannedSearcher::ExactMonteCarlo(_) | PlannedSearcher::Table(_) => true,
            PlannedSearcher::MonteCarlo(_) | PlannedSearcher::Uct(_) => is_few,
            PlannedSearcher::Level(_) => is_few || TableSearcher::for_rules(position.rules()).is_some(),
            PlannedSearcher::Textbook(_) => false,
            // The search for a trap has limits of its own.
            PlannedSearcher::ProveThenEstimate(..) => is_few && is_short && self.options.tiebreak != Tiebreak::Trap,
        };
        is_quick || position.outcome().is_some()
    }
}

/// The options that count for a purpose.
fn options_for(purpose: SearchPurpose, options: Options) -> Options {
    let player = match (purpose, options.player) {
        (SearchPurpose::Move | SearchPurpose::EveryMove, _) => return options,
        (
            SearchPurpose::Values,
            kept @ (PlayerKind::MonteCarlo | PlayerKind::MonteCarloLimit | PlayerKind::Perfect),
        ) => kept,
        (SearchPurpose::Values, _) => PlayerKind::Auto,
        (SearchPurpose::PlayoutScores, _) => PlayerKind::MonteCarlo,
        (SearchPurpose::ProvenHints, _) => PlayerKind::Perfect,
        (SearchPurpose::ExpectedHints, _) => PlayerKind::Mcts,
    };
    Options { player, tiebreak: Tiebreak::First, level: Level::FULL, multi_pv: MOST_MOVES, ..options }
}

/// True if a tree search answers where nothing is proven. The value of every move takes flat playouts, which score them all;
/// so does perfect play within a number of plies, because a tree proves longer wins too.
fn guesses_by_tree(request: &GoRequest, player: PlayerKind) -> bool {
    match player {
        PlayerKind::Mcts => true,
        PlayerKind::Auto => !request.purpose.is_values(),
        PlayerKind::Perfect => !request.purpose.is_values() && request.limits.depth.is_none(),
        _ => false,
    }
}

/// The playouts of a search that samples: the number that the client named, or the usual one when nothing else would end the
/// search; never more than the option `max_trials` allows. The only legal move takes one playout where time is the limit.
fn sampling_playouts(request: &GoRequest, usual: u64, is_timed: bool, ends_by_itself: bool) -> Option<u64> {
    let GoRequest { limits, options, position, .. } = request;
    let is_forced = is_timed && !limits.infinite && position.empty_cells() == 1;
    let playouts = limits.playouts().or(ends_by_itself.then_some(usual)).or(is_forced.then_some(1));
    playouts.into_iter().chain(options.most_playouts()).min()
}

/// The playouts of a search that nothing else limits: the option `trials`.
fn usual_playouts(options: &Options, guesses_by_tree: bool) -> u64 {
    let grows_tree = guesses_by_tree && !is_weakened(options);
    u64::from(if grows_tree { options.tree_trials() } else { options.trials() })
}

/// True if the option `level` makes the player weaker.
fn is_weakened(options: &Options) -> bool {
    options.level < Level::FULL && (options.player.proves() || options.player == PlayerKind::MonteCarlo)
}
