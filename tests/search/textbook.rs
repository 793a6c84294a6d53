//! The searches of the textbooks: their counts as published, what they claim, and the size of the game.

use std::collections::HashSet;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::common::program::{DEADLINE, Program, RunToEnd, command};
use crate::common::random_games::quiet_game;
use crate::common::{oracle, positions_by_ply, program, rules};
use assert_cmd::cargo::cargo_bin_cmd;
use noughts::count::{self, MOST_CLASSES, PlyCounts};
use noughts::game::{Position, Score, Value};
use noughts::search::{
    Control, LeaveReason, SearchRequest, SearchResult, Searcher, Stream, Textbook, TextbookSearcher, Tiebreak,
    TraceEvent, ValueTable, generator,
};

/// The searches whose values are proofs.
const EXACT: [Textbook; 3] = [Textbook::Minimax, Textbook::StopAtWin, Textbook::Negamax];

/// The searches that take bounds for values.
const TABLES: [Textbook; 3] = [Textbook::AlphaBetaTable, Textbook::AlphaBetaSymmetry, Textbook::AlphaBetaSymmetryAll];

fn counts(size: u8, reverse: bool) -> Vec<u64> {
    let start = Position::start(rules(size, 0, reverse));
    Textbook::ALL.map(|search| search.search(&start, &Control::unlimited()).nodes).into()
}

fn verdict(search: Textbook, position: &Position, control: &Control, lines: usize) -> SearchResult {
    let question = SearchRequest { tiebreak: Tiebreak::First, lines, ..SearchRequest::new(*position) };
    TextbookSearcher::new(search).search(&question, &mut generator(1, Stream::Go(1)), control, &mut |_| {})
}

/// The positions of a game in which it goes on, as far as a search of the whole tree is quick in all of them.
fn positions(size: u8, connect: u16, reverse: bool, search: Textbook) -> Vec<Position> {
    let most = if [Textbook::Minimax, Textbook::StopAtWin].contains(&search) { 7 } else { 9 };
    let mut all = positions_by_ply(rules(size, connect, reverse)).concat();
    all.retain(|position| position.outcome().is_none() && position.empty_cells() <= most);
    all
}

#[test]
fn the_counts_of_the_empty_board_are_those_that_are_published() {
    assert_eq!(counts(3, false), [986_410, 549_946, 18_297, 7_954, 2_312, 807, 5_478]);
    assert_eq!(counts(3, true), [986_410, 549_946, 12_023, 4_656, 1_457, 780, 5_478]);
}

#[test]
fn every_state_of_4x4_is_stored_once() {
    let start = Position::start(rules(4, 0, false));
    let findings = Textbook::Negamax.search(&start, &Control::unlimited());
    assert_eq!((findings.nodes, findings.score), (9_722_011, Some(Score::Exact(Value::Draw))));
    assert!(findings.moves.len() == 16 && findings.moves.iter().all(|(_, score)| *score == Score::Exact(Value::Draw)));
}

#[test]
fn claimed_values_of_positions_and_moves_equal_the_table() {
    for (size, connect) in [(3, 0), (3, 2), (3, 1), (3, 9), (2, 0), (1, 0)] {
        for reverse in [false, true] {
            let table = ValueTable::for_rules(rules(size, connect, reverse)).expect("a small board");
            for search in EXACT {
                for position in positions(size, connect, reverse, search) {
                    let findings = search.search(&position, &Control::unlimited());
                    let name = search.name();
                    assert_eq!(findings.score, Some(Score::Exact(table.value(&position))), "{name} {position:?}");
                    let worth = |cell| Score::Exact(table.value(&position.after(cell)).before_move());
                    let expected: Vec<_> = position.moves().map(|cell| (cell, worth(cell))).collect();
                    assert_eq!(findings.moves, expected, "{name} {position:?}");
                }
            }
        }
    }
}

#[test]
fn alpha_beta_keeps_the_right_result_and_proves_only_draws() {
    for (size, connect) in [(3, 0), (3, 2), (2, 0)] {
        for reverse in [false, true] {
            let table = ValueTable::for_rules(rules(size, connect, reverse)).expect("a small board");
            for position in positions(size, connect, reverse, Textbook::AlphaBeta) {
                let verdict = verdict(Textbook::AlphaBeta, &position, &Control::unlimited(), 9);
                let value = table.value(&position);
                let expected = match value {
                    Value::Draw => Score::Exact(Value::Draw),
                    value => Score::Estimate(f64::from(value.result())),
                };
                assert_eq!((verdict.score, verdict.lines.len()), (expected, 1), "{}", position.diagram());
                let after = position.after(verdict.lines[0].first_move());
                assert_eq!(table.value(&after).before_move().result(), value.result(), "{}", position.diagram());
            }
        }
    }
}

/// The published tables hold bounds that are taken for values: no proof, even where they are right.
#[test]
fn untyped_tables_claim_nothing_and_err_only_where_documented() {
    for (reverse, expected) in [(false, [0, 0, 0]), (true, [50, 1, 1])] {
        let table = ValueTable::for_rules(rules(3, 0, reverse)).expect("a small board");
        let wrong = TABLES.map(|search| {
            let all = positions(3, 0, reverse, search);
            let is_wrong = |position: &&Position| {
                let verdict = verdict(search, position, &Control::unlimited(), 1);
                let Score::Estimate(result) = verdict.score else { panic!("{} claims a proof", search.name()) };
                result != f64::from(table.value(position).result())
            };
            all.iter().filter(is_wrong).count()
        });
        assert_eq!(wrong, expected, "reverse {reverse}");
    }
}

#[test]
fn proven_lines_run_to_the_end_of_the_game_as_their_values_say() {
    for reverse in [false, true] {
        for search in [Textbook::StopAtWin, Textbook::AlphaBeta, Textbook::Negamax] {
            for position in positions(3, 0, reverse, search).iter().step_by(7) {
                for line in verdict(search, position, &Control::unlimited(), 9).lines {
                    let Score::Exact(value) = line.score else { continue };
                    let end = line.principal_variation.iter().fold(*position, |position, &cell| position.after(cell));
                    let plies = line.principal_variation.len();
                    let at_the_end = end.final_value().expect("the line runs to the end").result();
                    assert_eq!(if plies % 2 == 1 { -at_the_end } else { at_the_end }, value.result());
                    assert_eq!(usize::from(value.plies().unwrap_or(position.empty_cells() as u16)), plies);
                }
            }
        }
    }
}

#[test]
fn late_positions_of_larger_boards_equal_plain_alpha_beta() {
    for (size, connect) in [(4, 0), (5, 3), (5, 4), (9, 5)] {
        for reverse in [false, true] {
            for number in 0..40 {
                let position = late_position(size, connect, reverse, number, 6);
                let value = oracle::value(&position);
                for search in Textbook::ALL {
                    match verdict(search, &position, &Control::unlimited(), 1).score {
                        Score::Exact(found) => assert_eq!(found, value, "{} {}", search.name(), position.diagram()),
                        Score::Estimate(guess) if search == Textbook::AlphaBeta => {
                            assert_eq!(guess, f64::from(value.result()), "{}", position.diagram());
                        }
                        Score::Estimate(_) => assert!(TABLES.contains(&search)),
                        Score::Within(_) => panic!("{}: textbook searches prove distances", search.name()),
                    }
                }
            }
        }
    }
}

/// A position with so many empty cells in which the game goes on: stones are put down at random, where nothing ends. Rare
/// boards have no such move long before: fewer stones will do.
fn late_position(size: u8, connect: u16, reverse: bool, number: u64, empty: usize) -> Position {
    let (rules, mut generator) = (rules(size, connect, reverse), generator(7, Stream::Go(number)));
    loop {
        let moves = quiet_game(rules, empty, &mut generator);
        if rules.cells() - moves.len() <= empty + 4 {
            return moves.into_iter().fold(Position::start(rules), |position, cell| position.after(cell));
        }
    }
}

#[test]
fn a_count_depends_on_the_position_alone() {
    for search in Textbook::ALL {
        for position in positions(3, 0, false, search).iter().step_by(211) {
            let count = search.search(position, &Control::unlimited()).nodes;
            let mut searcher = TextbookSearcher::new(search);
            for (number, tiebreak) in [(1, Tiebreak::First), (2, Tiebreak::Random), (3, Tiebreak::Random)] {
                let mut ask = |position: &Position, lines| {
                    let question = SearchRequest { tiebreak, lines, ..SearchRequest::new(*position) };
                    let mut generator = generator(1, Stream::Go(number));
                    searcher.search(&question, &mut generator, &Control::unlimited(), &mut |_| {}).nodes
                };
                let next = position.after(position.moves().next().expect("a move"));
                if next.outcome().is_none() {
                    ask(&next, 3);
                }
                assert_eq!(ask(position, number as usize), count, "{}", search.name());
            }
        }
    }
}

#[test]
fn an_interrupted_search_proves_nothing_and_avoids_known_losses() {
    for reverse in [false, true] {
        for search in Textbook::ALL {
            for position in positions(3, 0, reverse, search).iter().step_by(97) {
                let all = search.search(position, &Control::unlimited()).nodes;
                for nodes in (0..all).step_by((all as usize / 40).max(1)) {
                    let control = Control::nodes_only(nodes);
                    let findings = search.search(position, &control);
                    assert!(findings.nodes == nodes && findings.score.is_none(), "{}", search.name());
                    let verdict = verdict(search, position, &control, 9);
                    let [line] = &verdict.lines[..] else { panic!("one move is as much as it knows") };
                    assert!(matches!((verdict.score, line.score), (Score::Estimate(_), Score::Estimate(_))));
                    let played = line.first_move();
                    assert!(position.moves().any(|cell| cell == played));
                    let known = |of| findings.moves.iter().find(|(cell, _)| *cell == of).map(|(_, score)| *score);
                    let loses = known(played).is_some_and(|score| score.expected_result() < 0.0);
                    assert!(!loses || position.moves().all(|cell| known(cell).is_some()), "{}", search.name());
                }
            }
        }
    }
}

#[test]
fn every_search_ends_when_told_on_every_board() {
    let told = Control::new(Arc::new(AtomicBool::new(true)), None, None);
    for (size, connect) in [(1, 0), (2, 0), (3, 9), (5, 4), (8, 0), (9, 5), (20, 5), (20, 0)] {
        for reverse in [false, true] {
            let start = Position::start(rules(size, connect, reverse));
            for search in Textbook::ALL {
                let at_once = verdict(search, &start, &told, 400);
                assert_eq!((at_once.score, at_once.nodes, at_once.lines.len()), (Score::Estimate(0.0), 0, 1));
                let verdict = verdict(search, &start, &Control::nodes_only(1000), 400);
                assert!(verdict.nodes <= 1000 && start.moves().any(|cell| cell == verdict.lines[0].first_move()));
            }
        }
    }
}

/// A position that a trace has entered and not left.
struct Entered {
    window: Option<(i8, i8)>,
    /// The scores of the moves so far, seen by the side that plays them.
    moves: Vec<Score>,
}

/// A score one ply earlier, seen by the side that plays the move.
fn before_move(score: Score) -> Score {
    match score {
        Score::Exact(value) => Score::Exact(value.before_move()),
        Score::Estimate(result) => Score::Estimate(-result),
        Score::Within(_) => panic!("no textbook search knows such a score"),
    }
}

/// The result of a score, from -1 to 1.
fn result(score: Score) -> i8 {
    match score {
        Score::Exact(value) | Score::Within(value) => value.result(),
        Score::Estimate(result) => result as i8,
    }
}

/// Follows a trace. Every position is left as its moves and its window demand. Returns the reasons.
fn follow(search: Textbook, events: &[TraceEvent]) -> Vec<LeaveReason> {
    let (mut entered, mut reasons): (Vec<Entered>, Vec<LeaveReason>) = (Vec::new(), Vec::new());
    for (number, event) in events.iter().enumerate() {
        match *event {
            TraceEvent::Enter { cell, window, .. } => {
                assert_eq!(cell.is_none(), number == 0, "only the root has no move");
                assert_eq!(window.is_none(), EXACT.contains(&search));
                assert!(window.is_none_or(|(alpha, beta)| alpha < beta));
                entered.push(Entered { window, moves: Vec::new() });
            }
            TraceEvent::Find { score, .. } => {
                assert_eq!(search, Textbook::Negamax);
                entered.last_mut().expect("a position").moves.push(before_move(score));
            }
            TraceEvent::Leave { score, reason, .. } => {
                let Entered { window, moves } = entered.pop().expect("a position");
                let best = moves.iter().copied().map(result).max();
                let (alpha, beta) = window.unwrap_or((-1, 2));
                match reason {
                    // Minimax goes on to full boards.
                    LeaveReason::GameOver => assert!(moves.is_empty() || search == Textbook::Minimax),
                    LeaveReason::AllMoves if EXACT.contains(&search) => {
                        let exact = |score: Score| match score {
                            Score::Exact(value) => value,
                            other => panic!("{other:?} is not exact"),
                        };
                        assert_eq!(Some(exact(score)), moves.iter().copied().map(exact).max());
                    }
                    LeaveReason::AllMoves => {
                        assert!(best.is_some_and(|best| best < beta) && best <= Some(result(score)));
                        assert!(result(score) <= best.unwrap_or(-1).max(alpha));
                    }
                    LeaveReason::CutOff => {
                        assert!(best.is_some_and(|best| best >= beta) && Some(result(score)) == best);
                        assert_eq!(moves.last().copied().map(result), best, "the last move cuts off");
                    }
                    LeaveReason::Table | LeaveReason::Symmetry => assert!(moves.is_empty() && TABLES.contains(&search)),
                }
                if let Some(parent) = entered.last_mut() {
                    parent.moves.push(before_move(score));
                }
                reasons.push(reason);
            }
            _ => panic!("{event:?} is of another search"),
        }
    }
    assert!(entered.is_empty(), "a position was not left");
    reasons
}

#[test]
fn a_trace_tells_every_node_in_its_order() {
    for search in Textbook::ALL {
        let mut reasons = HashSet::new();
        for reverse in [false, true] {
            for position in positions(3, 0, reverse, search).iter().step_by(29) {
                let mut events = Vec::new();
                let (request, control) = (SearchRequest::new(*position), Control::unlimited());
                let traced = search.trace(&request, &control, Textbook::MEBIBYTES, &mut |event| events.push(event));
                assert_eq!(traced, search.search(position, &control));
                let nodes = events.iter().filter(|event| matches!(event, TraceEvent::Enter { .. })).count();
                assert_eq!(nodes as u64, traced.nodes);
                reasons.extend(follow(search, &events));
            }
        }
        use LeaveReason::{AllMoves, CutOff, GameOver, Symmetry, Table};
        let expected: &[LeaveReason] = match search {
            Textbook::Minimax | Textbook::StopAtWin | Textbook::Negamax => &[GameOver, AllMoves],
            Textbook::AlphaBeta => &[GameOver, AllMoves, CutOff],
            Textbook::AlphaBetaTable => &[GameOver, AllMoves, CutOff, Table],
            _ => &[GameOver, AllMoves, CutOff, Table, Symmetry],
        };
        assert_eq!(reasons, expected.iter().copied().collect(), "{search:?}");
    }
}

#[test]
fn ties_are_left_to_the_tie_break_where_every_value_is_known() {
    let start = Position::start(rules(3, 0, false));
    let first_moves = |search: Textbook| -> HashSet<_> {
        let ask = |number| {
            let question = SearchRequest::new(start);
            let mut generator = generator(1, Stream::Go(number));
            TextbookSearcher::new(search).search(&question, &mut generator, &Control::unlimited(), &mut |_| {}).lines[0]
                .first_move()
        };
        (0..100).map(ask).collect()
    };
    assert_eq!(first_moves(Textbook::Negamax).len(), 9);
    assert_eq!(first_moves(Textbook::AlphaBeta).len(), 1);
    let lines = verdict(Textbook::Negamax, &start, &Control::unlimited(), 5).lines;
    assert_eq!(lines.iter().map(|line| line.first_move().index(3)).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
}

#[test]
fn each_of_them_is_a_player() {
    let mut conversation = crate::common::Conversation::new();
    for (name, proven, nodes) in [
        ("minimax", true, 986_410),
        ("stopatwin", true, 549_946),
        ("alphabeta", true, 18_297),
        ("alphabetatable", false, 7_954),
        ("alphabetasymmetry", false, 2_312),
        ("alphabetasymmetryall", false, 807),
        ("negamax", true, 5_478),
    ] {
        let lines = conversation.send(&format!("setoption name player value {name}\ngo\n")).until_idle();
        let info = &lines[lines.len() - 2];
        assert!(info.contains(&format!("proven {proven} ")) && info.contains(&format!(" nodes {nodes} ")), "{info}");
        let lines = conversation.send("go nodes 100\n").until_idle();
        let info = &lines[lines.len() - 2];
        assert!(info.contains("proven false ") && info.contains(" nodes 100 "), "{info}");
    }
}

#[test]
fn without_a_limit_no_search_of_a_textbook_runs_for_ever() {
    for player in ["minimax", "alphabeta"] {
        let mut program = program::Program::start();
        program.send(format!("setoption size 6\nsetoption player {player}\ngo\n")).close();
        let said: Vec<String> =
            std::iter::from_fn(|| program.line_within(std::time::Duration::from_secs(200))).collect();
        let info = &said[said.len() - 2];
        assert!(info.contains("proven false nodes 100000000 "), "{info}");
        assert!(program.exit().0.success());
    }
}

#[test]
fn sequences_and_positions_of_3x3_are_those_that_are_known() {
    for reverse in [false, true] {
        let found = count::perft(rules(3, 0, reverse), 400);
        let column = |of: fn(&PlyCounts) -> u64| found.plies.iter().map(of).collect::<Vec<_>>();
        let sequences = [1, 9, 72, 504, 3024, 15_120, 54_720, 148_176, 200_448, 127_872];
        assert_eq!(column(|ply| ply.sequences as u64), sequences);
        assert_eq!(column(|ply| ply.positions), [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]);
        let total = found.total();
        assert_eq!((total.sequences, total.finished), (549_946, 255_168));
        assert_eq!((total.positions, total.classes, found.complete), (5_478, 765, true));
    }
}

#[test]
fn positions_of_4x4_are_those_that_are_known() {
    let found = count::perft(rules(4, 0, true), 8);
    let positions: Vec<u64> = found.plies.iter().map(|ply| ply.positions).collect();
    assert_eq!(positions, [1, 16, 240, 1680, 10_920, 43_680, 160_160, 400_400, 895_950]);
    // The first lines can be completed at ply 7: 10 lines, 4! orders, and 12 * 11 * 10 moves of the other player.
    let finished: Vec<u128> = found.plies.iter().map(|ply| ply.finished).collect();
    assert_eq!(finished[..8], [0, 0, 0, 0, 0, 0, 0, 10 * 24 * 12 * 11 * 10]);
    assert!(found.complete);
}

/// Perft against positions and sequences that are walked one by one.
#[test]
fn perft_counts_what_a_walk_counts() {
    fn walk(position: &Position, depth: u16) -> u128 {
        if depth == 0 { 1 } else { position.moves().map(|cell| walk(&position.after(cell), depth - 1)).sum() }
    }
    for (size, connect) in [(1, 0), (2, 0), (3, 2), (3, 1), (4, 3), (4, 2), (5, 3)] {
        for reverse in [false, true] {
            let rules = rules(size, connect, reverse);
            let found = count::perft(rules, 5);
            let start = Position::start(rules);
            for (depth, ply) in found.plies.iter().enumerate() {
                assert_eq!(ply.sequences, walk(&start, depth as u16), "{rules} ply {depth}");
            }
            if size <= 3 {
                for (positions, ply) in positions_by_ply(rules).iter().zip(&found.plies) {
                    let classes: HashSet<Position> = positions.iter().map(Position::canonical).collect();
                    assert_eq!((positions.len() as u64, classes.len() as u64), (ply.positions, ply.classes));
                }
            }
        }
    }
}

#[test]
fn a_ply_that_is_too_large_is_left_out_and_said_to_be() {
    let found = count::perft(rules(20, 5, false), 400);
    assert!(!found.complete);
    let sequences: Vec<u128> = found.plies.iter().map(|ply| ply.sequences).collect();
    assert_eq!(sequences, [1, 400, 400 * 399]);
    assert!(found.plies.iter().all(|ply| ply.classes <= MOST_CLASSES as u64));
}

fn printed(arguments: &[&str]) -> String {
    let output = cargo_bin_cmd!("noughts").args(arguments).timeout(DEADLINE).output().expect("the program runs");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn the_commands_print_in_every_format() {
    for format in ["text", "json", "markdown"] {
        for rules in [&["--size", "2"][..], &["--connect", "2", "--reverse"], &["--size", "20", "--nodes", "10"]] {
            let count = printed(&[&["count", "--format", format], rules].concat());
            assert!(Textbook::ALL.iter().all(|search| count.contains(search.name())), "{count}");
        }
        let perft = printed(&["perft", "2", "--format", format]);
        assert!(perft.contains("72"), "{perft}");
    }
    let count: serde_json::Value = serde_json::from_str(&printed(&["count", "--format", "json"])).expect("JSON");
    assert_eq!(count["searches"][6]["nodes"], 5478);
    assert_eq!(count["rules"]["size"], 3);
    let perft: serde_json::Value = serde_json::from_str(&printed(&["perft", "9", "--format", "json"])).expect("JSON");
    assert_eq!((&perft["plies"][9]["positions"], &perft["complete"]), (&78.into(), &true.into()));
    let cut: serde_json::Value =
        serde_json::from_str(&printed(&["count", "--format", "json", "--nodes", "600000"])).expect("JSON");
    let figures = |of: usize| ["search", "nodes", "finished", "value"].map(|key| &cut["searches"][of][key]);
    let [search, nodes, finished, value] = figures(0);
    assert!(search == "minimax" && nodes == 600_000 && finished == false && value.is_null(), "{cut}");
    let [search, nodes, finished, value] = figures(1);
    assert!(search == "stopatwin" && nodes == 549_946 && finished == true && value == 0.0, "{cut}");
}

#[test]
fn a_row_is_printed_as_soon_as_it_is_known() {
    let mut program = Program::spawn(command().args(["count", "--size", "5", "--nodes", "1000000000000"]));
    program.read();
    assert_eq!(program.line(), "5x5, the empty board");
    // The first search would take days: the rows below it do not come, the headings do.
    assert!(program.until("search").last().is_some_and(|line| line.ends_with("value  seconds")));
    let mut program = Program::spawn(command().args(["count", "--nodes", "1000000000"]));
    program.read();
    let minimax = program.until("minimax").pop().unwrap_or_default();
    let rest = program.rest();
    assert_eq!(rest.len(), 6, "{rest:?}");
    // All rows are as wide as the headings, whatever is known when they are printed.
    assert!(rest.iter().all(|line| line.chars().count() == minimax.chars().count()), "{rest:#?}");
}

#[test]
fn what_does_not_finish_is_said_not_to() {
    let text = printed(&["count", "--nodes", "1000", "--size", "4"]);
    assert_eq!(text.matches("not finished within 1,000 ").count(), 7, "{text}");
    let text = printed(&["perft", "9", "--size", "9"]);
    assert!(text.contains("Ply 4 has more than 900,000 positions up to symmetry"), "{text}");
}

#[test]
fn nonsense_is_refused_with_a_sentence() {
    for arguments in [
        &["count", "--size", "0"][..],
        &["count", "--size", "21"],
        &["count", "--size", "x"],
        &["count", "--connect", "401"],
        &["count", "--nodes", "0"],
        &["count", "--nodes", "-1"],
        &["count", "--format", "xml"],
        &["count", "3"],
        &["perft"],
        &["perft", "x"],
        &["perft", "-1"],
        &["perft", "401"],
        &["perft", "3", "4"],
        &["perft", "3", "--size", "21"],
    ] {
        let output = cargo_bin_cmd!("noughts").args(arguments).timeout(DEADLINE).output().expect("the program runs");
        assert_eq!((output.status.code(), output.stdout.is_empty()), (Some(2), true), "{arguments:?}");
        assert!(String::from_utf8_lossy(&output.stderr).starts_with("error: "), "{arguments:?}: {output:?}");
    }
}

#[test]
fn a_reader_that_has_gone_is_no_failure() {
    let explain = ["explain", "startpos", "--size", "20", "--connect", "8"];
    for arguments in [&["count"][..], &["perft", "5"], &["perft", "5", "--format", "json"], &explain] {
        let mut child = program::command()
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        drop(child.stdout.take());
        let output = child.run_to_end();
        assert!(output.status.success() && output.stderr.is_empty(), "{arguments:?}: {output:?}");
    }
}
