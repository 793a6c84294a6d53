//! What an engine is asked, and what it answers.

use std::time::Duration;

use crate::protocol::{Info, Line, Reply};
use crate::text::Excerpt;
use noughts_core::game::MoveText;

/// An answer to `go`.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Answer {
    /// The `bestmove` line as it came.
    pub line: Line,
    /// From the question to the answer.
    pub elapsed: Duration,
    /// The last `info` line before it, if there was one.
    pub info: Option<Line>,
    /// In a series, the last lines with `multipv` before it, from the best move on.
    pub multi_pv: Vec<Line>,
    /// The last error that the engine told of before its answer.
    pub complaint: Option<String>,
    /// Answers to earlier questions that came before this one was read.
    pub stale: u32,
}

impl Answer {
    /// The move, as it was written; `None` when there is none.
    pub fn best_move(&self) -> Option<MoveText> {
        let Line::Text(text) = &self.line else { return None };
        match text.parse() {
            Ok(Reply::BestMove(best)) => best,
            _ => None,
        }
    }

    /// What was said, for people.
    pub fn excerpt(&self) -> String {
        match &self.line {
            Line::Text(text) => Excerpt::of(text).to_string(),
            line => line.to_string(),
        }
    }

    /// What the engine said of its move.
    pub fn info(&self) -> Info {
        match &self.info {
            Some(Line::Text(text)) => match text.parse() {
                Ok(Reply::Info(info)) => info,
                _ => Info::default(),
            },
            _ => Info::default(),
        }
    }
}

/// A question: a position and what bounds the search.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The `position` line.
    pub position: &'a str,
    /// The `go` line.
    pub go: &'a str,
    /// How long the answer may take.
    pub limit: Duration,
    /// A seed to set before it, if the engine takes one.
    pub seed: Option<u32>,
}
