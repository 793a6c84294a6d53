//! A searcher that proves what it can, and estimates the rest.
//!
//! A [`ProofEffort`] divides the limits of a search between proof and playouts. The steps of [`StagedSearch::run`] are:
//!
//! 1. **Prove**: the solver works on the position and its moves within the share of its effort.
//! 2. If the value is proven, and so is a move that is worth it, the result is that **proof**.
//! 3. Otherwise the result is an **estimate** by flat Monte Carlo or by a tree search ([`estimate`]).
//! 4. The tree search may prove the value after all. Then the result is that proof.
//!
//! A score is exact only if the value of the position is proven and the move is proven to be worth it. A win or a draw is
//! announced only with a move that keeps it. Where one is announced, only moves that are proven to keep it are played.

mod estimate;

use std::time::Duration;

use crate::game::{Bounds, Cell, Score, Value};

use super::instant_mover::by_live_lines;
use super::monte_carlo::{PlayoutSample, middle, publishing};
use super::trap::Trap;
use crate::search::mcts::{Evaluations, Mcts, RootStats};
use crate::search::proof::{RootBounds, RootProof};
use crate::search::request::{IntervalTimer, REPORT_INTERVAL};
use crate::search::{
    Control, MonteCarlo, Note, PlayoutResults, SearchContext, SearchRequest, SearchResult, Searcher, Solver, Tiebreak,
    Variation,
};

use estimate::{Guess, by_guess, by_tree};

/// Positions of the proof before the first playouts.
const FIRST_PROOF_NODES: u64 = 2_000;

/// Positions of the proof before a tree search, times the square of the number of cells: 976 positions on 8x8, 79 on
/// 15x15, where each takes longer.
const EXPLORE_PROOF_WORK: u64 = 4_000_000;

/// The share of the time for a proof before a tree search. Half of the time would cost 5 to 7 points in a hundred against
/// another engine (docs/search-notes.md).
const PROOF_SHARE: f64 = 0.1;

/// The turns of the tree and of the search for threats after its best move, and the share of the latter in the time.
const TURNS: u32 = 4;
const REFUTATION_SHARE: f64 = 0.2;

/// Where the proof comes first: the share of the time for the guess before it, the most time for that guess, and the share
/// of the rest for the proof.
const FIRST_GUESS_SHARE: f64 = 0.05;
const FIRST_GUESS_TIME: Duration = Duration::from_millis(50);
const LONG_PROOF_SHARE: f64 = 0.75;

/// The most positions for the variation of a drawn move.
const DRAWN_LINE_NODES: u64 = 100;

/// The division of the limits of a search between proof and playouts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProofEffort {
    /// The proof gets about three quarters of the time. Playouts get the rest; they give the estimate if the proof
    /// fails. A part of them comes first, so that there is an answer whenever the search is stopped.
    Proof,
    /// The proof gets its nodes and at most a tenth of the time; so does a search for threats. Playouts get the rest.
    Play,
    /// As `Play`, but the proof gets few nodes.
    Explore,
}

/// Plays perfectly where a proof fits in the limits, and by an estimate elsewhere.
pub struct ProveThenEstimate<'a> {
    solver: &'a mut Solver,
    monte_carlo: MonteCarlo,
    tree: Option<&'a mut Mcts>,
    effort: ProofEffort,
}

impl<'a> ProveThenEstimate<'a> {
    /// A searcher that proves with `solver` and estimates with `monte_carlo`.
    pub fn new(solver: &'a mut Solver, monte_carlo: MonteCarlo, effort: ProofEffort) -> ProveThenEstimate<'a> {
        ProveThenEstimate { solver, monte_carlo, tree: None, effort }
    }

    /// Takes the estimates from a search of `tree`.
    pub fn with_tree(self, tree: &'a mut Mcts) -> ProveThenEstimate<'a> {
        ProveThenEstimate { tree: Some(tree), ..self }
    }
}

/// `control` bounds the nodes, the plies and the time of the proof, and the playouts of the estimate. An estimate takes at
/// least one playout.
impl Searcher for ProveThenEstimate<'_> {
    fn run(&mut self, context: SearchContext<'_>) -> SearchResult {
        let search = StagedSearch {
            proof: RootProof::new(self.solver, context.request, context.control),
            monte_carlo: self.monte_carlo,
            tree: self.tree.as_deref_mut(),
            evaluations: Evaluations::default(),
            reporting: context.control.timer(REPORT_INTERVAL),
            visits: Vec::new(),
            effort: self.effort,
            context,
        };
        search.run()
    }
}

/// One search in progress.
struct StagedSearch<'s, 'c> {
    proof: RootProof<'s>,
    monte_carlo: MonteCarlo,
    tree: Option<&'s mut Mcts>,
    /// How the leaves of the tree were evaluated so far.
    evaluations: Evaluations,
    /// The visits of the tree to each move; empty if it was not searched.
    visits: Vec<(Cell, u32)>,
    effort: ProofEffort,
    /// When the next progress of the tree is due, in all its turns.
    reporting: IntervalTimer,
    context: SearchContext<'c>,
}

impl StagedSearch<'_, '_> {
    /// Decides between proof and estimate: see the top of this file.
    fn run(mut self) -> SearchResult {
        let guess = self.prove();
        self.proof.publish();
        let known = self.proof.empty_board_proof.as_ref();
        let mut notes: Vec<Note> =
            known.and_then(|known| Note::on_empty_board(&self.context.request.position, known)).into_iter().collect();
        if let Some(score) = self.decided_score() {
            return self.proven_result(score, None, notes);
        }
        let mut estimate = self.estimate(guess);
        if let Some(score) = self.decided_score() {
            return self.proven_result(score, estimate.playouts, notes);
        }
        notes.extend(self.note_on_bounds(&estimate));
        estimate.notes = notes;
        estimate
    }

    /// The proven score, if the result is to be the proof. `None` while an estimate is needed.
    ///
    /// The opponent may still lose a drawn position. So [`ProofEffort::Explore`] spends its playouts on a draw too, unless
    /// time is the limit.
    fn decided_score(&self) -> Option<Score> {
        let is_draw = |score: Score| score.proven() == Some(Value::Draw);
        let plays_on =
            |score| self.effort == ProofEffort::Explore && is_draw(score) && !self.context.control.is_timed();
        self.proof.bounds.proven_score().filter(|&score| !plays_on(score))
    }

    /// The first step: proves as much as the effort allows. Returns the guess that was made meanwhile.
    fn prove(&mut self) -> Option<Guess> {
        match self.effort {
            ProofEffort::Proof => return self.prove_to_the_end(),
            ProofEffort::Play => {
                let share = self.context.control.clone().with_share_of_time(PROOF_SHARE);
                self.prove_and_report(&share, None);
                self.proof.search_threats();
            }
            ProofEffort::Explore => {
                let cells = self.context.request.position.rules().cells() as u64;
                let most = (EXPLORE_PROOF_WORK / (cells * cells)).min(FIRST_PROOF_NODES);
                let share = self.context.control.clone().within_nodes(most).with_share_of_time(PROOF_SHARE);
                self.proof.prove(&share, &mut |_| {});
                self.proof.search_threats();
            }
        }
        None
    }

    /// A short proof; if it fails, a guess; then a long proof. A tree goes on with its guess afterwards, so that a proof that
    /// fits is not kept waiting.
    fn prove_to_the_end(&mut self) -> Option<Guess> {
        let short = self.context.control.clone().within_nodes(FIRST_PROOF_NODES);
        self.proof.prove(&short, &mut |_| {});
        let bounds = &self.proof.bounds;
        let needs_guess = bounds.value.exact().is_none() && bounds.proven_score().is_none();
        let guess = needs_guess.then(|| {
            let share = self.proof.left().with_share_of_time(FIRST_GUESS_SHARE).within(FIRST_GUESS_TIME);
            // The proof reports this guess, at its own pace.
            self.guess(&share, false)
        });
        if self.proof.bounds.proven_value().is_none() {
            // The proof leaves time only for an estimate that will use it.
            let keeps_time = guess.is_some() && self.estimate_takes_time();
            let share = if keeps_time { LONG_PROOF_SHARE } else { 1.0 };
            let left = self.proof.left().with_share_of_time(share);
            self.prove_and_report(&left, guess.as_ref());
        }
        guess
    }

    /// A proof that reports the best move so far now and then.
    fn prove_and_report(&mut self, control: &Control, guess: Option<&Guess>) {
        let StagedSearch { proof, monte_carlo, context, .. } = self;
        let result = |known: &RootBounds| by_guess(monte_carlo, context.request, known, guess, &mut |_| 0);
        proof.prove(control, &mut |known| (context.on_progress)(&result(known)));
    }

    /// A guess by the tree, which is reported on its way if that is wanted, or by playouts alone if there is none.
    fn guess(&mut self, control: &Control, is_reported: bool) -> Guess {
        let has_threats = self.context.request.position.rules().completer_wins();
        let stats = if has_threats && is_reported && self.estimate_takes_time() {
            self.search_tree_in_turns(control)
        } else {
            self.search_tree(control, is_reported)
        };
        stats.map_or_else(|| Guess::Playouts(self.sample(control)), Guess::Tree)
    }

    /// Searches the tree, and now and then whether the opponent wins by threats after the best move: the tree seldom sees
    /// that far. `None` without a tree.
    fn search_tree_in_turns(&mut self, control: &Control) -> Option<RootStats> {
        let mut safe = None;
        for turns in (1..=TURNS).rev() {
            let turn = control.clone().with_share_of_time(1.0 / f64::from(turns));
            let of_tree = turn.clone().with_share_of_time(1.0 - REFUTATION_SHARE);
            let stats = self.search_tree(&of_tree, true)?;
            if stats.bounds.limit(0.0) != 0.0 || control.check().is_err() {
                return Some(stats);
            }
            // The tree ends before its time only if no other move can overtake the best one.
            let is_settled = of_tree.check().is_ok();
            let best = stats.moves[0].cell();
            if safe != Some(best) {
                let is_refuted = self.proof.refute(best, &turn);
                safe = (!is_refuted).then_some(best);
            }
            if is_settled && safe.is_some() {
                return Some(stats);
            }
        }
        self.search_tree(control, true)
    }

    /// Playouts for an estimate within what is proven. The best move is published even if the playouts took no time.
    fn sample(&mut self, control: &Control) -> PlayoutSample {
        let StagedSearch { proof, monte_carlo, context, .. } = self;
        let SearchContext { request, generator, on_progress, .. } = context;
        let result = |sample: &PlayoutSample| monte_carlo.result(request, &proof.bounds, Some(sample), &mut |_| 0);
        let mut progress = publishing(control, *on_progress, result);
        let sample = monte_carlo.sample_request(request, generator, control, &mut progress);
        progress(&sample);
        sample
    }

    /// The result by a guess within what is proven. If time is the limit, a better guess takes what is left of it.
    fn estimate(&mut self, first: Option<Guess>) -> SearchResult {
        self.find_safe_moves();
        let goes_on = self.estimate_takes_time();
        let guess = first.filter(|_| !goes_on).unwrap_or_else(|| self.guess(self.context.control, true));
        if let Guess::Tree(_) = guess {
            self.prove_distance();
        }
        let SearchContext { request, generator, .. } = &mut self.context;
        let mut choose = |ties| request.tiebreak.pick(ties, generator);
        by_guess(&self.monte_carlo, request, &self.proof.bounds, Some(&guess), &mut choose)
    }

    /// True if time is the only limit of the estimate, so that it takes all that is left.
    fn estimate_takes_time(&self) -> bool {
        self.context.control.is_timed() && self.context.control.playouts.is_none()
    }

    /// If at least a draw is announced, only moves that keep it are played. Searches for more of them than the one that
    /// the proof has found, so that the estimate has a choice.
    fn find_safe_moves(&mut self) {
        let proof = &mut self.proof;
        if proof.bounds.announced().at_least == Value::Draw {
            let left = proof.left().with_share_of_time(0.25);
            let most = FIRST_PROOF_NODES;
            let nodes = left.nodes.map_or(most, |nodes| nodes.min(most.max(proof.bounds.nodes)));
            proof.find_keeping_moves(Value::Draw, &left.with_nodes(Some(nodes)));
        }
    }

    /// Searches the tree from where it is, and adds what it proves. `None` without a tree.
    fn search_tree(&mut self, control: &Control, is_reported: bool) -> Option<RootStats> {
        let StagedSearch { proof, tree, context, reporting, .. } = self;
        let SearchContext { request, generator, on_progress, .. } = context;
        let tree = tree.as_mut()?;
        let (known, earlier) = (proof.bounds.clone(), self.evaluations);
        let mut progress = |stats: &RootStats| {
            if is_reported {
                let mut stats = stats.clone();
                stats.evaluations += earlier;
                on_progress(&by_tree(request, &known, &stats, 0));
            }
        };
        let proven = (known.announced(), known.moves.as_slice());
        let mut stats = tree.search(request, proven, generator, control, (reporting, &mut progress));
        proof.add_bounds(stats.bounds, stats.moves.iter().map(|move_stats| (move_stats.cell(), move_stats.bounds)));
        proof.publish();
        self.visits = stats.moves.iter().map(|move_stats| (move_stats.cell(), move_stats.visits)).collect();
        stats.evaluations += earlier;
        self.evaluations = stats.evaluations;
        Some(stats)
    }

    /// Where the tree has proven who wins, but perhaps not in how many plies, a proof follows.
    fn prove_distance(&mut self) {
        let value = self.proof.bounds.value;
        if self.proof.bounds.proven_value().is_none() && (value.at_least > Value::Draw || value.at_most < Value::Draw) {
            let left = self.proof.left();
            self.proof.prove(&left, &mut |_| {});
        }
    }

    /// A note on what is proven about a position with an estimate, if that is more than a look of two plies shows.
    fn note_on_bounds(&self, estimate: &SearchResult) -> Option<Note> {
        let announced = self.proof.bounds.announced();
        let in_sight = RootBounds::before_search(self.context.request).value;
        let is_news = announced.at_least > in_sight.at_least || announced.at_most < in_sight.at_most;
        (is_news && !matches!(estimate.score, Score::Exact(_))).then_some(Note::Proved(announced))
    }

    /// The result on a position of proven value, with a move that is proven to be worth it.
    fn proven_result(mut self, score: Score, playouts: Option<PlayoutResults>, mut notes: Vec<Note>) -> SearchResult {
        let (score, mut moves, undecided) = self.moves_by_bounds(score);
        let ties = self.count_ties(&moves);
        let Some(value) = score.proven() else { unreachable!("an estimate is no proven result") };
        if undecided > 0 {
            notes.push(Note::Undecided { moves: undecided });
        }
        let (chosen, note) = self.choose_best(score, &moves[..ties]);
        notes.extend(note);
        moves[..=chosen].rotate_right(1);
        let mut lines = self.proven_lines(moves);
        let plies_left = self.context.request.position.empty_cells() as u16;
        let max_depth = self.proof.left().depth.map_or(plies_left, |depth| depth.min(plies_left));
        let depth = value.plies().unwrap_or(max_depth);
        let nodes = self.proof.bounds.nodes;
        let playouts = self.score_open_moves(&mut lines).or(playouts);
        let nodes = nodes + self.evaluations.judged + playouts.map_or(0, |results| results.count());
        SearchResult { playouts, notes, ..SearchResult::new(score, lines, depth, nodes) }
    }

    /// The proven score; all moves, the best first; and the number of those that are not decided although they might belong
    /// to the lines of the result.
    ///
    /// The order is that of [`Bounds::preference`]; among lost moves that are equal by it, the tree has visited the first one
    /// most often. One winning move is enough; others are decided only if the client asks for several lines.
    fn moves_by_bounds(&mut self, score: Score) -> (Score, Vec<(Cell, Bounds)>, usize) {
        let proof = &mut self.proof;
        if let Score::Exact(value) = score {
            proof.find_keeping_moves(value, &proof.left_to_finish());
        }
        let wants_others = self.context.request.lines > proof.bounds.best_moves().count();
        if wants_others {
            let control = if let Score::Exact(_) = score { proof.left() } else { proof.left_to_compare() };
            proof.search_moves(&control, &mut |_| {});
        }
        let known = proof.bounds.clone();
        // The bounds of the moves may have improved those of the position.
        let score = known.proven_score().unwrap_or(score);
        // No move is worth more than the position.
        let limited = |bounds: Bounds| Bounds { at_most: bounds.at_most.min(known.value.at_most), ..bounds };
        let mut moves: Vec<_> = known.moves.iter().map(|&(cell, bounds)| (cell, limited(bounds))).collect();
        let rank = |&(cell, bounds): &(Cell, Bounds)| {
            (bounds.preference(), self.visits_in_defence(cell, bounds), bounds.at_most, bounds.at_least)
        };
        // A stable sort: equally good moves stay in reading order.
        moves.sort_by_key(|entry| std::cmp::Reverse(rank(entry)));
        let is_best = |bounds: &Bounds| bounds.at_least >= known.best_lower_bound();
        let is_open = |bounds: &Bounds| match (wants_others, score) {
            (true, _) => !is_best(bounds) && bounds.exact().is_none(),
            (false, Score::Exact(value)) => !is_best(bounds) && bounds.at_most >= value,
            (false, _) => false,
        };
        let undecided = moves.iter().filter(|(_, bounds)| is_open(bounds)).count();
        (score, moves, undecided)
    }

    /// The visits of the tree to a move that is proven to lose; 0 for any other move.
    fn visits_in_defence(&self, cell: Cell, bounds: Bounds) -> u32 {
        let visits = self.visits.iter().find(|(visited, _)| *visited == cell && bounds.at_most < Value::Draw);
        visits.map_or(0, |(_, visits)| *visits)
    }

    /// The number of first moves that are equally good.
    fn count_ties(&self, moves: &[(Cell, Bounds)]) -> usize {
        let best = self.proof.bounds.best_lower_bound();
        let visits = |&(cell, bounds): &(Cell, Bounds)| self.visits_in_defence(cell, bounds);
        moves.iter().take_while(|entry| entry.1.at_least >= best && visits(entry) == visits(&moves[0])).count()
    }

    /// Breaks the tie among the best moves: the index of the move to play, and how a trap was chosen.
    fn choose_best(&mut self, score: Score, best: &[(Cell, Bounds)]) -> (usize, Option<Note>) {
        match score {
            Score::Exact(value) if self.context.request.tiebreak == Tiebreak::Trap => {
                let best: Vec<Cell> = best.iter().map(|(cell, _)| *cell).collect();
                let control = self.proof.left().with_share_of_time(0.5);
                let trap = Trap::choose(&self.context.request.position, value, &best, self.context.generator, &control);
                self.proof.add_nodes(trap.nodes);
                (trap.index, trap.note)
            }
            Score::Exact(Value::Draw) if self.effort != ProofEffort::Proof => (self.choose_draw(best), None),
            _ => (self.context.request.tiebreak.pick(best.len(), self.context.generator), None),
        }
    }

    /// Chooses among drawn moves those that the live lines like best: the opponent may still go wrong. On the empty 8x8 board
    /// with five in a row every move is a draw, and a person expects one in the middle.
    fn choose_draw(&mut self, best: &[(Cell, Bounds)]) -> usize {
        let weight = by_live_lines(&self.context.request.position);
        let most = best.iter().map(|&(cell, _)| weight(cell)).max();
        let chosen: Vec<usize> = (0..best.len()).filter(|&index| Some(weight(best[index].0)) == most).collect();
        chosen[self.context.request.tiebreak.pick(chosen.len(), self.context.generator)]
    }

    /// The lines of a position of proven value, for as many of the moves as the request wants.
    fn proven_lines(&mut self, moves: Vec<(Cell, Bounds)>) -> Vec<Variation> {
        let StagedSearch { proof, context: SearchContext { request, .. }, .. } = self;
        let is_limited_in_depth = proof.left().depth.is_some();
        let finishing = proof.left_to_finish();
        let line = |(index, (cell, bounds)): (usize, (Cell, Bounds))| {
            let score = Score::proven_by(bounds).unwrap_or(Score::Estimate(middle(bounds)));
            let winning_line = &proof.bounds.winning_line;
            if matches!(score, Score::Within(_)) {
                let is_known = winning_line.first() == Some(&cell);
                let principal_variation = if is_known { winning_line.clone() } else { vec![cell] };
                return Variation { score, principal_variation, total: None };
            }
            let exact = score.proven();
            let mut principal_variation = vec![cell];
            // A client that wants every move wants values, not hundreds of variations. After `stop` only the first counts.
            let is_wanted = index == 0 || request.lines != SearchRequest::EVERY_MOVE && proof.left().check().is_ok();
            let is_in_reach = exact.is_some_and(|value| value != Value::Draw || !is_limited_in_depth);
            if is_wanted && is_in_reach {
                // The variation of a draw is worth no long search.
                let mut control = finishing.clone();
                if exact == Some(Value::Draw) {
                    control = control.within_nodes(DRAWN_LINE_NODES);
                }
                principal_variation.extend(proof.line_from(&request.position.after(cell), &control));
            }
            Variation { score, principal_variation, total: None }
        };
        moves.into_iter().take(request.lines).enumerate().map(line).collect()
    }

    /// A client that wants every move gets the totals of playouts for the moves that are not decided.
    fn score_open_moves(&mut self, lines: &mut [Variation]) -> Option<PlayoutResults> {
        let is_open = |line: &Variation| matches!(line.score, Score::Estimate(_));
        let wants_every_move =
            self.effort == ProofEffort::Play && self.context.request.lines == SearchRequest::EVERY_MOVE;
        if !wants_every_move || !lines.iter().any(is_open) {
            return None;
        }
        let sample = self.sample(self.context.control);
        for line in lines.iter_mut().filter(|line| is_open(line)) {
            line.total = Some(sample.tally.total(line.first_move(), self.monte_carlo.weights));
        }
        Some(sample.tally.results())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Position, Rules};
    use crate::search::request::SteppingClock;
    use crate::search::{Stream, generator};

    #[test]
    fn progress_counts_all_turns_of_the_tree() {
        let clock = SteppingClock::by(Duration::from_micros(10));
        let rules = Rules::new(15, 5, false).expect("rules within range");
        let request = SearchRequest::new(Position::start(rules));
        let control = Control::unlimited().with_time_source(clock).with_time(Duration::from_millis(400));
        let (mut solver, mut tree) = (Solver::new(rules, 1 << 20), Mcts::new(rules, 1 << 20));
        let mut searcher =
            ProveThenEstimate::new(&mut solver, MonteCarlo::default(), ProofEffort::Explore).with_tree(&mut tree);
        let mut told = Vec::new();
        let mut progress = |result: &SearchResult| told.push(result.nodes);
        let found = searcher.search(&request, &mut generator(3, Stream::Go(1)), &control, &mut progress);
        told.push(found.nodes);
        assert!(told.len() >= 3 && told.is_sorted(), "{told:?}");
    }
}
