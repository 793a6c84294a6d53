//! The known values of empty boards without a search, held against the lines, against play and against brute force.

use std::collections::BTreeMap;

use crate::common::oracle::{table_of_4x4, table_value};
use crate::common::random_games::any_move;
use crate::common::rules;
use noughts::game::{Bounds, Cell, CellSet, MAX_SIZE, Outcome, Player, Position, Rules, Value};
use noughts::search::known_values::{KnownReason, KnownValue, Reply, Theorem, known_value, pairing, replies};
use noughts::search::{Control, Reason, Solver, Stream, ValueTable, below, generator};
use noughts_oracle::Table;

/// All games with up to one more in a row than the board is long.
fn all_rules(reverse: bool) -> impl Iterator<Item = Rules> {
    (1..=MAX_SIZE).flat_map(move |size| (0..=u16::from(size) + 1).map(move |connect| rules(size, connect, reverse)))
}

/// The cell opposite to `cell` as seen from the centre.
fn opposite(cell: Cell, size: u8) -> Cell {
    Cell::new(size - 1 - cell.row(), size - 1 - cell.column())
}

/// Both answers, or nothing where `settled` says nothing.
fn reasons(rules: Rules) -> (Option<KnownReason>, Option<KnownReason>) {
    known_value(rules).map_or((None, None), |settled| (settled.mover_cannot_force, settled.opponent_cannot_force))
}

#[test]
fn every_pairing_is_disjoint_on_the_board_and_blocks_all_lines() {
    for rules in all_rules(false).chain(all_rules(true)) {
        let Some(pairs) = pairing(rules) else { continue };
        let cells: Vec<Cell> = pairs.iter().flat_map(|&(first, second)| [first, second]).collect();
        let set: CellSet = cells.iter().copied().collect();
        assert_eq!(set.len(), cells.len(), "{rules}: a cell is in two pairs");
        assert!(
            cells.iter().all(|cell| cell.row() < rules.shape().rows && cell.column() < rules.shape().rows),
            "{rules}"
        );
        for line in rules.lines() {
            let blocked = pairs.iter().any(|&(first, second)| line.contains(first) && line.contains(second));
            assert!(blocked, "{rules}: {:?} holds no pair", line.iter().collect::<Vec<_>>());
        }
    }
}

#[test]
fn there_are_pairings_up_to_the_sizes_that_are_known() {
    for size in 1..=MAX_SIZE {
        for connect in 1..=u16::from(size) {
            let largest = match connect {
                5 => 5,
                6 => 7,
                7 => 10,
                8 => 13,
                9.. => MAX_SIZE,
                _ => 0,
            };
            for reverse in [false, true] {
                let rules = rules(size, connect, reverse);
                assert_eq!(pairing(rules).is_some(), size <= largest, "{rules}");
            }
        }
    }
    assert_eq!(pairing(rules(3, 4, false)), Some(Vec::new()));
}

#[test]
fn normal_starts_are_known_draws_or_left_to_the_search() {
    let mut counts = BTreeMap::new();
    let mut open: BTreeMap<u16, Vec<u8>> = BTreeMap::new();
    for size in 1..=MAX_SIZE {
        for connect in 1..=u16::from(size) {
            let (mover, opponent) = reasons(rules(size, connect, false));
            assert!(opponent.is_some(), "the second player never wins");
            match mover {
                Some(why) => *counts.entry(format!("{why:?}")).or_insert(0) += 1,
                None => open.entry(connect).or_default().push(size),
            }
        }
    }
    let expected = [("OneReply", 3), ("Pairing", 91), ("Theorem(EightInARow)", 7), ("Theorem(FiveInARow)", 2)];
    assert_eq!(counts, expected.map(|(why, count)| (why.to_owned(), count)).into());
    let sizes = |sizes: std::ops::RangeInclusive<u8>| sizes.collect::<Vec<u8>>();
    let left = [1..=20, 2..=20, 3..=20, 4..=20, 9..=20, 9..=20, 12..=20].map(sizes);
    assert_eq!(open, (1..).zip(left).collect());
    assert_eq!(open.values().map(Vec::len).sum::<usize>(), 107);
}

#[test]
fn every_first_move_has_a_reply_after_which_pairs_block() {
    let mut openings = Vec::new();
    for rules in all_rules(false).chain(all_rules(true)) {
        let size = rules.shape().rows;
        let stored: Vec<Reply> = Cell::all(size).flat_map(|cell| replies(rules, cell)).collect();
        if stored.is_empty() {
            assert_ne!(reasons(rules).0, Some(KnownReason::OneReply), "{rules}");
            continue;
        }
        assert!(!rules.reverse(), "{rules}");
        let answered: CellSet = stored.iter().map(|reply| reply.first_move).collect();
        assert_eq!(answered.len(), rules.cells(), "{rules}: every first move is answered");
        for Reply { first_move, reply, pairs } in stored {
            let context = || format!("{rules}: {first_move} {reply}");
            let mut start = Position::start(rules);
            for cell in [first_move, reply] {
                start.play(cell).expect("a legal move");
            }
            let cells: Vec<Cell> = pairs.iter().flat_map(|&(first, second)| [first, second]).collect();
            let set: CellSet = cells.iter().copied().collect();
            assert_eq!(set.len(), cells.len(), "{}: a cell is in two pairs", context());
            assert!(cells.iter().all(|&cell| start.moves().any(|empty| empty == cell)), "{}", context());
            for line in rules.lines().iter().filter(|line| !line.contains(reply)) {
                let is_blocked = pairs.iter().any(|&(first, second)| line.contains(first) && line.contains(second));
                assert!(is_blocked, "{}: {:?} holds no pair", context(), line.iter().collect::<Vec<_>>());
            }
        }
        openings.push((size, rules.line_length()));
    }
    for game in [(6, Some(5)), (8, Some(6)), (11, Some(7))] {
        assert!(openings.contains(&game), "{game:?}");
    }
}

#[test]
fn the_solver_knows_the_replies_and_their_pairs() {
    let mut generator = generator(10, Stream::Go(0));
    for (size, connect) in [(6, 5), (8, 6), (11, 7)] {
        let rules = rules(size, connect, false);
        // The solver finds the stored reply, and the answers inside the pairs, within a few nodes.
        for first_move in Cell::all(size).step_by(3) {
            let mut position = Position::start(rules).after(first_move);
            let answers: Vec<Cell> = replies(rules, first_move).map(|reply| reply.reply).collect();
            let mut solver = Solver::new(rules, 1);
            for ply in 0..3 {
                let solution = solver.solve(&position, &Control::nodes_only(20), &mut |_, _, _| {});
                assert!(solution.bounds.at_least >= Value::Draw, "{}", position.diagram());
                let reply = solution.best.expect("a move that keeps the draw");
                assert!(ply > 0 || answers.contains(&reply), "{}", position.diagram());
                position = position.after(reply);
                position = position.after(any_move(&position, &mut generator));
            }
        }
    }
}

#[test]
fn two_in_a_row_reverse_is_lost_on_boards_of_even_size() {
    for rules in all_rules(true).filter(|rules| rules.connect() != 0) {
        let known = known_value(rules);
        let within = known.and_then(|known| known.opponent_wins_within);
        let is_lost = rules.shape().rows % 2 == 0 && rules.line_length() == Some(2);
        let size = u16::from(rules.shape().rows);
        assert_eq!(within, is_lost.then_some(size * size / 2 + 1), "{rules}");
        if let Some(plies) = within {
            assert_eq!(reasons(rules), (Some(KnownReason::Mirror), None));
            let bounds = known.expect("a known value").bounds();
            assert_eq!(bounds, Bounds { at_least: Bounds::UNKNOWN.at_least, at_most: Value::Loss(plies) });
            let proof = Solver::new(rules, 1).prove(&Position::start(rules), &Control::nodes_only(100));
            assert_eq!(proof.defence, Some(Reason::MirrorWin), "{rules}");
            assert!(proof.bounds.at_most <= Value::Loss(plies), "{rules}: {:?}", proof.bounds);
        }
    }
    // The bound is the value itself on the boards where brute force tells.
    let loss = |size| {
        Solver::new(rules(size, 2, true), 16).bounds(&Position::start(rules(size, 2, true)), &Control::unlimited())
    };
    assert_eq!([loss(2), loss(4)], [3, 9].map(|plies| Bounds::exactly(Value::Loss(plies))));
}

/// A player who answers with mirror images completes no line of two before its opponent, and the game is lost in time.
#[test]
fn mirror_images_win_two_in_a_row_reverse() {
    let mut generator = generator(11, Stream::Go(0));
    for size in (2..=MAX_SIZE).step_by(2) {
        let rules = rules(size, 2, true);
        let most = known_value(rules).and_then(|known| known.opponent_wins_within).expect("a known win");
        for _ in 0..20 {
            let mut position = Position::start(rules);
            let mut plies = 0;
            while position.outcome().is_none() {
                // X avoids lines as long as it can.
                let safe: Vec<Cell> =
                    position.moves().filter(|&cell| position.after(cell).outcome().is_none()).collect();
                let moves = if safe.is_empty() { position.moves().collect() } else { safe };
                let cell = moves[below(&mut generator, moves.len() as u32) as usize];
                position.play(cell).expect("a legal move");
                plies += 1;
                if position.outcome().is_none() {
                    position.play(opposite(cell, size)).expect("the image is empty");
                    plies += 1;
                }
            }
            assert_eq!(position.outcome(), Some(Outcome::Win(Player::O)), "{}", position.diagram());
            assert!(plies <= most, "{plies}: {}", position.diagram());
        }
    }
}

#[test]
fn the_win_on_15x15_is_told_but_not_taken_for_proven() {
    for rules in all_rules(false).chain(all_rules(true)) {
        let published = known_value(rules).and_then(|known| known.published_win);
        let is_go_moku = rules.shape().rows == 15 && rules.line_length() == Some(5) && rules.completer_wins();
        assert_eq!(published, is_go_moku.then_some(Theorem::GoMoku), "{rules}");
    }
    let rules = rules(15, 5, false);
    let bounds = known_value(rules).expect("a known value").bounds();
    assert_eq!(bounds, Bounds { at_least: Value::Draw, at_most: Bounds::UNKNOWN.at_most });
    let found = Solver::new(rules, 1).bounds(&Position::start(rules), &Control::nodes_only(100));
    assert!(found.at_least == Value::Draw && found.at_most > Value::Draw, "{found:?}");
}

#[test]
fn what_is_known_of_reverse_starts() {
    let count = |wanted: fn((Option<KnownReason>, Option<KnownReason>)) -> bool| {
        let games = all_rules(true).filter(|rules| rules.connect() != 0 && rules.line_length().is_some());
        games.filter(|&rules| wanted(reasons(rules))).count()
    };
    assert_eq!(count(|_| true), 210);
    assert_eq!(count(|reasons| reasons == (Some(KnownReason::Pairing), Some(KnownReason::Pairing))), 91);
    assert_eq!(count(|reasons| reasons == (Some(KnownReason::Mirror), None)), 62);
    assert_eq!(count(|reasons| reasons == (None, Some(KnownReason::Mirror))), 5);
    assert_eq!(count(|reasons| reasons == (None, None)), 52);
    assert_eq!(reasons(rules(20, 9, true)), (Some(KnownReason::Pairing), Some(KnownReason::Pairing)));
    assert_eq!(reasons(rules(14, 8, true)), (Some(KnownReason::Mirror), None));
    assert_eq!(reasons(rules(7, 5, true)), (None, Some(KnownReason::Mirror)));
    assert_eq!(reasons(rules(5, 3, true)), (None, None));
}

#[test]
fn connect_equal_to_the_size_means_the_same_as_the_default() {
    for size in 1..=MAX_SIZE {
        for reverse in [false, true] {
            let (by_default, said) = (rules(size, 0, reverse), rules(size, size.into(), reverse));
            assert_eq!((known_value(by_default), pairing(by_default)), (known_value(said), pairing(said)));
        }
    }
}

#[test]
fn no_line_through_the_centre_can_spoil_a_mirror_strategy() {
    for rules in all_rules(true).filter(|rules| rules.line_length().is_some()) {
        let size = rules.shape().rows;
        let harmless = |line: &CellSet| {
            let holds_opposites =
                line.iter().any(|cell| opposite(cell, size) != cell && line.contains(opposite(cell, size)));
            holds_opposites || line.iter().all(|cell| opposite(cell, size) != cell)
        };
        let holds = rules.lines().iter().all(harmless);
        let (mover, opponent) = reasons(rules);
        if mover == Some(KnownReason::Mirror) || opponent == Some(KnownReason::Mirror) {
            assert!(holds, "{rules}");
        } else if pairing(rules).is_none() {
            // Nothing is claimed although it could be, either.
            assert!(!holds, "{rules}");
        }
    }
}

/// A player that mirrors on 5x5 with 4 in a row, from the centre on, against every way to fill the other cells in any order:
/// each of the twelve opposite pairs is untouched or the opponent has one cell of it.
#[test]
fn the_mirror_player_never_completes_a_line_of_4_first_on_5x5() {
    let size = 5;
    let centre = Cell::new(2, 2);
    let half: Vec<Cell> = Cell::all(size).filter(|&cell| cell < centre).collect();
    let bit = |cell: Cell| 1u32 << cell.index(size);
    let lines: Vec<u32> =
        rules(size, 4, true).lines().iter().map(|line| line.iter().map(bit).fold(0, |set, bit| set | bit)).collect();
    let completed = |stones: u32| lines.iter().any(|line| line & !stones == 0);
    for code in 0..3usize.pow(12) {
        let (mut mirroring, mut opponent, mut rest) = (bit(centre), 0, code);
        for &cell in &half {
            match rest % 3 {
                0 => {}
                1 => (mirroring, opponent) = (mirroring | bit(cell), opponent | bit(opposite(cell, size))),
                _ => (mirroring, opponent) = (mirroring | bit(opposite(cell, size)), opponent | bit(cell)),
            }
            rest /= 3;
        }
        assert!(!completed(mirroring) || completed(opponent), "{code}");
    }
    assert_eq!(reasons(rules(size, 4, true)), (None, Some(KnownReason::Mirror)));
}

#[test]
fn known_values_of_boards_up_to_4x4_agree_with_brute_force() {
    for reverse in [false, true] {
        for rules in all_rules(reverse).filter(|rules| rules.shape().rows <= 4 && rules.connect() != 0) {
            let result = match (ValueTable::for_rules(rules), rules.line_length()) {
                (Some(table), _) => table.value(&Position::start(rules)).result(),
                (None, Some(4)) => table_value(table_of_4x4(reverse), 0).result(),
                (None, Some(length)) => table_value(&Table::new(4, length.into(), reverse), 0).result(),
                (None, None) => 0,
            };
            let (mover, opponent) = reasons(rules);
            assert!(mover.is_none() || result <= 0, "{rules}: the mover wins in spite of {mover:?}");
            assert!(opponent.is_none() || result >= 0, "{rules}: the opponent wins in spite of {opponent:?}");
            let is_lost = known_value(rules).is_some_and(|known| known.opponent_wins_within.is_some());
            assert!(!is_lost || result < 0, "{rules}: the opponent does not win");
        }
    }
}

#[test]
fn bounds_say_the_same_as_the_reasons() {
    let draw = known_value(rules(20, 20, false)).expect("a draw").bounds();
    assert_eq!(draw, Bounds::exactly(Value::Draw));
    let not_lost = known_value(rules(15, 5, false)).expect("the second player never wins").bounds();
    assert_eq!(not_lost, Bounds { at_least: Value::Draw, at_most: Bounds::UNKNOWN.at_most });
    let not_won = known_value(rules(4, 4, true)).expect("the second player mirrors").bounds();
    assert_eq!(not_won, Bounds { at_least: Bounds::UNKNOWN.at_least, at_most: Value::Draw });
    let theorem = Some(KnownReason::Theorem(Theorem::EightInARow));
    let stealing = Some(KnownReason::Theorem(Theorem::StrategyStealing));
    let zetters = KnownValue {
        mover_cannot_force: theorem,
        opponent_cannot_force: stealing,
        opponent_wins_within: None,
        published_win: None,
    };
    assert_eq!(known_value(rules(20, 8, false)), Some(zetters));
}
