//! Where games are entered as they end: first the files, then the totals, so that no game counts which is not
//! recorded.

use super::pgn;
use super::record::{Appender, EngineRecord, RecordError};
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
    /// Its record, to be continued.
    pub record: Option<Appender>,
    /// The length of the whole lines of the record, in bytes, if there is a torn one behind them.
    pub torn: Option<u64>,
}

impl Beginning {
    /// What the record file of a match holds; nothing when there is none.
    ///
    /// # Errors
    /// When it cannot be read, or holds games of several matches.
    pub fn read(settings: &MatchSettings) -> Result<Beginning, RecordError> {
        let mut beginning = Beginning::default();
        let Some(path) = settings.record.as_deref().filter(|_| settings.resume) else { return Ok(beginning) };
        beginning.record = Some(Appender::open(path)?);
        if !path.is_file() {
            return Ok(beginning);
        }
        let mut foreign = false;
        let is_other = |engine: &EngineRecord| match settings.engines.get(engine.engine) {
            Some(setup) => setup.command != engine.command || setup.folder_text() != engine.dir,
            None => true,
        };
        let (length, torn) = record::read(path, |game| {
            let (seed, id) = beginning.seed.get_or_insert_with(|| (game.seed, game.match_id.clone()));
            foreign |= *seed != game.seed || *id != game.match_id || is_other(&game.x) || is_other(&game.o);
            if beginning.games.insert(game.game) {
                beginning.tally.add(&game);
            }
        })?;
        if foreign {
            return Err(RecordError::OtherMatch(path.to_owned()));
        }
        Ok(Beginning { torn: torn.then_some(length), ..beginning })
    }
}

impl Ledger {
    /// Opens the files of a match.
    ///
    /// # Errors
    /// When one of them cannot be opened, or is there and is not to be continued.
    pub fn open(settings: &MatchSettings, beginning: Beginning) -> Result<Ledger, RecordError> {
        let mut record = match (&settings.record, beginning.record) {
            (Some(path), None) => Some(Appender::create(path)?),
            (_, record) => record,
        };
        if let (Some(record), Some(length)) = (&mut record, beginning.torn) {
            record.cut(length)?;
        }
        let pgn = settings.pgn.as_deref().map(|path| match settings.resume {
            true => Appender::open(path),
            false => Appender::create(path),
        });
        Ok(Ledger { record, pgn: pgn.transpose()?, tally: beginning.tally, sprt: settings.sprt, entry: Vec::new() })
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

    /// Whether the sequential test has come to its end: it knows enough, or there is nothing more to know.
    pub fn is_decided(&self) -> bool {
        let (Some(sprt), Some(pairing)) = (&self.sprt, self.tally.pairings().next()) else { return false };
        pairing.units().verdict(sprt) != SprtVerdict::Continue || pairing.exhausted().is_some()
    }
}
