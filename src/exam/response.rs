//! The answers of an engine to a question, asked once or several times.

use crate::client::MoveResponse;
use crate::protocol::{Info, UciScore};
use noughts_core::game::{Cell, MoveText};

use super::solved_game::ExamQuestion;

/// All answers to a question. Every answer weighs 1. Moves that share an answer have equal parts of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Response {
    /// The number of answers that each choice got; parts of them where moves shared an answer.
    pub weights: Vec<f64>,
    /// Answers that are not a legal move, each with its number.
    pub illegal: Vec<(String, u32)>,
    /// The number of answers.
    pub answers: u32,
}

impl Response {
    /// A response without an answer.
    pub fn new(question: &ExamQuestion) -> Response {
        Response { weights: vec![0.0; question.choices.len()], illegal: Vec::new(), answers: 0 }
    }

    /// Adds an answer, of which each choice gets this part.
    pub fn add(&mut self, weights: &[f64]) {
        self.answers += 1;
        self.weights.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight);
    }

    /// Adds an answer that is not a legal move.
    pub fn add_illegal(&mut self, text: String) {
        self.answers += 1;
        match self.illegal.iter_mut().find(|(known, _)| *known == text) {
            Some((_, times)) => *times += 1,
            None => self.illegal.push((text, 1)),
        }
    }

    /// Adds the answer of an engine. With `ties`, all moves that it shows as equally good as its own share the answer.
    pub fn add_answer(&mut self, answer: &MoveResponse, question: &ExamQuestion, ties: bool) {
        let shape = question.position.rules().shape();
        let cell = answer.best_move.and_then(|written| written.on_board(shape).ok());
        let index_of = |cell: Cell| question.choices.iter().position(|choice| choice.cell == cell);
        let Some(played) = cell.and_then(index_of) else {
            self.add_illegal(answer.excerpt());
            return;
        };
        let mut tied = vec![played];
        if ties {
            let equals = equals_of_best(&answer.multi_pv);
            let cells = equals.into_iter().filter_map(|written| written.on_board(shape).ok());
            let indices: Vec<usize> = cells.filter_map(index_of).collect();
            // The move that is played counts. Lines that do not have it say nothing about it.
            if indices.contains(&played) {
                tied = indices;
                tied.sort_unstable();
                tied.dedup();
            }
        }
        let mut weights = vec![0.0; question.choices.len()];
        for &index in &tied {
            weights[index] = 1.0 / tied.len() as f64;
        }
        self.add(&weights);
    }

    /// The number of answers that are not a legal move.
    pub fn illegal_answers(&self) -> f64 {
        self.illegal.iter().map(|(_, times)| f64::from(*times)).sum()
    }
}

/// The first moves of all lines that rate their move exactly as the first line does.
fn equals_of_best(infos: &[Info]) -> Vec<MoveText> {
    let Some(best) = infos.first() else { return Vec::new() };
    let equals = infos.iter().filter(|info| rating(info) == rating(best));
    equals.filter_map(|info| info.pv.first().copied()).collect()
}

/// The rating of a move by its line. Monte Carlo gives all lines the same value, but each move a total of its own. A
/// distance that is only bounded equals no distance that is proven.
fn rating(info: &Info) -> (Option<f64>, [Option<u64>; 2], Option<UciScore>, Option<f64>) {
    (info.value, [info.plies, info.plies_at_most], info.score, info.total)
}

#[cfg(test)]
mod tests {
    use noughts_core::game::Rules;

    use super::*;
    use crate::exam::questions::tests::questions;
    use crate::protocol::{EngineReply, InputLine, Reply};

    fn response(answer: &str, multi_pv: &[&str], ties: bool) -> Response {
        let question = &questions(Rules::default())[0];
        let mut response = Response::new(question);
        let infos = multi_pv.iter().map(|line| match line.parse() {
            Ok(Reply::Info(info)) => info,
            other => panic!("{other:?}"),
        });
        let Some(EngineReply::BestMove { best_move, line }) =
            EngineReply::read(InputLine::Text(answer.to_owned()), true)
        else {
            panic!("{answer}");
        };
        let answer = MoveResponse { best_move, line, multi_pv: infos.collect(), ..MoveResponse::default() };
        response.add_answer(&answer, question, ties);
        response
    }

    #[test]
    fn an_answer_in_either_form_of_moves_goes_to_its_choice() {
        for line in ["bestmove 1,1", "bestmove b2", "bestmove 1,1 ponder 0,0"] {
            let response = response(line, &[], false);
            assert_eq!(response.weights[4], 1.0, "{line}");
            assert_eq!((response.answers, response.illegal_answers()), (1, 0.0));
        }
    }

    #[test]
    fn an_answer_that_is_no_legal_move_is_kept_as_text() {
        for line in ["bestmove", "bestmove (none)", "bestmove 3,0", "bestmove perhaps", "bestmove 0000"] {
            let response = response(line, &[], false);
            assert_eq!(response.illegal, [(format!("\"{line}\""), 1)]);
            assert_eq!((&response.weights[..], response.illegal_answers()), (&[0.0; 9][..], 1.0));
        }
    }

    #[test]
    fn moves_that_the_engine_rates_equal_share_the_answer() {
        let lines = [
            "info multipv 1 value 1 plies 3 pv 0,0 1,1",
            "info multipv 2 value 1 plies 3 pv 0,2",
            "info multipv 3 value 1 plies 5 pv 1,1",
            "info multipv 4 value 0 pv 2,2",
        ];
        let tied = response("bestmove 0,2", &lines, true);
        assert_eq!(tied.weights, [0.5, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        // Without ties, or when the move is none of them, the move stands alone.
        assert_eq!(response("bestmove 0,2", &lines, false).weights[2], 1.0);
        assert_eq!(response("bestmove 1,1", &lines, true).weights[4], 1.0);
    }

    #[test]
    fn a_bound_on_the_distance_is_not_the_distance() {
        let lines = [
            "info multipv 1 score mate 3 lowerbound value 1 plies_at_most 5 pv 0,0 1,1",
            "info multipv 2 score mate 3 value 1 plies 5 pv 0,2",
            "info multipv 3 score mate 3 lowerbound value 1 plies_at_most 5 pv 1,1",
        ];
        assert_eq!(response("bestmove 0,0", &lines, true).weights, [0.5, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn moves_with_one_value_differ_by_their_totals() {
        let lines = ["info multipv 1 value 0.3 total 45 pv 1,1", "info multipv 2 value 0.3 total 16 pv 0,2"];
        assert_eq!(response("bestmove 1,1", &lines, true).weights[4], 1.0);
    }
}
