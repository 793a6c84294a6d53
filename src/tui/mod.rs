//! Playing against the engine: a table with two sides, and the faces that show it to people.
//!
//! This module knows no rules. A [`Desk`] asks a session of its own, in the words of `protocol.md`, what the position is,
//! which moves are legal and how the game has ended; the players answer `go`, each in a session or a program of its own;
//! an adviser in one more session says what every empty square is worth. The [`Table`] keeps the game and who sits where,
//! and never waits: questions go out, and answers come in whenever they are there. Faces read and draw.
//!
//! | file | what it holds |
//! |---|---|
//! | `desk.rs` | a session that is asked and answers at once, and the position as it tells it |
//! | `participant.rs` | what is played, and by whom |
//! | `answer.rs` | what comes back from a player or the adviser |
//! | `thinker.rs`, `visitor.rs` | players on threads of their own: those of this engine, and other programs |
//! | `table.rs` | the game, its history, and whose turn it is |
//! | `seat.rs` | what plays where no person does, and who gives advice |
//! | `history.rs` | the moves of the game looked at again |
//! | `advice.rs` | what every empty square is worth |
//! | `refusal.rs` | why something is not done |
//! | `plain.rs` | the game as lines of text |
//! | `screen.rs` and what is below it | the board that fills a terminal |

mod advice;
mod answer;
mod desk;
mod history;
mod participant;
mod plain;
mod refusal;
pub mod screen;
mod seat;
mod table;
mod thinker;
mod visitor;

pub use advice::{Advice, Worth};
pub use answer::{Answer, Post, Said};
pub use desk::{Board, Desk};
pub use participant::{Participant, Settings};
pub use plain::{Manner, play as play_plainly};
pub use refusal::Refusal;
pub use table::{Table, Turn, Verdict};
