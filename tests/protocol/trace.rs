//! `trace`: its lines add up to what the search has done, and they wait for the client in bounded memory.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use crate::common::trace::{TraceEnd, TraceLine, TraceResult, read_trace_line};
use crate::common::{Conversation, rules};
use noughts::count;
use noughts::game::{MoveText, Position};
use noughts::protocol::LineReader;
use noughts::search::{ExactPlayouts, Tally, Textbook, Weights};
use noughts::session::{
    self, FinishedSearch, SearchEvent, SearchExecutor, SearchJob, Session, SessionLimits, SessionPhase,
};

/// The lines of a trace as they are read back, and its end.
fn trace(conversation: &mut Conversation, command: &str) -> (Vec<TraceLine>, TraceEnd) {
    let said = conversation.send(&format!("{command}\n")).until_line("trace end ");
    let mut lines: Vec<TraceLine> = said.iter().map(|line| read(line)).collect();
    match lines.pop() {
        Some(TraceLine::End(end)) => (lines, end),
        other => panic!("{command}: {other:?} is not the end"),
    }
}

fn read(line: &str) -> TraceLine {
    read_trace_line(line).unwrap_or_else(|| panic!("{line}"))
}

fn is_total(line: &TraceLine) -> bool {
    matches!(line, TraceLine::MonteCarloTotal { .. } | TraceLine::TreeTotal { .. })
}

#[test]
fn enters_sent_and_not_sent_are_the_nodes_that_are_counted() {
    for reverse in [false, true] {
        for counted in count::count(rules(3, 0, reverse), Textbook::NODES) {
            let name = counted.search;
            for events in [None, Some(0), Some(1000), Some(100_000)] {
                let mut conversation = Conversation::new();
                conversation.send(&format!("setoption reverse {reverse}\n"));
                let bound = events.map(|events| format!(" events {events}")).unwrap_or_default();
                let (lines, end) = trace(&mut conversation, &format!("trace {name}{bound}"));
                let enters = lines.iter().filter(|line| matches!(line, TraceLine::Enter { .. })).count() as u64;
                assert_eq!((end.nodes, enters + end.unsent[0].1), (counted.nodes, counted.nodes), "{name}");
                let all = end.sent + end.unsent.iter().map(|(_, number)| number).sum::<u64>();
                assert_eq!(end.sent, all.min(events.unwrap_or(1000)));
                assert_eq!(end.sent, lines.len() as u64);
                assert!(end.is_finished && counted.finished && end.value.map(|value| value.value) == counted.value);
                follow(&lines);
            }
        }
    }
}

/// Follows the plies of a textbook search.
fn follow(lines: &[TraceLine]) {
    let mut open = 0;
    for line in lines {
        match line {
            TraceLine::Enter { ply, written, .. } => {
                assert_eq!((*ply, written.is_none()), (open, open == 0));
                open += 1;
            }
            TraceLine::Leave { ply, .. } => {
                open -= 1;
                assert_eq!(*ply, open);
            }
            TraceLine::Find { ply, .. } => assert_eq!(*ply, open),
            other => panic!("{other:?} is of another search"),
        }
    }
}

#[test]
fn totals_of_playouts_are_the_sum_of_the_games_that_are_told() {
    for (reverse, moves) in [(false, ""), (true, ""), (false, " moves 1,1"), (true, " moves 0,0 1,1 2,2")] {
        let mut conversation = Conversation::new();
        conversation.send(&format!("setoption reverse {reverse}\nposition startpos{moves}\nsetoption seed 3\n"));
        conversation.send("setoption score_current 2\nsetoption score_other 0.5\nsetoption trials 300\n");
        let (lines, end) = trace(&mut conversation, "trace montecarlo");
        let rules = rules(3, 0, reverse);
        let played: Vec<MoveText> = moves.split(' ').filter_map(|word| word.parse().ok()).collect();
        let position = Position::reach(rules, None, &played).expect("a legal position");
        let (mut tally, mut number) = (Tally::new(3), 0);
        let weights = Weights { current: 2.0, other: 0.5 };
        let exact = ExactPlayouts::of(&position).expect("a small board");
        for line in &lines {
            match line {
                TraceLine::Playout { number: told, result, moves } => {
                    number += 1;
                    let after = moves.iter().fold(position, |position, &written| {
                        position.after(position.legal_move(written).expect("a legal game"))
                    });
                    let value = after.final_value().expect("a game that is over").result();
                    let value = if after.side() == position.side() { value } else { -value };
                    assert_eq!((*told, *result), (number, TraceResult::of(value)));
                    tally.add(&after, position.side());
                }
                TraceLine::MonteCarloTotal { written, playouts, total, expected } => {
                    let cell = position.legal_move(*written).expect("a legal move");
                    assert_eq!((*playouts, *total), (300, tally.total(cell, weights)));
                    assert!(expected.is_some_and(|expected| (expected - exact.total(cell, weights)).abs() < 1e-4));
                }
                other => panic!("{other:?}"),
            }
        }
        let mean = end.value.expect("a value").value;
        assert!((mean - tally.results().mean()).abs() < 1e-4 && end.nodes == 300 && end.sent == 300);
        assert_eq!(lines.iter().filter(|line| is_total(line)).count(), position.empty_cells());
    }
}

#[test]
fn the_last_lines_of_the_nodes_of_a_tree_are_its_totals() {
    for (reverse, size) in [(false, 3), (true, 3), (false, 5), (true, 5)] {
        let mut conversation = Conversation::new();
        conversation.send(&format!("setoption size {size}\nsetoption reverse {reverse}\nsetoption seed 3\n"));
        let (lines, end) = trace(&mut conversation, "trace mcts events 100000 trials 3000");
        assert!(end.is_finished && end.nodes <= 3000 && end.unsent.iter().all(|(_, unsent)| *unsent == 0));
        // Visits and totals by the moves that lead to a node.
        let mut nodes: HashMap<Vec<String>, (u64, f64)> = HashMap::new();
        let mut path: Vec<String> = Vec::new();
        let (mut totals, mut playouts) = (0, 0);
        for line in &lines {
            match line {
                TraceLine::Iteration(_) => path.clear(),
                TraceLine::Select { ply, written, visits, .. } => {
                    path.truncate(*ply as usize - 1);
                    path.push(written.to_string());
                    assert_eq!(nodes.get(&path).map_or(0, |node| node.0), *visits);
                }
                TraceLine::Evaluate { ply, results, proven, .. } => {
                    assert_eq!(*ply as usize, path.len());
                    let played = results.map_or(0, |results| results.iter().sum::<u64>());
                    assert!((played > 0) == results.is_some() && (played > 0 || proven.is_some()), "{line:?}");
                    playouts += played;
                }
                TraceLine::Backup { ply, visits, total, value, .. } => {
                    assert!((total / *visits as f64 - value).abs() < 1e-3, "{line:?}");
                    nodes.insert(path[..*ply as usize].to_vec(), (*visits, *total));
                }
                TraceLine::TreeTotal { written, visits, total, .. } => {
                    let node = nodes.get(&vec![written.to_string()]).copied().unwrap_or_default();
                    assert_eq!((*visits, *total), node);
                    totals += visits;
                }
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(nodes[&Vec::new()].0, totals + 1);
        assert!(playouts > 100, "{playouts} playouts are told");
    }
}

#[test]
fn a_trace_has_the_same_lines_again_and_changes_nothing() {
    let seen = |traced: &str| {
        let mut conversation = Conversation::new();
        conversation.send("setoption seed 5\nsetoption player montecarlo\n").send(traced).send("go trials 50\n");
        let said = conversation.until_line("bestmove ");
        let (traces, others): (Vec<String>, Vec<String>) =
            said.into_iter().partition(|line| line.starts_with("trace "));
        (traces, others.last().cloned())
    };
    let all = "trace montecarlo\ntrace mcts\ntrace negamax\n";
    let (once, again, none) = (seen(all), seen(all), seen(""));
    assert!(once == again && once.0.len() > 3000 && none.0.is_empty());
    assert_eq!(once.1, none.1);
}

#[test]
fn playouts_of_a_trace_are_no_more_than_the_options_allow() {
    let mut conversation = Conversation::new();
    // With another seed, the tree search may meet proven positions, for which it plays no games.
    conversation.send("setoption seed 1\nsetoption trials 40\n");
    for (command, playouts) in [("trace montecarlo", 40), ("trace montecarlo trials 7", 7), ("trace mcts", 40)] {
        assert_eq!(trace(&mut conversation, command).1.nodes, playouts, "{command}");
    }
    conversation.send("setoption max_trials 16\n");
    for command in ["trace montecarlo", "trace montecarlo trials 90", "trace mcts trials 90"] {
        assert_eq!(trace(&mut conversation, command).1.nodes, 16, "{command}");
    }
}

#[test]
fn every_search_says_only_the_end_on_a_finished_game() {
    let mut conversation = Conversation::new();
    conversation.send("position fen xxx/oo1/3\n");
    for search in Textbook::ALL.iter().map(|search| search.name()).chain(["mcts", "montecarlo"]) {
        let (lines, end) = trace(&mut conversation, &format!("trace {search}"));
        assert!(lines.is_empty() && end.is_finished && end.nodes == 0 && end.best.is_none());
        assert_eq!(end.value.map(|value| (value.value, value.plies)), Some((-1.0, Some(0))));
    }
}

#[test]
fn a_stop_ends_a_trace_and_its_end_is_said_before_readyok() {
    for search in ["minimax", "alphabetatable", "negamax", "mcts trials 2000000000", "montecarlo trials 2000000000"] {
        let mut conversation = Conversation::new();
        conversation.send(&format!("setoption size 7\ntrace {search} events 20\ntrace {search} events 20\n"));
        std::thread::sleep(Duration::from_millis(20));
        let said = conversation.send("stop\nisready\n").until_line("readyok");
        let ends: Vec<&String> = said.iter().filter(|line| line.starts_with("trace end ")).collect();
        assert!(ends.len() == 2 && said[said.len() - 2].starts_with("trace end "), "{said:?}");
        for end in ends {
            let TraceLine::End(end) = read(end) else { panic!("{end}") };
            assert!(!end.is_finished, "{search}");
            let samples = search.starts_with("mc") || search.starts_with("mo");
            assert!(samples || end.value.is_none() && end.best.is_none(), "{search}");
        }
    }
}

/// Runs searches on the spot.
struct AtOnce;

impl SearchExecutor for AtOnce {
    fn start(&mut self, job: SearchJob) -> Option<FinishedSearch> {
        Some(job.run(&mut |_| {}))
    }

    fn next_event(&mut self) -> Option<SearchEvent> {
        None
    }
}

/// The bytes that may wait for a slow client.
const WAITING: usize = 10_000;

/// A conversation with a client that has sent these lines and read nothing, after all that can be done.
fn unread(lines: &str) -> session::Conversation {
    let session = Session::default().limited_to(SessionLimits { waiting: WAITING, ..SessionLimits::NONE });
    let mut conversation = session::Conversation::new(session, AtOnce);
    send(&mut conversation, lines);
    work(&mut conversation);
    conversation
}

fn send(conversation: &mut session::Conversation, lines: &str) {
    let (mut reader, mut bytes) = (LineReader::default(), lines.as_bytes());
    while let Some(line) = reader.take(&mut bytes) {
        conversation.receive(line, Instant::now());
    }
}

fn work(conversation: &mut session::Conversation) {
    conversation.begin_round(Instant::now());
    conversation.proceed(Instant::now);
    while conversation.has_work() {
        conversation.begin_round(Instant::now());
        conversation.proceed(Instant::now);
    }
}

/// Reads everything that is said. No more than what may wait, and a few lines, waits at any time.
fn read_all(conversation: &mut session::Conversation) -> Vec<String> {
    let mut said = Vec::new();
    loop {
        let waiting = conversation.output().len();
        assert!(waiting < WAITING + 64 * 100, "{waiting} bytes wait");
        if waiting == 0 {
            return String::from_utf8(said).expect("text").lines().map(str::to_owned).collect();
        }
        said.extend(conversation.output().drain(..waiting.min(1000)));
        work(conversation);
    }
}

const LONG: &str = "trace minimax events 100000\nquery p1turn\n";

#[test]
fn a_long_trace_waits_for_a_slow_reader() {
    let mut conversation = unread(LONG);
    assert!(!conversation.wants_input());
    let said = read_all(&mut conversation);
    assert_eq!(said.len(), 100_002);
    assert!(said[100_000].contains(" sent 100000 ") && said[100_001] == "response true");
}

#[test]
fn a_stop_cuts_the_lines_that_wait() {
    let mut conversation = unread(LONG);
    send(&mut conversation, "stop\n");
    let said = read_all(&mut conversation);
    assert!(said.len() < 1000 && said.last().is_some_and(|line| line == "response true"));
    let TraceLine::End(end) = read(&said[said.len() - 2]) else { panic!("{said:?}") };
    assert!(end.is_finished && end.nodes == 986_410 && end.sent as usize == said.len() - 2);
    let enters = said.iter().filter(|line| line.starts_with("trace enter ")).count() as u64;
    assert_eq!(enters + end.unsent[0].1, end.nodes);
}

#[test]
fn a_quit_or_the_end_of_the_input_ends_a_session_that_tells_a_trace() {
    let mut conversation = unread(LONG);
    send(&mut conversation, "quit\n");
    assert_eq!((conversation.phase(), conversation.is_over()), (SessionPhase::Quit, false));
    let said = read_all(&mut conversation);
    assert!(conversation.is_over() && said.len() < 1000 && said[said.len() - 1].starts_with("trace end "));
    let mut conversation = unread(LONG);
    conversation.end_of_input(Instant::now());
    assert_eq!(read_all(&mut conversation).len(), 100_002);
    assert!(conversation.is_over());
}

#[test]
fn games_of_the_largest_board_are_kept_up_to_a_bound() {
    let mut conversation = Conversation::new();
    conversation.send("setoption size 20\nsetoption connect 21\nsetoption seed 1\n");
    let (lines, end) = trace(&mut conversation, "trace montecarlo trials 11000 events 100000");
    assert_eq!((end.sent, end.unsent[0].1, end.nodes), (10_000, 1000, 11_000));
    assert_eq!(lines.len(), 10_000 + 400);
}
