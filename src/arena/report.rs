//! Summaries of matches from their record files.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use thiserror::Error;

use super::observer::MatchObserver;
use super::record::GameRecord;
use super::record_file::{self, RecordError};
use super::statistics::Sprt;
use super::summary::MatchSummary;
use super::tally::MatchTally;

/// Why there is nothing to report.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ReportError {
    /// A file cannot be read.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// There is no game in the files.
    #[error("there is no game in these files")]
    Empty,
}

/// The games of a match in the files that have been read so far.
struct GatheredMatch {
    summary: MatchSummary,
    tally: MatchTally,
    games: HashSet<u64>,
}

/// The summaries of the matches whose games are in these files, in the order of their first games. Parts of one match
/// are put together. A game that occurs twice counts once.
///
/// # Errors
/// When a file cannot be read, or there is no game in the files.
pub fn report(
    files: &[PathBuf],
    sprt: Option<Sprt>,
    observer: &dyn MatchObserver,
) -> Result<Vec<MatchSummary>, ReportError> {
    let mut matches: Vec<GatheredMatch> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut twice = 0;
    for path in files {
        let (_, torn) = record_file::read(path, |game| {
            let place = *places.entry(game.match_id.clone()).or_insert_with(|| {
                matches.push(GatheredMatch::new(&game));
                matches.len() - 1
            });
            twice += u64::from(!matches[place].add(&game));
        })?;
        if torn {
            observer.warn(&format!("{}: the last line is torn and does not count", path.display()));
        }
    }
    match twice {
        0 => {}
        1 => observer.warn("one game is there more than once and counts once"),
        _ => observer.warn(&format!("{twice} games are there more than once and count once")),
    }
    if matches.is_empty() {
        return Err(ReportError::Empty);
    }
    Ok(matches.into_iter().map(|gathered| gathered.finish(sprt)).collect())
}

impl GatheredMatch {
    fn new(game: &GameRecord) -> GatheredMatch {
        let mut summary = MatchSummary::of(&MatchTally::default(), None);
        summary.match_id = game.match_id.clone();
        summary.rules = Some(game.rules);
        summary.limit = game.limit.clone();
        summary.seed = game.seed;
        summary.openings = game.opening.of;
        GatheredMatch { summary, tally: MatchTally::default(), games: HashSet::new() }
    }

    /// Counts a game unless it has been counted. Returns whether it was new.
    fn add(&mut self, game: &GameRecord) -> bool {
        let new = self.games.insert(game.game);
        if new {
            self.tally.add(game);
        }
        new
    }

    fn finish(self, sprt: Option<Sprt>) -> MatchSummary {
        let figures = MatchSummary::of(&self.tally, sprt);
        MatchSummary {
            games: figures.games,
            engines: figures.engines,
            pairings: figures.pairings,
            sprt: figures.sprt,
            ..self.summary
        }
    }
}
