//! What an engine is to expect from games, computed from its answers over the graph of positions: no game is played,
//! and nothing is left to chance.

use std::ops::{AddAssign, Div, Mul};

use serde::Serialize;

use crate::game::{Outcome, Player};

use super::paper::{Paper, Question, Then};
use super::response::Response;

/// Who sits on the other side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Opponent {
    /// Takes any of the moves that are best by value and distance, each as likely as the others.
    Perfect,
    /// Takes any legal move, each as likely as the others.
    Random,
}

/// How likely a game ends in which way for the engine.
#[derive(Clone, Copy, PartialEq, Serialize, Default, Debug)]
pub struct Odds {
    /// The probability to win.
    pub win: f64,
    /// The probability to draw.
    pub draw: f64,
    /// The probability to lose.
    pub loss: f64,
    /// Points a game: a win counts 1, a draw 1/2.
    pub score: f64,
}

impl Odds {
    const LOST: Odds = Odds { win: 0.0, draw: 0.0, loss: 1.0, score: 0.0 };

    fn certain(outcome: Outcome, engine: Player) -> Odds {
        match outcome {
            Outcome::Win(winner) if winner == engine => Odds { win: 1.0, score: 1.0, ..Odds::default() },
            Outcome::Win(_) => Odds::LOST,
            Outcome::Draw => Odds { draw: 1.0, score: 0.5, ..Odds::default() },
        }
    }
}

impl Mul<Odds> for f64 {
    type Output = Odds;

    fn mul(self, odds: Odds) -> Odds {
        let Odds { win, draw, loss, score } = odds;
        Odds { win: self * win, draw: self * draw, loss: self * loss, score: self * score }
    }
}

impl Div<f64> for Odds {
    type Output = Odds;

    fn div(self, total: f64) -> Odds {
        let Odds { win, draw, loss, score } = self;
        Odds { win: win / total, draw: draw / total, loss: loss / total, score: score / total }
    }
}

impl AddAssign for Odds {
    fn add_assign(&mut self, other: Odds) {
        self.win += other.win;
        self.draw += other.draw;
        self.loss += other.loss;
        self.score += other.score;
    }
}

impl Opponent {
    /// The weight of each choice of a question.
    fn weights(self, question: &Question) -> Vec<f64> {
        let takes = |choice| self == Opponent::Random || question.is_best(choice);
        question.choices.iter().map(|choice| if takes(choice) { 1.0 } else { 0.0 }).collect()
    }
}

/// The odds of the engine that gave these responses, playing `engine` from the start position.
pub fn odds(paper: &Paper, responses: &[Response], engine: Player, opponent: Opponent) -> Odds {
    let mut known = vec![Odds::default(); paper.questions.len()];
    // Moves lead to later questions only: from the last to the first, what follows is known.
    for (number, question) in paper.questions.iter().enumerate().rev() {
        let is_engine = question.position.side() == engine;
        let response = &responses[number];
        let weights = if is_engine { response.weights() } else { &opponent.weights(question) };
        // An illegal answer loses on the spot.
        let illegal = if is_engine { response.illegal_answers() } else { 0.0 };
        let mut sum = illegal * Odds::LOST;
        for (choice, &weight) in question.choices.iter().zip(weights) {
            let then = match choice.then {
                Then::Question(next) => known[next],
                Then::End(outcome) => Odds::certain(outcome, engine),
            };
            sum += weight * then;
        }
        // Divided by what was added up, and at the end, so that what is certain stays 1.
        let total = illegal + weights.iter().sum::<f64>();
        known[number] = sum / total;
    }
    known[0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;

    fn paper(reverse: bool) -> Paper {
        Paper::new(Rules::new(3, 0, reverse).expect("rules within range")).expect("3x3 is known")
    }

    /// Responses of one answer that the choices share by the weights that `weigh` says.
    fn responses(paper: &Paper, weigh: fn(&Question) -> Vec<f64>) -> Vec<Response> {
        let respond = |question: &Question| {
            let mut response = Response::new(question);
            let weights = weigh(question);
            let total: f64 = weights.iter().sum();
            response.add(&weights.iter().map(|weight| weight / total).collect::<Vec<_>>());
            response
        };
        paper.questions.iter().map(respond).collect()
    }

    #[test]
    fn against_a_random_opponent_perfect_play_wins_the_share_that_is_known() {
        for (reverse, engine, expected, tolerance) in [
            (false, Player::X, 75_257.0 / 77_760.0, 1e-12),
            (false, Player::O, 2_645.0 / 3_402.0, 1e-12),
            (true, Player::X, 167.0 / 288.0, 1e-12),
            (true, Player::O, 0.99865, 5e-6),
        ] {
            let paper = paper(reverse);
            let perfect = responses(&paper, |question| Opponent::Perfect.weights(question));
            let odds = odds(&paper, &perfect, engine, Opponent::Random);
            assert!((odds.win - expected).abs() <= tolerance, "reverse {reverse}, {engine}: {odds:?}");
            assert!((odds.win + odds.draw + odds.loss - 1.0).abs() < 1e-12);
            assert!((odds.win + odds.draw / 2.0 - odds.score).abs() < 1e-12);
        }
    }

    #[test]
    fn perfect_play_holds_the_draw_against_itself() {
        for reverse in [false, true] {
            let paper = paper(reverse);
            let perfect = responses(&paper, |question| Opponent::Perfect.weights(question));
            for engine in Player::BOTH {
                assert!((odds(&paper, &perfect, engine, Opponent::Perfect).draw - 1.0).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn random_play_against_random_play_ends_as_is_known() {
        // Shares of the 9! ways to fill the board: 212256 won by X, 46080 drawn, 104544 won by O.
        let paper = paper(false);
        let random = responses(&paper, |question| Opponent::Random.weights(question));
        let odds = odds(&paper, &random, Player::X, Opponent::Random);
        for (found, ways) in [(odds.win, 212_256.0), (odds.draw, 46_080.0), (odds.loss, 104_544.0)] {
            assert!((found - ways / 362_880.0).abs() < 1e-12, "{odds:?}");
        }
    }

    #[test]
    fn an_illegal_answer_loses_on_the_spot() {
        let paper = paper(false);
        let mut all = responses(&paper, |question| Opponent::Perfect.weights(question));
        all[0].add_illegal("nonsense".to_owned());
        let lost = odds(&paper, &all, Player::X, Opponent::Perfect);
        assert!((lost.loss - 0.5).abs() < 1e-12 && (lost.draw - 0.5).abs() < 1e-12, "{lost:?}");
        assert!((odds(&paper, &all, Player::O, Opponent::Perfect).draw - 1.0).abs() < 1e-12);
    }
}
