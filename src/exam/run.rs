//! An exam from its start to its report.

use super::questions::ExamQuestions;
use super::report::{ExamEngine, ExamReport, Expected, Scores};
use super::runner::ExamRunner;
use super::settings::{ExamFailure, ExamObserver, ExamSettings};
use crate::client::{Client, Failure, OptionProblem, RunContext, StartError, go_line};
use noughts_core::game::Rules;

/// The outcome of an exam.
pub struct ExamOutcome {
    /// The report on every game whose questions were all asked.
    pub report: ExamReport,
    /// The reason why the exam ended early, if it did.
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
    let mut games = settings.rules.iter();
    let outcome = games.try_for_each(|&rules| run_game(settings, rules, context, observer, &mut report));
    ExamOutcome { report, failure: outcome.err() }
}

/// Runs the exam of one game, and adds its scores to the report.
fn run_game(
    settings: &ExamSettings,
    rules: Rules,
    context: &RunContext,
    observer: &dyn ExamObserver,
    report: &mut ExamReport,
) -> Result<(), ExamFailure> {
    let mut questions =
        ExamQuestions::new(rules, settings.selection, settings.seed).ok_or(ExamFailure::Unsolved(rules))?;
    let engine = settings.engine_and_command();
    let mut client = match Client::start(&settings.engine, rules, context) {
        Ok(client) => client,
        Err(error @ StartError::Option(OptionProblem::Game { .. } | OptionProblem::Protocol { .. }))
            if settings.rules.len() > 1 =>
        {
            observer.warn(&format!("engine {engine} {error}; that part of the exam is left out"));
            return Ok(());
        }
        Err(StartError::Introduction(Failure::Interrupted, _)) => return Err(ExamFailure::Interrupted),
        Err(error) => return Err(ExamFailure::Start { engine, error }),
    };
    report.engine.title = client.title().map(str::to_owned);
    report.seed = client.takes_seed().then_some(settings.seed);
    let mut runner = ExamRunner::new(&mut client, rules, questions.count(), settings, observer);
    let mut scores = Scores::new(&questions, settings.list);
    let whole_game = questions.sample().is_none().then(|| questions.count());
    questions.visit(|questions, solved| {
        let responses = runner.ask(questions)?;
        scores.add(questions, &responses, solved);
        if whole_game == Some(questions.len() as u64) {
            scores.expected = Some(Expected::of(questions, &responses));
        }
        Ok(())
    })?;
    Client::quit([client]);
    report.exams.push(scores);
    Ok(())
}
