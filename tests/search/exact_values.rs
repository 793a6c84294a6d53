//! Every position of 4x4 against a plain retrograde table: values, distances, and the best moves.

use crate::common::oracle::{exchanged, stones, table_of_4x4, table_value};
use crate::common::part::Part;
use crate::common::rules;
use noughts::game::{Bounds, Cell, Player, Position, Symmetry, Value};
use noughts::search::{Control, Solver};
use noughts_oracle::{Stones, Table};

/// MiB of the solver's tables.
const MEMORY: u32 = 64;

/// Visits every position in which the game goes on exactly once.
///
/// Each side plays its stones in reading order. Every set of stones without a line is reached in that way, and on no
/// second one, because a part of it has no line either.
fn visit(position: Position, last: [Option<Cell>; 2], see: &mut impl FnMut(&Position)) {
    see(&position);
    let side = position.side() as usize;
    for cell in position.moves().filter(|cell| Some(*cell) > last[side]) {
        let after = position.after(cell);
        if after.outcome().is_none() {
            let mut last = last;
            last[side] = Some(cell);
            visit(after, last, see);
        }
    }
}

pub fn visit_all(connect: u16, reverse: bool, mut see: impl FnMut(&Position)) {
    visit(Position::start(rules(4, connect, reverse)), [None, None], &mut see);
}

/// The images of every set of cells under each symmetry of the board.
fn images() -> Vec<Vec<u32>> {
    let image = |symmetry: Symmetry| {
        let cells: Vec<usize> = Cell::all(4).map(|cell| symmetry.apply(cell, 4).index(4)).collect();
        let moved = |set: u32| (0..16).filter(|cell| set >> cell & 1 == 1).fold(0, |set, cell| set | 1 << cells[cell]);
        (0..1 << 16).map(moved).collect()
    };
    Symmetry::all(4).map(image).collect()
}

/// True if the stones are the smallest of their eight images.
fn stands_for_its_images(stones: Stones, images: &[Vec<u32>]) -> bool {
    let image = |moved: &Vec<u32>| moved[(stones & 0xffff) as usize] | moved[(stones >> 16) as usize] << 16;
    images.iter().all(|moved| stones <= image(moved))
}

/// The value and the distance of every position of a part; all best moves and no other, up to the symmetries of the board;
/// and what an eighth of the finished games ended in.
///
/// Together this means that a win is played out in time: a best move of a position won in n plies leads to one lost in
/// n - 1, and every answer to that into one won in n - 2 or less.
fn positions_are_right(part: Part, reverse: bool) {
    let table = table_of_4x4(reverse);
    let control = Control::unlimited();
    let images = images();
    let mut solver = Solver::new(rules(4, 0, reverse), MEMORY);
    let (mut visited, mut searched, mut finished) = (0, 0, 0u64);
    visit_all(0, reverse, |position| {
        visited += 1;
        let stones = stones(position);
        if !part.has(stones.into()) {
            return;
        }
        searched += 1;
        let value = table_value(table, stones);
        let found = solver.bounds(position, &control);
        assert_eq!(found, Bounds::exactly(value), "{}: {}", position.rules(), position.diagram());
        if stands_for_its_images(stones, &images) {
            let after = table.children(stones).map(|child| table_value(table, child).before_move());
            let best = position.moves().zip(after).filter(|(_, worth)| *worth == value).map(|(cell, _)| cell);
            assert_eq!(solver.best_moves(position, &control), best.collect::<Vec<_>>(), "{}", position.diagram());
        }
        for (cell, child) in position.moves().zip(table.children(stones)).filter(|(_, child)| table.is_over(*child)) {
            finished += 1;
            if finished.is_multiple_of(8) {
                let after = position.after(cell);
                assert!(after.outcome().is_some());
                assert_eq!(solver.bounds(&after, &control), Bounds::exactly(table_value(table, child)));
                assert!(solver.move_bounds(&after, &control).is_empty());
                assert!(solver.best_moves(&after, &control).is_empty());
            }
        }
    });
    assert_eq!(visited, 9_062_619);
    // The two parts together have every position once.
    assert_eq!(searched, SEARCHED[part as usize]);
    assert!(finished > 80_000, "{finished}");
}

/// The positions of the daily part and of the rest.
const SEARCHED: [u32; 2] = [1_813_758, 7_248_861];

#[test]
fn a_fifth_of_4x4_and_the_best_moves_equal_the_plain_table() {
    positions_are_right(Part::Daily, false);
}

#[test]
fn a_fifth_of_reverse_4x4_and_the_best_moves_equal_the_table() {
    positions_are_right(Part::Daily, true);
}

#[test]
fn the_plain_table_of_4x4_counts_what_is_known() {
    for (reverse, won, drawn, lost, longest) in
        [(false, 2_730_266, 6_025_833, 306_520, 7), (true, 1_549_388, 6_712_885, 800_346, 10)]
    {
        let table = table_of_4x4(reverse);
        let by_ply: Vec<usize> = table.plies().iter().map(Vec::len).collect();
        let known = [
            1, 16, 240, 1680, 10_920, 43_680, 160_160, 400_400, 895_950, 1_433_520, 1_962_576, 1_962_576, 1_543_080,
            881_760, 333_792, 83_440, 8220,
        ];
        assert_eq!(by_ply, known);
        let all = || table.plies().iter().flatten().copied();
        assert_eq!(all().count(), 9_722_011);
        assert_eq!(all().filter(|&stones| table.is_over(stones)).count(), 659_392);
        assert_eq!(
            all().filter(|&stones| table.is_over(stones) && table_value(table, stones) == Value::Draw).count(),
            5356
        );
        let images = images();
        assert_eq!(all().filter(|&stones| stands_for_its_images(stones, &images)).count(), 1_217_977);
        let values = || all().filter(|&stones| !table.is_over(stones)).map(|stones| table_value(table, stones));
        let counts = [1, 0, -1].map(|result| values().filter(|value| value.result() == result).count());
        assert_eq!(counts, [won, drawn, lost]);
        assert_eq!(values().filter_map(Value::plies).max(), Some(longest));
        assert_eq!(table_value(table, 0), Value::Draw);
        assert!(table.children(0).all(|child| table_value(table, child) == Value::Draw));
    }
}

fn short_lines_are_right(part: Part) {
    // Every so many positions are searched.
    for (connect, step, reverse, start) in [
        (2, 1, false, Value::Win(3)),
        (2, 1, true, Value::Loss(9)),
        (3, 5, false, Value::Win(5)),
        (3, 5, true, Value::Loss(15)),
    ] {
        let rules = rules(4, connect, reverse);
        let table = Table::new(4, connect.into(), reverse);
        assert_eq!(table_value(&table, 0), start);
        let control = Control::unlimited();
        let mut solver = Solver::new(rules, MEMORY);
        let mut number = 0;
        visit_all(connect, reverse, |position| {
            if number % step == 0 && part.has(number) {
                let expected = Bounds::exactly(table_value(&table, stones(position)));
                assert_eq!(solver.bounds(position, &control), expected, "{rules}: {}", position.diagram());
            }
            number += 1;
        });
    }
}

#[test]
fn a_fifth_of_short_lines_on_4x4_equals_the_plain_table() {
    short_lines_are_right(Part::Daily);
}

/// The other four fifths.
mod long {
    use super::*;

    #[test]
    #[ignore = "long: scripts/check all"]
    fn all_other_positions_of_4x4_equal_the_plain_table() {
        positions_are_right(Part::Rest, false);
    }

    #[test]
    #[ignore = "long: scripts/check all"]
    fn all_other_positions_of_reverse_4x4_equal_the_table() {
        positions_are_right(Part::Rest, true);
    }

    #[test]
    #[ignore = "long: scripts/check all"]
    fn other_short_lines_on_4x4_equal_the_plain_table() {
        short_lines_are_right(Part::Rest);
    }
}

/// Positions of games that O began are those with the colours exchanged.
#[test]
fn exchanged_colours_change_no_value_of_4x4() {
    const STEP: usize = 97;
    for reverse in [false, true] {
        let table = table_of_4x4(reverse);
        let control = Control::unlimited();
        let mut solver = Solver::new(rules(4, 0, reverse), MEMORY);
        let mut number = 0;
        visit_all(0, reverse, |position| {
            if number % STEP == 0 {
                let exchanged = exchanged(position);
                assert_eq!(exchanged.side() == Player::X, position.side() == Player::O);
                let expected = Bounds::exactly(table_value(table, stones(position)));
                assert_eq!(solver.bounds(&exchanged, &control), expected, "{}", exchanged.diagram());
            }
            number += 1;
        });
    }
}
