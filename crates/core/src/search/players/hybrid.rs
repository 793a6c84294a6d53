//! HybridSearcher play where a proof fits in the limits, and the best guess elsewhere.
//!
//! A guess is never dressed up as a proof: the score of a result is exact only when the value of the position is
//! proven and so is that the move is worth it. Otherwise Monte Carlo chooses among the moves that are not proven to be
//! worse than another, and notes say what has been proven. A win or a draw is announced only with a move that keeps it:
//! where one is announced, the choice stays among the moves that are proven to keep it.

use crate::game::{Bounds, Cell, Position, Score, Value};

use super::monte_carlo::{PlayoutSample, telling};
use super::trap::Trap;
use crate::search::mcts::{Mcts, MoveStats, RootStats};
use crate::search::proof::{RootBounds, RootProof};
use crate::search::{
    Control, Generator, Line, MonteCarlo, Note, Report, SearchRequest, SearchResult, Solver, Tiebreak,
};

/// Positions that a proof looks at before the first guess is made.
const FIRST_LOOK: u64 = 2_000;

/// Positions that a proof looks at before a tree is searched for its own sake, times the cells of the board, twice: 976 on
/// 8x8, 79 on 15x15, where each takes long.
const EXPLORER_WORK: u64 = 4_000_000;

/// Positions that are looked at, at most, to see how a draw may go on.
const DRAWN_LINE_NODES: u64 = 100;

/// Positions times cells up to which a proof is over within about a millisecond.
const QUICK_WORK: u64 = 10_000;

/// What the limits of a search are spent on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strategy {
    /// A proof gets all the time. The playouts are for the guess that takes its place.
    Proof,
    /// A proof gets its nodes and no more than half of the time, playouts get the rest.
    Play,
    /// A proof gets some nodes and no more than a quarter of the time, playouts get the rest.
    Explore,
}

/// Plays perfectly where a proof fits in the limits.
pub struct HybridSearcher<'a> {
    solver: &'a mut Solver,
    monte_carlo: MonteCarlo,
    tree: Option<&'a mut Mcts>,
    strategy: Strategy,
}

impl<'a> HybridSearcher<'a> {
    /// A player that proves with `solver` and guesses with `monte_carlo`.
    pub fn new(solver: &'a mut Solver, monte_carlo: MonteCarlo, strategy: Strategy) -> HybridSearcher<'a> {
        HybridSearcher { solver, monte_carlo, tree: None, strategy }
    }

    /// The same, guessing by a search of `tree`.
    pub fn with_tree(self, tree: &'a mut Mcts) -> HybridSearcher<'a> {
        HybridSearcher { tree: Some(tree), ..self }
    }

    /// Whether a proof about this position with so many nodes at most is over within about a millisecond.
    pub fn is_quick(position: &Position, nodes: Option<u64>) -> bool {
        let cells = position.rules().cells() as u64;
        let work = |nodes: u64| nodes.saturating_add(cells).saturating_mul(cells);
        nodes.is_some_and(|nodes| work(nodes) <= QUICK_WORK)
    }

    /// Searches a position in which the game goes on, and says what else there is to say. `control` bounds the nodes,
    /// the plies and the time of the proof and the playouts of the guess; there is at least one playout.
    pub fn search(
        mut self,
        request: &SearchRequest,
        generator: &mut Generator,
        control: &Control,
        report: Report<'_>,
    ) -> (SearchResult, Vec<Note>) {
        let mut proof = RootProof::new(self.solver, request, control);
        let monte_carlo = &self.monte_carlo;
        let mut tally = None;
        match self.strategy {
            Strategy::Play => proof.prove(&control.clone().with_share_of_time(0.5), &mut |known| {
                report(&guess(monte_carlo, request, known, None, |_| 0));
            }),
            Strategy::Explore => {
                let cells = request.position.rules().cells() as u64;
                let most = (EXPLORER_WORK / (cells * cells)).min(FIRST_LOOK);
                let nodes = control.nodes().map_or(most, |nodes| nodes.min(most));
                proof.prove(&control.clone().with_nodes(Some(nodes)).with_share_of_time(0.25), &mut |_| {});
            }
            Strategy::Proof => {
                let nodes = control.nodes().map_or(FIRST_LOOK, |nodes| nodes.min(FIRST_LOOK));
                proof.prove(&control.clone().with_nodes(Some(nodes)), &mut |_| {});
                if proof.bounds().value.exact().is_none() {
                    let share = proof.left().with_share_of_time(0.25);
                    tally = Some(sample(monte_carlo, request, generator, &share, proof.bounds(), report));
                }
                if proof.bounds().proven_value().is_none() {
                    let left = proof.left();
                    proof.prove(&left, &mut |known| {
                        report(&guess(monte_carlo, request, known, tally.as_ref(), |_| 0));
                    });
                }
            }
        }
        proof.publish();
        let mut notes: Vec<Note> = proof
            .empty_board_proof()
            .and_then(|known| Note::on_empty_board(&request.position, known))
            .into_iter()
            .collect();
        // A draw may still be won, if the opponent goes wrong: so the explorer fills the playouts that it is asked for. Where
        // time is the limit, what is known is played.
        let plays_on = |value: Value| self.strategy == Strategy::Explore && value == Value::Draw && !control.is_timed();
        let mut guessed = None;
        if proof.bounds().proven_value().is_none_or(plays_on) {
            find_safe_moves(&mut proof);
            guessed = Some(if let Some(tree) = &mut self.tree {
                let root_stats = explore(&mut proof, tree, request, generator, report);
                let chosen = request.tiebreak.pick(root_stats.ties, generator);
                by_tree(request, proof.bounds(), &root_stats, chosen)
            } else {
                let known = proof.bounds();
                let tally = tally.unwrap_or_else(|| sample(monte_carlo, request, generator, control, known, report));
                guess(monte_carlo, request, known, Some(&tally), |ties| request.tiebreak.pick(ties, generator))
            });
        }
        match (proof.bounds().proven_value().filter(|&value| !plays_on(value)), guessed) {
            (None, Some(result)) => {
                let announced = proof.bounds().announced();
                if says_something(announced) && !matches!(result.score, Score::Exact(_)) {
                    notes.push(Note::Proved(announced));
                }
                (result, notes)
            }
            (value, guessed) => {
                let value = value.expect("without a guess the position is settled");
                let (mut proven, more) = proven(&mut proof, value, request, generator);
                notes.extend(more);
                let mut playouts = guessed.and_then(|result| result.playouts);
                // A client that wants every move gets the scores of playouts for those that are not decided.
                let is_open = |line: &Line| matches!(line.score, Score::Estimate(_));
                if self.strategy == Strategy::Play
                    && request.lines == SearchRequest::EVERY_MOVE
                    && proven.lines.iter().any(is_open)
                {
                    let sample = sample(monte_carlo, request, generator, control, proof.bounds(), report);
                    for line in proven.lines.iter_mut().filter(|line| is_open(line)) {
                        line.total = Some(sample.tally.total(line.first_move(), monte_carlo.weights));
                    }
                    playouts = Some(sample.tally.results());
                }
                let nodes = proven.nodes + playouts.map_or(0, |results| results.count());
                (SearchResult { nodes, playouts, ..proven }, notes)
            }
        }
    }
}

/// Where a draw at least is announced, only moves that keep it are played: looks for more of them than the one that the
/// proof has found, so that there is something to choose from.
fn find_safe_moves(proof: &mut RootProof) {
    if proof.bounds().announced().at_least == Value::Draw {
        let left = proof.left().with_share_of_time(0.25);
        let nodes = left.nodes().map_or(FIRST_LOOK, |nodes| nodes.min(FIRST_LOOK.max(proof.bounds().nodes)));
        proof.find_keeping_moves(Value::Draw, &left.with_nodes(Some(nodes)));
    }
}

/// Searches the tree, and tries to prove what it has found.
fn explore(
    proof: &mut RootProof,
    tree: &mut Mcts,
    request: &SearchRequest,
    generator: &mut Generator,
    report: Report<'_>,
) -> RootStats {
    let known = proof.bounds().clone();
    let control = proof.control();
    let mut progress = |root_stats: &RootStats| report(&by_tree(request, &known, root_stats, 0));
    let mut root_stats =
        tree.search(request, (known.announced(), known.moves.as_slice()), generator, control, &mut progress);
    proof.add_bounds(root_stats.bounds, root_stats.moves.iter().map(|stats| (stats.cell(), stats.bounds)));
    proof.publish();
    let value = proof.bounds().value;
    if proof.bounds().proven_value().is_none() && (value.at_least > Value::Draw || value.at_most < Value::Draw) {
        // The tree knows who wins, but perhaps not how soon.
        let left = proof.left();
        proof.prove(&left, &mut |_| {});
    }
    let known = proof.bounds();
    for (cell, bounds) in &known.moves {
        if let Some(stats) = root_stats.moves.iter_mut().find(|stats| stats.cell() == *cell) {
            stats.bounds = stats.bounds.and(*bounds);
        }
    }
    root_stats.prefer(|stats| known.allows(stats.bounds));
    root_stats
}

/// Whether bounds say more than anybody sees who looks one ply ahead.
fn says_something(bounds: Bounds) -> bool {
    bounds.at_least > Value::Loss(2) || bounds.at_most < Value::Win(2)
}

fn sample(
    monte_carlo: &MonteCarlo,
    request: &SearchRequest,
    generator: &mut Generator,
    control: &Control,
    known: &RootBounds,
    report: Report<'_>,
) -> PlayoutSample {
    let mut progress = telling(control, report, |sample| guess(monte_carlo, request, known, Some(sample), |_| 0));
    monte_carlo.sample_request(request, generator, control, &mut progress)
}

/// The result on a position of known value with a move that is proven to be worth it, how many moves are not decided
/// that might belong to its lines, and how a trap was chosen.
fn proven(
    proof: &mut RootProof,
    value: Value,
    request: &SearchRequest,
    generator: &mut Generator,
) -> (SearchResult, Vec<Note>) {
    let is_best = |bounds: &Bounds| bounds.at_least >= value;
    let ties = |proof: &RootProof| proof.bounds().moves.iter().filter(|(_, bounds)| is_best(bounds)).count();
    proof.find_keeping_moves(value, &proof.left_to_finish());
    let wants_others = request.lines > ties(proof);
    if wants_others {
        let left = proof.left();
        proof.prove_moves(&left, &mut |_| {});
    }
    let mut moves = proof.bounds().moves.clone();
    // A stable sort: equally good moves stay in reading order.
    moves.sort_by_key(|(_, bounds)| std::cmp::Reverse((is_best(bounds), bounds.at_most, bounds.at_least)));
    let is_open = |bounds: &Bounds| match wants_others {
        true => !is_best(bounds) && bounds.exact().is_none(),
        false => !is_best(bounds) && bounds.at_most >= value,
    };
    let undecided = moves.iter().filter(|(_, bounds)| is_open(bounds)).count();
    let mut notes: Vec<Note> = (undecided > 0).then_some(Note::Undecided { moves: undecided }).into_iter().collect();
    let chosen = match request.tiebreak {
        Tiebreak::Trap => {
            let best: Vec<Cell> = moves[..ties(proof)].iter().map(|(cell, _)| *cell).collect();
            let control = proof.left().with_share_of_time(0.5);
            let trap = Trap::choose(&request.position, value, &best, generator, &control);
            proof.add_nodes(trap.nodes);
            notes.extend(trap.note);
            trap.place
        }
        tiebreak => tiebreak.pick(ties(proof), generator),
    };
    moves[..=chosen].rotate_right(1);
    let shown = moves.into_iter().take(request.lines).enumerate();
    let is_limited_in_depth = proof.left().depth().is_some();
    let finishing = proof.left_to_finish();
    let lines = shown
        .map(|(place, (cell, bounds))| {
            let exact = if is_best(&bounds) { Some(value) } else { bounds.exact() };
            let score = exact.map_or(Score::Estimate(middle(bounds)), Score::Exact);
            let mut principal_variation = vec![cell];
            // A client that wants every move wants values, not hundreds of games; one that has stopped wants its move.
            let is_wanted = place == 0 || request.lines != SearchRequest::EVERY_MOVE && proof.left().check().is_ok();
            let is_in_reach = exact.is_some_and(|value| value != Value::Draw || !is_limited_in_depth);
            if is_wanted && is_in_reach {
                // How a draw may go on is nice to know, and worth no long search.
                let drawn = || finishing.nodes().map_or(DRAWN_LINE_NODES, |nodes| nodes.min(DRAWN_LINE_NODES));
                let most = if exact == Some(Value::Draw) { Some(drawn()) } else { finishing.nodes() };
                let control = finishing.clone().with_nodes(most);
                principal_variation.extend(proof.line_from(&request.position.after(cell), &control));
            }
            Line { score, principal_variation, total: None }
        })
        .collect();
    let plies_left = request.position.empty_cells() as u16;
    let depth = value.plies().unwrap_or(proof.left().depth().map_or(plies_left, |depth| depth.min(plies_left)));
    let nodes = proof.bounds().nodes;
    (SearchResult { score: Score::Exact(value), lines, depth, nodes, playouts: None, expected: None }, notes)
}

/// The result on a position that is not settled: the best estimate within what is proven. The move to play is the
/// one numbered `choose` among those with the highest total that no proof speaks against.
fn guess(
    monte_carlo: &MonteCarlo,
    request: &SearchRequest,
    known: &RootBounds,
    sample: Option<&PlayoutSample>,
    choose: impl FnOnce(usize) -> usize,
) -> SearchResult {
    let tally = sample.map(|sample| &sample.tally);
    let compare =
        |a: Cell, b: Cell| tally.map_or(std::cmp::Ordering::Equal, |tally| tally.compare(b, a, monte_carlo.weights));
    let best_lower_bound = known.best_lower_bound();
    let all_lost = known.moves.iter().all(|(_, bounds)| bounds.at_most < Value::Draw);
    let is_open = |bounds: &Bounds| bounds.at_most >= best_lower_bound && (all_lost || bounds.at_most >= Value::Draw);
    // A win is played by a move that is proven to win soonest; a draw is kept by any that keeps it.
    let is_candidate = |bounds: &Bounds| match best_lower_bound {
        Value::Win(_) => bounds.at_least >= best_lower_bound,
        _ => is_open(bounds) && known.allows(*bounds),
    };
    let (mut candidates, mut others): (Vec<_>, Vec<_>) =
        known.moves.iter().partition::<Vec<(Cell, Bounds)>, _>(|(_, bounds)| is_candidate(bounds));
    // Stable sorts: what is equal stays in reading order.
    candidates.sort_by(|(a, _), (b, _)| compare(*a, *b));
    others.sort_by(|(a, one), (b, two)| {
        (two.at_most, two.at_least).cmp(&(one.at_most, one.at_least)).then_with(|| compare(*a, *b))
    });
    let ties = candidates.iter().take_while(|(cell, _)| compare(*cell, candidates[0].0).is_eq()).count();
    candidates[..=choose(ties)].rotate_right(1);

    let results = tally.map(|tally| tally.results());
    let estimate = |cell: Cell, bounds: Bounds| {
        Score::Estimate(sample.map_or(middle(bounds), |sample| within(bounds, sample.mean(cell))))
    };
    let score = estimate(candidates[0].0, known.announced());
    let line = |(place, (cell, bounds)): (usize, (Cell, Bounds))| {
        let total = tally.map(|tally| tally.total(cell, monte_carlo.weights));
        let score = if place == 0 { score } else { bounds.exact().map_or(estimate(cell, bounds), Score::Exact) };
        Line { score, principal_variation: vec![cell], total }
    };
    let lines = candidates.into_iter().chain(others).take(request.lines).enumerate().map(line).collect();
    let playouts = results.map_or(0, |results| results.count());
    SearchResult { score, lines, depth: known.depth, nodes: known.nodes + playouts, playouts: results, expected: None }
}

/// The result of the tree, as far as it is proven. The move to play is the one numbered `chosen`.
fn by_tree(request: &SearchRequest, known: &RootBounds, root_stats: &RootStats, chosen: usize) -> SearchResult {
    let mut moves: Vec<&MoveStats> = root_stats.moves.iter().collect();
    moves[..=chosen].rotate_right(1);
    let line = |(place, stats): (usize, &MoveStats)| {
        // No move is worth more than the position; and the first is proven only if so is that it is worth as much.
        let bounds = Bounds { at_most: stats.bounds.at_most.min(known.value.at_most), ..stats.bounds };
        let is_proven = |value: &Value| place > 0 || known.value.exact() == Some(*value);
        let estimate = Score::Estimate(within(bounds, stats.mean));
        let score = bounds.exact().filter(is_proven).map_or(estimate, Score::Exact);
        Line { score, principal_variation: stats.variation.clone(), total: None }
    };
    let lines: Vec<Line> = moves.into_iter().take(request.lines).enumerate().map(line).collect();
    let score = match lines[0].score {
        Score::Estimate(result) => Score::Estimate(within(known.announced(), result)),
        exact => exact,
    };
    let nodes = known.nodes + root_stats.results.count();
    let depth = known.depth.max(root_stats.depth);
    SearchResult { score, lines, depth, nodes, playouts: Some(root_stats.results), expected: None }
}

/// An expected result, kept within what is proven.
fn within(bounds: Bounds, result: f64) -> f64 {
    result.clamp(f64::from(bounds.at_least.result()), f64::from(bounds.at_most.result()))
}

/// The expected result half-way between the bounds, for want of anything better.
fn middle(bounds: Bounds) -> f64 {
    f64::from(bounds.at_least.result() + bounds.at_most.result()) / 2.0
}
