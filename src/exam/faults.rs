//! The faults in the answers: how many answers gave value away, which, and how each is refuted.

use std::fmt;

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::protocol::{PositionCommand, QueryAnswer};
use noughts_core::game::Value;

use super::response::Response;
use super::solved_game::{ExamQuestion, RatedMove, SolvedGame};

/// A fault of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Debug)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// The position is no longer won.
    WinMissed,
    /// The position was drawn and is now lost.
    DrawLost,
    /// The answer is not a legal move.
    Illegal,
    /// The win takes longer than necessary. No value is given away.
    WinSlower,
    /// The loss comes sooner than necessary. No value is given away.
    LossQuicker,
}

impl Fault {
    /// The fault of a legal move, if it has one.
    fn of(question: &ExamQuestion, choice: &RatedMove) -> Option<Fault> {
        match question.value {
            _ if question.is_best(choice) => None,
            Value::Win(_) if question.is_blunder(choice) => Some(Fault::WinMissed),
            Value::Win(_) => Some(Fault::WinSlower),
            Value::Draw => Some(Fault::DrawLost),
            Value::Loss(_) => Some(Fault::LossQuicker),
        }
    }
}

/// The word that stands in the report, such as `win_missed`.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// A number of answers. Moves that share an answer count as parts of one.
#[derive(Clone, Copy, PartialEq, PartialOrd, Default, Debug)]
pub struct FaultCount(pub f64);

impl FaultCount {
    /// The whole number that this is up to rounding errors, if it is one.
    pub fn whole(self) -> Option<u64> {
        let whole = self.0.round();
        ((self.0 - whole).abs() < 1e-6).then_some(whole as u64)
    }

    /// This count as a share of `all`; `None` when `all` is 0.
    fn of(self, all: FaultCount) -> Option<f64> {
        (all.0 > 0.0).then(|| self.0 / all.0)
    }
}

impl Serialize for FaultCount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.whole() {
            Some(whole) => serializer.serialize_u64(whole),
            None => serializer.serialize_f64(self.0),
        }
    }
}

/// The quality of the answers to some of the questions, in numbers.
#[derive(Clone, PartialEq, Serialize, Default, Debug)]
pub struct Grade {
    /// The number of questions.
    pub positions: u64,
    /// The questions in which some legal move gives value away.
    pub possible: u64,
    /// The number of answers.
    pub answers: FaultCount,
    /// Answers that gave value away: wins missed, draws lost, and illegal answers.
    pub given_away: FaultCount,
    /// The share of all answers that gave value away, from 0 to 1; `None` without an answer.
    pub rate: Option<f64>,
    /// The share of `given_away` among the answers to questions in which some legal move gives value away.
    pub rate_where_possible: Option<f64>,
    /// Answers after which a won position is no longer won.
    pub wins_missed: FaultCount,
    /// Answers after which a drawn position is lost.
    pub draws_lost: FaultCount,
    /// Answers that are not a legal move.
    pub illegal: FaultCount,
    /// Answers after which a win takes longer than necessary.
    pub wins_slower: FaultCount,
    /// Answers after which a loss comes sooner than necessary.
    pub losses_quicker: FaultCount,
    /// The answers behind `rate_where_possible`, and those of them that gave value away.
    #[serde(skip)]
    where_possible: [FaultCount; 2],
}

impl Grade {
    /// Adds a question and its answers.
    pub fn add(&mut self, question: &ExamQuestion, response: &Response) {
        let before = self.given_away;
        self.positions += 1;
        self.answers.0 += f64::from(response.answers);
        for (choice, &weight) in question.choices.iter().zip(&response.weights) {
            if let Some(fault) = Fault::of(question, choice) {
                self.add_fault(fault, weight);
            }
        }
        self.add_fault(Fault::Illegal, response.illegal_answers());
        if question.is_hard() {
            self.possible += 1;
            self.where_possible[0].0 += f64::from(response.answers);
            self.where_possible[1].0 += self.given_away.0 - before.0;
        }
        self.rate = self.given_away.of(self.answers);
        let [answers, given_away] = self.where_possible;
        self.rate_where_possible = given_away.of(answers);
    }

    fn add_fault(&mut self, fault: Fault, weight: f64) {
        let count = match fault {
            Fault::WinMissed => &mut self.wins_missed,
            Fault::DrawLost => &mut self.draws_lost,
            Fault::Illegal => &mut self.illegal,
            Fault::WinSlower => &mut self.wins_slower,
            Fault::LossQuicker => &mut self.losses_quicker,
        };
        count.0 += weight;
        if !matches!(fault, Fault::WinSlower | Fault::LossQuicker) {
            self.given_away.0 += weight;
        }
    }
}

/// A move that gave value away or made a win slower.
#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct Finding {
    /// Stones on the board.
    pub stones: usize,
    /// The side that the engine played: `X` or `O`.
    pub side: String,
    /// The fault.
    pub kind: Fault,
    /// The number of times that the engine gave this answer.
    pub times: FaultCount,
    /// The `position` line of the question.
    pub position: String,
    /// The move; the text of an answer that is not a legal move.
    #[serde(rename = "move")]
    pub played: String,
    /// The best moves.
    pub best: Vec<String>,
    /// The value of best play to the engine; as `value`, from -1 to 1, and `plies` for programs.
    #[serde(flatten, serialize_with = "write_value")]
    pub value: Value,
    /// The value of the move to the engine, the move included in the plies; `None` for an illegal answer, which loses.
    /// As `value_after` and `plies_after` for programs.
    #[serde(flatten, serialize_with = "write_value_after")]
    pub value_after: Option<Value>,
    /// The `position` line of the game through this move, with best play to the end; `None` for an illegal answer.
    pub refutation: Option<String>,
    /// The answer of `query result` at the end of the refutation.
    pub result: Option<String>,
}

fn write_value<S: Serializer>(value: &Value, serializer: S) -> Result<S::Ok, S::Error> {
    let mut fields = serializer.serialize_struct("Value", 2)?;
    fields.serialize_field("value", &value.result())?;
    fields.serialize_field("plies", &value.plies())?;
    fields.end()
}

/// An illegal answer has no value: it loses.
fn write_value_after<S: Serializer>(value: &Option<Value>, serializer: S) -> Result<S::Ok, S::Error> {
    let mut fields = serializer.serialize_struct("Value", 2)?;
    fields.serialize_field("value_after", &value.map_or(-1, Value::result))?;
    fields.serialize_field("plies_after", &value.and_then(Value::plies))?;
    fields.end()
}

/// A finding for every answer that gave value away or made a win slower.
pub fn findings(question: &ExamQuestion, response: &Response, solved: &mut SolvedGame) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (choice, &weight) in question.choices.iter().zip(&response.weights) {
        let listed = Fault::of(question, choice).filter(|&fault| fault != Fault::LossQuicker);
        if let Some(kind) = listed.filter(|_| weight > 0.0) {
            let (game, outcome) = solved.refutation(question, choice);
            findings.push(Finding {
                played: choice.cell.to_string(),
                value_after: Some(choice.value),
                refutation: Some(PositionCommand::after(&game).to_string()),
                result: Some(QueryAnswer::Result(outcome).to_string()),
                ..illegal(question, kind, weight)
            });
        }
    }
    for (text, times) in &response.illegal {
        findings.push(Finding { played: text.clone(), ..illegal(question, Fault::Illegal, (*times).into()) });
    }
    findings
}

/// The finding of an illegal answer, without its text.
fn illegal(question: &ExamQuestion, kind: Fault, weight: f64) -> Finding {
    let best = question.choices.iter().filter(|choice| question.is_best(choice));
    Finding {
        stones: question.stones(),
        side: question.position.side().to_string(),
        kind,
        times: FaultCount(weight),
        position: question.line(),
        played: String::new(),
        best: best.map(|choice| choice.cell.to_string()).collect(),
        value: question.value,
        value_after: None,
        refutation: None,
        result: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exam::questions::tests;
    use noughts_core::game::{Player, Rules};

    fn questions() -> Vec<ExamQuestion> {
        tests::questions(Rules::default())
    }

    /// The grade of the answers to the questions for which `counts` is true.
    fn grade(questions: &[ExamQuestion], responses: &[Response], counts: impl Fn(&ExamQuestion) -> bool) -> Grade {
        let mut grade = Grade::default();
        let graded = questions.iter().zip(responses).filter(|(question, _)| counts(question));
        graded.for_each(|(question, response)| grade.add(question, response));
        grade
    }

    fn all_findings(questions: &[ExamQuestion], responses: &[Response]) -> Vec<Finding> {
        let mut solved = SolvedGame::new(Rules::default()).expect("3x3 is known");
        let answered = questions.iter().zip(responses);
        answered.flat_map(|(question, response)| findings(question, response, &mut solved)).collect()
    }

    /// Responses whose answer is always the choice that `pick` returns.
    fn responses(questions: &[ExamQuestion], pick: fn(&ExamQuestion) -> usize) -> Vec<Response> {
        let respond = |question: &ExamQuestion| {
            let mut response = Response::new(question);
            let picked = pick(question);
            response.add(&(0..question.choices.len()).map(|at| f64::from(at == picked)).collect::<Vec<_>>());
            response
        };
        questions.iter().map(respond).collect()
    }

    fn best(question: &ExamQuestion) -> usize {
        question.choices.iter().position(|choice| question.is_best(choice)).expect("a best move")
    }

    fn worst(question: &ExamQuestion) -> usize {
        let worst = question.choices.iter().map(|choice| choice.value).min();
        question.choices.iter().position(|choice| Some(choice.value) == worst).expect("a worst move")
    }

    #[test]
    fn the_best_answers_have_no_fault_and_the_worst_have_all() {
        let questions = questions();
        let perfect = responses(&questions, best);
        let found = grade(&questions, &perfect, |_| true);
        assert_eq!((found.given_away, found.rate, found.rate_where_possible), (FaultCount(0.0), Some(0.0), Some(0.0)));
        assert!(all_findings(&questions, &perfect).is_empty());
        let worst = grade(&questions, &responses(&questions, worst), |_| true);
        assert_eq!((worst.given_away, worst.rate_where_possible), (FaultCount(3191.0), Some(1.0)));
        assert_eq!(worst.wins_missed.0 + worst.draws_lost.0, 3191.0);
    }

    #[test]
    fn the_grades_of_both_sides_are_the_grade_of_all() {
        let questions = questions();
        let responses = responses(&questions, |_| 0);
        let all = grade(&questions, &responses, |_| true);
        let [x, o] =
            Player::BOTH.map(|player| grade(&questions, &responses, |question| question.position.side() == player));
        assert_eq!(x.given_away.0 + o.given_away.0, all.given_away.0);
        assert_eq!(x.positions + o.positions, 4520);
        assert_eq!(x.possible + o.possible, 3191);
        let listed: f64 = all_findings(&questions, &responses).iter().map(|finding| finding.times.0).sum();
        assert_eq!(listed, all.given_away.0 + all.wins_slower.0);
    }

    #[test]
    fn an_illegal_answer_always_gives_value_away() {
        let questions = questions();
        let mut responses = responses(&questions, best);
        for (question, response) in questions.iter().zip(&mut responses) {
            *response = Response::new(question);
            response.add_illegal("\"bestmove\"".to_owned());
        }
        let found = grade(&questions, &responses, |_| true);
        assert_eq!((found.illegal, found.given_away), (FaultCount(4520.0), FaultCount(4520.0)));
        assert_eq!((found.rate, found.rate_where_possible), (Some(1.0), Some(1.0)));
    }

    #[test]
    fn counts_are_whole_where_the_parts_add_up() {
        assert_eq!(FaultCount(0.1 + 0.2 + 0.7).whole(), Some(1));
        assert_eq!(FaultCount(2.5).whole(), None);
        assert_eq!(serde_json::to_string(&[FaultCount(3.0), FaultCount(0.5)]).ok().as_deref(), Some("[3,0.5]"));
    }
}
