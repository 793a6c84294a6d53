//! A player without a thought: uniform over the empty squares, whatever the tie-break.

use crate::game::{Position, Score};

use super::{Control, Generator, Line, Question, Report, Searcher, Verdict, below};

/// Chooses any move, and claims nothing about it.
#[derive(Default, Debug)]
pub struct RandomMover;

impl Searcher for RandomMover {
    fn search(&mut self, question: &Question, generator: &mut Generator, _: &Control, _: Report<'_>) -> Verdict {
        let mut moves: Vec<_> = question.moves().collect();
        let chosen = below(generator, moves.len() as u32) as usize;
        moves[..=chosen].rotate_right(1);
        let guess = Score::Estimate(0.0);
        let line = |cell| Line { score: guess, principal_variation: vec![cell], total: None };
        let lines = moves.into_iter().take(question.lines).map(line).collect();
        Verdict { score: guess, lines, depth: 1, nodes: 0, playouts: None, law: None }
    }

    fn is_quick(&self, _: &Position, _: Option<u64>) -> bool {
        true
    }
}
