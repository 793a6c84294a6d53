//! More visitors than the server has places for: who gives way, who is refused, and what the log says.

use std::io;
use std::process::Command;

use super::*;

/// A server in a process that may have this many files open, and its log.
fn confined_server(open_files: usize, arguments: &[&str]) -> Server {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("ulimit -n {open_files}; exec \"$0\" \"$@\"")]).arg(command().get_program());
    let mut server = shell.args(["serve", "--port", "0"]).args(arguments);
    server = server.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = server.spawn().expect("a shell starts it");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("piped")).read_line(&mut line).expect("it says where it is");
    let address = Address(line.trim().trim_start_matches("http://").trim_end_matches('/').to_owned());
    Server { child, address }
}

impl Server {
    /// Ends the server. What it has written to its log.
    fn log(mut self) -> Vec<String> {
        self.child.kill().expect("it runs");
        let mut log = String::new();
        self.child.stderr.take().expect("piped").read_to_string(&mut log).expect("text");
        log.lines().map(str::to_owned).collect()
    }

    fn open_files(&self) -> usize {
        std::fs::read_dir(format!("/proc/{}/fd", self.child.id())).expect("it runs").count()
    }

    fn resident_kib(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("it runs");
        let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("its memory");
        resident.trim().trim_end_matches(" kB").parse().expect("a number")
    }
}

/// True if the server has closed this connection. What it said before is read.
fn is_closed(stream: &mut TcpStream) -> bool {
    stream.set_nonblocking(true).expect("a mode");
    loop {
        match stream.read(&mut [0; 1024]) {
            Ok(0) => return true,
            Ok(_) => {}
            Err(error) => return error.kind() != io::ErrorKind::WouldBlock,
        }
    }
}

fn closed_in_time(stream: &mut TcpStream) -> bool {
    let patience = Instant::now() + Duration::from_secs(5);
    while !is_closed(stream) {
        if Instant::now() > patience {
            return false;
        }
        thread::sleep(Duration::from_millis(5));
    }
    true
}

#[test]
fn the_longest_silent_connections_give_way_to_newcomers() {
    let server = confined_server(256, &[]);
    let mut player = server.tab().expect("a tab");
    player.send(&["position startpos moves 1,1"]);
    let before = server.resident_kib();
    let mut silent = Vec::new();
    for number in 0..400 {
        let mut stream = server.connect();
        let request = format!("GET /app.js HTTP/1.1\r\nHost: {}\r\n", server.0);
        match number % 4 {
            0 => {}
            1 => stream.write_all(request.as_bytes()).expect("it takes a part of a request"),
            // Between two requests.
            2 => write!(stream, "{request}\r\n").expect("it takes a request"),
            _ => write!(stream, "{}", request.replace("app.js", "session")).expect("it takes a part of a request"),
        }
        silent.push(stream);
        if number % 50 == 49 {
            let start = Instant::now();
            assert_eq!(server.ask(&format!("GET / HTTP/1.1\r\nHost: {}", server.0)).0, "HTTP/1.1 200 OK");
            let mut newcomer = server.tab().expect("a tab");
            assert_eq!(newcomer.send(&["isready"]).line().as_deref(), Some("readyok"));
            assert_eq!(player.send(&["query position"]).line().as_deref(), Some("response 3/1x1/3 o"));
            assert!(start.elapsed() < Duration::from_secs(5), "{number}: {:?}", start.elapsed());
        }
    }
    assert!(closed_in_time(&mut silent[0]), "the first one has been silent for longest");
    assert!(!is_closed(silent.last_mut().expect("the last one")), "places are left over");
    let closed = silent.iter_mut().filter_map(|stream| is_closed(stream).then_some(())).count();
    assert!((177..200).contains(&closed), "{closed}");
    assert!(server.open_files() <= 256);
    let grown = server.resident_kib().saturating_sub(before);
    assert!(grown < 16 << 10, "{grown} KiB");
    assert_eq!(player.send(&["query position"]).line().as_deref(), Some("response 3/1x1/3 o"));
    let log = server.log();
    assert_eq!(log.len(), 1, "{log:?}");
    assert!(log[0].starts_with("warning: 224 connections are open") && log[0].contains("gave way"), "{log:?}");
}

#[test]
fn a_silent_tab_gives_way_and_a_tab_that_spoke_does_not() {
    let server = impatient_server(4, SHORT);
    let mut speaking: Vec<Tab> = (0..2).map(|_| server.tab().expect("a tab")).collect();
    speaking.iter_mut().for_each(|tab| assert_eq!(tab.send(&["isready"]).line().as_deref(), Some("readyok")));
    let mut silent: Vec<Tab> = (0..2).map(|_| server.tab().expect("a tab")).collect();
    for silent in &mut silent {
        let mut newcomer = server.tab_in_time();
        assert_eq!(newcomer.send(&["isready"]).line().as_deref(), Some("readyok"));
        assert_eq!(
            silent.line().as_deref(),
            Some("info string this session said nothing while another waited, and ends")
        );
        assert_eq!(silent.line_or_code(), Err(Some(1013)));
        speaking.push(newcomer);
    }
    // More than the time after which a silent one gives way.
    thread::sleep(SHORT);
    assert_eq!(server.tab().err().as_deref(), Some("HTTP/1.1 503 Service Unavailable"));
    for tab in &mut speaking {
        assert_eq!(tab.send(&["isready"]).line().as_deref(), Some("readyok"));
    }
}

#[test]
fn a_full_server_says_so_on_its_page_and_once_in_its_log() {
    let server = confined_server(1024, &["--max-sessions", "2"]);
    let mut tabs: Vec<Tab> = (0..2).map(|_| server.tab().expect("a tab")).collect();
    tabs.iter_mut().for_each(|tab| assert_eq!(tab.send(&["isready"]).line().as_deref(), Some("readyok")));
    let page = format!("GET / HTTP/1.1\r\nHost: {}", server.0);
    for _ in 0..50 {
        let (first, rest) = server.ask(&page);
        assert_eq!(first, "HTTP/1.1 503 Service Unavailable");
        assert!(rest.contains("All 2 sessions of this server are taken."), "{rest}");
        assert!(server.tab().is_err());
    }
    assert_eq!(server.ask(&page.replace("GET /", "GET /app.js")).0, "HTTP/1.1 200 OK");
    drop(tabs.pop());
    let patience = Instant::now() + Duration::from_secs(20);
    while server.ask(&page).0 != "HTTP/1.1 200 OK" {
        assert!(Instant::now() < patience, "the place does not come back");
        thread::sleep(Duration::from_millis(20));
    }
    let log = server.log();
    assert_eq!(log.len(), 1, "{log:?}");
    assert!(log[0].starts_with("warning: all 2 sessions are taken"), "{log:?}");
}

#[test]
fn the_limit_of_open_files_bounds_the_sessions() {
    let server = confined_server(128, &["--max-sessions", "1000"]);
    let mut tabs = Vec::new();
    while let Ok(mut tab) = server.tab() {
        assert_eq!(tab.send(&["isready"]).line().as_deref(), Some("readyok"));
        tabs.push(tab);
        assert!(tabs.len() < 128);
    }
    // A newcomer is told, even beside silent ones.
    let _silent: Vec<TcpStream> = (0..100).map(|_| server.connect()).collect();
    let (first, _) = server.ask(&format!("GET / HTTP/1.1\r\nHost: {}", server.0));
    assert_eq!(first, "HTTP/1.1 503 Service Unavailable");
    let count = tabs.len();
    for tab in &mut tabs {
        assert_eq!(tab.send(&["isready"]).line().as_deref(), Some("readyok"));
    }
    let log = server.log();
    assert!(log[0].starts_with(&format!("warning: at most {count} sessions at once, not 1000: ")), "{log:?}");
}

#[test]
fn too_few_open_files_are_an_error_and_not_a_server() {
    let shell = format!("ulimit -n 40; exec {:?} serve --port 0", command().get_program());
    let output = Command::new("sh").args(["-c", &shell]).output().expect("a shell");
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("cannot serve with 40 open files: at least 64 are needed"), "{said}");
}
