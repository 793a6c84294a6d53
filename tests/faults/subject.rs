//! The subcommands that are put to the test: how each is started, what it writes, and what its totals are.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::common::pgn::assert_same_games;
use crate::place::Ran;

/// A command under test. All of them give the same totals in every run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    /// A match with a record and its games as PGN.
    Match,
    /// An exam.
    Exam,
    /// Answers to the questions of a proof in parts, with a record.
    Questions,
    /// A proof in one piece, with a certificate.
    Certificate,
    /// The tables of a recorded match.
    Report,
    /// The engine with a debug log.
    Engine,
}

/// Those that continue a record.
pub const RECORDING: [Subject; 2] = [Subject::Match, Subject::Questions];

/// All of them.
pub const ALL: [Subject; 6] =
    [Subject::Match, Subject::Exam, Subject::Questions, Subject::Certificate, Subject::Report, Subject::Engine];

/// The script of the engine's client.
pub const SCRIPT: &str = "setoption seed 5\nsetoption player mcts\nsetoption size 5\nsetoption connect 4\n\
                          go trials 2000\nposition startpos moves 2,2\ngo trials 2000\neval\nquery gameover\nwait\nquit\n";

impl Subject {
    /// The words behind the name of the program. `program` is its path.
    pub fn words(self, program: &Path) -> Vec<String> {
        let engine = |name: &str, player: &str| {
            format!("name={name} cmd={} option.player={player} option.Hash=2", program.display())
        };
        let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        match self {
            Subject::Match => {
                let engines = [engine("A", "random"), engine("B", "montecarlo")];
                let engines = engines.into_iter().flat_map(|engine| ["--engine".to_owned(), engine]);
                let rest =
                    "--games 40 --trials 20 --seed 2 --concurrency 2 --format json --record record --pgn games.pgn";
                words("match").into_iter().chain(engines).chain(words(rest)).collect()
            }
            Subject::Exam => {
                let engine = ["--engine".to_owned(), engine("A", "random")];
                words("exam").into_iter().chain(engine).chain(words("--seed 3 --format json")).collect()
            }
            Subject::Questions => words("prove --job list --hash 4 --record record"),
            Subject::Certificate => words("prove --size 5 --connect 4 --hash 4 --out proof"),
            Subject::Report => words("report played --format json"),
            Subject::Engine => vec!["--option".to_owned(), "Debug Log File=log".to_owned()],
        }
    }

    /// The preparation of the folder: words for the program, and where its output goes.
    pub fn preparation(self, program: &Path) -> Option<Vec<String>> {
        match self {
            Subject::Questions => {
                let words = "prove --size 5 --connect 4 --claim draw --split 2 --nodes 200 --hash 4 --list list";
                Some(words.split(' ').map(str::to_owned).collect())
            }
            Subject::Report => {
                let words = Subject::Match.words(program);
                Some(words.into_iter().map(|word| if word == "record" { "played".to_owned() } else { word }).collect())
            }
            _ => None,
        }
    }

    /// The file that it writes, if it writes one.
    pub fn file(self) -> Option<&'static str> {
        match self {
            Subject::Match | Subject::Questions => Some("record"),
            Subject::Certificate => Some("proof"),
            Subject::Engine => Some("log"),
            Subject::Exam | Subject::Report => None,
        }
    }

    /// The text for its standard input.
    pub fn input(self) -> &'static str {
        if self == Subject::Engine { SCRIPT } else { "" }
    }

    /// The results of a run that has come to its end, without times.
    pub fn totals(self, ran: &Ran, folder: &Path) -> Vec<String> {
        let mut totals: Vec<String> = match self {
            Subject::Match | Subject::Report => {
                let table: Value = serde_json::from_str(&ran.output).unwrap_or_else(|error| panic!("{error}: {ran:?}"));
                let pairing = &table["pairings"][0];
                let table =
                    format!("{} {} {} {}", table["games"], pairing["wins"], pairing["draws"], pairing["losses"]);
                let games = if self == Subject::Match { lines(&folder.join("record")) } else { Vec::new() };
                let games = games.iter().filter(|game| game.get("attempt").is_none());
                games.map(|game| format!("{} {}", game["game"], moves(game))).chain([table]).collect()
            }
            Subject::Exam => {
                // Without the engine, whose path differs.
                let report: Value =
                    serde_json::from_str(&ran.output).unwrap_or_else(|error| panic!("{error}: {ran:?}"));
                vec![report["exams"].to_string()]
            }
            Subject::Questions => lines(&folder.join("record")).iter().map(Value::to_string).collect(),
            Subject::Certificate => vec![fs::read_to_string(folder.join("proof")).expect("a certificate")],
            Subject::Engine => {
                let is_answer = |line: &&str| !line.starts_with("info depth");
                ran.output.lines().filter(is_answer).map(str::to_owned).collect()
            }
        };
        totals.sort();
        totals
    }

    /// The files are whole, whatever has happened, and nothing counts that is not there.
    pub fn check_files(self, ran: &Ran, folder: &Path) {
        let record = folder.join("record");
        match self {
            Subject::Match => {
                let games = lines(&record).iter().filter(|line| line.get("attempt").is_none()).count() as u64;
                if let Ok(table) = serde_json::from_str::<Value>(&ran.output) {
                    assert_eq!(table["games"].as_u64(), Some(games), "{ran:?}");
                }
                if ran.status.success() {
                    let read = |name: &str| fs::read_to_string(folder.join(name)).expect("a file of text");
                    assert_same_games(&read("record"), &read("games.pgn"));
                }
            }
            Subject::Questions => drop(lines(&record)),
            Subject::Certificate => {
                let name = folder.join("proof");
                assert!(!name.exists() || fs::read_to_string(&name).is_ok_and(|text| is_certificate(&text)), "{ran:?}");
                let left = names(folder).into_iter().filter(|name| name.starts_with(".tmp")).count();
                assert!(left == 0 || ran.status.code().is_none(), "a part of a file is left: {ran:?}");
            }
            Subject::Exam | Subject::Report | Subject::Engine => {}
        }
    }
}

/// Both checkers are asked elsewhere. Here a certificate is one that has not lost its end.
fn is_certificate(text: &str) -> bool {
    noughts_check::check(text.as_bytes(), &noughts_check::Options::default()).0.is_ok()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").file_name());
    entries.map(|name| name.to_string_lossy().into_owned()).collect()
}

/// The lines of a record, all of which are whole; none if there is no such file.
pub fn lines(path: &Path) -> Vec<Value> {
    let Ok(text) = fs::read_to_string(path) else { return Vec::new() };
    assert!(text.is_empty() || text.ends_with('\n'), "a torn line: {}", text.lines().last().unwrap_or_default());
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

fn moves(game: &Value) -> String {
    let moves = game["moves"].as_array().expect("a list of moves");
    moves.iter().map(|each| each["move"].to_string()).collect::<Vec<_>>().join(" ")
}
