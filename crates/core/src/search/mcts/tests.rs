//! Tests of the tree: its memory, what it keeps from move to move, and threat sequences against the solver.

use super::*;
use crate::game::Value;
use crate::search::{Solver, Stream, below, generator};

fn rules(size: u8, connect: u16, reverse: bool) -> Rules {
    Rules::new(size, connect, reverse).expect("rules within range")
}

fn search(mcts: &mut Mcts, position: &Position, playouts: u64) -> RootStats {
    let control = Control::playouts_only(playouts);
    let nothing = (Bounds::UNKNOWN, &[][..]);
    mcts.search(&SearchRequest::new(*position), nothing, &mut generator(3, Stream::Go(1)), &control, &mut |_| {})
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
fn the_tree_goes_on_growing_from_move_to_move() {
    let start = Position::start(rules(8, 5, false));
    let mut mcts = Mcts::new(start.rules(), 1 << 22);
    let root_stats = search(&mut mcts, &start, 20_000);
    let variation = root_stats.moves[0].variation.clone();
    let next = start.after(variation[0]).after(variation[1]);
    let visits = mcts.find_node(mcts.tree.root(), &start, &next).map(|id| mcts.tree.node(id).visits);
    let visits = visits.expect("the expected moves are in the tree");
    mcts.make_root(&next);
    assert_eq!(mcts.tree.node(mcts.tree.root()).visits, visits);
    let again = search(&mut mcts, &next, 100);
    let total: u32 = again.moves.iter().map(|stats| stats.visits).sum();
    assert!(total + 1 >= visits, "{total} {visits}");
    assert_eq!(again.moves.len(), next.empty_cells());
    // A position that is not in the tree starts with an empty one.
    mcts.make_root(&start.after(Cell::new(0, 0)));
    assert_eq!(mcts.tree.node(mcts.tree.root()).visits, 0);
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
            nodes.push((node.cell, node.visits, node.bounds, node.candidates().len()));
            open.extend(mcts.tree.children(id));
        }
        nodes
    };
    let child = mcts.tree.child(mcts.tree.root(), mcts.board.number(root_stats.moves[0].cell())).expect("visited");
    let before = listing(&mcts, child);
    mcts.tree.keep_subtree(child);
    assert_eq!(listing(&mcts, mcts.tree.root()), before);
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
