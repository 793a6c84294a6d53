//! The value of every position of a game, from the table of 3x3 or from the solver; and the questions that are made of them.

use crate::protocol::PositionCommand;
use noughts_core::game::{Cell, Outcome, Position, Rules, Value};
use noughts_core::search::{Control, Solver, ValueTable};

use super::settings::ExamSettings;

/// A position in which the game goes on.
#[derive(Clone, PartialEq, Debug)]
pub struct ExamQuestion {
    /// The position.
    pub position: Position,
    /// Its value to the side to move.
    pub value: Value,
    /// The moves from the start position that lead here, the first such path in reading order.
    pub path: Vec<Cell>,
    /// The legal moves in reading order.
    pub choices: Vec<RatedMove>,
}

/// A legal move and its value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RatedMove {
    /// The move.
    pub cell: Cell,
    /// Its value to the side that plays it.
    pub value: Value,
}

impl ExamQuestion {
    /// The number of stones on the board.
    pub fn stones(&self) -> usize {
        self.path.len()
    }

    /// True if a move is one of the best, the number of plies to the end included.
    pub fn is_best(&self, choice: &RatedMove) -> bool {
        choice.value == self.value
    }

    /// True if a move gives away the result of perfect play.
    pub fn is_blunder(&self, choice: &RatedMove) -> bool {
        choice.value.result() < self.value.result()
    }

    /// True if some legal move gives away the result of perfect play.
    pub fn is_hard(&self) -> bool {
        self.choices.iter().any(|choice| self.is_blunder(choice))
    }

    /// The `position` line.
    pub fn line(&self) -> String {
        PositionCommand::after(&self.path).to_string()
    }
}

/// Memory of the solver, in MiB.
const MEBIBYTES: u32 = 64;

/// One game whose positions all have a known value.
pub struct SolvedGame {
    rules: Rules,
    source: Source,
}

/// The source of values.
enum Source {
    ValueTable(&'static ValueTable),
    Solver(Box<Solver>),
}

impl SolvedGame {
    /// The values under these rules; `None` for boards whose positions may take too long to prove.
    pub fn new(rules: Rules) -> Option<SolvedGame> {
        let source = match ValueTable::for_rules(rules) {
            Some(table) => Source::ValueTable(table),
            None if rules.cells() <= ExamSettings::MOST_CELLS => {
                Source::Solver(Box::new(Solver::new(rules, MEBIBYTES)))
            }
            None => return None,
        };
        Some(SolvedGame { rules, source })
    }

    /// The question that a path from the start position leads to.
    pub fn question(&mut self, path: &[Cell]) -> ExamQuestion {
        let position = path.iter().fold(Position::start(self.rules), |position, &cell| position.after(cell));
        let choices = self.choices(&position);
        let value = best(&choices).value;
        ExamQuestion { position, value, path: path.to_vec(), choices }
    }

    /// A game that refutes a move, and its outcome: the path to the question, the move, then best play of both sides to
    /// the end. Of several best moves the first in reading order is played.
    pub fn refutation(&mut self, question: &ExamQuestion, choice: &RatedMove) -> (Vec<Cell>, Outcome) {
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
    fn choices(&mut self, position: &Position) -> Vec<RatedMove> {
        match &mut self.source {
            Source::ValueTable(table) => {
                let value = |cell| table.value(&position.after(cell)).before_move();
                position.moves().map(|cell| RatedMove { cell, value: value(cell) }).collect()
            }
            Source::Solver(solver) => {
                let proven: Vec<_> = solver.move_bounds(position, &Control::unlimited());
                let value = |value: Option<Value>| value.expect("a search without limits ends with the value");
                proven.into_iter().map(|(cell, bounds)| RatedMove { cell, value: value(bounds.exact()) }).collect()
            }
        }
    }
}

/// The first of the best moves of a position in which the game goes on.
fn best(choices: &[RatedMove]) -> RatedMove {
    let best = choices.iter().copied().reduce(|best, other| if other.value > best.value { other } else { best });
    best.expect("a game that goes on has a move")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exam::questions::tests::questions;

    #[test]
    fn a_refutation_has_the_length_and_outcome_of_its_value() {
        for reverse in [false, true] {
            let rules = Rules::new(3, 0, reverse).expect("rules within range");
            let mut solved = SolvedGame::new(rules).expect("3x3 is known");
            for question in questions(rules) {
                for choice in &question.choices {
                    let (game, outcome) = solved.refutation(&question, choice);
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
    fn the_table_and_the_solver_agree_on_every_position() {
        for connect in 0..=4 {
            for reverse in [false, true] {
                let rules = Rules::new(3, connect, reverse).expect("rules within range");
                let mut solved = SolvedGame { rules, source: Source::Solver(Box::new(Solver::new(rules, 1))) };
                for question in questions(rules) {
                    assert_eq!(solved.question(&question.path), question, "{rules}");
                }
            }
        }
    }

    #[test]
    fn boards_where_proofs_take_long_are_not_solved() {
        let solved = |size| SolvedGame::new(Rules::new(size, 0, false).expect("rules within range"));
        assert!(solved(4).is_some() && solved(5).is_none());
    }
}
