//! A computer player: a built-in player or another program.

use noughts_core::game::{Cell, Player, Position};

use super::builtin_player::BuiltinPlayer;
use super::evaluation::Evaluation;
use super::external_player::ExternalPlayer;
use super::play_error::PlayError;
use super::player_answer::AnswerHandler;
use super::settings::{Participant, PlaySettings};

/// A computer player. It thinks on a thread of its own; no call waits for it.
pub enum ComputerPlayer {
    /// A player of this engine.
    Builtin(BuiltinPlayer),
    /// Another program.
    External(ExternalPlayer),
}

impl ComputerPlayer {
    /// The player of a side; `None` if a person plays it.
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
                Some(ComputerPlayer::Builtin(BuiltinPlayer::start(*kind, side, seed, handler)?))
            }
            Participant::External(setup) => {
                Some(ComputerPlayer::External(ExternalPlayer::start(setup.clone(), handler)?))
            }
        })
    }

    /// Asks for a move in the position after these moves; the answer has the same number.
    pub fn ask(&mut self, number: u64, position: Position, moves: &[Cell], settings: &PlaySettings) {
        match self {
            ComputerPlayer::Builtin(player) => player.ask(number, position, settings),
            ComputerPlayer::External(player) => player.ask(number, moves, settings),
        }
    }

    /// What the player, who is to move, has said last about the request with this number.
    pub fn progress(&self, number: u64, side: Player) -> Option<Evaluation> {
        match self {
            ComputerPlayer::Builtin(player) => {
                player.thread.progress(number).map(|result| Evaluation::of_search(side, &result))
            }
            ComputerPlayer::External(player) => player.progress(number, side),
        }
    }

    /// Gives up the requests up to this number.
    pub fn give_up(&self, number: u64) {
        match self {
            ComputerPlayer::Builtin(player) => player.thread.stop(),
            ComputerPlayer::External(player) => player.give_up(number),
        }
    }
}
