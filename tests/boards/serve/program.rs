//! A program of the user's that plays on the page, in a process for each WebSocket.

use std::thread;
use std::time::{Duration, Instant};

use super::{FORBIDDEN, Server};
use crate::common::processes::{described, living};
use crate::common::program::{PATIENCE, RunToEnd, command};
use crate::common::tab::Tab;

/// An argument that only the programs of these tests have.
fn word(marker: &str) -> String {
    format!("word=of-a-test-{marker}")
}

/// A server where `bad_engine.py` plays, with its mode. The word of `marker` is among the arguments of its processes.
fn server(mode: &str, marker: &str) -> Server {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/bad_engine.py");
    Server::start(&["--o-engine", &format!("name=Bad cmd=python3 args='-IS {script} {mode} {}'", word(marker))])
}

fn open(server: &Server) -> Tab {
    Tab::open_at("/program", server.connect(), &server.0, &format!("http://{}", server.0)).expect("a program")
}

/// Waits until there are so many processes with this marker, the server itself not counted.
#[track_caller]
fn await_processes(server: &Server, marker: &str, wanted: usize) {
    let patience = Instant::now() + PATIENCE;
    loop {
        let mut found = living(&word(marker));
        found.retain(|process| *process != server.child.id().to_string());
        if found.len() == wanted {
            return;
        }
        assert!(Instant::now() < patience, "{:#?}", found.iter().map(described).collect::<Vec<_>>());
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_program_answers_the_lines_of_a_game() {
    let server = server("good", "answers");
    let host = &server.0;
    let (first, rest) = server.ask(&format!("GET /program HTTP/1.1\r\nHost: {host}"));
    assert!(first == "HTTP/1.1 200 OK" && rest.contains("text/plain") && rest.ends_with("\r\n\r\nBad"), "{rest}");
    let mut tab = open(&server);
    tab.send(&["go movetime 100"]);
    assert_eq!(tab.line().as_deref(), Some("bestmove 0,0"));
    let game = ["setoption name size value 4", "setoption connect 3", "setoption name reverse value true", "newgame"];
    tab.send(&game).send(&["position startpos moves 0,0 1,1", "go movetime 100"]);
    assert_eq!(tab.line().as_deref(), Some("bestmove 0,1"));
    // Several lines in a frame, a board, and another program beside it.
    let mut other = open(&server);
    other.send(&["position fen xo1/3/3 x\ngo movetime 100"]);
    assert_eq!(other.line().as_deref(), Some("bestmove 0,2"));
    await_processes(&server, "answers", 2);
    drop(other);
    await_processes(&server, "answers", 1);
    tab.send(&["go movetime 100"]);
    assert_eq!(tab.line().as_deref(), Some("bestmove 0,1"));
    drop(tab);
    await_processes(&server, "answers", 0);
}

#[test]
fn a_line_that_a_game_does_not_need_gets_an_error_line() {
    let server = server("good", "lines");
    let mut tab = open(&server);
    let expected = "expected setoption size, columns, connect or reverse, newgame, position, or go movetime";
    for (line, error) in [
        ("xyzzy", "error unknown command \"xyzzy\""),
        ("go", &*format!("error this line is not for a program: {expected}")),
        ("go infinite", "error this line is not for a program: "),
        ("go movetime 10 nodes 5", "error this line is not for a program: "),
        ("quit", "error this line is not for a program: "),
        (
            "setoption name Debug Log File value /tmp/x",
            &*format!("error {expected}, not the option \"Debug Log File\""),
        ),
        ("setoption Hash 5", "error expected setoption size"),
        ("setoption size 21", "error setoption: size accepts "),
        ("setoption columns 21", "error setoption: columns accepts a whole number from 0 to 20"),
        ("position startpos moves 0,0 0,0", "error position: move 2: 0,0 is taken; send another one before go"),
        ("go movetime 100", "error the last position was refused; send another one before go"),
    ] {
        let said = tab.send(&[line]).line().expect("an answer");
        assert!(said.starts_with(error), "{line}: {said}");
    }
    assert_eq!(tab.send(&["position startpos", "go movetime 100"]).line().as_deref(), Some("bestmove 0,0"));
    let over = "position startpos moves 0,0 1,0 0,1 1,1 0,2";
    assert_eq!(tab.send(&[over, "go movetime 100"]).line().as_deref(), Some("error the game is over"));
}

/// The page gets each fault of an engine (M01 to M18), and the next move comes from a new process.
#[test]
fn each_fault_of_a_program_is_told_and_the_next_move_starts_anew() {
    let faults = [
        // M01, M02
        ("exit-before-handshake", "error Bad ended (exit status: 7) before it had introduced itself", false),
        ("no-handshake", "error Bad did not introduce itself with ugiok and readyok in time", false),
        // M03, M04
        ("crash-on-go 2", "error Bad ended (exit status: 3)", true),
        ("signal-on-go 2", "error Bad ended (signal", true),
        // M05, M06
        ("silent-on-go 2", "error Bad did not answer, not even to stop", true),
        ("hang-on-go 2", "error Bad did not answer, not even to stop", true),
        ("late 2 10200", "error Bad answered after ", true),
        // M07, M08
        ("illegal-occupied 2", "error Bad played 1,1: 1,1 is taken", true),
        ("illegal-off-board 2", "error Bad played 3,3: 3,3 is off the 3x3 board", true),
        ("no-move 2", "error Bad gave no move: \"bestmove\"", true),
        ("null-move 2", "error Bad gave no move: \"bestmove 0000\"", true),
        ("rubbish-move 2", "error Bad gave no move: \"bestmove \\x1b[2J", true),
        // M09, M10
        ("crlf", "bestmove 0,0", true),
        ("ponder", "bestmove 0,0", true),
        ("no-options", "bestmove 0,0", true),
        ("stale-bestmove", "bestmove 0,0", true),
        // M11: the move counts, and the end shows with the next one.
        ("move-then-exit 1", "error Bad ended (exit status: 0)", true),
        // M12 to M14
        ("no-readyok 1", "error Bad did not say readyok", true),
        ("closes-stdout 2", "error Bad closed its output", true),
        ("stops-reading 2", "error Bad did not say readyok", true),
        ("flood 2", "bestmove 0,0", true),
        ("long-line 2", "bestmove 0,0", true),
        ("stderr-flood 2", "bestmove 0,0", true),
    ];
    thread::scope(|scope| {
        for (mode, answer, starts) in faults {
            scope.spawn(move || {
                let server = server(mode, "faults");
                let mut tab = open(&server);
                if starts {
                    let first = tab.send(&["go movetime 100"]).line();
                    assert_eq!(first.as_deref(), Some("bestmove 0,0"), "{mode}");
                }
                let said = tab.send(&["position startpos moves 1,1", "go movetime 100"]).line().expect("an answer");
                assert!(said.starts_with(answer), "{mode}: {said}");
                assert!(!said.contains(char::is_control), "{mode}: {said:?}");
                if starts {
                    // The first `go` in the life of a process is no fault of these.
                    let next = tab.send(&["go movetime 100"]).line();
                    assert_eq!(next.as_deref(), Some("bestmove 0,0"), "{mode}");
                }
            });
        }
    });
}

#[test]
fn a_program_that_hangs_and_ignores_quit_ends_with_its_tab() {
    for (mode, lines) in [("hang-on-go", "go movetime 3600000"), ("ignores-quit", "go movetime 10")] {
        let server = server(mode, mode);
        let mut tab = open(&server);
        tab.send(&[lines]);
        await_processes(&server, mode, 1);
        drop(tab);
        await_processes(&server, mode, 0);
    }
}

#[test]
fn programs_end_with_the_server_whatever_ends_it() {
    use rustix::process::{Pid, Signal, kill_process};
    for signal in [Signal::INT, Signal::KILL] {
        let server = server("hang-on-go", "server-ends");
        let mut tab = open(&server);
        tab.send(&["go movetime 3600000"]);
        await_processes(&server, "server-ends", 1);
        kill_process(Pid::from_child(&server.child), signal).expect("our own child");
        await_processes(&server, "server-ends", 0);
    }
}

#[test]
fn there_is_no_program_unless_the_command_line_names_one() {
    let server = Server::start(&[]);
    let (first, _) = server.ask(&format!("GET /program HTTP/1.1\r\nHost: {}", server.0));
    assert_eq!(first, "HTTP/1.1 204 No Content");
    let refused = Tab::open_at("/program", server.connect(), &server.0, &format!("http://{}", server.0));
    assert_eq!(refused.err().as_deref(), Some("HTTP/1.1 204 No Content"));
}

#[test]
fn foreign_pages_reach_no_program_and_places_are_limited() {
    let server = Server::start(&["--max-sessions", "1", "--o-engine", "cat"]);
    let tab_from = |origin: &str| Tab::open_at("/program", server.connect(), &server.0, origin);
    assert_eq!(tab_from("http://example.org").err().as_deref(), Some(FORBIDDEN));
    let own = format!("http://{}", server.0);
    let _tab = tab_from(&own).expect("a place");
    assert_eq!(tab_from(&own).err().as_deref(), Some("HTTP/1.1 503 Service Unavailable"));
}

#[test]
fn others_run_a_program_only_if_the_command_line_says_so() {
    let ended = |arguments: &[&str]| command().args(["serve", "--port", "0"]).args(arguments).run_to_end();
    let refused = ended(&["--listen", "0.0.0.0", "--o-engine", "cat"]);
    let complaint = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(refused.status.code() == Some(2) && complaint.contains("--let-others-run-it allows it"), "{complaint}");
    assert_eq!(ended(&["--let-others-run-it"]).status.code(), Some(2));
    assert_eq!(ended(&["--o-engine", "no-such-program"]).status.code(), Some(1));
    let server = Server::start(&["--listen", "0.0.0.0", "--o-engine", "cat", "--let-others-run-it"]);
    open(&server);
}
