//! Conversations in the dialects of other games' programs: how cells are written there, and how a test knows that all
//! answers have come. Written from the protocols' own documents; shares no code with the library's dialects.

use std::time::{Duration, Instant};

use noughts::game::{Cell, Position};

use super::Conversation;

/// A dialect, as a client speaks it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    Gomocup,
    XBoard,
}

impl Dialect {
    /// A question that is answered in its turn, and the answer.
    fn barrier(self, number: u32) -> (String, String) {
        match self {
            Dialect::Gomocup => ("ABOUT\n".to_owned(), "name=".to_owned()),
            Dialect::XBoard => (format!("ping {number}\n"), format!("pong {number}")),
        }
    }
}

/// A session in memory that is spoken to in a dialect.
pub struct Foreign {
    pub talk: Conversation,
    dialect: Dialect,
    barriers: u32,
}

impl Foreign {
    /// A conversation at its beginning, with these options set before.
    pub fn new(dialect: Dialect, options: &[(&str, &str)]) -> Foreign {
        let mut talk = Conversation::new();
        for (name, value) in options {
            talk.session.preset(name, value).expect("the option is accepted");
        }
        Foreign { talk, dialect, barriers: 7000 }
    }

    /// Hands in text without waiting.
    pub fn send(&mut self, text: &str) {
        self.talk.send(text);
    }

    /// Hands in lines, and returns everything that is said to them.
    pub fn say(&mut self, lines: &str) -> Vec<String> {
        self.say_bytes(lines.as_bytes())
    }

    pub fn say_bytes(&mut self, lines: &[u8]) -> Vec<String> {
        self.barriers += 1;
        let (question, answer) = self.dialect.barrier(self.barriers);
        self.talk.send_bytes(lines);
        if !lines.ends_with(b"\n") {
            self.talk.send("\n");
        }
        self.talk.send(&question);
        let mut said = self.until(|line| line.starts_with(&answer));
        let last = said.pop();
        assert!(last.as_deref().is_some_and(|line| line.starts_with(&answer)), "behind the last answer: {last:?}");
        said
    }

    /// Lets the session work until it says such a line, and returns what it said; fails after ten seconds.
    pub fn until(&mut self, is_last: impl Fn(&str) -> bool) -> Vec<String> {
        let start = Instant::now();
        let mut said: Vec<String> = Vec::new();
        loop {
            let known = said.len();
            self.talk.session.begin_round(Instant::now());
            self.talk.session.proceed(Instant::now);
            said.extend(self.talk.heard());
            if said[known..].iter().any(|line| is_last(line)) {
                return said;
            }
            assert!(start.elapsed() < Duration::from_secs(10), "an answer does not come: {said:?}");
            if !self.talk.session.has_work() {
                let _ = self.talk.woken.recv_timeout(Duration::from_millis(5));
            }
        }
    }

    /// The lines that come within this time.
    pub fn during(&mut self, time: Duration) -> Vec<String> {
        let start = Instant::now();
        let mut said = Vec::new();
        while start.elapsed() < time {
            self.talk.session.begin_round(Instant::now());
            self.talk.session.proceed(Instant::now);
            said.extend(self.talk.heard());
            let _ = self.talk.woken.recv_timeout(Duration::from_millis(5));
        }
        said
    }

    /// The answers to these lines, without those for people.
    pub fn answers(&mut self, lines: &str) -> Vec<String> {
        without_thoughts(self.dialect, self.say(lines))
    }

    /// The only line that is said to these lines, thoughts apart.
    pub fn answer(&mut self, lines: &str) -> String {
        let said = self.answers(lines);
        assert_eq!(said.len(), 1, "{lines}: {said:?}");
        said[0].clone()
    }
}

/// Leaves out what a search says about itself.
pub fn without_thoughts(dialect: Dialect, lines: Vec<String>) -> Vec<String> {
    let is_thought = |line: &String| match dialect {
        Dialect::Gomocup => line.starts_with("MESSAGE ") || line.starts_with("DEBUG "),
        Dialect::XBoard => line.starts_with('#') || is_thinking_line(line),
    };
    lines.into_iter().filter(|line| !is_thought(line)).collect()
}

/// True if a line has the form of XBoard's thinking output: ply, score, time, nodes and a line of play.
pub fn is_thinking_line(line: &str) -> bool {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    words.len() >= 4 && words[..4].iter().all(|word| word.parse::<i64>().is_ok())
}

/// A cell as Gomocup writes it: column first, from the top left.
pub fn xy(cell: Cell) -> String {
    format!("{},{}", cell.column(), cell.row())
}

pub fn read_xy(text: &str) -> Option<Cell> {
    let (x, y) = text.split_once(',')?;
    Some(Cell::new(y.parse().ok()?, x.parse().ok()?))
}

/// A move as programs for chess variants write it: a piece dropped on a square.
pub fn drop_at(cell: Cell, size: u8) -> String {
    format!("P@{}", square(cell, u32::from(size)))
}

/// A move for XBoard, where boards with ten ranks count them from 0.
pub fn xboard_move(cell: Cell, size: u8) -> String {
    format!("P@{}", square(cell, u32::from(size) - u32::from(size == 10)))
}

fn square(cell: Cell, highest: u32) -> String {
    format!("{}{}", char::from(b'a' + cell.column()), highest - u32::from(cell.row()))
}

/// The cell of the board that is written like this.
pub fn find(position: &Position, written: &str, write: impl Fn(Cell) -> String) -> Option<Cell> {
    Cell::all(position.rules().shape()).find(|&cell| write(cell) == written)
}
