//! Matches: engines play against each other, and statistics say what the results mean.
//!
//! [`run()`] plays a match. Engines are child processes that are kept from game to game. This program alone judges their
//! moves, by the rules of [`noughts_core::game`]. Games are entered in a record file as they end. Every number about a
//! match is computed from such records, so a match can be interrupted, resumed, and put together from parts.
//!
//! | file | what it holds |
//! |---|---|
//! | `settings.rs`, `limit.rs` | the settings of a match |
//! | `openings/`, `schedule.rs` | the positions that games begin from; the games and their order |
//! | `run.rs`, `failure.rs` | a match from start to summary; why it ends early |
//! | `context.rs`, `match_run.rs` | what all games have in common; what the workers share |
//! | `worker.rs` | a thread that plays games one after the other |
//! | `game.rs`, `clocks.rs` | one game, and the time of its players |
//! | `record.rs`, `attempt.rs`, `record_file.rs`, `pgn.rs`, `pgn_file.rs` | games, and the processes that play them, as they are written down |
//! | `result_store.rs`, `tally.rs`, `distinct.rs` | entering games; totals; how many games are different |
//! | `game_set.rs` | which games are in the records |
//! | `statistics/` | what totals mean |
//! | `summary.rs`, `report.rs` | the summary of a match; summaries from record files |
//! | `tables.rs` | summaries in every format |
//!
//! How a game travels: the schedule says which game it is, a worker plays it into a record, the result store enters the
//! record in the files and then in the tally, and the summary is computed from the tally.

mod attempt;
mod clocks;
mod context;
mod distinct;
mod failure;
mod game;
mod game_set;
mod limit;
mod match_run;
mod openings;
mod pgn;
mod pgn_file;
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

pub use context::{MatchObserver, MatchProgress};
pub use failure::{MatchError, MatchFailure};
pub use limit::{Limit, SettingError, TimeControl};
pub use openings::{Book, Opening, Openings, OpeningsError};
pub use record_file::RecordError;
pub use report::{ReportError, report};
pub use run::{MatchOutcome, run};
pub use settings::MatchSettings;
pub use summary::{
    EngineSummary, GamesByColour, MarginUse, MatchSummary, PairingSummary, PartSummary, Range, SprtSummary,
};
pub use tables::write as write_summary;
pub use tally::{MatchTally, PairTally};
