//! What every position of a game is worth.

use noughts_core::game::{Cell, Outcome, Position, Rules, Value};
use noughts_core::search::{Control, Solver, ValueTable};

use super::paper::{Choice, Question};

/// The largest board on which every position is judged within moments.
const LARGEST: u8 = 4;

/// MiB for the proofs of one exam.
const MEMORY: u32 = 64;

/// Knows the value of every position of one game.
pub struct Judge {
    rules: Rules,
    source: Source,
}

/// Where values come from.
enum Source {
    ValueTable(&'static ValueTable),
    Solver(Box<Solver>),
}

impl Judge {
    /// A judge of this game; `None` where positions may take too long to judge.
    pub fn new(rules: Rules) -> Option<Judge> {
        let source = match ValueTable::for_rules(rules) {
            Some(table) => Source::ValueTable(table),
            None if rules.size() <= LARGEST => Source::Solver(Box::new(Solver::new(rules, MEMORY))),
            None => return None,
        };
        Some(Judge { rules, source })
    }

    /// The question that a path from the start position leads to.
    pub fn question(&mut self, path: &[Cell]) -> Question {
        let position = path.iter().fold(Position::start(self.rules), |position, &cell| position.after(cell));
        let choices = self.choices(&position);
        let value = best(&choices).value;
        Question { position, value, path: path.to_vec(), choices }
    }

    /// A game that goes through a question, then on with one of its choices and with best play of both sides, the
    /// first of the best moves each time; and how it ends.
    pub fn refutation(&mut self, question: &Question, choice: &Choice) -> (Vec<Cell>, Outcome) {
        let mut game = question.path.clone();
        let mut position = question.position;
        let mut cell = choice.cell;
        loop {
            game.push(cell);
            position = position.after(cell);
            if let Some(outcome) = position.outcome() {
                return (game, outcome);
            }
            cell = best(&self.choices(&position)).cell;
        }
    }

    /// The moves of a position in which the game goes on, in reading order.
    fn choices(&mut self, position: &Position) -> Vec<Choice> {
        match &mut self.source {
            Source::ValueTable(table) => {
                let value = |cell| table.value(&position.after(cell)).before_move();
                position.moves().map(|cell| Choice { cell, value: value(cell) }).collect()
            }
            Source::Solver(solver) => {
                let proven: Vec<_> = solver.move_bounds(position, &Control::unlimited());
                let value = |value: Option<Value>| value.expect("a search without limits ends with the value");
                proven.into_iter().map(|(cell, bounds)| Choice { cell, value: value(bounds.exact()) }).collect()
            }
        }
    }
}

/// The first of the best moves of a position in which the game goes on.
fn best(choices: &[Choice]) -> Choice {
    let best = choices.iter().copied().reduce(|best, other| if other.value > best.value { other } else { best });
    best.expect("a game that goes on has a move")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exam::paper::tests::questions;

    #[test]
    fn a_refutation_takes_as_long_as_the_move_allows_and_ends_as_it_is_worth() {
        for reverse in [false, true] {
            let rules = Rules::new(3, 0, reverse).expect("rules within range");
            let mut judge = Judge::new(rules).expect("3x3 is known");
            for question in questions(rules) {
                for choice in &question.choices {
                    let (game, outcome) = judge.refutation(&question, choice);
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
    fn the_table_and_the_solver_judge_alike() {
        for connect in 0..=4 {
            for reverse in [false, true] {
                let rules = Rules::new(3, connect, reverse).expect("rules within range");
                let mut judge = Judge { rules, source: Source::Solver(Box::new(Solver::new(rules, 1))) };
                for question in questions(rules) {
                    assert_eq!(judge.question(&question.path), question, "{rules}");
                }
            }
        }
    }

    #[test]
    fn there_is_no_judge_of_boards_where_proofs_take_long() {
        let judge = |size| Judge::new(Rules::new(size, 0, false).expect("rules within range"));
        assert!(judge(4).is_some() && judge(5).is_none());
    }
}
