//! The scores of all empty squares, and the engine that finds them.

use std::collections::HashMap;
use std::io;
use std::num::NonZeroU64;

use crate::engine::{Options, SearchPurpose};
use noughts_core::game::{Cell, Player, Position, Score};
use noughts_core::search::{Limits, SearchResult, Variation};

use super::engine_thread::EngineThread;
use super::evaluation::Evaluation;
use super::player_answer::{AnswerHandler, PlayerAnswer, PlayerReply};
use super::settings::{MoveBudget, PlaySettings};

/// The least moves that a tree search must have looked ahead from a move, the move itself counted, for its value to mean
/// anything.
const LEAST_VARIATION: usize = 3;

/// The score of a move, as a hint: `W3`, `D`, `L4`, `W` or `L` where the distance is not proven, or the expected result
/// in percent, from 0, lost, to 100, won.
pub fn hint(score: Score) -> String {
    match score {
        Score::Exact(value) => value.to_string(),
        Score::Within(value) => if value.result() > 0 { "W" } else { "L" }.to_owned(),
        Score::Estimate(result) => format!("{:.0}", 100.0 * (result + 1.0) / 2.0),
    }
}

/// The known values of the moves of a position.
#[derive(Clone, PartialEq, Debug)]
pub struct Hints {
    /// The score of each move for the side that makes it.
    moves: HashMap<Cell, Score>,
    /// True if the values of all moves are proven. The value of the position needs only one best move.
    is_decided: bool,
    /// The evaluation of the position as a whole.
    pub evaluation: Evaluation,
}

impl Hints {
    /// The hints of a proof that judged every move.
    pub fn proven(side: Player, result: &SearchResult) -> Hints {
        let is_proven = |line: &&Variation| line.score.proven().is_some();
        let proven = result.lines.iter().filter(is_proven);
        let moves: HashMap<Cell, Score> = proven.map(|line| (line.first_move(), line.score)).collect();
        let is_decided = moves.len() == result.lines.len();
        Hints { moves, is_decided, evaluation: Evaluation::of_search(side, result) }
    }

    /// Adds what a tree search expects of the moves of which nothing is proven. A move that it has hardly visited has no
    /// hint.
    pub fn and_expected(mut self, side: Player, result: &SearchResult) -> Hints {
        for line in &result.lines {
            if line.score.proven().is_some() || line.principal_variation.len() >= LEAST_VARIATION {
                self.moves.entry(line.first_move()).or_insert(line.score);
            }
        }
        if !self.evaluation.is_proven() {
            self.evaluation = Evaluation::of_search(side, result);
        }
        self
    }

    /// The score of a move, if anything is known of it.
    pub fn of(&self, cell: Cell) -> Option<Score> {
        self.moves.get(&cell).copied()
    }

    /// The meaning of the hints, in words.
    pub fn legend(&self) -> &'static str {
        let is_proven = |score: &Score| score.proven().is_some();
        match (self.moves.values().any(is_proven), self.moves.values().any(|score| !is_proven(score))) {
            (true, false) => "W: wins, L: loses, in so many moves of both sides; D: draws",
            (true, true) => "W wins, L loses, D draws; numbers: expected result, 0 lost, 100 won",
            (false, true) => "Numbers: the expected result in percent, 0 lost, 100 won",
            (false, false) => "No move is known well enough",
        }
    }

    /// The rank of a move among those that have no proven value: from 0, the worst, to 1, the best.
    pub fn heat(&self, cell: Cell) -> Option<f64> {
        let value = |score: &Score| if let Score::Estimate(value) = score { Some(*value) } else { None };
        let own = self.moves.get(&cell).and_then(value)?;
        let all = || self.moves.values().filter_map(value);
        let (least, most) = (all().fold(own, f64::min), all().fold(own, f64::max));
        Some(if most > least { (own - least) / (most - least) } else { 1.0 })
    }
}

/// Positions that the proof may look at.
const PROOF_NODES: u64 = 1_000_000;

/// Time for the proof, in milliseconds.
const PROOF_TIME: u64 = 1500;

/// Playouts where the proof does not decide. Their scores are not shown: the values come from a search of their own.
const PROOF_TRIALS: u64 = 100;

/// The seed of the hints: without a clock, the same position has the same hints.
const SEED: u64 = 1;

/// Searches for hints in the background, while they are wanted: first for proofs, then in a tree where the proofs do not
/// decide.
pub struct HintEngine {
    thread: EngineThread,
    /// True if hints are wanted.
    pub wanted: bool,
    /// The position that the hints are about.
    position: Option<Position>,
    /// The limits of the tree search, if there is one.
    tree_limits: Limits,
    /// The number of the search that runs; that of a tree search with what has been proven before.
    running: Option<(u64, Option<Hints>)>,
    hints: Option<Hints>,
}

impl HintEngine {
    /// Starts the engine; the answers of its searches go to `handler`.
    ///
    /// # Errors
    /// When the system has no thread left.
    pub fn start(handler: AnswerHandler) -> io::Result<HintEngine> {
        let (thread, tree_limits) = (EngineThread::start(SEED, handler)?, Limits::default());
        Ok(HintEngine { thread, wanted: false, position: None, tree_limits, running: None, hints: None })
    }

    /// The hints, if they are wanted and known.
    pub fn hints(&self) -> Option<&Hints> {
        self.hints.as_ref().filter(|_| self.wanted)
    }

    /// True if hints are on their way.
    pub fn is_searching(&self) -> bool {
        self.running.is_some()
    }

    /// Forgets the hints, because the settings have changed.
    pub fn forget(&mut self) {
        self.position = None;
        self.hints = None;
    }

    /// Searches for the hints of this position, unless that is done already or hints are not wanted. `number` is that of the
    /// request, if there is one.
    pub fn look_at(&mut self, position: Option<Position>, settings: &PlaySettings, number: u64) {
        let position = position.filter(|_| self.wanted);
        if position.is_some() && self.position == position {
            return;
        }
        if self.running.take().is_some() {
            self.thread.stop();
        }
        self.hints = None;
        self.position = position;
        // A long thought about a move is no reason to wait as long for hints.
        let time = settings.budget.time().map(|_| MoveBudget::SECOND);
        self.tree_limits = time.unwrap_or(settings.budget).limits();
        if let Some(position) = position {
            self.search(number, position, None);
        }
    }

    /// Searches for proofs, or in a tree if these are known.
    fn search(&mut self, number: u64, position: Position, proven: Option<Hints>) {
        let (purpose, limits) = match proven {
            None => {
                let (nodes, trials) = (NonZeroU64::new(PROOF_NODES), NonZeroU64::new(PROOF_TRIALS));
                let limits = Limits { nodes, trials, move_time: Some(PROOF_TIME), ..Limits::default() };
                (SearchPurpose::ProvenHints, limits)
            }
            Some(_) => (SearchPurpose::ExpectedHints, self.tree_limits),
        };
        let options = Options { rules: position.rules(), ..Options::default() };
        self.thread.ask(number, position, options, limits, purpose);
        self.running = Some((number, proven));
    }

    /// Takes the answer of a search; true if there may be more to show. `number` is that of the next request, if there is
    /// one.
    pub fn receive(&mut self, answer: PlayerAnswer, number: u64) -> bool {
        let Some((_, proven)) = self.running.take_if(|(running, _)| *running == answer.request) else { return false };
        let (Ok(PlayerReply::Searched(result)), Some(position)) = (answer.result, self.position) else { return false };
        match proven {
            Some(proven) => self.hints = Some(proven.and_expected(position.side(), &result)),
            None => {
                let proven = Hints::proven(position.side(), &result);
                if proven.is_decided {
                    self.hints = Some(proven);
                } else {
                    self.search(number, position, Some(proven));
                }
            }
        }
        true
    }
}
