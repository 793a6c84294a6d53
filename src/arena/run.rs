//! A match from its start to its summary.

use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::client::{RunContext, RunObserver, RunProgress};

use super::context::MatchContext;
use super::match_run::{MatchFailure, MatchRun};
use super::openings::{Book, OpeningsError};
use super::record_file::{RecordError, Run};
use super::result_store::{ResultStore, ResumeState};
use super::schedule::Schedule;
use super::settings::MatchSettings;
use super::summary::MatchSummary;
use super::tables::speed_text;
use super::tally::PairTally;
use super::worker;

/// The time between two reports of progress to the observer.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// Why a match cannot begin.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum MatchError {
    /// A problem with the openings.
    #[error(transparent)]
    Openings(#[from] OpeningsError),
    /// A problem with a record file.
    #[error(transparent)]
    Record(#[from] RecordError),
}

/// The result of a match.
pub struct MatchOutcome {
    /// The summary of all games that count.
    pub summary: MatchSummary,
    /// The reason why the match ended early, if it did.
    pub failure: Option<MatchFailure>,
}

/// Plays a match to its end, or as far as it comes. All engine processes have ended when this returns.
///
/// # Errors
/// When the match cannot begin. A later failure is in [`MatchOutcome::failure`], beside the summary of the games so
/// far.
pub fn run(
    settings: MatchSettings,
    run_context: &RunContext,
    observer: Arc<dyn RunObserver>,
) -> Result<MatchOutcome, MatchError> {
    let mut resumed = ResumeState::read(&settings)?;
    let recorded_seed = resumed.seed.as_ref().map(|(seed, _)| *seed);
    let seed = settings.seed.or(recorded_seed).unwrap_or_else(|| rand::random::<u32>().into());
    let book = Book::open(&settings.openings, settings.rules, settings.balanced, seed)?;
    let match_id = settings.fingerprint(seed, book.fingerprint()).to_string();
    if let (Some((_, id)), Some(path)) = (&resumed.seed, &settings.record)
        && *id != match_id
    {
        return Err(RecordError::other_match(path).into());
    }
    let (played, is_torn) = (std::mem::take(&mut resumed.games), resumed.torn.is_some());
    let schedule = Schedule::new(&settings);
    let this_run = Run::new(&settings, &schedule, &match_id, seed, resumed.runs + 1);
    let results = ResultStore::open(&settings, resumed, this_run)?;
    if is_torn {
        observer.warn("the last line of the record was torn; its game is played again");
    }
    let of = schedule.count();
    let (warnings, faults) = Default::default();
    let context = MatchContext { settings, book, match_id, seed, observer, warnings, faults };
    let run = MatchRun::new(context, run_context.clone(), results, &schedule, played);
    let seconds = play(&run, of);
    run.context.warn_of_repeats();
    Ok(outcome(run, seconds, of))
}

/// Plays all games with one thread for each worker. Returns the seconds it took.
fn play(run: &MatchRun, of: u64) -> f64 {
    let start = Instant::now();
    run.stop_if_decided();
    thread::scope(|scope| {
        // Workers send nothing: the channel closes when the last of them has ended.
        let (running, ended) = channel::<()>();
        for number in 0..run.context.settings.concurrency {
            let running = running.clone();
            let work = move || {
                worker::work(run, number);
                drop(running);
            };
            let thread = thread::Builder::new().name(format!("worker {number}"));
            if let Err(error) = thread.spawn_scoped(scope, work) {
                // The other workers play all games.
                match number {
                    0 => run.fail(MatchFailure::Run(format!("cannot start a thread: {error}"))),
                    _ => run.context.observer.warn(&format!("only {number} games are played at a time: {error}")),
                }
                break;
            }
        }
        drop(running);
        while ended.recv_timeout(PROGRESS_INTERVAL) == Err(RecvTimeoutError::Timeout) {
            run.context.observer.progress(&progress(run, start, of));
        }
    });
    start.elapsed().as_secs_f64()
}

/// The games so far, and their speed. Between two engines, also the results of the first.
fn progress(run: &MatchRun, start: Instant, of: u64) -> RunProgress {
    let results = run.results();
    let done = results.tally.games();
    let speed = speed_text((done - run.resumed) as f64 / start.elapsed().as_secs_f64());
    let between_two = run.context.settings.engines.len() == 2;
    let outcomes = results.tally.pairings().next().filter(|_| between_two).map(PairTally::outcomes);
    let score = outcomes.and_then(|outcomes| {
        let [losses, draws, wins] = outcomes.counts();
        outcomes.mean_score().map(|score| format!("  +{wins} ={draws} -{losses}  {score:.4}"))
    });
    RunProgress { done, of, note: format!("{speed}/s{}", score.unwrap_or_default()) }
}

/// The summary at the end of the match.
fn outcome(run: MatchRun, seconds: f64, of: u64) -> MatchOutcome {
    let (failure, resumed) = (run.failure(), run.resumed);
    let (context, tally) = run.into_parts();
    let settings = &context.settings;
    let played = tally.games() - resumed;
    let summary = MatchSummary {
        match_id: context.match_id.clone(),
        rules: Some(settings.rules),
        limit: settings.limit.to_string(),
        seed: context.seed,
        openings: context.book.size(),
        of: Some(of),
        games_per_second: (played > 0 && seconds > 0.0).then(|| played as f64 / seconds),
        ..MatchSummary::of(&tally, settings.sprt)
    };
    MatchOutcome { summary, failure }
}
