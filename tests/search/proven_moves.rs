//! Proven results are kept: a player that announces a win or a draw plays a move that keeps it.

use std::collections::HashMap;
use std::num::NonZeroU64;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::common::biased::{BiasedPlay, balanced};
use crate::common::oracle;
use crate::common::random_games::position;
use crate::common::rules;
use noughts::engine::{Engine, GoRequest, GoResult, Options, PlayerKind, SearchPlan};
use noughts::game::{Bounds, Cell, CellSet, Position, Rules, Score, Value};
use noughts::search::{Control, Limits, Note, Solver, Stream, Technique, below, generator};

const PROVERS: [PlayerKind; 3] = [PlayerKind::Auto, PlayerKind::Perfect, PlayerKind::Mcts];

/// Nodes after which the judge gives up.
const JUDGE_NODES: u64 = 10_000_000;

fn limits(nodes: u64) -> Limits {
    Limits { nodes: NonZeroU64::new(nodes), trials: NonZeroU64::new(nodes.min(2_000)), ..Limits::default() }
}

/// The result that an answer announces at least, if it is a draw or a win: by its score, or by a note that names no
/// theorem.
fn announced(thought: &GoResult) -> Option<i8> {
    let by_score = match thought.result.score {
        Score::Exact(value) | Score::Within(value) => Some(value.result()),
        Score::Estimate(_) => None,
    };
    let notes = thought.result.notes.iter().filter_map(|note| match note {
        Note::Proved(Bounds { at_least, .. }) => Some(at_least.result()),
        _ => None,
    });
    by_score.into_iter().chain(notes).filter(|&result| result >= 0).max()
}

/// A judge of single moves: plain alpha-beta where few cells are empty, else a solver of its own without theorems. The
/// judge remembers what it has said, as many answers to one position name the same moves.
struct Judge {
    solver: Solver,
    said: HashMap<(String, Cell), Option<i8>>,
}

impl Judge {
    fn new(rules: Rules) -> Judge {
        Judge { solver: Solver::new(rules, 64).without(&[Technique::Theorem]), said: HashMap::new() }
    }

    /// The result of a move for the player who makes it; `None` where the judge cannot decide it.
    fn result(&mut self, position: &Position, cell: Cell) -> Option<i8> {
        let key = (position.diagram().to_string(), cell);
        if let Some(&result) = self.said.get(&key) {
            return result;
        }
        let result = self.decide(position, cell);
        self.said.insert(key, result);
        result
    }

    fn decide(&mut self, position: &Position, cell: Cell) -> Option<i8> {
        let after = position.after(cell);
        if let Some(value) = after.final_value() {
            return Some(-value.result());
        }
        if after.empty_cells() <= 13 {
            return Some(-oracle::value(&after).result());
        }
        self.solver.forget();
        let bounds = self.solver.bounds(&after, &Control::nodes_only(JUDGE_NODES));
        let (least, most) = (bounds.at_least.result(), bounds.at_most.result());
        (least == most).then_some(-least)
    }
}

/// Counts what was announced, so that a law that never applied is noticed.
#[derive(Default, Debug)]
struct Seen {
    wins: u32,
    draws: u32,
    silent: u32,
    undecided: u32,
}

/// The law, for one answer.
fn check(
    thought: &GoResult,
    position: &Position,
    listed: Option<CellSet>,
    judge: &mut Judge,
    seen: &mut Seen,
    context: &str,
) {
    let played = thought.result.lines[0].first_move();
    let said = || format!("{context} {}: {}: {thought:?}", position.rules(), position.diagram());
    assert!(listed.is_none_or(|listed| listed.contains(played)), "not in the list: {}", said());
    let Some(result) = announced(thought) else {
        seen.silent += 1;
        return;
    };
    *(if result > 0 { &mut seen.wins } else { &mut seen.draws }) += 1;
    match judge.result(position, played) {
        Some(kept) => assert!(kept >= result, "{played} is worth {kept}: {}", said()),
        None => seen.undecided += 1,
    }
    for line in &thought.result.lines {
        if let Score::Exact(value) = line.score
            && let Some(kept) = judge.result(position, line.first_move())
        {
            assert_eq!(kept, value.result(), "{}: {}", line.first_move(), said());
        }
    }
}

fn think(engine: &mut Engine, task: GoRequest) -> GoResult {
    engine.think(task, Arc::default(), &mut |_| {})
}

/// The positions in which a win was announced and another move played, at the budgets at which it happened and at others.
#[test]
fn known_wins_are_kept_at_every_budget() {
    for (size, connect, board, best) in [
        (8, 4, "4x3/4x3/o2xx3/4o3/2o5/8/8/8 o", "5,3"),
        (15, 5, "15/15/9x5/8o6/7o7/6oo7/5o1o7/4xox1x6/5xox7/4x1ox7/3o1x1o7/4xx9/15/15/15 x", "10,4"),
    ] {
        let rules = rules(size, connect, false);
        let position = position(rules, board);
        let mut judge = Judge::new(rules);
        let (mut seen, mut kept) = (Seen::default(), 0);
        for player in PROVERS {
            let options = Options { rules, player, seed: 1, ..Options::default() };
            for nodes in [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 20_000, 100_000] {
                let task = GoRequest::new(position, options, limits(nodes), generator(1, Stream::Go(1)));
                let thought = think(&mut Engine::new(), task);
                check(&thought, &position, None, &mut judge, &mut seen, &format!("{player:?} {nodes}"));
                kept += u32::from(announced(&thought) == Some(1));
            }
            // With time the win is found, proven and played.
            let limits = Limits { move_time: Some(3_000), ..Limits::default() };
            let thought =
                think(&mut Engine::new(), GoRequest::new(position, options, limits, generator(1, Stream::Go(1))));
            assert_eq!(announced(&thought), Some(1), "{player:?}: {thought:?}");
            assert_eq!(judge.result(&position, thought.result.lines[0].first_move()), Some(1));
            if player != PlayerKind::Mcts {
                assert_eq!(thought.result.lines[0].first_move().to_string(), best, "{player:?}");
            }
        }
        assert!(kept >= 6, "{seen:?}");
    }
}

/// Positions of biased play, every second one after a climb towards positions that take more nodes to decide.
fn positions(rules: Rules, number: usize, seed: u64) -> Vec<Position> {
    const STEPS: usize = 6;
    let mut play = BiasedPlay::new(rules, seed);
    let cells = rules.cells();
    let work = |position: &Position| {
        let mut solver = Solver::new(rules, 1);
        solver.bounds(position, &Control::nodes_only(2_000));
        solver.nodes()
    };
    let (mut found, mut tries) = (Vec::new(), 0);
    while found.len() < number {
        tries += 1;
        assert!(tries < 100_000, "{rules}: {} positions", found.len());
        let empties = 2 + play.draw(cells - 2);
        let Some(mut position) = play.position(empties) else { continue };
        let steps = if found.len() % 2 == 0 { 0 } else { STEPS };
        for _ in 0..steps {
            let harder = play.mutated(&position).filter(|next| work(next) >= work(&position));
            position = harder.unwrap_or(position);
        }
        found.push(position);
    }
    found
}

/// Some of the moves of a position.
fn some_moves(position: &Position, number: u64) -> CellSet {
    let mut random = generator(number, Stream::Opening(3));
    let moves: Vec<Cell> = position.moves().collect();
    let some: CellSet = moves.iter().copied().filter(|_| below(&mut random, 3) == 0).collect();
    if some.is_empty() { moves.into_iter().take(1).collect() } else { some }
}

/// Budgets, stops at the same poll in every run, several lines and listed moves, for every player that proves.
fn what_is_announced_is_kept(rules: Rules, number: usize, seed: u64) -> Seen {
    let mut judge = Judge::new(rules);
    let mut seen = Seen::default();
    let budgets = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000];
    for (index, position) in positions(rules, number, seed).into_iter().enumerate() {
        let mut engine = Engine::new();
        for (place, player) in PROVERS.into_iter().enumerate() {
            let options = Options { rules, player, seed: 1, ..Options::default() };
            let stream = || generator(seed, Stream::Go(index as u64));
            // Each position meets some of the budgets, and all of them come up.
            let nodes = budgets[(index * 5 + place * 7) % budgets.len()];
            let listed = some_moves(&position, index as u64);
            for (lines, root_moves) in [(1, None), (3, None), (1, Some(listed)), (2, Some(listed))] {
                let options = Options { multi_pv: lines, ..options };
                let task = GoRequest { root_moves, ..GoRequest::new(position, options, limits(nodes), stream()) };
                let thought = think(&mut engine, task);
                let context = format!("{player:?} nodes {nodes} lines {lines}");
                check(&thought, &position, root_moves, &mut judge, &mut seen, &context);
            }
            // Without a limit of its own, ended by a stop after some polls; memory of before counts there.
            let polls = 1 << (index % 14);
            let infinite = Limits { infinite: true, ..Limits::default() };
            let task = GoRequest::new(position, options, infinite, stream());
            let control = Control::new(Arc::new(AtomicBool::new(false)), None, None).stopping_after(polls);
            let thought = engine.search(&task, SearchPlan::new(&task), control, &mut |_| {});
            check(&thought, &position, None, &mut judge, &mut seen, &format!("{player:?} polls {polls}"));
        }
    }
    seen
}

/// Results are kept for every line length of a board, under both rules.
fn what_is_announced_on_a_board_is_kept(size: u8, number: usize) {
    let mut total = Seen::default();
    for connect in 2..=u16::from(size) {
        for reverse in [false, true] {
            let seed = u64::from(connect) + if reverse { 100 } else { 0 };
            let seen = what_is_announced_is_kept(rules(size, connect, reverse), number, seed);
            total.wins += seen.wins;
            total.draws += seen.draws;
            total.silent += seen.silent;
            total.undecided += seen.undecided;
        }
    }
    // The judge decides almost everything, and there is something to judge.
    let judged = total.wins + total.draws;
    assert!(total.wins > 20 && total.draws > 50 && total.undecided * 20 < judged, "{total:?}");
}

#[test]
fn what_is_announced_on_4x4_is_kept() {
    what_is_announced_on_a_board_is_kept(4, 40);
}

#[test]
fn what_is_announced_on_5x5_is_kept() {
    what_is_announced_on_a_board_is_kept(5, 16);
}

/// Larger boards.
mod long {
    use super::*;

    #[test]
    #[ignore = "long: scripts/check all"]
    fn what_is_announced_on_6x6_is_kept() {
        what_is_announced_on_a_board_is_kept(6, 6);
    }

    #[test]
    #[ignore = "long: scripts/check all"]
    fn what_is_announced_on_7x7_is_kept() {
        what_is_announced_on_a_board_is_kept(7, 4);
    }

    #[test]
    #[ignore = "long: scripts/check all"]
    fn what_is_announced_on_8x8_is_kept() {
        what_is_announced_on_a_board_is_kept(8, 3);
    }
}

/// A solution names a move that keeps what it proves, however many nodes it had and whatever rules it may use.
#[test]
fn a_solution_comes_with_a_move_that_keeps_it() {
    for (size, connect) in [(4, 0), (4, 3), (5, 4), (5, 0), (6, 0)] {
        for reverse in [false, true] {
            let rules = rules(size, connect, reverse);
            let mut named = 0;
            let mut solvers: Vec<Solver> = vec![Solver::new(rules, 4)];
            solvers.extend(Technique::ALL.map(|technique| Solver::new(rules, 4).without(&[technique])));
            for known in balanced(rules, 60, &[5, 6, 7, 8, 9, 10], 23) {
                for (index, solver) in solvers.iter_mut().enumerate() {
                    let polls = 1 << (index % 9);
                    for control in [Control::nodes_only(polls), Control::unlimited()] {
                        let solution = solver.solve(&known.position, &control, &mut |_, _, _| {});
                        let context = || format!("{rules} {index}: {}: {solution:?}", known.position.diagram());
                        let Bounds { at_least, at_most } = solution.bounds;
                        assert!(at_least <= known.value && known.value <= at_most, "{}", context());
                        let Some(best) = solution.best else {
                            // Only a player without a stone is covered by a theorem that names no move.
                            let is_theorem = known.position.stones(!known.position.side()).is_empty();
                            assert!(at_least < Value::Draw || is_theorem, "{}", context());
                            continue;
                        };
                        let worth = known.moves.iter().find(|(cell, _)| *cell == best).expect("a legal move").1;
                        assert!(worth >= at_least, "{best} is {worth:?}: {}", context());
                        named += 1;
                    }
                }
            }
            assert!(named > 500, "{rules}: {named}");
        }
    }
}

/// On the empty boards, all of whose moves are drawn by a theorem, no other square is on more lines, or under reverse rules
/// on fewer.
#[test]
fn a_drawn_board_is_opened_where_the_lines_are() {
    for rules in
        [rules(8, 5, false), rules(6, 5, false), rules(5, 0, false), rules((6, 9), 6, false), rules(6, 0, true)]
    {
        let lines = oracle::lines(rules);
        let through = |cell: Cell| lines.iter().filter(|line| line.contains(&cell)).count();
        let counts = || Cell::all(rules.shape()).map(through);
        let best = if rules.reverse() { counts().min() } else { counts().max() };
        let mut found = std::collections::HashSet::new();
        for seed in 1..=12 {
            let (position, options) = (Position::start(rules), Options::default());
            let request = GoRequest::new(position, options, Limits::default(), generator(seed, Stream::Go(1)));
            let result = Engine::new().think(request, Arc::new(AtomicBool::new(false)), &mut |_| {}).result;
            assert_eq!(result.score, Score::Exact(Value::Draw), "{rules}");
            let cell = result.lines[0].first_move();
            assert_eq!(Some(through(cell)), best, "{rules}: {cell}");
            found.insert(cell);
        }
        let equal = counts().filter(|&count| Some(count) == best).count();
        assert!(found.len() > 1 || equal == 1, "{rules}: the lot decides among equal squares");
    }
}
