//! A computer player: a built-in player or another program.

use std::num::NonZeroU64;

use crate::engine::{Options, PlayerKind, SearchPurpose};
use noughts_core::game::{Cell, Player, Position, Rules};
use noughts_core::search::{Level, Limits};

use super::engine_thread::EngineThread;
use super::evaluation::Evaluation;
use super::external_player::ExternalPlayer;
use super::player_answer::AnswerHandler;
use super::settings::{MoveBudget, Participant, PlayError, PlaySettings};

/// The most positions that a proof or a textbook search visits for a move without a clock: a few seconds on a large board.
const NODES: u32 = 2_000_000;

/// The most playouts of a guess of the perfect player that has a clock: more than there is time for.
const MOST_PLAYOUTS: u32 = i32::MAX as u32;

/// The largest seed of the engine.
const MAX_SEED: u32 = i32::MAX as u32;

/// A computer player. It thinks on a thread of its own; no call waits for it.
pub enum ComputerPlayer {
    /// A player of this engine.
    Builtin(PlayerKind, EngineThread),
    /// Another program.
    External(ExternalPlayer),
}

impl ComputerPlayer {
    /// The player of a side; `None` if a person plays it. The built-in players of the two sides draw different random
    /// numbers from the same seed; seed 0 stands for a seed from the operating system.
    ///
    /// # Errors
    /// When the system has no thread or process left.
    pub fn start(
        participant: &Participant,
        side: Player,
        seed: u32,
        handler: AnswerHandler,
    ) -> Result<Option<ComputerPlayer>, PlayError> {
        Ok(match participant {
            Participant::Person => None,
            Participant::Builtin(kind) => {
                let seed = match (seed, side) {
                    (0, _) => rand::random(),
                    (seed, Player::X) => seed.into(),
                    (seed, Player::O) => (seed % MAX_SEED + 1).into(),
                };
                Some(ComputerPlayer::Builtin(*kind, EngineThread::start(seed, handler)?))
            }
            Participant::External(setup) => {
                Some(ComputerPlayer::External(ExternalPlayer::start(setup.clone(), handler)?))
            }
        })
    }

    /// Asks for a move in the position after these moves; the answer has the same number.
    pub fn ask(&mut self, number: u64, position: Position, moves: &[Cell], settings: &PlaySettings) {
        match self {
            ComputerPlayer::Builtin(kind, thread) => {
                let (options, limits) = bounded_search(*kind, position.rules(), settings);
                thread.ask(number, position, options, limits, SearchPurpose::Move);
            }
            ComputerPlayer::External(player) => player.ask(number, moves, settings),
        }
    }

    /// The last thing that the player has said about the request with this number.
    pub fn progress(&self, number: u64) -> Option<Evaluation> {
        match self {
            ComputerPlayer::Builtin(_, thread) => thread.progress.get(number),
            ComputerPlayer::External(player) => player.progress.get(number),
        }
    }

    /// Gives up the request that the player works on.
    pub fn give_up(&self) {
        match self {
            ComputerPlayer::Builtin(_, thread) => thread.stop(),
            ComputerPlayer::External(player) => player.give_up(),
        }
    }
}

/// The options and the limits of a search for a move of a player: bounded, whatever the settings are.
fn bounded_search(kind: PlayerKind, rules: Rules, settings: &PlaySettings) -> (Options, Limits) {
    let (budget, level) = (settings.budget, Level::new(settings.level));
    let trials = match budget {
        MoveBudget::Time(_) => Some(MOST_PLAYOUTS),
        MoveBudget::Playouts(playouts) => Some(playouts),
        MoveBudget::Standard => None,
    };
    let options = Options { rules, player: kind, level, trials, ..Options::default() };
    let only_nodes_end_it = match kind {
        _ if budget.time().is_some() => false,
        PlayerKind::Perfect => level == Level::FULL,
        kind => matches!(kind, PlayerKind::Textbook(_)),
    };
    // Playouts count as nodes too: the bound on nodes leaves room for all of them.
    let nodes = NonZeroU64::new(options.trials().max(NODES).into()).filter(|_| only_nodes_end_it);
    let limits = Limits { nodes, ..budget.limits() };
    (options, limits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{GoRequest, SearchPlan};
    use noughts_core::search::{Stream, generator};

    #[test]
    fn every_player_ends_its_search_and_only_a_named_time_is_a_clock() {
        for (size, connect, reverse) in [(3, 0, false), (8, 5, true), (15, 5, false), (20, 0, false)] {
            let rules = Rules::new(size, connect, reverse).expect("rules");
            for budget in [MoveBudget::SECOND, MoveBudget::Playouts(i32::MAX as u32), MoveBudget::Standard] {
                for (kind, level) in PlayerKind::all().flat_map(|kind| [(kind, 1), (kind, 10)]) {
                    let sides = [Participant::Person, Participant::Builtin(kind)];
                    let settings = PlaySettings { rules, sides, budget, level, seed: 1 };
                    let (options, limits) = bounded_search(kind, rules, &settings);
                    let generator = generator(1, Stream::Go(1));
                    let plan = SearchPlan::new(&GoRequest::new(Position::start(rules), options, limits, generator));
                    assert!(!plan.is_unbounded(), "{kind:?} {settings:?}");
                    assert_eq!(plan.deadline.is_some(), budget.time().is_some(), "{kind:?} {settings:?}");
                }
            }
        }
    }
}
