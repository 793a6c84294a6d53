//! `info` lines: the reports of a search, one key for each fact.

use std::fmt;

use crate::text::decimal;

use noughts_core::game::MoveText;

/// The keys of an `info` line in the order in which they are printed; those that do not apply are left out.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Info {
    /// Plies looked ahead.
    pub depth: Option<u64>,
    /// The rank of the move that this line is about, from 1 for the best; `None` in the line about the whole search.
    pub multipv: Option<u64>,
    /// The value for programs that know UCI.
    pub score: Option<UciScore>,
    /// The side on which the value may differ from the score; `None` if the score is the value.
    pub score_bound: Option<ScoreBound>,
    /// Chances to win, draw and lose, per mille. They add up to 1000.
    pub wdl: Option<[u16; 3]>,
    /// The expected result for the side to move, from -1 to 1, with at most 4 decimals.
    pub value: Option<f64>,
    /// True if the value is proven.
    pub proven: Option<bool>,
    /// Moves until the game ends, when a win or a loss is proven.
    pub plies: Option<u64>,
    /// The most moves until the game ends, where the distance is not proven.
    pub plies_at_most: Option<u64>,
    /// Monte Carlo playouts.
    pub trials: Option<u64>,
    /// The square's Monte Carlo score, with at most 4 decimals.
    pub total: Option<f64>,
    /// The number of positions searched; for Monte Carlo, of playouts.
    pub nodes: Option<u64>,
    /// Nodes a second.
    pub nps: Option<u64>,
    /// Milliseconds since the search began.
    pub time: Option<u64>,
    /// The expected moves. They stand last on the line.
    pub pv: Vec<MoveText>,
}

/// A value as UCI knows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UciScore {
    /// 100 times the expected result.
    Cp(i64),
    /// A win, or if negative a loss, in so many moves or plies. The handshake decides which of the two.
    Mate(i64),
}

/// The direction of a bound, as UCI knows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScoreBound {
    /// The value is the score or better: a win in so many moves, or in fewer.
    Lower,
    /// The value is the score or worse: a loss in so many moves, or in fewer.
    Upper,
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn pair(f: &mut fmt::Formatter<'_>, key: &str, value: Option<impl fmt::Display>) -> fmt::Result {
            value.map_or(Ok(()), |value| write!(f, " {key} {value}"))
        }
        f.write_str("info")?;
        pair(f, "depth", self.depth)?;
        pair(f, "multipv", self.multipv)?;
        pair(f, "score", self.score)?;
        f.write_str(match self.score_bound {
            Some(ScoreBound::Lower) => " lowerbound",
            Some(ScoreBound::Upper) => " upperbound",
            None => "",
        })?;
        pair(f, "wdl", self.wdl.map(|[wins, draws, losses]| format!("{wins} {draws} {losses}")))?;
        pair(f, "value", self.value.map(decimal))?;
        pair(f, "proven", self.proven)?;
        pair(f, "plies", self.plies)?;
        pair(f, "plies_at_most", self.plies_at_most)?;
        pair(f, "trials", self.trials)?;
        pair(f, "total", self.total.map(decimal))?;
        pair(f, "nodes", self.nodes)?;
        pair(f, "nps", self.nps)?;
        pair(f, "time", self.time)?;
        if !self.pv.is_empty() {
            f.write_str(" pv")?;
        }
        self.pv.iter().try_for_each(|written| write!(f, " {written}"))
    }
}

impl fmt::Display for UciScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UciScore::Cp(hundredths) => write!(f, "cp {hundredths}"),
            UciScore::Mate(distance) => write!(f, "mate {distance}"),
        }
    }
}
