//! The engine that finds out what every empty square is worth.

use std::io;
use std::num::NonZeroU64;

use crate::engine::{Options, SearchPurpose};
use noughts_core::game::Position;
use noughts_core::search::Limits;

use super::engine_thread::EngineThread;
use super::hints::Hints;
use super::player_answer::{AnswerHandler, PlayerAnswer, PlayerReply, RequestNumbers};
use super::settings::{MoveBudget, PlaySettings};

/// Positions that the proof may look at.
const PROOF_NODES: u64 = 1_000_000;

/// Time for the proof, in milliseconds.
const PROOF_TIME: u64 = 1500;

/// Playouts where the proof does not decide. Their scores are not shown: the values come from a search of their own.
const PROOF_TRIALS: u64 = 100;

/// The seed of the hints: without a clock, the same position has the same hints.
const SEED: u64 = 1;

/// Searches for hints in the background, while they are wanted.
pub struct HintEngine {
    thread: EngineThread,
    wanted: bool,
    /// The position that the hints are about.
    position: Option<Position>,
    /// The limits of the tree search, if there is one.
    limits: Limits,
    /// The number of the search that runs, and what it is for.
    running: Option<(u64, Stage)>,
    hints: Option<Hints>,
}

/// Proofs come first, then a tree search where the proofs do not decide.
enum Stage {
    Proofs,
    /// With what has been proven.
    Tree(Box<Hints>),
}

impl HintEngine {
    /// Starts the engine; the answers of its searches go to `handler`.
    ///
    /// # Errors
    /// When the system has no thread left.
    pub fn start(handler: AnswerHandler) -> io::Result<HintEngine> {
        let thread = EngineThread::start(SEED, handler)?;
        let limits = Limits::default();
        Ok(HintEngine { thread, wanted: false, position: None, limits, running: None, hints: None })
    }

    /// Whether hints are wanted.
    pub fn is_wanted(&self) -> bool {
        self.wanted
    }

    /// Says whether hints are wanted.
    pub fn want(&mut self, wanted: bool) {
        self.wanted = wanted;
    }

    /// The hints, if they are wanted and known.
    pub fn hints(&self) -> Option<&Hints> {
        self.hints.as_ref().filter(|_| self.wanted)
    }

    /// Whether hints are on their way.
    pub fn is_searching(&self) -> bool {
        self.running.is_some()
    }

    /// Forgets the hints, because the settings have changed.
    pub fn forget(&mut self) {
        self.position = None;
        self.hints = None;
    }

    /// Searches for the hints of this position, unless that is done already or hints are not wanted.
    pub fn look_at(&mut self, position: Option<Position>, settings: &PlaySettings, numbers: &mut RequestNumbers) {
        let position = position.filter(|_| self.wanted);
        if position.is_some() && self.position == position {
            return;
        }
        if self.running.take().is_some() {
            self.thread.stop();
        }
        self.hints = None;
        self.position = position;
        let Some(position) = position else { return };
        // A long thought about a move is no reason to wait as long for hints.
        let time = settings.budget.time().map(|_| MoveBudget::SECOND);
        self.limits = time.unwrap_or(settings.budget).limits();
        let (nodes, trials) = (NonZeroU64::new(PROOF_NODES), NonZeroU64::new(PROOF_TRIALS));
        let limits = Limits { nodes, trials, move_time: Some(PROOF_TIME), ..Limits::default() };
        self.search(numbers.next(), Stage::Proofs, position, limits);
    }

    fn search(&mut self, number: u64, stage: Stage, position: Position, limits: Limits) {
        let purpose = match stage {
            Stage::Proofs => SearchPurpose::ProvenHints,
            Stage::Tree(_) => SearchPurpose::ExpectedHints,
        };
        let options = Options { rules: position.rules(), ..Options::default() };
        self.thread.ask(number, position, options, limits, purpose);
        self.running = Some((number, stage));
    }

    /// Takes the answer of a search; true if there may be more to show.
    pub fn receive(&mut self, answer: PlayerAnswer, numbers: &mut RequestNumbers) -> bool {
        let Some((_, stage)) = self.running.take_if(|(number, _)| *number == answer.request) else { return false };
        let (Ok(PlayerReply::Searched(result)), Some(position)) = (answer.result, self.position) else { return false };
        match stage {
            Stage::Tree(proven) => self.hints = Some(proven.and_expected(position.side(), &result)),
            Stage::Proofs => {
                let proven = Hints::proven(position.side(), &result);
                if proven.is_decided() {
                    self.hints = Some(proven);
                } else {
                    let stage = Stage::Tree(Box::new(proven));
                    self.search(numbers.next(), stage, position, self.limits);
                }
            }
        }
        true
    }
}
