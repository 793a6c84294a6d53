//! What is wrong with the answers: how many gave value away, which, and how each is refuted.

use serde::{Serialize, Serializer};

use noughts_core::game::{Outcome, Player, Value};

use super::judge::Judge;
use super::paper::{Choice, Question, position_line};
use super::response::Response;

/// What can be wrong with an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// A won position is won no longer.
    WinMissed,
    /// A drawn position is lost.
    DrawLost,
    /// The answer is no legal move.
    Illegal,
    /// The win takes longer than it has to. No value is given away.
    WinSlower,
    /// The loss comes sooner than it has to. No value is given away.
    LossQuicker,
}

impl Fault {
    /// What is wrong with a legal move, if anything is.
    fn of(question: &Question, choice: &Choice) -> Option<Fault> {
        match question.value {
            _ if question.is_best(choice) => None,
            Value::Win(_) if question.is_blunder(choice) => Some(Fault::WinMissed),
            Value::Win(_) => Some(Fault::WinSlower),
            Value::Draw => Some(Fault::DrawLost),
            Value::Loss(_) => Some(Fault::LossQuicker),
        }
    }

    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Fault::WinMissed => "win missed",
            Fault::DrawLost => "draw lost",
            Fault::Illegal => "illegal",
            Fault::WinSlower => "win slower",
            Fault::LossQuicker => "loss quicker",
        }
    }

    /// For programs.
    pub fn key(self) -> String {
        self.name().replace(' ', "_")
    }
}

impl Serialize for Fault {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.key())
    }
}

/// A number of answers. Moves that share an answer count in parts.
#[derive(Clone, Copy, PartialEq, PartialOrd, Default, Debug)]
pub struct Count(pub f64);

impl Count {
    /// The whole number that this is but for rounding, if it is one.
    pub fn whole(self) -> Option<u64> {
        let whole = self.0.round();
        ((self.0 - whole).abs() < 1e-6).then_some(whole as u64)
    }

    /// This as a part of another; `None` of nothing.
    fn of(self, all: Count) -> Option<f64> {
        (all.0 > 0.0).then(|| self.0 / all.0)
    }
}

impl Serialize for Count {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.whole() {
            Some(whole) => serializer.serialize_u64(whole),
            None => serializer.serialize_f64(self.0),
        }
    }
}

/// The answers to some of the questions in figures.
#[derive(Clone, PartialEq, Serialize, Default, Debug)]
pub struct Grade {
    /// Questions.
    pub positions: u64,
    /// Those in which a legal move gives value away.
    pub possible: u64,
    /// Answers.
    pub answers: Count,
    /// Answers that gave value away: wins missed, draws lost and illegal ones.
    pub given_away: Count,
    /// The same out of 1; `None` without an answer.
    pub rate: Option<f64>,
    /// The same among the answers where a legal move gives value away.
    pub rate_where_possible: Option<f64>,
    /// Wins that are wins no longer.
    pub wins_missed: Count,
    /// Draws that are lost.
    pub draws_lost: Count,
    /// Answers that are no legal move.
    pub illegal: Count,
    /// Wins that take longer than they have to.
    pub wins_slower: Count,
    /// Losses that come sooner than they have to.
    pub losses_quicker: Count,
    #[serde(skip)]
    where_possible: Share,
}

/// What the share of a part of the answers is computed from.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
struct Share {
    answers: Count,
    given_away: Count,
}

impl Grade {
    /// Takes a question into account.
    pub fn add(&mut self, question: &Question, response: &Response) {
        let before = self.given_away;
        self.positions += 1;
        self.answers.0 += f64::from(response.answers());
        for (choice, &weight) in question.choices.iter().zip(response.weights()) {
            if let Some(fault) = Fault::of(question, choice) {
                self.add_fault(fault, weight);
            }
        }
        self.add_fault(Fault::Illegal, response.illegal_answers());
        if question.is_hard() {
            self.possible += 1;
            self.where_possible.answers.0 += f64::from(response.answers());
            self.where_possible.given_away.0 += self.given_away.0 - before.0;
        }
        self.rate = self.given_away.of(self.answers);
        self.rate_where_possible = self.where_possible.given_away.of(self.where_possible.answers);
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
    /// What is wrong.
    pub kind: Fault,
    /// How often the engine answered so.
    pub times: Count,
    /// The `position` line of the question.
    pub position: String,
    /// The move; what was said when it is none.
    #[serde(rename = "move")]
    pub played: String,
    /// The best moves.
    pub best: Vec<String>,
    /// The result of best play, from -1 to 1 for the engine.
    pub value: i8,
    /// Plies to the end with best play; `None` for a draw.
    pub plies: Option<u16>,
    /// The result after the move; an illegal one loses.
    pub value_after: i8,
    /// Plies to the end, the move included; `None` for a draw, and for what is no move.
    pub plies_after: Option<u16>,
    /// The `position` line of the game through this move, with best play to the end; `None` for what is no move.
    pub refutation: Option<String>,
    /// What `query result` says at the end of it.
    pub result: Option<&'static str>,
}

/// Every answer to a question that gave value away or made a win slower.
pub fn findings(question: &Question, response: &Response, judge: &mut Judge) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (choice, &weight) in question.choices.iter().zip(response.weights()) {
        let listed = Fault::of(question, choice).filter(|&fault| fault != Fault::LossQuicker);
        if let Some(kind) = listed.filter(|_| weight > 0.0) {
            let (game, outcome) = judge.refutation(question, choice);
            findings.push(Finding {
                played: choice.cell.to_string(),
                value_after: choice.value.result(),
                plies_after: choice.value.plies(),
                refutation: Some(position_line(&game)),
                result: Some(result_word(outcome)),
                ..illegal(question, kind, weight)
            });
        }
    }
    for (said, times) in response.illegal() {
        findings.push(Finding { played: said.clone(), ..illegal(question, Fault::Illegal, (*times).into()) });
    }
    findings
}

/// What there is to say of an answer that is no move.
fn illegal(question: &Question, kind: Fault, weight: f64) -> Finding {
    let best = question.choices.iter().filter(|choice| question.is_best(choice));
    Finding {
        stones: question.stones(),
        side: question.position.side().to_string(),
        kind,
        times: Count(weight),
        position: question.line(),
        played: String::new(),
        best: best.map(|choice| choice.cell.to_string()).collect(),
        value: question.value.result(),
        plies: question.value.plies(),
        value_after: -1,
        plies_after: None,
        refutation: None,
        result: None,
    }
}

/// The answer to `query result`.
fn result_word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win(Player::X) => "p1win",
        Outcome::Win(Player::O) => "p2win",
        Outcome::Draw => "draw",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exam::paper::tests;
    use noughts_core::game::Rules;

    fn questions() -> Vec<Question> {
        tests::questions(Rules::default())
    }

    /// The grade of the questions that `counts` picks.
    fn grade(questions: &[Question], responses: &[Response], counts: impl Fn(&Question) -> bool) -> Grade {
        let mut grade = Grade::default();
        let graded = questions.iter().zip(responses).filter(|(question, _)| counts(question));
        graded.for_each(|(question, response)| grade.add(question, response));
        grade
    }

    fn all_findings(questions: &[Question], responses: &[Response]) -> Vec<Finding> {
        let mut judge = Judge::new(Rules::default()).expect("3x3 is known");
        let answered = questions.iter().zip(responses);
        answered.flat_map(|(question, response)| findings(question, response, &mut judge)).collect()
    }

    /// Responses that always take the choice that `pick` says.
    fn responses(questions: &[Question], pick: fn(&Question) -> usize) -> Vec<Response> {
        let respond = |question: &Question| {
            let mut response = Response::new(question);
            let picked = pick(question);
            response.add(&(0..question.choices.len()).map(|at| f64::from(at == picked)).collect::<Vec<_>>());
            response
        };
        questions.iter().map(respond).collect()
    }

    fn best(question: &Question) -> usize {
        question.choices.iter().position(|choice| question.is_best(choice)).expect("a best move")
    }

    fn worst(question: &Question) -> usize {
        let worst = question.choices.iter().map(|choice| choice.value).min();
        question.choices.iter().position(|choice| Some(choice.value) == worst).expect("a worst move")
    }

    #[test]
    fn the_best_answers_have_no_fault_and_the_worst_every_one_that_is_possible() {
        let questions = questions();
        let perfect = responses(&questions, best);
        let found = grade(&questions, &perfect, |_| true);
        assert_eq!((found.given_away, found.rate, found.rate_where_possible), (Count(0.0), Some(0.0), Some(0.0)));
        assert!(all_findings(&questions, &perfect).is_empty());
        let worst = grade(&questions, &responses(&questions, worst), |_| true);
        assert_eq!((worst.given_away, worst.rate_where_possible), (Count(3191.0), Some(1.0)));
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
    fn an_illegal_answer_gives_value_away_wherever_it_comes() {
        let questions = questions();
        let mut responses = responses(&questions, best);
        for (question, response) in questions.iter().zip(&mut responses) {
            *response = Response::new(question);
            response.add_illegal("\"bestmove\"".to_owned());
        }
        let found = grade(&questions, &responses, |_| true);
        assert_eq!((found.illegal, found.given_away), (Count(4520.0), Count(4520.0)));
        assert_eq!((found.rate, found.rate_where_possible), (Some(1.0), Some(1.0)));
    }

    #[test]
    fn counts_are_whole_where_the_parts_add_up() {
        assert_eq!(Count(0.1 + 0.2 + 0.7).whole(), Some(1));
        assert_eq!(Count(2.5).whole(), None);
        assert_eq!(serde_json::to_string(&[Count(3.0), Count(0.5)]).ok().as_deref(), Some("[3,0.5]"));
    }
}
