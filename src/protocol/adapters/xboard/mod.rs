//! The Chess Engine Communication Protocol, version 2, of XBoard and WinBoard.
//!
//! The source is "Chess Engine Communication Protocol" (Tim Mann and H. G. Muller, 1999 to 2016). Each game is a variant,
//! and XBoard learns from the adapter all it has to know about it: a stone is a piece that is dropped on an empty square
//! and never moves. XBoard does not know what ends such a game. So the engine claims the result, also after a move of
//! its opponent.
//!
//! There is an adapter for clients only.
//!
//! | file | content |
//! |---|---|
//! | `client.rs` | the state machine: lines of XBoard and replies of the session |
//! | `state.rs` | the states that it can be in |
//! | `commands.rs` | what each command of XBoard does |
//! | `variant.rs` | the games, and how their moves are written |
//! | `time_settings.rs` | XBoard's settings of time |
//! | `messages.rs` | features, options, thinking and results in XBoard's words |

mod client;
mod commands;
mod messages;
mod state;
mod time_settings;
mod variant;

pub use state::XBoardClient;
