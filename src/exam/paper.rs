//! The questions of an exam: every position that can arise and in which the game goes on.

use std::collections::HashMap;

use crate::game::{Cell, Outcome, Position, Rules, Value};
use crate::protocol::PositionCommand;
use crate::search::Table;

/// All questions under one set of rules, those with fewer stones first, and where every move leads.
pub struct Paper {
    /// The rules.
    pub rules: Rules,
    /// The questions. A move leads only to questions that come later.
    pub questions: Vec<Question>,
}

/// A position in which the game goes on.
#[derive(Clone, PartialEq, Debug)]
pub struct Question {
    /// The position.
    pub position: Position,
    /// Its value to the side to move.
    pub value: Value,
    /// The moves from the start position that lead here, the first in reading order.
    pub path: Vec<Cell>,
    /// The legal moves in reading order.
    pub choices: Vec<Choice>,
}

/// A legal move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Choice {
    /// The move.
    pub cell: Cell,
    /// Its value to the side that plays it.
    pub value: Value,
    /// What comes then.
    pub then: Then,
}

/// What comes after a move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Then {
    /// The game goes on with this question.
    Question(usize),
    /// The game is over.
    End(Outcome),
}

impl Question {
    /// The number of stones on the board.
    pub fn stones(&self) -> usize {
        self.path.len()
    }

    /// Whether a move is as good as any.
    pub fn is_best(&self, choice: &Choice) -> bool {
        choice.value == self.value
    }

    /// Whether a move gives the result of perfect play away.
    pub fn is_blunder(&self, choice: &Choice) -> bool {
        choice.value.result() < self.value.result()
    }

    /// Whether there is a legal move that gives something away.
    pub fn is_hard(&self) -> bool {
        self.choices.iter().any(|choice| self.is_blunder(choice))
    }

    /// The `position` line.
    pub fn line(&self) -> String {
        position_line(&self.path)
    }
}

/// The `position` line of a game.
pub fn position_line(moves: &[Cell]) -> String {
    PositionCommand { diagram: None, moves: moves.iter().map(|&cell| cell.into()).collect() }.to_string()
}

impl Paper {
    /// The questions under these rules; `None` where the values of positions are not known.
    pub fn new(rules: Rules) -> Option<Paper> {
        let table = Table::for_rules(rules)?;
        let start = Position::start(rules);
        let question =
            |position: Position, path| Question { position, value: table.value(&position), path, choices: Vec::new() };
        let mut questions = vec![question(start, Vec::new())];
        let mut numbers = HashMap::from([(start, 0)]);
        let mut next = 0;
        while next < questions.len() {
            let Question { position, path, .. } = questions[next].clone();
            let choices = position.moves().map(|cell| {
                let after = position.after(cell);
                let then = match after.outcome() {
                    Some(outcome) => Then::End(outcome),
                    None => Then::Question(*numbers.entry(after).or_insert_with(|| {
                        questions.push(question(after, [&path[..], &[cell]].concat()));
                        questions.len() - 1
                    })),
                };
                Choice { cell, value: table.value(&after).before_move(), then }
            });
            questions[next].choices = choices.collect();
            next += 1;
        }
        Some(Paper { rules, questions })
    }

    /// A game that goes through a question, then on with one of its choices and with best play of both sides, the
    /// first of the best moves each time; and how it ends.
    pub fn refutation(&self, question: &Question, choice: &Choice) -> (Vec<Cell>, Outcome) {
        let mut game = question.path.clone();
        let mut choice = *choice;
        loop {
            game.push(choice.cell);
            let next = match choice.then {
                Then::End(outcome) => return (game, outcome),
                Then::Question(number) => &self.questions[number],
            };
            let best = next.choices.iter().find(|choice| next.is_best(choice));
            choice = *best.expect("the value of a position is that of its best move");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paper(reverse: bool) -> Paper {
        Paper::new(Rules::new(3, 0, reverse).expect("rules within range")).expect("3x3 is known")
    }

    #[test]
    fn the_questions_are_as_many_as_is_known_and_so_are_those_that_can_be_got_wrong() {
        for (reverse, hard) in [(false, 3191), (true, 2669)] {
            let paper = paper(reverse);
            assert_eq!(paper.questions.len(), 4520);
            assert_eq!(paper.questions.iter().filter(|question| question.is_hard()).count(), hard);
        }
    }

    #[test]
    fn every_path_leads_to_its_question_and_every_move_to_a_later_one() {
        for reverse in [false, true] {
            let paper = paper(reverse);
            for (number, question) in paper.questions.iter().enumerate() {
                let start = Position::start(paper.rules);
                assert_eq!(question.path.iter().fold(start, |position, &cell| position.after(cell)), question.position);
                assert_eq!(question.choices.iter().map(|choice| choice.value).max(), Some(question.value));
                for choice in &question.choices {
                    let after = question.position.after(choice.cell);
                    match choice.then {
                        Then::Question(next) => assert!(next > number && paper.questions[next].position == after),
                        Then::End(outcome) => assert_eq!(after.outcome(), Some(outcome)),
                    }
                }
            }
            assert!(paper.questions.is_sorted_by_key(Question::stones));
        }
    }

    #[test]
    fn a_refutation_takes_as_long_as_the_move_allows_and_ends_as_it_is_worth() {
        for reverse in [false, true] {
            let paper = paper(reverse);
            for question in &paper.questions {
                for choice in &question.choices {
                    let (game, outcome) = paper.refutation(question, choice);
                    let side = question.position.side();
                    let result = match outcome {
                        Outcome::Draw => 0,
                        Outcome::Win(winner) if winner == side => 1,
                        Outcome::Win(_) => -1,
                    };
                    assert_eq!(result, choice.value.result());
                    let plies = (game.len() - question.path.len()) as u16;
                    assert!(choice.value.plies().is_none_or(|expected| plies == expected));
                }
            }
        }
    }

    #[test]
    fn there_is_no_exam_on_boards_that_are_not_solved() {
        assert!(Paper::new(Rules::new(4, 0, false).expect("rules within range")).is_none());
    }
}
