//! `noughts exam` through the program: what it says of engines whose play is known, and of engines at fault.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use crate::common::contest::{bad_engine, real as number};
use crate::common::oracle::{self, Judged};
use crate::common::program::{DEADLINE, NOUGHTS, RunToEnd};
use crate::common::{positions_by_ply, rules};
use noughts::game::{Cell, Player, Position, Value};
use noughts::protocol::Command as Line;
use noughts::search::ValueTable;
use serde_json::Value as Json;

const TEMPLATE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/engine_template.py");

/// Questions under either rule.
const QUESTIONS: u64 = 4520;

fn exam(engine: &str, words: &str) -> Output {
    let mut command = Command::new(&*NOUGHTS);
    command.args(["exam", "--engine", engine]).args(words.split_whitespace());
    command.run_to_end()
}

/// The report of an exam that nothing went wrong in.
fn report(engine: &str, words: &str) -> Json {
    let output = exam(engine, &format!("{words} --format json"));
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    serde_json::from_slice(&output.stdout).expect("one object")
}

fn text(output: &[u8]) -> String {
    String::from_utf8(output.to_vec()).expect("text")
}

/// An engine with a fault.
fn bad(mode: &str) -> String {
    bad_engine("Bad", mode)
}

/// The questions in the order in which they are asked.
fn questions(reverse: bool) -> Vec<Position> {
    let all = positions_by_ply(rules(3, 0, reverse)).concat();
    all.into_iter().filter(|position| position.outcome().is_none()).collect()
}

/// The position of a `position` line.
fn position(line: &str, reverse: bool) -> Position {
    let Ok(Line::Position(command)) = line.parse() else { panic!("{line} is no position") };
    assert!(line.starts_with("position startpos"), "{line}");
    Position::reach(rules(3, 0, reverse), None, &command.moves).unwrap_or_else(|error| panic!("{line}: {error}"))
}

#[test]
fn perfect_play_passes_both_exams_at_once() {
    let start = Instant::now();
    let output = exam("cmd=noughts", "");
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let said = text(&output.stdout);
    for rules in ["3x3", "3x3 reverse"] {
        let verdict = format!("{rules}, perfect: no move gave value away in 4,520 positions\n");
        assert!(said.contains(&verdict), "{said}");
    }
}

#[test]
fn with_ties_perfect_play_wins_the_share_that_is_known() {
    let report = report("cmd=noughts", "--ties");
    for (game, side, expected, tolerance) in [
        (0, "x", 75_257.0 / 77_760.0, 1e-12),
        (0, "o", 2_645.0 / 3_402.0, 1e-12),
        (1, "x", 167.0 / 288.0, 1e-12),
        (1, "o", 0.99865, 5e-6),
    ] {
        let odds = &report["exams"][game]["expected"]["random"][side];
        assert!((number(&odds["win"]) - expected).abs() <= tolerance, "{game} {side}: {odds}");
        assert_eq!(number(&odds["loss"]), 0.0);
    }
}

/// The opponent in [`odds`].
#[derive(Clone, Copy, Debug)]
enum Opponent {
    Perfect,
    Random,
}

/// Win, draw and loss of a player that plays `me` and always takes the first empty square: every game is played out.
fn odds(position: &Position, me: Player, opponent: Opponent) -> [f64; 3] {
    if position.outcome().is_some() {
        let value = oracle::value(position);
        let result = if position.side() == me { value.result() } else { -value.result() };
        return [1, 0, -1].map(|wanted| f64::from(u8::from(result == wanted)));
    }
    let taken: Vec<Cell> = match opponent {
        _ if position.side() == me => position.moves().take(1).collect(),
        Opponent::Random => position.moves().collect(),
        Opponent::Perfect => Judged::new(*position).best_moves(),
    };
    let mut sum = [0.0; 3];
    for &cell in &taken {
        let then = odds(&position.after(cell), me, opponent);
        sum.iter_mut().zip(then).for_each(|(sum, then)| *sum += then / taken.len() as f64);
    }
    sum
}

#[test]
fn what_is_expected_is_what_playing_every_game_gives() {
    let report = report(&bad("good"), "");
    for (game, reverse) in [(0, false), (1, true)] {
        let start = Position::start(rules(3, 0, reverse));
        for (name, opponent) in [("perfect", Opponent::Perfect), ("random", Opponent::Random)] {
            for (side, me) in [("x", Player::X), ("o", Player::O)] {
                let [win, draw, loss] = odds(&start, me, opponent);
                let found = &report["exams"][game]["expected"][name][side];
                for (key, expected) in [("win", win), ("draw", draw), ("loss", loss), ("score", win + draw / 2.0)] {
                    let found = number(&found[key]);
                    assert!((found - expected).abs() < 1e-12, "reverse {reverse}, {name}, {side}, {key}: {found}");
                }
            }
        }
    }
}

/// The counts of an exam for the first empty square in a position: 1 if any move gives value away, then the `FAULTS`.
fn faults_of_first_square(position: Position) -> [u64; 5] {
    let known = Judged::new(position);
    let (value, found) = (known.value, known.moves[0].1);
    let is_won = value > Value::Draw;
    [
        known.moves.iter().any(|(_, value)| value.result() < known.value.result()),
        is_won && found <= Value::Draw,
        value == Value::Draw && found < Value::Draw,
        is_won && found > Value::Draw && found < value,
        value < Value::Draw && found < value,
    ]
    .map(u64::from)
}

const FAULTS: [&str; 4] = ["wins_missed", "draws_lost", "wins_slower", "losses_quicker"];

#[test]
fn faults_are_as_many_as_plain_alpha_beta_finds() {
    let report = report(&bad("good"), "");
    for (game, reverse) in [(0, false), (1, true)] {
        let mut expected = [0; 5];
        for position in questions(reverse) {
            expected.iter_mut().zip(faults_of_first_square(position)).for_each(|(sum, count)| *sum += count);
        }
        let exam = &report["exams"][game];
        assert_eq!(FAULTS.map(|key| exam["all"][key].as_u64()), [1, 2, 3, 4].map(|place| Some(expected[place])));
        assert_eq!(exam["all"]["given_away"], expected[1] + expected[2]);
        let sum = |key: &str| exam["stones"].as_array().map(|rows| rows.iter().map(|row| number(&row[key])).sum());
        for key in FAULTS {
            assert_eq!(sum(key), Some(number(&exam["all"][key])));
            assert_eq!(number(&exam["x"][key]) + number(&exam["o"][key]), number(&exam["all"][key]));
        }
        let possible = if reverse { 2669 } else { 3191 };
        assert_eq!(expected[0], possible);
        assert_eq!((exam["all"]["positions"].as_u64(), exam["all"]["possible"].as_u64()), (Some(4520), Some(possible)));
    }
}

#[test]
fn every_refutation_is_a_game_that_ends_as_it_claims() {
    let report = report("cmd=noughts option.player=random", "--list --seed 3");
    for (game, reverse) in [(0, false), (1, true)] {
        let exam = &report["exams"][game];
        let table = ValueTable::for_rules(rules(3, 0, reverse)).expect("3x3 is known");
        let list = exam["list"].as_array().expect("a list");
        assert_eq!(list.len() as f64, number(&exam["all"]["given_away"]) + number(&exam["all"]["wins_slower"]));
        let mut script = format!("setoption reverse {reverse}\n");
        let mut expected = String::new();
        for finding in list {
            let field = |key: &str| finding[key].as_str().unwrap_or_else(|| panic!("{key}: {finding}"));
            let (asked, refutation) = (position(field("position"), reverse), field("refutation"));
            assert!(
                refutation.starts_with(&format!("position startpos moves {}", moves(field("position")))),
                "{finding}"
            );
            let after = position(&format!("{} {}", with_moves(field("position")), field("move")), reverse);
            assert!(refutation.contains(field("move")));
            let (before, then) = (table.value(&asked), table.value(&after).before_move());
            let is_slower = matches!((before, then), (Value::Win(best), Value::Win(taken)) if taken > best);
            assert_eq!(field("kind") == "win_slower", is_slower, "{finding}");
            assert!(is_slower || then.result() < before.result(), "{finding}");
            assert_eq!(number(&finding["value_after"]), f64::from(then.result()));
            assert_eq!(finding["plies"].as_u64(), before.plies().map(u64::from), "{finding}");
            for best in finding["best"].as_array().expect("the best moves") {
                let line = format!("{} {}", with_moves(field("position")), best.as_str().expect("a move"));
                assert_eq!(table.value(&position(&line, reverse)).before_move(), before, "{line}");
            }
            script.push_str(&format!("{refutation}\nquery result\n"));
            expected.push_str(&format!("response {}\n", field("result")));
        }
        assert_eq!(answers_of_noughts(&script), expected);
    }
}

/// A `position` line that goes on with moves.
fn with_moves(line: &str) -> String {
    if line.contains(" moves") { line.to_owned() } else { format!("{line} moves") }
}

fn moves(line: &str) -> &str {
    line.split_once(" moves ").map_or("", |(_, moves)| moves)
}

/// The answers of the engine to a script.
fn answers_of_noughts(script: &str) -> String {
    let mut noughts = assert_cmd::Command::new(&*NOUGHTS);
    text(&noughts.write_stdin(script).timeout(DEADLINE).output().expect("the engine starts").stdout)
}

#[test]
fn a_crash_or_hang_ends_the_exam_and_the_question_is_named() {
    let questions = questions(false);
    for (mode, at, problem) in [
        ("crash-on-go", 1, "ended (exit status: 3)"),
        ("crash-on-go", 100, "ended (exit status: 3)"),
        ("signal-on-go", 64, "ended (signal: 11"),
        ("hang-on-go", 1000, "did not answer, not even to stop"),
        ("silent-on-go", 70, "did not answer, not even to stop"),
        ("closes-stdout", 65, "closed its output"),
    ] {
        let pids = pid_file(&format!("{mode}-{at}"));
        let output = exam(&bad(&format!("{mode} {at} pids={}", pids.display())), "--patience 1");
        assert_eq!(output.status.code(), Some(1), "{mode}: {output:?}");
        assert!(output.stdout.is_empty(), "{mode}: {output:?}");
        let said = text(&output.stderr);
        assert!(said.starts_with("error: engine Bad (python3 ") && said.contains(problem), "{mode}: {said}");
        let (_, line) = said.trim_end().split_once("asked for a move of 3x3 in ").expect("the question");
        assert_eq!(position(line, false), questions[at - 1], "{mode}: {line}");
        assert_gone(&pids);
    }
}

/// A file for the numbers of the processes of an engine.
fn pid_file(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("exam-{name}-{}", std::process::id()));
    let _ = std::fs::remove_file(&path);
    path
}

/// No process is left of those that a file names.
fn assert_gone(pids: &Path) {
    let numbers = std::fs::read_to_string(pids).expect("engines were started");
    for pid in numbers.lines() {
        let command = std::fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        assert!(!command.contains("bad_engine"), "{pid} is left");
    }
    let _ = std::fs::remove_file(pids);
}

#[test]
fn an_engine_that_is_never_ready_again_ends_the_exam() {
    let output = exam(&bad("no-readyok 100"), "--patience 1 --start-limit 2");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("did not say readyok"), "{output:?}");
    let output = exam(&bad("no-handshake"), "--start-limit 1");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("did not introduce itself"), "{output:?}");
}

#[test]
fn illegal_answers_are_counted_and_lose_their_games() {
    for mode in ["illegal-occupied", "illegal-off-board", "null-move", "none-move", "no-move", "rubbish-move"] {
        let report = report(&bad(&format!("{mode} 0")), "--rules normal --list");
        let exam = &report["exams"][0];
        assert_eq!(exam["all"]["illegal"], QUESTIONS, "{mode}");
        assert_eq!((&exam["all"]["given_away"], number(&exam["all"]["rate"])), (&QUESTIONS.into(), 1.0));
        for opponent in ["perfect", "random"] {
            for side in ["x", "o"] {
                // As O the opponent has not won yet when the engine is asked for the first time.
                assert_eq!(number(&exam["expected"][opponent][side]["loss"]), 1.0, "{mode} {opponent} {side}");
            }
        }
        let list = exam["list"].as_array().expect("a list");
        assert!(list.len() as u64 == QUESTIONS && list.iter().all(|finding| finding["refutation"].is_null()));
    }
    let once = report(&bad("illegal-off-board 1"), "--rules normal --list");
    let exam = &once["exams"][0];
    assert_eq!(exam["all"]["illegal"], 1);
    assert_eq!(exam["list"][0]["move"], "\"bestmove 3,3\"");
    assert_eq!(number(&exam["expected"]["random"]["x"]["loss"]), 1.0);
}

#[test]
fn unasked_answers_do_not_shift_the_others() {
    let good = report(&bad("good"), "");
    for mode in ["stale-bestmove 0", "stale-bestmove 100", "stale-bestmove-later 100 1", "ponder", "crlf"] {
        let output = exam(&bad(mode), "--format json");
        assert!(output.status.success(), "{mode}: {output:?}");
        let report: Json = serde_json::from_slice(&output.stdout).expect("one object");
        assert_eq!(report["exams"], good["exams"], "{mode}");
        let warned = text(&output.stderr).contains("warning: engine Bad answers more than it is asked");
        assert_eq!(warned, mode.starts_with("stale"), "{mode}: {output:?}");
    }
}

#[test]
fn a_missing_answer_and_an_extra_one_do_not_cancel_out() {
    let good = report(&bad("good"), "--rules normal");
    let report = report(&bad("skips-and-doubles 40"), "--rules normal");
    assert_eq!(report["exams"], good["exams"]);
}

#[test]
fn answers_match_questions_for_an_engine_ready_while_thinking() {
    let report = report("cmd=noughts option.player=montecarlo", "--trials 3000 --rules reverse");
    let all = &report["exams"][0]["all"];
    assert_eq!(all["illegal"], 0);
    assert!((0.005..0.03).contains(&number(&all["rate_where_possible"])), "{all}");
}

#[test]
fn an_engine_without_reverse_rules_takes_the_part_that_it_can() {
    let output = exam(&bad("no-options"), "--ties");
    assert!(output.status.success());
    let said = text(&output.stdout);
    assert!(said.starts_with("3x3: 1,869 of 4,520 answers gave value away (58.6% of the 3,191 positions"), "{said}");
    assert!(!said.contains("reverse"), "{said}");
    let warnings = text(&output.stderr);
    let declaration = "an engine that can prints \"option name reverse type check default false\"";
    assert!(warnings.contains(&format!("declares no option \"reverse\"; {declaration}; that part")), "{warnings}");
    assert!(warnings.contains("declares no option \"MultiPV\""), "{warnings}");
    let output = exam(&bad("no-options"), "--rules reverse");
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty() && text(&output.stderr).starts_with("error: engine Bad"), "{output:?}");
}

#[test]
fn an_exam_repeats_itself_unless_the_seed_is_another() {
    let engine = "cmd=noughts option.player=random";
    let first = report(engine, "--repeat 3");
    assert_eq!(first, report(engine, "--repeat 3"));
    assert_ne!(first["exams"], report(engine, "--repeat 3 --seed 2")["exams"]);
    assert_eq!((&first["exams"][0]["all"]["answers"], &first["seed"]), (&(3 * QUESTIONS).into(), &1.into()));
    let rate = number(&first["exams"][0]["all"]["rate_where_possible"]);
    assert!((rate - 0.595).abs() < 0.03, "{rate}");
    // A seed that the engine's own description sets stays.
    assert!(report("cmd=noughts option.seed=7", "--rules normal")["seed"].is_null());
}

#[test]
fn a_course_engine_that_only_plays_moves_can_take_the_exam() {
    let report = report(&format!("name=template cmd=python3 args='-IS {TEMPLATE}'"), "--movetime 1000 --rules normal");
    assert_eq!(report["exams"][0]["all"]["illegal"], 0);
    assert_eq!((&report["limit"], &report["engine"]["name"]), (&"movetime 1000".into(), &"template".into()));
}

#[test]
fn every_format_tells_the_same() {
    let engine = "cmd=noughts option.player=random";
    let report = report(engine, "--list");
    let sizes: Vec<usize> =
        [0, 1].iter().map(|&game: &usize| report["exams"][game]["list"].as_array().map_or(0, Vec::len)).collect();
    let lines = |words: &str| -> Vec<String> {
        let output = exam(engine, words);
        assert!(output.status.success(), "{output:?}");
        text(&output.stdout).lines().map(str::to_owned).collect()
    };
    for format in ["text", "markdown"] {
        let said = lines(&format!("--format {format} --list"));
        let refuted = said.iter().filter(|line| line.matches("position startpos moves").count() >= 1);
        assert_eq!(refuted.count(), sizes[0] + sizes[1], "{format}");
        assert!(said[0].contains("answers gave value away"), "{format}");
    }
}

#[test]
fn perfect_play_passes_the_4x4_exam_and_monte_carlo_does_not() {
    let perfect = report("cmd=noughts option.player=perfect", "--size 4 --ties");
    let classroom = report("cmd=noughts option.player=montecarlo", "--size 4 --trials 30");
    for game in [0, 1] {
        let [perfect, classroom] = [&perfect, &classroom].map(|report| &report["exams"][game]);
        for key in ["given_away", "wins_slower", "losses_quicker"] {
            assert_eq!(perfect["all"][key], 0, "{key}");
        }
        assert!(number(&classroom["all"]["given_away"]) > 10.0, "{classroom}");
        assert!(classroom.get("expected").is_none());
        assert_eq!(perfect["sample"], serde_json::json!({ "positions": 2000, "of": 9_062_619, "seed": 1 }));
        assert_eq!((&perfect["sample"], &perfect["all"]["positions"]), (&classroom["sample"], &2000.into()));
        assert_eq!(perfect["all"]["possible"], classroom["all"]["possible"]);
    }
}

#[test]
fn a_sample_is_the_same_for_the_same_seed_and_any_engine() {
    let sample = |engine: &str, seed| {
        let log = pid_file(&format!("sample-{seed}-{}", engine.len()));
        let words = format!("--size 4 --sample 50 --seed {seed} --rules normal --debug {}", log.display());
        report(engine, &words);
        let asked = asked(&log);
        let _ = std::fs::remove_file(log);
        asked
    };
    let first = sample("cmd=noughts", 7);
    assert_eq!((first.len(), &first), (50, &sample(&bad("good"), 7)));
    assert_ne!(first, sample("cmd=noughts", 8));
}

/// The `position` lines in the log of an exam.
fn asked(log: &Path) -> Vec<String> {
    let log = std::fs::read_to_string(log).expect("the log is there");
    log.lines().filter_map(|line| line.find("position startpos").map(|at| line[at..].to_owned())).collect()
}

#[test]
fn on_4x4_too_faults_are_as_many_as_plain_alpha_beta_finds() {
    // With more empty squares plain alpha-beta takes its time.
    const STONES: usize = 9;
    for (connect, reverse) in [(4, false), (4, true), (3, false), (3, true)] {
        let log = pid_file(&format!("brute-{connect}-{reverse}"));
        let rule = if reverse { "reverse" } else { "normal" };
        let words =
            format!("--size 4 --connect {connect} --rules {rule} --sample 150 --debug {} --list", log.display());
        let exam = report(&bad("good"), &words)["exams"][0].clone();
        let rules = rules(4, connect, reverse);
        let mut expected = [0; 5];
        for line in asked(&log) {
            let Ok(Line::Position(command)) = line.parse() else { panic!("{line} is no position") };
            let position = Position::reach(rules, None, &command.moves).expect("a position");
            if command.moves.len() >= STONES {
                expected.iter_mut().zip(faults_of_first_square(position)).for_each(|(sum, count)| *sum += count);
            }
        }
        let rows = &exam["stones"].as_array().expect("rows")[STONES..];
        for (key, expected) in ["possible"].into_iter().chain(FAULTS).zip(expected) {
            let found: f64 = rows.iter().map(|row| number(&row[key])).sum();
            assert_eq!(found, expected as f64, "{key} {connect} {rule}");
        }
        assert!(expected[0] > 10, "{connect} {rule}: {expected:?}");
        for finding in exam["list"].as_array().expect("a list") {
            let line = finding["refutation"].as_str().expect("a line");
            let script =
                format!("setoption size 4\nsetoption connect {connect}\nsetoption reverse {reverse}\n{line}\n");
            let result = format!("response {}\n", finding["result"].as_str().expect("a result"));
            assert_eq!(answers_of_noughts(&format!("{script}query result\n")), result, "{finding}");
        }
        let _ = std::fs::remove_file(log);
    }
}

#[test]
fn small_boards_can_be_sampled_and_all_of_them_asked() {
    let whole = report("cmd=noughts", "--sample all");
    assert_eq!(whole, report("cmd=noughts", ""));
    assert_eq!(whole, report("cmd=noughts", "--sample 99999999999"));
    let part = report("cmd=noughts option.player=random", "--sample 4519 --list --repeat 2");
    assert_eq!(part["exams"][0]["sample"]["of"], QUESTIONS);
    assert_eq!(part["exams"][0]["all"]["answers"], 2 * 4519);
    for (size, connect) in [(1, 0), (2, 0), (3, 2), (4, 1), (4, 2)] {
        let all = positions_by_ply(rules(size, connect, false)).concat();
        let going_on = all.iter().filter(|position| position.outcome().is_none()).count();
        let report = report("cmd=noughts", &format!("--size {size} --connect {connect} --sample all"));
        for game in [0, 1] {
            assert_eq!(report["exams"][game]["all"]["positions"], going_on, "{size} {connect}");
            assert_eq!(report["exams"][game]["expected"].is_object(), going_on <= 8192, "{size} {connect}");
        }
    }
}

#[test]
fn a_sample_is_told_in_every_format() {
    let engine = "cmd=noughts option.player=random";
    let said = |words: &str| text(&exam(engine, &format!("--size 4 --sample 40 --seed 3 {words}")).stdout);
    assert!(said("").ends_with("\nsample  40 of 9,062,619 positions, seed 3\n"));
    assert!(said("--format markdown").contains("| sample | 40 of 9,062,619 positions, seed 3"));
}

#[test]
fn the_interval_of_a_sample_holds_the_share_of_all_positions() {
    let engine = "cmd=noughts option.player=random";
    let whole = &report(engine, "--rules normal")["exams"][0];
    assert!(whole.get("error").is_none());
    let exact = number(&whole["all"]["rate_where_possible"]);
    let held = (1..=40).filter(|seed| {
        let sample = &report(engine, &format!("--rules normal --sample 400 --seed {seed}"))["exams"][0];
        let share = number(&sample["all"]["rate_where_possible"]);
        (share - exact).abs() <= number(&sample["error"])
    });
    assert!(held.count() >= 34, "95% of the intervals hold the share, give or take three standard errors");
}

#[test]
fn what_an_exam_decides_itself_cannot_be_set() {
    for (engine, problem) in [
        ("cmd=noughts option.reverse=true", "choose the game with --rules"),
        ("cmd=noughts option.Size=4", "choose the game with --rules"),
        ("cmd=noughts option.columns=4", "choose the game with --rules"),
        ("cmd=noughts restart=on", "no games"),
        ("name=a", "cmd="),
    ] {
        let output = exam(engine, "");
        assert_eq!(output.status.code(), Some(2), "{engine}: {output:?}");
        assert!(text(&output.stderr).contains(problem), "{engine}: {output:?}");
    }
    for size in ["5x5", "20x20", "1x17"] {
        let output = exam("cmd=noughts", &format!("--size {size}"));
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let problem = format!("an exam of {size}: only boards of at most 16 cells are known position by position");
        assert!(text(&output.stderr).contains(&problem), "{output:?}");
    }
    for words in ["--size 0", "--size 4x", "--size 3 --connect 401", "--sample 0", "--sample some", "--sample -1"] {
        assert_eq!(exam("cmd=noughts", words).status.code(), Some(2), "{words}");
    }
    for words in ["--trials 5 --nodes 5", "--repeat 0", "--seed 0", "--rules both,normal", "--engine cmd=noughts"] {
        assert_eq!(exam("cmd=noughts", words).status.code(), Some(2), "{words}");
    }
    let output = exam("cmd=noughts option.colour=3", "");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("declares no option \"colour\""), "{output:?}");
}
