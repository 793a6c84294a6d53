//! Positions: they keep to plain rules, and are read back from what is printed.

use noughts::game::{Cell, CellSet, Diagram, MoveText, Notation, Position, Rules, Symmetry};
use noughts::protocol::{PositionCommand, fen};
use noughts::text::board;
use noughts_oracle::{Board, Player};

use super::input::Input;
use super::oracle;

/// A board is set up as the first bytes say, and moves are played on it; or a text is read as a position.
pub fn law(data: &[u8]) {
    let mut input = Input::new(data);
    let rules = input.rules(20);
    if input.is_below(64) {
        return text(rules, input.rest());
    }
    let mut plain = oracle::empty_board(rules);
    let position =
        if input.is_below(96) { set_up(rules, &mut plain, &mut input) } else { Some(Position::start(rules)) };
    let Some(mut position) = position else { return };
    holds(&position, &plain);
    while !input.is_empty() {
        // Now and then a cell next to the board, or one that is taken.
        let cell = Cell::new((input.below(plain.rows + 1) % 20) as u8, (input.below(plain.columns + 1) % 20) as u8);
        let index = cell.index(rules.shape());
        let is_legal = rules.shape().contains(cell) && plain.moves().contains(&index);
        let before = position;
        assert_eq!(position.play(cell).is_ok(), is_legal, "{cell}");
        if is_legal {
            plain.play(index);
            assert_eq!(before.after(cell), position);
        } else {
            assert_eq!(before, position);
        }
    }
    holds(&position, &plain);
}

/// A board with any stones. The library refuses what cannot be a position of a game.
fn set_up(rules: Rules, plain: &mut Board, input: &mut Input<'_>) -> Option<Position> {
    for cell in 0..plain.stones.len().min(1 + input.below(400)) {
        plain.stones[cell] = [None, None, Some(Player::X), Some(Player::O)][input.below(4)];
    }
    if input.is_below(128) {
        lay_line(plain, input);
    }
    plain.side = *input.choose(&Player::BOTH);
    let count = |player| plain.stones.iter().filter(|&&stone| stone == Some(player)).count();
    let (own, other) = (count(plain.side), count(!plain.side));
    let both = Player::BOTH.into_iter().all(|player| !plain.completed(player).is_empty());
    let is_possible = (own == other || own + 1 == other) && !both;
    let position = oracle::position_of(plain, rules);
    assert_eq!(position.is_some(), is_possible, "{plain:?}");
    position
}

/// Lays stones of one player side by side, and lets the other one catch up: long lines are rare otherwise.
fn lay_line(plain: &mut Board, input: &mut Input<'_>) {
    let owner = *input.choose(&Player::BOTH);
    let (mut row, mut column) = (input.below(plain.rows) as isize, input.below(plain.columns) as isize);
    let (down, right) = *input.choose(&[(0, 1), (1, 0), (1, 1), (1, -1)]);
    let (rows, columns) = (plain.rows as isize, plain.columns as isize);
    for _ in 0..plain.length + input.below(2) {
        if !(0..rows).contains(&row) || !(0..columns).contains(&column) {
            break;
        }
        plain.stones[(row * columns + column) as usize] = Some(owner);
        (row, column) = (row + down, column + right);
    }
    let count = |plain: &Board, player| plain.stones.iter().filter(|&&stone| stone == Some(player)).count();
    // Every other empty cell, so that the other one completes no line of its own that is long.
    for cell in plain.empties().into_iter().step_by(2) {
        if count(plain, !owner) < count(plain, owner) {
            plain.stones[cell] = Some(!owner);
        }
    }
}

/// The position is that of the plain board.
fn holds(position: &Position, plain: &Board) {
    let rules = position.rules();
    assert_eq!(position.outcome(), oracle::outcome(plain), "{plain:?}");
    assert_eq!(position.side(), oracle::player(plain.side));
    assert_eq!(position.empty_cells(), plain.empties().len());
    let moves: Vec<usize> = position.moves().map(|cell| cell.index(rules.shape())).collect();
    assert_eq!(moves, plain.moves());
    assert_eq!(&oracle::board_of(position), plain);
    let line: CellSet = Player::BOTH
        .iter()
        .flat_map(|&player| plain.completed(player))
        .flatten()
        .map(|cell| oracle::cell(plain, cell))
        .collect();
    assert_eq!(position.completed_line(), line);
    // Printed and read back, in both forms.
    let diagram = position.diagram();
    let command: PositionCommand = format!("fen {diagram}").parse().expect("a position that was printed");
    assert_eq!(Position::reach(rules, command.diagram.as_ref(), &command.moves), Ok(*position));
    // The side to move follows from the stones, except that X begins when they are equal.
    let silent = Position::set_up(rules, &Diagram { side: None, ..diagram.clone() });
    let is_even = plain.empties().len() % 2 == plain.stones.len() % 2;
    assert!(is_even && plain.side == Player::O || silent == Ok(*position), "{diagram}: {silent:?}");
    let foreign = fen(&diagram.fen()).expect("a FEN that was printed");
    assert_eq!(Position::set_up(rules, &foreign), Ok(*position));
    for cell in Cell::all(rules.shape()) {
        for notation in [Notation::RowColumn, Notation::Drop] {
            let written: MoveText = notation.write(cell, rules.shape()).to_string().parse().expect("a move");
            let is_legal = moves.contains(&cell.index(rules.shape()));
            assert_eq!(position.legal_move(written).ok(), is_legal.then_some(cell));
        }
    }
    // All images are one position, and end alike.
    for symmetry in Symmetry::all(position.rules().shape()) {
        let image = position.image(symmetry);
        let plain = oracle::board_of(&image);
        assert_eq!(image.outcome(), oracle::outcome(&plain));
        assert_eq!(oracle::position_of(&plain, rules), Some(image));
        let counts = |position: &Position| (position.moves().count(), position.completed_line().len());
        assert_eq!(counts(&image), counts(position));
        assert_eq!(image.canonical(), position.canonical());
    }
    assert!(board::describe(position).lines().all(|line| line.chars().all(|letter| !letter.is_control())));
}

/// A text is a position that is read back, or an error of one line.
fn text(rules: Rules, bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(command) = text.parse::<PositionCommand>() else { return };
    match Position::reach(rules, command.diagram.as_ref(), &command.moves) {
        Ok(position) => holds(&position, &oracle::board_of(&position)),
        Err(error) => assert!(error.to_string().bytes().all(|byte| (b' '..=b'~').contains(&byte)), "{error}"),
    }
}
