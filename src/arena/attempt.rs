//! An attempt: a process that plays a match or a part of one. It begins with a line of its own in the record.

use serde::{Deserialize, Serialize};

use crate::system::Shard;
use crate::system::process::host_name;
use crate::text::{Excerpt, is_line};
use noughts_core::game::Rules;

use super::record::MAX_ENGINES;
use super::schedule::Schedule;
use super::settings::MatchSettings;

/// A process that plays a match or a part of one, as the record tells of it. A match that is resumed has several.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct Attempt {
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
    /// Whether openings are played with both colours.
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

/// A line with an attempt: the key tells it from a line with a game.
#[derive(Serialize, Deserialize)]
pub struct AttemptLine {
    /// The attempt.
    pub attempt: Attempt,
}

impl Attempt {
    /// This process, which plays this part of the match as the file's attempt with this number.
    pub fn new(settings: &MatchSettings, schedule: &Schedule, match_id: &str, seed: u64, number: u64) -> Attempt {
        Attempt {
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

    /// What is wrong with the attempt, if anything is. It may come from an untrusted file.
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
