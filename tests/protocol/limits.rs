//! Proofs within limits: each limit counts, nothing is claimed that is not so, and the same budget gives the same answer.

use std::num::NonZeroU64;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::common::claims::assert_claims_hold;
use crate::common::oracle::Judged;
use crate::common::program::Program;
use crate::common::random_games::late;
use crate::common::{Conversation, rules, said, value_of, without_times};
use noughts::engine::{Engine, GoRequest, GoResult, Options, PlayerKind, SearchPurpose};
use noughts::game::{Position, Rules, Score, Value};
use noughts::search::{Limits, Stream, Tiebreak, generator};

/// A board on which no proof ends soon.
const HARD: &str = "setoption player perfect\nsetoption seed 1\nsetoption size 12\nsetoption connect 6\n";

/// Both rules on 4x4 and 5x5, with lines as long as the board and shorter ones.
fn games() -> impl Iterator<Item = Rules> {
    let boards = [(4, 0), (4, 3), (4, 7), (5, 0), (5, 4), (5, 3)];
    boards.into_iter().flat_map(|(size, connect)| [false, true].map(|reverse| rules(size, connect, reverse)))
}

fn options(rules: Rules, player: PlayerKind) -> Options {
    Options { rules, player, trials: Some(50), tiebreak: Tiebreak::First, ..Options::default() }
}

fn think(engine: &mut Engine, position: Position, player: PlayerKind, limits: Limits, lines: u32) -> GoResult {
    let options = Options { multi_pv: lines, ..options(position.rules(), player) };
    let task = GoRequest::new(position, options, limits, generator(1, Stream::Go(1)));
    engine.think(task, Arc::default(), &mut |_| {})
}

fn nodes(number: u64) -> Limits {
    Limits { nodes: NonZeroU64::new(number), ..Limits::default() }
}

#[test]
fn perfect_play_is_exact_on_late_positions_of_larger_boards() {
    for rules in games() {
        let mut engine = Engine::new();
        for number in 0..12 {
            let position = late(rules, 7, 20, number);
            let mut known = Judged::new(position);
            let thought = think(&mut engine, position, PlayerKind::Perfect, Limits::default(), 400);
            assert!(assert_claims_hold(&thought, &known), "{rules}: {}", position.diagram());
            known.moves.sort_by_key(|&(_, value)| std::cmp::Reverse(value));
            let found: Vec<_> = thought.result.lines.iter().map(|line| (line.first_move(), line.score)).collect();
            let expected: Vec<_> = known.moves.iter().map(|&(cell, value)| (cell, Score::Exact(value))).collect();
            assert_eq!(found, expected, "{rules}: {}", position.diagram());
            for line in &thought.result.lines {
                let Score::Exact(value) = line.score else { panic!("everything is proven here") };
                if let Some(plies) = value.plies() {
                    let context = || format!("{rules}: {}: {line:?}", position.diagram());
                    assert_eq!(line.principal_variation.len(), usize::from(plies), "{}", context());
                    let end = line.principal_variation.iter().fold(position, |position, &cell| position.after(cell));
                    assert!(end.outcome().is_some());
                }
            }
            // The ties alone give the same move.
            let alone = think(&mut engine, position, PlayerKind::Perfect, Limits::default(), 1);
            assert_eq!(alone.result.lines[0], thought.result.lines[0]);
        }
    }
}

#[test]
fn any_limit_gives_a_legal_move_and_only_true_claims() {
    let number = NonZeroU64::new;
    let limits = [
        nodes(1),
        nodes(2),
        nodes(10),
        nodes(60),
        nodes(400),
        Limits { depth: number(1), ..Limits::default() },
        Limits { depth: number(2), ..Limits::default() },
        Limits { depth: number(4), ..nodes(100) },
        Limits { trials: number(3), ..nodes(30) },
        Limits { move_time: Some(0), ..Limits::default() },
        Limits { move_time: Some(1), ..Limits::default() },
    ];
    let (mut proven, mut open) = (0, 0);
    for rules in games() {
        let mut engine = Engine::new();
        for place in 0..6 {
            let position = late(rules, 8, 20, 100 + place);
            let known = Judged::new(position);
            for limits in limits {
                for player in [PlayerKind::Perfect, PlayerKind::Auto] {
                    let [move_only, every_move] = [SearchPurpose::Move, SearchPurpose::EveryMove];
                    for (purpose, multi_pv) in [(move_only, 1), (move_only, 3), (every_move, 1)] {
                        let options = Options { multi_pv, ..options(rules, player) };
                        let task = GoRequest::new(position, options, limits, generator(1, Stream::Go(1)));
                        let thought = engine.think(GoRequest { purpose, ..task }, Arc::default(), &mut |_| {});
                        match assert_claims_hold(&thought, &known) {
                            true => proven += 1,
                            false => open += 1,
                        }
                    }
                }
            }
            // Told to stop before it begins.
            let options = options(rules, PlayerKind::Perfect);
            let generator = generator(1, Stream::Go(1));
            let task = GoRequest::new(position, options, Limits::default(), generator);
            let thought = engine.think(task, Arc::new(AtomicBool::new(true)), &mut |_| {});
            assert_claims_hold(&thought, &known);
            if known.value == Value::Win(1) {
                assert_eq!(thought.result.score, Score::Exact(known.value), "a win at hand is seen in no time");
            }
        }
    }
    assert!(proven > 100 && open > 100, "{proven} proven, {open} open");
}

/// The last `info` line with a score.
fn last_info(lines: &[String]) -> &String {
    lines.iter().rfind(|line| value_of(line, "score").is_some()).expect("an info line")
}

fn number(line: &str, key: &str) -> u64 {
    value_of(line, key).and_then(|word| word.parse().ok()).unwrap_or(0)
}

#[test]
fn a_proof_keeps_its_node_limit_and_the_guess_its_trial_limit() {
    for nodes in [1, 50, 1000, 20_000] {
        let lines = said(&format!("{HARD}setoption trials 70\ngo nodes {nodes}\n"));
        let info = last_info(&lines);
        assert_eq!(value_of(info, "proven"), Some("false"));
        let playouts = number(info, "trials");
        assert_eq!(playouts, nodes.min(70), "{info}");
        assert!(number(info, "nodes") - playouts <= nodes, "{info}");
    }
    let lines = said(&format!("{HARD}go nodes 500 trials 20\n"));
    assert_eq!(number(last_info(&lines), "trials"), 20);
}

#[test]
fn auto_tries_a_proof_and_then_plays_all_its_playouts() {
    let lines = said(&format!("{HARD}setoption player auto\ngo trials 40\n"));
    let info = last_info(&lines);
    assert_eq!((value_of(info, "proven"), number(info, "trials")), (Some("false"), 40), "{info}");
    assert!((1..=20_000 + 40).contains(&number(info, "nodes")), "{info}");
    // Where the proof fits it is perfect.
    for player in ["auto", "perfect"] {
        let script = "setoption size 4\nsetoption tiebreak first\nposition fen xoxo/oxox/2x1/o3\ngo\n";
        let lines = said(&format!("setoption player {player}\n{script}"));
        assert!(last_info(&lines).contains("score mate 1 value 1 proven true plies 1"), "{lines:?}");
        assert_eq!(lines.last().map(String::as_str), Some("bestmove 3,3"));
    }
}

#[test]
fn max_trials_bounds_the_playouts_under_every_limit() {
    for player in ["montecarlo", "mcts", "auto", "perfect"] {
        for go in ["movetime 2000", "wtime 60000 btime 60000", "trials 900", "nodes 900", ""] {
            let lines = said_at_once(&format!("{HARD}setoption player {player}\nsetoption max_trials 30\ngo {go}\n"));
            // The line in place of a search that waits for a core when its time is over has no playouts.
            let counted = lines.iter().filter(|line| value_of(line, "trials").is_some());
            let playouts: Vec<u64> = counted.map(|line| number(line, "trials")).collect();
            assert!(playouts.last().is_some_and(|&last| last > 0), "{player} {go}: {lines:?}");
            assert!(playouts.iter().all(|&playouts| playouts <= 30), "{player} {go}: {lines:?}");
        }
    }
    let lines = said_at_once(&format!("{HARD}setoption player montecarlo\nsetoption max_trials 30\ngo trials 20\n"));
    assert_eq!(number(last_info(&lines), "trials"), 20);
}

#[test]
fn an_unfinished_proof_uses_its_time_and_does_not_overrun() {
    for player in ["perfect", "auto"] {
        for go in ["movetime 150", "wtime 5050 movestogo 73"] {
            let mut times: Vec<Duration> = (0..5)
                .map(|_| {
                    let start = Instant::now();
                    let lines = said_at_once(&format!("{HARD}setoption player {player}\ngo {go}\n"));
                    assert_eq!(value_of(last_info(&lines), "proven"), Some("false"));
                    start.elapsed()
                })
                .collect();
            times.sort_unstable();
            // The share of the clock is about as long, but a tree that is sure of its move saves time; the proof of
            // `perfect` comes before it, with three quarters. Of five on a busy machine the best is taken.
            let least = match (player, go.starts_with("wtime")) {
                (_, false) => 134,
                ("perfect", true) => 90,
                (_, true) => 1,
            };
            assert!((least..150).contains(&times[0].as_millis()), "{player} {go}: {times:?}");
        }
    }
}

/// As [`said`], without waiting for more.
fn said_at_once(script: &str) -> Vec<String> {
    Conversation::new().send(script).until_line("bestmove")
}

#[test]
fn a_proof_that_is_told_to_stop_answers_soon() {
    let mut times: Vec<Duration> = [1, 2, 5, 20, 100]
        .map(|milliseconds| {
            let mut conversation = Conversation::new();
            // A large table, which is taken when it is first needed.
            conversation.send(HARD).send("setoption Hash 1024\ngo infinite\n");
            std::thread::sleep(Duration::from_millis(milliseconds));
            let start = Instant::now();
            let lines = conversation.send("stop\n").until_line("bestmove");
            assert_eq!(value_of(last_info(&lines), "proven"), Some("false"));
            start.elapsed()
        })
        .into();
    times.sort_unstable();
    // Not the slowest: machines that run tests are busy.
    assert!(times[2] <= Duration::from_millis(20), "{times:?}");
}

#[test]
fn progress_of_a_proof_is_told_at_most_once_a_second() {
    let lines = said_at_once(&format!("{HARD}go movetime 3300\n"));
    // A tree search, which reports more often, comes before and after the proof.
    let during_proof = |line: &&String| {
        let time = value_of(line, "time").and_then(|time| time.parse::<u64>().ok());
        time.is_some_and(|time| (500..2300).contains(&time))
    };
    let progress = lines.iter().filter(during_proof).count();
    assert!((1..=2).contains(&progress), "{lines:?}");
}

#[test]
fn a_budgeted_answer_does_not_depend_on_earlier_searches() {
    let question = "setoption seed 4\nposition startpos moves 0,0 3,3 1,1\n";
    for (rules, go) in [
        ("setoption size 5\nsetoption connect 4\n", "go nodes 3000"),
        ("setoption size 6\nsetoption connect 4\n", "go nodes 700"),
        ("setoption size 5\nsetoption reverse true\nsetoption connect 4\n", "go nodes 2000"),
        ("setoption size 7\nsetoption connect 4\nsetoption player auto\n", "go trials 30"),
    ] {
        let answer = |before: &str| {
            let mut conversation = Conversation::new();
            conversation.send(&format!("setoption player perfect\n{rules}setoption MultiPV 5\n{before}")).until_idle();
            let lines = conversation.send(&format!("{question}{go}\n")).until_line("bestmove");
            lines.iter().map(|line| without_times(line)).collect::<Vec<_>>()
        };
        let fresh = answer("");
        assert_eq!(answer(""), fresh);
        assert_eq!(answer("position startpos moves 0,0 3,3\ngo nodes 20000\n"), fresh);
        assert_eq!(answer("position startpos moves 0,0 3,3 1,1\ngo movetime 100\n"), fresh);
        assert_eq!(answer("go infinite\nstop\nsetoption Hash 3\nsetoption Hash 64\n"), fresh);
    }
}

/// Proofs and tree together take no more than `Hash`, whichever commands follow each other; beside it a search takes a few
/// MiB for what it works with.
#[cfg(target_os = "linux")]
#[test]
fn searches_remember_no_more_than_hash_allows() {
    const WORK: u64 = 4 << 10;
    for player in ["auto", "mcts", "perfect"] {
        for hash in [8, 32] {
            let mut program = Program::start();
            let setup =
                format!("setoption size 8\nsetoption connect 5\nsetoption player {player}\nsetoption Hash {hash}\n");
            program.send(setup).send("isready\n").until("readyok");
            let before = program.peak();
            for _ in 0..2 {
                program.send("position startpos moves 3,3\ngo movetime 1200\n").until("bestmove");
                // With `perfect` a command without a limit of time takes long.
                let other = if player == "perfect" { "go movetime 300" } else { "eval" };
                program.send(format!("position startpos moves 2,2 3,3\n{other}\nquery p1turn\n")).until("response");
            }
            let taken = program.peak() - before;
            assert!(taken <= (hash << 10) + WORK, "{player}, Hash {hash}: {taken} KiB");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn newgame_gives_the_memory_of_proofs_back() {
    let mut program = Program::start();
    program
        .send(HARD)
        .send("setoption size 15\nsetoption connect 5\nsetoption Hash 256\ngo nodes 1\n")
        .until("bestmove");
    let before = program.memory();
    program.send("go nodes 200000\n").until("bestmove");
    let full = program.memory();
    program.send("newgame\nisready\nquery p1turn\n").until("response");
    let after = program.memory();
    assert!(full > before + 2 * 1024, "{before} KiB, then {full} KiB");
    assert!(full < before + 400 * 1024, "{before} KiB, then {full} KiB");
    assert!(after < before + (full - before) / 2, "{before} KiB, {full} KiB, then {after} KiB");
}

#[test]
fn what_is_proven_within_a_depth_is_no_longer_than_that() {
    for rules in games() {
        let mut engine = Engine::new();
        for place in 0..6 {
            let position = late(rules, 8, 20, 200 + place);
            for depth in 1..=8 {
                let limits = Limits { depth: NonZeroU64::new(depth), ..Limits::default() };
                let thought = think(&mut engine, position, PlayerKind::Perfect, limits, 1);
                if let Score::Exact(value) = thought.result.score {
                    // Every answer has a look of two plies.
                    let most = depth.max(2);
                    assert!(value.plies().is_none_or(|plies| u64::from(plies) <= most), "{rules}: {thought:?}");
                }
            }
        }
    }
}

#[test]
fn a_stopped_search_follows_only_the_line_of_its_move() {
    let position = Position::start(rules(20, 0, false));
    let options = Options { multi_pv: 400, ..options(position.rules(), PlayerKind::Perfect) };
    let task = GoRequest::new(position, options, Limits::default(), generator(1, Stream::Go(1)));
    let lengths = |is_stopped| {
        let thought = Engine::new().think(task.clone(), Arc::new(AtomicBool::new(is_stopped)), &mut |_| {});
        let expected = if is_stopped { Score::Estimate(0.0) } else { Score::Exact(Value::Draw) };
        assert_eq!(thought.result.score, expected);
        let lines = thought.result.lines;
        assert_eq!(lines.len(), if is_stopped { 1 } else { 400 });
        (lines[0].principal_variation.len() > 1, lines[1..].iter().any(|line| line.principal_variation.len() > 1))
    };
    assert_eq!(lengths(false), (true, true));
    assert!(!lengths(true).1);
}
