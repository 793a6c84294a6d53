//! The settings of a match.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::client::EngineSetup;
use crate::system::Shard;
use crate::text::Fingerprint;
use noughts_core::game::Rules;

use super::limit::Limit;
use super::openings::Openings;
use super::statistics::Sprt;

/// The settings of a match.
#[derive(Clone, Debug)]
pub struct MatchSettings {
    /// The engines: at least two, with different names.
    pub engines: Vec<Arc<EngineSetup>>,
    /// True if only the first engine plays all others. Else each engine plays each other.
    pub gauntlet: bool,
    /// The game.
    pub rules: Rules,
    /// The limit of a move.
    pub limit: Limit,
    /// The time by which an engine may exceed its limit without losing.
    pub margin: Duration,
    /// The time that an engine may take for a move when there is no time limit.
    pub patience: Duration,
    /// The openings.
    pub openings: Openings,
    /// True if only openings are played that are proven to be draws.
    pub balanced: bool,
    /// True if every opening is played with both colours.
    pub swap: bool,
    /// Games for each pair of engines.
    pub games: u64,
    /// The seed of all random numbers; `None` for a random seed.
    pub seed: Option<u64>,
    /// Games that are played at the same time, each with engine processes of its own.
    pub concurrency: usize,
    /// True if each of the games at the same time stays on one core.
    pub pinned: bool,
    /// The test that may stop the match early.
    pub sprt: Option<Sprt>,
    /// The record file.
    pub record: Option<PathBuf>,
    /// The PGN file.
    pub pgn: Option<PathBuf>,
    /// True if the match in the record file is continued.
    pub resume: bool,
    /// The part of the schedule to play.
    pub shard: Shard,
    /// True if engines that crash or hang are started again.
    pub recover: bool,
}

impl MatchSettings {
    /// The largest seed: JSON holds every whole number up to it exactly.
    pub const MAX_SEED: u64 = (1 << 53) - 1;

    /// A match of 100 games for each pair, one after the other, with the defaults of `noughts match`: no limit of a move, from
    /// the empty board with both colours, and no files.
    pub fn new(engines: Vec<Arc<EngineSetup>>, rules: Rules) -> MatchSettings {
        MatchSettings {
            engines,
            gauntlet: false,
            rules,
            limit: Limit::None,
            margin: Duration::from_millis(50),
            patience: Duration::from_secs(60),
            openings: Openings::Start,
            balanced: false,
            swap: true,
            games: 100,
            seed: None,
            concurrency: 1,
            pinned: false,
            sprt: None,
            record: None,
            pgn: None,
            resume: false,
            shard: Shard::default(),
            recover: false,
        }
    }

    /// Checks that every engine knows the limit of a move, and that none is set to another game than the match: it would
    /// lose every game.
    ///
    /// # Errors
    /// The reason as a sentence.
    pub fn check_engines(&self) -> Result<(), String> {
        let (limits, flags) = (self.limit.limits(), "--movetime, --tc, --nodes or --trials");
        self.engines.iter().try_for_each(|engine| engine.check_limits(&limits, flags))?;
        let rules = self.rules;
        let rule_options = [
            ("size", rules.shape().rows.to_string()),
            ("columns", rules.shape().columns.to_string()),
            ("connect", rules.connect().to_string()),
            ("reverse", rules.reverse().to_string()),
        ];
        for engine in &self.engines {
            for (option, value) in &rule_options {
                let differs = |(name, own): &(String, String)| name.eq_ignore_ascii_case(option) && own != value;
                if engine.options.iter().any(differs) {
                    let name = &engine.name;
                    return Err(format!("engine {name}: --{option} sets option.{option} for all"));
                }
            }
        }
        Ok(())
    }

    /// The fingerprint of all settings that decide how the games of the match go. It is the same for every part of the
    /// match, and on machines where programs are in other folders. `book` is the fingerprint of the openings.
    pub fn fingerprint(&self, seed: u64, book: Fingerprint) -> Fingerprint {
        let mut fingerprint = Fingerprint::EMPTY;
        for engine in &self.engines {
            let command = engine.command.split(' ').filter_map(|word| word.rsplit('/').next()).collect::<Vec<_>>();
            let (name, options, restart) = (&engine.name, &engine.options, engine.restart);
            fingerprint.add(&format_args!("{name}|{}|{options:?}|{restart}|", command.join(" ")));
            // Records from before other protocols were supported keep their fingerprint.
            if !engine.protocol.is_ours() {
                fingerprint.add(&format_args!("{}|", engine.protocol.facts().name));
            }
        }
        let margin = self.margin.as_millis();
        let (gauntlet, swap) = (self.gauntlet, self.swap);
        // The last word once said whether games were interleaved. Records from then keep their fingerprint.
        fingerprint.add(&format_args!("{}|{}|{margin}|{gauntlet}|{swap}|false|", self.rules, self.limit));
        fingerprint.add(&format_args!("{book}|{seed}"));
        fingerprint
    }
}
