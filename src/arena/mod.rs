//! Matches: engines against each other, and what their results mean.
//!
//! [`run`] plays a match. Engines are child processes that are kept from game to game; this program alone judges the
//! moves, by the rules of [`noughts_core::game`]. Games are entered in a record file as they end, and all that is said about a
//! match is computed from such records, so that a match can be broken off, continued, and put together from parts.
//!
//! | file | what it holds |
//! |---|---|
//! | `settings.rs` | what a match is to be |
//! | `openings.rs`, `schedule.rs` | where games begin, and which are played in which order |
//! | `lane.rs` | a thread that plays games one after the other |
//! | `game.rs`, `clocks.rs` | one game, and the time of its players |
//! | `batch.rs` | many games at once |
//! | `record.rs`, `pgn.rs` | games as they are written down |
//! | `ledger.rs`, `tally.rs` | entering games; totals |
//! | `statistics.rs` | what totals mean |
//! | `summary.rs`, `tables.rs` | a match in figures, and in print |
//!
//! How a game travels: the schedule makes a plan of it, a lane plays it into a record, the ledger enters the record
//! into the files and then into the tally, and the summary is read off the tally.

mod batch;
mod clocks;
mod game;
mod lane;
mod ledger;
mod openings;
mod pgn;
pub mod record;
mod report;
mod schedule;
mod settings;
pub mod statistics;
mod summary;
mod tables;
mod tally;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::client::{Failure, RunContext, StartError};
use crate::text::on_one_line;
use noughts_core::game::Position;

pub use openings::{Book, Opening, Openings, OpeningsError};
pub use report::{ReportError, report};
pub use settings::{Limit, MatchSettings, SettingError, Shard, TimeControl};
pub use summary::{EngineSummary, Games, MarginUse, MatchSummary, PairingSummary, Part, Range, SprtSummary};
pub use tables::write as write_summary;
pub use tally::{Pairing, Tally};

use lane::Shared;
use ledger::{Beginning, Ledger};
use record::{GameRecord, RecordError};
use schedule::{Plan, Schedule};
use statistics::Outcomes;

/// How often an observer hears of the progress of a match.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// Somebody who watches a match.
pub trait Observer: Send + Sync {
    /// Something that people should know went wrong, and the match goes on.
    fn warn(&self, warning: &str);

    /// How far the match has come, several times a second.
    fn progress(&self, progress: &Progress);
}

/// Nobody watches.
impl Observer for () {
    fn warn(&self, _: &str) {}

    fn progress(&self, _: &Progress) {}
}

/// How far a match has come.
#[derive(Clone, Debug)]
pub struct Progress {
    /// Games so far, those of a match that is continued included.
    pub games: u64,
    /// Games of the whole match.
    pub of: u64,
    /// Games a second since it began.
    pub games_a_second: f64,
    /// Between two engines, the results of the first.
    pub results: Option<Outcomes<3>>,
}

/// What all games of a match have in common.
struct Terms {
    settings: MatchSettings,
    book: Book,
    match_id: String,
    seed: u64,
    observer: Arc<dyn Observer>,
    /// How often each warning was given.
    warnings: Mutex<BTreeMap<String, u64>>,
}

impl Terms {
    /// Warns; of the same thing once, for an engine with a bad habit shows it in every move.
    fn warn(&self, warning: String) {
        let mut warnings = self.warnings.lock().unwrap_or_else(PoisonError::into_inner);
        match warnings.entry(warning) {
            Entry::Occupied(mut times) => *times.get_mut() += 1,
            Entry::Vacant(new) => {
                self.observer.warn(new.key());
                new.insert(1);
            }
        }
    }

    /// Warns of an engine that gives more answers than it is asked for.
    fn warn_of_stale(&self, name: &str) {
        self.warn(format!("{name}: an answer to an earlier question came late and is ignored"));
    }

    /// Says which warnings would have been given again.
    fn warn_of_repeats(&self) {
        let warnings = self.warnings.lock().unwrap_or_else(PoisonError::into_inner);
        for (warning, times) in warnings.iter().filter(|(_, times)| **times > 1) {
            self.observer.warn(&format!("{warning} ({times} times in all)"));
        }
    }

    /// Whether anybody will read what engines say of their moves.
    fn records_info(&self) -> bool {
        self.settings.record.is_some()
    }
}

/// A game that has ended.
struct Verdict {
    record: GameRecord,
    /// The position of the opening.
    opening: Position,
    /// An engine that cannot be used again, and why.
    broken: Option<(usize, Failure)>,
}

/// How a match went.
pub struct Played {
    /// Its figures, as far as it came.
    pub summary: MatchSummary,
    /// Why it ended before its time.
    pub failure: Option<MatchFailure>,
}

/// Why a match ended before its time.
#[derive(Clone, PartialEq, Debug)]
pub enum MatchFailure {
    /// An engine cannot take part.
    Start {
        /// The engine.
        name: String,
        /// Its command.
        command: String,
        /// Why not.
        error: StartError,
    },
    /// An engine crashed or hung.
    Broken {
        /// The engine.
        name: String,
        /// Its command.
        command: String,
        /// What it did.
        failure: Failure,
    },
    /// A game cannot be recorded.
    Record(RecordError),
    /// Somebody broke it off.
    Interrupted,
    /// The program broke down.
    Panic,
}

impl fmt::Display for MatchFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MatchFailure::Start { name, command, error } => {
                write!(f, "engine {name} ({}) {error}", on_one_line(command))
            }
            MatchFailure::Broken { name, command, failure } => {
                let command = on_one_line(command);
                write!(f, "engine {name} ({command}) {failure}; --recover would start it again and play on")
            }
            MatchFailure::Record(error) => write!(f, "{error}; no game counts that is not recorded"),
            MatchFailure::Interrupted => f.write_str("the match was interrupted"),
            MatchFailure::Panic => f.write_str("this program broke down, which is a fault of its own"),
        }
    }
}

impl std::error::Error for MatchFailure {}

/// Why a match cannot begin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MatchError {
    /// The openings.
    Openings(OpeningsError),
    /// The files.
    Record(RecordError),
}

impl fmt::Display for MatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MatchError::Openings(error) => write!(f, "{error}"),
            MatchError::Record(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for MatchError {}

/// Plays a match to its end, or as far as it comes. No engine is left behind.
///
/// # Errors
/// When it cannot begin. What ends it later stands in [`Played::failure`], beside the figures of the games before.
pub fn run(
    settings: MatchSettings,
    surroundings: &RunContext,
    observer: Arc<dyn Observer>,
) -> Result<Played, MatchError> {
    let mut beginning = Beginning::read(&settings).map_err(MatchError::Record)?;
    let begun = beginning.seed.as_ref().map(|(seed, _)| *seed);
    let seed = settings.seed.or(begun).unwrap_or_else(|| rand::random::<u32>().into());
    let book = Book::open(&settings.openings, settings.rules, settings.balanced, seed).map_err(MatchError::Openings)?;
    let match_id = settings.fingerprint(seed, book.fingerprint()).to_string();
    if let (Some((_, id)), Some(path)) = (&beginning.seed, &settings.record)
        && *id != match_id
    {
        return Err(MatchError::Record(RecordError::OtherMatch(path.clone())));
    }
    if beginning.torn.is_some() {
        observer.warn("the last line of the record was torn; its game is played again");
    }
    let played = std::mem::take(&mut beginning.games);
    let ledger = Ledger::open(&settings, beginning).map_err(MatchError::Record)?;
    let schedule = Schedule::new(&settings);
    let of = schedule.games();
    let shared = Shared::new(
        Terms { settings, book, match_id, seed, observer, warnings: Mutex::default() },
        surroundings.clone(),
        ledger,
        &schedule,
        played,
    );
    let seconds = shared.play(of);
    shared.terms.warn_of_repeats();
    Ok(shared.into_played(seconds, of))
}

impl Shared {
    /// Plays all games, and returns the seconds it took.
    fn play(&self, of: u64) -> f64 {
        let start = Instant::now();
        self.stop_if_decided();
        thread::scope(|scope| {
            // Lanes say nothing: the channel closes when the last of them has ended.
            let (running, ended) = channel::<()>();
            for lane in 0..self.terms.settings.concurrency {
                let running = running.clone();
                scope.spawn(move || {
                    self.lane(lane);
                    drop(running);
                });
            }
            drop(running);
            while ended.recv_timeout(PROGRESS_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                self.terms.observer.progress(&self.progress(start, of));
            }
        });
        start.elapsed().as_secs_f64()
    }

    fn progress(&self, start: Instant, of: u64) -> Progress {
        let ledger = self.ledger();
        let games = ledger.tally.games();
        let between_two = self.terms.settings.engines.len() == 2;
        let results = ledger.tally.pairings().next().filter(|_| between_two).map(Pairing::outcomes);
        let games_a_second = (games - self.resumed) as f64 / start.elapsed().as_secs_f64();
        Progress { games, of, games_a_second, results }
    }

    /// The figures at the end.
    fn into_played(self, seconds: f64, of: u64) -> Played {
        let before = self.resumed;
        let failure = self.failure();
        let ledger = self.ledger.into_inner().unwrap_or_else(PoisonError::into_inner);
        let settings = &self.terms.settings;
        let mut summary = MatchSummary::of(&ledger.tally, settings.sprt);
        summary.describe(&self.terms.match_id, settings.rules, settings.limit, self.terms.seed, self.terms.book.size());
        summary.of = Some(of);
        let played = ledger.tally.games() - before;
        summary.games_per_second = (played > 0 && seconds > 0.0).then(|| played as f64 / seconds);
        Played { summary, failure }
    }
}
