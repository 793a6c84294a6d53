//! The questions of an exam: positions that can arise and in which the game goes on, all of them or a sample.

use serde::Serialize;

use noughts_core::game::Rules;
use noughts_core::search::{Stream, below, generator};

use super::enumeration;
use super::question::ExamQuestion;
use super::settings::Selection;
use super::solved_game::SolvedGame;

/// The questions of a block: the most in memory at a time. All questions of 3x3 fit.
const BLOCK: usize = 8192;

/// A random sample of the positions of a game: every sample of this size is equally likely.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Debug)]
pub struct PositionSample {
    /// Positions that are asked.
    pub positions: u64,
    /// Positions in which the game goes on.
    pub of: u64,
    /// The seed of the sample.
    pub seed: u32,
}

/// The questions under one set of rules, those with fewer stones first.
pub struct ExamQuestions {
    /// The rules.
    pub rules: Rules,
    solved: SolvedGame,
    asked: PositionSample,
}

impl ExamQuestions {
    /// The questions under these rules; `seed` decides which a sample has. `None` for boards whose values may take too
    /// long to prove.
    pub fn new(rules: Rules, selection: Selection, seed: u32) -> Option<ExamQuestions> {
        let solved = SolvedGame::new(rules)?;
        let of = enumeration::count(rules);
        let positions = match selection {
            Selection::All => of,
            Selection::Sample(positions) => positions.min(of),
        };
        Some(ExamQuestions { rules, solved, asked: PositionSample { positions, of, seed } })
    }

    /// The number of questions.
    pub fn count(&self) -> u64 {
        self.asked.positions
    }

    /// The sample; `None` when every position of the game is asked.
    pub fn sample(&self) -> Option<PositionSample> {
        (self.asked.positions < self.asked.of).then_some(self.asked)
    }

    /// Hands the questions to `ask`, block by block, so that only one block is in memory. Their values are looked up or
    /// proven on the way. Ends early with the first error of `ask`.
    ///
    /// A sample is drawn in one pass over all positions. Each is taken with probability (still needed) / (still to
    /// come), which makes all samples of this size equally likely. (Fan, Muller and Rezucha, 1962; Knuth, "The Art of
    /// Computer Programming", section 3.4.2, algorithm S.)
    pub fn visit<E>(
        &mut self,
        mut ask: impl FnMut(&[ExamQuestion], &mut SolvedGame) -> Result<(), E>,
    ) -> Result<(), E> {
        let PositionSample { positions: mut needed, of: mut to_come, seed } = self.asked;
        let mut generator = generator(seed.into(), Stream::Sample);
        let mut questions = Vec::new();
        enumeration::visit(self.rules, |path| {
            // No board that can be solved here has 2^32 positions.
            let is_taken = needed == to_come || u64::from(below(&mut generator, to_come as u32)) < needed;
            to_come -= 1;
            if is_taken {
                needed -= 1;
                questions.push(self.solved.question(path));
                if questions.len() == BLOCK || needed == 0 {
                    ask(&questions, &mut self.solved)?;
                    questions.clear();
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
    use noughts_core::game::Position;

    fn all_of(questions: &mut ExamQuestions) -> Vec<ExamQuestion> {
        let mut all = Vec::new();
        let visited: Result<(), Infallible> = questions.visit(|block, _| {
            all.extend_from_slice(block);
            Ok(())
        });
        let Ok(()) = visited;
        all
    }

    /// All questions under these rules.
    pub fn questions(rules: Rules) -> Vec<ExamQuestion> {
        all_of(&mut ExamQuestions::new(rules, Selection::All, 1).expect("a board that is known"))
    }

    fn rules(size: u8, connect: u16, reverse: bool) -> Rules {
        Rules::new(size, connect, reverse).expect("rules within range")
    }

    fn sample(rules: Rules, positions: u64, seed: u32) -> Vec<ExamQuestion> {
        all_of(&mut ExamQuestions::new(rules, Selection::Sample(positions), seed).expect("a board that is known"))
    }

    #[test]
    fn questions_and_hard_questions_match_the_known_counts() {
        for (reverse, hard) in [(false, 3191), (true, 2669)] {
            let questions = questions(rules(3, 0, reverse));
            assert_eq!(questions.len(), 4520);
            assert_eq!(questions.iter().filter(|question| question.is_hard()).count(), hard);
        }
    }

    #[test]
    fn paths_lead_to_their_questions_and_best_moves_keep_the_value() {
        for reverse in [false, true] {
            let rules = rules(3, 0, reverse);
            let questions = questions(rules);
            for question in &questions {
                let start = Position::start(rules);
                assert_eq!(question.path.iter().fold(start, |position, &cell| position.after(cell)), question.position);
                assert_eq!(question.choices.iter().map(|choice| choice.value).max(), Some(question.value));
            }
            assert!(questions.is_sorted_by_key(ExamQuestion::stones));
        }
    }

    #[test]
    fn a_sample_has_the_asked_size_no_duplicates_and_is_repeatable() {
        for positions in [0, 1, 100, 4519, 4520, 9999] {
            let drawn = sample(rules(3, 0, false), positions, 7);
            assert_eq!(drawn.len() as u64, positions.min(4520));
            let different: HashSet<Position> = drawn.iter().map(|question| question.position).collect();
            assert_eq!(different.len(), drawn.len());
            assert!(drawn == sample(rules(3, 0, false), positions, 7));
            assert!(drawn.is_sorted_by_key(ExamQuestion::stones));
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
        assert!(ExamQuestions::new(rules(5, 0, false), Selection::Sample(10), 1).is_none());
    }
}
