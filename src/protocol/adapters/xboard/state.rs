//! The state of the adapter.

use crate::protocol::Info;
use noughts_core::game::{Diagram, MoveText, Outcome, Player};

use super::super::pending_queries::PendingQueries;
use super::time_settings::TimeSettings;
use super::variant::XBoardVariant;

/// The adapter for XBoard and WinBoard.
pub struct XBoardClient {
    pub(super) variant: XBoardVariant,
    pub(super) game: XBoardGame,
    pub(super) mode: Mode,
    pub(super) time: TimeSettings,
    /// True if XBoard wants lines of thinking.
    pub(super) shows_thinking: bool,
    pub(super) state: XBoardState,
    /// Set while the position should be analysed and no analysis is under way.
    pub(super) analysis_is_due: bool,
}

/// The game so far; by default on the empty board.
#[derive(Clone, Default)]
pub(super) struct XBoardGame {
    /// The board that it began with; `None` for the empty board.
    pub(super) start: Option<Diagram>,
    pub(super) moves: Vec<MoveText>,
    /// The side to move, by the session. Until it has said so, X is.
    pub(super) side: Option<Player>,
    /// The result, if the game is over.
    pub(super) outcome: Option<Outcome>,
}

/// The turns at which the engine searches without being asked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// Never.
    Force,
    /// The turns of this side.
    Plays(Player),
    /// In every position, without moving.
    Analysis,
}

/// The replies of the session that the adapter waits for.
#[derive(Default)]
pub(super) enum XBoardState {
    /// None: the next line can be taken.
    #[default]
    Idle,
    /// The options of the engine, one after the other.
    Introduction,
    /// Those that show if an option takes its value; the command that sets it.
    Option(PendingQueries, String),
    /// Those that show if a new position is legal, and if the game is over in it.
    Position(PendingQueries, Box<XBoardGame>, Origin),
    /// A move; the last `info` about it.
    Search(Purpose, Box<Info>),
}

/// The origin of a new position.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Origin {
    /// A new game, or taking back.
    Command,
    /// `setboard`.
    SetBoard,
    /// A move of the client, as it was written.
    Move(String),
    /// A move of the engine.
    OwnMove,
}

/// The purpose of a search.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// A move of the engine.
    Move,
    /// A move that is shown to the client.
    Hint,
    /// Lines of thinking.
    Analysis,
    /// Nothing any more: its replies are dropped.
    Dropped,
}

impl Default for XBoardClient {
    fn default() -> XBoardClient {
        XBoardClient {
            variant: XBoardVariant::FIRST,
            game: XBoardGame::default(),
            mode: Mode::Plays(Player::O),
            time: TimeSettings::default(),
            shows_thinking: false,
            state: XBoardState::Idle,
            analysis_is_due: false,
        }
    }
}
