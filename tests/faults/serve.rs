//! `noughts serve`, which writes no file: what a tab has from a server whose system is at fault.

use std::net::TcpStream;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use crate::common::program::{PATIENCE, Program};
use crate::common::tab::Tab;
use crate::place::{Fault, Place, library, other_user};
use crate::subject::Subject;

/// A server under a fault, and a tab of it.
struct Served {
    server: Program,
    tab: Tab,
    _place: Place,
}

fn start(place: &Place, words: &str, fault: &Fault) -> Program {
    let words: Vec<String> = "serve --port 0".split(' ').chain(words.split_whitespace()).map(str::to_owned).collect();
    let mut server = Program::spawn(&mut place.command(&words, fault));
    server.read();
    server
}

impl Served {
    fn new(words: &str, fault: &Fault, user: Option<u32>) -> Served {
        // The folder of an engine has nothing in it.
        let place = Place::of_user(Subject::Engine, user);
        let mut server = start(&place, words, fault);
        let page = server.line();
        let address = page.trim_start_matches("http://").trim_end_matches('/');
        let stream = TcpStream::connect(address).expect("the server listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        let tab = Tab::open(stream, address, &format!("http://{address}")).expect("a session");
        Served { server, tab, _place: place }
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.server.child), signal).expect("our own child");
    }

    /// Two searches: everything that the tab gets up to the second answer, but for how far the searches came meanwhile.
    fn play(&mut self) -> Vec<String> {
        let begin = "setoption seed 5\nsetoption player mcts\nsetoption size 5\nsetoption connect 4\ngo trials 2000";
        let second = ["position startpos moves 2,2", "go trials 2000"];
        let mut lines = self.ask(&begin.split('\n').collect::<Vec<_>>());
        lines.extend(self.ask(&second));
        lines.retain(|line| !line.starts_with("info depth"));
        lines
    }

    /// All lines up to the next answer of a search.
    fn ask(&mut self, commands: &[&str]) -> Vec<String> {
        self.tab.send(commands);
        let mut lines = Vec::new();
        while lines.last().is_none_or(|line: &String| !line.starts_with("bestmove")) {
            lines.push(self.tab.line().unwrap_or_else(|| panic!("no answer: {lines:?}")));
        }
        lines
    }
}

#[test]
fn s05_a_server_without_threads_answers_every_go() {
    let Some(user) = other_user() else { return };
    let fault = Fault::shell("ulimit -u 1").of_other_user();
    let lines = Served::new("", &fault, Some(user)).play();
    assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove ")).count(), 2, "{lines:?}");
    assert!(lines.iter().any(|line| line.contains("no search thread")), "{lines:?}");
}

#[test]
fn s06_a_server_with_little_memory_answers_every_go() {
    let fault = Fault::shell("ulimit -v 400000");
    let mut served = Served::new("--max-hash 1500", &fault, None);
    let options = ["setoption Hash 1500", "setoption size 8", "setoption connect 5", "setoption player perfect"];
    let lines = served.ask(&[&options[..], &["go nodes 20000"]].concat());
    assert!(lines.iter().any(|line| line.starts_with("info string error: there is not enough memory")), "{lines:?}");
    // The session goes on, and what fits has its memory.
    let lines = served.ask(&["setoption Hash 16", "newgame", "go nodes 20000"]);
    assert!(lines.iter().all(|line| !line.contains("error")), "{lines:?}");
}

#[test]
fn s09_a_server_that_is_stopped_and_continued_loses_nothing() {
    let expected = Served::new("", &Fault::none(), None).play();
    let mut served = Served::new("", &Fault::none(), None);
    served.tab.send(&["isready"]).until("readyok");
    served.signal(Signal::STOP);
    let server = Pid::from_child(&served.server.child);
    let waker = thread::spawn(move || {
        thread::sleep(Duration::from_millis(300));
        kill_process(server, Signal::CONT).expect("it runs");
    });
    assert_eq!(served.play(), expected);
    waker.join().expect("it wakes");
}

#[test]
fn s11_a_server_whose_clocks_jump_loses_nothing() {
    if library().is_none() {
        return;
    }
    let expected = Served::new("", &Fault::none(), None).play();
    for jump in ["wall 10000000", "forward 3"] {
        assert_eq!(Served::new("", &Fault::library("FAULT_CLOCK", jump), None).play(), expected, "{jump}");
    }
}

#[test]
fn s12_a_server_that_cannot_say_where_it_is_ends() {
    let place = Place::new(Subject::Engine);
    let mut server = start(&place, "", &Fault::shell("exec > /dev/full"));
    assert_eq!(server.exit().0.code(), Some(1));
    let errors = server.stderr();
    assert!(errors.contains("standard output: No space left on device"), "{errors}");
}
