//! Exams: one engine is asked for a move in the positions of a solved game, and its answers are graded.
//!
//! [`run()`] starts the engine, a child process like any other. It asks for a move in every position that can arise and
//! in which the game goes on, or in a sample of these positions. Every answer is compared with proven values.
//! Where a board is so small that all answers are in memory at once, the report also has the expected results of
//! games against a perfect and against a random opponent. They are computed; no game is played.
//!
//! | file | what it holds |
//! |---|---|
//! | `settings.rs` | the settings of an exam; its progress; the reasons why it ends early |
//! | `enumeration.rs` | every position of a game |
//! | `solved_game.rs` | the value of each position |
//! | `question.rs`, `questions.rs` | a position with its rated moves; all of them, or a sample |
//! | `run.rs`, `runner.rs` | the exam of several games; asking the questions of one |
//! | `response.rs` | the engine's answers to a question |
//! | `faults.rs` | the answers that gave value away, their number, and their refutations |
//! | `expectation.rs` | expected results of games |
//! | `report.rs` | all of this together |
//! | `tables.rs` | a report in every format |

mod enumeration;
mod expectation;
mod faults;
mod question;
mod questions;
mod report;
mod response;
mod run;
mod runner;
mod settings;
mod solved_game;
mod tables;

pub use expectation::{Odds, Opponent};
pub use faults::{Fault, FaultCount, Finding, Grade};
pub use questions::PositionSample;
pub use report::{BothSides, ExamEngine, ExamReport, Expected, Scores};
pub use run::{ExamOutcome, run};
pub use settings::{ExamFailure, ExamObserver, ExamSettings, Selection};
pub use tables::write;
