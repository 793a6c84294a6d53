//! The claims of an answer, held against known values.

#![allow(dead_code)]

use noughts::engine::GoResult;
use noughts::game::{Bounds, Cell, Score, Value};
use noughts::search::{Note, Variation};

use super::oracle::Judged;

/// True if a value is the win or the loss within so many plies that was claimed.
pub fn is_within(value: Value, claimed: Value) -> bool {
    match (value, claimed) {
        (Value::Win(plies), Value::Win(most)) | (Value::Loss(plies), Value::Loss(most)) => plies <= most,
        _ => false,
    }
}

/// Holds an answer against the truth, and says whether the value was claimed.
pub fn assert_claims_hold(thought: &GoResult, known: &Judged) -> bool {
    let Judged { position, value, moves } = known;
    let context = || format!("{}: {}: {value:?}: {thought:?}", position.rules(), position.diagram());
    let worth = |line: &Variation| moves.iter().find(|(cell, _)| *cell == line.first_move()).expect("a legal move").1;
    for line in &thought.result.lines {
        line.principal_variation.iter().fold(*position, |position, &cell| position.after(cell));
        match line.score {
            Score::Exact(claimed) => assert_eq!(claimed, worth(line), "{}", context()),
            Score::Within(claimed) => assert!(is_within(worth(line), claimed), "{}", context()),
            Score::Estimate(_) => {}
        }
    }
    let mut first_moves: Vec<Cell> = thought.result.lines.iter().map(Variation::first_move).collect();
    first_moves.sort_unstable();
    assert!(first_moves.windows(2).all(|pair| pair[0] < pair[1]), "two lines of one move: {}", context());
    for note in &thought.result.notes {
        if let Note::Proved(Bounds { at_least, at_most }) = note {
            assert!(at_least <= value && value <= at_most, "{}", context());
        }
    }
    let chosen = worth(&thought.result.lines[0]);
    match thought.result.score {
        Score::Exact(claimed) => assert_eq!((claimed, chosen), (*value, *value), "{}", context()),
        Score::Within(claimed) => {
            assert!(is_within(*value, claimed) && is_within(chosen, claimed), "{}", context());
        }
        Score::Estimate(result) => assert!((-1.0..=1.0).contains(&result), "{}", context()),
    }
    !matches!(thought.result.score, Score::Estimate(_))
}
