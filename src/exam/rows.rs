//! The report of an exam as CSV: a row for each group of answers, or a row for each fault.

use std::io::{self, Write};

use serde::Serialize;

use crate::text::{PlainNumber, write_csv};

use super::expectation::Odds;
use super::faults::{FaultCount, Finding, Grade};
use super::questions::PositionSample;
use super::report::{ExamReport, Expected, Scores};

/// Writes the faults if the report lists them, else the grades.
///
/// # Errors
/// When writing to `out` fails.
pub fn write(report: &ExamReport, out: &mut dyn Write) -> io::Result<()> {
    if report.exams.iter().any(|scores| scores.list.is_some()) {
        let findings =
            report.exams.iter().flat_map(|scores| scores.list.iter().flatten().map(move |one| (scores, one)));
        write_csv(findings.map(|(scores, finding)| FaultRow::new(report, scores, finding)), out)
    } else {
        let grades = report.exams.iter().flat_map(|scores| scores.groups().map(move |group| (scores, group)));
        write_csv(grades.map(|(scores, (group, grade))| GradeRow::new(report, scores, group, grade)), out)
    }
}

/// A group of answers: its counts of faults and, for all answers of one side, the expected results of games.
#[derive(Serialize, Default)]
struct GradeRow<'a> {
    engine: &'a str,
    command: &'a str,
    size: u8,
    connect: u16,
    reverse: bool,
    limit: &'a str,
    seed: Option<u32>,
    repeat: u32,
    ties: bool,
    group: String,
    positions: u64,
    possible: u64,
    answers: PlainNumber,
    given_away: PlainNumber,
    rate: Option<PlainNumber>,
    rate_where_possible: Option<PlainNumber>,
    wins_missed: PlainNumber,
    draws_lost: PlainNumber,
    illegal: PlainNumber,
    wins_slower: PlainNumber,
    losses_quicker: PlainNumber,
    perfect_win: Option<PlainNumber>,
    perfect_draw: Option<PlainNumber>,
    perfect_loss: Option<PlainNumber>,
    perfect_score: Option<PlainNumber>,
    random_win: Option<PlainNumber>,
    random_draw: Option<PlainNumber>,
    random_loss: Option<PlainNumber>,
    random_score: Option<PlainNumber>,
    /// The outer `None` leaves the column out: no game of the exam has a sample.
    #[serde(skip_serializing_if = "Option::is_none")]
    sample_of: Option<Option<u64>>,
    /// Left out like `sample_of`.
    #[serde(skip_serializing_if = "Option::is_none")]
    sample_seed: Option<Option<u32>>,
}

impl GradeRow<'_> {
    fn new<'a>(report: &'a ExamReport, scores: &Scores, group: String, grade: &Grade) -> GradeRow<'a> {
        let (perfect, random) = match (&scores.expected, group.as_str()) {
            (Some(Expected { perfect, random }), "X") => (Some(perfect.x), Some(random.x)),
            (Some(Expected { perfect, random }), "O") => (Some(perfect.o), Some(random.o)),
            _ => (None, None),
        };
        let number = |odds: Option<Odds>, field: fn(Odds) -> f64| odds.map(field).map(PlainNumber);
        let has_sample = report.exams.iter().any(|scores| scores.sample.is_some());
        let in_sample = |sample: Option<PositionSample>| has_sample.then_some(sample);
        GradeRow {
            engine: &report.engine.name,
            command: &report.engine.command,
            size: scores.rules.size(),
            connect: scores.rules.connect(),
            reverse: scores.rules.reverse(),
            limit: &report.limit,
            seed: report.seed,
            repeat: report.repeat,
            ties: report.ties,
            group,
            positions: grade.positions,
            possible: grade.possible,
            answers: grade.answers.into(),
            given_away: grade.given_away.into(),
            rate: grade.rate.map(PlainNumber),
            rate_where_possible: grade.rate_where_possible.map(PlainNumber),
            wins_missed: grade.wins_missed.into(),
            draws_lost: grade.draws_lost.into(),
            illegal: grade.illegal.into(),
            wins_slower: grade.wins_slower.into(),
            losses_quicker: grade.losses_quicker.into(),
            perfect_win: number(perfect, |odds| odds.win),
            perfect_draw: number(perfect, |odds| odds.draw),
            perfect_loss: number(perfect, |odds| odds.loss),
            perfect_score: number(perfect, |odds| odds.score),
            random_win: number(random, |odds| odds.win),
            random_draw: number(random, |odds| odds.draw),
            random_loss: number(random, |odds| odds.loss),
            random_score: number(random, |odds| odds.score),
            sample_of: in_sample(scores.sample).map(|sample| sample.map(|sample| sample.of)),
            sample_seed: in_sample(scores.sample).map(|sample| sample.map(|sample| sample.seed)),
        }
    }
}

/// A fault.
#[derive(Serialize, Default)]
struct FaultRow<'a> {
    engine: &'a str,
    command: &'a str,
    size: u8,
    connect: u16,
    reverse: bool,
    stones: usize,
    side: &'a str,
    kind: String,
    times: PlainNumber,
    position: &'a str,
    #[serde(rename = "move")]
    played: &'a str,
    best: String,
    value: i8,
    plies: Option<u16>,
    value_after: i8,
    plies_after: Option<u16>,
    refutation: Option<&'a str>,
    result: Option<&'a str>,
}

impl FaultRow<'_> {
    fn new<'a>(report: &'a ExamReport, scores: &Scores, finding: &'a Finding) -> FaultRow<'a> {
        FaultRow {
            engine: &report.engine.name,
            command: &report.engine.command,
            size: scores.rules.size(),
            connect: scores.rules.connect(),
            reverse: scores.rules.reverse(),
            stones: finding.stones,
            side: &finding.side,
            kind: finding.kind.key(),
            times: finding.times.into(),
            position: &finding.position,
            played: &finding.played,
            best: finding.best.join(" "),
            value: finding.value.result(),
            plies: finding.value.plies(),
            value_after: finding.result_after(),
            plies_after: finding.plies_after(),
            refutation: finding.refutation.as_deref(),
            result: finding.result,
        }
    }
}

/// The count, without rounding errors where it is a whole number.
impl From<FaultCount> for PlainNumber {
    fn from(count: FaultCount) -> PlainNumber {
        PlainNumber(count.whole().map_or(count.0, |whole| whole as f64))
    }
}
