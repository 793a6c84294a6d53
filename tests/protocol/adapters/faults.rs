//! Faults of clients and of the system, in every protocol, against the program itself. `../faults.rs` has those that there are
//! in our own protocol only.

use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::common::program::{PATIENCE, Program, RunToEnd, command, join_in_time, let_programs_take_ctrl_c};
use crate::common::without_times;
use rustix::process::{Pid, Signal, kill_process};

/// Soon, on a busy machine.
const SOON: Duration = Duration::from_secs(1);

/// A dialect as a client speaks it to the program.
struct Tongue {
    name: &'static str,
    /// The first lines.
    hello: &'static str,
    /// A question that is answered in its turn, and how its answer begins.
    barrier: (&'static str, &'static str),
    /// A search of about half a second, and one that goes on for an hour.
    short: &'static str,
    long: &'static str,
    /// The beginning of the answer of a search.
    answer: fn(&str) -> bool,
    /// The beginning of the refusal of a line.
    refusal: &'static str,
    quit: &'static str,
    /// True if `quit` in a search gives its answer, and `wait` holds `quit` back.
    is_own: bool,
    /// A script with answers of all kinds.
    script: &'static str,
}

fn is_xy(line: &str) -> bool {
    line.split_once(',').is_some_and(|(x, y)| x.parse::<u8>().is_ok() && y.parse::<u8>().is_ok())
}

fn tongues() -> [Tongue; 4] {
    [
        Tongue {
            name: "Gomocup",
            hello: "START 20\nINFO timeout_match 0\n",
            barrier: ("ABOUT\n", "name="),
            short: "INFO timeout_turn 500\nBEGIN\n",
            long: "INFO timeout_turn 3600000\nBEGIN\n",
            answer: is_xy,
            refusal: "UNKNOWN",
            quit: "END\n",
            is_own: false,
            script: "START 7\nBEGIN\nTURN 0,0\nTURN 0,0\nFOO\nTURN 6,6\nTAKEBACK 6,6\nRESTART\nTURN 3,3\nINFO rule 4\n\
                     BOARD\n1,1,1\n2,2,2\nDONE\nTURN 5,5\nSTART 3\nRECTSTART 9,9\nBEGIN\nABOUT\n",
        },
        Tongue {
            name: "XBoard",
            hello: "xboard\nprotover 2\nnew\nvariant noughts12\n",
            barrier: ("ping 9\n", "pong 9"),
            short: "st 0.5\ngo\n",
            long: "st 3600\ngo\n",
            answer: |line| line.starts_with("move "),
            refusal: "Error (",
            quit: "quit\n",
            is_own: false,
            script: "xboard\nprotover 2\naccepted done\nnew\nvariant tictactoe\nping 1\nusermove P@b2\nfoo\nusermove P@b2\n\
                     ping 2\npost\nusermove P@c3\nundo\nremove\nvariant reverse5\nping 3\nusermove e2e4\nst x\ngo\n\
                     nopost\nusermove P@a1\nsetboard 5/5/1Pp2/5/5 w - - 0 1\ngo\nhint\nping 4\n",
        },
        Tongue {
            name: "UCI",
            hello: "uci\nsetoption name UCI_Variant value gomokufreestyle\n",
            barrier: ("query p1turn\n", "response"),
            short: "go movetime 500\n",
            long: "go movetime 3600000\n",
            answer: |line| line.starts_with("bestmove "),
            refusal: "info string error: ",
            quit: "quit\n",
            is_own: true,
            script: "uci\nsetoption name UCI_Variant value tictactoe\nposition startpos moves P@b2\ngo\nquery moves\n\
                     setoption name size value 4\nposition fen 3/1P1/3[PPPPpppp] b - - 0 1\ngo\nposition startpos moves e2e4\n\
                     setoption name UCI_Variant value noughts\nsetoption name size value 6\nposition startpos\ngo nodes 500\n",
        },
        Tongue {
            name: "UGI",
            hello: "setoption size 9\n",
            barrier: ("query p1turn\n", "response"),
            short: "go movetime 500\n",
            long: "go infinite\n",
            answer: |line| line.starts_with("bestmove "),
            refusal: "info string error: ",
            quit: "quit\n",
            is_own: true,
            script: "ugi\nsetoption seed 5\nposition startpos moves 0,0 1,1\ngo\nd\neval\nnonsense\nsetoption size 7\n\
                     setoption connect 4\nsetoption player montecarlo\ngo trials 3000\ngo trials 20000\nquery moves\n\
                     position startpos moves 9,9\ngo nodes 500\nsetoption MultiPV 5\ngo\n",
        },
    ]
}

/// The program with these options, its output not read yet.
fn unread(options: &[&str]) -> Program {
    Program::spawn(command().args(options.iter().flat_map(|option| ["--option", option])))
}

fn started(options: &[&str]) -> Program {
    let mut program = unread(options);
    program.read();
    program
}

/// A player that takes all the time it is given.
const SLOW: &[&str] = &["player=montecarlo", "seed=1"];
const QUICK: &[&str] = &["player=montecarlo", "trials=50", "seed=1"];

/// Everything that is said to a script which is piped in.
fn answers(options: &[&str], script: impl AsRef<[u8]>) -> Vec<String> {
    let mut program = started(options);
    program.send(script).close();
    let lines = program.rest();
    assert!(program.exit().0.success());
    assert_eq!(program.stderr(), "");
    lines.iter().map(|line| without_times(line)).collect()
}

fn signal(program: &Program, signal: Signal) {
    kill_process(Pid::from_child(&program.child), signal).expect("our own child can be sent a signal");
}

fn scratch(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("dialects-{}-{name}", std::process::id()));
    let _ = std::fs::remove_file(&path);
    path
}

#[test]
fn e15_end_of_input_finishes_a_limited_search_and_ends_the_program() {
    for tongue in tongues() {
        let mut program = started(SLOW);
        program.send(tongue.hello).send(tongue.short).close();
        let lines = program.rest();
        assert_eq!(lines.iter().filter(|line| (tongue.answer)(line)).count(), 1, "{}: {lines:?}", tongue.name);
        assert!(program.exit().0.success(), "{}", tongue.name);
        assert_eq!(program.stderr(), "", "{}", tongue.name);

        let mut program = started(SLOW);
        program.send(tongue.hello).send(tongue.barrier.0).until(tongue.barrier.1);
        program.close();
        let (status, time) = program.exit();
        assert!(status.success() && time < SOON, "{}", tongue.name);
    }
}

#[test]
fn the_end_of_input_ends_an_analysis() {
    let mut program = started(SLOW);
    program.send("xboard\nprotover 2\nnew\nvariant noughts12\nforce\nusermove P@a1\npost\nanalyze\n");
    std::thread::sleep(Duration::from_millis(100));
    program.close();
    let (status, time) = program.exit();
    assert!(status.success() && time < SOON, "{time:?}");
    assert!(!program.rest().iter().any(|line| line.starts_with("move ")));
    // All in one write.
    let start = Instant::now();
    answers(SLOW, "xboard\nprotover 2\nnew\nvariant noughts12\nanalyze\n");
    answers(SLOW, "xboard\nprotover 2\nnew\nvariant noughts12\nanalyze\nusermove P@a1\n.\n");
    assert!(start.elapsed() < 3 * SOON);
}

#[test]
fn e13_quitting_ends_the_program_soon_and_what_follows_is_not_read() {
    for tongue in tongues() {
        for (search, pause) in [(tongue.long, 0), (tongue.long, 50), ("", 0)] {
            let mut program = started(SLOW);
            // The search begins when its line is read: one that waited behind the lines before would be dropped.
            program.send(tongue.hello).send(tongue.barrier.0).until(tongue.barrier.1);
            program.send(search);
            std::thread::sleep(Duration::from_millis(pause));
            program.send(format!("{}{}", tongue.quit, tongue.barrier.0));
            let (status, time) = program.exit();
            assert!(status.success() && time < SOON, "{} {search} {pause}: {time:?}", tongue.name);
            let lines = program.rest();
            let answers = lines.iter().filter(|line| (tongue.answer)(line)).count();
            let most = usize::from(!search.is_empty());
            assert!(answers == most || answers == 0 && !tongue.is_own, "{}: {lines:?}", tongue.name);
            assert!(!lines.iter().any(|line| line.starts_with(tongue.barrier.1)), "{}: {lines:?}", tongue.name);
        }
    }
}

#[test]
fn e16_and_e32_output_that_is_closed_ends_the_program_quietly() {
    for tongue in tongues() {
        for search in [tongue.long, tongue.short] {
            for closes_input in [false, true] {
                let mut program = unread(SLOW);
                program.send(tongue.hello).send(search);
                std::thread::sleep(Duration::from_millis(50));
                drop(program.child.stdout.take());
                if closes_input {
                    program.close();
                }
                let (status, time) = program.exit();
                assert!(status.success() && time < SOON, "{} {search}: {status} {time:?}", tongue.name);
                assert_eq!(program.stderr(), "", "{}", tongue.name);
            }
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn e33_output_that_is_not_read_is_kept_and_not_lost() {
    for tongue in tongues() {
        let mut program = unread(SLOW);
        program.send(tongue.hello);
        program.send(tongue.barrier.0.repeat(20_000));
        std::thread::sleep(Duration::from_millis(200));
        assert!(program.own_peak() < 60 << 10, "{}: {} KiB", tongue.name, program.own_peak());
        program.read();
        program.close();
        let lines = program.rest();
        let heard = lines.iter().filter(|line| line.starts_with(tongue.barrier.1)).count();
        assert_eq!(heard, 20_000, "{}", tongue.name);
    }
}

#[test]
fn e33_quit_end_of_input_and_signals_work_with_output_blocked() {
    for tongue in tongues() {
        for end in
            ["quit", "end of input", "signal", "quit in a search", "signal in a search", "closed output in a search"]
        {
            let mut program = unread(SLOW);
            program.send(tongue.hello).send(tongue.barrier.0.repeat(20_000));
            if end.ends_with("search") {
                program.send(tongue.long);
            }
            std::thread::sleep(Duration::from_millis(50));
            match end.split(' ').next() {
                Some("quit") => drop(program.send(tongue.quit)),
                Some("signal") => signal(&program, Signal::TERM),
                Some("closed") => drop(program.child.stdout.take()),
                _ => drop(program.close()),
            }
            let (_, time) = program.exit();
            assert!(time < Duration::from_secs(5), "{} {end}: {time:?}", tongue.name);
        }
    }
}

#[test]
fn e38_signals_end_a_search_quietly() {
    let_programs_take_ctrl_c();
    for tongue in tongues() {
        for which in [Signal::INT, Signal::TERM] {
            let mut program = started(SLOW);
            program.send(tongue.hello).send(tongue.barrier.0).until(tongue.barrier.1);
            program.send(tongue.long);
            std::thread::sleep(Duration::from_millis(20));
            signal(&program, which);
            assert!(program.exit().1 < SOON, "{}", tongue.name);
            assert_eq!(program.stderr(), "", "{}", tongue.name);
        }
    }
}

#[test]
fn e18_and_e19_a_script_that_is_piped_in_is_answered_like_a_typed_one() {
    for tongue in tongues() {
        let mut typed = started(QUICK);
        for line in tongue.script.lines() {
            typed.send(format!("{line}\n"));
            std::thread::sleep(Duration::from_millis(15));
        }
        typed.close();
        let typed: Vec<String> = typed.rest().iter().map(|line| without_times(line)).collect();
        assert!(typed.len() > 5, "{}: {typed:?}", tongue.name);
        assert_eq!(answers(QUICK, tongue.script), typed, "{}", tongue.name);
        assert_eq!(answers(QUICK, tongue.script.trim_end()), typed, "{}: no newline at the end", tongue.name);
        if tongue.is_own {
            assert_eq!(
                answers(QUICK, format!("{}wait\nquit\n", tongue.script)),
                typed,
                "{}: wait and quit",
                tongue.name
            );
        }
        let odd = format!("\u{feff}\n# a comment\n{}", tongue.script.replace('\n', " \r\n\r\n"));
        assert_eq!(answers(QUICK, odd), typed, "{}: other ends of lines", tongue.name);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn e25_a_line_of_64_megabytes_is_one_error_in_bounded_memory() {
    let piece = vec![b'z'; 1 << 20];
    for tongue in tongues() {
        let mut program = started(QUICK);
        program.send(tongue.hello).send(tongue.barrier.0).until(tongue.barrier.1);
        let before = program.peak();
        for _ in 0..64 {
            program.send(&piece);
        }
        let line = program.send("\n").line();
        assert!(line.starts_with(tongue.refusal) && line.len() < 200, "{}: {line}", tongue.name);
        assert!(line.to_ascii_lowercase().contains("zzz"), "{}: {line}", tongue.name);
        let grown = program.peak() - before;
        assert!(grown < 2048, "{}: {grown} KiB", tongue.name);
        assert_eq!(program.send(tongue.barrier.0).until(tongue.barrier.1).len(), 1, "{}", tongue.name);
    }
}

/// A memory of the client's own choice is kept to, program and all. With assertions the program has about 1.9 MiB more of
/// code in memory than a release, and how much of it a run touches differs by 0.5 MiB: that much more is allowed then.
#[cfg(target_os = "linux")]
#[test]
fn max_memory_bounds_what_the_process_takes() {
    for (mebibytes, size) in [(350_u64, 20), (64, 20), (32, 15), (16, 20), (10, 20), (10, 5)] {
        for player in ["auto", "mcts", "perfect"] {
            let mut program = started(&[&format!("player={player}")]);
            program.send(format!("START {size}\nINFO max_memory {}\nINFO timeout_turn 400\n", mebibytes << 20));
            program.send("TURN 2,2\nABOUT\n").until("name=");
            program.send("TURN 4,4\nABOUT\n").until("name=");
            let peak = program.own_peak();
            let code = if cfg!(debug_assertions) { 512 } else { 0 };
            assert!(peak <= (mebibytes << 10) + code, "{player}: {peak} KiB where {mebibytes} MiB are allowed");
        }
    }
}

/// A text in which quotation marks may be escaped, as other characters are that might not be plain.
fn plain(text: &str) -> String {
    text.replace("\\\"", "\"").replace("\\'", "'")
}

/// Lines of a log: the time, the direction, the text. One that tells who writes has neither direction.
fn log_lines(text: &str) -> Vec<(String, char, String)> {
    text.lines()
        .filter(|line| !line.contains(" = "))
        .map(|line| {
            let place = line.find(['<', '>']).unwrap_or_else(|| panic!("no direction: {line}"));
            let (time, rest) = line.split_at(place);
            let direction = rest.chars().next().expect("a direction");
            let rest = rest[1..].trim_start_matches(['<', '>', ':']);
            (time.trim().to_owned(), direction, plain(rest.strip_prefix(' ').unwrap_or(rest)))
        })
        .collect()
}

#[test]
fn the_log_has_every_line_timed_and_in_order_in_all_dialects() {
    for tongue in tongues() {
        let path = scratch(tongue.name);
        let option = format!("Debug Log File={}", path.display());
        let mut program = started(&[QUICK, &[&option]].concat());
        program.send(tongue.script).send(tongue.barrier.0).close();
        let heard = program.rest();
        assert!(program.exit().0.success());
        let text = std::fs::read_to_string(&path).expect("the log is written");
        let log = log_lines(&text);
        let of = |direction: char| {
            log.iter().filter(|line| line.1 == direction).map(|line| line.2.clone()).collect::<Vec<String>>()
        };
        let sent: Vec<String> = format!("{}{}", tongue.script, tongue.barrier.0).lines().map(str::to_owned).collect();
        let (one, other) = (of('<'), of('>'));
        let (inward, outward) = if one == sent { (one, other) } else { (other, one) };
        assert_eq!(inward, sent, "{}", tongue.name);
        assert_eq!(outward, heard, "{}", tongue.name);
        assert!(log.windows(2).all(|pair| pair[0].0 <= pair[1].0), "{}: time runs backwards: {text}", tongue.name);
        assert!(log.iter().all(|line| !line.0.is_empty()), "{}: a line without a time", tongue.name);
        std::fs::remove_file(path).expect("it can be removed");
    }
}

#[test]
fn a_log_can_be_switched_on_and_off_in_the_middle() {
    for off in ["", "<empty>"] {
        let (path, other) = (scratch("switch"), scratch("switch-other"));
        let (first, second) = (path.display(), other.display());
        let mut program = started(&[]);
        let first = first.to_string();
        for (log, question) in [
            (None, "query p1turn"),
            (Some(first), "query result"),
            (Some(second.to_string()), "query gameover"),
            (Some(off.to_owned()), "isready"),
        ] {
            if let Some(name) = log {
                program.send(format!("setoption name Debug Log File value {name}\n"));
            }
            // An answer is written down when it is on its way, before the next line is read.
            program.send(format!("{question}\n")).line();
        }
        program.close();
        assert_eq!(program.rest(), [""; 0]);
        let text = std::fs::read_to_string(&path).expect("the log is written");
        assert!(text.contains("query result") && text.contains("response none"), "{text}");
        assert!(!text.contains("query p1turn") && !text.contains("gameover") && !text.contains("readyok"), "{text}");
        let text = std::fs::read_to_string(&other).expect("the log is written");
        assert!(text.contains("query gameover") && text.contains("response false"), "{text}");
        assert!(!text.contains("query result") && !text.contains("readyok"), "{text}");
        for path in [path, other] {
            std::fs::remove_file(path).expect("it can be removed");
        }
    }
}

#[test]
fn a_log_is_continued_and_not_overwritten() {
    let path = scratch("append");
    let option = format!("Debug Log File={}", path.display());
    for _ in 0..2 {
        answers(&[&option], "isready\n");
    }
    let text = std::fs::read_to_string(&path).expect("the log is written");
    assert_eq!(text.matches("readyok").count(), 2, "{text}");
    std::fs::remove_file(path).expect("it can be removed");
}

#[test]
fn an_unwritable_log_is_an_error_and_the_old_log_goes_on() {
    let path = scratch("old");
    for wrong in ["/nonexistent/folder/log", "/"] {
        let said = answers(
            &[],
            format!(
                "setoption name Debug Log File value {}\nsetoption name Debug Log File value {wrong}\nquery p1turn\n",
                path.display()
            ),
        );
        assert_eq!(said.len(), 2, "{said:?}");
        assert!(said[0].starts_with("info string error: setoption: ") && said[0].contains(wrong), "{said:?}");
        let text = std::fs::read_to_string(&path).expect("the log is written");
        assert!(text.contains("query p1turn") && text.contains("response true"), "{text}");
        std::fs::remove_file(&path).expect("it can be removed");
        let said = answers(&[], format!("xboard\nprotover 2\noption Debug Log File={wrong}\nping 1\n"));
        assert!(said[said.len() - 2].starts_with("Error ("), "{said:?}");
        assert_eq!(said[said.len() - 1], "pong 1");
    }
}

/// A pipe with a name.
fn named_pipe(name: &str) -> PathBuf {
    let path = scratch(name);
    let status = std::process::Command::new("mkfifo").arg(&path).status().expect("mkfifo is there");
    assert!(status.success());
    path
}

/// The commands that set the log in each dialect, and the beginnings of a refusal.
fn log_commands(name: &str) -> [(String, &'static str); 4] {
    [
        (format!("INFO debug log file {name}\n"), "ERROR INFO: Debug Log File"),
        (format!("option Debug Log File={name}\n"), "Error (setoption: Debug Log File"),
        (format!("setoption name Debug Log File value {name}\n"), "info string error: setoption: Debug Log File"),
        (format!("setoption Debug Log File {name}\n"), "info string error: setoption: Debug Log File"),
    ]
}

#[test]
fn a_log_that_is_no_regular_file_is_refused_in_every_dialect() {
    let (lonely, linked, held) = (named_pipe("lonely"), scratch("linked"), named_pipe("held"));
    std::os::unix::fs::symlink(&lonely, &linked).expect("a link can be made");
    // A reader that never reads: to open this pipe does not block, to fill it does.
    let reader = std::fs::OpenOptions::new().read(true).write(true).open(&held).expect("the pipe can be opened");
    let pipes = [&lonely, &linked, &held].map(|path| path.display().to_string());
    for name in pipes.iter().map(String::as_str).chain(["/dev/null", "/dev/zero", "/dev/ptmx", "/"]) {
        for (tongue, (command, refusal)) in tongues().into_iter().zip(log_commands(name)) {
            let (old, case) = (scratch("regular"), format!("{}: {name}", tongue.name));
            let option = format!("Debug Log File={}", old.display());
            let mut program = started(&[QUICK, &[&option]].concat());
            program.send(tongue.hello).send(tongue.barrier.0).until(tongue.barrier.1);
            let said = program.send(command).send(tongue.barrier.0).until(tongue.barrier.1);
            assert_eq!(said.len(), 2, "{case}: {said:?}");
            assert!(said[0].starts_with(refusal), "{case}: {said:?}");
            assert!(said[0].contains("regular file") && said[0].contains("nothing is changed"), "{case}: {said:?}");
            program.send(tongue.quit);
            let (status, time) = program.exit();
            assert!(status.success() && time < SOON, "{case}: {time:?}");
            // The old log has gone on.
            let text = std::fs::read_to_string(&old).expect("the log is written");
            assert!(text.contains("regular file") && text.contains(tongue.quit.trim_end()), "{case}: {text}");
            std::fs::remove_file(old).expect("it can be removed");
        }
        // On the command line such a log is refused: nothing starts.
        let mut program = started(&[&format!("Debug Log File={name}")]);
        let (status, time) = program.exit();
        assert!(!status.success() && time < SOON, "{name}: {time:?}");
        let error = program.stderr();
        // A long name is shortened.
        assert!(error.contains("regular file") && error.contains(&name[..name.len().min(20)]), "{error}");
    }
    drop(reader);
    for path in [lonely, linked, held] {
        std::fs::remove_file(path).expect("it can be removed");
    }
}

#[test]
fn wrong_command_line_options_are_named_and_nothing_starts() {
    for (option, mention) in [
        ("nonsense=3", "nonsense"),
        ("trials=abc", "trials"),
        ("trials", "trials"),
        ("=3", "name of an option"),
        ("", ""),
        ("size=21", "size"),
        ("Debug Log File=/nonexistent/x", "/nonexistent/x"),
        ("UCI_Variant=chess", "chess"),
    ] {
        let output = command().args(["--option", option]).stdin(Stdio::null()).run_to_end();
        assert!(matches!(output.status.code(), Some(1 | 2)), "{option}: {:?}", output.status);
        assert!(output.stdout.is_empty(), "{option}");
        let text = String::from_utf8(output.stderr).expect("text");
        assert!(text.starts_with("error: ") && text.contains(mention), "{option}: {text}");
        assert!(!text.contains("panicked"), "{option}: {text}");
    }
    let output = command().args(["--option"]).stdin(Stdio::null()).run_to_end();
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn e37_options_of_the_command_line_hold_and_the_same_seed_gives_the_same_bytes() {
    assert_eq!(answers(&["size=4", "UCI_Variant=noughts"], "query position\n"), ["response 4/4/4/4 x"]);
    assert_eq!(
        answers(&["UCI_Variant=tictactoe", "tiebreak=first"], "position startpos\ngo\n").last(),
        Some(&"bestmove P@a3".to_owned())
    );
    // The last of two counts.
    assert_eq!(answers(&["size=4", "size=5"], "query position\n"), ["response 5/5/5/5/5 x"]);
    for tongue in tongues() {
        let one = answers(&["player=random", "seed=5"], tongue.script);
        assert_eq!(one, answers(&["seed=5", "player=random"], tongue.script), "{}", tongue.name);
        // The script of our own protocol has a seed of its own.
        let other = answers(&["player=random", "seed=6"], tongue.script);
        assert_eq!(one == other, tongue.name == "UGI", "{}", tongue.name);
    }
}

#[test]
fn e39_no_input_at_all_is_the_end_of_input_with_options_too() {
    for options in [&[][..], &["--option", "player=random"]] {
        let output = command().args(options).stdin(Stdio::null()).run_to_end();
        assert!(output.status.success() && output.stdout.is_empty() && output.stderr.is_empty(), "{options:?}");
    }
}

#[test]
fn a_reader_of_single_bytes_gets_every_dialect_whole() {
    for tongue in tongues() {
        let mut program = unread(QUICK);
        program.send(tongue.hello).send(tongue.barrier.0.repeat(3)).close();
        let mut output = program.child.stdout.take().expect("piped");
        let (mut byte, mut text) = ([0], Vec::new());
        while output.read(&mut byte).expect("readable") > 0 {
            text.extend(byte);
        }
        let text = String::from_utf8(text).expect("text");
        assert_eq!(text.lines().filter(|line| line.starts_with(tongue.barrier.1)).count(), 3, "{}", tongue.name);
        assert!(text.ends_with('\n') && !text.contains('\r'), "{}", tongue.name);
    }
}

#[test]
fn e35_a_flood_of_commands_behind_a_search_is_answered_completely() {
    for tongue in tongues() {
        let mut program = started(SLOW);
        let mut input = program.input.take().expect("open");
        let flood = format!("{}{}{}", tongue.hello, tongue.short, tongue.barrier.0.repeat(80_000));
        let writer = std::thread::spawn(move || input.write_all(flood.as_bytes()).expect("the program reads on"));
        let lines = program.rest();
        join_in_time(writer);
        let heard = lines.iter().filter(|line| line.starts_with(tongue.barrier.1)).count();
        assert_eq!(heard, 80_000, "{}", tongue.name);
        assert_eq!(lines.iter().filter(|line| (tongue.answer)(line)).count(), 1, "{}", tongue.name);
        assert!(program.exit_within(PATIENCE).0.success(), "{}", tongue.name);
    }
}

#[test]
fn a_flood_of_commands_behind_a_long_search_does_not_block_quit() {
    let searches = [
        "INFO timeout_turn 7200000\nBEGIN\n",
        "st 7200\ngo\n",
        "go movetime 7200000\n",
        "go nodes 18446744073709551615\n",
    ];
    for (tongue, search) in tongues().into_iter().zip(searches) {
        let mut program = started(SLOW);
        program.send(tongue.hello).send(search).send(tongue.barrier.0.repeat(70_000)).send(tongue.quit);
        assert!(program.exit_within(PATIENCE).0.success(), "{}", tongue.name);
        let refused = program.rest().iter().filter(|line| line.contains("too much waits")).count();
        assert!((4_000..5_000).contains(&refused), "{}: {refused}", tongue.name);
    }
}
