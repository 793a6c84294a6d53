//! The bounds of every node of the tree, held against the exact values of small boards under both rules.

use noughts_oracle::{Board, EndGame, Player};

use super::*;
use crate::search::oracle;

/// True if a player can still complete a line: some line holds no stone of the opponent.
fn has_live_line(board: &Board, player: Player) -> bool {
    board.lines().iter().any(|line| line.iter().all(|&cell| board.stones[cell] != Some(!player)))
}

/// The numbers of nodes of a tree that were seen.
#[derive(Default)]
struct Seen {
    nodes: u32,
    /// Leaves that have been evaluated where only one side, or none, can still complete a line.
    one_sided: u32,
}

/// A node of a tree: its position, and the moves from the root to it.
struct Node<'a> {
    id: NodeId,
    position: Position,
    moves: &'a [usize],
}

impl Node<'_> {
    fn root(position: Position) -> Node<'static> {
        Node { id: ROOT, position, moves: &[] }
    }
}

/// Holds the bounds of a node, and of all below it, against the exact values.
fn check(mcts: &Mcts, Node { id, position, moves }: Node<'_>, plain: &mut EndGame, seen: &mut Seen) {
    let node = mcts.tree.node(id);
    let Bounds { at_least, at_most } = node.bounds;
    let value = oracle::known_value(plain.value_after(moves));
    assert!((at_least..=at_most).contains(&value), "{value}: {:?}\n{}", node.bounds, position.diagram());
    seen.nodes += 1;
    let is_below_the_root = id != ROOT;
    if is_below_the_root && node.visits > 0 && position.outcome().is_none() {
        let board = oracle::board_of(&position);
        let [mine, theirs] = [board.side, !board.side].map(|player| has_live_line(&board, player));
        let (wins_by, loses_by) = if position.rules().completer_wins() { (mine, theirs) } else { (theirs, mine) };
        // A side that can no longer complete a line cannot win; under reverse rules it cannot lose.
        assert!(wins_by || at_most <= Value::Draw, "{:?}\n{}", node.bounds, position.diagram());
        assert!(loses_by || at_least >= Value::Draw, "{:?}\n{}", node.bounds, position.diagram());
        seen.one_sided += u32::from(!wins_by || !loses_by);
    }
    for child in mcts.tree.children(id) {
        let cell = mcts.board.cell(mcts.tree.node(child).cell);
        let moves = [moves, &[cell.index(position.rules().shape())]].concat();
        check(mcts, Node { id: child, position: position.after(cell), moves: &moves }, plain, seen);
    }
}

/// Searches random positions of a board with so many empty cells, and checks all nodes.
fn check_trees((size, connect, reverse): (u8, u16, bool), empty_cells: &[usize], random: &mut Generator) -> Seen {
    let rules = rules(size, connect, reverse);
    let mut seen = Seen::default();
    for &empty_cells in empty_cells {
        for _ in 0..30 {
            let position = random_position(rules, empty_cells, random);
            let mut mcts = Mcts::new(rules, 1 << 20);
            search(&mut mcts, &position, 800);
            let mut plain = EndGame::new(&oracle::board_of(&position));
            check(&mcts, Node::root(position), &mut plain, &mut seen);
        }
    }
    seen
}

#[test]
fn bounds_of_all_nodes_hold_the_exact_values() {
    let mut random = generator(11, Stream::Go(1));
    for (size, connect, empty_cells) in [(3, 3, [9, 8, 6]), (3, 2, [8, 7, 6]), (4, 3, [9, 8, 7]), (4, 4, [9, 8, 7])] {
        for reverse in [false, true] {
            let seen = check_trees((size, connect, reverse), &empty_cells, &mut random);
            assert!(seen.nodes > 200, "{size}x{size} {connect} {reverse}: {} nodes", seen.nodes);
        }
    }
}

#[test]
fn bounds_hold_where_only_one_side_has_live_lines() {
    let mut random = generator(12, Stream::Go(1));
    for (size, connect) in [(4, 4), (5, 4), (5, 5)] {
        for reverse in [false, true] {
            let seen = check_trees((size, connect, reverse), &[8, 7, 6], &mut random);
            assert!(seen.one_sided > 50, "{size}x{size} {connect} {reverse}: {} leaves", seen.one_sided);
        }
    }
}

#[test]
fn bounds_hold_with_moves_that_were_proven_before() {
    let mut random = generator(13, Stream::Go(1));
    for reverse in [false, true] {
        let rules = rules(4, 3, reverse);
        let mut seen = Seen::default();
        for _ in 0..60 {
            let position = random_position(rules, 8, &mut random);
            let value = Bounds::exactly(oracle::value(&position));
            let values = oracle::move_values(&position).into_iter();
            let moves = values.map(|(cell, value)| (cell, Bounds::exactly(value)));
            let moves: Vec<(Cell, Bounds)> = moves.filter(|_| below(&mut random, 2) == 0).collect();
            let mut mcts = Mcts::new(rules, 1 << 20);
            let (request, control) = (SearchRequest::new(position), Control::playouts_only(300));
            let mut numbers = generator(3, Stream::Go(1));
            let stats = mcts.search(
                &request,
                (value, &moves),
                &mut numbers,
                &control,
                (&mut control.timer(REPORT_INTERVAL), &mut |_| {}),
            );
            let mut plain = EndGame::new(&oracle::board_of(&position));
            check(&mcts, Node::root(position), &mut plain, &mut seen);
            // What was known of a move is not forgotten: a move that loses or draws has at most that value.
            for (cell, bounds) in &moves {
                let found = stats.moves.iter().find(|found| found.cell() == *cell).expect("every move is listed");
                let result = bounds.at_most.result();
                assert!(result > 0 || found.bounds.at_most.result() <= result.max(0), "{}", position.diagram());
            }
        }
        assert!(seen.nodes > 300, "{}", seen.nodes);
    }
}

#[test]
fn a_search_to_the_end_proves_who_wins() {
    let mut random = generator(14, Stream::Go(1));
    for (size, connect) in [(3, 3), (3, 2), (4, 3), (4, 4)] {
        for reverse in [false, true] {
            let rules = rules(size, connect, reverse);
            for _ in 0..20 {
                let position = random_position(rules, 6, &mut random);
                let value = oracle::value(&position);
                let stats = search(&mut Mcts::new(rules, 1 << 20), &position, 20_000);
                let (result, bounds) = (value.result(), stats.bounds);
                if result != 0 {
                    let proven = (bounds.at_least.result(), bounds.at_most.result());
                    assert_eq!(proven, (result, result), "{value}\n{}", position.diagram());
                }
            }
        }
    }
}
