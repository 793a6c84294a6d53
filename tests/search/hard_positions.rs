//! The positions in `tests/data/positions.csv`, and the program that made them.
//!
//! Random positions are easy: almost all are draws that need no search. These come from biased play, where
//! both sides make mistakes on purpose (`biased`), from climbing from there to ever more nodes by small changes
//! (`climbed`), and from doing so among positions that plain alpha-beta can still solve (`endgame`). A line has the
//! rules, the position, how it was made, and the nodes that a new solver needed for its value and all best moves at the
//! time. Every position was solved within [`hardest`].
//!
//! `cargo test --locked --test search -- --ignored makes_the_positions_anew` makes the file anew, the same one as long
//! as the solver searches as before.

use std::fmt::Write;
use std::fs;

use crate::common::biased::BiasedPlay;
use crate::common::oracle;
use crate::common::part::Part;
use crate::common::{random_games, rules};
use noughts::game::{Bounds, Position, Rules, Symmetry};
use noughts::search::{Control, Solver, Technique};

const FILE: &str = "tests/data/positions.csv";

const HEADER: &str = "rules,position,made,nodes";

/// The boards as size and number in a row.
const BOARDS: [(u8, u16); 20] = [
    (4, 0),
    (4, 3),
    (5, 0),
    (5, 3),
    (5, 4),
    (6, 0),
    (6, 4),
    (6, 5),
    (7, 0),
    (7, 5),
    (8, 0),
    (8, 5),
    (8, 6),
    (9, 0),
    (10, 5),
    (12, 0),
    (15, 5),
    (16, 0),
    (20, 0),
    (20, 6),
];

/// Positions of each way on each board under each rule.
const POSITIONS: usize = 6;

/// Changes that a climb tries.
const STEPS: usize = 150;

/// A position that takes more is of no use: no test could say whether its value is right. Nodes of large boards take
/// longer.
fn most_nodes(rules: Rules) -> u64 {
    if rules.shape().rows <= 8 { 10_000 } else { 1000 }
}

/// Where the solver masters every position, the hardest are wanted, whatever they take.
fn hardest(rules: Rules) -> u64 {
    let is_mastered = rules.connect() == 0 && rules.shape().rows <= 8;
    if is_mastered { 200_000 } else { most_nodes(rules) }
}

/// As many empty cells as plain alpha-beta masters.
const ENDGAME: usize = 14;

/// MiB of the tables of a solver: as little as it gets.
const MEMORY: u32 = 1;

/// The nodes that a new solver needs for the value of a position and all its best moves, if it finds them.
fn nodes(position: &Position) -> Option<u64> {
    let most = hardest(position.rules());
    let mut solver = Solver::new(position.rules(), 16);
    solver.bounds(position, &Control::nodes_only(most)).exact()?;
    solver.best_moves(position, &Control::nodes_only(most));
    Some(solver.nodes())
}

/// A solved position of biased play with at most so many empty cells, and its nodes.
fn biased(play: &mut BiasedPlay, most_empty: usize) -> (Position, u64) {
    loop {
        let empties = 1 + play.draw(most_empty);
        let position = play.position(empties);
        if let Some((position, nodes)) = position.and_then(|position| Some((position, nodes(&position)?))) {
            return (position, nodes);
        }
    }
}

/// Starts from the hardest of some biased positions and goes to neighbours as long as they need no fewer nodes.
fn climb(play: &mut BiasedPlay, most_empty: usize) -> (Position, u64) {
    let starts = (0..8).map(|_| biased(play, most_empty));
    let mut best = starts.max_by_key(|(_, nodes)| *nodes).expect("eight of them");
    for _ in 0..STEPS {
        if let Some(position) = play.mutated(&best.0)
            && position.empty_cells() <= most_empty
            && let Some(nodes) = nodes(&position)
            && nodes >= best.1
        {
            best = (position, nodes);
        }
    }
    best
}

#[test]
#[ignore = "writes the file of positions anew: run it by its name"]
fn makes_the_positions_anew() {
    let mut text = format!("{HEADER}\n");
    for (size, connect) in BOARDS {
        for reverse in [false, true] {
            let rules = rules(size, connect, reverse);
            let mut play = BiasedPlay::new(rules, 1);
            let mut found = Vec::new();
            found.extend((0..POSITIONS).map(|_| ("biased", biased(&mut play, rules.cells()))));
            found.extend((0..POSITIONS).map(|_| ("climbed", climb(&mut play, rules.cells()))));
            found.extend((0..POSITIONS).map(|_| ("endgame", climb(&mut play, ENDGAME))));
            for (made, (position, nodes)) in found {
                writeln!(text, "{rules},{},{made},{nodes}", position.diagram()).expect("text grows");
            }
            eprintln!("{rules}: made");
        }
    }
    fs::write(FILE, text).expect("a writable file");
}

fn read() -> Vec<Position> {
    let text = fs::read_to_string(FILE).expect("a readable file");
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some(HEADER));
    lines.map(position).collect()
}

fn position(line: &str) -> Position {
    let [rules, diagram, made, nodes] = line.split(',').collect::<Vec<_>>()[..] else { panic!("{line}") };
    assert!(["biased", "climbed", "endgame"].contains(&made) && nodes.parse::<u64>().is_ok(), "{line}");
    random_games::position(rules.parse().expect("rules"), diagram)
}

#[test]
fn there_are_games_that_go_on_of_every_board_and_rule() {
    let positions = read();
    assert!(positions.iter().all(|position| position.outcome().is_none()));
    for (size, connect) in BOARDS {
        for reverse in [false, true] {
            let count = positions.iter().filter(|position| position.rules() == rules(size, connect, reverse)).count();
            assert_eq!(count, 3 * POSITIONS, "{size} {connect} {reverse}");
        }
    }
}

fn hard_endgames_equal_plain_alpha_beta(part: Part) {
    let mut compared = 0;
    for position in part.of(read()).filter(|position| position.empty_cells() <= ENDGAME) {
        let text = format!("{}: {}", position.rules(), position.diagram());
        let value = oracle::value(&position);
        let mut whole = Solver::new(position.rules(), MEMORY);
        assert_eq!(whole.bounds(&position, &Control::unlimited()), Bounds::exactly(value), "{text}");
        let mut remembering = Solver::new(position.rules(), MEMORY);
        let larger = std::iter::successors(Some(60), |nodes| Some(nodes * 4 / 3));
        for nodes in (1..60).chain(larger.take_while(|&nodes| nodes < whole.nodes())) {
            let control = Control::nodes_only(nodes);
            for found in [
                remembering.bounds(&position, &control),
                Solver::new(position.rules(), MEMORY).bounds(&position, &control),
            ] {
                assert!(found.at_least <= value && value <= found.at_most, "{nodes} {found:?}, not {value:?}: {text}");
            }
        }
        assert_eq!(remembering.bounds(&position, &Control::unlimited()), Bounds::exactly(value), "{text}");
        compared += 1;
    }
    // Both rules have as many endgames of each board, and other positions are near the end too.
    let fifths = if part == Part::Daily { 1 } else { 4 };
    assert!(compared >= fifths * POSITIONS * BOARDS.len() / 5, "{compared}");
}

fn hard_positions_keep_their_value(part: Part) {
    for position in part.of(read()) {
        let text = format!("{}: {}", position.rules(), position.diagram());
        let control = Control::nodes_only(most_nodes(position.rules()));
        let solver = || Solver::new(position.rules(), 16);
        // Several times of what it took when they were made.
        let enough = Control::nodes_only(10 * hardest(position.rules()));
        let value = solver().bounds(&position, &enough).exact().unwrap_or_else(|| panic!("unsolved: {text}"));
        // An image may take many more nodes; what is found of it within these is right all the same.
        for symmetry in Symmetry::all(position.rules().shape()).skip(1) {
            let found = solver().bounds(&position.image(symmetry), &control);
            let holds = found.at_least <= value && value <= found.at_most;
            assert!(holds, "{symmetry:?} {found:?}, not {value:?}: {text}");
        }
        for technique in Technique::ALL {
            let found = solver().without(&[technique]).bounds(&position, &control);
            let holds = found.at_least <= value && value <= found.at_most;
            assert!(holds, "without {technique:?} {found:?}, not {value:?}: {text}");
        }
    }
}

#[test]
fn hard_positions_keep_value_in_images_and_without_a_technique() {
    hard_positions_keep_their_value(Part::Daily);
}

#[test]
fn hard_endgames_equal_plain_alpha_beta_also_when_interrupted() {
    hard_endgames_equal_plain_alpha_beta(Part::Daily);
}

#[test]
fn hard_positions_are_worth_their_best_moves() {
    hard_positions_are_worth_their_moves(Part::Daily);
}

/// The other positions.
mod long {
    use super::*;

    #[test]
    #[ignore = "long: scripts/check all"]
    fn hard_positions_keep_value_in_images_and_without_a_technique() {
        hard_positions_keep_their_value(Part::Rest);
    }

    #[test]
    #[ignore = "long: scripts/check all"]
    fn other_hard_endgames_equal_alpha_beta_when_interrupted() {
        hard_endgames_equal_plain_alpha_beta(Part::Rest);
    }

    #[test]
    #[ignore = "long: scripts/check all"]
    fn other_hard_positions_are_worth_their_best_moves() {
        hard_positions_are_worth_their_moves(Part::Rest);
    }
}

fn hard_positions_are_worth_their_moves(part: Part) {
    for position in part.of(read()) {
        let text = format!("{}: {}", position.rules(), position.diagram());
        let control = Control::nodes_only(10 * hardest(position.rules()));
        let mut solver = Solver::new(position.rules(), 16);
        let value = solver.bounds(&position, &control);
        let moves = solver.move_bounds(&position, &Control::nodes_only(most_nodes(position.rules())));
        let at_least = moves.iter().map(|(_, bounds)| bounds.at_least).max().expect("a move");
        let at_most = moves.iter().map(|(_, bounds)| bounds.at_most).max().expect("a move");
        assert!(at_least <= value.at_most && value.at_least <= at_most, "{value:?} {moves:?}: {text}");
        for cell in solver.best_moves(&position, &Control::nodes_only(most_nodes(position.rules()))) {
            let (_, bounds) = moves.iter().find(|(moved, _)| *moved == cell).expect("a legal move");
            assert!(bounds.at_most >= value.at_least, "{cell} is worth {bounds:?}, not {value:?}: {text}");
        }
    }
}
