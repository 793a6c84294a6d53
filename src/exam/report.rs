//! The report of an exam: the grades of all answers.

use std::collections::BTreeMap;

use serde::Serialize;

use noughts_core::game::{Player, Rules};

use super::expectation::{Odds, Opponent, odds};
use super::faults::{self, Finding, Grade};
use super::questions::{ExamQuestions, PositionSample};
use super::response::Response;
use super::solved_game::{ExamQuestion, SolvedGame};

/// The report of an exam.
#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct ExamReport {
    /// The engine.
    pub engine: ExamEngine,
    /// The limits of every `go`, or `none`.
    pub limit: String,
    /// The seed, if the engine got one.
    pub seed: Option<u32>,
    /// The number of times that each question was asked.
    pub repeat: u32,
    /// True if equally good moves shared an answer.
    pub ties: bool,
    /// The scores under each set of rules.
    pub exams: Vec<Scores>,
}

/// The engine that was asked.
#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct ExamEngine {
    /// Its name.
    pub name: String,
    /// The name by which it introduced itself.
    pub title: Option<String>,
    /// The command that started it.
    pub command: String,
    /// The options that were set.
    pub options: BTreeMap<String, String>,
}

/// The grades of the answers under one set of rules.
#[derive(Clone, PartialEq, Default, Serialize, Debug)]
pub struct Scores {
    /// The game.
    pub rules: Rules,
    /// The sample of positions; `None` when all were asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sample: Option<PositionSample>,
    /// Half of the 95% interval of `rate_where_possible` of all answers, if they are those to a sample.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<f64>,
    /// All answers.
    pub all: Grade,
    /// The answers as X.
    pub x: Grade,
    /// The answers as O.
    pub o: Grade,
    /// The answers by the number of stones on the board, from 0.
    pub stones: Vec<Grade>,
    /// The expected results of games; `None` unless the answers to all positions are in memory at once, as on 3x3.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<Expected>,
    /// Every fault, if a list was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub list: Option<Vec<Finding>>,
}

/// The expected results of an engine in games that begin on the empty board.
#[derive(Clone, Copy, PartialEq, Serialize, Debug)]
pub struct Expected {
    /// Against perfect play: any of the moves that are best by value and distance, at random.
    pub perfect: BothSides,
    /// Against random moves.
    pub random: BothSides,
}

/// The expected results of an engine as either player.
#[derive(Clone, Copy, PartialEq, Serialize, Debug)]
pub struct BothSides {
    /// As X.
    pub x: Odds,
    /// As O.
    pub o: Odds,
}

impl Scores {
    /// No answers yet.
    pub fn new(questions: &ExamQuestions, list: bool) -> Scores {
        let (rules, sample, list) = (questions.rules, questions.sample(), list.then(Vec::new));
        Scores { rules, sample, list, ..Scores::default() }
    }

    /// The grades of all answers and of groups of them by name: `all`, `X`, `O`, and each number of stones.
    pub fn groups(&self) -> impl Iterator<Item = (String, &Grade)> {
        let named = [("all", &self.all), ("X", &self.x), ("O", &self.o)];
        let by_stones = self.stones.iter().enumerate().map(|(stones, grade)| (stones.to_string(), grade));
        named.into_iter().map(|(name, grade)| (name.to_owned(), grade)).chain(by_stones)
    }

    /// Adds the answers to some of the questions.
    pub fn add(&mut self, questions: &[ExamQuestion], responses: &[Response], solved: &mut SolvedGame) {
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
                list.extend(faults::findings(question, response, solved));
            }
        }
        self.error = self.sample.and_then(|sample| sampling_error(sample, &self.all));
    }
}

/// Half of the 95% interval of the share of answers that give value away where that is possible: 1.96 standard errors of a
/// share in a sample without replacement. (Cochran, "Sampling Techniques", 1977, section 3.2.)
fn sampling_error(sample: PositionSample, all: &Grade) -> Option<f64> {
    let rate = all.rate_where_possible.filter(|_| all.possible > 1)?;
    let left_out = 1.0 - sample.positions as f64 / sample.of as f64;
    Some(1.96 * (rate * (1.0 - rate) / (all.possible - 1) as f64 * left_out).sqrt())
}

impl Expected {
    /// The expected results that follow from the answers to all positions of a game.
    pub fn of(questions: &[ExamQuestion], responses: &[Response]) -> Expected {
        let against = |opponent| BothSides {
            x: odds(questions, responses, Player::X, opponent),
            o: odds(questions, responses, Player::O, opponent),
        };
        Expected { perfect: against(Opponent::Perfect), random: against(Opponent::Random) }
    }
}
