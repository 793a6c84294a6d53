//! Exams: the positions of a solved game asked of one engine, and what its answers are worth.
//!
//! [`run`] asks an engine, a child process like any other, for its move in every position that can arise and in which
//! the game goes on, or in a sample of them, and holds the answers against the values that are proven. From the answers
//! to all positions of a small board follows, without a game being played, what the engine is to expect against a
//! perfect and against a random opponent.
//!
//! | file | what it holds |
//! |---|---|
//! | `boards.rs` | every position of a game |
//! | `judge.rs` | what each is worth |
//! | `paper.rs` | the questions |
//! | `sitting.rs` | asking them |
//! | `response.rs` | what was answered to a question |
//! | `grade.rs` | how many answers gave value away, which, and how they are refuted |
//! | `expectation.rs` | expected results |
//! | `tables.rs` | an exam in print |

mod boards;
mod expectation;
mod grade;
mod judge;
mod paper;
mod response;
mod sitting;
mod tables;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;

use crate::client::{Client, EngineSetup, Failure, OptionProblem, RunContext, StartError, go_line};
use noughts_core::game::{Player, Rules};
use noughts_core::search::Limits;

pub use expectation::{Odds, Opponent};
pub use grade::{Count, Fault, Finding, Grade};
pub use paper::{Extent, Sample};
pub use tables::write;

use expectation::{Graph, odds};
use judge::Judge;
use paper::{Paper, Question};
use response::Response;
use sitting::Sitting;

/// What an exam is to be.
#[derive(Clone, Debug)]
pub struct ExamSettings {
    /// The engine.
    pub engine: Arc<EngineSetup>,
    /// The games, one after the other, each on a board up to 4x4.
    pub rules: Vec<Rules>,
    /// Which positions are asked.
    pub extent: Extent,
    /// What bounds an answer.
    pub limits: Limits,
    /// How often each question is asked.
    pub repeat: u32,
    /// Moves that the engine holds for equally good share its answer.
    pub ties: bool,
    /// Whether every fault is listed.
    pub list: bool,
    /// The seed for the sample of positions, and for an engine that takes one and whose seed nobody has set.
    pub seed: u32,
    /// How long an answer may take, beyond what bounds it.
    pub patience: Duration,
}

impl ExamSettings {
    /// The engine as people are told of it.
    fn engine_and_command(&self) -> String {
        format!("{} ({})", self.engine.name, self.engine.command)
    }
}

/// Somebody who watches an exam.
pub trait Observer {
    /// Something that people should know went wrong, and the exam goes on.
    fn warn(&self, warning: &str);

    /// So many answers are in, of so many.
    fn progress(&self, answers: u64, of: u64);
}

/// Nobody watches.
impl Observer for () {
    fn warn(&self, _: &str) {}

    fn progress(&self, _: u64, _: u64) {}
}

/// An exam that has been held.
#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct ExamReport {
    /// The engine.
    pub engine: Examinee,
    /// What bounded an answer.
    pub limit: String,
    /// The seed, if the engine got one.
    pub seed: Option<u32>,
    /// How often each question was asked.
    pub repeat: u32,
    /// Whether equally good moves shared an answer.
    pub ties: bool,
    /// The games.
    pub exams: Vec<Marks>,
}

/// The engine that was asked.
#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct Examinee {
    /// Its name.
    pub name: String,
    /// What it said it is.
    pub title: Option<String>,
    /// The command that started it.
    pub command: String,
    /// The options that were set.
    pub options: BTreeMap<String, String>,
}

/// What the answers under one set of rules are worth.
#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct Marks {
    /// The game.
    pub rules: Rules,
    /// How the positions were drawn; `None` when all were asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sample: Option<Sample>,
    /// All answers.
    pub all: Grade,
    /// The answers as X.
    pub x: Grade,
    /// The answers as O.
    pub o: Grade,
    /// The answers by the number of stones on the board, from none.
    pub stones: Vec<Grade>,
    /// What the engine is to expect from games; `None` unless the answers to all positions are there at once,
    /// as on 3x3.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<Expected>,
    /// Every fault, if a list was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub list: Option<Vec<Finding>>,
}

/// What an engine is to expect from games that begin on the empty board.
#[derive(Clone, Copy, PartialEq, Serialize, Debug)]
pub struct Expected {
    /// Against perfect play: any of the moves that are best by value and distance, at random.
    pub perfect: BothSides,
    /// Against moves at random.
    pub random: BothSides,
}

/// What an engine is to expect on either side.
#[derive(Clone, Copy, PartialEq, Serialize, Debug)]
pub struct BothSides {
    /// As X.
    pub x: Odds,
    /// As O.
    pub o: Odds,
}

/// Why an exam ended before its time, or never began.
#[derive(Clone, PartialEq, Debug)]
pub enum ExamFailure {
    /// The values of this game are not known, or may take too long to find out.
    Unsolved(Rules),
    /// The engine cannot take part.
    Start {
        /// The engine: its name, and its command in brackets.
        engine: String,
        /// Why not.
        error: StartError,
    },
    /// The engine did not answer.
    Broken {
        /// The engine: its name, and its command in brackets.
        engine: String,
        /// What it did instead.
        failure: Failure,
        /// The game.
        rules: Rules,
        /// The `position` line that it was asked.
        position: String,
    },
    /// Somebody broke it off.
    Interrupted,
}

impl fmt::Display for ExamFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExamFailure::Unsolved(rules) => {
                write!(f, "there is no exam of {rules}: only boards up to 4x4 are known position by position")
            }
            ExamFailure::Start { engine, error } => write!(f, "engine {engine} {error}"),
            ExamFailure::Broken { engine, failure, rules, position } => {
                write!(f, "engine {engine} {failure}; it was asked for a move of {rules} in {position}")
            }
            ExamFailure::Interrupted => f.write_str("the exam was interrupted"),
        }
    }
}

impl std::error::Error for ExamFailure {}

/// How an exam went.
pub struct Held {
    /// What came out, for every game that was finished.
    pub report: ExamReport,
    /// Why it ended before its time.
    pub failure: Option<ExamFailure>,
}

/// Holds an exam to its end, or as far as it comes. The engine is not left behind.
pub fn run(settings: &ExamSettings, surroundings: &RunContext, observer: &dyn Observer) -> Held {
    let setup = &settings.engine;
    let engine = Examinee {
        name: setup.name.clone(),
        title: None,
        command: setup.command.clone(),
        options: setup.options.iter().cloned().collect(),
    };
    let limit = go_line(settings.limits);
    let limit = limit.strip_prefix("go ").unwrap_or("none").to_owned();
    let (repeat, ties) = (settings.repeat, settings.ties);
    let mut report = ExamReport { engine, limit, seed: None, repeat, ties, exams: Vec::new() };
    let held = settings.rules.iter().try_for_each(|&rules| hold(settings, rules, surroundings, observer, &mut report));
    Held { report, failure: held.err() }
}

/// Holds the exam of one game and adds it to the report.
fn hold(
    settings: &ExamSettings,
    rules: Rules,
    surroundings: &RunContext,
    observer: &dyn Observer,
    report: &mut ExamReport,
) -> Result<(), ExamFailure> {
    let mut paper = Paper::new(rules, settings.extent, settings.seed).ok_or(ExamFailure::Unsolved(rules))?;
    let engine = settings.engine_and_command();
    let mut client = match Client::start(&settings.engine, rules, surroundings) {
        Ok(client) => client,
        Err(error @ StartError::Option(OptionProblem::Game { .. } | OptionProblem::Protocol { .. }))
            if settings.rules.len() > 1 =>
        {
            observer.warn(&format!("engine {engine} {error}; that part of the exam is left out"));
            return Ok(());
        }
        Err(StartError::Introduction(Failure::Interrupted, _)) => return Err(ExamFailure::Interrupted),
        Err(error) => return Err(ExamFailure::Start { engine, error }),
    };
    report.engine.title = client.title().map(str::to_owned);
    report.seed = client.takes_seed().then_some(settings.seed);
    let mut marks = Marks::new(&paper, settings.list);
    let whole_game = paper.sample().is_none().then(|| paper.questions());
    let mut sitting = Sitting::new(&mut client, rules, paper.questions(), settings, observer);
    paper.hand_out(|questions, judge| {
        let responses = sitting.ask(questions)?;
        marks.add(questions, &responses, judge);
        if whole_game == Some(questions.len() as u64) {
            marks.expected = Some(Expected::of(questions, &responses));
        }
        Ok(())
    })?;
    Client::quit([client]);
    report.exams.push(marks);
    Ok(())
}

impl Marks {
    /// No answers yet.
    fn new(paper: &Paper, list: bool) -> Marks {
        Marks {
            rules: paper.rules,
            sample: paper.sample(),
            all: Grade::default(),
            x: Grade::default(),
            o: Grade::default(),
            stones: Vec::new(),
            expected: None,
            list: list.then(Vec::new),
        }
    }

    /// Takes answers to some of the questions into account.
    fn add(&mut self, questions: &[Question], responses: &[Response], judge: &mut Judge) {
        for (question, response) in questions.iter().zip(responses) {
            let most = self.stones.len().max(question.stones() + 1);
            self.stones.resize(most, Grade::default());
            let side = match question.position.side() {
                Player::X => &mut self.x,
                Player::O => &mut self.o,
            };
            [&mut self.all, side, &mut self.stones[question.stones()]]
                .into_iter()
                .for_each(|grade| grade.add(question, response));
            if let Some(list) = &mut self.list {
                list.extend(grade::findings(question, response, judge));
            }
        }
    }
}

impl Expected {
    /// What follows from the answers to all positions of a game.
    fn of(questions: &[Question], responses: &[Response]) -> Expected {
        let graph = Graph::new(questions);
        let against = |opponent| BothSides {
            x: odds(&graph, responses, Player::X, opponent),
            o: odds(&graph, responses, Player::O, opponent),
        };
        Expected { perfect: against(Opponent::Perfect), random: against(Opponent::Random) }
    }
}
