//! The board for people at a terminal.
//!
//! A [`LiveGame`] keeps the position, the players and the hints. It asks `game`, `engine` and `text` through their
//! functions, and other programs through `client`. It never waits: requests go out, answers come in when they are ready.
//! The plain board and the screen read it and draw.
//!
//! | file | what it holds |
//! |---|---|
//! | `live_game` | the game, its players and whose turn it is; moves taken back, played again, explained |
//! | `settings` | what is played, and by whom; why the board does not do what a person asked for |
//! | `computer_player`, `external_player` | a player that is no person: one of this engine, or another program |
//! | `engine_thread` | an engine on a thread of its own, for built-in players and hints |
//! | `player_answer`, `evaluation` | what a computer player answers, and what it says of a position |
//! | `hints` | what every empty square is worth, and the search that finds it out |
//! | `plain` | the game as lines of text |
//! | `screen` | the board that fills a terminal |

mod computer_player;
mod engine_thread;
mod evaluation;
mod external_player;
mod hints;
mod live_game;
mod plain;
mod player_answer;
pub mod screen;
mod settings;

pub use evaluation::{Evaluation, PlayerScore};
pub use hints::{Hints, hint};
pub use live_game::{LiveGame, Turn};
pub use plain::play as play_plainly;
pub use player_answer::{AnswerHandler, PlayerAnswer, PlayerReply};
pub use settings::{MoveBudget, Participant, PlayError, PlaySettings};
