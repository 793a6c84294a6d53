//! Where games are entered as they end: first the files, then the totals, so that no game counts which is not
//! recorded.

use super::pgn;
use super::record::{Appender, RecordError};
use super::statistics::{Sprt, SprtVerdict};
use super::tally::Tally;
use super::{MatchSettings, Verdict, record};

/// The files and totals of a match.
pub struct Ledger {
    record: Option<Appender>,
    pgn: Option<Appender>,
    /// The totals.
    pub tally: Tally,
    sprt: Option<Sprt>,
    entry: Vec<u8>,
}

/// What is found of a match that has been begun.
#[derive(Default)]
pub struct Beginning {
    /// Its totals.
    pub tally: Tally,
    /// The numbers of its games.
    pub games: std::collections::HashSet<u64>,
    /// Its seed and fingerprint.
    pub seed: Option<(u64, String)>,
    /// The length of the whole lines of its record, in bytes, and whether there was more behind them.
    pub length: Option<u64>,
    /// Whether a torn line will be dropped.
    pub torn: bool,
}

impl Beginning {
    /// What the record file of a match holds; nothing when there is none.
    ///
    /// # Errors
    /// When it cannot be read, or holds games of several matches.
    pub fn read(settings: &MatchSettings) -> Result<Beginning, RecordError> {
        let mut beginning = Beginning::default();
        let Some(path) = settings.record.as_deref().filter(|path| settings.resume && path.is_file()) else {
            return Ok(beginning);
        };
        let mut foreign = false;
        let (length, torn) = record::read(path, |game| {
            let (seed, id) = beginning.seed.get_or_insert_with(|| (game.seed, game.match_id.clone()));
            foreign |= *seed != game.seed || *id != game.match_id;
            if beginning.games.insert(game.game) {
                beginning.tally.add(&game);
            }
        })?;
        if foreign {
            return Err(RecordError::OtherMatch(path.to_owned()));
        }
        Ok(Beginning { length: Some(length), torn, ..beginning })
    }
}

impl Ledger {
    /// Opens the files of a match.
    ///
    /// # Errors
    /// When one of them cannot be opened, or is there and is not to be continued.
    pub fn open(settings: &MatchSettings, length: Option<u64>, tally: Tally) -> Result<Ledger, RecordError> {
        let open = |path: &std::path::Path, length| match settings.resume {
            true => Appender::open(path, length),
            false => Appender::create(path),
        };
        Ok(Ledger {
            record: settings.record.as_deref().map(|path| open(path, length)).transpose()?,
            pgn: settings.pgn.as_deref().map(|path| open(path, None)).transpose()?,
            tally,
            sprt: settings.sprt,
            entry: Vec::new(),
        })
    }

    /// Enters a game.
    ///
    /// # Errors
    /// When a file takes no more; a game that is not in the record does not count.
    pub fn enter(&mut self, verdict: &Verdict) -> Result<(), RecordError> {
        let game = &verdict.record;
        if let Some(file) = &mut self.record {
            self.entry.clear();
            if serde_json::to_writer(&mut self.entry, game).is_ok() {
                self.entry.push(b'\n');
                file.append(&self.entry)?;
            }
        }
        self.tally.add(game);
        match &mut self.pgn {
            Some(file) => file.append(pgn::of(game, &verdict.opening).as_bytes()),
            None => Ok(()),
        }
    }

    /// Whether the sequential test knows enough.
    pub fn is_decided(&self) -> bool {
        let verdict = |sprt: &Sprt| self.tally.pairings().next().map(|pairing| pairing.units().verdict(sprt));
        self.sprt.as_ref().and_then(verdict).is_some_and(|verdict| verdict != SprtVerdict::Continue)
    }
}
