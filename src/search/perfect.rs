//! Perfect play where a proof fits in the limits, and the best guess elsewhere.
//!
//! A guess is never dressed up as a proof: the score of a verdict is exact only when the value of the position is
//! proven and so is that the move is worth it. Otherwise Monte Carlo chooses among the moves that are not proven to be
//! worse than another, and notes say what has been proven.

use crate::game::{Bounds, Cell, Position, Score, Value};

use super::inquiry::{Findings, Inquiry};
use super::mcts::{Harvest, Judged, Mcts};
use super::trap::Trap;
use super::{Control, Generator, Line, MonteCarlo, Note, Question, Report, Solver, Tally, Tiebreak, Verdict};

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
pub enum Aim {
    /// A proof gets all the time. The playouts are for the guess that takes its place.
    Proof,
    /// A proof gets its nodes and no more than half of the time, playouts get the rest.
    Play,
    /// A proof gets some nodes and no more than a quarter of the time, playouts get the rest.
    Explore,
}

/// Plays perfectly where a proof fits in the limits.
pub struct Perfect<'a> {
    solver: &'a mut Solver,
    monte_carlo: MonteCarlo,
    tree: Option<&'a mut Mcts>,
    aim: Aim,
}

impl<'a> Perfect<'a> {
    /// A player that proves with `solver` and guesses with `monte_carlo`.
    pub fn new(solver: &'a mut Solver, monte_carlo: MonteCarlo, aim: Aim) -> Perfect<'a> {
        Perfect { solver, monte_carlo, tree: None, aim }
    }

    /// The same, guessing by a search of `tree`.
    pub fn with_tree(self, tree: &'a mut Mcts) -> Perfect<'a> {
        Perfect { tree: Some(tree), ..self }
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
        question: &Question,
        generator: &mut Generator,
        control: &Control,
        report: Report<'_>,
    ) -> (Verdict, Vec<Note>) {
        let mut inquiry = Inquiry::new(self.solver, question.position, control);
        let monte_carlo = &self.monte_carlo;
        let mut tally = None;
        match self.aim {
            Aim::Play => inquiry.look(&control.clone().with_share_of_time(0.5), &mut |findings| {
                report(&guess(monte_carlo, question, findings, None, |_| 0));
            }),
            Aim::Explore => {
                let cells = question.position.rules().cells() as u64;
                let most = (EXPLORER_WORK / (cells * cells)).min(FIRST_LOOK);
                let nodes = control.nodes().map_or(most, |nodes| nodes.min(most));
                inquiry.look(&control.clone().with_nodes(Some(nodes)).with_share_of_time(0.25), &mut |_| {});
            }
            Aim::Proof => {
                let nodes = control.nodes().map_or(FIRST_LOOK, |nodes| nodes.min(FIRST_LOOK));
                inquiry.look(&control.clone().with_nodes(Some(nodes)), &mut |_| {});
                if inquiry.findings().value.exact().is_none() {
                    let share = inquiry.left().with_share_of_time(0.25);
                    tally = Some(sample(monte_carlo, question, generator, &share, inquiry.findings(), report));
                }
                if inquiry.findings().settled().is_none() {
                    let left = inquiry.left();
                    inquiry.look(&left, &mut |findings| {
                        report(&guess(monte_carlo, question, findings, tally.as_ref(), |_| 0));
                    });
                }
            }
        }
        let mut notes: Vec<Note> = inquiry.reason().cloned().into_iter().collect();
        // A draw may still be won, if the opponent goes wrong.
        let plays_on = |value: Value| self.aim == Aim::Explore && value == Value::Draw;
        let mut guessed = None;
        if inquiry.findings().settled().is_none_or(plays_on) {
            guessed = Some(if let Some(tree) = &mut self.tree {
                let harvest = explore(&mut inquiry, tree, question, generator, report);
                let chosen = question.tiebreak.pick(harvest.ties, generator);
                by_tree(question, inquiry.findings(), &harvest, chosen)
            } else {
                let findings = inquiry.findings();
                let tally =
                    tally.unwrap_or_else(|| sample(monte_carlo, question, generator, control, findings, report));
                guess(monte_carlo, question, findings, Some(&tally), |ties| question.tiebreak.pick(ties, generator))
            });
        }
        match (inquiry.findings().settled().filter(|&value| !plays_on(value)), guessed) {
            (None, Some(verdict)) => {
                let bounds = inquiry.findings().value;
                if says_something(bounds) && !matches!(verdict.score, Score::Exact(_)) {
                    notes.push(Note::Proved(bounds));
                }
                (verdict, notes)
            }
            (value, guessed) => {
                let value = value.expect("without a guess the position is settled");
                let (proven, more) = proven(&mut inquiry, value, question, generator);
                notes.extend(more);
                let playouts = guessed.and_then(|verdict| verdict.playouts);
                let nodes = proven.nodes + playouts.map_or(0, |results| results.count());
                (Verdict { nodes, playouts, ..proven }, notes)
            }
        }
    }
}

/// Searches the tree, and tries to prove what it has found.
fn explore(
    inquiry: &mut Inquiry,
    tree: &mut Mcts,
    question: &Question,
    generator: &mut Generator,
    report: Report<'_>,
) -> Harvest {
    let findings = inquiry.findings().clone();
    let control = inquiry.control();
    let known = (findings.value, findings.moves.as_slice());
    let mut progress = |harvest: &Harvest| report(&by_tree(question, &findings, harvest, 0));
    let mut harvest = tree.search(&question.position, known, generator, control, &mut progress);
    inquiry.learn(harvest.bounds, harvest.moves.iter().map(|judged| (judged.cell(), judged.bounds)));
    let value = inquiry.findings().value;
    if inquiry.findings().settled().is_none() && (value.at_least > Value::Draw || value.at_most < Value::Draw) {
        // The tree knows who wins, but perhaps not how soon.
        let left = inquiry.left();
        inquiry.look(&left, &mut |_| {});
    }
    for (cell, bounds) in &inquiry.findings().moves {
        if let Some(judged) = harvest.moves.iter_mut().find(|judged| judged.cell() == *cell) {
            judged.bounds = judged.bounds.and(*bounds);
        }
    }
    harvest
}

/// Whether bounds say more than anybody sees who looks one ply ahead.
fn says_something(bounds: Bounds) -> bool {
    bounds.at_least > Value::Loss(2) || bounds.at_most < Value::Win(2)
}

fn sample(
    monte_carlo: &MonteCarlo,
    question: &Question,
    generator: &mut Generator,
    control: &Control,
    findings: &Findings,
    report: Report<'_>,
) -> Tally {
    let mut progress = |tally: &Tally| report(&guess(monte_carlo, question, findings, Some(tally), |_| 0));
    monte_carlo.sample(&question.position, generator, control, &mut progress)
}

/// The verdict on a position of known value with a move that is proven to be worth it, how many moves are not decided
/// that might belong to its lines, and how a trap was chosen.
fn proven(inquiry: &mut Inquiry, value: Value, question: &Question, generator: &mut Generator) -> (Verdict, Vec<Note>) {
    let is_best = |bounds: &Bounds| bounds.at_least >= value;
    let ties = |inquiry: &Inquiry| inquiry.findings().moves.iter().filter(|(_, bounds)| is_best(bounds)).count();
    let wants_others = question.lines > ties(inquiry);
    if wants_others {
        let left = inquiry.left();
        inquiry.complete(&left, &mut |_| {});
    }
    let mut moves = inquiry.findings().moves.clone();
    // A stable sort: equally good moves stay in reading order.
    moves.sort_by_key(|(_, bounds)| std::cmp::Reverse((is_best(bounds), bounds.at_most, bounds.at_least)));
    let is_open = |bounds: &Bounds| match wants_others {
        true => !is_best(bounds) && bounds.exact().is_none(),
        false => !is_best(bounds) && bounds.at_most >= value,
    };
    let undecided = moves.iter().filter(|(_, bounds)| is_open(bounds)).count();
    let mut notes: Vec<Note> = (undecided > 0).then_some(Note::Undecided { moves: undecided }).into_iter().collect();
    let chosen = match question.tiebreak {
        Tiebreak::Trap => {
            let best: Vec<Cell> = moves[..ties(inquiry)].iter().map(|(cell, _)| *cell).collect();
            let control = inquiry.left().with_share_of_time(0.5);
            let trap = Trap::choose(&question.position, value, &best, generator, &control);
            inquiry.charge(trap.nodes);
            notes.extend(trap.note);
            trap.place
        }
        tiebreak => tiebreak.pick(ties(inquiry), generator),
    };
    moves[..=chosen].rotate_right(1);
    let shown = moves.into_iter().take(question.lines).enumerate();
    let is_limited_in_depth = inquiry.left().depth().is_some();
    let lines = shown
        .map(|(place, (cell, bounds))| {
            let exact = if is_best(&bounds) { Some(value) } else { bounds.exact() };
            let score = exact.map_or(Score::Estimate(middle(bounds)), Score::Exact);
            let mut principal_variation = vec![cell];
            // Who wants to see every move wants values, not hundreds of games; and who has stopped the search wants its move.
            let is_wanted = place == 0 || question.lines != Question::EVERY_MOVE && inquiry.left().check().is_ok();
            let is_in_reach = exact.is_some_and(|value| value != Value::Draw || !is_limited_in_depth);
            if is_wanted && is_in_reach {
                // How a draw may go on is nice to know, and worth no long search.
                let most = (exact == Some(Value::Draw)).then_some(DRAWN_LINE_NODES);
                principal_variation.extend(inquiry.line_from(&question.position.after(cell), most));
            }
            Line { score, principal_variation, total: None }
        })
        .collect();
    let plies_left = question.position.empty_cells() as u16;
    let depth = value.plies().unwrap_or(inquiry.left().depth().map_or(plies_left, |depth| depth.min(plies_left)));
    let nodes = inquiry.findings().nodes;
    (Verdict { score: Score::Exact(value), lines, depth: Some(depth), nodes, playouts: None, law: None }, notes)
}

/// The verdict on a position that is not settled: the best estimate within what is proven. The move to play is the
/// one numbered `choose` among those with the highest total that no proof speaks against.
fn guess(
    monte_carlo: &MonteCarlo,
    question: &Question,
    findings: &Findings,
    tally: Option<&Tally>,
    choose: impl FnOnce(usize) -> usize,
) -> Verdict {
    let compare =
        |a: Cell, b: Cell| tally.map_or(std::cmp::Ordering::Equal, |tally| tally.compare(b, a, monte_carlo.weights));
    let surest = findings.surest().unwrap_or(Value::Loss(0));
    let all_lost = findings.moves.iter().all(|(_, bounds)| bounds.at_most < Value::Draw);
    let is_candidate = |bounds: &Bounds| bounds.at_most >= surest && (all_lost || bounds.at_most >= Value::Draw);
    let (mut candidates, mut others): (Vec<_>, Vec<_>) =
        findings.moves.iter().partition::<Vec<(Cell, Bounds)>, _>(|(_, bounds)| is_candidate(bounds));
    // Stable sorts: what is equal stays in reading order.
    candidates.sort_by(|(a, _), (b, _)| compare(*a, *b));
    others.sort_by(|(a, one), (b, two)| {
        (two.at_most, two.at_least).cmp(&(one.at_most, one.at_least)).then_with(|| compare(*a, *b))
    });
    let ties = candidates.iter().take_while(|(cell, _)| compare(*cell, candidates[0].0).is_eq()).count();
    candidates[..=choose(ties)].rotate_right(1);

    let results = tally.map(Tally::results);
    let estimate = |bounds: Bounds| {
        Score::Estimate(match results {
            Some(results) => within(bounds, results.mean()),
            None => middle(bounds),
        })
    };
    let score = estimate(findings.value);
    let line = |(place, (cell, bounds)): (usize, (Cell, Bounds))| {
        let total = tally.map(|tally| tally.total(cell, monte_carlo.weights));
        let score = if place == 0 { score } else { bounds.exact().map_or(estimate(bounds), Score::Exact) };
        Line { score, principal_variation: vec![cell], total }
    };
    let lines = candidates.into_iter().chain(others).take(question.lines).enumerate().map(line).collect();
    let playouts = results.map_or(0, |results| results.count());
    Verdict { score, lines, depth: findings.depth, nodes: findings.nodes + playouts, playouts: results, law: None }
}

/// The verdict of the tree, as far as it is proven. The move to play is the one numbered `chosen`.
fn by_tree(question: &Question, findings: &Findings, harvest: &Harvest, chosen: usize) -> Verdict {
    let mut moves: Vec<&Judged> = harvest.moves.iter().collect();
    moves[..=chosen].rotate_right(1);
    let line = |(place, judged): (usize, &Judged)| {
        // No move is worth more than the position; and the first is proven only if so is that it is worth as much.
        let bounds = Bounds { at_most: judged.bounds.at_most.min(findings.value.at_most), ..judged.bounds };
        let is_proven = |value: &Value| place > 0 || findings.value.exact() == Some(*value);
        let estimate = Score::Estimate(within(bounds, judged.mean));
        let score = bounds.exact().filter(is_proven).map_or(estimate, Score::Exact);
        Line { score, principal_variation: judged.variation.clone(), total: None }
    };
    let lines: Vec<Line> = moves.into_iter().take(question.lines).enumerate().map(line).collect();
    let score = match lines[0].score {
        Score::Estimate(result) => Score::Estimate(within(findings.value, result)),
        exact => exact,
    };
    let nodes = findings.nodes + harvest.results.count();
    Verdict { score, lines, depth: findings.depth, nodes, playouts: Some(harvest.results), law: None }
}

/// An expected result, kept within what is proven.
fn within(bounds: Bounds, result: f64) -> f64 {
    result.clamp(f64::from(bounds.at_least.result()), f64::from(bounds.at_most.result()))
}

/// The expected result half-way between the bounds, for want of anything better.
fn middle(bounds: Bounds) -> f64 {
    f64::from(bounds.at_least.result() + bounds.at_most.result()) / 2.0
}
