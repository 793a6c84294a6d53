//! The record of an exam: what was asked, and the answers, block by block.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use thiserror::Error;

use crate::client::go_line;
use crate::system::process::host_name;
use crate::system::{Appender, LineFileError, LineKind, Shard, json_line, read_lines};
use crate::text::{Fingerprint, is_line};
use noughts_core::game::Rules;

use super::question::ExamQuestion;
use super::report::{ExamEngine, ExamReport};
use super::response::{Response, ResponseRecord};
use super::settings::{ExamSettings, Selection};

/// Why the record of an exam cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ExamRecordError {
    /// The file cannot be read or written.
    #[error(transparent)]
    File(#[from] LineFileError),
    /// Answers cannot be written.
    #[error("{0}; --resume asks again what is not recorded")]
    Write(LineFileError),
    /// The file holds answers of another exam.
    #[error("{} holds answers of an exam of another engine, game or with other settings", .0.display())]
    OtherExam(PathBuf),
    /// The answers in the files are none to the questions of the exam.
    #[error("the answers to block {0} of {1} do not fit its questions")]
    Answers(u64, Rules),
}

/// A process that asks the questions of an exam or a part of them, as the record tells of it.
#[derive(Clone, Serialize, Deserialize, Debug)]
pub struct ExamAttempt {
    /// The fingerprint of the exam: all parts of one exam have the same.
    pub exam: String,
    /// The machine on which it runs.
    pub host: String,
    /// The number of the process on that machine.
    pub process: u32,
    /// The version of Noughts.
    pub version: String,
    /// The part of the questions that it asks: every `of`-th block.
    pub shard: Shard,
    /// The engine.
    pub engine: ExamEngine,
    /// The limits of every `go`, or `none`.
    pub limit: String,
    /// The seed, if the engine got one.
    pub seed: Option<u32>,
    /// How often each question is asked.
    pub repeat: u32,
    /// Whether equally good moves share an answer.
    pub ties: bool,
    /// Whether the report lists every fault.
    pub list: bool,
    /// The games.
    pub rules: Vec<Rules>,
    /// The positions that are drawn; `None` for all.
    pub positions: Option<u64>,
    /// The seed by which they are drawn.
    pub sample_seed: u32,
}

impl ExamAttempt {
    /// This process. `report` knows what the engine says of itself.
    fn new(settings: &ExamSettings, report: &ExamReport) -> ExamAttempt {
        ExamAttempt {
            exam: fingerprint(settings),
            host: host_name(),
            process: std::process::id(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            shard: settings.shard,
            engine: report.engine.clone(),
            limit: report.limit.clone(),
            seed: report.seed,
            repeat: report.repeat,
            ties: report.ties,
            list: settings.list,
            rules: settings.rules.clone(),
            positions: match settings.selection {
                Selection::All => None,
                Selection::Sample(positions) => Some(positions),
            },
            sample_seed: settings.seed,
        }
    }

    /// Whether both ask for the same, of the same engine.
    fn is_of_the_same_exam(&self, other: &ExamAttempt) -> bool {
        let asked = |attempt: &ExamAttempt| {
            let ExamAttempt { limit, seed, repeat, ties, list, rules, positions, sample_seed, .. } = attempt.clone();
            (limit, seed, repeat, ties, list, rules, positions, sample_seed)
        };
        self.exam == other.exam && asked(self) == asked(other)
    }

    /// Whether it can be an attempt. It may come from an untrusted file: all texts have to be printable.
    fn is_possible(&self) -> bool {
        let ExamEngine { name, title, command, options } = &self.engine;
        let own = [&self.exam, &self.host, &self.version, &self.limit, name, command];
        let options = options.iter().flat_map(|(name, value)| [name, value]);
        let is_asked = matches!(self.rules.len(), 1 | 2) && self.positions != Some(0) && self.repeat > 0;
        is_asked && own.into_iter().chain(title).chain(options).all(|text| is_line(text))
    }
}

/// The fingerprint of all that decides the answers. It is the same on machines where programs are in other folders.
fn fingerprint(settings: &ExamSettings) -> String {
    let engine = &settings.engine;
    let command = engine.command.split(' ').filter_map(|word| word.rsplit('/').next()).collect::<Vec<_>>().join(" ");
    let ExamSettings { rules, selection, limits, repeat, ties, list, seed, .. } = settings;
    let asked = format!("{rules:?}|{selection:?}|{}|{repeat}|{ties}|{list}|{seed}", go_line(*limits));
    Fingerprint::of(&format_args!("{}|{command}|{:?}|{asked}", engine.name, engine.options)).to_string()
}

/// A line that begins an attempt.
#[derive(Serialize, Deserialize)]
struct AttemptLine {
    exam_attempt: ExamAttempt,
}

/// A line with the answers to a block of questions.
#[derive(Serialize, Deserialize)]
struct AnswersLine {
    /// The fingerprint of the exam.
    exam: String,
    /// The place of the rules among those of the exam, from 0.
    rules: usize,
    /// The number of the block, from 0.
    block: u64,
    /// The responses to its questions.
    answers: Box<RawValue>,
}

const KIND: LineKind =
    LineKind { name: "a line of an exam", longest: 64 << 20, beginnings: &[b"{\"exam\":\"", b"{\"exam_attempt\":{"] };

/// Answers that have been read from records, as text.
#[derive(Default)]
pub struct RecordedAnswers {
    /// The first attempt.
    pub attempt: Option<ExamAttempt>,
    /// The parts that were begun.
    pub shards: Vec<Shard>,
    /// The answers, by the place of the rules and the number of the block.
    blocks: HashMap<(usize, u64), Box<RawValue>>,
}

impl RecordedAnswers {
    /// Adds the answers of a file. Returns the length of its whole lines if there is a torn line behind them. If answers to
    /// the same questions differ, those with the smaller fingerprint count, whatever their order is.
    ///
    /// # Errors
    /// When the file cannot be read, or is about another exam.
    pub fn read(&mut self, path: &Path) -> Result<Option<u64>, ExamRecordError> {
        let mut is_foreign = false;
        let (length, torn) = read_lines(path, KIND, |line| {
            if line.starts_with(KIND.beginnings[1]) {
                let AttemptLine { exam_attempt } = serde_json::from_slice(line).map_err(|error| error.to_string())?;
                if !exam_attempt.is_possible() {
                    return Err("no exam is like that".to_owned());
                }
                self.shards.push(exam_attempt.shard);
                let first = self.attempt.get_or_insert_with(|| exam_attempt.clone());
                is_foreign |= !first.is_of_the_same_exam(&exam_attempt);
            } else {
                let AnswersLine { exam, rules, block, answers } =
                    serde_json::from_slice(line).map_err(|error| error.to_string())?;
                is_foreign |= self.attempt.as_ref().is_none_or(|attempt| attempt.exam != exam);
                let kept = self.blocks.entry((rules, block)).or_insert_with(|| answers.clone());
                let bits = |answers: &RawValue| Fingerprint::of(&answers.get()).bits();
                if bits(&answers) < bits(kept) {
                    *kept = answers;
                }
            }
            Ok(())
        })?;
        if is_foreign { Err(ExamRecordError::OtherExam(path.to_owned())) } else { Ok(torn.then_some(length)) }
    }

    /// Whether the answers to a block are there.
    pub fn has(&self, rules: usize, block: u64) -> bool {
        self.blocks.contains_key(&(rules, block))
    }

    /// The answers to the questions of a block; `None` if they are not there.
    ///
    /// # Errors
    /// When the answers do not fit the questions.
    pub fn responses(
        &self,
        rules: usize,
        block: u64,
        questions: &[ExamQuestion],
    ) -> Option<Result<Vec<Response>, ExamRecordError>> {
        let answers = self.blocks.get(&(rules, block))?;
        let repeat = self.attempt.as_ref().map_or(1, |attempt| attempt.repeat);
        let read = || {
            let records: Vec<ResponseRecord> = serde_json::from_str(answers.get()).ok()?;
            let fits = records.len() == questions.len();
            let pairs = records.into_iter().zip(questions).filter(|_| fits);
            let responses: Option<Vec<Response>> =
                pairs.map(|(record, question)| Response::of_record(record, question, repeat)).collect();
            responses.filter(|_| fits)
        };
        let game = questions.first().map(|question| question.position.rules()).unwrap_or_default();
        Some(read().ok_or(ExamRecordError::Answers(block, game)))
    }
}

/// The record of an exam that is being taken.
pub struct ExamRecord {
    file: Appender,
    exam: String,
    has_begun: bool,
}

impl ExamRecord {
    /// Opens the record that the settings name, and the answers that are in it already.
    ///
    /// # Errors
    /// When the file cannot be opened, or exists and is not to be continued, or holds another exam.
    pub fn open(settings: &ExamSettings) -> Result<(Option<ExamRecord>, RecordedAnswers), ExamRecordError> {
        let mut answers = RecordedAnswers::default();
        let Some(path) = &settings.record else { return Ok((None, answers)) };
        let exam = fingerprint(settings);
        let mut file = if settings.resume { Appender::open(path)? } else { Appender::create(path)? };
        if settings.resume && path.is_file() {
            let torn = answers.read(path)?;
            // Parts may come from machines where the engine is in another folder. This one goes on, so it is the same engine.
            let is_other =
                |attempt: &ExamAttempt| attempt.exam != exam || attempt.engine.command != settings.engine.command;
            if answers.attempt.as_ref().is_some_and(is_other) {
                return Err(ExamRecordError::OtherExam(path.clone()));
            }
            if let Some(length) = torn {
                file.cut(length)?;
            }
        }
        Ok((Some(ExamRecord { file, exam, has_begun: false }), answers))
    }

    /// Appends the answers to a block of questions, and before the first of them the attempt.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn append(
        &mut self,
        settings: &ExamSettings,
        report: &ExamReport,
        rules: usize,
        block: u64,
        responses: &[Response],
    ) -> Result<(), ExamRecordError> {
        let answers: Vec<ResponseRecord> = responses.iter().map(Response::record).collect();
        let answers = serde_json::value::to_raw_value(&answers).unwrap_or_default();
        let exam = self.exam.clone();
        let mut text = String::new();
        if !self.has_begun {
            text += &json_line(&AttemptLine { exam_attempt: ExamAttempt::new(settings, report) });
        }
        text += &json_line(&AnswersLine { exam, rules, block, answers });
        self.file.append(text.as_bytes()).map_err(ExamRecordError::Write)?;
        self.has_begun = true;
        Ok(())
    }
}
