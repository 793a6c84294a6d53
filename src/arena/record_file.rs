//! Record files of matches: reading games and runs. A run is a process that plays a match or a part of one. It begins
//! with a line of its own in the record.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::system::process::host_name;
use crate::system::{LineFileError, LineKind, Shard, read_lines};
use crate::text::{Excerpt, is_line};
use noughts_core::game::Rules;

use super::record::{GameRecord, MAX_ENGINES};
use super::schedule::Schedule;
use super::settings::MatchSettings;

/// The reason why a record file cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RecordError {
    /// The file cannot be read or written.
    #[error(transparent)]
    File(#[from] LineFileError),
    /// The record or the PGN file holds other games than those of this match, or than the record.
    #[error("{0}")]
    OtherGames(String),
}

impl RecordError {
    /// The record holds games of another match.
    pub(super) fn other_match(path: &Path) -> RecordError {
        let path = path.display();
        RecordError::OtherGames(format!("{path} holds games of a match with other engines, rules or settings"))
    }
}

/// The lines of records: games and runs. Games of the largest board are far shorter than the longest line.
const KIND: LineKind =
    LineKind { name: "a game", longest: 16 << 20, beginnings: &[b"{\"match\":\"", b"{\"attempt\":{"] };

/// A line of a record.
pub enum Entry {
    /// A game.
    Game(Box<GameRecord>),
    /// The beginning of a process that plays games.
    Run(Run),
}

impl Entry {
    /// Reads a line.
    fn read(line: &[u8]) -> Result<Entry, String> {
        let (entry, problem) = if line.trim_ascii_start().starts_with(KIND.beginnings[1]) {
            let RunLine { run } = serde_json::from_slice(line).map_err(|error| error.to_string())?;
            let problem = run.problem();
            (Entry::Run(run), problem)
        } else {
            let game: GameRecord = serde_json::from_slice(line).map_err(|error| error.to_string())?;
            let problem = game.problem();
            (Entry::Game(Box::new(game)), problem)
        };
        problem.map_or(Ok(entry), Err)
    }
}

/// Reads the lines of a record and hands each to `take`, which says what is wrong with it if anything is. Returns the length
/// of all whole lines, in bytes, and whether there is a torn line behind them.
///
/// # Errors
/// When the file cannot be read, a whole line is no possible game or run, or a torn line does not begin like one.
pub fn read(path: &Path, mut take: impl FnMut(Entry) -> Result<(), String>) -> Result<(u64, bool), LineFileError> {
    read_lines(path, KIND, |line| take(Entry::read(line)?))
}

/// A process that plays a match or a part of one, as the record tells of it. A match that is resumed has several.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct Run {
    /// The fingerprint of the match.
    #[serde(rename = "match")]
    pub match_id: String,
    /// Its number in its file, from 1.
    pub number: u64,
    /// The machine on which it runs.
    pub host: String,
    /// The number of the process on that machine.
    pub process: u32,
    /// The version of Noughts.
    pub version: String,
    /// The part of the match that it plays.
    pub shard: Shard,
    /// The games of that part.
    pub games: u64,
    /// The games of the whole match.
    pub of: u64,
    /// True if openings are played with both colours.
    pub swap: bool,
    /// The names of the engines.
    pub engines: Vec<String>,
    /// The rules.
    pub rules: Rules,
    /// The limit of a move.
    pub limit: String,
    /// The seed of the match.
    pub seed: u64,
}

/// A line with a run: the key tells it from a line with a game.
#[derive(Serialize, Deserialize)]
pub struct RunLine {
    /// The run.
    #[serde(rename = "attempt")]
    pub run: Run,
}

impl Run {
    /// This process, which plays this part of the match as the file's run with this number.
    pub fn new(settings: &MatchSettings, schedule: &Schedule, match_id: &str, seed: u64, number: u64) -> Run {
        Run {
            match_id: match_id.to_owned(),
            number,
            host: host_name(),
            process: std::process::id(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            shard: settings.shard,
            games: schedule.count(),
            of: schedule.whole().count(),
            swap: settings.swap,
            engines: settings.engines.iter().map(|engine| engine.name.clone()).collect(),
            rules: settings.rules,
            limit: settings.limit.to_string(),
            seed,
        }
    }

    /// The problem with the run, if there is one. The run may come from an untrusted file.
    pub(super) fn problem(&self) -> Option<String> {
        let texts = [("match", &self.match_id), ("host", &self.host), ("version", &self.version)];
        let engines = self.engines.iter().map(|name| ("engines", name));
        if let Some((key, text)) = texts.into_iter().chain(engines).find(|(_, text)| !is_line(text)) {
            return Some(format!("{key} is text on one line that can be printed, not {}", Excerpt::of(text)));
        }
        if self.engines.len() > MAX_ENGINES {
            return Some(format!("a match has room for {MAX_ENGINES} engines, not {}", self.engines.len()));
        }
        let fits = self.games <= self.of;
        (!fits).then(|| format!("a part of {} games does not fit into {}", self.games, self.of))
    }
}

/// The numbers of some games. A hundred million of them, a few gaps between them, take about 20 MB.
#[derive(Clone, Default)]
pub struct GameSet {
    /// Blocks of 512 numbers: those of block `b` are from `512 * b` on, the first in the lowest bit of the first word.
    blocks: BTreeMap<u64, [u64; 8]>,
}

impl GameSet {
    /// Adds a game. Says whether it is new.
    pub fn insert(&mut self, game: u64) -> bool {
        let word = &mut self.blocks.entry(game / 512).or_default()[(game / 64 % 8) as usize];
        let bit = 1 << (game % 64);
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    /// True if the game is in the set.
    pub fn contains(&self, game: u64) -> bool {
        self.blocks.get(&(game / 512)).is_some_and(|block| block[(game / 64 % 8) as usize] >> (game % 64) & 1 == 1)
    }

    /// The games, in order.
    pub fn iter(&self) -> impl Iterator<Item = u64> {
        let has = |block: &[u64; 8], bit: u64| block[(bit / 64) as usize] >> (bit % 64) & 1 == 1;
        let of = move |(&number, block): (&u64, &[u64; 8])| {
            let block = *block;
            (0..512).filter(move |&bit| has(&block, bit)).map(move |bit| 512 * number + bit)
        };
        self.blocks.iter().flat_map(of)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_set_of_games_is_a_set() {
        let (mut games, mut plain) = (GameSet::default(), BTreeSet::new());
        let mut number = 1u64;
        for _ in 0..20_000 {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let game = if number >> 63 == 0 { number >> 50 } else { number };
            assert_eq!(games.contains(game), plain.contains(&game));
            assert_eq!(games.insert(game), plain.insert(game));
        }
        assert!(games.iter().eq(plain));
    }
}
