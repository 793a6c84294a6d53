//! The solver, its explanations and the players that prove: everything that counts as proven is so by plain alpha-beta.

use noughts::engine::{Engine, GoRequest, Options, PlayerKind};
use noughts::game::{Bounds, Cell, Position, Score, Value};
use noughts::search::{
    Control, Explanation, Limits, Solver, Stream, Technique, Textbook, Tiebreak, ValueTable, generator,
};
use noughts_oracle::Board;

use super::input::Input;
use super::oracle::{self, Judged};

/// The most empty cells for which plain alpha-beta is quick.
const MOST_EMPTY: usize = 8;

/// A position on a board of up to 4x4, and who is asked about it.
pub fn law(data: &[u8]) {
    let mut input = Input::new(data);
    let rules = input.rules(4);
    let kind = input.below(4);
    let without = usize::from(input.byte()) << 8 | usize::from(input.byte());
    let nodes = 1 + input.below(2000) as u64;
    let mut plain = oracle::empty_board(rules);
    let empties = 1 + input.below(MOST_EMPTY);
    input.play_on(&mut plain, empties);
    if plain.empties().len() > MOST_EMPTY {
        return;
    }
    let position = oracle::position_of(&plain, rules).expect("played by the rules");
    let known = Judged::new(position);
    let value = known.value;
    if let Some(table) = ValueTable::for_rules(rules) {
        assert_eq!(table.value(&position), value, "{plain:?}");
    }
    let values: Vec<Value> = known.moves.iter().map(|(_, value)| *value).collect();
    let off: Vec<Technique> =
        (0..).zip(Technique::ALL).filter(|(bit, _)| without >> bit & 1 == 1).map(|(_, technique)| technique).collect();
    let mut solver = Solver::within_bytes(rules, 1 << 16).without(&off);
    match kind {
        0 => {
            let free = Control::unlimited();
            assert_eq!(solver.bounds(&position, &free).exact(), Some(value), "{plain:?} {off:?}");
            let moves: Vec<Value> = solver
                .move_bounds(&position, &free)
                .into_iter()
                .map(|(_, bounds)| bounds.exact().expect("a proof"))
                .collect();
            assert_eq!(moves, values, "{plain:?} {off:?}");
            assert_eq!(solver.best_moves(&position, &free), known.best_moves(), "{plain:?} {off:?}");
            let line = solver.principal_variation(&position, &free);
            assert_eq!(line.len() as u16, value.plies().unwrap_or(1), "{plain:?} {off:?}");
            line.into_iter().fold(position, Position::after);
        }
        1 => {
            let few = Control::nodes_only(nodes);
            within(solver.bounds(&position, &few), value, &plain);
            for ((_, bounds), &value) in solver.move_bounds(&position, &few).into_iter().zip(&values) {
                within(bounds, value, &plain);
            }
        }
        2 => explained(&mut solver, &position, &values, value, nodes),
        _ => played(&position, &values, value, nodes, &mut input),
    }
}

fn within(bounds: Bounds, value: Value, plain: &Board) {
    assert!(bounds.at_least <= value && value <= bounds.at_most, "{value} is not within {bounds:?}: {plain:?}");
}

/// The claims of an explanation about the position, and about each of its moves.
fn explained(solver: &mut Solver, position: &Position, values: &[Value], value: Value, nodes: u64) {
    let plain = oracle::board_of(position);
    let mut check = |cell: Option<Cell>| {
        let found = Explanation::find(solver, position, cell, &Control::nodes_only(nodes));
        within(found.before, value, &plain);
        let moves = || position.moves().zip(values);
        for (cell, &of_move) in moves() {
            let is_best = of_move == value;
            assert!(is_best || !found.best.contains(&cell), "{cell} is not best: {plain:?}");
            assert!(!is_best || !found.best_is_complete || found.best.contains(&cell), "{cell} is best: {plain:?}");
        }
        if let Some((cell, bounds)) = found.played {
            within(bounds, *moves().find(|found| found.0 == cell).expect("a move").1, &plain);
        }
        for line in [&found.line, &found.better] {
            line.iter().fold(*position, |position, &cell| position.after(cell));
        }
    };
    check(None);
    position.moves().for_each(|cell| check(Some(cell)));
}

/// The results that a player of the engine calls proven.
fn played(position: &Position, values: &[Value], value: Value, nodes: u64, input: &mut Input<'_>) {
    let player = *input.choose(&[
        PlayerKind::Mcts,
        PlayerKind::Auto,
        PlayerKind::Perfect,
        PlayerKind::Textbook(Textbook::ALL[0]),
        PlayerKind::Textbook(Textbook::ALL[Textbook::ALL.len() - 1]),
    ]);
    let tiebreak = *input.choose(&[Tiebreak::First, Tiebreak::Random, Tiebreak::Trap]);
    let options = Options { rules: position.rules(), player, tiebreak, hash: 1, seed: 1, ..Options::default() };
    let limits = Limits { nodes: nodes.min(300).try_into().ok(), ..Limits::default() };
    let seed = u64::from(input.byte());
    let options = Options { multi_pv: 1 + input.below(16) as u32, ..options };
    let request = GoRequest::new(*position, options, limits, generator(seed, Stream::Go(1)));
    let found = Engine::new().think(request, Default::default(), &mut |_| {}).result;
    let agrees = |score, value: Value| match score {
        Score::Exact(exact) => exact == value,
        Score::Within(most) => most.result() == value.result() && most.plies() >= value.plies(),
        Score::Estimate(result) => (-1.0..=1.0).contains(&result),
    };
    let said = || format!("{player:?} says {found:?} of {:?}", oracle::board_of(position));
    assert!(agrees(found.score, value), "{}", said());
    for line in &found.lines {
        let place = position.moves().position(|cell| cell == line.first_move()).expect("a legal move");
        assert!(agrees(line.score, values[place]), "{}", said());
        line.principal_variation.iter().fold(*position, |position, &cell| position.after(cell));
    }
}
