//! The expected results of games, computed exactly from an engine's answers to all positions. No game is played.

use std::collections::HashMap;

use serde::Serialize;

use noughts_core::game::{Outcome, Player, Position};

use super::response::Response;
use super::solved_game::ExamQuestion;

/// The opponent in the games whose results are expected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Opponent {
    /// Takes any of the moves that are best by value and distance, each as likely as the others.
    Perfect,
    /// Takes any legal move, each as likely as the others.
    Random,
}

/// The probabilities of the results of a game, seen by the engine.
#[derive(Clone, Copy, PartialEq, Serialize, Default, Debug)]
pub struct Odds {
    /// The probability of a win.
    pub win: f64,
    /// The probability of a draw.
    pub draw: f64,
    /// The probability of a loss.
    pub loss: f64,
    /// The expected score: a win counts 1, a draw 1/2.
    pub score: f64,
}

/// The probabilities of a win, a draw and a loss, and the score, while they are summed up.
type Sums = [f64; 4];

/// A game that is lost.
const LOST: Sums = [0.0, 0.0, 1.0, 0.0];

fn certain(outcome: Outcome, engine: Player) -> Sums {
    match outcome {
        Outcome::Win(winner) if winner == engine => [1.0, 0.0, 0.0, 1.0],
        Outcome::Win(_) => LOST,
        Outcome::Draw => [0.0, 1.0, 0.0, 0.5],
    }
}

impl Opponent {
    /// The weight that the opponent gives each choice of a question.
    fn weights(self, question: &ExamQuestion) -> Vec<f64> {
        let takes = |choice| self == Opponent::Random || question.is_best(choice);
        question.choices.iter().map(|choice| if takes(choice) { 1.0 } else { 0.0 }).collect()
    }
}

/// The odds of the engine that gave these responses to all questions of a game, those with fewer stones first, when it plays
/// `engine` from the start position.
///
/// # Panics
/// When a move leads to a position without a question.
pub fn odds(questions: &[ExamQuestion], responses: &[Response], engine: Player, opponent: Opponent) -> Odds {
    let mut known: HashMap<Position, Sums> = HashMap::new();
    // Moves lead to later questions only, so the questions are evaluated from the last to the first.
    for (question, response) in questions.iter().zip(responses).rev() {
        let is_engine = question.position.side() == engine;
        let weights = if is_engine { &response.weights } else { &opponent.weights(question) };
        // An illegal answer loses at once.
        let illegal = if is_engine { response.illegal_answers() } else { 0.0 };
        let mut sums = LOST.map(|number| illegal * number);
        for (choice, &weight) in question.choices.iter().zip(weights) {
            let after = question.position.after(choice.cell);
            let odds = after.outcome().map_or_else(|| known[&after], |outcome| certain(outcome, engine));
            sums.iter_mut().zip(odds).for_each(|(sum, number)| *sum += weight * number);
        }
        // Divided by the sum of the weights, and at the end: so a certain result keeps the probability 1 exactly.
        let total = illegal + weights.iter().sum::<f64>();
        known.insert(question.position, sums.map(|number| number / total));
    }
    let [win, draw, loss, score] = known[&questions[0].position];
    Odds { win, draw, loss, score }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exam::questions::tests;
    use noughts_core::game::Rules;

    fn questions(reverse: bool) -> Vec<ExamQuestion> {
        tests::questions(Rules::new(3, 0, reverse).expect("rules within range"))
    }

    /// Responses of one answer each, shared among the choices by the weights of `weigh`.
    fn responses(questions: &[ExamQuestion], weigh: fn(&ExamQuestion) -> Vec<f64>) -> Vec<Response> {
        let respond = |question: &ExamQuestion| {
            let mut response = Response::new(question);
            let weights = weigh(question);
            let total: f64 = weights.iter().sum();
            response.add(&weights.iter().map(|weight| weight / total).collect::<Vec<_>>());
            response
        };
        questions.iter().map(respond).collect()
    }

    #[test]
    fn every_move_leads_to_a_later_question_or_to_the_end() {
        for reverse in [false, true] {
            let questions = questions(reverse);
            let positions = questions.iter().map(|question| question.position);
            let numbers: HashMap<Position, usize> = positions.zip(0..).collect();
            for (number, question) in questions.iter().enumerate() {
                for after in question.choices.iter().map(|choice| question.position.after(choice.cell)) {
                    assert!(after.outcome().is_some() || numbers[&after] > number);
                }
            }
        }
    }

    #[test]
    fn perfect_play_beats_a_random_opponent_at_the_known_rate() {
        for (reverse, engine, expected, tolerance) in [
            (false, Player::X, 75_257.0 / 77_760.0, 1e-12),
            (false, Player::O, 2_645.0 / 3_402.0, 1e-12),
            (true, Player::X, 167.0 / 288.0, 1e-12),
            (true, Player::O, 0.99865, 5e-6),
        ] {
            let questions = questions(reverse);
            let perfect = responses(&questions, |question| Opponent::Perfect.weights(question));
            let odds = odds(&questions, &perfect, engine, Opponent::Random);
            assert!((odds.win - expected).abs() <= tolerance, "reverse {reverse}, {engine}: {odds:?}");
            assert!((odds.win + odds.draw + odds.loss - 1.0).abs() < 1e-12);
            assert!((odds.win + odds.draw / 2.0 - odds.score).abs() < 1e-12);
        }
    }

    #[test]
    fn perfect_play_holds_the_draw_against_itself() {
        for reverse in [false, true] {
            let questions = questions(reverse);
            let perfect = responses(&questions, |question| Opponent::Perfect.weights(question));
            for engine in Player::BOTH {
                assert!((odds(&questions, &perfect, engine, Opponent::Perfect).draw - 1.0).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn random_play_against_random_play_ends_as_is_known() {
        // Shares of the 9! ways to fill the board: 212256 won by X, 46080 drawn, 104544 won by O.
        let questions = questions(false);
        let random = responses(&questions, |question| Opponent::Random.weights(question));
        let odds = odds(&questions, &random, Player::X, Opponent::Random);
        for (found, ways) in [(odds.win, 212_256.0), (odds.draw, 46_080.0), (odds.loss, 104_544.0)] {
            assert!((found - ways / 362_880.0).abs() < 1e-12, "{odds:?}");
        }
    }

    #[test]
    fn an_illegal_answer_loses_at_once() {
        let questions = questions(false);
        let mut all = responses(&questions, |question| Opponent::Perfect.weights(question));
        all[0].add_illegal("nonsense".to_owned());
        let lost = odds(&questions, &all, Player::X, Opponent::Perfect);
        assert!((lost.loss - 0.5).abs() < 1e-12 && (lost.draw - 0.5).abs() < 1e-12, "{lost:?}");
        assert!((odds(&questions, &all, Player::O, Opponent::Perfect).draw - 1.0).abs() < 1e-12);
    }
}
