//! What several tests need: the plain oracles asked about positions, all positions of a small board, and a conversation with a
//! session in memory.

#![allow(dead_code)]

pub mod biased;
pub mod chance;
pub mod claims;
pub mod contest;
pub mod foreign;
pub mod oracle;
pub mod part;
pub mod pgn;
pub mod processes;
pub mod program;
pub mod random_games;
pub mod reasons;
pub mod solution;
pub mod tab;
pub mod trace;

use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use noughts::engine::{Engine, SearchBackend};
use noughts::game::{Position, Rules, Shape};
use noughts::protocol::LineReader;
use noughts::session::{self, SearchThread, Session};

/// Every position that can arise from the start position, by ply.
pub fn positions_by_ply(rules: Rules) -> Vec<Vec<Position>> {
    let mut plies = vec![vec![Position::start(rules)]];
    loop {
        let mut seen = std::collections::HashSet::new();
        let last = plies.last().expect("there is a first ply");
        let next: Vec<Position> = last
            .iter()
            .flat_map(|position| position.moves().map(|cell| position.after(cell)))
            .filter(|position| seen.insert(*position))
            .collect();
        if next.is_empty() {
            return plies;
        }
        plies.push(next);
    }
}

/// Rules within their ranges; a number is the side of a square.
pub fn rules(shape: impl Into<Shape>, connect: u16, reverse: bool) -> Rules {
    Rules::new(shape, connect, reverse).expect("rules within range")
}

/// A conversation with a session in memory.
pub struct Conversation {
    pub session: session::Conversation,
    reader: LineReader,
    pub woken: Receiver<()>,
}

impl Conversation {
    pub fn new() -> Conversation {
        Conversation::with_backend(|| Box::new(Engine::new()))
    }

    pub fn with_backend(make_backend: fn() -> Box<dyn SearchBackend>) -> Conversation {
        let (wake, woken) = channel();
        let searches = SearchThread::new(move || {
            // Without a receiver to wake, the conversation is over.
            let _ = wake.send(());
        });
        let session = Session::with_backend(make_backend);
        let session = session::Conversation::new(session, searches);
        Conversation { session, reader: LineReader::default(), woken }
    }

    /// Hands in text without waiting for anything.
    pub fn send(&mut self, text: &str) -> &mut Conversation {
        self.send_bytes(text.as_bytes())
    }

    pub fn send_bytes(&mut self, mut bytes: &[u8]) -> &mut Conversation {
        self.session.begin_round(Instant::now());
        while !bytes.is_empty() {
            if let Some(line) = self.reader.take(&mut bytes) {
                self.session.receive(line, Instant::now());
            }
        }
        self
    }

    pub fn end_of_input(&mut self) -> &mut Conversation {
        self.session.end_of_input(Instant::now());
        self
    }

    /// The lines since the last call, without waiting.
    pub fn heard(&mut self) -> Vec<String> {
        let bytes: Vec<u8> = self.session.output().drain(..).collect();
        String::from_utf8(bytes).expect("output is text").lines().map(str::to_owned).collect()
    }

    /// Lets the session work until it has nothing to do, and returns what it said.
    pub fn until_idle(&mut self) -> Vec<String> {
        self.until(Duration::from_millis(30), |_| false)
    }

    /// Lets the session work until it says a line that begins like this; fails after ten seconds.
    pub fn until_line(&mut self, start: &str) -> Vec<String> {
        let lines = self.until(Duration::from_secs(10), |line| line.starts_with(start));
        assert!(lines.iter().any(|line| line.starts_with(start)), "{start} did not come: {lines:?}");
        lines
    }

    /// Works until `is_last` or until nothing has happened for as long as `quiet`. Fails when the session never comes to
    /// rest.
    pub fn until(&mut self, quiet: Duration, is_last: impl Fn(&str) -> bool) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        let start = Instant::now();
        let mut quiet_since = start;
        loop {
            assert!(start.elapsed() < program::DEADLINE, "the session does not come to rest: {lines:?}");
            self.session.begin_round(Instant::now());
            self.session.proceed(Instant::now);
            let heard = self.heard();
            if !heard.is_empty() || self.session.has_work() || self.session.awaits_answer() {
                quiet_since = Instant::now();
            }
            lines.extend(heard);
            if lines.iter().any(|line| is_last(line)) || quiet_since.elapsed() > quiet {
                return lines;
            }
            if !self.session.has_work() {
                let _ = self.woken.recv_timeout(Duration::from_millis(5));
            }
        }
    }
}

/// The answers of a fresh session to these lines, in which a move is asked for.
pub fn said(script: &str) -> Vec<String> {
    let mut conversation = Conversation::new();
    let mut lines = conversation.send(script).until_line("bestmove");
    lines.extend(conversation.until_idle());
    lines
}

/// A line without what differs from run to run: the numbers behind `nps` and `time`, and the same in other dialects.
pub fn without_times(line: &str) -> String {
    let mut words: Vec<&str> = line.split(' ').collect();
    if words[0] == "info" && words.get(1) != Some(&"string") {
        for index in 1..words.len() {
            if matches!(words[index - 1], "nps" | "time") {
                words[index] = "*";
            }
        }
    }
    // Gomocup: `MESSAGE ..., time 12, ...`. XBoard: a line of thinking, in which time is the third number.
    if words[0] == "MESSAGE"
        && let Some(index) = words.iter().position(|word| *word == "time")
    {
        words[index + 1] = "*";
    }
    if words.len() > 4 && words[..4].iter().all(|word| word.parse::<i64>().is_ok()) {
        words[2] = "*";
    }
    words.join(" ")
}

/// The word behind a key of an `info` line.
pub fn value_of<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    let mut words = line.split(' ');
    words.find(|word| *word == key)?;
    words.next()
}
