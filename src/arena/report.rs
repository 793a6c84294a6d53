//! Summaries of matches from their record files.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::client::RunObserver;
use crate::system::{LineFileError, Shard};

use super::record::GameRecord;
use super::record_file::{self, Entry, GameSet, Run};
use super::statistics::Sprt;
use super::summary::MatchSummary;
use super::tally::MatchTally;

/// The most parts that a warning names.
const MOST_SHARDS: usize = 20;

/// The reason why there is nothing to report.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ReportError {
    /// A file cannot be read.
    #[error(transparent)]
    Record(#[from] LineFileError),
    /// There is no game in the files.
    #[error("there is no game in these files")]
    Empty,
    /// The files hold parts of different matches.
    #[error("{} and {} hold parts of different matches; report them one by one", .0.display(), .1.display())]
    OtherMatch(PathBuf, PathBuf),
}

/// One match, gathered from the files.
#[derive(Default)]
struct GatheredMatch {
    summary: MatchSummary,
    tally: MatchTally,
    games: GameSet,
    /// The parts of the match that were begun, with the number of their games.
    shards: BTreeMap<Shard, u64>,
    /// The games of the whole match, if a run tells.
    of: u64,
    /// Games of a pair of engines in a round. They belong to one part.
    games_a_round: u64,
    /// The first file.
    file: PathBuf,
}

/// The summaries of the matches whose games are in these files, in the order of their first games. Parts of one match
/// are joined, and a warning names those that are missing. A game that occurs twice counts once, as
/// it is read first.
///
/// The files are read as streams. Memory holds a bit for each game.
///
/// # Errors
/// When a file cannot be read, there is no game in the files, or they hold parts of different matches.
pub fn summarise_records(
    files: &[PathBuf],
    sprt: Option<Sprt>,
    observer: &dyn RunObserver,
) -> Result<Vec<MatchSummary>, ReportError> {
    let mut matches: Vec<GatheredMatch> = Vec::new();
    let mut twice = 0;
    let mut indices: HashMap<String, usize> = HashMap::new();
    for path in files {
        let (_, torn) = record_file::read(path, |entry| {
            let id = match &entry {
                Entry::Game(game) => &game.match_id,
                Entry::Run(run) => &run.match_id,
            };
            let index = *indices.entry(id.clone()).or_insert_with(|| {
                matches.push(GatheredMatch::new(&entry, path));
                matches.len() - 1
            });
            match &entry {
                Entry::Game(game) => twice += u64::from(!matches[index].add(game)),
                Entry::Run(run) => matches[index].add_run(run),
            }
            Ok(())
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
    if let [first, second, ..] = &matches[..]
        && matches.iter().any(|gathered| gathered.shards.keys().any(|shard| shard.of > 1))
    {
        return Err(ReportError::OtherMatch(first.file.clone(), second.file.clone()));
    }
    matches.iter().for_each(|gathered| gathered.warn_of_missing(observer));
    matches.retain(|gathered| gathered.tally.games() > 0);
    if matches.is_empty() {
        return Err(ReportError::Empty);
    }
    Ok(matches.into_iter().map(|gathered| gathered.finish(sprt)).collect())
}

impl GatheredMatch {
    /// A match of which this is the first that is read.
    fn new(entry: &Entry, path: &Path) -> GatheredMatch {
        let (match_id, rules, limit, seed, swap) = match entry {
            Entry::Game(game) => (&game.match_id, game.rules, &game.limit, game.seed, game.swap),
            Entry::Run(run) => (&run.match_id, run.rules, &run.limit, run.seed, run.swap),
        };
        let (match_id, limit) = (match_id.clone(), limit.clone());
        let summary = MatchSummary { match_id, rules: Some(rules), limit, seed, ..MatchSummary::default() };
        let games_a_round = if swap { 2 } else { 1 };
        GatheredMatch { summary, games_a_round, file: path.to_owned(), ..GatheredMatch::default() }
    }

    fn add_run(&mut self, run: &Run) {
        let games = self.shards.entry(run.shard).or_default();
        // A match that is resumed may have become longer.
        *games = run.games.max(*games);
        self.of = run.of.max(self.of);
    }

    /// Counts a game unless it has been counted. Returns whether it was new.
    fn add(&mut self, game: &GameRecord) -> bool {
        let is_new = self.games.insert(game.game);
        if is_new {
            self.summary.openings = game.opening.of;
            self.tally.add(game);
        }
        is_new
    }

    /// Warns of the parts of the match that are missing or not complete.
    fn warn_of_missing(&self, observer: &dyn RunObserver) {
        let divisions: BTreeSet<u64> = self.shards.keys().map(|shard| shard.of).filter(|&of| of > 1).collect();
        let missing = self.of.saturating_sub(self.tally.games());
        if divisions.is_empty() || missing == 0 {
            return;
        }
        let match_id = &self.summary.match_id;
        let mut text = format!("match {match_id}: {missing} of {} games are missing", self.of);
        if let (Some(&of), 1) = (divisions.first(), divisions.len()) {
            let mut played = vec![0u64; usize::try_from(of.min(1 << 20)).unwrap_or_default()];
            for game in self.games.iter() {
                if let Some(games) = played.get_mut((game / self.games_a_round % of) as usize) {
                    *games += 1;
                }
            }
            let lacking = played.iter().zip(1..).filter_map(|(&played, part)| {
                let shard = Shard::new(part, of)?;
                match self.shards.get(&shard) {
                    None => Some(format!("shard {shard} is not there")),
                    Some(&games) => (played < games).then(|| format!("shard {shard} has {played} of {games} games")),
                }
            });
            let lacking: Vec<String> = lacking.collect();
            lacking.iter().take(MOST_SHARDS).for_each(|lacking| text += &format!("; {lacking}"));
            if lacking.len() > MOST_SHARDS {
                text += &format!("; and {} others", lacking.len() - MOST_SHARDS);
            }
        } else {
            text += "; its parts do not belong to one division into shards";
        }
        observer.warn(&text);
    }

    fn finish(self, sprt: Option<Sprt>) -> MatchSummary {
        let MatchSummary { match_id, rules, limit, seed, openings, .. } = self.summary;
        MatchSummary { match_id, rules, limit, seed, openings, ..MatchSummary::of(&self.tally, sprt) }
    }
}
