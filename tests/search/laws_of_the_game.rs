//! The game floor against known counts and against itself.

use std::collections::HashSet;

use crate::common::{oracle, positions_by_ply, rules};
use noughts::game::{Cell, Outcome, Position};

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

/// The law `positions` of `fuzz` has larger boards.
#[test]
fn an_outcome_is_what_a_plain_look_at_the_board_says() {
    for (size, connect) in [(3, 0), (3, 2), (3, 1), (3, 4), (2, 0), (1, 0)] {
        for reverse in [false, true] {
            for position in positions_by_ply(rules(size, connect, reverse)).concat() {
                assert_eq!(position.outcome(), oracle::outcome(&oracle::board_of(&position)), "{}", position.diagram());
            }
        }
    }
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
