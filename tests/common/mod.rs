//! What several tests need: a plain minimax that knows nothing of the library, all positions of a small board, and
//! a conversation with a session in memory.

#![allow(dead_code)]

pub mod biased;
pub mod chance;
pub mod contest;
pub mod foreign;
pub mod geometry;
pub mod oracle;
pub mod pgn;
pub mod plain_table;
pub mod processes;
pub mod program;
pub mod random_games;
pub mod tab;
pub mod trace;

use std::collections::HashMap;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use noughts::engine::{Engine, SearchBackend};
use noughts::game::{Cell, Player, Position, Rules, Value};
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

/// The rules of a small board and both signs of completing a line.
pub fn rules(size: u8, connect: u16, reverse: bool) -> Rules {
    Rules::new(size, connect, reverse).expect("rules within range")
}

/// A game on a small board as a plain array, with minimax over it. Shares no code with the library.
pub struct PlainGame {
    pub size: usize,
    pub connect: usize,
    pub reverse: bool,
    known: HashMap<(Vec<u8>, u8), (i32, u32)>,
}

impl PlainGame {
    pub fn new(size: usize, connect: usize, reverse: bool) -> PlainGame {
        PlainGame { size, connect: if connect == 0 { size } else { connect }, reverse, known: HashMap::new() }
    }

    /// The cells of a position: 0 empty, 1 X, 2 O; and who is to move.
    pub fn read(position: &Position) -> (Vec<u8>, u8) {
        let stone = |cell| match position.occupant(cell) {
            None => 0,
            Some(Player::X) => 1,
            Some(Player::O) => 2,
        };
        let side = if position.side() == Player::X { 1 } else { 2 };
        (Cell::all(position.rules().size()).map(stone).collect(), side)
    }

    pub fn has_line(&self, board: &[u8], player: u8) -> bool {
        let size = self.size as i32;
        let at = |row: i32, column: i32| {
            (0..size).contains(&row) && (0..size).contains(&column) && board[(row * size + column) as usize] == player
        };
        (0..size).any(|row| {
            (0..size).any(|column| {
                [(0, 1), (1, 0), (1, 1), (1, -1)].iter().any(|(down, right)| {
                    (0..self.connect as i32).all(|step| at(row + down * step, column + right * step))
                })
            })
        })
    }

    /// The value for `player`, who is to move: 1, 0 or -1, and the plies to the end (0 for a draw).
    pub fn value(&mut self, board: &[u8], player: u8) -> (i32, u32) {
        let opponent = 3 - player;
        let completed = if self.reverse { 1 } else { -1 };
        if self.has_line(board, opponent) {
            return (completed, 0);
        }
        if self.has_line(board, player) {
            return (-completed, 0);
        }
        if board.iter().all(|&stone| stone != 0) {
            return (0, 0);
        }
        let key = (board.to_vec(), player);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let values = self.move_values(board, player);
        let best = values.into_iter().map(|(_, value)| value).max_by_key(|&value| rank(value)).expect("a move");
        self.known.insert(key, best);
        best
    }

    /// Every move with its value for the player who makes it.
    pub fn move_values(&mut self, board: &[u8], player: u8) -> Vec<(usize, (i32, u32))> {
        let mut values = Vec::new();
        for cell in 0..board.len() {
            if board[cell] == 0 {
                let mut after = board.to_vec();
                after[cell] = player;
                let (result, plies) = self.value(&after, 3 - player);
                values.push((cell, (-result, if result == 0 { 0 } else { plies + 1 })));
            }
        }
        values
    }
}

/// Orders values: a quick win is best, a quick loss worst.
pub fn rank((result, plies): (i32, u32)) -> i32 {
    result * (1000 - plies as i32)
}

/// A conversation with a session in memory.
pub struct Conversation {
    pub session: session::Conversation,
    reader: LineReader,
    woken: Receiver<()>,
}

impl Conversation {
    pub fn new() -> Conversation {
        Conversation::with_backend(|| Box::new(Engine::new()))
    }

    pub fn with_backend(make_backend: fn() -> Box<dyn SearchBackend>) -> Conversation {
        let (wake, woken) = channel();
        let searches = SearchThread::new(move || {
            // Nobody to wake any more: the conversation is over.
            let _ = wake.send(());
        });
        let session = Session::with_backend(make_backend, Instant::now());
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

    /// What has been said since the last time, without waiting.
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

/// Whether a value is the win or the loss within so many plies that was claimed.
pub fn is_within(value: Value, claimed: Value) -> bool {
    match (value, claimed) {
        (Value::Win(plies), Value::Win(most)) | (Value::Loss(plies), Value::Loss(most)) => plies <= most,
        _ => false,
    }
}
