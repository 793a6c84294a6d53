//! Tests of the tree: its memory, what it keeps from move to move, its bounds, and threat sequences against the solver.

mod bounds;

use std::collections::{HashMap, HashSet};

use super::tree::Node;
use super::*;
use crate::game::{Score, Value};
use crate::search::request::REPORT_INTERVAL;
use crate::search::{Generator, Solver, Stream, TraceEvent, below, generator, two_plies};

fn rules(size: u8, connect: u16, reverse: bool) -> Rules {
    Rules::new(size, connect, reverse).expect("rules within range")
}

fn search(mcts: &mut Mcts, position: &Position, playouts: u64) -> RootStats {
    let (request, control) = (SearchRequest::new(*position), Control::playouts_only(playouts));
    let known = (Bounds::UNKNOWN, &two_plies::bounds_of_moves(&request)[..]);
    mcts.search(
        &request,
        known,
        &mut generator(3, Stream::Go(1)),
        &control,
        (&mut control.timer(REPORT_INTERVAL), &mut |_| {}),
    )
}

/// A position by random moves in which the game goes on, with so many empty cells.
fn random_position(rules: Rules, empty_cells: usize, random: &mut Generator) -> Position {
    loop {
        let mut position = Position::start(rules);
        while position.outcome().is_none() && position.empty_cells() > empty_cells {
            let moves: Vec<Cell> = position.moves().collect();
            position = position.after(moves[below(random, moves.len() as u32) as usize]);
        }
        if position.outcome().is_none() {
            return position;
        }
    }
}

#[test]
fn the_tree_stays_within_its_memory_and_full_trees_still_answer() {
    for (size, connect, reverse) in [(20, 5, false), (8, 5, true), (5, 4, false), (20, 20, false)] {
        let position = Position::start(rules(size, connect, reverse));
        for bytes in [1 << 14, 1 << 16] {
            let mut mcts = Mcts::new(position.rules(), bytes);
            let mut position = position;
            for _ in 0..4 {
                let root_stats = search(&mut mcts, &position, 4000);
                // The root lists its moves even if the memory is too small for them.
                let least = position.rules().cells() * 16;
                assert!(mcts.tree.bytes() <= bytes.max(least + bytes / 2), "{} {bytes}", mcts.tree.bytes());
                assert_eq!(root_stats.moves.len(), position.empty_cells());
                position = position.after(root_stats.moves[0].cell());
            }
        }
    }
}

#[test]
fn a_leaf_of_a_large_board_takes_a_few_hundred_bytes() {
    let position = Position::start(rules(15, 5, false)).after(Cell::new(7, 7)).after(Cell::new(6, 8));
    let mut mcts = Mcts::new(position.rules(), 1 << 24);
    search(&mut mcts, &position, 10_000);
    let leaves = mcts.tree.node(ROOT).visits as usize;
    assert!(leaves > 1000 && mcts.tree.bytes() < 600 * leaves, "{} bytes, {leaves} leaves", mcts.tree.bytes());
}

#[test]
fn unlikely_moves_are_listed_when_all_others_have_lost() {
    let position = Position::start(rules(15, 5, false)).after(Cell::new(7, 7));
    let mut mcts = Mcts::new(position.rules(), 1 << 24);
    let best = search(&mut mcts, &position, 1000).moves[0].cell();
    let child = mcts.tree.child(ROOT, mcts.board.number(best)).expect("visited");
    let next = position.after(best);
    assert!(mcts.tree.is_listed_in_part(child));
    while let Some(reply) = mcts.tree.add_child(child) {
        mcts.tree.node_mut(reply).visits = 1;
    }
    let replies: Vec<NodeId> = mcts.tree.children(child).collect();
    assert!(replies.len() < next.empty_cells());
    for &reply in &replies {
        mcts.tree.node_mut(reply).bounds = Bounds::exactly(Value::Win(1));
    }
    // These may not be all moves, so the position is not lost.
    mcts.tree.update_bounds(child);
    assert_eq!(mcts.tree.node(child).result(), None);
    search(&mut mcts, &position, 1000);
    let child = mcts.tree.child(ROOT, mcts.board.number(best)).expect("visited");
    let node = mcts.tree.node(child);
    let listed: HashSet<u16> = node.candidates.iter().map(|candidate| candidate.cell).collect();
    let visited: HashSet<u16> = mcts.tree.children(child).map(|reply| mcts.tree.node(reply).cell).collect();
    assert!(!mcts.tree.is_listed_in_part(child) && listed.is_disjoint(&visited));
    assert_eq!(listed.len() + visited.len(), next.empty_cells());
}

#[test]
fn all_visits_to_a_proven_position_count_as_its_result() {
    for (size, connect, reverse, plies) in [(6, 4, false, 4), (15, 5, false, 6), (4, 3, true, 6)] {
        let rules = rules(size, connect, reverse);
        let position = random_position(rules, rules.cells() - plies, &mut generator(1, Stream::Go(1)));
        let mut mcts = Mcts::new(position.rules(), 1 << 24);
        search(&mut mcts, &position, 100_000);
        let (mut open, mut proven_after_visits) = (vec![ROOT], 0);
        while let Some(id) = open.pop() {
            open.extend(mcts.tree.children(id));
            let node = mcts.tree.node(id);
            let visits = f64::from(node.visits);
            if let Some(result) = node.result().filter(|_| id != ROOT) {
                assert!((node.sum + f64::from(result) * visits).abs() <= 1e-6 * visits, "{} {visits}", node.sum);
                proven_after_visits += u32::from(node.visits > 1);
            } else {
                // What is not counted below is the value of the position itself, from -1 to 1 at each of its visits.
                let below: Vec<&Node> = mcts.tree.children(id).map(|child| mcts.tree.node(child)).collect();
                let own_visits = visits - below.iter().map(|child| f64::from(child.visits)).sum::<f64>();
                let own_sum = node.sum + below.iter().map(|child| child.sum).sum::<f64>();
                assert!(own_sum.abs() < own_visits + 1e-6 * visits, "{own_sum} {own_visits}");
            }
        }
        assert!(proven_after_visits > 5, "{size} {connect} {reverse}: {proven_after_visits}");
    }
}

#[test]
fn the_tree_goes_on_growing_from_move_to_move() {
    let start = Position::start(rules(8, 5, false));
    let mut mcts = Mcts::new(start.rules(), 1 << 22);
    let root_stats = search(&mut mcts, &start, 20_000);
    let variation = root_stats.moves[0].variation.clone();
    let next = start.after(variation[0]).after(variation[1]);
    let visits = mcts.find_node(ROOT, &start, &next).map(|id| mcts.tree.node(id).visits);
    let visits = visits.expect("the expected moves are in the tree");
    mcts.make_root(&next);
    assert_eq!(mcts.tree.node(ROOT).visits, visits);
    let again = search(&mut mcts, &next, 100);
    let total: u32 = again.moves.iter().map(|stats| stats.visits).sum();
    assert!(total + 1 >= visits, "{total} {visits}");
    assert_eq!(again.moves.len(), next.empty_cells());
    // A position that is not in the tree starts with an empty one.
    mcts.make_root(&start.after(Cell::new(0, 0)));
    assert_eq!(mcts.tree.node(ROOT).visits, 0);
}

#[test]
fn seeds_draw_lots_among_equal_moves() {
    for (size, connect, reverse, playouts) in [(4, 4, false, 8), (4, 4, false, 50), (4, 4, true, 8)] {
        let (request, control) =
            (SearchRequest::new(Position::start(rules(size, connect, reverse))), Control::playouts_only(playouts));
        let first = |seed: u64| {
            let mut mcts = Mcts::new(request.position.rules(), 1 << 20);
            let mut numbers = generator(seed, Stream::Go(1));
            mcts.search(
                &request,
                (Bounds::UNKNOWN, &[]),
                &mut numbers,
                &control,
                (&mut control.timer(REPORT_INTERVAL), &mut |_| {}),
            )
            .moves[0]
                .cell()
        };
        let firsts: HashSet<Cell> = (0..20).map(first).collect();
        assert!(firsts.len() > 1, "{size} {connect} {reverse} {playouts}: {firsts:?}");
        assert_eq!(first(7), first(7));
    }
}

#[test]
fn a_tree_that_is_cut_down_holds_the_same_nodes() {
    let start = Position::start(rules(6, 4, false));
    let mut mcts = Mcts::new(start.rules(), 1 << 22);
    let root_stats = search(&mut mcts, &start, 10_000);
    let listing = |mcts: &Mcts, root: NodeId| {
        let mut open = vec![root];
        let mut nodes = Vec::new();
        while let Some(id) = open.pop() {
            let node = mcts.tree.node(id);
            nodes.push((node.cell, node.visits, node.bounds, node.candidates.len()));
            open.extend(mcts.tree.children(id));
        }
        nodes
    };
    let child = mcts.tree.child(ROOT, mcts.board.number(root_stats.moves[0].cell())).expect("visited");
    let before = listing(&mcts, child);
    mcts.tree.keep_subtree(child);
    assert_eq!(listing(&mcts, ROOT), before);
    assert!(before.len() > 20);
}

#[test]
fn what_threats_win_the_solver_wins_within_as_many_plies() {
    let mut random = generator(9, Stream::Go(1));
    let mut found = 0;
    for (size, connect) in [(4, 3), (5, 4), (6, 4), (5, 3)] {
        let rules = rules(size, connect, false);
        let mut solver = Solver::new(rules, 4);
        let mut board = LineBoard::new(rules);
        for _ in 0..150 {
            let mut position = Position::start(rules);
            for _ in 0..2 + below(&mut random, 10) {
                let moves: Vec<Cell> = position.moves().collect();
                if !moves.is_empty() {
                    position = position.after(moves[below(&mut random, moves.len() as u32) as usize]);
                }
            }
            if position.outcome().is_some() {
                continue;
            }
            board.set_up(&position);
            if let Some(sequence) = super::FourSearch::new().find(&mut board, position.side() as usize, &mut 1000) {
                let control = Control::unlimited().with_depth(Some(sequence.plies()));
                let bounds = solver.bounds(&position, &control);
                assert!(bounds.at_least >= Value::Win(sequence.plies()), "{}: {sequence:?}", position.diagram());
                found += 1;
            }
        }
    }
    assert!(found > 100, "{found}");
}

/// A node as the lines of a trace show it.
#[derive(Clone, PartialEq, Debug)]
struct TracedNode {
    prior: f32,
    visits: u32,
    total: f64,
    proven: Option<Score>,
}

/// Adds up the events of a trace: the nodes by the moves that lead there.
fn replay(position: &Position, events: &[TraceEvent]) -> HashMap<Vec<Cell>, TracedNode> {
    let root = TracedNode { prior: 1.0, visits: 0, total: 0.0, proven: None };
    let mut nodes = HashMap::from([(Vec::new(), root)]);
    let (mut path, mut numbers, mut leaf, mut change) = (Vec::new(), 0, 0.0, 0.0);
    for event in events {
        match *event {
            TraceEvent::Iteration(number) => {
                assert_eq!(number, numbers);
                numbers += 1;
                path.clear();
            }
            TraceEvent::Select { ply, cell, visits, mean, prior } => {
                path.truncate(usize::from(ply) - 1);
                path.push(cell);
                let new = TracedNode { prior, visits: 0, total: 0.0, proven: None };
                let node = nodes.entry(path.clone()).or_insert(new);
                let expected = node.total / f64::from(node.visits.max(1));
                assert_eq!((node.visits, expected, node.prior), (visits, mean, prior));
                path.iter().fold(*position, |position, &cell| {
                    assert!(position.moves().any(|legal| legal == cell), "an illegal path");
                    position.after(cell)
                });
            }
            TraceEvent::Evaluate { ply, value, results, proven } => {
                assert_eq!(usize::from(ply), path.len());
                assert!((-1.0..=1.0).contains(&value) && results.count() <= 512);
                let result = proven.and_then(Score::proven).map(|value| value.result());
                if let Some(result @ (-1 | 1)) = result {
                    assert_eq!((value, results.count()), (f64::from(result), 0));
                }
                leaf = value;
            }
            TraceEvent::Backup { ply, visits, total, proven } => {
                let node = nodes.get_mut(&path[..usize::from(ply)]).expect("it was selected");
                let is_leaf = usize::from(ply) == path.len();
                let result = proven.and_then(Score::proven).map(|value| value.result()).filter(|&result| result != 0);
                let expected = match result {
                    // Iteration 0 evaluates the root, whatever its moves prove.
                    Some(result) if numbers > 1 => f64::from(result) * f64::from(visits),
                    _ if visits == 0 => 0.0,
                    _ if is_leaf || numbers == 1 => node.total - leaf,
                    _ => node.total - change,
                };
                if is_leaf && (result.is_none() || visits == 1) {
                    assert_eq!(total, expected, "the leaf gets the value of its evaluation");
                }
                assert!((total - expected).abs() < 1e-9 * f64::from(1 + visits), "{total} {expected}");
                assert!((0..=1).contains(&(visits - node.visits)));
                change = total - node.total;
                (node.visits, node.total, node.proven) = (visits, total, proven);
            }
            _ => panic!("{event:?} is of another search"),
        }
    }
    nodes
}

/// The nodes of the tree below a node.
fn collect(mcts: &Mcts, id: NodeId, path: &mut Vec<Cell>, nodes: &mut HashMap<Vec<Cell>, TracedNode>) {
    let node = mcts.tree.node(id);
    let Bounds { at_least, at_most } = node.bounds;
    let proven = Score::proven_by(Bounds { at_least: -at_most, at_most: -at_least });
    nodes.insert(path.clone(), TracedNode { prior: node.prior, visits: node.visits, total: node.sum, proven });
    for child in mcts.tree.children(id) {
        path.push(mcts.board.cell(mcts.tree.node(child).cell));
        collect(mcts, child, path, nodes);
        path.pop();
    }
}

#[test]
fn the_events_of_a_trace_rebuild_the_tree() {
    let mut random = generator(4, Stream::Go(1));
    for (size, connect) in [(1, 0), (2, 0), (3, 0), (3, 2), (4, 3), (5, 4), (9, 5)] {
        for reverse in [false, true] {
            let mut position = Position::start(rules(size, connect, reverse));
            while position.outcome().is_none() {
                let mut mcts = Mcts::new(position.rules(), 1 << 20);
                let (request, control) = (SearchRequest::new(position), Control::playouts_only(2000));
                let mut events = Vec::new();
                let mut numbers = generator(3, Stream::Go(1));
                let found = mcts.trace(&request, &mut numbers, &control, &mut |event| events.push(event));
                let mut nodes = HashMap::new();
                collect(&mcts, ROOT, &mut Vec::new(), &mut nodes);
                assert_eq!(replay(&position, &events), nodes);
                for of_move in &found.moves {
                    let node = nodes.get(&[of_move.cell][..]);
                    let visits = node.map_or((0, 0.0), |node| (node.visits, node.total));
                    assert_eq!((of_move.visits, of_move.total), visits);
                }
                // A search without a trace gives the same.
                let untraced = search(&mut Mcts::new(position.rules(), 1 << 20), &position, 2000);
                assert!(found.is_finished && found.playouts == untraced.evaluations.results.count());
                assert_eq!(found.best, untraced.moves[0].cell());
                for stats in &untraced.moves {
                    let of_move = found.moves.iter().find(|of_move| of_move.cell == stats.cell()).expect("every move");
                    assert_eq!(of_move.visits, stats.visits);
                    assert!(stats.visits == 0 || of_move.mean() == stats.mean);
                }
                let moves: Vec<Cell> = position.moves().collect();
                position = position.after(moves[below(&mut random, moves.len() as u32) as usize]);
                if size > 4 && position.empty_cells() < usize::from(size * size) - 4 {
                    break;
                }
            }
        }
    }
}

#[test]
fn a_stopped_trace_says_that_it_has_not_finished() {
    let position = Position::start(rules(5, 4, true));
    let control = Control::playouts_only(1 << 20).stopping_after(40);
    let mut iterations = 0;
    let mut take = |event| iterations += u32::from(matches!(event, TraceEvent::Iteration(_)));
    let mut mcts = Mcts::new(position.rules(), 1 << 20);
    let found = mcts.trace(&SearchRequest::new(position), &mut generator(3, Stream::Go(1)), &control, &mut take);
    assert!(!found.is_finished && (1..=40).contains(&iterations), "{iterations}");
}
