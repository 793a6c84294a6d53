//! The questions of an exam: positions that can arise and in which the game goes on, all of them or a sample.
//!
//! As long as no line is complete, the order in which the stones came does not matter: a board can arise if X has as
//! many stones as O or one more. The enumeration reaches each board once, by the path on which both sides place their
//! stones in reading order.

use std::convert::Infallible;

use serde::Serialize;

use noughts_core::game::{Cell, Rules};
use noughts_core::search::{Stream, below, generator};

use super::settings::Selection;
use super::solved_game::{ExamQuestion, SolvedGame};

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
        let of = count_positions(rules);
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
        visit_positions(self.rules, |path| {
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

/// The largest board whose cells fit into the bits of a [`StoneSet`]. It already has far too many positions to visit.
const MOST_CELLS: usize = 25;

/// A set of cells. Cell `r,c` is bit `r * size + c`.
///
/// ```text
/// 0,0 0,1 0,2        0 1 2
/// 1,0 1,1 1,2   ->   3 4 5
/// 2,0 2,1 2,2        6 7 8
/// ```
type StoneSet = u32;

/// Calls `visit` with the path to every position in which the game goes on. Positions with fewer stones come first,
/// then they follow the order of their paths. Ends early with the first error of `visit`.
///
/// # Panics
/// When the board has more than 25 cells.
fn visit_positions<E>(rules: Rules, mut visit: impl FnMut(&[Cell]) -> Result<(), E>) -> Result<(), E> {
    assert!(rules.cells() <= MOST_CELLS, "the positions of {rules} are too many");
    let mut enumeration =
        Enumeration { cells: Cell::all(rules.shape()).collect(), lines: lines_through(rules), path: Vec::new() };
    // A full board is left out: there the game is over.
    (0..rules.cells()).try_for_each(|stones| enumeration.descend(stones, [0; 2], [0; 2], &mut visit))
}

/// The number of positions in which the game goes on.
///
/// # Panics
/// When the board has more than 25 cells.
fn count_positions(rules: Rules) -> u64 {
    let mut count = 0;
    let Ok(()): Result<(), Infallible> = visit_positions(rules, |_| {
        count += 1;
        Ok(())
    });
    count
}

/// The lines through each cell.
fn lines_through(rules: Rules) -> Vec<Vec<StoneSet>> {
    let geometry = rules.geometry();
    let line = |&line: &u16| geometry.line(line).iter().fold(0, |stones, cell| stones | 1 << cell);
    (0..rules.cells() as u16).map(|cell| geometry.through(cell).iter().map(line).collect()).collect()
}

/// The state of the enumeration of all paths of one length.
struct Enumeration {
    cells: Vec<Cell>,
    lines: Vec<Vec<StoneSet>>,
    path: Vec<Cell>,
}

impl Enumeration {
    /// Extends the path to `length`. `stones` are the stones of both sides; each side places its next stone at its
    /// `next` cell or behind it.
    fn descend<E>(
        &mut self,
        length: usize,
        stones: [StoneSet; 2],
        next: [usize; 2],
        visit: &mut impl FnMut(&[Cell]) -> Result<(), E>,
    ) -> Result<(), E> {
        if self.path.len() == length {
            return visit(&self.path);
        }
        let side = self.path.len() % 2;
        let to_come = (length - self.path.len()).div_ceil(2);
        for number in next[side]..=self.cells.len() - to_come {
            let mut after = stones;
            after[side] |= 1 << number;
            let is_taken = (stones[0] | stones[1]) & 1 << number != 0;
            if is_taken || self.lines[number].iter().any(|line| line & !after[side] == 0) {
                continue;
            }
            let mut then = next;
            then[side] = number + 1;
            self.path.push(self.cells[number]);
            self.descend(length, after, then, visit)?;
            self.path.pop();
        }
        Ok(())
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

    /// The positions of breadth-first search, each with the first path that leads to it.
    fn by_search(rules: Rules) -> Vec<Vec<Cell>> {
        let mut found = vec![(Position::start(rules), Vec::new())];
        let mut known: HashSet<Position> = found.iter().map(|(position, _)| *position).collect();
        let mut number = 0;
        while number < found.len() {
            let (position, path) = found[number].clone();
            for cell in position.moves() {
                let after = position.after(cell);
                if after.outcome().is_none() && known.insert(after) {
                    found.push((after, [&path[..], &[cell]].concat()));
                }
            }
            number += 1;
        }
        found.into_iter().map(|(_, path)| path).collect()
    }

    #[test]
    fn the_paths_and_their_order_equal_breadth_first_search() {
        for (size, connect) in [(1, 0), (2, 0), (2, 1), (2, 3), (3, 0), (3, 1), (3, 2), (3, 4), (4, 1), (4, 2)] {
            let rules = Rules::new(size, connect, false).expect("rules within range");
            let mut paths = Vec::new();
            let visited: Result<(), ()> = visit_positions(rules, |path| {
                paths.push(path.to_vec());
                Ok(())
            });
            assert_eq!(visited, Ok(()));
            assert!(paths == by_search(rules), "{rules}");
        }
    }

    #[test]
    fn there_are_as_many_positions_as_is_known() {
        for (size, connect, positions) in [(3, 0, 4_520), (4, 0, 9_062_619)] {
            assert_eq!(count_positions(Rules::new(size, connect, true).expect("rules within range")), positions);
        }
    }
}
