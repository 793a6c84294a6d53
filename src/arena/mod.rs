//! Matches: engines play against each other, and statistics interpret the results.
//!
//! [`run()`] plays a match. Engines, usually child processes, are kept from game to game. This program alone judges their
//! moves, by the rules of [`noughts_core::game`]. Games are entered in a record file as they end. Every number about a
//! match is computed from such records, so a match can be interrupted, resumed, and joined from parts.
//!
//! | file | what it holds |
//! |---|---|
//! | `settings.rs`, `limit.rs` | the settings of a match; the limit of a move, and the clocks that keep it |
//! | `openings/`, `schedule.rs` | the positions that games begin from; the games and their order |
//! | `run.rs` | a match from start to summary; why it cannot begin |
//! | `context.rs`, `match_run.rs` | what all games have in common; what the workers share, and why a match ends early |
//! | `worker.rs` | a thread that plays games one after the other |
//! | `game.rs` | one game |
//! | `record.rs`, `record_file.rs`, `pgn.rs` | games, and the processes that play them, as they are written down |
//! | `result_store.rs`, `tally.rs` | entering games; totals, and how many games are different |
//! | `statistics/` | what totals mean |
//! | `summary.rs`, `report.rs` | the summary of a match; summaries from record files |
//! | `tables.rs` | summaries in every format |
//!
//! The way of a game: the schedule names the game, and a worker plays it into a record. The result store enters the record
//! in the files and then in the tally. The summary is computed from the tally.

mod context;
mod game;
mod limit;
mod match_run;
mod openings;
mod pgn;
pub mod record;
mod record_file;
mod report;
mod result_store;
mod run;
mod schedule;
mod settings;
pub mod statistics;
mod summary;
mod tables;
mod tally;
mod worker;

pub use limit::{Limit, TimeControl};
pub use match_run::MatchFailure;
pub use openings::{Book, Opening, Openings, OpeningsError};
pub use record_file::RecordError;
pub use report::{ReportError, summarise_records};
pub use run::{MatchError, MatchOutcome, run};
pub use settings::MatchSettings;
pub use summary::{
    EngineSummary, GamesByColour, MarginUse, MatchSummary, PairingSummary, PartSummary, Range, SprtSummary,
};
pub use tables::write as write_summary;
