//! An exam from its start to its report.

use super::failure::ExamFailure;
use super::observer::ExamObserver;
use super::question::ExamQuestion;
use super::questions::ExamQuestions;
use super::record::{ExamRecord, RecordedAnswers};
use super::report::{ExamEngine, ExamReport, Expected, Scores};
use super::response::Response;
use super::runner::ExamRunner;
use super::settings::ExamSettings;
use crate::client::{Client, Failure, OptionProblem, RunContext, StartError, go_line};

/// How an exam went.
pub struct ExamOutcome {
    /// The report on every game whose questions were all asked.
    pub report: ExamReport,
    /// Why the exam ended early, if it did.
    pub failure: Option<ExamFailure>,
}

/// Runs an exam to its end, or as far as it comes. The engine process has ended when this returns.
pub fn run(settings: &ExamSettings, context: &RunContext, observer: &dyn ExamObserver) -> ExamOutcome {
    let setup = &settings.engine;
    let engine = ExamEngine {
        name: setup.name.clone(),
        title: None,
        command: setup.command.clone(),
        options: setup.options.iter().cloned().collect(),
    };
    let limit = go_line(settings.limits);
    let limit = limit.strip_prefix("go ").unwrap_or("none").to_owned();
    let (repeat, ties) = (settings.repeat, settings.ties);
    let mut report = ExamReport { engine, limit, seed: None, repeat, ties, exams: Vec::new() };
    let outcome = ExamRecord::open(settings).map_err(ExamFailure::from).and_then(|(mut record, recorded)| {
        let mut places = 0..settings.rules.len();
        places.try_for_each(|place| run_game(settings, place, context, observer, &mut report, &mut record, &recorded))
    });
    ExamOutcome { report, failure: outcome.err() }
}

/// Runs the exam of one game, of which `place` is the place in the settings, and adds its scores to the report.
fn run_game(
    settings: &ExamSettings,
    place: usize,
    context: &RunContext,
    observer: &dyn ExamObserver,
    report: &mut ExamReport,
    record: &mut Option<ExamRecord>,
    recorded: &RecordedAnswers,
) -> Result<(), ExamFailure> {
    let rules = settings.rules[place];
    let mut questions =
        ExamQuestions::new(rules, settings.selection, settings.seed).ok_or(ExamFailure::Unsolved(rules))?;
    let engine = settings.engine_and_command();
    let mut client = match Client::start(&settings.engine, rules, context) {
        Ok(client) => client,
        Err(error @ StartError::Option(OptionProblem::Game { .. } | OptionProblem::Protocol { .. }))
            if settings.rules.len() > 1 && record.is_none() =>
        {
            observer.warn(&format!("engine {engine} {error}; that part of the exam is left out"));
            return Ok(());
        }
        Err(StartError::Introduction(Failure::Interrupted, _)) => return Err(ExamFailure::Interrupted),
        Err(error) => return Err(ExamFailure::Start { engine, error }),
    };
    report.engine.title = client.title().map(str::to_owned);
    report.seed = client.takes_seed().then_some(settings.seed);
    let of = questions.count() / settings.shard.of;
    let mut runner = ExamRunner::new(&mut client, rules, of, settings, observer);
    let wants = |block| settings.shard.has(block) || recorded.has(place, block);
    let mut answers = |block, questions: &[ExamQuestion]| -> Result<Vec<Response>, ExamFailure> {
        if let Some(responses) = recorded.responses(place, block, questions) {
            return Ok(responses?);
        }
        let responses = runner.ask(questions)?;
        if let Some(record) = record {
            record.append(settings, report, place, block, &responses)?;
        }
        Ok(responses)
    };
    let scores = grade(&mut questions, settings.list, wants, &mut answers)?;
    Client::quit([client]);
    report.exams.push(scores);
    Ok(())
}

/// Grades the answers to the blocks of questions that are wanted.
///
/// # Errors
/// The first error of `answers`.
pub fn grade<E>(
    questions: &mut ExamQuestions,
    list: bool,
    wants: impl Fn(u64) -> bool,
    mut answers: impl FnMut(u64, &[ExamQuestion]) -> Result<Vec<Response>, E>,
) -> Result<Scores, E> {
    let mut scores = Scores::new(questions, list);
    let whole_game = questions.sample().is_none().then(|| questions.count());
    questions.visit(wants, |block, questions, solved| {
        let responses = answers(block, questions)?;
        scores.add(questions, &responses, solved);
        if whole_game == Some(questions.len() as u64) {
            scores.expected = Some(Expected::of(questions, &responses));
        }
        Ok(())
    })?;
    Ok(scores)
}
