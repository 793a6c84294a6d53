//! What clients do wrong, and what becomes of it: the program under every fault that is known from other engines.
//!
//! The numbers are those of `docs/faults.md`. Bounds on time are there to catch a hang, not to measure: what an
//! engine owes within milliseconds gets seconds here, because machines that run tests are busy.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::program::{
    NOUGHTS, PATIENCE, Program, RunToEnd, command, first_line, join_in_time, let_programs_take_ctrl_c,
};
use crate::common::{value_of, without_times};
use rustix::process::{Pid, Signal, kill_process};

/// Options under which a search takes as long as it is given.
const SLOW: &str = "setoption player montecarlo\nsetoption size 9\nsetoption seed 1\n";

/// Soon, on a busy machine.
const SOON: Duration = Duration::from_secs(1);

fn slow() -> Program {
    let mut program = Program::start();
    program.send(SLOW);
    program
}

fn signal(program: &Program, signal: Signal) {
    let pid = Pid::from_child(&program.child);
    kill_process(pid, signal).expect("our own child can be sent a signal");
}

fn count(lines: &[String], start: &str) -> usize {
    lines.iter().filter(|line| line.starts_with(start)).count()
}

/// What the program says to a script that is piped in, times apart.
fn answers(script: impl AsRef<[u8]>) -> Vec<String> {
    let assert = assert_cmd::Command::from_std(command())
        .write_stdin(script.as_ref())
        .timeout(PATIENCE)
        .assert()
        .success()
        .stderr("");
    let output = String::from_utf8(assert.get_output().stdout.clone()).expect("output is text");
    output.lines().map(without_times).collect()
}

#[test]
fn e01_a_handshake_is_answered_once() {
    let mut program = Program::start();
    let start = Instant::now();
    let lines = program.send("uci\n").until("uciok");
    assert!(start.elapsed() < SOON);
    assert_eq!((count(&lines, "id name"), count(&lines, "uciok")), (1, 1));
    assert_eq!(program.line_within(Duration::from_millis(50)), None);
}

#[test]
fn e02_isready_may_come_first() {
    assert_eq!(Program::start().send("isready\n").line(), "readyok");
}

#[test]
fn e03_stop_without_a_search_is_silent() {
    let mut program = Program::start();
    assert_eq!(program.send("stop\nisready\n").line(), "readyok");
}

#[test]
fn e04_go_before_any_position_searches_the_start() {
    let lines = Program::start().send("go\n").until("bestmove");
    assert_eq!(value_of(&lines[0], "value"), Some("0"));
}

#[test]
fn e05_isready_is_answered_at_once_and_the_search_goes_on() {
    let mut program = slow();
    program.send("go movetime 1500\n");
    for _ in 0..10 {
        let start = Instant::now();
        let lines = program.send("isready\n").until("readyok");
        assert!(start.elapsed() < SOON);
        assert_eq!(count(&lines, "bestmove"), 0);
    }
    assert_eq!(count(&program.until("bestmove"), "readyok"), 0);
}

#[test]
fn e06_stop_twice_gives_one_bestmove() {
    let mut program = slow();
    program.send("go infinite\n");
    std::thread::sleep(Duration::from_millis(50));
    let start = Instant::now();
    program.send("stop\nstop\n").until("bestmove");
    assert!(start.elapsed() < SOON);
    let rest = program.send("isready\n").until("readyok");
    assert_eq!(rest, ["readyok"]);
}

#[test]
fn e07_a_proven_answer_waits_for_stop_under_infinite() {
    let mut program = Program::start();
    // What is known is told, the move is not.
    assert_eq!(value_of(&program.send("go infinite\n").until("info")[0], "proven"), Some("true"));
    assert_eq!(program.line_within(Duration::from_millis(200)), None);
    assert_eq!(program.send("stop\n").until("bestmove").len(), 1);
}

#[test]
fn e08_a_finished_game_has_no_move() {
    let mut program = Program::start();
    let lines = program.send("position fen xxx/oo1/3\ngo\n").until("bestmove");
    assert_eq!(lines.last().map(String::as_str), Some("bestmove (none)"));
}

#[test]
fn e09_a_second_go_waits_and_gets_its_own_answer() {
    let mut program = slow();
    program.send("go movetime 100\ngo trials 10\n");
    program.until("bestmove");
    let second = program.until("bestmove");
    assert_eq!(value_of(&second[0], "trials"), Some("10"));
    program.send("go infinite\ngo infinite\nstop\n");
    program.until("bestmove");
    program.until("bestmove");
    program.assert_alive();
}

#[test]
fn e10_to_e12_option_newgame_and_position_wait_for_the_search() {
    let mut program = slow();
    program.send("go infinite\nsetoption size 3\nnewgame\nposition startpos moves 0,0\nquery position\n");
    assert_eq!(count(&program.send("isready\n").until("readyok"), "response"), 0);
    let lines = program.send("stop\n").until("response");
    assert_eq!(count(&lines, "bestmove"), 1);
    assert_eq!(lines.last().map(String::as_str), Some("response x2/3/3 o"));
    assert_eq!(program.send("go\n").until("bestmove").len(), 2);
}

#[test]
fn e13_quit_during_a_search_gives_its_bestmove_and_ends() {
    let mut program = slow();
    program.send("go infinite\n");
    std::thread::sleep(Duration::from_millis(50));
    program.send("quit\n").until("bestmove");
    let (status, time) = program.exit();
    assert!(status.success() && time < SOON);
}

#[test]
fn e14_end_of_input_ends_an_idle_program_or_infinite_search() {
    for script in ["isready\n", "go infinite\n", "setoption player montecarlo\nsetoption size 9\ngo infinite\n"] {
        let mut program = Program::start();
        program.send(script).close();
        let (status, time) = program.exit();
        assert!(status.success() && time < SOON, "{script}");
        assert_eq!(count(&program.rest(), "bestmove"), script.matches("go").count());
    }
}

#[test]
fn e15_the_end_of_input_lets_a_limited_search_finish() {
    let mut program = slow();
    program.send("go trials 60000\n").close();
    let lines = program.rest();
    let last = lines.iter().rfind(|line| line.starts_with("info")).expect("an info line");
    assert_eq!(value_of(last, "trials"), Some("60000"));
    assert_eq!(count(&lines, "bestmove"), 1);
    assert!(program.exit().0.success());
}

#[test]
fn e16_the_program_ends_when_its_input_and_output_are_closed() {
    for search in ["go infinite\n", "go movetime 60000\n", "go trials 2000000000\ngo infinite\nwait\n"] {
        let mut program = Program::start_unread();
        program.send(SLOW).send(search);
        std::thread::sleep(Duration::from_millis(50));
        drop(program.child.stdout.take());
        program.close();
        let (_, time) = program.exit();
        assert!(time < SOON, "{search}");
        assert_eq!(program.stderr(), "");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn e16_when_its_parent_is_killed_the_program_ends_too() {
    const PARENT: &str = "
import subprocess, sys, time
child = subprocess.Popen([sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
child.stdin.write(sys.argv[2].encode())
child.stdin.flush()
print(child.pid, flush=True)
time.sleep(60)
";
    for search in ["", "go infinite\n", "go movetime 60000\n"] {
        let mut parent = Command::new("python3")
            .args(["-c", PARENT, &NOUGHTS, &format!("{SLOW}{search}")])
            .stdout(Stdio::piped())
            .spawn()
            .expect("python starts");
        // The parent tells the number of its child.
        let pid = first_line(parent.stdout.take().expect("piped"));
        let process = format!("/proc/{}/stat", pid.trim());
        std::thread::sleep(Duration::from_millis(50));
        parent.kill().and_then(|()| parent.wait()).expect("the parent can be killed");
        // Nobody may be there to reap the orphan: a process that has ended is gone or a zombie.
        let lives = || std::fs::read_to_string(&process).is_ok_and(|stat| !stat.contains(") Z "));
        let start = Instant::now();
        while lives() {
            assert!(start.elapsed() < SOON, "{search}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

#[test]
fn e17_a_last_line_without_a_newline_is_obeyed() {
    assert_eq!(answers("isready"), ["readyok"]);
}

const SCRIPT: &str = "\
uci
setoption seed 5
position startpos moves 0,0 1,1
go
d
eval
nonsense
setoption size 7
setoption connect 4
setoption player montecarlo
go trials 3000
go trials 100000
query moves
position startpos moves 9,9
go nodes 500
setoption MultiPV 5
go
";

#[test]
fn e18_and_e19_piped_and_typed_scripts_get_the_same_answers() {
    let mut typed = Program::start();
    for line in SCRIPT.lines() {
        typed.send(format!("{line}\n"));
        std::thread::sleep(Duration::from_millis(if line == "go trials 100000" { 300 } else { 20 }));
    }
    typed.close();
    // A search that takes long may report progress, or not.
    let without_progress = |lines: Vec<String>| -> Vec<String> {
        let lines: Vec<String> = lines.iter().map(|line| without_times(line)).collect();
        let is_progress = |index: usize| {
            value_of(&lines[index], "trials").is_some_and(|trials| trials != "100000" && trials.len() > 4)
        };
        (0..lines.len()).filter(|&index| !is_progress(index)).map(|index| lines[index].clone()).collect()
    };
    let typed = without_progress(typed.rest());
    assert!(typed.len() > 30, "{typed:?}");
    assert_eq!(without_progress(answers(SCRIPT)), typed);
    assert_eq!(without_progress(answers(format!("{SCRIPT}wait\nquit\n"))), typed);
}

#[test]
fn e20_an_unknown_command_is_named() {
    let mut program = Program::start();
    let line = program.send("xyzzy 1 2\n").line();
    assert!(line.starts_with("info string error: ") && line.contains("\"xyzzy\""), "{line}");
    program.assert_alive();
}

#[test]
fn e21_blank_lines_and_comments_are_silent() {
    assert_eq!(answers(b"\n   \n\t\n# a comment \xff\n  # another\nisready\n"), ["readyok"]);
}

#[test]
fn e22_blanks_tabs_crlf_and_a_byte_order_mark_do_not_matter() {
    let plain = "setoption seed 1\nposition startpos moves 1,1\nd\ngo\nquery moves\n";
    let odd = format!("\u{feff}  {}", plain.replace(' ', " \t ").replace('\n', " \t\r\n  "));
    assert_eq!(answers(&odd), answers(plain));
    assert!(!answers(odd).iter().any(|line| line.contains('\r')));
}

#[test]
fn e23_non_text_bytes_get_an_error_line_of_plain_characters() {
    let lines = answers(b"isready\0\ngo \xff\xfe\n\x1b[2J\nisready\n");
    assert_eq!(lines.len(), 4);
    assert!(lines[..3].iter().all(|line| line.starts_with("info string error: ")), "{lines:?}");
    assert!(lines.concat().bytes().all(|byte| (b' '..=b'~').contains(&byte)), "{lines:?}");
    assert_eq!(lines[3], "readyok");
}

#[test]
fn e24_a_position_with_2000_moves_is_obeyed_or_refused_whole() {
    let moves: Vec<String> = (0..2000).map(|index| format!("{},{}", index / 20 % 20, index % 20)).collect();
    let script = |moves: &[String]| {
        format!(
            "setoption size 20\nsetoption connect 300\nposition startpos moves {}\nquery gameover\n",
            moves.join(" ")
        )
    };
    assert_eq!(answers(script(&moves[..400])), ["response true"]);
    let refused = answers(script(&moves));
    assert!(refused[0].contains("move 401: 0,0 comes after the end of the game"), "{refused:?}");
    assert_eq!(refused[1], "response false");
}

#[cfg(target_os = "linux")]
#[test]
fn e25_a_line_of_64_megabytes_is_one_error_in_bounded_memory() {
    let mut program = Program::start();
    program.assert_alive();
    let before = program.peak();
    let piece = vec![b'z'; 1 << 20];
    for _ in 0..64 {
        program.send(&piece);
    }
    let line = program.send("\n").line();
    assert!(line.starts_with("info string error: ") && line.len() < 200, "{line}");
    program.assert_alive();
    let grown = program.peak() - before;
    assert!(grown < 2048, "{grown} KiB");
}

#[test]
fn e26_an_illegal_move_leaves_the_old_position_whole() {
    for (moves, place) in [("1,0 0,0", "move 2"), ("1,0 7,7", "move 2"), ("1,0 x", "move 2")] {
        let lines =
            answers(format!("position startpos moves 0,0\nposition startpos moves 0,0 {moves}\nquery position\n",));
        assert!(lines[0].starts_with("info string error: position: "), "{lines:?}");
        assert!(lines[0].contains(&place.replace('2', "3")), "{lines:?}");
        assert_eq!(lines[1], "response x2/3/3 o");
    }
}

#[test]
fn e27_an_impossible_position_leaves_the_old_one() {
    for board in ["xxxx/4/4/4", "xx1/3/3", "xxx/ooo/3", "xo1/3/3/3", "xo2/3/3", "qo1/3/3", "3/3/3 z", "99999999999/3/3"]
    {
        let lines = answers(format!("position startpos moves 0,0\nposition fen {board}\nquery position\n"));
        assert!(lines[0].starts_with("info string error: position: "), "{lines:?}");
        assert_eq!(lines[1..], ["response x2/3/3 o"]);
    }
}

#[test]
fn e28_a_wrong_option_or_value_is_named_with_what_is_accepted() {
    for (line, mention) in [
        ("setoption name Contempt value 3", "\"Contempt\""),
        ("setoption trials", "a whole number from 1 to 2147483647"),
        ("setoption name trials value", "a whole number from 1 to 2147483647"),
        ("setoption name trials value many", "\"many\""),
        ("setoption trials 0", "from 1 to"),
        ("setoption trials -3", "\"-3\""),
        ("setoption trials 99999999999999999999999", "from 1 to 2147483647"),
        ("setoption size 21", "from 1 to 20"),
        ("setoption reverse 2", "true or false"),
        ("setoption player best", "auto, perfect, montecarlo"),
        ("setoption score_current -1", "not negative"),
        ("setoption score_other nan", "finite"),
    ] {
        let lines = answers(format!("{line}\nquery position\n"));
        assert!(lines[0].starts_with("info string error: setoption: "), "{lines:?}");
        assert!(lines[0].contains(mention), "{lines:?}");
        assert_eq!(lines[1..], ["response 3/3/3 x"]);
    }
}

#[test]
fn e29_option_names_in_any_case_are_known() {
    let lines = answers("SETOPTION NAME mULTIpv VALUE 2\nSetOption SIZE 2\ngo\nquery position\n");
    assert_eq!(lines.len(), 5);
    assert_eq!(lines[4], "response 2/2 x");
    let lines =
        answers("setoption Move Overhead 10\nsetoption move  overhead x\nsetoption MOVE OVERHEAD\nsetoption Move 10\n");
    let overhead = "info string error: setoption: Move Overhead accepts a whole number from 0 to 5000";
    assert_eq!(lines[0], format!("{overhead}, not \"x\"; it stays 10"));
    assert_eq!(lines[1], format!("{overhead}, and no value was given; it stays 10"));
    assert!(lines[2].starts_with("info string error: setoption: there is no option \"Move\";"), "{lines:?}");
    assert_eq!(lines.len(), 3, "{lines:?}");
}

#[test]
fn e30_a_go_that_makes_no_sense_starts_no_search() {
    for go in ["trials abc", "depth", "trials 0", "nodes 0", "nodes -5", "depth -1", "movetime soon", "trials 1e3"] {
        let lines = answers(format!("go {go}\nisready\n"));
        assert_eq!(lines.len(), 2, "{lines:?}");
        assert!(lines[0].starts_with("info string error: go: "), "{lines:?}");
    }
}

#[test]
fn e30b_no_time_at_all_still_gives_a_legal_move() {
    for go in [
        "movetime 0",
        "wtime 0 btime 0",
        "wtime 0 winc 0",
        "wtime -50 btime -50",
        "p1time 1 p1inc 0",
        "movetime -1",
        "depth 0",
        "movestogo 0",
        "wtime 0 movestogo 0",
    ] {
        let mut program = slow();
        let start = Instant::now();
        let lines = program.send(format!("go {go}\n")).until("bestmove");
        assert!(start.elapsed() < SOON, "{go}");
        assert_eq!(count(&lines, "info string"), usize::from(go.contains("depth") || go.contains("movestogo")));
        assert_ne!(lines.last().map(String::as_str), Some("bestmove (none)"));
    }
}

#[test]
fn e31_an_unknown_word_in_a_go_is_noted_and_the_rest_obeyed() {
    let lines = answers("setoption player montecarlo\ngo perft trials 12\n");
    assert!(lines[0].starts_with("info string go: ") && lines[0].contains("perft"), "{lines:?}");
    assert_eq!(value_of(&lines[1], "trials"), Some("12"));
}

#[test]
fn e32_closed_output_during_a_search_ends_the_program_quietly() {
    let mut program = Program::start_unread();
    program.send(SLOW).send("go infinite\n");
    std::thread::sleep(Duration::from_millis(50));
    drop(program.child.stdout.take());
    let (status, time) = program.exit();
    assert!(status.success() && time < SOON);
    assert_eq!(program.stderr(), "");
}

#[cfg(target_os = "linux")]
#[test]
fn e33_output_that_is_not_read_is_kept_and_memory_stays_bounded() {
    let mut program = Program::start_unread();
    for _ in 0..20_000 {
        program.send("isready\n");
    }
    program.send("d\n");
    program.read();
    let lines = program.until("turn");
    assert_eq!(count(&lines, "readyok"), 20_000);

    // Far more than may wait: the program stops reading, and reads on when its output is taken.
    let mut program = Program::start_unread();
    let mut input = program.input.take().expect("open");
    let asked = 60_000;
    let writer = std::thread::spawn(move || {
        for _ in 0..asked {
            input.write_all(b"help\n").expect("the program reads on");
        }
        input
    });
    std::thread::sleep(Duration::from_millis(700));
    assert!(program.own_peak() < 60 << 10, "{} KiB", program.own_peak());
    program.read();
    program.input = Some(join_in_time(writer));
    program.close();
    assert_eq!(count(&program.rest(), "quit "), asked);
}

#[test]
fn e33_quit_end_of_input_and_signals_work_with_output_blocked() {
    for end in ["quit", "end of input", "signal", "quit in a search", "end of input in a search"] {
        let mut program = Program::start_unread();
        program.send("isready\n".repeat(20_000));
        if end.ends_with("search") {
            program.send(SLOW).send("go infinite\n");
        }
        std::thread::sleep(Duration::from_millis(100));
        match end {
            "signal" => signal(&program, Signal::TERM),
            _ if end.starts_with("quit") => drop(program.send("quit\n")),
            _ => drop(program.close()),
        }
        let (_, time) = program.exit();
        assert!(time < Duration::from_secs(5), "{end}: {time:?}");
    }
}

#[test]
fn e34_200_searches_and_stops_in_one_write_give_200_answers() {
    for options in ["", SLOW] {
        let mut program = Program::start();
        program.send(options).send("go infinite\nstop\n".repeat(200)).send("wait\nquit\n");
        assert_eq!(count(&program.rest(), "bestmove"), 200);
    }
}

#[test]
fn e35_a_flood_in_a_search_gives_no_deadlock_or_wrong_answer() {
    let mut program = slow();
    program.send("go infinite\n").send("query p1turn\n".repeat(65_536));
    program.send("position startpos moves 0,0\ngo trials 1\nisready\n");
    let refused = program.until("readyok");
    assert_eq!(count(&refused, "info string error: too much waits"), 2);
    program.send("stop\n");
    let answered = program.send("go trials 1\n").until("info string error: go: refused");
    assert_eq!(count(&answered, "response"), 65_536);
    assert_eq!(count(&answered, "bestmove"), 1);
    assert_eq!(count(&program.send("newgame\ngo trials 1\n").until("bestmove"), "bestmove"), 1);

    // Behind a search that ends by itself, the same flood only waits.
    let mut program = slow();
    let mut input = program.input.take().expect("open");
    let writer = std::thread::spawn(move || {
        input.write_all(b"go movetime 300\n").expect("the program reads");
        input.write_all("query p1turn\n".repeat(70_000).as_bytes()).expect("the program reads on");
        input.write_all(b"go trials 1\n").expect("the program reads on");
    });
    let lines = program.rest();
    join_in_time(writer);
    assert_eq!((count(&lines, "response"), count(&lines, "bestmove")), (70_000, 2));
    assert_eq!(count(&lines, "info string error"), 0);
}

#[test]
fn e36_movetime_is_used_up_and_not_overdrawn() {
    let mut program = slow();
    let mut times: Vec<u128> = (0..5)
        .map(|_| {
            let start = Instant::now();
            program.send("go movetime 100\n").until("bestmove");
            start.elapsed().as_millis()
        })
        .collect();
    times.sort_unstable();
    // The best of five on a busy machine: never late, and early by no more than is kept back.
    assert!(times[0] >= 84 && times[0] < 100, "{times:?}");
}

#[test]
fn e37_the_same_seed_options_and_budget_give_the_same_bytes() {
    assert_eq!(answers(SCRIPT.replace("100000", "9000")), answers(SCRIPT.replace("100000", "9000")));
}

#[test]
fn e38_signals_end_a_search_quietly() {
    let_programs_take_ctrl_c();
    for which in [Signal::INT, Signal::TERM] {
        let mut program = slow();
        program.send("go infinite\n");
        program.assert_alive();
        signal(&program, which);
        let (_, time) = program.exit();
        assert!(time < SOON);
        assert_eq!(program.stderr(), "");
    }
}

#[test]
fn e39_no_input_at_all_is_the_end_of_input() {
    let output = command().stdin(Stdio::null()).run_to_end();
    assert!(output.status.success() && output.stdout.is_empty() && output.stderr.is_empty());
}

#[test]
fn e40_the_command_line_is_explained() {
    let run = |argument: &str| assert_cmd::Command::from_std(command()).arg(argument).timeout(PATIENCE).assert();
    run("--version").success().stdout(format!("noughts {}\n", env!("CARGO_PKG_VERSION"))).stderr("");
    let help = run("--help").success().stderr("");
    let text = String::from_utf8(help.get_output().stdout.clone()).expect("text");
    assert!(text.contains("Usage:") && text.contains("bench"), "{text}");
    for unknown in ["--nonsense", "nonsense"] {
        let refused = run(unknown).code(2).stdout("");
        let text = String::from_utf8(refused.get_output().stderr.clone()).expect("text");
        assert!(text.contains(unknown) && text.contains("Usage:"), "{text}");
    }
}

#[test]
fn e41_chess_traffic_gets_errors_for_positions_and_moves_for_go() {
    let lines = answers(
        "uci\nisready\nucinewgame\n\
         position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n\
         go wtime 300000 btime 300000 winc 0 binc 0\n\
         position startpos moves e2e4 e7e5\n\
         go depth 5\n\
         setoption name Hash value 64\nsetoption name UCI_Chess960 value true\n\
         go mate 3\nisready\n",
    );
    assert_eq!(count(&lines, "info string error: position: "), 2);
    assert_eq!(count(&lines, "info string error: setoption: "), 1);
    assert_eq!(count(&lines, "bestmove "), 3);
    assert_eq!(count(&lines, "bestmove (none)"), 0);
    assert_eq!(count(&lines, "readyok"), 2);
}

#[test]
fn output_that_cannot_be_written_is_an_error_with_a_reason() {
    let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") else { return };
    let mut child =
        command().stdin(Stdio::piped()).stdout(full).stderr(Stdio::piped()).spawn().expect("the program starts");
    child.stdin.take().expect("open").write_all(b"isready\n").expect("the program reads");
    let output = child.run_to_end();
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stderr).expect("text");
    assert!(text.starts_with("error: cannot write the output: "), "{text}");
}

#[test]
fn a_reader_that_starts_late_loses_nothing() {
    // Longer than a reader needs to start, shorter than the program waits for one.
    let pause = Duration::from_millis(800);
    for end in ["", "wait\nquit\n"] {
        let mut program = Program::start_unread();
        program.send("help\n".repeat(2000)).send(end).close();
        std::thread::sleep(pause);
        program.read();
        assert_eq!(count(&program.rest(), "quit "), 2000);
        assert!(program.exit_within(PATIENCE).0.success());
    }
    // A pause before the end has come takes nothing from the patience after it.
    let mut program = Program::start_unread();
    program.send("help\n".repeat(200)).send("go infinite\n");
    std::thread::sleep(pause);
    program.send("quit\n").read();
    let lines = program.rest();
    assert_eq!((count(&lines, "quit "), count(&lines, "bestmove")), (200, 1));
}

#[test]
fn output_blocked_long_after_the_end_of_input_is_still_written() {
    let mut program = Program::start_unread();
    // More than a pipe holds, but only after the search.
    program.send(SLOW).send("go movetime 2300\n").send("help\n".repeat(200)).close();
    std::thread::sleep(Duration::from_millis(3000));
    program.read();
    let lines = program.rest();
    assert_eq!((count(&lines, "bestmove"), count(&lines, "quit ")), (1, 200));
    assert!(program.exit().0.success());
}

#[test]
fn a_reader_that_takes_a_few_bytes_at_a_time_is_still_a_reader() {
    use std::io::Read;
    let mut program = Program::start_unread();
    program.send("help\n".repeat(100)).close();
    let mut output = program.child.stdout.take().expect("piped");
    let (mut bytes, mut text) = ([0; 100], Vec::new());
    // Less than a page of the pipe in twice the time that a reader who takes nothing is given.
    for _ in 0..8 {
        std::thread::sleep(Duration::from_millis(500));
        let read = output.read(&mut bytes).expect("readable");
        text.extend_from_slice(&bytes[..read]);
    }
    output.read_to_end(&mut text).expect("readable");
    let text = String::from_utf8(text).expect("text");
    assert_eq!(text.matches("\nquit ").count(), 100);
    assert!(program.exit().0.success());
}

#[test]
fn output_that_is_lost_after_the_end_of_input_is_told() {
    let mut program = Program::start_unread();
    program.send("help\n".repeat(2000)).close();
    let (status, _) = program.exit();
    assert_eq!(status.code(), Some(1));
    assert!(program.stderr().starts_with("error: nobody reads the output; the last "));
    // What was delivered before is whole lines.
    program.read();
    assert!(program.rest().len() > 100);
}

#[cfg(target_os = "linux")]
#[test]
fn lines_that_wait_take_no_more_memory_than_their_text() {
    for line in ["position fen ".to_owned() + &"x/".repeat(32_000) + "x", "go ".to_owned() + &"a ".repeat(32_000)] {
        let mut program = slow();
        program.send("go infinite\n").assert_alive();
        for _ in 0..270 {
            program.send(&line).send("\n");
        }
        program.assert_alive();
        let most = program.own_peak();
        assert!(most < 40 << 10, "{most} KiB");
    }
}
