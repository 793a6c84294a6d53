//! Matches out of their record files.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::path::PathBuf;

use super::Observer;
use super::record::{self, GameRecord, RecordError};
use super::statistics::Sprt;
use super::summary::MatchSummary;
use super::tally::Tally;

/// Why there is nothing to report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReportError {
    /// A file cannot be read.
    Record(RecordError),
    /// There is no game in the files.
    Empty,
}

impl fmt::Display for ReportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReportError::Record(error) => write!(f, "{error}"),
            ReportError::Empty => f.write_str("there is no game in these files"),
        }
    }
}

impl std::error::Error for ReportError {}

/// A match as far as its files have been read.
struct Gathered {
    summary: MatchSummary,
    tally: Tally,
    games: HashSet<u64>,
}

/// The figures of the matches whose games are in these files, in the order in which they are met. Parts of one match
/// are put together; a game that is there twice counts once.
///
/// # Errors
/// When a file cannot be read, or there is no game.
pub fn report(
    files: &[PathBuf],
    sprt: Option<Sprt>,
    observer: &dyn Observer,
) -> Result<Vec<MatchSummary>, ReportError> {
    let mut matches: Vec<Gathered> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut twice = 0;
    for path in files {
        let (_, torn) = record::read(path, |game| {
            let place = *places.entry(game.match_id.clone()).or_insert_with(|| {
                matches.push(Gathered::new(&game));
                matches.len() - 1
            });
            twice += u64::from(!matches[place].add(&game));
        })
        .map_err(ReportError::Record)?;
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

impl Gathered {
    fn new(game: &GameRecord) -> Gathered {
        let mut summary = MatchSummary::of(&Tally::default(), None);
        summary.match_id = game.match_id.clone();
        summary.rules = Some(game.rules);
        summary.limit = game.limit.clone();
        summary.seed = game.seed;
        summary.openings = game.opening.of;
        Gathered { summary, tally: Tally::default(), games: HashSet::new() }
    }

    /// Counts a game, unless it is there already.
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
