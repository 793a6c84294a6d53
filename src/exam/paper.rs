//! The questions of an exam: positions that can arise and in which the game goes on, all of them or a sample.

use serde::Serialize;

use crate::protocol::PositionCommand;
use noughts_core::game::{Cell, Position, Rules, Value};
use noughts_core::search::{Stream, below, generator};

use super::boards;
use super::judge::Judge;

/// The most questions that are kept at a time: more than 3x3 has.
const BATCH: usize = 8192;

/// Which positions are asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// Every position in which the game goes on.
    All,
    /// So many of them, drawn at random, or all when there are not more.
    Sample(u64),
}

/// A part of the positions of a game: every set of so many of them is as likely as any other.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Debug)]
pub struct Sample {
    /// Positions that are asked.
    pub positions: u64,
    /// Positions of the game in which it goes on.
    pub of: u64,
    /// The seed by which they were drawn.
    pub seed: u32,
}

/// The questions under one set of rules, those with fewer stones first.
pub struct Paper {
    /// The rules.
    pub rules: Rules,
    judge: Judge,
    asked: Sample,
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
    /// The questions under these rules, a sample drawn by `seed`; `None` where positions may take too long to judge.
    pub fn new(rules: Rules, extent: Extent, seed: u32) -> Option<Paper> {
        let judge = Judge::new(rules)?;
        let of = boards::count(rules);
        let positions = match extent {
            Extent::All => of,
            Extent::Sample(positions) => positions.min(of),
        };
        Some(Paper { rules, judge, asked: Sample { positions, of, seed } })
    }

    /// The number of questions.
    pub fn questions(&self) -> u64 {
        self.asked.positions
    }

    /// How they were drawn; `None` when they are all that the game has.
    pub fn sample(&self) -> Option<Sample> {
        (self.asked.positions < self.asked.of).then_some(self.asked)
    }

    /// Hands the questions to `ask` some thousands at a time, so that only those are kept; each is judged on the way.
    /// Ends early with the first error of `ask`.
    ///
    /// A sample is drawn by going through all positions and taking each with the probability of those still needed
    /// among those still to come, which makes all samples of that size equally likely. (Fan, Muller and Rezucha, 1962;
    /// Knuth, "The Art of Computer Programming", section 3.4.2, algorithm S.)
    pub fn hand_out<E>(&mut self, mut ask: impl FnMut(&[Question], &mut Judge) -> Result<(), E>) -> Result<(), E> {
        let Sample { positions: mut needed, of: mut to_come, seed } = self.asked;
        let mut generator = generator(seed.into(), Stream::Sample);
        let mut batch = Vec::new();
        boards::visit(self.rules, |path| {
            // No board that has a judge has 2^32 positions.
            let is_taken = needed == to_come || u64::from(below(&mut generator, to_come as u32)) < needed;
            to_come -= 1;
            if is_taken {
                needed -= 1;
                batch.push(self.judge.question(path));
                if batch.len() == BATCH || needed == 0 {
                    ask(&batch, &mut self.judge)?;
                    batch.clear();
                }
            }
            Ok(())
        })
    }
}

#[cfg(test)]
pub mod tests {
    use std::collections::HashSet;
    use std::convert::Infallible;

    use super::*;

    fn handed_out(paper: &mut Paper) -> Vec<Question> {
        let mut all = Vec::new();
        let handed_out: Result<(), Infallible> = paper.hand_out(|questions, _| {
            all.extend_from_slice(questions);
            Ok(())
        });
        let Ok(()) = handed_out;
        all
    }

    /// All questions under these rules.
    pub fn questions(rules: Rules) -> Vec<Question> {
        handed_out(&mut Paper::new(rules, Extent::All, 1).expect("a board that is known"))
    }

    fn rules(size: u8, connect: u16, reverse: bool) -> Rules {
        Rules::new(size, connect, reverse).expect("rules within range")
    }

    fn sample(rules: Rules, positions: u64, seed: u32) -> Vec<Question> {
        handed_out(&mut Paper::new(rules, Extent::Sample(positions), seed).expect("a board that is known"))
    }

    #[test]
    fn the_questions_are_as_many_as_is_known_and_so_are_those_that_can_be_got_wrong() {
        for (reverse, hard) in [(false, 3191), (true, 2669)] {
            let questions = questions(rules(3, 0, reverse));
            assert_eq!(questions.len(), 4520);
            assert_eq!(questions.iter().filter(|question| question.is_hard()).count(), hard);
        }
    }

    #[test]
    fn every_path_leads_to_its_question_and_the_best_move_is_worth_as_much() {
        for reverse in [false, true] {
            let rules = rules(3, 0, reverse);
            let questions = questions(rules);
            for question in &questions {
                let start = Position::start(rules);
                assert_eq!(question.path.iter().fold(start, |position, &cell| position.after(cell)), question.position);
                assert_eq!(question.choices.iter().map(|choice| choice.value).max(), Some(question.value));
            }
            assert!(questions.is_sorted_by_key(Question::stones));
        }
    }

    #[test]
    fn a_sample_is_as_large_as_asked_for_holds_different_positions_and_repeats_itself() {
        for positions in [0, 1, 100, 4519, 4520, 9999] {
            let drawn = sample(rules(3, 0, false), positions, 7);
            assert_eq!(drawn.len() as u64, positions.min(4520));
            let different: HashSet<Position> = drawn.iter().map(|question| question.position).collect();
            assert_eq!(different.len(), drawn.len());
            assert!(drawn == sample(rules(3, 0, false), positions, 7));
            assert!(drawn.is_sorted_by_key(Question::stones));
        }
        assert_ne!(sample(rules(3, 0, false), 100, 1), sample(rules(3, 0, false), 100, 2));
    }

    #[test]
    fn every_position_is_drawn_as_often_as_any_other() {
        let rules = rules(2, 3, false);
        let all = questions(rules);
        let mut times = vec![0u32; all.len()];
        let (samples, drawn) = (20_000, all.len() as u64 / 3);
        for seed in 0..samples {
            for question in sample(rules, drawn, seed) {
                times[all.iter().position(|other| *other == question).expect("a position of the game")] += 1;
            }
        }
        let share = drawn as f64 / all.len() as f64;
        let deviation = (f64::from(samples) * share * (1.0 - share)).sqrt();
        let expected = f64::from(samples) * share;
        assert!(times.iter().all(|&times| (f64::from(times) - expected).abs() < 4.5 * deviation), "{times:?}");
    }

    #[test]
    fn there_is_no_exam_on_boards_where_proofs_take_long() {
        assert!(Paper::new(rules(5, 0, false), Extent::Sample(10), 1).is_none());
    }
}
