//! The report on an exam whose answers are in record files. They are graded again, as in the exam itself.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use thiserror::Error;

use noughts_core::game::Rules;

use super::observer::ExamObserver;
use super::questions::ExamQuestions;
use super::record::{ExamRecordError, RecordedAnswers};
use super::report::ExamReport;
use super::run::grade;
use super::settings::Selection;
use crate::system::Shard;
use crate::text::BYTE_ORDER_MARK;

/// Why there is no report.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PutTogetherError {
    /// A file cannot be used.
    #[error(transparent)]
    Record(#[from] ExamRecordError),
    /// There is no answer in the files.
    #[error("there is no answer in these files")]
    Empty,
    /// The values of this game are not known.
    #[error("there is no exam of {0}: only boards up to 4x4 are known position by position")]
    Unsolved(Rules),
    /// Some answers are not there.
    #[error("{missing} of {of} blocks of answers under {rules} are missing{}", .shards.iter().map(|shard| format!(", shard {shard}")).collect::<String>())]
    Missing {
        /// The game.
        rules: Rules,
        /// The number of blocks that are missing.
        missing: u64,
        /// The number of all blocks.
        of: u64,
        /// The parts to which they belong, if all files divide the exam alike.
        shards: Vec<Shard>,
    },
}

/// Whether a file is the record of an exam, by its beginning.
pub fn is_record(path: &Path) -> bool {
    let mut beginning = Vec::new();
    // A pipe could not be read again.
    path.is_file()
        && File::open(path).and_then(|file| file.take(16).read_to_end(&mut beginning)).is_ok()
        && beginning.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&beginning).starts_with(b"{\"exam")
}

/// The report on the exam whose answers are in these files. It is the same as that of one process that asks everything.
///
/// # Errors
/// When a file cannot be read, or the files do not hold all answers of one exam.
pub fn put_together(files: &[PathBuf], observer: &dyn ExamObserver) -> Result<ExamReport, PutTogetherError> {
    let mut answers = RecordedAnswers::default();
    for path in files {
        if answers.read(path)?.is_some() {
            observer.warn(&format!("{}: the last line is torn and does not count", path.display()));
        }
    }
    let attempt = answers.attempt.clone().ok_or(PutTogetherError::Empty)?;
    let selection = attempt.positions.map_or(Selection::All, Selection::Sample);
    let mut exams = Vec::new();
    for (place, &rules) in attempt.rules.iter().enumerate() {
        let mut questions =
            ExamQuestions::new(rules, selection, attempt.sample_seed).ok_or(PutTogetherError::Unsolved(rules))?;
        let missing: Vec<u64> = (0..questions.blocks()).filter(|&block| !answers.has(place, block)).collect();
        if !missing.is_empty() {
            return Err(PutTogetherError::Missing {
                rules,
                missing: missing.len() as u64,
                of: questions.blocks(),
                shards: shards_of(&missing, &answers.shards),
            });
        }
        let (of, mut graded) = (questions.count(), 0);
        let scores = grade(
            &mut questions,
            attempt.list,
            |_| true,
            |block, questions| {
                graded += questions.len() as u64;
                observer.progress(graded, of);
                answers.responses(place, block, questions).unwrap_or(Err(ExamRecordError::Answers(block, rules)))
            },
        );
        exams.push(scores?);
    }
    let (engine, limit, seed) = (attempt.engine, attempt.limit, attempt.seed);
    Ok(ExamReport { engine, limit, seed, repeat: attempt.repeat, ties: attempt.ties, exams })
}

/// The parts to which these blocks belong, if all begun parts are of one division.
fn shards_of(blocks: &[u64], begun: &[Shard]) -> Vec<Shard> {
    let divisions: BTreeSet<u64> = begun.iter().map(|shard| shard.of).collect();
    let Some(&of) = divisions.first().filter(|&&of| divisions.len() == 1 && of > 1) else { return Vec::new() };
    let parts: BTreeSet<u64> = blocks.iter().map(|block| block % of + 1).collect();
    parts.into_iter().filter_map(|part| Shard::new(part, of)).collect()
}
