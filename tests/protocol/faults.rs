//! Faults of clients, and their effects: the program under every fault that is known from other engines.
//!
//! The numbers are those of `docs/faults.md`. Bounds on time are there to catch a hang, not to measure: what an
//! engine owes within milliseconds gets seconds here, because machines that run tests are busy.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::program::{NOUGHTS, PATIENCE, Program, command, first_line, join_in_time};
use crate::common::{value_of, without_times};

/// Options under which a search takes as long as it is given.
const SLOW: &str = "setoption player montecarlo\nsetoption size 9\nsetoption seed 1\n";

/// Soon, on a busy machine.
const SOON: Duration = Duration::from_secs(1);

fn slow() -> Program {
    let mut program = Program::start();
    program.send(SLOW);
    program
}

fn count(lines: &[String], start: &str) -> usize {
    lines.iter().filter(|line| line.starts_with(start)).count()
}

/// The answers of the program to a script that is piped in, times apart.
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
fn e14_end_of_input_ends_an_idle_program_or_infinite_search() {
    for script in ["isready\n", "go infinite\n", "setoption player montecarlo\nsetoption size 9\ngo infinite\n"] {
        let mut program = Program::start();
        program.send(script).close();
        let (status, time) = program.exit();
        assert!(status.success() && time < SOON, "{script}");
        assert_eq!(count(&program.rest(), "bestmove"), script.matches("go").count());
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
        // The orphan may have no parent that reaps it: a process that has ended is gone or a zombie.
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
        ("setoption Hash 0", "Hash accepts a whole number from 1 to 65536"),
        ("setoption Hash 65537", "Hash accepts a whole number from 1 to 65536"),
        ("setoption Hash -1", "Hash accepts a whole number from 1 to 65536"),
        ("setoption Hash many", "Hash accepts a whole number from 1 to 65536"),
        ("setoption reverse 2", "true or false"),
        ("setoption name UCI_Variant value chess", "tictactoe"),
        ("setoption name UCI_Variant value", "tictactoe"),
        ("setoption name UCI_Variant value TicTacToe3", "tictactoe"),
        ("setoption name UCI_Variant value gomoku", "tictactoe"),
        ("setoption name UCI_Variant value 9", "tictactoe"),
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

#[cfg(target_os = "linux")]
#[test]
fn e33_output_that_is_not_read_is_kept_and_memory_stays_bounded() {
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
    // The lines that were delivered before are whole.
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
