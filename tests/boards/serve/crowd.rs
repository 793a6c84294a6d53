//! More visitors than the server has places for: who gives way, and who is refused.

use super::*;

#[test]
fn the_tab_that_was_idle_for_longest_gives_way() {
    // A tab gives way when it was idle for three times this.
    let patience = Duration::from_millis(600);
    let server = impatient_server(4, patience);
    let mut tabs: Vec<Tab> = (0..4).map(|_| server.tab().expect("a tab")).collect();
    assert_eq!(server.tab().err().as_deref(), Some("HTTP/1.1 503 Service Unavailable"), "no tab is idle yet");
    thread::sleep(4 * patience);
    // The first one is heard, and the second one waits for an answer.
    assert_eq!(tabs[0].send(&["isready"]).line().as_deref(), Some("readyok"));
    for option in ["setoption player montecarlo", "setoption size 15"] {
        tabs[1].send(&[option]);
    }
    tabs[1].send(&["go movetime 8000", "isready"]).until("readyok");
    thread::sleep(4 * patience);
    tabs[0].send(&["isready"]).until("readyok");
    let mut newcomers: Vec<Tab> = Vec::new();
    for _ in 0..2 {
        newcomers.push(server.tab().expect("an idle one gives way"));
        newcomers.iter_mut().for_each(|tab| assert_eq!(tab.send(&["isready"]).line().as_deref(), Some("readyok")));
    }
    for idle in &mut tabs[2..] {
        assert_eq!(
            idle.line().as_deref(),
            Some("info string this session was idle while another client waited, and ends")
        );
        assert_eq!(idle.line_or_code(), Err(Some(1013)));
    }
    assert_eq!(server.tab().err().as_deref(), Some("HTTP/1.1 503 Service Unavailable"), "none of these is idle");
    for tab in tabs[..2].iter_mut().chain(&mut newcomers) {
        tab.send(&["isready"]).until("readyok");
    }
}

#[test]
fn a_full_server_says_so_on_its_page() {
    let server = Server::start(&["--max-sessions", "2"]);
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
}

#[test]
fn with_no_file_left_newcomers_wait_and_players_play_on() {
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -n 40; exec \"$0\" \"$@\""]).arg(command().get_program());
    let server = Server::started(shell, &[]);
    let mut player = server.tab().expect("a tab");
    let silent: Vec<TcpStream> = (0..100).map(|_| server.connect()).collect();
    for _ in 0..10 {
        assert_eq!(player.send(&["isready"]).line().as_deref(), Some("readyok"));
        thread::sleep(Duration::from_millis(30));
    }
    drop(silent);
    assert_eq!(server.tab_in_time().send(&["isready"]).line().as_deref(), Some("readyok"));
}
