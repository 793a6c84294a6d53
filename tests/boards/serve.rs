//! The server for browsers, over raw sockets: who may connect, what a tab may have, and what happens when it misbehaves.
#![cfg(feature = "web")]

mod crowd;
mod program;

use std::fs;
use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, TcpStream};
use std::ops::Deref;
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use noughts::session::SessionLimits;
use noughts::web::{self, ServeSettings};

use crate::common::program::{command, first_line};
use crate::common::tab::Tab;

/// A server on a port of its own, which ends with this.
struct Server {
    child: Child,
    address: Address,
}

/// Where a server listens.
struct Address(String);

const FORBIDDEN: &str = "HTTP/1.1 403 Forbidden";

/// The patience of a server that has little.
const SHORT: Duration = Duration::from_millis(300);

/// A server in this process that gives no client more time than this. It ends with the process.
fn impatient_server(max_sessions: usize, patience: Duration) -> Address {
    let listener = web::listen(IpAddr::V4(Ipv4Addr::LOCALHOST), Some(0)).expect("a free port");
    let address = Address(listener.local_addr().expect("it listens").to_string());
    let limits = SessionLimits { waiting: 1 << 20, ..SessionLimits::NONE };
    let settings = ServeSettings { max_sessions, limits, idle: Duration::from_secs(3600), patience };
    thread::spawn(move || web::run(listener, settings, None).expect("it serves"));
    address
}

impl Server {
    fn start(arguments: &[&str]) -> Server {
        Server::start_with(arguments, |command| command)
    }

    /// A server whose command is changed before it is started.
    fn start_with(arguments: &[&str], change: impl FnOnce(&mut Command) -> &mut Command) -> Server {
        let mut command = command();
        change(&mut command);
        Server::started(command, arguments)
    }

    /// A server that this command starts.
    fn started(mut command: Command, arguments: &[&str]) -> Server {
        command.args(["serve", "--port", "0"]).args(arguments).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the server starts");
        let line = first_line(child.stdout.take().expect("piped"));
        let address = Address(line.trim().trim_start_matches("http://").trim_end_matches('/').to_owned());
        Server { child, address }
    }

    /// The threads of the server.
    fn threads(&self) -> usize {
        std::fs::read_dir(format!("/proc/{}/task", self.child.id())).expect("it runs").count()
    }

    /// The computing time that it has taken, in hundredths of a second.
    fn ticks(&self) -> u64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).expect("it runs");
        let (_, behind_name) = stat.rsplit_once(')').expect("a name");
        behind_name.split_whitespace().skip(11).take(2).map(|ticks| ticks.parse::<u64>().expect("a number")).sum()
    }
}

impl Deref for Server {
    type Target = Address;

    fn deref(&self) -> &Address {
        &self.address
    }
}

impl Address {
    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.0).expect("the server listens");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
        stream
    }

    /// The first line of the answer to a request, and the rest of it.
    fn ask(&self, request: &str) -> (String, String) {
        let mut stream = self.connect();
        write!(stream, "{request}\r\nConnection: close\r\n\r\n").expect("it takes a request");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        let (first, rest) = answer.split_once("\r\n").expect("lines");
        (first.to_owned(), rest.to_owned())
    }

    fn tab(&self) -> Result<Tab, String> {
        self.tab_from(&self.0, &format!("http://{}", self.0))
    }

    /// A tab as soon as there is a place for it.
    fn tab_in_time(&self) -> Tab {
        let patience = Instant::now() + Duration::from_secs(20);
        loop {
            if let Ok(tab) = self.tab() {
                return tab;
            }
            assert!(Instant::now() < patience, "no place was given back");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// A tab that was led here by this name, by a page from there; or the first line of the refusal.
    fn tab_from(&self, host: &str, origin: &str) -> Result<Tab, String> {
        Tab::open(self.connect(), host, origin)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn the_browser_of_the_desktop_is_started_with_the_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let opener = folder.path().join("xdg-open");
    fs::write(&opener, "#!/bin/sh\necho \"$1\" > \"$0.part\" && mv \"$0.part\" \"$0.page\"\n").expect("a script");
    fs::set_permissions(&opener, fs::Permissions::from_mode(0o755)).expect("an executable");
    let path = format!("{}:/usr/bin:/bin", folder.path().display());
    let server = Server::start_with(&["--open"], |command| command.env("PATH", path));
    let asked = folder.path().join("xdg-open.page");
    let patience = Instant::now() + Duration::from_secs(20);
    while !asked.exists() {
        assert!(Instant::now() < patience, "no browser was started");
        thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(fs::read_to_string(asked).expect("a page"), format!("http://{}/\n", server.address.0));
}

#[test]
fn the_page_is_there_and_may_do_no_more_than_it_needs() {
    let server = Server::start(&[]);
    let (first, rest) = server.ask(&format!("GET / HTTP/1.1\r\nHost: {}", server.0));
    assert_eq!(first, "HTTP/1.1 200 OK");
    assert!(rest.contains("content-security-policy: default-src 'none'") && rest.contains("<!doctype html>"), "{rest}");
    let (first, rest) = server.ask(&format!("GET /etc/passwd HTTP/1.1\r\nHost: {}", server.0));
    assert_eq!(first, "HTTP/1.1 404 Not Found");
    assert!(rest.contains("content-security-policy:"));
}

#[test]
fn foreign_names_and_foreign_pages_are_refused() {
    let server = Server::start(&[]);
    for host in ["example.org", "localhost.example.org", "127.0.0.1.example.org"] {
        let (first, rest) = server.ask(&format!("GET / HTTP/1.1\r\nHost: {host}"));
        assert_eq!(first, FORBIDDEN, "{host}");
        assert!(rest.contains(host), "{rest}");
    }
    let own = server.0.clone();
    let port = own.rsplit(':').next().expect("a port");
    for origin in ["http://example.org", "null", "https://127.0.0.1", &format!("https://{own}")] {
        assert_eq!(server.tab_from(&own, origin).err().as_deref(), Some(FORBIDDEN), "{origin}");
    }
    assert_eq!(server.tab_from("example.org", "http://example.org").err().as_deref(), Some(FORBIDDEN));
    assert!(server.tab_from(&format!("localhost:{port}"), &format!("http://localhost:{port}")).is_ok());
    assert!(server.tab().is_ok());
}

#[test]
fn each_tab_has_a_session_of_its_own() {
    let server = Server::start(&[]);
    let (mut one, mut other) = (server.tab().expect("a tab"), server.tab().expect("a tab"));
    one.send(&["setoption size 5", "position startpos moves 2,2", "query position"]);
    other.send(&["query position"]);
    assert_eq!(one.until("response"), "response 5/5/2x2/5/5 o");
    assert_eq!(other.until("response"), "response 3/3/3 x");
    // A wrong line gets an error, and changes nothing.
    one.send(&["xyzzy", "\u{0}", "position startpos moves 9,9", "query position"]);
    assert!((0..3).all(|_| one.line().is_some_and(|line| line.starts_with("info string error: "))));
    assert_eq!(one.line().as_deref(), Some("response 5/5/2x2/5/5 o"));
    one.send(&["quit"]);
    assert_eq!(one.line(), None);
    assert_eq!(other.send(&["isready"]).line().as_deref(), Some("readyok"));
}

#[test]
fn a_tab_cannot_exceed_the_memory_time_and_file_limits() {
    let server = Server::start(&["--max-movetime", "200", "--max-hash", "4"]);
    let mut tab = server.tab().expect("a tab");
    tab.send(&["uci"]);
    assert_eq!(tab.until("option name Hash"), "option name Hash type spin default 4 min 1 max 4");
    assert_eq!(tab.until("option name Threads"), "option name Threads type spin default 1 min 1 max 1");
    let last = tab.until("option name UCI_Variant");
    assert!(last.contains("tictactoe"));
    assert_eq!(tab.line().as_deref(), Some("uciok"), "no option that names a file");
    for line in ["setoption Debug Log File /tmp/x", "setoption Debug Log File"] {
        let said = tab.send(&[line]).line().expect("an answer");
        assert_eq!(said, "info string error: setoption: Debug Log File cannot be set from here");
    }
    for option in ["Hash value 5", "Threads value 2", "Hash value 18446744073709551615", "Debug Log File value /tmp/x"]
    {
        let said = tab.send(&[&format!("setoption name {option}")]).line().expect("an answer");
        assert!(said.starts_with("info string error: setoption: "), "{said}");
    }
    tab.send(&["setoption player montecarlo", "setoption size 15", "setoption connect 5"]);
    for go in ["go movetime 3600000", "go trials 18446744073709551615", "go nodes 18446744073709551615"] {
        let start = Instant::now();
        tab.send(&[go]).until("bestmove");
        assert!(start.elapsed() < Duration::from_secs(5), "{go}");
    }
    // A search without an end has had its time too, and waits to be told.
    tab.send(&["go infinite"]);
    thread::sleep(Duration::from_millis(600));
    let spent = server.ticks();
    thread::sleep(Duration::from_millis(400));
    assert!(server.ticks() - spent < 20, "the search goes on");
    tab.send(&["stop"]).until("bestmove");
}

#[test]
fn sessions_stay_within_their_maximum_and_free_their_places() {
    let server = Server::start(&["--max-sessions", "8"]);
    let tabs: Vec<Result<Tab, String>> = thread::scope(|scope| {
        let waiting: Vec<_> = (0..100).map(|_| scope.spawn(|| server.tab())).collect();
        waiting.into_iter().map(|tab| tab.join().expect("an answer")).collect()
    });
    assert_eq!(tabs.iter().filter(|tab| tab.is_ok()).count(), 8);
    let refusals = tabs.iter().filter_map(|tab| tab.as_ref().err());
    assert!(refusals.eq(std::iter::repeat_n("HTTP/1.1 503 Service Unavailable", 92)));
    drop(tabs);
    server.tab_in_time();
}

#[test]
fn a_closed_tab_ends_its_search() {
    let server = Server::start(&["--max-movetime", "3600000"]);
    let idle = server.threads();
    let mut tab = server.tab().expect("a tab");
    tab.send(&["setoption player montecarlo", "setoption size 10", "go infinite", "isready"]).until("readyok");
    assert!(server.threads() > idle);
    drop(tab);
    let patience = Instant::now() + Duration::from_secs(10);
    while server.threads() > idle {
        assert!(Instant::now() < patience, "the search goes on");
        thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_too_long_line_is_an_error_and_a_too_long_frame_disconnects() {
    let server = Server::start(&[]);
    let (mut one, mut other) = (server.tab().expect("a tab"), server.tab().expect("a tab"));
    one.send(&["position startpos moves 1,1"]);
    for (length, error) in
        [(65_536, "unknown command"), (65_537, "the line that begins"), (1 << 20, "the line that begins")]
    {
        let said = one.send(&[&"z".repeat(length)]).line().expect("an answer");
        assert!(said.starts_with(&format!("info string error: {error}")), "{length}: {said}");
    }
    assert_eq!(one.send(&["query position"]).line().as_deref(), Some("response 3/1x1/3 o"));
    let frame = Tab::frame(&"z".repeat((1 << 20) + 1));
    // The server may close before it has read everything.
    let _ = one.stream.get_mut().write_all(&frame);
    assert_eq!(one.line(), None);
    assert_eq!(other.send(&["isready"]).line().as_deref(), Some("readyok"));
}

#[test]
fn the_close_frame_says_why_the_connection_ends() {
    let server = impatient_server(8, Duration::from_secs(20));
    let masked = |first: u8, payload: &[u8]| [&[first, 0x80 | payload.len() as u8, 0, 0, 0, 0], payload].concat();
    let mib = "z".repeat(1 << 20);
    // Lines of a message that has not ended, and a last part with which it is too long.
    let mut parts = Tab::frame(&mib);
    parts[0] = 0x01;
    parts.extend(masked(0x80, b"z"));
    let mut unfinished = Tab::frame("isready");
    unfinished[0] = 0x01;
    for (frames, code) in [
        (Tab::frame("quit"), 1000),
        (Tab::frame("go infinite\nquit"), 1000),
        // An unknown operation, one without a mask, a reserved bit, a part of no message, a message within another.
        (masked(0x83, b"isready"), 1002),
        (b"\x81\x07isready".to_vec(), 1002),
        (masked(0xc1, b"isready"), 1002),
        (masked(0x80, b"isready"), 1002),
        ([unfinished, Tab::frame("isready")].concat(), 1002),
        (masked(0x81, b"isready \xff\xfe"), 1007),
        (Tab::frame(&(mib.clone() + "z")), 1009),
        (Tab::frame(&mib.repeat(8)), 1009),
        (parts, 1009),
    ] {
        let mut tab = server.tab_in_time();
        tab.send(&["ugi"]).until("ugiok");
        // The server takes all of it, so that the client does not lose the reason while it still writes.
        tab.stream.get_mut().write_all(&frames).expect("the server reads");
        let start = &frames[..frames.len().min(20)];
        assert_eq!(tab.close_code(), Some(code), "{start:?}");
        assert_eq!(tab.stream.read(&mut [0]).expect("no reset"), 0, "{start:?}");
    }
    // Answers that are on their way come first.
    let mut tab = server.tab_in_time();
    tab.stream.get_mut().write_all(&[Tab::frame("isready"), masked(0x83, b"")].concat()).expect("the server reads");
    assert_eq!(tab.line_or_code(), Ok("readyok".to_owned()));
    assert_eq!(tab.line_or_code(), Err(Some(1002)));
}

#[test]
fn a_client_that_sends_on_after_the_close_frame_is_let_go() {
    let server = impatient_server(1, SHORT);
    let mut tab = server.tab().expect("a tab");
    let frame = Tab::frame(&"z".repeat(1 << 21));
    while tab.stream.get_mut().write_all(&frame).is_ok() {}
    // Its session has ended before.
    server.tab_in_time().send(&["quit"]);
    let mut next = server.tab_in_time();
    assert_eq!(next.send(&["isready"]).line().as_deref(), Some("readyok"));
}

#[test]
fn a_tab_that_never_reads_costs_bounded_memory_and_no_delay() {
    let server = Server::start(&[]);
    let mut deaf = server.tab().expect("a tab");
    deaf.stream.get_ref().set_write_timeout(Some(Duration::from_millis(500))).expect("a timeout");
    let frames: Vec<u8> = (0..1000).flat_map(|_| Tab::frame("help")).collect();
    for _ in 0..100 {
        // It is let go, or not read from any more.
        if deaf.stream.get_mut().write_all(&frames).is_err() {
            break;
        }
    }
    let mut other = server.tab().expect("a tab");
    let start = Instant::now();
    assert_eq!(other.send(&["isready"]).line().as_deref(), Some("readyok"));
    assert!(start.elapsed() < Duration::from_secs(2));
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.child.id())).expect("it runs");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a peak");
    let kib: u64 = peak.trim().trim_end_matches(" kB").parse().expect("a number");
    assert!(kib < 128 << 10, "{kib} KiB");
}

#[test]
fn an_idle_connection_ends_and_blocks_no_other() {
    let server = impatient_server(8, SHORT);
    let silent: Vec<TcpStream> = (0..300).map(|_| server.connect()).collect();
    let mut half = server.connect();
    half.write_all(b"GET / HTTP/1.1\r\nHost: ").expect("it takes a part of a request");
    // More than are answered at the same time.
    assert!(server.tab().is_ok());
    for mut stream in silent.into_iter().chain([half]) {
        let mut rest = Vec::new();
        stream.read_to_end(&mut rest).expect("the server ends it");
    }
}

#[test]
fn connections_that_read_no_answers_block_no_others() {
    let server = impatient_server(8, SHORT);
    // The answers are megabytes, more than waits anywhere for a client that does not read.
    let requests = format!("GET /app.js HTTP/1.1\r\nHost: {}\r\n\r\n", server.0).repeat(400);
    let connections: Vec<TcpStream> = (0..300).map(|_| server.connect()).collect();
    for mut stream in &connections {
        stream.set_write_timeout(Some(Duration::from_millis(100))).expect("a timeout");
        // The server may already read no more.
        let _ = stream.write_all(requests.as_bytes());
    }
    assert!(server.tab().is_ok());
}

#[test]
fn a_tab_that_never_reads_loses_its_place() {
    let server = impatient_server(1, SHORT);
    let mut deaf = server.tab().expect("a tab");
    deaf.stream.get_ref().set_write_timeout(Some(Duration::from_millis(100))).expect("a timeout");
    let frames: Vec<u8> = (0..1000).flat_map(|_| Tab::frame("help")).collect();
    while deaf.stream.get_mut().write_all(&frames).is_ok() {}
    server.tab_in_time();
}

#[test]
fn a_tab_that_reads_gets_all_replies_to_any_number_of_commands() {
    let server = impatient_server(1, Duration::from_secs(10));
    let mut tab = server.tab().expect("a tab");
    let lines = tab.send(&["help", "isready"]).count_until("readyok");
    let wanted = 2_000;
    // A frame with line ends in it is several lines.
    let all = "help\n".repeat(wanted) + "query position";
    assert_eq!(tab.send(&[&all]).count_until("response"), wanted * lines);
}

#[test]
fn a_silent_tab_loses_its_session_but_not_during_an_answer() {
    let server = Server::start(&["--max-idle", "2"]);
    let mut tab = server.tab().expect("a tab");
    tab.send(&["setoption player montecarlo", "setoption size 15", "go movetime 3500"]).until("bestmove");
    assert_eq!(tab.line().as_deref(), Some("info string this session was idle for too long, and ends"));
    assert_eq!(tab.line_or_code(), Err(Some(1001)));
    // A search without an end is no answer.
    let mut other = server.tab().expect("a tab");
    other.send(&["setoption player montecarlo", "setoption size 15", "go infinite"]).until("info string this session");
    assert_eq!(other.line_or_code(), Err(Some(1001)));
}

#[test]
fn the_address_for_others_is_told_where_others_can_open_it() {
    let for_others = |listening: &str| web::address_for_others(listening.parse().expect("an address"));
    for own in ["127.0.0.1:8383", "127.3.2.1:8383", "[::1]:8383"] {
        assert_eq!(for_others(own), None, "{own}");
    }
    for seen in ["192.168.1.7:8383", "[fd00::7]:80"] {
        assert_eq!(for_others(seen).map(|address| address.to_string()).as_deref(), Some(seen));
    }
    for (listen, opens) in [("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "127.0.0.1")] {
        let mut child = command()
            .args(["serve", "--port", "0", "--listen", listen])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let page = first_line(child.stdout.take().expect("piped"));
        let port = page.trim_end_matches(['/', '\n']).rsplit(':').next().expect("a port").to_owned();
        assert_eq!(page, format!("http://{opens}:{port}/\n"));
        // A machine without a network has no address for others.
        let address = for_others(&format!("{listen}:{port}"));
        if let Some(address) = address {
            let answer = Address(address.to_string()).ask(&format!("GET / HTTP/1.1\r\nHost: {address}"));
            assert_eq!(answer.0, "HTTP/1.1 200 OK");
        }
        thread::sleep(Duration::from_millis(300));
        child.kill().expect("our own child");
        let told = String::from_utf8(child.wait_with_output().expect("its end").stderr).expect("text");
        let line = told.lines().find(|line| line.starts_with("Others open"));
        assert_eq!(line, address.map(|address| format!("Others open http://{address}/")).as_deref(), "{told}");
    }
}

#[test]
fn the_address_of_the_sessions_says_what_it_is_for() {
    let server = Server::start(&[]);
    let (first, rest) = server.ask(&format!("GET /session HTTP/1.1\r\nHost: {}", server.0));
    assert_eq!(first, "HTTP/1.1 426 Upgrade Required");
    assert!(
        rest.contains("a WebSocket to it is a session of the engine") && rest.contains("upgrade: websocket"),
        "{rest}"
    );
    // A WebSocket of a version that is not spoken is told so, as before.
    let old = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 8\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";
    let (first, _) = server.ask(&format!("GET /session HTTP/1.1\r\nHost: {}\r\n{old}", server.0));
    assert!(first.starts_with("HTTP/1.1 4") && !first.contains("426"), "{first}");
}
