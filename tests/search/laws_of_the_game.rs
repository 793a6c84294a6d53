//! The game floor against known counts and against itself.

use std::collections::HashSet;

use crate::common::{PlainGame, positions_by_ply, rules};
use noughts::game::{Cell, Diagram, Outcome, Player, Position, Symmetry};

#[test]
fn the_positions_of_3x3_are_as_many_as_known_by_ply() {
    for reverse in [false, true] {
        let plies = positions_by_ply(rules(3, 0, reverse));
        let counts: Vec<usize> = plies.iter().map(Vec::len).collect();
        assert_eq!(counts, [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]);
        let all: Vec<Position> = plies.concat();
        let finished = all.iter().filter(|position| position.outcome().is_some()).count();
        let draws = all.iter().filter(|position| position.outcome() == Some(Outcome::Draw)).count();
        assert_eq!((all.len(), finished, draws), (5478, 958, 16));
        let classes: HashSet<Position> = all.iter().map(Position::canonical).collect();
        assert_eq!(classes.len(), 765);
    }
}

#[test]
fn the_games_of_3x3_are_as_many_as_known() {
    fn perft(position: Position, depth: usize) -> u64 {
        if depth == 0 { 1 } else { position.moves().map(|cell| perft(position.after(cell), depth - 1)).sum() }
    }
    fn finished_games(position: Position) -> u64 {
        match position.outcome() {
            Some(_) => 1,
            None => position.moves().map(|cell| finished_games(position.after(cell))).sum(),
        }
    }
    let start = Position::start(rules(3, 0, false));
    let counts: Vec<u64> = (1..=9).map(|depth| perft(start, depth)).collect();
    assert_eq!(counts, [9, 72, 504, 3024, 15_120, 54_720, 148_176, 200_448, 127_872]);
    assert_eq!(finished_games(start), 255_168);
}

#[test]
fn the_first_plies_of_4x4_are_as_many_as_known() {
    let mut ply = HashSet::from([Position::start(rules(4, 0, false))]);
    for expected in [1, 16, 240, 1680, 10_920, 43_680, 160_160] {
        assert_eq!(ply.len(), expected);
        ply = ply.iter().flat_map(|position| position.moves().map(|cell| position.after(cell))).collect();
    }
}

#[test]
fn an_outcome_is_what_a_plain_look_at_the_board_says() {
    for (size, connect) in [(3, 0), (3, 2), (3, 1), (3, 4), (2, 0), (1, 0)] {
        for reverse in [false, true] {
            let plain = PlainGame::new(size, connect, reverse);
            for position in positions_by_ply(rules(size as u8, connect as u16, reverse)).concat() {
                let (board, _) = PlainGame::read(&position);
                let completed = Player::BOTH
                    .into_iter()
                    .find(|&player| plain.has_line(&board, if player == Player::X { 1 } else { 2 }));
                let expected = match completed {
                    Some(player) => Some(Outcome::Win(if reverse { !player } else { player })),
                    None if board.iter().all(|&stone| stone != 0) => Some(Outcome::Draw),
                    None => None,
                };
                assert_eq!(position.outcome(), expected, "{}", position.diagram());
            }
        }
    }
}

/// Random games on boards of every size, with the positions on the way.
fn random_games(mut visit: impl FnMut(&Position)) {
    let mut state = 1u64;
    let mut random = move |bound: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    };
    for size in 1..=20u8 {
        for connect in [0, 1, 3, 5, u16::from(size) + 1] {
            let mut position = Position::start(rules(size, connect, size % 2 == 0));
            visit(&position);
            while position.outcome().is_none() {
                let moves: Vec<Cell> = position.moves().collect();
                position = position.after(moves[random(moves.len())]);
                visit(&position);
            }
        }
    }
}

#[test]
fn a_position_from_moves_equals_the_one_set_up_from_its_text() {
    random_games(|position| {
        let diagram = position.diagram();
        assert_eq!(Position::set_up(position.rules(), &diagram), Ok(*position), "{diagram}");
        // The side to move follows from the stones, except that X begins when they are equal.
        let silent = Diagram { side: None, ..diagram };
        assert_eq!(Position::set_up(position.rules(), &silent), Ok(*position), "{silent}");
    });
}

#[test]
fn symmetries_keep_outcome_and_moves_and_share_a_canonical_form() {
    random_games(|position| {
        let canonical = position.canonical();
        for symmetry in Symmetry::all() {
            let image = position.image(symmetry);
            assert_eq!(image.outcome(), position.outcome());
            assert_eq!(image.moves().count(), position.moves().count());
            assert_eq!(image.completed_line().len(), position.completed_line().len());
            assert_eq!(Position::set_up(image.rules(), &image.diagram()), Ok(image));
            assert_eq!(image.canonical(), canonical);
        }
    });
}

#[test]
fn a_completed_line_is_shown_whole_and_only_when_there_is_one() {
    let play = |size, connect, cells: &[(u8, u8)]| {
        cells.iter().fold(Position::start(rules(size, connect, false)), |position, &(row, column)| {
            position.after(Cell::new(row, column))
        })
    };
    let cells = |position: Position| {
        position.completed_line().iter().map(|cell| (cell.row(), cell.column())).collect::<Vec<_>>()
    };
    assert_eq!(cells(play(3, 0, &[(0, 0), (1, 0), (0, 1), (1, 1)])), []);
    assert_eq!(cells(play(3, 0, &[(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)])), [(0, 0), (0, 1), (0, 2)]);
    // Longer than asked for, completed in the middle.
    let long = play(5, 3, &[(0, 0), (4, 0), (0, 1), (4, 2), (0, 3), (4, 4), (0, 4), (2, 0), (0, 2)]);
    assert_eq!(cells(long), [(0, 0), (0, 1), (0, 2), (0, 3), (0, 4)]);
    // Two lines completed by one stone.
    let two = play(3, 0, &[(0, 0), (1, 0), (0, 1), (1, 1), (1, 2), (2, 0), (2, 2), (2, 1), (0, 2)]);
    assert_eq!(cells(two), [(0, 0), (0, 1), (0, 2), (1, 2), (2, 2)]);
}
