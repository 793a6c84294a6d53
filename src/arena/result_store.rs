//! Enters games as they end: first in the files, then in the totals. So only recorded games count.

use crate::system::{Appender, LineFileError, json_line};

use super::game::FinishedGame;
use super::record::EngineRecord;
use super::record_file::{Entry, GameSet, RecordError, Run, RunLine};
use super::settings::MatchSettings;
use super::statistics::Sprt;
use super::tally::MatchTally;
use super::{pgn, record_file};

/// The files and totals of a match.
pub struct ResultStore {
    record: Option<Appender>,
    /// The run, until it is written.
    run: Option<RunLine>,
    pgn: Option<Appender>,
    /// The totals.
    pub tally: MatchTally,
    sprt: Option<Sprt>,
}

/// The state of a match that is resumed; empty for a new match.
#[derive(Default)]
pub struct ResumeState {
    /// The totals of its games.
    pub tally: MatchTally,
    /// The numbers of its games.
    pub games: GameSet,
    /// Its seed and fingerprint.
    pub seed: Option<(u64, String)>,
    /// The number of its runs so far.
    pub runs: u64,
    /// Its record file, to be continued.
    pub record: Option<Appender>,
    /// The length of the whole lines of the record in bytes, if there is a torn line behind them.
    pub torn: Option<u64>,
}

impl ResumeState {
    /// Reads the record file of a match that is to be resumed. The state is empty if there is none.
    ///
    /// # Errors
    /// When the file cannot be read, or holds games of another match.
    pub fn read(settings: &MatchSettings) -> Result<ResumeState, RecordError> {
        let mut state = ResumeState::default();
        let Some(path) = settings.record.as_deref().filter(|_| settings.resume) else { return Ok(state) };
        state.record = Some(Appender::open(path)?);
        if !path.is_file() {
            return Ok(state);
        }
        let mut foreign = false;
        let is_other = |engine: &EngineRecord| match settings.engines.get(engine.engine) {
            Some(setup) => setup.command != engine.command || setup.folder_text() != engine.dir,
            None => true,
        };
        let (length, torn) = record_file::read(path, |entry| {
            let (own_seed, own_id) = match &entry {
                Entry::Game(game) => (game.seed, &game.match_id),
                Entry::Run(run) => (run.seed, &run.match_id),
            };
            let (seed, id) = state.seed.get_or_insert_with(|| (own_seed, own_id.clone()));
            foreign |= *seed != own_seed || id != own_id;
            match entry {
                Entry::Run(_) => state.runs += 1,
                Entry::Game(game) => {
                    foreign |= is_other(&game.x) || is_other(&game.o);
                    if state.games.insert(game.game) {
                        state.tally.add(&game);
                    }
                }
            }
            Ok(())
        })?;
        if foreign {
            return Err(RecordError::other_match(path));
        }
        Ok(ResumeState { torn: torn.then_some(length), ..state })
    }
}

impl ResultStore {
    /// Opens the files of a match. The run is written before its first game.
    ///
    /// # Errors
    /// When a file cannot be opened, or exists and is not to be continued.
    pub fn open(settings: &MatchSettings, state: ResumeState, run: Run) -> Result<ResultStore, RecordError> {
        let pgn = match (&settings.pgn, &settings.record) {
            (Some(pgn), Some(record)) if settings.resume => Some(pgn::resume(pgn, record)?),
            (pgn, _) => pgn.as_deref().map(Appender::create).transpose()?,
        };
        let mut record = match (&settings.record, state.record) {
            (Some(path), None) => Some(Appender::create(path)?),
            (_, record) => record,
        };
        if let (Some(record), Some(length)) = (&mut record, state.torn) {
            record.cut(length)?;
        }
        let run = Some(RunLine { run });
        Ok(ResultStore { record, run, pgn, tally: state.tally, sprt: settings.sprt })
    }

    /// Enters a game.
    ///
    /// # Errors
    /// When a file cannot be written. A game that is not in the record does not count.
    pub fn enter(&mut self, finished: &FinishedGame) -> Result<(), LineFileError> {
        let game = &finished.record;
        if let Some(file) = &mut self.record {
            let run = self.run.as_ref().map(json_line).unwrap_or_default();
            file.append((run + &json_line(game)).as_bytes())?;
            self.run = None;
        }
        self.tally.add(game);
        match &mut self.pgn {
            Some(file) => file.append(pgn::of(game, &finished.opening).as_bytes()),
            None => Ok(()),
        }
    }

    /// True if the sequential test has ended: it has accepted a hypothesis, or the exact score is known.
    pub fn is_decided(&self) -> bool {
        let (Some(sprt), Some(pairing)) = (&self.sprt, self.tally.pairings().next()) else { return false };
        sprt.verdict(pairing.llr(sprt)).is_some() || pairing.exact_score().is_some()
    }
}
