//! Words of a `go` beside its limits: `searchmoves`, `ponder` and `mate`; and many searches that are stopped at once.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::common::biased::balanced;
use crate::common::program::Program;
use crate::common::{Conversation, rules, said, value_of, without_times};
use noughts::engine::{Engine, GoRequest, OPTIONS, OptionType, Options, PlayerKind, SearchPlan};
use noughts::game::{Cell, CellSet, Position, Score, Value};
use noughts::search::{Control, Level, Limits, Stream, Tiebreak, below, generator};

/// A win in 9 plies, found by a proof of a few thousand positions.
const WIN_IN_9: &str = "setoption size 8\nsetoption connect 4\nposition fen 4x3/4x3/o2xx3/4o3/2o5/8/8/8 o\n";

/// The names of all players.
fn players() -> Vec<String> {
    let player = OPTIONS.iter().find(|option| option.name == "player").expect("an option player");
    let OptionType::Combo { choices, .. } = player.option_type() else { panic!("a choice") };
    choices
}

fn list(cells: &CellSet) -> String {
    cells.iter().map(|cell| cell.to_string()).collect::<Vec<_>>().join(" ")
}

#[test]
fn every_player_keeps_to_the_listed_moves() {
    let mut random = generator(5, Stream::Opening(1));
    for player in &players() {
        for (board, start) in [
            ("size 3", "position fen xo1/1x1/3 o"),
            ("size 4", "position fen xx2/oxox/x3/1oo1 o"),
            ("connect 3", "position startpos moves 1,1"),
            ("size 5", "position fen xoxox/oxo1o/xox1x/2o1o/oxoxx x"),
        ] {
            for level in [10, 4] {
                let mut conversation = Conversation::new();
                let setup = format!("setoption {board}\nsetoption player {player}\nsetoption level {level}\n");
                conversation.send(&setup).send("setoption MultiPV 3\nsetoption trials 40\nsetoption seed 2\n");
                let legal = conversation.send(&format!("{start}\nquery moves\n")).until_line("response");
                let legal: Vec<&str> = legal.last().expect("an answer").split(' ').skip(1).collect();
                for _ in 0..4 {
                    let listed: Vec<&str> = legal.iter().copied().filter(|_| below(&mut random, 2) == 0).collect();
                    if listed.is_empty() {
                        continue;
                    }
                    for limit in ["nodes 3000", "movetime 30"] {
                        let go = format!("go {limit} searchmoves {}\n", listed.join(" "));
                        let lines = conversation.send(&go).until_line("bestmove");
                        let best = lines.last().and_then(|line| line.strip_prefix("bestmove ")).expect("a move");
                        assert!(listed.contains(&best), "{player} {board}: {go}{lines:?}");
                        for first in lines.iter().filter_map(|line| value_of(line, "pv")) {
                            assert!(listed.contains(&first), "{player} {board}: {go}{lines:?}");
                        }
                        assert!(lines.iter().all(|line| !line.contains("error")), "{lines:?}");
                    }
                }
            }
        }
    }
}

/// The value is that of the best listed move, whatever the searches of the whole position have left behind.
#[test]
fn the_value_is_that_of_the_best_listed_move() {
    for (size, connect) in [(4, 3), (4, 0), (5, 4)] {
        for reverse in [false, true] {
            let rules = rules(size, connect, reverse);
            let mut differs = 0;
            for (index, known) in balanced(rules, 12, &[5, 6, 7, 8], 31).into_iter().enumerate() {
                let mut random = generator(index as u64, Stream::Opening(2));
                let mut engine = Engine::new();
                for player in [PlayerKind::Perfect, PlayerKind::Auto, PlayerKind::Mcts] {
                    let options = Options { rules, player, tiebreak: Tiebreak::First, ..Options::default() };
                    let task = |root_moves| {
                        // Earlier results count in a search without limits.
                        let limits = Limits { infinite: true, ..Limits::default() };
                        let task = GoRequest::new(known.position, options, limits, generator(1, Stream::Go(1)));
                        GoRequest { root_moves, ..task }
                    };
                    let mut think = |root_moves| {
                        let stop = Arc::new(AtomicBool::new(false));
                        let control = Control::new(stop, None, None).stopping_after(100_000);
                        let task = task(root_moves);
                        engine.search(&task, SearchPlan::new(&task), control, &mut |_| {})
                    };
                    let some: CellSet =
                        known.moves.iter().map(|(cell, _)| *cell).filter(|_| below(&mut random, 3) == 0).collect();
                    if some.is_empty() {
                        continue;
                    }
                    for root_moves in [None, Some(some), None] {
                        let thought = think(root_moves);
                        let worth = |cell: &Cell| root_moves.is_none_or(|listed| listed.contains(*cell));
                        let best = known.moves.iter().filter(|(cell, _)| worth(cell)).map(|(_, value)| *value).max();
                        let best = best.expect("a move");
                        let context = || format!("{player:?} {rules}: {}: {thought:?}", known.position.diagram());
                        if let Score::Exact(value) = thought.result.score {
                            assert_eq!(value, best, "{}", context());
                        } else {
                            // The tree does not prove every distance, and a draw does not end it.
                            assert!(player == PlayerKind::Mcts, "{}", context());
                        }
                        differs += usize::from(best != known.value);
                    }
                }
            }
            assert!(differs > 0, "{rules}: {differs}");
        }
    }
}

#[test]
fn a_listed_search_leaves_nothing_behind_and_finds_nothing() {
    let question =
        |player: &str| format!("setoption size 5\nsetoption connect 4\nsetoption player {player}\nsetoption seed 3\n");
    for player in ["auto", "perfect", "mcts", "montecarlo", "negamax"] {
        let answer = |before: &str, go: &str| {
            let mut conversation = Conversation::new();
            conversation.send(&question(player)).send("position startpos moves 2,2\n").until_idle();
            if !before.is_empty() {
                conversation.send(&format!("{before}\n")).until_line("bestmove");
                // The random numbers of an answer depend on how many there were.
                conversation.send("setoption seed 3\n").until_idle();
            }
            let lines = conversation.send(&format!("{go}\n")).until_line("bestmove");
            lines.iter().map(|line| without_times(line)).collect::<Vec<_>>()
        };
        let (whole, some) = ("go nodes 400 trials 60", "go nodes 400 trials 60 searchmoves 0,0 0,1 4,4");
        assert_eq!(answer(some, whole), answer("", whole), "{player}");
        assert_eq!(answer(whole, some), answer("", some), "{player}");
    }
    // A known value of an empty board says nothing about a part of its moves.
    let known = "setoption size 7\nsetoption connect 6\nsetoption player perfect\n";
    let says_why = |go: &str| said(&format!("{known}{go}\n")).iter().any(|line| line.contains("pairing of"));
    assert!(says_why("go nodes 50") && !says_why("go nodes 50 searchmoves 0,0"));
}

#[test]
fn a_list_with_an_illegal_move_refuses_the_whole_line() {
    let mut conversation = Conversation::new();
    conversation.send("position startpos moves 1,1\n").until_idle();
    for (go, problem) in [
        ("go searchmoves 1,1", "1,1 is taken"),
        ("go movetime 10 searchmoves 0,0 3,3", "3,3 is off the 3x3 board"),
        ("go searchmoves", "expected moves in the form"),
        ("go searchmoves e2e4", "expected moves in the form"),
        ("go searchmoves 0,0 searchmoves 0,1", "expected each limit once"),
    ] {
        let lines = conversation.send(&format!("{go}\nisready\n")).until_line("readyok");
        assert_eq!(lines.len(), 2, "{lines:?}");
        assert!(lines[0].starts_with("info string error: go: ") && lines[0].contains(problem), "{lines:?}");
    }
    let lines = conversation.send("position startpos moves 0,0 1,0 0,1 1,1 0,2\ngo searchmoves 2,2\n").until_idle();
    assert!(lines.len() == 1 && lines[0].contains("comes after the end of the game"), "{lines:?}");
    assert_eq!(conversation.send("go\n").until_line("bestmove").last().map(String::as_str), Some("bestmove (none)"));
}

#[test]
fn a_move_that_is_pondered_on_waits_for_ponderhit_or_stop() {
    let slow = "setoption size 15\nsetoption connect 5\n";
    for player in ["auto", "mcts", "montecarlo", "perfect", "random", "minimax"] {
        for (limit, ends) in [
            ("movetime 100", "ponderhit"),
            ("wtime 1000 btime 1000", "ponderhit"),
            ("", "ponderhit"),
            ("movetime 100", "stop"),
        ] {
            let mut conversation = Conversation::new();
            conversation.send(slow).send(&format!("setoption player {player}\ngo ponder {limit}\n"));
            std::thread::sleep(Duration::from_millis(250));
            let before = conversation.send("isready\n").until_line("readyok");
            assert!(!before.iter().any(|line| line.starts_with("bestmove")), "{player} {limit}: {before:?}");
            let start = Instant::now();
            conversation.send(&format!("{ends}\n")).until_line("bestmove");
            // Its time begins with the hit; without a limit of time, and after a stop, it is over at once.
            assert!(start.elapsed() < Duration::from_millis(1_000), "{player} {limit} {ends}: {:?}", start.elapsed());
        }
    }
    // An answer that is known at once is held back as well, and numbers still count.
    for go in ["go ponder", "go ponder trials 20", "go ponder nodes 20 movetime 1000"] {
        let mut conversation = Conversation::new();
        let before = conversation.send(&format!("{go}\nisready\n")).until_idle();
        assert!(before.iter().any(|line| line.starts_with("info depth")), "{go}: {before:?}");
        assert!(!before.iter().any(|line| line.starts_with("bestmove")), "{go}: {before:?}");
        let after = conversation.send("ponderhit\n").until_idle();
        assert_eq!(after.len(), 1, "{go}: {after:?}");
    }
    // Waiting behind another search, a hit counts for it; without anything to hit it is silent.
    let mut conversation = Conversation::new();
    assert_eq!(conversation.send("ponderhit\n").until_idle(), [""; 0]);
    conversation.send(slow).send("setoption player montecarlo\ngo movetime 200\ngo ponder movetime 100\nponderhit\n");
    let lines = conversation.until_idle();
    assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove")).count(), 2, "{lines:?}");
}

#[test]
fn mate_bounds_the_length_of_the_win_that_is_looked_for() {
    for (handshake, length, is_proven) in
        [("uci", 5, true), ("uci", 4, false), ("ugi", 9, true), ("ugi", 8, false), ("uci", 1, false)]
    {
        let lines = said(&format!("{handshake}\n{WIN_IN_9}setoption player perfect\ngo mate {length}\n"));
        let info = lines.iter().rfind(|line| value_of(line, "score").is_some()).expect("an info line");
        assert_eq!(value_of(info, "proven"), Some(if is_proven { "true" } else { "false" }), "{lines:?}");
    }
    let lines = said("go mate 0\nsetoption player random\ngo mate 3\n");
    assert!(lines[0].starts_with("info string error: go: expected a whole number from 1"), "{lines:?}");
}

#[test]
fn every_player_says_a_depth() {
    for player in &players() {
        for (setup, limit) in
            [("", "nodes 50"), ("setoption size 4\n", "nodes 50"), ("setoption size 4\n", "movetime 0")]
        {
            let lines = said(&format!("setoption player {player}\n{setup}position startpos moves 1,1\ngo {limit}\n"));
            for line in lines.iter().filter(|line| value_of(line, "score").is_some()) {
                let depth: u64 = value_of(line, "depth").and_then(|word| word.parse().ok()).expect("a depth");
                assert!((1..=16).contains(&depth), "{player}: {line}");
            }
            assert!(lines.iter().any(|line| value_of(line, "score").is_some()), "{player}: {lines:?}");
        }
    }
}

/// 2,000 searches of the largest board wait behind one without an end; a stop ends all of them.
#[test]
fn searches_stopped_before_they_begin_cost_almost_nothing() {
    for more in ["", "setoption MultiPV 400\n", "setoption tiebreak trap\nsetoption MultiPV 400\n"] {
        for search in ["go", "eval", "explain 3,3", "go searchmoves 0,0 5,5"] {
            let mut program = Program::start();
            let script = format!("setoption size 20\n{more}go infinite\n{}", format!("{search}\n").repeat(2_000));
            program.send(&script).send("isready\n").until("readyok");
            let start = Instant::now();
            let lines = program.send("stop\nquit\n").rest();
            let elapsed = start.elapsed();
            let bests = lines.iter().filter(|line| line.starts_with("bestmove ")).count();
            assert_eq!(bests, if search.starts_with("go") { 2_001 } else { 1 }, "{search}");
            // They took 13.7 seconds when each of them looked at its position.
            assert!(elapsed < Duration::from_secs(4), "{search} {more}: {elapsed:?}");
        }
    }
}

/// A level plays among the listed moves even where its rule would leave none.
#[test]
fn levels_play_absurd_moves_if_they_are_all_that_is_listed() {
    let mut engine = Engine::new();
    let rules = rules(4, 3, false);
    let position = [(0, 0), (3, 3), (0, 1)]
        .into_iter()
        .fold(Position::start(rules), |position, (row, column)| position.after(Cell::new(row, column)));
    for level in 1..=9 {
        let listed: CellSet = [Cell::new(3, 0)].into_iter().collect();
        let options = Options { rules, level: Level::new(level), ..Options::default() };
        let task = GoRequest::new(position, options, Limits::default(), generator(1, Stream::Go(1)));
        let thought = engine.think(GoRequest { root_moves: Some(listed), ..task }, Arc::default(), &mut |_| {});
        assert_eq!(list(&thought.result.lines.iter().map(|line| line.first_move()).collect()), "3,0");
        assert!(thought.result.score != Score::Exact(Value::Win(1)));
    }
}
