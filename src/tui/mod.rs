//! The board for people at a terminal.
//!
//! A [`LiveGame`] keeps the position, the players and the hints. It asks `game`, `engine` and `text` through their
//! functions, and other programs through `client`. It never waits: requests go out, answers come in when they are ready.
//! The plain board and the screen read it and draw.
//!
//! | file | what it holds |
//! |---|---|
//! | `live_game`, `history` | the game, its players and whose turn it is; moves taken back, played again, explained |
//! | `settings` | what is played, and by whom |
//! | `computer_player` | a player that is no person: `builtin_player` or `external_player` |
//! | `engine_thread` | an engine on a thread of its own, for built-in players and hints |
//! | `player_answer`, `evaluation` | what a computer player answers, and what it says of a position |
//! | `hints`, `hint_engine` | what every empty square is worth, and the search that finds it out |
//! | `play_error` | why the board does not do what a person asked for |
//! | `plain` | the game as lines of text |
//! | `screen` | the board that fills a terminal |

mod builtin_player;
mod computer_player;
mod engine_thread;
mod evaluation;
mod external_player;
mod hint_engine;
mod hints;
mod history;
mod live_game;
mod plain;
mod play_error;
mod player_answer;
pub mod screen;
mod settings;

pub use evaluation::{Evaluation, PlayerScore};
pub use hints::{Hint, Hints};
pub use live_game::{LiveGame, Turn};
pub use plain::play as play_plainly;
pub use play_error::PlayError;
pub use player_answer::{AnswerHandler, PlayerAnswer, PlayerError, PlayerReply};
pub use settings::{MoveBudget, Participant, PlaySettings};
