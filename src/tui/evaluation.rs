//! The evaluation of a whole position, by a player or by the hints.

use crate::protocol::{Info, UciScore};
use noughts_core::game::{Cell, MoveText, Player, Score, Shape, Value};
use noughts_core::search::SearchResult;

/// The evaluation of a position by a search or another program.
#[derive(Clone, PartialEq, Debug)]
pub struct Evaluation {
    /// The player whose view it is.
    pub side: Player,
    /// The value, if one was given.
    pub score: Option<PlayerScore>,
    /// The moves that are expected.
    pub expected: Vec<MoveText>,
}

/// A value, seen by one side.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum PlayerScore {
    /// On the scale of this engine. A proven win or loss in 0 plies is one of which the length is unknown.
    Own(Score),
    /// On the scale of another program.
    Foreign(UciScore),
}

impl Evaluation {
    /// The evaluation by a search of this engine.
    pub fn of_search(side: Player, result: &SearchResult) -> Evaluation {
        let best = result.lines.first().into_iter();
        let expected = best.flat_map(|line| &line.principal_variation).map(|&cell| cell.into()).collect();
        Evaluation { side, score: Some(PlayerScore::Own(result.score)), expected }
    }

    /// The evaluation by another program, from an `info` line.
    pub fn of_info(side: Player, info: &Info) -> Evaluation {
        let (plies, proven): (_, fn(Value) -> Score) = match info.plies_at_most {
            Some(plies) => (Some(plies), Score::Within),
            None => (info.plies, Score::Exact),
        };
        let plies = plies.map_or(0, |plies| u16::try_from(plies).unwrap_or(u16::MAX));
        let score = match (info.proven, info.value) {
            (Some(true), Some(value)) if value > 0.0 => Some(PlayerScore::Own(proven(Value::Win(plies)))),
            (Some(true), Some(value)) if value < 0.0 => Some(PlayerScore::Own(proven(Value::Loss(plies)))),
            (Some(true), Some(_)) => Some(PlayerScore::Own(Score::Exact(Value::Draw))),
            (_, Some(value)) => Some(PlayerScore::Own(Score::Estimate(value))),
            (_, None) => info.score.map(PlayerScore::Foreign),
        };
        Evaluation { side, score, expected: info.pv.clone() }
    }

    /// The evaluation after the player has made a move: the moves that are expected now, and one ply less to the end.
    pub fn after(mut self, played: Cell, shape: Shape) -> Evaluation {
        let is_played = |written: &&MoveText| written.on_board(shape).is_ok_and(|cell| cell == played);
        let begins_with_it = self.expected.first().filter(is_played).is_some();
        self.expected = if begins_with_it { self.expected.split_off(1) } else { Vec::new() };
        self.score = self.score.map(|score| match score {
            PlayerScore::Own(Score::Exact(value)) => PlayerScore::Own(Score::Exact(-value.after_move())),
            PlayerScore::Own(Score::Within(value)) => PlayerScore::Own(Score::Within(-value.after_move())),
            other => other,
        });
        self
    }

    /// True if the value is proven.
    pub fn is_proven(&self) -> bool {
        matches!(self.score, Some(PlayerScore::Own(score)) if score.proven().is_some())
    }
}
