//! No search needs more than 512 KiB of stack, however deep it goes.
//!
//! Where lines are long or hard to complete, the solver and the textbook searches go down ply by ply until the board is
//! full: 400 plies on 20x20. They need about 100 KiB for that in an optimised build, some 200 to 250 bytes a ply. The
//! other recursions are bounded by less: threat sequences by 24 plies, tables by 9 cells, the rest of a game for traps by
//! its few empty cells, augmenting paths of pairings by twice the number of lines.

use std::thread;

use noughts_core::game::{Cell, Position, Rules};
use noughts_core::search::{
    Control, Explanation, InstantMover, Level, LevelSearcher, Mcts, MonteCarlo, ProofEffort, ProveThenEstimate,
    RandomMover, SearchRequest, Searcher, Solver, Stream, Technique, Textbook, TextbookSearcher, Tiebreak, generator,
};

const STACK: usize = 512 << 10;

/// Runs a search on a thread with a small stack. A stack that is too small ends the process.
fn on_small_stack<T: Send>(search: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, search).expect("a thread");
        thread.join().expect("the search ends by itself")
    })
}

/// 20x20 boards under both rules, with lines that are short, long, and as long as the board.
fn large_boards() -> impl Iterator<Item = Rules> {
    let connects = [2, 3, 5, 7, 11, 19, 20, 21];
    connects.into_iter().flat_map(|connect| [false, true].map(|reverse| Rules::new(20, connect, reverse).unwrap()))
}

/// The start, and a position on the way to a full board in which no line is complete: the players fill the board in
/// reading order in blocks of two cells, shifted from row to row.
fn positions(rules: Rules) -> Vec<Position> {
    let owner = |cell: Cell| (usize::from(cell.column()) / 2 + usize::from(cell.row())).is_multiple_of(2);
    let (first, second): (Vec<Cell>, Vec<Cell>) = Cell::all(rules.shape()).partition(|&cell| owner(cell));
    let moves = first.into_iter().zip(second).flat_map(|(one, two)| [one, two]);
    let mut found = vec![Position::start(rules)];
    let mut position = Position::start(rules);
    for (number, cell) in moves.enumerate() {
        if position.outcome().is_some() || position.play(cell).is_err() || position.outcome().is_some() {
            break;
        }
        if number == 39 || number == 239 {
            found.push(position);
        }
    }
    found
}

#[test]
fn the_solver_without_its_techniques_goes_to_the_last_ply() {
    for rules in large_boards() {
        for position in positions(rules) {
            on_small_stack(|| {
                let mut solver = Solver::new(rules, 1).without(&Technique::ALL);
                let _ = solver.solve(&position, &Control::nodes_only(2_000), &mut |_, _, _| {});
                let _ = solver.bounds(&position, &Control::nodes_only(2_000));
            });
        }
    }
}

#[test]
fn the_solver_with_some_of_its_techniques() {
    for rules in large_boards() {
        for left_out in [&[][..], &[Technique::Potential, Technique::Pairing, Technique::Mirror, Technique::Theorem]] {
            for position in positions(rules) {
                on_small_stack(|| {
                    let mut solver = Solver::new(rules, 1).without(left_out);
                    let control = Control::nodes_only(1_000);
                    let _ = solver.solve(&position, &control, &mut |_, _, _| {});
                    let _ = solver.best_moves(&position, &control);
                    let _ = solver.principal_variation(&position, &control);
                    let _ = solver.prove(&position, &control);
                    let _ = Explanation::find(&mut solver, &position, None, &control);
                });
            }
        }
    }
}

#[test]
fn the_searches_of_the_textbooks() {
    for rules in large_boards() {
        for search in Textbook::ALL {
            for position in positions(rules) {
                on_small_stack(|| {
                    let control = Control::nodes_only(2_000);
                    let _ = search.search(&position, &control);
                    let mut player = TextbookSearcher::new(search);
                    let request = SearchRequest::new(position);
                    let result = player.search(&request, &mut generator(1, Stream::Go(0)), &control, &mut |_| {});
                    assert!(!result.lines.is_empty());
                });
            }
        }
    }
    // On the largest board with keys every position is stored on the way back.
    for search in Textbook::ALL {
        on_small_stack(|| {
            let position = Position::start(Rules::new(8, 8, false).unwrap());
            let _ = search.search(&position, &Control::nodes_only(20_000));
        });
    }
}

#[test]
fn every_player() {
    for rules in large_boards() {
        for position in positions(rules) {
            on_small_stack(|| {
                let mut generator = generator(1, Stream::Go(0));
                let request = SearchRequest { tiebreak: Tiebreak::Trap, lines: 3, ..SearchRequest::new(position) };
                let control = Control::nodes_only(500).with_playouts(Some(200));
                let _ = RandomMover.search(&request, &mut generator, &control, &mut |_| {});
                let _ = InstantMover.search(&request, &mut generator, &control, &mut |_| {});
                let mut monte_carlo = MonteCarlo::default();
                let _ = monte_carlo.search(&request, &mut generator, &control, &mut |_| {});
                let mut weak = LevelSearcher::new(Level::new(5), rules, monte_carlo);
                let _ = weak.search(&request, &mut generator, &control, &mut |_| {});
                for effort in [ProofEffort::Play, ProofEffort::Proof, ProofEffort::Explore] {
                    let mut solver = Solver::new(rules, 1);
                    let mut tree = Mcts::new(rules, 1 << 20);
                    let searcher = ProveThenEstimate::new(&mut solver, MonteCarlo::default(), effort);
                    let mut searcher =
                        if effort == ProofEffort::Play { searcher } else { searcher.with_tree(&mut tree) };
                    let _ = searcher.search(&request, &mut generator, &control, &mut |_| {});
                }
            });
        }
    }
}

#[test]
fn the_tree_search_from_move_to_move() {
    for (connect, reverse) in [(5, false), (5, true), (20, true)] {
        let rules = Rules::new(20, connect, reverse).unwrap();
        on_small_stack(|| {
            let mut generator = generator(1, Stream::Go(0));
            let mut solver = Solver::new(rules, 1);
            let mut tree = Mcts::new(rules, 8 << 20);
            let mut position = Position::start(rules);
            let control = Control::nodes_only(0).with_playouts(Some(2_000));
            for _ in 0..4 {
                let searcher = ProveThenEstimate::new(&mut solver, MonteCarlo::default(), ProofEffort::Explore);
                let request = SearchRequest::new(position);
                let result = searcher.with_tree(&mut tree).search(&request, &mut generator, &control, &mut |_| {});
                for &cell in result.lines[0].principal_variation.iter().take(3) {
                    let _ = position.play(cell);
                }
                if position.outcome().is_some() {
                    break;
                }
            }
        });
    }
}
