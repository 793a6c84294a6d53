//! Exams: one engine is asked for a move in the positions of a solved game, and its answers are graded.
//!
//! [`run()`] starts the engine, usually a child process. It asks for a move in every position that can arise and
//! in which the game goes on, or in a sample of these positions. Every answer is compared with proven values.
//! Where a board is so small that all answers are in memory at once, the report also has the expected results of
//! games against a perfect and against a random opponent. They are computed; no game is played.
//!
//! | file | what it holds |
//! |---|---|
//! | `settings.rs` | the settings of an exam; why it ends early |
//! | `solved_game.rs` | the value of each position, and a position with its rated moves |
//! | `questions.rs` | every position of a game; all questions of an exam, or a sample |
//! | `run.rs` | the exam of several games; asking the questions of one |
//! | `response.rs` | what the engine answered to a question |
//! | `faults.rs` | how many answers gave value away, which, and how each is refuted |
//! | `expectation.rs` | expected results of games |
//! | `report.rs` | all of this together |
//! | `tables.rs` | a report in every format |

mod expectation;
mod faults;
mod questions;
mod report;
mod response;
mod run;
mod settings;
mod solved_game;
mod tables;

pub use expectation::{Odds, Opponent};
pub use faults::{Fault, FaultCount, Finding, Grade};
pub use questions::PositionSample;
pub use report::{BothSides, ExamEngine, ExamReport, Expected, Scores};
pub use run::{ExamOutcome, run};
pub use settings::{ExamFailure, ExamSettings, Selection};
pub use tables::write;
