//! The solver against plain searches and against itself, on boards of every size.

use std::collections::HashSet;

use crate::common::biased::{BiasedPlay, balanced};
use crate::common::oracle::{self, Judged, exchanged, stones, table_value};
use crate::common::part::Part;
use crate::common::reasons::assert_proof_holds;
use crate::common::{positions_by_ply, rules};
use noughts::game::{Bounds, Cell, Player, Position, Rules, Symmetry, Value};
use noughts::search::{Control, Solver, Technique};
use noughts_oracle::Table;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// MiB of the solver's tables.
const MEMORY: u32 = 16;

fn solver(rules: Rules) -> Solver {
    Solver::new(rules, MEMORY)
}

/// A solver for one question, which remembers nothing of earlier ones. A small table is made sooner.
fn forgetful(rules: Rules) -> Solver {
    Solver::new(rules, 1)
}

fn unlimited() -> Control {
    Control::unlimited()
}

fn named(position: &Position) -> String {
    format!("{}: {}", position.rules(), position.diagram())
}

/// Value, distance, every move and the best ones are what is known.
fn assert_right(solver: &mut Solver, known: &Judged) {
    let position = &known.position;
    assert_eq!(solver.bounds(position, &unlimited()), Bounds::exactly(known.value), "{}", named(position));
    assert_eq!(solver.best_moves(position, &unlimited()), known.best_moves(), "{}", named(position));
    let moves: Vec<_> = known.moves.iter().map(|&(cell, value)| (cell, Bounds::exactly(value))).collect();
    assert_eq!(solver.move_bounds(position, &unlimited()), moves, "{}", named(position));
}

#[test]
fn every_position_of_the_smallest_boards_equals_plain_alpha_beta() {
    for (size, connect) in [(3u8, 0u16), (3, 1), (3, 2), (3, 9), (2, 0), (2, 1), (2, 3), (1, 0), (1, 5)] {
        for reverse in [false, true] {
            let rules = rules(size, connect, reverse);
            let mut solver = solver(rules);
            let x_began = positions_by_ply(rules).concat();
            for position in x_began.iter().copied().chain(x_began.iter().map(exchanged)) {
                if position.outcome().is_none() {
                    assert_right(&mut solver, &Judged::new(position));
                    continue;
                }
                assert_eq!(solver.bounds(&position, &unlimited()), Bounds::exactly(oracle::value(&position)));
                assert_eq!(solver.move_bounds(&position, &unlimited()), []);
                assert_eq!(solver.best_moves(&position, &unlimited()), []);
            }
        }
    }
}

/// The two plain searches of these tests, held against each other.
#[test]
fn plain_alpha_beta_equals_the_plain_table() {
    for (size, connect) in [(3, 0), (4, 0), (4, 3)] {
        for reverse in [false, true] {
            let table = Table::new(size, connect, reverse);
            for known in balanced(rules(size as u8, connect as u16, reverse), 60, &[4, 5, 6, 7, 8], 19) {
                let [x, o] = Player::BOTH.map(|player| known.position.stones(player).len());
                let o_began = o > x || o == x && known.position.side() == Player::O;
                let x_began = if o_began { exchanged(&known.position) } else { known.position };
                let stones = stones(&x_began);
                assert_eq!(table_value(&table, stones), known.value, "{}", named(&known.position));
                let moves = table.children(stones).map(|child| table_value(&table, child).before_move());
                assert!(moves.eq(known.moves.iter().map(|(_, value)| *value)), "{}", named(&known.position));
            }
        }
    }
}

/// Solvers that lack one technique each, that have but one, and that have none. Those without a memory, or with
/// little but it, get only positions that are near the end.
fn crippled(rules: Rules) -> Vec<(String, usize, Solver)> {
    let mut solvers = Vec::new();
    for technique in Technique::ALL {
        let most = if technique == Technique::TranspositionTable { 10 } else { 13 };
        solvers.push((format!("without {technique:?}"), most, solver(rules).without(&[technique])));
        let others: Vec<Technique> = Technique::ALL.into_iter().filter(|other| *other != technique).collect();
        let most = if technique == Technique::TranspositionTable { 11 } else { 8 };
        solvers.push((format!("only {technique:?}"), most, solver(rules).without(&others)));
    }
    solvers.push(("without all".to_owned(), 8, solver(rules).without(&Technique::ALL)));
    solvers
}

/// Endgames, balanced in wins, draws and losses, and what the solver and every crippled solver say of them.
fn endgames_are_right(part: Part, size: u8, connect: u16, empties: &[usize]) {
    // The two parts are drawn with seeds of their own, so that neither has to make the positions of the other.
    let (each, seed) = match part {
        Part::Daily => (140, u64::from(size)),
        Part::Rest => (560, 100 + u64::from(size)),
    };
    for reverse in [false, true] {
        let rules = rules(size, connect, reverse);
        let mut whole = solver(rules);
        let mut crippled = crippled(rules);
        for known in balanced(rules, each, empties, seed) {
            assert_right(&mut whole, &known);
            let expected = Bounds::exactly(known.value);
            for (name, _, solver) in crippled.iter_mut().filter(|crippled| known.position.empty_cells() <= crippled.1) {
                let found = solver.bounds(&known.position, &unlimited());
                assert_eq!(found, expected, "{name}: {}", named(&known.position));
            }
        }
    }
}

#[test]
fn endgames_of_5x5_equal_alpha_beta_with_techniques_off() {
    endgames_are_right(Part::Daily, 5, 0, &[7, 8, 9, 10, 11, 12, 13]);
}

#[test]
fn endgames_of_6x6_equal_alpha_beta_with_techniques_off() {
    endgames_are_right(Part::Daily, 6, 0, &[7, 8, 9, 10, 11, 12, 13]);
}

#[test]
fn endgames_of_4x4_connect_3_equal_alpha_beta_with_techniques_off() {
    endgames_are_right(Part::Daily, 4, 3, &[5, 6, 7, 8, 9, 10, 11, 12, 13]);
}

#[test]
fn endgames_of_5x5_connect_4_equal_alpha_beta_with_techniques_off() {
    endgames_are_right(Part::Daily, 5, 4, &[7, 8, 9, 10, 11, 12, 13]);
}

/// Near the end of the game on every board, whatever is asked for in a row.
#[test]
fn endgames_of_every_size_and_line_length_equal_alpha_beta() {
    const GAMES: usize = 30;
    for size in 4..=20u8 {
        let lengths: Vec<u16> = match size {
            ..=8 => (0..=u16::from(size) + 1).collect(),
            _ => vec![0, 3, 4, 5, 6, u16::from(size) - 1],
        };
        for connect in lengths {
            for reverse in [false, true] {
                let rules = rules(size, connect, reverse);
                let mut play = BiasedPlay::new(rules, u64::from(connect));
                let mut solver = solver(rules);
                for _ in 0..GAMES {
                    let empties = 1 + play.draw(10);
                    if let Some(position) = play.position(empties) {
                        assert_right(&mut solver, &Judged::new(position));
                    }
                }
            }
        }
    }
}

/// Games in the middle, on boards that the solver masters: few or no positions of them are within reach of plain
/// searches, so it is held against itself.
const MIDDLE_GAMES: [(u8, u16, bool); 14] = [
    (4, 0, false),
    (4, 0, true),
    (4, 3, false),
    (4, 3, true),
    (5, 0, false),
    (5, 0, true),
    (5, 4, false),
    (5, 4, true),
    (6, 0, false),
    (6, 0, true),
    (6, 4, false),
    (6, 5, false),
    (7, 0, false),
    (7, 0, true),
];

/// Positions of a game from six empty cells on.
fn middle_games(rules: Rules, count: usize, seed: u64) -> Vec<Position> {
    // Where the beginning of a game takes long, the rest is enough.
    let most = match (rules.shape().rows, rules.connect(), rules.reverse()) {
        (5, 0, true) => 22,
        (6, 0, true) => 20,
        (7, 0, true) => 22,
        (5, 4, false) => 18,
        (5, 4, true) => 14,
        (6, 4 | 5, _) => 18,
        _ => rules.cells(),
    };
    let mut play = BiasedPlay::new(rules, seed);
    let mut found = Vec::new();
    while found.len() < count {
        let empties = 6 + play.draw(most - 5);
        found.extend(play.position(empties));
    }
    found
}

fn values_are_the_same_in_images(part: Part) {
    for (size, connect, reverse) in MIDDLE_GAMES {
        let rules = rules(size, connect, reverse);
        for position in part.of(middle_games(rules, 40, 3)) {
            let expected = forgetful(rules).bounds(&position, &unlimited());
            assert!(expected.exact().is_some(), "{}", named(&position));
            let moves = forgetful(rules).best_moves(&position, &unlimited());
            for symmetry in Symmetry::all(rules.shape()) {
                let image = position.image(symmetry);
                assert_eq!(forgetful(rules).bounds(&image, &unlimited()), expected, "{}", named(&image));
                let found = forgetful(rules).best_moves(&image, &unlimited());
                let found: HashSet<Cell> = found.into_iter().collect();
                assert_eq!(found, moves.iter().map(|&cell| symmetry.apply(cell, size)).collect());
            }
            assert_eq!(forgetful(rules).bounds(&exchanged(&position), &unlimited()), expected, "{}", named(&position));
        }
    }
}

fn a_position_is_worth_its_best_move(part: Part) {
    for (size, connect, reverse) in MIDDLE_GAMES {
        let rules = rules(size, connect, reverse);
        let mut remembering = solver(rules);
        for position in part.of(middle_games(rules, 120, 5)) {
            let value = forgetful(rules).bounds(&position, &unlimited()).exact().expect("nothing ends the search");
            let worth = |cell| {
                let after = forgetful(rules).bounds(&position.after(cell), &unlimited());
                (cell, after.exact().expect("nothing ends the search").before_move())
            };
            let moves = position.moves().map(worth).collect();
            assert_right(&mut remembering, &Judged { position, value, moves });
        }
    }
}

#[test]
fn values_are_the_same_under_symmetry_and_exchanged_colours() {
    values_are_the_same_in_images(Part::Daily);
}

#[test]
fn a_position_is_worth_its_best_move_and_a_move_its_successor() {
    a_position_is_worth_its_best_move(Part::Daily);
}

/// The other four fifths.
mod long {
    use super::*;

    #[test]
    #[ignore = "long: scripts/check all"]
    fn more_endgames_equal_alpha_beta_with_techniques_off() {
        for (size, connect) in [(5, 0), (6, 0), (5, 4)] {
            endgames_are_right(Part::Rest, size, connect, &[7, 8, 9, 10, 11, 12, 13]);
        }
        endgames_are_right(Part::Rest, 4, 3, &[5, 6, 7, 8, 9, 10, 11, 12, 13]);
    }

    #[test]
    #[ignore = "long: scripts/check all"]
    fn other_values_are_the_same_under_symmetry_and_exchanged_colours() {
        values_are_the_same_in_images(Part::Rest);
    }

    #[test]
    #[ignore = "long: scripts/check all"]
    fn other_positions_are_worth_their_best_moves() {
        a_position_is_worth_its_best_move(Part::Rest);
    }
}

#[test]
fn no_technique_changes_a_value_in_the_middle_of_a_game() {
    for (size, connect, reverse) in MIDDLE_GAMES {
        let rules = rules(size, connect, reverse);
        let mut whole = solver(rules);
        let others = Technique::ALL.map(|technique| (technique, solver(rules).without(&[technique])));
        let mut others: Vec<_> =
            others.into_iter().filter(|(other, _)| *other != Technique::TranspositionTable).collect();
        // As many nodes as make no difference to the time of the test; what is not exact by then is still right.
        let control = Control::nodes_only(20_000);
        let mut compared = 0;
        for position in middle_games(rules, 150, 7) {
            let value = whole.bounds(&position, &unlimited()).exact().expect("nothing ends the search");
            for (technique, other) in &mut others {
                let found = other.bounds(&position, &control);
                let holds = found.at_least <= value && value <= found.at_most;
                assert!(holds, "without {technique:?} {found:?}, not {value:?}: {}", named(&position));
                compared += usize::from(found.exact().is_some());
            }
        }
        assert!(compared > 150 * others.len() / 2, "{rules}: {compared} values compared");
    }
}

/// Plays on from a position that is won for the side to move: with the first of the winner's best moves, against the
/// answers that `defences` picks.
fn play_out(
    position: &Position,
    solver: &mut Solver,
    seen: &mut HashSet<Position>,
    defences: &mut impl FnMut(&Position, Vec<(Cell, Bounds)>) -> Vec<Cell>,
) {
    let Some(Value::Win(plies)) = solver.bounds(position, &unlimited()).exact() else {
        panic!("no longer won: {}", named(position));
    };
    if !seen.insert(*position) {
        return;
    }
    let best = solver.best_moves(position, &unlimited());
    assert!(!best.is_empty());
    // One ply nearer to the end with every good move.
    for &cell in &best {
        let after = position.after(cell);
        assert_eq!(solver.bounds(&after, &unlimited()), Bounds::exactly(Value::Loss(plies - 1)), "{}", named(&after));
    }
    let after = position.after(best[0]);
    if after.outcome().is_some() {
        assert_eq!(plies, 1);
        return;
    }
    let answers = solver.move_bounds(&after, &unlimited());
    for answer in defences(&after, answers) {
        let next = after.after(answer);
        let value = solver.bounds(&next, &unlimited()).exact();
        assert!(value.is_some_and(|value| value >= Value::Win(plies - 2)), "{}", named(&next));
        if next.outcome().is_none() {
            play_out(&next, solver, seen, defences);
        }
    }
}

#[test]
fn a_principal_variation_of_a_win_or_loss_is_perfect_to_the_end() {
    for (size, connect, reverse) in MIDDLE_GAMES {
        let rules = rules(size, connect, reverse);
        let mut solver = solver(rules);
        for position in middle_games(rules, 200, 23) {
            let value = solver.bounds(&position, &unlimited()).exact().expect("nothing ends the search");
            let line = solver.principal_variation(&position, &unlimited());
            match value.plies() {
                Some(plies) => assert_eq!(line.len(), usize::from(plies), "{}", named(&position)),
                None => assert!(!line.is_empty(), "{}", named(&position)),
            }
            let mut now = (position, value);
            for cell in line {
                assert!(solver.best_moves(&now.0, &unlimited()).contains(&cell), "{cell}: {}", named(&now.0));
                let next = now.0.after(cell);
                let value = solver.bounds(&next, &unlimited()).exact().expect("nothing ends the search");
                assert_eq!(value.before_move(), now.1, "{}", named(&next));
                now = (next, value);
            }
            assert_eq!(now.0.outcome().is_some(), value != Value::Draw || now.0.empty_cells() == 0);
        }
    }
}

/// All wins of 4x4 stand in `exact_values.rs`; here they are larger.
#[test]
fn a_win_comes_in_time_against_the_longest_and_a_random_defence() {
    for (size, connect, reverse) in MIDDLE_GAMES {
        let rules = rules(size, connect, reverse);
        let mut play = BiasedPlay::new(rules, 11);
        let mut solver = solver(rules);
        let mut seen = HashSet::new();
        for position in middle_games(rules, 300, 9) {
            if matches!(solver.bounds(&position, &unlimited()).exact(), Some(Value::Win(_))) {
                play_out(&position, &mut solver, &mut seen, &mut |_, moves| {
                    let (longest, _) = *moves.iter().max_by_key(|(_, bounds)| bounds.at_least).expect("a move");
                    vec![longest, moves[play.draw(moves.len())].0]
                });
            }
        }
        assert!(seen.len() > 20, "{rules}: {} positions on the way", seen.len());
    }
}

/// Draws are kept by the solver's moves, and losses come no sooner than its values say.
#[test]
fn best_play_from_both_sides_ends_as_and_when_the_value_says() {
    for (size, connect, reverse) in MIDDLE_GAMES {
        let rules = rules(size, connect, reverse);
        let mut play = BiasedPlay::new(rules, 13);
        let mut solver = solver(rules);
        for mut position in middle_games(rules, 60, 15) {
            let mut value = solver.bounds(&position, &unlimited()).exact().expect("nothing ends the search");
            while position.outcome().is_none() {
                let best = solver.best_moves(&position, &unlimited());
                assert!(!best.is_empty() && best.is_sorted());
                position = position.after(best[play.draw(best.len())]);
                let next = solver.bounds(&position, &unlimited()).exact().expect("nothing ends the search");
                assert_eq!(next.before_move(), value, "{}", named(&position));
                value = next;
            }
            assert_eq!(position.final_value(), Some(value));
        }
    }
}

fn assert_start_is_worth(size: u8, connect: u16, reverse: bool, nodes: u64, expected: Value) {
    let rules = rules(size, connect, reverse);
    let found = solver(rules).bounds(&Position::start(rules), &Control::nodes_only(nodes));
    assert_eq!(found, Bounds::exactly(expected), "{rules}");
}

#[test]
fn starts_are_worth_what_is_known() {
    const NODES: u64 = 50_000_000;
    for (size, connect, expected) in [
        (1, 0, Value::Win(1)),
        (2, 0, Value::Win(3)),
        (4, 3, Value::Win(5)),
        (5, 3, Value::Win(5)),
        (6, 3, Value::Win(5)),
        (7, 3, Value::Win(5)),
        (5, 4, Value::Draw),
        (6, 4, Value::Win(11)),
        (7, 4, Value::Win(11)),
        (6, 5, Value::Draw),
        (20, 21, Value::Draw),
    ] {
        assert_start_is_worth(size, connect, false, NODES, expected);
    }
    for (size, connect, expected) in
        [(1, 0, Value::Loss(1)), (2, 0, Value::Loss(3)), (4, 3, Value::Loss(15)), (20, 21, Value::Draw)]
    {
        assert_start_is_worth(size, connect, true, NODES, expected);
    }
    for size in 3..=20 {
        assert_start_is_worth(size, 0, false, NODES, Value::Draw);
    }
    for size in 3..=8 {
        assert_start_is_worth(size, 0, true, NODES, Value::Draw);
    }
}

/// Eight in a row are a draw on every board (Zetters, 1980), and what has a pairing is one under both rules
/// (Hales and Jewett, 1963).
#[test]
fn starts_that_theorems_settle_need_no_search() {
    const NODES: u64 = 1000;
    for size in 8..=20 {
        for connect in 8..=u16::from(size) {
            assert_start_is_worth(size, connect, false, NODES, Value::Draw);
        }
    }
    for size in 9..=20 {
        for connect in 9..=u16::from(size) {
            assert_start_is_worth(size, connect, true, NODES, Value::Draw);
        }
    }
}

/// True if bounds allow a value, and are bounds at all.
fn holds(bounds: Bounds, value: Value) -> bool {
    bounds.at_least <= value && value <= bounds.at_most
}

/// The result of a search that may be interrupted is true, and no more is claimed of moves than is proven.
fn assert_true_as_far_as_it_goes(solver: &mut Solver, known: &Judged, control: &Control) -> Result<(), TestCaseError> {
    let position = &known.position;
    let found = solver.bounds(position, control);
    prop_assert!(holds(found, known.value), "{found:?}, not {:?}: {}", known.value, named(position));
    let moves = solver.move_bounds(position, control);
    prop_assert_eq!(moves.len(), known.moves.len());
    for ((cell, found), (expected_cell, value)) in moves.into_iter().zip(&known.moves) {
        prop_assert_eq!(cell, *expected_cell);
        prop_assert!(holds(found, *value), "{cell} {found:?}, not {value:?}: {}", named(position));
    }
    let proof = solver.prove(position, control);
    prop_assert!(holds(proof.bounds, known.value), "{proof:?}, not {:?}: {}", known.value, named(position));
    Ok(())
}

fn assert_best_moves_are_best(solver: &mut Solver, known: &Judged, control: &Control) -> Result<(), TestCaseError> {
    let best = known.best_moves();
    let found = solver.best_moves(&known.position, control);
    prop_assert!(found.is_sorted());
    prop_assert!(found.iter().all(|cell| best.contains(cell)), "{found:?} of {best:?}: {}", named(&known.position));
    Ok(())
}

/// A position near the end of a game of any kind, judged.
fn endgames() -> impl Strategy<Value = Judged> {
    let boards = prop_oneof![
        Just((3u8, 0u16)),
        Just((4, 0)),
        Just((4, 3)),
        Just((4, 2)),
        Just((5, 0)),
        Just((5, 4)),
        Just((5, 3)),
        Just((6, 0)),
        Just((6, 4)),
        Just((7, 5)),
        Just((9, 5))
    ];
    (boards, any::<bool>(), 1usize..12, any::<u64>()).prop_filter_map(
        "a line",
        |((size, connect), reverse, empties, seed)| {
            let empties = empties.min(usize::from(size) * usize::from(size));
            BiasedPlay::new(rules(size, connect, reverse), seed).position(empties).map(Judged::new)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn an_interrupted_search_never_claims_a_wrong_proof(
        known in endgames(),
        nodes in prop::collection::vec(1u64..300, 1..6),
        depths in prop::collection::vec(prop::option::of(1u16..14), 1..6),
    ) {
        // One solver for all: what an interrupted search leaves behind must not mislead the next one.
        let mut solver = Solver::new(known.position.rules(), 1);
        for (nodes, depth) in nodes.iter().zip(&depths) {
            let control = Control::nodes_only(*nodes).with_depth(*depth);
            assert_true_as_far_as_it_goes(&mut solver, &known, &control)?;
            let control = Control::unlimited().with_depth(*depth);
            assert_true_as_far_as_it_goes(&mut solver, &known, &control)?;
        }
        assert_right(&mut solver, &known);
    }

    #[test]
    fn an_interrupted_search_names_no_move_best_that_is_not(
        known in endgames(),
        nodes in prop::collection::vec(1u64..300, 1..6),
        depth in prop::option::of(1u16..14),
    ) {
        let mut solver = Solver::new(known.position.rules(), 1);
        for nodes in nodes {
            assert_best_moves_are_best(&mut solver, &known, &Control::nodes_only(nodes).with_depth(depth))?;
        }
        let control = Control::unlimited().with_depth(depth);
        assert_best_moves_are_best(&mut solver, &known, &control)?;
        prop_assert_eq!(solver.best_moves(&known.position, &unlimited()), known.best_moves());
    }

    #[test]
    fn as_many_plies_as_are_left_are_enough_for_a_proof(known in endgames(), more in 0u16..3) {
        let plies = known.position.empty_cells() as u16 + more;
        let found = solver(known.position.rules()).bounds(&known.position, &Control::unlimited().with_depth(Some(plies)));
        prop_assert_eq!(found, Bounds::exactly(known.value));
    }

    #[test]
    fn a_win_or_loss_within_the_plies_of_a_proof_is_found(known in endgames(), more in 0u16..3) {
        let Some(plies) = known.value.plies() else { return Ok(()) };
        let control = Control::unlimited().with_depth(Some(plies + more));
        prop_assert_eq!(solver(known.position.rules()).bounds(&known.position, &control), Bounds::exactly(known.value));
    }
}

#[test]
fn a_proof_equals_the_bounds_and_its_reasons_can_be_checked() {
    for (size, connect, reverse) in MIDDLE_GAMES {
        let rules = rules(size, connect, reverse);
        for position in middle_games(rules, 150, 17) {
            let proof = solver(rules).prove(&position, &unlimited());
            assert_eq!(proof.bounds, solver(rules).bounds(&position, &unlimited()), "{}", named(&position));
            assert!(proof.attack.is_some() && proof.defence.is_some(), "nothing is open: {}", named(&position));
            assert_proof_holds(&position, proof.bounds, [&proof.attack, &proof.defence]);
        }
    }
}
