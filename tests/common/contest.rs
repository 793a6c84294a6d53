//! Matches that a test plays with the program itself, and what becomes of them.

#![allow(dead_code)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::program::{NOUGHTS, RunToEnd, in_words_of_unix};

/// Far longer than any match here takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(90);

/// A call of `noughts match`, with a folder of its own that goes when it goes.
pub struct Contest {
    folder: PathBuf,
    pub words: Vec<String>,
}

impl Contest {
    pub fn new() -> Contest {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("match-{}-{number}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder can be made");
        Contest { folder, words: Vec::new() }
    }

    /// Two players that draw their moves.
    pub fn of_random_players() -> Contest {
        Contest::new().noughts("A", "player=random").noughts("B", "player=random")
    }

    /// With an engine as it is written on the command line.
    pub fn engine(self, description: impl Into<String>) -> Contest {
        self.word("--engine").word(description)
    }

    /// With this program as an engine.
    pub fn noughts(self, name: &str, options: &str) -> Contest {
        self.engine(noughts(name, options))
    }

    /// With an engine that a shell starts. `$0` is this program, `$1` a file of this match.
    pub fn shell(self, name: &str, script: &str, file: &str) -> Contest {
        let file = self.file(file).display().to_string();
        let arguments = shell_words::quote(&shell_words::join(["-c", script, &NOUGHTS, &file])).into_owned();
        self.engine(format!("name={name} cmd=sh args={arguments}"))
    }

    pub fn with(mut self, words: &str) -> Contest {
        self.words.extend(words.split_whitespace().map(str::to_owned));
        self
    }

    pub fn word(mut self, word: impl Into<String>) -> Contest {
        self.words.push(word.into());
        self
    }

    /// With the path of a file of this match.
    pub fn path(self, name: &str) -> Contest {
        let path = self.file(name).display().to_string();
        self.word(path)
    }

    /// With an engine in Python that has a fault: see `tests/bad_engine.py`.
    pub fn bad(self, name: &str, mode: &str) -> Contest {
        self.engine(bad_engine(name, mode))
    }

    /// A file of this match.
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// A file of this match with this text.
    pub fn write(&self, name: &str, text: &str) -> String {
        std::fs::write(self.file(name), text).expect("a file can be written");
        self.file(name).display().to_string()
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.file(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn command(&self) -> Command {
        let mut command = piped("match");
        command.args(&self.words);
        command
    }

    pub fn run(&self) -> Ended {
        ended(self.command())
    }

    /// Plays to the end, with a record.
    #[track_caller]
    pub fn play(&self) -> Played {
        let record = self.file("record");
        let _ = std::fs::remove_file(&record);
        let mut command = self.command();
        command.args(["--format", "json", "--record"]).arg(&record);
        let ended = ended(command);
        assert_eq!(ended.code, Some(0), "{ended:?}");
        Played { table: ended.json(), games: self.games("record"), errors: ended.errors }
    }

    /// The games of a record file, in the order in which they ended.
    #[track_caller]
    pub fn games(&self, name: &str) -> Vec<Value> {
        let line = |line: &str| -> Value { serde_json::from_str(line).expect("a line of JSON") };
        self.read(name).lines().map(line).filter(|line| line.get("attempt").is_none()).collect()
    }

    /// The output of `noughts report` for files of this match.
    pub fn report(&self, files: &[&str], words: &str) -> Ended {
        let mut command = piped("report");
        command.args(files.iter().map(|file| self.file(file))).args(words.split_whitespace());
        ended(command)
    }
}

/// A subcommand of this program, whose output is read.
fn piped(subcommand: &str) -> Command {
    let mut command = Command::new(&*NOUGHTS);
    command.arg(subcommand).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

impl Drop for Contest {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let _ = std::fs::remove_dir_all(&self.folder);
        }
    }
}

/// This program as an engine, with these options.
pub fn noughts(name: &str, options: &str) -> String {
    let options: String = options.split_whitespace().map(|option| format!(" option.{option}")).collect();
    format!("name={name} cmd=noughts{options}")
}

pub const BAD_ENGINE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/bad_engine.py");

/// An engine in Python with a fault: its mode, and on which `go` it happens.
pub fn bad_engine(name: &str, mode: &str) -> String {
    format!("name={name} cmd=python3 args='-IS {BAD_ENGINE} {mode}'")
}

/// The end of a call.
#[derive(Debug)]
pub struct Ended {
    pub code: Option<i32>,
    pub output: String,
    pub errors: String,
    pub time: Duration,
}

pub fn ended(mut command: Command) -> Ended {
    let start = Instant::now();
    let child = command.spawn().expect("the program starts");
    ended_child(child, start)
}

pub fn ended_child(child: Child, start: Instant) -> Ended {
    let Output { status, stdout, stderr } = child.run_to_end();
    let time = start.elapsed();
    assert!(time < PATIENCE, "{time:?}");
    let text = |bytes| String::from_utf8(bytes).expect("output is text");
    Ended { code: status.code(), output: text(stdout), errors: in_words_of_unix(&text(stderr)), time }
}

impl Ended {
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.output).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The arguments make no match: a sentence says so, and there is no result.
    #[track_caller]
    pub fn assert_usage_error(&self, mentions: &str) {
        assert_eq!((self.code, self.output.as_str()), (Some(2), ""), "{self:?}");
        assert!(self.errors.starts_with("error: ") && self.errors.contains(mentions), "{mentions}: {self:?}");
        assert!(!self.errors.contains("panicked"), "{self:?}");
    }

    /// The match could not be played, and soon said why.
    #[track_caller]
    pub fn assert_failed(&self, mentions: &[&str]) {
        assert_eq!(self.code, Some(1), "{self:?}");
        for mention in mentions {
            assert!(self.errors.contains(mention), "{mention}: {self:?}");
        }
    }
}

/// A game by its number, who has X, its opening and its moves.
pub type Course = (u64, String, String, Vec<String>);

/// A match that was played to its end.
pub struct Played {
    pub table: Value,
    pub games: Vec<Value>,
    pub errors: String,
}

impl Played {
    pub fn pairing(&self) -> &Value {
        &self.table["pairings"][0]
    }

    /// The games in their own order, as far as chance and the engines decide them.
    pub fn moves(&self) -> Vec<Course> {
        let mut games: Vec<_> = self
            .games
            .iter()
            .map(|game| (number(&game["game"]), text(&game["x"]["name"]), opening(game), moves(game)))
            .collect();
        games.sort();
        games
    }
}

pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned()
}

pub fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value} is no number"))
}

pub fn real(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

pub fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("{value} is no list"))
}

pub fn opening(game: &Value) -> String {
    text(&game["opening"]["line"])
}

pub fn moves(game: &Value) -> Vec<String> {
    list(&game["moves"]).iter().map(|each| text(&each["move"])).collect()
}

/// The half points of an engine in a game.
pub fn half_points(game: &Value, name: &str) -> usize {
    match text(&game["result"]).as_str() {
        "draw" => 1,
        side => 2 * usize::from(game[side]["name"] == name),
    }
}

/// The two names of a game, X first.
pub fn players(game: &Value) -> (String, String) {
    (text(&game["x"]["name"]), text(&game["o"]["name"]))
}

pub fn set<T: Ord>(items: impl IntoIterator<Item = T>) -> BTreeSet<T> {
    items.into_iter().collect()
}
